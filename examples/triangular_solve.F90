! Tangled from org/examples/triangular_solve.org; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
! Solves L X = B with scratch memory from a context, in each of the ways in which the context can get it.
!
!   gfortran triangular_solve.F90 $(pkg-config --cflags --libs cadastre-fortran) -o triangular_solve
!   ./triangular_solve
!   CADASTRE_WORKSPACE_SIZE=64K ./triangular_solve
!
! SPDX-License-Identifier: BSD-3-Clause
module triangular
  use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t, c_size_t
  use cadastre
  implicit none
  private
  public :: triangular_solve, triangular_multiply
  integer, parameter :: edge = 64 ! rows and columns of a block

contains

  ! Solves L X = B. X overwrites B; only the lower triangle of L is read.
  !
  ! Exit codes: SUCCESS; PERFORMANCE_DEGRADED (solved, with less memory); SIZE_INCREASED and
  ! SIZE_UNCHANGED in a size query; otherwise the exit code of the failed acquisition, and B is
  ! unchanged.
  function triangular_solve(context, l, b) result(exit_code)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(in) :: l(:, :)
    real(c_double), intent(inout) :: b(:, :)
    integer(c_int32_t) :: exit_code
    real(c_double), pointer, contiguous :: inverses(:, :, :), panel(:, :)
    type(cadastre_lease) :: lease
    integer :: blocks, i

    blocks = (size(l, 1) + edge - 1)/edge
    do while (cadastre_acquiring(context, lease, CADASTRE_HOST, stat=exit_code))
      call cadastre_acquire(lease, inverses, [edge, edge, blocks])
      call cadastre_acquire(lease, panel, [edge, size(b, 2)])
    end do

    select case (exit_code)
    case (CADASTRE_SUCCESS)
      do i = 1, blocks
        call invert(l, i, inverses(:, :, i))
      end do
      do i = 1, blocks
        call solve_rows(l, b, i, inverses(:, :, i), panel)
      end do
      call cadastre_release(context, lease, stat=exit_code)
    case (CADASTRE_LIMIT_EXCEEDED, CADASTRE_ALLOCATION_FAILED)
      exit_code = solve_column_by_column(context, l, b)
    end select
  end function triangular_solve

  function solve_column_by_column(context, l, b) result(exit_code)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(in) :: l(:, :)
    real(c_double), intent(inout) :: b(:, :)
    integer(c_int32_t) :: exit_code
    real(c_double), pointer, contiguous :: inverse(:, :), column(:, :)
    type(cadastre_lease) :: lease
    integer :: i, j

    do while (cadastre_acquiring(context, lease, CADASTRE_HOST, stat=exit_code))
      call cadastre_acquire(lease, inverse, [edge, edge])
      call cadastre_acquire(lease, column, [edge, 1])
    end do
    if (exit_code /= CADASTRE_SUCCESS) return
    do i = 1, (size(l, 1) + edge - 1)/edge
      call invert(l, i, inverse)
      do j = 1, size(b, 2)
        call solve_rows(l, b(:, j:j), i, inverse, column)
      end do
    end do
    call cadastre_release(context, lease, stat=exit_code)
    if (exit_code == CADASTRE_SUCCESS) exit_code = CADASTRE_PERFORMANCE_DEGRADED
  end function solve_column_by_column

  ! B = L X, where L is lower triangular. Exit codes: SUCCESS; SIZE_UNCHANGED in a size query.
  function triangular_multiply(context, l, x, b) result(exit_code)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(in) :: l(:, :), x(:, :)
    real(c_double), intent(inout) :: b(:, :)
    integer(c_int32_t) :: exit_code
    integer :: i, j

    if (cadastre_return_if_size_query(context, exit_code)) return
    do j = 1, size(b, 2)
      do i = 1, size(b, 1)
        b(i, j) = dot_product(l(i, :i), x(:i, j))
      end do
    end do
  end function triangular_multiply

  ! C = C + factor A B
  subroutine add_product(factor, a, b, c)
    real(c_double), intent(in) :: factor, a(:, :), b(:, :)
    real(c_double), intent(inout) :: c(:, :)
    integer :: j, k

    do j = 1, size(c, 2)
      do k = 1, size(a, 2)
        c(:, j) = c(:, j) + a(:, k)*(factor*b(k, j))
      end do
    end do
  end subroutine add_product

  ! The inverse of a diagonal block.
  subroutine invert(l, block, inverse)
    real(c_double), intent(in) :: l(:, :)
    integer, intent(in) :: block
    real(c_double), intent(inout) :: inverse(:, :)
    integer :: above, i, j

    above = (block - 1)*edge
    inverse = 0
    do j = 1, min(edge, size(l, 1) - above)
      inverse(j, j) = 1/l(above + j, above + j)
      do i = j + 1, min(edge, size(l, 1) - above)
        inverse(i, j) = -dot_product(l(above + i, above + j:above + i - 1), inverse(j:i - 1, j))/ &
          l(above + i, above + i)
      end do
    end do
  end subroutine invert

  ! Computes the rows of X of one block, and subtracts their products from the rows of B below.
  subroutine solve_rows(l, b, block, inverse, copy)
    real(c_double), intent(in) :: l(:, :), inverse(:, :)
    real(c_double), intent(inout) :: b(:, :), copy(:, :)
    integer, intent(in) :: block
    integer :: first, last, rows, below, bottom

    first = (block - 1)*edge + 1
    last = min(block*edge, size(l, 1))
    rows = last - first + 1
    copy(:rows, :) = b(first:last, :)
    b(first:last, :) = 0
    call add_product(1._c_double, inverse(:rows, :rows), copy(:rows, :), b(first:last, :))
    do below = last + 1, size(l, 1), edge
      bottom = min(below + edge - 1, size(l, 1))
      call add_product(-1._c_double, l(below:bottom, first:last), b(first:last, :), b(below:bottom, :))
    end do
  end subroutine solve_rows

