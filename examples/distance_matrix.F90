! Tangled from org/examples/distance_matrix.org; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
! The rescaled distances between the electrons and the nuclei of a molecule, computed on a device.
!
!   gfortran -fopenmp distance_matrix.F90 $(pkg-config --cflags --libs cadastre-fortran)
!   CADASTRE_EMULATED_DEVICES=1 ./a.out
!
! SPDX-License-Identifier: BSD-3-Clause
program distance_matrix
  use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t, c_loc
  use, intrinsic :: iso_fortran_env, only: error_unit
  use omp_lib, only: omp_get_initial_device, omp_get_num_devices, omp_is_initial_device
  use cadastre
  implicit none
  integer, parameter :: n_electrons = 1200, n_nuclei = 70
  real(c_double), parameter :: kappa = 0.6_c_double, box = 20, tolerance = 1e-12_c_double
  integer, parameter :: skipped = 77
  integer(c_int64_t) :: context
  real(c_double) :: electrons(3, n_electrons), nuclei(3, n_nuclei)
  real(c_double) :: expected(n_electrons, n_nuclei), distances(n_electrons, n_nuclei), difference
  ! device memory
  real(c_double), pointer, contiguous :: electrons_there(:, :), nuclei_there(:, :)
  real(c_double), pointer, contiguous :: distances_there(:, :)
  integer :: device

  call fill(electrons)
  call fill(nuclei)
  call distances_on_host()

  context = cadastre_context_create()
  if (context == CADASTRE_NULL_CONTEXT) then
    write (error_unit, '(a)') cadastre_last_error_message(CADASTRE_NULL_CONTEXT)
    error stop 1
  end if
  call require_device_memory()
  call cadastre_allocate(context, electrons_there, shape(electrons), CADASTRE_DEVICE, &
    label='electrons')
  call cadastre_allocate(context, nuclei_there, shape(nuclei), CADASTRE_DEVICE, label='nuclei')
  call cadastre_allocate(context, distances_there, shape(distances), CADASTRE_DEVICE, &
    label='electron-nucleus distances')
  device = device_that_reaches(distances_there)

  call cadastre_copy(context, electrons_there, electrons)
  call cadastre_copy(context, nuclei_there, nuclei)
  call distances_on_device(electrons_there, nuclei_there, distances_there, device)
  call cadastre_copy(context, distances, distances_there)

  call cadastre_print_report(context)
  difference = maxval(abs(distances - expected))
  write (*, '(a, es8.1, 2a)') 'largest difference from the host: ', difference, ', ', &
    trim(merge('which is too large', 'they agree        ', .not. difference <= tolerance))
  if (cadastre_context_destroy(context) /= CADASTRE_SUCCESS) error stop 1
  if (.not. difference <= tolerance) error stop 1

contains

  subroutine fill(points)
    real(c_double), intent(out) :: points(:, :)
    real(c_double), parameter :: step(3) = [0.41421356237309505_c_double, &
      0.73205080756887729_c_double, 0.23606797749978970_c_double]
    integer :: i

    do i = 1, size(points, 2)
      points(:, i) = box*modulo(i*step + size(points, 2)*step([2, 3, 1]), 1._c_double)
    end do
  end subroutine fill

  subroutine distances_on_host()
    integer :: nucleus, electron

    do nucleus = 1, n_nuclei
      do electron = 1, n_electrons
        expected(electron, nucleus) = &
          (1 - exp(-kappa*norm2(electrons(:, electron) - nuclei(:, nucleus))))/kappa
      end do
    end do
  end subroutine distances_on_host

  ! The arrays are in device memory.
  subroutine distances_on_device(electrons, nuclei, distances, device)
    real(c_double), intent(in) :: electrons(3, n_electrons), nuclei(3, n_nuclei)
    real(c_double), intent(inout) :: distances(n_electrons, n_nuclei)
    integer, intent(in) :: device
    integer :: nucleus, electron
    real(c_double) :: r

    !$omp target teams distribute parallel do collapse(2) private(r) device(device) &
    !$omp   is_device_ptr(electrons, nuclei, distances)
    do nucleus = 1, n_nuclei
      do electron = 1, n_electrons
        r = sqrt((electrons(1, electron) - nuclei(1, nucleus))**2 + &
          (electrons(2, electron) - nuclei(2, nucleus))**2 + &
          (electrons(3, electron) - nuclei(3, nucleus))**2)
        distances(electron, nucleus) = (1 - exp(-kappa*r))/kappa
      end do
    end do
  end subroutine distances_on_device

  subroutine skip(why)
    character(len=*), intent(in) :: why

    write (error_unit, '(2a)') 'distance_matrix: ', why
    if (cadastre_context_destroy(context) /= CADASTRE_SUCCESS) error stop 1
    stop skipped
  end subroutine skip

  subroutine require_device_memory()
    type(cadastre_context_options_struct) :: options
    type(cadastre_backend_info_struct) :: backend

    if (cadastre_context_get_options(context, options) /= CADASTRE_SUCCESS) error stop 1
    if (cadastre_backend_get_info(options%backend, backend) /= CADASTRE_SUCCESS) error stop 1
    if (.not. btest(backend%memory_type_mask, CADASTRE_DEVICE)) call skip('the '// &
      cadastre_string(backend%name)//' backend does not support DEVICE memory here; set '// &
      'CADASTRE_EMULATED_DEVICES=1, or set CADASTRE_BACKEND to a backend that does')
  end subroutine require_device_memory

  ! The OpenMP device number of this program with which a target region can access an array.
  function device_that_reaches(array) result(device)
    real(c_double), intent(in), target, contiguous :: array(:, :)
    integer :: device
    type(cadastre_memory_info_struct) :: block
    type(cadastre_backend_info_struct) :: backend
    type(cadastre_device_info_struct) :: description
    logical :: on_host

    if (cadastre_get_malloc_info(context, c_loc(array), block) /= CADASTRE_SUCCESS) error stop 1
    if (cadastre_backend_get_info(block%backend, backend) /= CADASTRE_SUCCESS) error stop 1
    if (cadastre_device_get_info(block%backend, block%device_id, description) /= CADASTRE_SUCCESS) &
      error stop 1
    device = block%device_id
    if (block%backend == CADASTRE_BACKEND_HOST) then
      device = omp_get_initial_device()
    else if (omp_get_num_devices() /= backend%device_count) then
      call skip('the OpenMP of this program and the '//cadastre_string(backend%name)// &
        ' backend do not see the same devices; compile the program so that it offloads to those '// &
        'of the backend')
    end if
    !$omp target map(from: on_host) device(device)
    on_host = omp_is_initial_device()
    !$omp end target
    if (on_host .and. block%backend /= CADASTRE_BACKEND_HOST) &
      call skip('target regions run on the host, which cannot access device memory')
    write (*, '(5a, i0, 2a)') 'DEVICE memory of the ', cadastre_string(backend%name), ' backend (', &
      cadastre_string(description%name), '), device ', block%device_id, ', kernel on ', &
      trim(merge('the host  ', 'the device', on_host))
  end function device_that_reaches

end program distance_matrix
