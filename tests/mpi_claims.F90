! Tangled from org/tests/mpi_claims.org; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
! Claims on the report on all ranks from Fortran, for four of them. The first argument is a folder to write to.
program mpi_claims
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: output_unit
  use mpi_f08
  use cadastre
  use cadastre_mpi
  implicit none

  integer :: claims = 0, rank, provided
  integer(c_int64_t) :: context
  integer(c_int32_t) :: status
  character(len=256) :: folder, message
  character(len=300) :: file
  real(c_double), pointer :: field(:)
  type(cadastre_mpi_statistics_struct) :: figures

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call get_command_argument(1, folder)
  file = trim(folder)//'/fortran.txt'
  context = cadastre_context_create()
  call cadastre_allocate(context, field, [131072_c_int64_t*(rank + 1)], label='field of Fortran')

  call cadastre_report_mpi_to_file(MPI_COMM_WORLD, file)
  call claim(rank /= 0 .or. (has('memory of 4 ranks on') .and. has('4.00 MiB') .and. has('10.0 MiB') .and. &
    has('  field of Fortran')), &
    'a communicator of mpi_f08 gives a report')
  call remove()
  call cadastre_report_mpi_to_file(MPI_COMM_SELF%MPI_VAL, trim(file)//char(ichar('0') + rank), stat=status)
  call claim(status == CADASTRE_SUCCESS, 'and so does an integer, as of the module mpi')
  message = 'unchanged'
  call cadastre_report_mpi_to_file(MPI_COMM_WORLD%MPI_VAL, file, stat=status, errmsg=message)
  call claim(status == CADASTRE_SUCCESS .and. message == 'unchanged' .and. (rank /= 0 .or. has('memory of 4 ranks on')), &
    'errmsg keeps its value where nothing fails')
  call cadastre_report_mpi_to_file(MPI_COMM_WORLD, trim(folder)//'/nowhere/file', stat=status, errmsg=message)
  call claim(status == CADASTRE_ERRNO .and. index(message, 'rank 0 cannot open the file') == 1, &
    'a file that cannot be opened is a failure of all ranks')
  call cadastre_report_mpi_to_file(MPI_COMM_WORLD, '/dev/full', stat=status, errmsg=message)
  call claim(status == CADASTRE_ERRNO .and. index(message, 'rank 0 could not write') == 1, 'and so is a full disk')
  call cadastre_report_mpi_to_file(MPI_COMM_WORLD, file, format=CADASTRE_REPORT_JSON)
  call claim(rank /= 0 .or. has('"schema_version":1,'), 'a file may have JSON')
  call cadastre_report_mpi_to_file(MPI_COMM_WORLD, file, format=9_c_int32_t, stat=status, errmsg=message)
  call claim(status == CADASTRE_INVALID_ARG_3 .and. index(message, 'the format on rank 0') == 1 .and. &
    (rank /= 0 .or. has('"schema_version":1,')), 'an unknown format is a failure of all ranks, and replaces no file')
  call cadastre_get_statistics_mpi(MPI_COMM_WORLD, CADASTRE_HOST, figures)
  call claim(figures%ranks == 4 .and. figures%live%minimum == 1048576 .and. figures%live%maximum == 4194304 .and. &
    figures%live%mean == 2621440 .and. figures%live%sum == 10485760 .and. figures%live%minimum_rank == 0 .and. &
    figures%live%maximum_rank == 3 .and. figures%nodes_most_resident%sum > 4000000 .and. &
    abs(figures%live%sum_share*real(figures%memory_bytes, c_double) - 10485760) < 1, 'all ranks have the figures')
  call cadastre_get_statistics_mpi(MPI_COMM_WORLD%MPI_VAL, CADASTRE_ALL_MEMORY_TYPES, figures, stat=status)
  call claim(status == CADASTRE_SUCCESS .and. figures%live%sum == 10485760 .and. figures%live%sum_share < 0, &
    'and those of all memory types together')
  call cadastre_get_statistics_mpi(MPI_COMM_WORLD, merge(77_c_int32_t, CADASTRE_HOST, rank == 1), figures, stat=status, &
    errmsg=message)
  call claim(status == CADASTRE_INVALID_ARG_2 .and. index(message, 'a rank asks for neither') == 1, &
    'a type that is none is refused')
  call cadastre_report_mpi_to_file(MPI_COMM_NULL, file, stat=status, errmsg=message)
  call claim(status == CADASTRE_INVALID_ARG_1 .and. index(message, 'MPI_COMM_NULL') > 0, 'MPI_COMM_NULL is refused')
  if (rank == 0) print '(a)', '# before the report'
  call cadastre_print_report_mpi(MPI_COMM_WORLD)
  if (rank == 0) print '(a)', '# after the report'
  call cadastre_print_report_mpi(MPI_COMM_WORLD%MPI_VAL, stat=status)
  call claim(status == CADASTRE_SUCCESS, 'the report is printed')

  call cadastre_deallocate(context, field)
  status = cadastre_context_destroy(context)
  if (rank == 0) print '("1..", i0)', claims
  flush (output_unit)
  call MPI_Finalize()

contains

  subroutine claim(holds, sentence)
    logical, intent(in) :: holds
    character(*), intent(in) :: sentence
    logical :: all_hold

    call MPI_Allreduce(holds, all_hold, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD)
    claims = claims + 1
    if (rank /= 0) return
    if (all_hold) then
      print '("ok ", i0, " - ", a)', claims, sentence
    else
      print '("not ok ", i0, " - ", a)', claims, sentence
    end if
  end subroutine claim

  ! Whether the file has a line with these words.
  function has(words)
    character(*), intent(in) :: words
    logical :: has
    character(len=300) :: line
    integer :: unit, ended

    has = .false.
    open (newunit=unit, file=file, action='read', iostat=ended)
    do while (ended == 0)
      read (unit, '(a)', iostat=ended) line
      if (ended == 0) has = has .or. index(line, words) > 0
    end do
    close (unit)
  end function has

  subroutine remove()
    integer :: unit, ended

    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank /= 0) return
    open (newunit=unit, file=file, iostat=ended)
    close (unit, status='delete')
  end subroutine remove
end program mpi_claims
