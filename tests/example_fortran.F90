! Tangled from org/tests/fortran_claims.org; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
program example
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  use cadastre
  implicit none
  integer(c_int64_t) :: context
  real(c_double), pointer :: a(:, :) => null()

  context = cadastre_context_create()
  call cadastre_allocate(context, a, [1000, 500], label='matrix a')
  a(1, :) = 1
  call cadastre_print_report(context)
  call cadastre_deallocate(context, a)
  if (cadastre_context_destroy(context) /= CADASTRE_SUCCESS) error stop 1
end program example
