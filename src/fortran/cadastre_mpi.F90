! Tangled from org/fortran/mpi.org; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
! A report on the memory of all ranks of an MPI communicator. What it has is described at cadastre_report_mpi in
! cadastre_mpi.h. Compile this file after cadastre.F90, with the modules of the MPI that libcadastre_mpi was built with.
module cadastre_mpi
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
  use mpi_f08, only: MPI_Comm
  use cadastre, only: CADASTRE_SUCCESS, cadastre_string
  implicit none
  private

  public :: cadastre_report_mpi_to_file, cadastre_print_report_mpi

  interface cadastre_report_mpi_to_file
    module procedure report_of_f08, report_of_integer
  end interface cadastre_report_mpi_to_file

  interface cadastre_print_report_mpi
    module procedure print_of_f08, print_of_integer
  end interface cadastre_print_report_mpi

  interface
    function c_report_mpi_to_file(communicator, filename) bind(c, name='cadastre_report_mpi_to_file_f') result(exit_code)
      import
      integer(c_int), value :: communicator
      type(c_ptr), value :: filename
      integer(c_int32_t) :: exit_code
    end function c_report_mpi_to_file

    function c_last_error_message() bind(c, name='cadastre_mpi_last_error_message') result(message)
      import
      type(c_ptr) :: message
    end function c_last_error_message
  end interface

contains

  ! call cadastre_report_mpi_to_file(communicator, filename [, stat] [, errmsg])
  ! call cadastre_print_report_mpi(communicator [, stat] [, errmsg])
  !
  ! Write the report on all ranks of a communicator to a file, or to the output of its rank 0. All its ranks call this.
  ! Without stat, a failure stops the program.
  !
  ! stat: the exit code, as of cadastre_report_mpi, on all ranks; CADASTRE_ERRNO if the file cannot be opened or written.
  ! errmsg: what was wrong, if stat is present and not CADASTRE_SUCCESS.
  subroutine report_of_f08(communicator, filename, stat, errmsg)
    type(MPI_Comm), intent(in) :: communicator
    character(len=*), intent(in) :: filename
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call report_of_integer(communicator%MPI_VAL, filename, stat, errmsg)
  end subroutine report_of_f08

  subroutine report_of_integer(communicator, filename, stat, errmsg)
    integer, intent(in) :: communicator
    character(len=*), intent(in) :: filename
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(kind=c_char, len=:), allocatable, target :: name
    type(c_ptr) :: address

    name = trim(filename)//c_null_char
    address = c_loc(name)
    call report(communicator, address, stat, errmsg)
  end subroutine report_of_integer

  subroutine print_of_f08(communicator, stat, errmsg)
    type(MPI_Comm), intent(in) :: communicator
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call print_of_integer(communicator%MPI_VAL, stat, errmsg)
  end subroutine print_of_f08

  subroutine print_of_integer(communicator, stat, errmsg)
    integer, intent(in) :: communicator
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    flush (output_unit)
    call report(communicator, c_null_ptr, stat, errmsg)
  end subroutine print_of_integer

  subroutine report(communicator, filename, stat, errmsg)
    integer, intent(in) :: communicator
    type(c_ptr), intent(in) :: filename
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: exit_code

    exit_code = c_report_mpi_to_file(int(communicator, c_int), filename)
    if (present(stat)) stat = exit_code
    if (exit_code == CADASTRE_SUCCESS) return
    if (present(stat)) then
      if (present(errmsg)) errmsg = cadastre_string(c_last_error_message())
    else
      write (error_unit, '(a)') cadastre_string(c_last_error_message())
      error stop 1
    end if
  end subroutine report
end module cadastre_mpi
