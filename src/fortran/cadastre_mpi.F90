! Tangled from org/fortran/mpi.org; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
! A report on the memory of all ranks of an MPI communicator. What it has is described at cadastre_report_mpi in
! cadastre_mpi.h. Compile this file after cadastre.F90, with the modules of the MPI that libcadastre_mpi was built with.
module cadastre_mpi
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
  use mpi_f08, only: MPI_Comm
  use cadastre, only: CADASTRE_SUCCESS, CADASTRE_REPORT_TEXT, cadastre_string
  implicit none
  private

  public :: cadastre_report_mpi_to_file, cadastre_print_report_mpi, cadastre_get_statistics_mpi

  ! A share is negative where it is not known.
  type, bind(c), public :: cadastre_mpi_spread_struct
    integer(c_int64_t) :: minimum = 0_c_int64_t, mean = 0_c_int64_t, maximum = 0_c_int64_t, sum = 0_c_int64_t
    real(c_double) :: minimum_share = 0, mean_share = 0, maximum_share = 0, sum_share = 0
    integer(c_int32_t) :: minimum_rank = 0_c_int32_t, maximum_rank = 0_c_int32_t
  end type cadastre_mpi_spread_struct

  integer(c_size_t), parameter :: size_of_spread = storage_size(cadastre_mpi_spread_struct())/8

  type, bind(c), public :: cadastre_mpi_statistics_struct
    integer(c_size_t) :: struct_size = 8 + 4*4 + 8 + 10*size_of_spread
    integer(c_int32_t) :: ranks = 0_c_int32_t, nodes = 0_c_int32_t, outliers = 0_c_int32_t, unread_ranks = 0_c_int32_t
    integer(c_int64_t) :: memory_bytes = 0_c_int64_t
    type(cadastre_mpi_spread_struct) :: live, peak, refused, resident, most_resident
    type(cadastre_mpi_spread_struct) :: nodes_live, nodes_peak, nodes_refused, nodes_resident, nodes_most_resident
  end type cadastre_mpi_statistics_struct

  interface cadastre_report_mpi_to_file
    module procedure report_of_f08, report_of_integer
  end interface cadastre_report_mpi_to_file

  interface cadastre_print_report_mpi
    module procedure print_of_f08, print_of_integer
  end interface cadastre_print_report_mpi

  interface cadastre_get_statistics_mpi
    module procedure statistics_of_f08, statistics_of_integer
  end interface cadastre_get_statistics_mpi

  interface
    function c_report_mpi_to_file(communicator, filename, format) bind(c, name='cadastre_report_mpi_format_to_file_f') &
        result(exit_code)
      import
      integer(c_int), value :: communicator
      type(c_ptr), value :: filename
      integer(c_int32_t), value :: format
      integer(c_int32_t) :: exit_code
    end function c_report_mpi_to_file

    function c_get_statistics_mpi(communicator, type, statistics) bind(c, name='cadastre_get_statistics_mpi_f') result(exit_code)
      import
      integer(c_int), value :: communicator
      integer(c_int32_t), value :: type
      type(cadastre_mpi_statistics_struct), intent(inout) :: statistics
      integer(c_int32_t) :: exit_code
    end function c_get_statistics_mpi

    function c_last_error_message() bind(c, name='cadastre_mpi_last_error_message') result(message)
      import
      type(c_ptr) :: message
    end function c_last_error_message
  end interface

contains

  ! call cadastre_report_mpi_to_file(communicator, filename [, format] [, stat] [, errmsg])
  ! call cadastre_print_report_mpi(communicator [, format] [, stat] [, errmsg])
  !
  ! Write the report on all ranks of a communicator to a file, or to the output of its rank 0. All its ranks call this.
  ! Without stat, a failure stops the program.
  !
  ! format: CADASTRE_REPORT_TEXT by default, or CADASTRE_REPORT_JSON. That of rank 0 counts.
  ! stat: the exit code, as of cadastre_report_mpi, on all ranks; CADASTRE_ERRNO if the file cannot be opened or written.
  ! errmsg: what was wrong, if stat is present and not CADASTRE_SUCCESS.
  subroutine report_of_f08(communicator, filename, format, stat, errmsg)
    type(MPI_Comm), intent(in) :: communicator
    character(len=*), intent(in) :: filename
    integer(c_int32_t), intent(in), optional :: format
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call report_of_integer(communicator%MPI_VAL, filename, format, stat, errmsg)
  end subroutine report_of_f08

  subroutine report_of_integer(communicator, filename, format, stat, errmsg)
    integer, intent(in) :: communicator
    character(len=*), intent(in) :: filename
    integer(c_int32_t), intent(in), optional :: format
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char, len=:), allocatable, target :: name
    type(c_ptr) :: address

    name = trim(filename)//c_null_char
    address = c_loc(name)
    call report(communicator, address, format, stat, errmsg)
  end subroutine report_of_integer

  subroutine print_of_f08(communicator, format, stat, errmsg)
    type(MPI_Comm), intent(in) :: communicator
    integer(c_int32_t), intent(in), optional :: format
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call print_of_integer(communicator%MPI_VAL, format, stat, errmsg)
  end subroutine print_of_f08

  subroutine print_of_integer(communicator, format, stat, errmsg)
    integer, intent(in) :: communicator
    integer(c_int32_t), intent(in), optional :: format
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    flush (output_unit)
    call report(communicator, c_null_ptr, format, stat, errmsg)
  end subroutine print_of_integer

  subroutine report(communicator, filename, format, stat, errmsg)
    integer, intent(in) :: communicator
    type(c_ptr), intent(in) :: filename
    integer(c_int32_t), intent(in), optional :: format
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: form

    form = CADASTRE_REPORT_TEXT
    if (present(format)) form = format
    call finish(c_report_mpi_to_file(int(communicator, c_int), filename, form), stat, errmsg)
  end subroutine report

  ! call cadastre_get_statistics_mpi(communicator, type, statistics [, stat] [, errmsg])
  !
  ! Gives all ranks of a communicator what they have together of a memory type, or with CADASTRE_ALL_MEMORY_TYPES of all.
  ! All its ranks call this. stat and errmsg: as above, stat as of cadastre_get_statistics_mpi in C.
  subroutine statistics_of_f08(communicator, type, statistics, stat, errmsg)
    type(MPI_Comm), intent(in) :: communicator
    integer(c_int32_t), intent(in) :: type
    type(cadastre_mpi_statistics_struct), intent(inout) :: statistics
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call statistics_of_integer(communicator%MPI_VAL, type, statistics, stat, errmsg)
  end subroutine statistics_of_f08

  subroutine statistics_of_integer(communicator, type, statistics, stat, errmsg)
    integer, intent(in) :: communicator
    integer(c_int32_t), intent(in) :: type
    type(cadastre_mpi_statistics_struct), intent(inout) :: statistics
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call finish(c_get_statistics_mpi(int(communicator, c_int), type, statistics), stat, errmsg)
  end subroutine statistics_of_integer

  subroutine finish(exit_code, stat, errmsg)
    integer(c_int32_t), intent(in) :: exit_code
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (present(stat)) stat = exit_code
    if (exit_code == CADASTRE_SUCCESS) return
    if (present(stat)) then
      if (present(errmsg)) errmsg = cadastre_string(c_last_error_message())
    else
      write (error_unit, '(a)') cadastre_string(c_last_error_message())
      error stop 1
    end if
  end subroutine finish
end module cadastre_mpi