end module triangular

program solve_triangular_systems
  use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t, c_loc, c_null_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: error_unit
  use cadastre
  use triangular
  implicit none
  integer, parameter :: n = 500
  real(c_double), parameter :: tolerance = 1e-12_c_double

  type :: problem
    real(c_double), allocatable :: l(:, :), b(:, :), x(:, :)
  end type problem

  type :: outcome
    integer(c_int32_t) :: exit_code
    real(c_double) :: error
  end type outcome

  type(problem) :: p, larger
  logical :: all_right = .true.

  p = new_problem(48)
  larger = new_problem(96)
  call by_default()
  call preallocated()
  call preallocated_by_environment()
  call manual()
  call multiple_buffers()
  call size_query()
  call degraded()
  call failed()
  call only_what_was_sized()
  if (.not. all_right) error stop 1

contains

  elemental function number(i, j)
    integer, intent(in) :: i, j
    real(c_double) :: number

    number = modulo(0.41421356237309505_c_double*i + 0.73205080756887729_c_double*j, 1._c_double)
  end function number

  function new_problem(columns) result(p)
    integer, intent(in) :: columns
    type(problem) :: p
    integer(c_int64_t) :: context
    integer :: i, j

    allocate (p%l(n, n), p%b(n, columns), p%x(n, columns))
    p%l = 0
    do j = 1, n
      p%l(j, j) = 1 + number(j, j)
      p%l(j + 1:, j) = [(number(i, j)/n, i=j + 1, n)]
    end do
    do j = 1, columns
      p%x(:, j) = [(2*number(j, i) - 1, i=1, n)]
    end do
    context = new_context()
    call require(context, triangular_multiply(context, p%l, p%x, p%b))
    call destroy(context)
    do j = 1, columns
      p%x(:, j) = substituted(p%l, p%b(:, j))
    end do
  end function new_problem

  function substituted(l, b) result(x)
    real(c_double), intent(in) :: l(:, :), b(:)
    real(c_double) :: x(size(b))
    integer :: i

    do i = 1, size(b)
      x(i) = (b(i) - dot_product(l(i, :i - 1), x(:i - 1)))/l(i, i)
    end do
  end function substituted

  subroutine require(context, exit_code)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(in) :: exit_code

    if (exit_code == CADASTRE_SUCCESS) return
    write (error_unit, '(2a)') 'triangular_solve: ', cadastre_last_error_message(context)
    error stop 1
  end subroutine require

  function new_context(bytes) result(context)
    integer(c_size_t), intent(in), optional :: bytes
    integer(c_int64_t) :: context

    context = cadastre_context_create()
    if (context == CADASTRE_NULL_CONTEXT) call require(context, CADASTRE_FAILURE)
    if (present(bytes)) call require(context, cadastre_workspace_set_size(context, CADASTRE_HOST, bytes))
  end function new_context

  subroutine destroy(context)
    integer(c_int64_t), intent(in) :: context

    if (cadastre_context_destroy(context) /= CADASTRE_SUCCESS) error stop 1
  end subroutine destroy

  function solve(context, p) result(solved)
    integer(c_int64_t), intent(in) :: context
    type(problem), intent(in) :: p
    type(outcome) :: solved
    real(c_double), allocatable :: b(:, :)

    allocate (b, source=p%b)
    solved%exit_code = triangular_solve(context, p%l, b)
    if (any(solved%exit_code == [CADASTRE_SUCCESS, CADASTRE_PERFORMANCE_DEGRADED])) then
      solved%error = maxval(abs(b - p%x))
    else
      solved%error = maxval(abs(b - p%b))
    end if
  end function solve

  function bytes_needed(context) result(bytes)
    integer(c_int64_t), intent(in) :: context
    integer(c_size_t) :: bytes
    integer(c_int32_t) :: exit_code

    call require(context, cadastre_workspace_start_size_query(context))
    exit_code = triangular_solve(context, p%l, p%b)
    if (exit_code /= CADASTRE_SIZE_INCREASED) call require(context, exit_code)
    call require(context, cadastre_workspace_stop_size_query(context, bytes))
  end function bytes_needed

  subroutine print_line(scenario, result, context, error, right)
    character(len=*), intent(in) :: scenario, result
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(in) :: error
    logical, intent(in) :: right
    type(cadastre_workspace_info_struct) :: info

    call require(context, cadastre_workspace_get_info(context, CADASTRE_HOST, info))
    all_right = all_right .and. right .and. error <= tolerance
    write (*, '(3a, 4(a, i0), a, es7.1, a)') scenario, ': ', result, '; size ', info%reserved_bytes, &
      ', growths ', info%growths, ', acquisitions ', info%acquisitions, &
      ', failed acquisitions ', info%failed_acquisitions, '; largest error ', error, &
      trim(merge('       ', ', WRONG', right .and. error <= tolerance))
  end subroutine print_line

  ! Solves twice: the second call finds the workspace as the first one left it.
  subroutine solve_and_print(scenario, context, expected)
    character(len=*), intent(in) :: scenario
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(in) :: expected(:)
    type(outcome) :: first, second

    first = solve(context, p)
    second = solve(context, p)
    call print_line(scenario, cadastre_error_string(first%exit_code), context, max(first%error, second%error), &
      any(first%exit_code == expected) .and. second%exit_code == first%exit_code)
  end subroutine solve_and_print

  function text(number)
    integer(c_int64_t), intent(in) :: number
    character(len=:), allocatable :: text
    character(len=20) :: digits

    write (digits, '(i0)') number
    text = trim(digits)
  end function text

  subroutine by_default()
    integer(c_int64_t) :: context

    context = new_context(CADASTRE_WORKSPACE_AUTOMATIC)
    call solve_and_print('default', context, [CADASTRE_SUCCESS])
    call destroy(context)
  end subroutine by_default

  subroutine preallocated()
    integer(c_int64_t) :: context
    integer(c_size_t) :: bytes

    context = new_context()
    bytes = bytes_needed(context)
    call require(context, cadastre_workspace_set_size(context, CADASTRE_HOST, bytes))
    call solve_and_print('preallocate, '//text(bytes)//' bytes by size query', context, [CADASTRE_SUCCESS])
    call destroy(context)
  end subroutine preallocated

  subroutine preallocated_by_environment()
    integer(c_int64_t) :: context
    character(len=:), allocatable :: scenario
    character(len=40) :: value
    integer :: status
    type(cadastre_workspace_info_struct) :: default, host

    context = new_context()
    scenario = 'preallocate by environment, CADASTRE_WORKSPACE_SIZE'
    call get_environment_variable('CADASTRE_WORKSPACE_SIZE', value, status=status)
    if (status /= 0) scenario = scenario//' is not set'
    if (status == 0) scenario = scenario//'='//trim(value)
    call require(context, cadastre_workspace_get_info(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, default))
    call require(context, cadastre_workspace_get_info(context, CADASTRE_HOST, host))
    if (default%type /= CADASTRE_HOST) scenario = scenario//', of '// &
      cadastre_memory_type_string(default%type)//' memory'
    scenario = scenario//', HOST memory is '//cadastre_workspace_scheme_string(host%scheme)
    call solve_and_print(scenario, context, [CADASTRE_SUCCESS, CADASTRE_PERFORMANCE_DEGRADED, CADASTRE_LIMIT_EXCEEDED])
    call destroy(context)
  end subroutine preallocated_by_environment

  subroutine manual()
    integer(c_int64_t) :: context
    integer(c_size_t) :: bytes
    real(c_double), pointer, contiguous :: buffer(:)
    type(cadastre_workspace_info_struct) :: info

    context = new_context()
    bytes = bytes_needed(context)
    call require(context, cadastre_workspace_get_info(context, CADASTRE_HOST, info))
    call cadastre_allocate(context, buffer, bytes/8, alignment=int(info%granularity))
    call require(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, c_loc(buffer), bytes))
    call solve_and_print('manual, a buffer of '//text(bytes)//' bytes of the caller''s', context, [CADASTRE_SUCCESS])
    call require(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, c_null_ptr, 0_c_size_t))
    call cadastre_deallocate(context, buffer)
    call destroy(context)
  end subroutine manual

  subroutine multiple_buffers()
    integer(c_int64_t) :: context
    type(cadastre_lease) :: lease
    real(c_double), pointer, contiguous :: numbers(:)
    integer(c_int32_t), pointer, contiguous :: indices(:), none(:)
    real(c_double) :: error
    integer :: i

    context = new_context(CADASTRE_WORKSPACE_AUTOMATIC)
    do while (cadastre_acquiring(context, lease, CADASTRE_HOST))
      call cadastre_acquire(lease, numbers, 100)
      call cadastre_acquire(lease, indices, 100)
      call cadastre_acquire(lease, none, 0)
    end do
    numbers = [(i, i=1, 100)]
    indices = [(-i, i=1, 100)]
    error = sum(abs(numbers + indices))
    call print_line('multiple buffers, 800, 400 and 0 bytes', 'three pointers from one lease', context, error, &
      size(none) == 0)
    call cadastre_release(context, lease)
    call destroy(context)
  end subroutine multiple_buffers

  subroutine size_query()
    integer(c_int64_t) :: context
    integer(c_size_t) :: bytes
    character(len=:), allocatable :: results

    context = new_context()
    call require(context, cadastre_workspace_start_size_query(context))
    results = 'solve for 48 '//more(triangular_solve(context, p%l, p%b))
    results = results//', solve for 12 '//more(triangular_solve(context, p%l, p%b(:, :12)))
    results = results//', solve for 96 '//more(triangular_solve(context, larger%l, larger%b))
    results = results//', multiply '//more(triangular_multiply(context, p%l, p%x, p%b))
    call require(context, cadastre_workspace_stop_size_query(context, bytes))
    call require(context, cadastre_workspace_set_size(context, CADASTRE_HOST, bytes))
    call solve_and_print('size query, '//results//', '//text(bytes)//' bytes in all', context, [CADASTRE_SUCCESS])
    call destroy(context)
  end subroutine size_query

  function more(exit_code)
    integer(c_int32_t), intent(in) :: exit_code
    character(len=:), allocatable :: more

    more = 'failed'
    if (exit_code == CADASTRE_SIZE_INCREASED) more = 'increased'
    if (exit_code == CADASTRE_SIZE_UNCHANGED) more = 'unchanged'
  end function more

  subroutine degraded()
    integer(c_int64_t) :: context

    context = new_context(65536_c_size_t)
    call solve_and_print('degraded, 65536 bytes', context, [CADASTRE_PERFORMANCE_DEGRADED])
    call destroy(context)
  end subroutine degraded

  subroutine failed()
    integer(c_int64_t) :: context

    context = new_context(16384_c_size_t)
    call solve_and_print('failed, 16384 bytes', context, [CADASTRE_LIMIT_EXCEEDED])
    call destroy(context)
  end subroutine failed

  subroutine only_what_was_sized()
    integer(c_int64_t) :: context, allocations
    type(cadastre_statistics_struct) :: before, after
    type(outcome) :: fits, exceeds

    context = new_context()
    call require(context, cadastre_workspace_set_size(context, CADASTRE_HOST, bytes_needed(context)))
    call require(context, cadastre_get_statistics(context, CADASTRE_HOST, before))
    fits = solve(context, p)
    exceeds = solve(context, larger)
    call require(context, cadastre_get_statistics(context, CADASTRE_HOST, after))
    allocations = after%allocations - before%allocations
    call print_line('only what was explicitly sized is used, and twice as much is needed', &
      cadastre_error_string(exceeds%exit_code)//'; allocations '//text(allocations), context, &
      max(fits%error, exceeds%error), fits%exit_code == CADASTRE_SUCCESS .and. &
      exceeds%exit_code == CADASTRE_PERFORMANCE_DEGRADED .and. allocations == 0)
    call destroy(context)
  end subroutine only_what_was_sized

end program solve_triangular_systems
