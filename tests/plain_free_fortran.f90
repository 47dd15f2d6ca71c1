! Tangled from org/tests/plain_free_programs.org; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
! Frees blocks by deallocate; says how many are alive.
program plain_free_fortran
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    function make_context() bind(c)
      import
      integer(c_int64_t) :: make_context
    end function make_context
    function make_block(context, size) bind(c)
      import
      integer(c_int64_t), value :: context
      integer(c_size_t), value :: size
      type(c_ptr) :: make_block
    end function make_block
    function live_blocks(context) bind(c)
      import
      integer(c_int64_t), value :: context
      integer(c_int) :: live_blocks
    end function live_blocks
  end interface
  integer(c_int64_t) :: context
  real(c_double), pointer :: x(:)
  integer :: i
  context = make_context()
  do i = 1, 10
    call c_f_pointer(make_block(context, 800_c_size_t), x, [100])
    x = real(i, c_double)
    deallocate (x)
  end do
  print '(i0)', live_blocks(context)
end program plain_free_fortran
