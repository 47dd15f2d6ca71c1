! Tangled from org/fortran.org by way of src/fortran/cadastre.fypp; change the chapter, then run: make tangle
! Cadastre for Fortran: compile this file, with cadastre_vocabulary.inc in the same folder, with the
! compiler of your program, and link the C library.
!
! SPDX-License-Identifier: BSD-3-Clause
module cadastre
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
  implicit none
  private

  include 'cadastre_vocabulary.inc'

  ! constants that are macros in the C headers
  integer(c_int64_t), parameter, public :: CADASTRE_NULL_CONTEXT = 0_c_int64_t
  integer(c_int64_t), parameter, public :: CADASTRE_PROCESS = -1_c_int64_t
  integer(c_int32_t), parameter, public :: CADASTRE_DEFAULT_DEVICE = 0_c_int32_t
  integer(c_int32_t), parameter, public :: CADASTRE_HOST_DEVICE = -2_c_int32_t
  public :: cadastre_device_by_id
  integer(c_size_t), parameter, public :: CADASTRE_UNLIMITED = -1_c_size_t
  integer(c_size_t), parameter, public :: CADASTRE_LIMIT_NOTHING = -2_c_size_t
  type(c_ptr), parameter, public :: CADASTRE_DEFAULT_QUEUE = c_null_ptr
  integer(c_int64_t), parameter, public :: CADASTRE_NULL_LEASE = 0_c_int64_t
  integer(c_int32_t), parameter, public :: CADASTRE_DEFAULT_WORKSPACE_TYPE = -1_c_int32_t
  integer(c_size_t), parameter, public :: CADASTRE_WORKSPACE_AUTOMATIC = -1_c_size_t
  integer(c_size_t), parameter, public :: CADASTRE_WORKSPACE_STREAM_ORDERED = -2_c_size_t
  integer(c_size_t), parameter, public :: CADASTRE_WORKSPACE_PER_LEASE = -3_c_size_t

  integer(c_size_t), parameter :: word = storage_size(0_c_size_t)/8
  integer(c_size_t), parameter :: half = storage_size(0_c_int32_t)/8

  type, bind(c), public :: cadastre_context_options_struct
    integer(c_size_t) :: struct_size = word*(2 + CADASTRE_MAX_MEMORY_TYPES) + half*4
    integer(c_int32_t) :: backend = CADASTRE_DEFAULT_BACKEND
    integer(c_int32_t) :: device = CADASTRE_DEFAULT_DEVICE
    integer(c_int32_t) :: pool = CADASTRE_DEFAULT_POOL
    integer(c_int32_t) :: reserved = 0_c_int32_t
    integer(c_size_t) :: limits(0:CADASTRE_MAX_MEMORY_TYPES - 1) = 0_c_size_t
    integer(c_int64_t) :: parent = CADASTRE_NULL_CONTEXT
  end type cadastre_context_options_struct

  type(cadastre_context_options_struct), parameter, public :: &
    cadastre_context_options_struct_zero = cadastre_context_options_struct()

  type, bind(c), public :: cadastre_memory_info_struct
    integer(c_size_t) :: size = 0_c_size_t
    type(c_ptr) :: pointer = c_null_ptr
    integer(c_int32_t) :: type = CADASTRE_HOST
    integer(c_int32_t) :: device = CADASTRE_DEFAULT_DEVICE
    integer(c_size_t) :: alignment = 0_c_size_t
    integer(c_size_t) :: stride = 0_c_size_t
    integer(c_int32_t) :: flags = 0_c_int32_t
    integer(c_int32_t) :: backend = CADASTRE_DEFAULT_BACKEND
    type(c_ptr) :: label = c_null_ptr
    integer(c_int32_t) :: device_id = 0_c_int32_t
    integer(c_int32_t) :: reserved(9) = 0_c_int32_t
  end type cadastre_memory_info_struct

  type(cadastre_memory_info_struct), parameter, public :: cadastre_memory_info_struct_zero = &
    cadastre_memory_info_struct()

  type, bind(c), public :: cadastre_destroy_summary_struct
    integer(c_size_t) :: struct_size = word*7 + 256
    integer(c_int64_t) :: live_blocks = 0_c_int64_t
    integer(c_size_t) :: live_bytes = 0_c_size_t
    integer(c_int64_t) :: borrowed_blocks = 0_c_int64_t
    integer(c_int64_t) :: failed_deallocations = 0_c_int64_t
    integer(c_int64_t) :: live_leases = 0_c_int64_t
    integer(c_size_t) :: largest_label_bytes = 0_c_size_t
    character(kind=c_char) :: largest_label(256) = c_null_char
  end type cadastre_destroy_summary_struct

  type(cadastre_destroy_summary_struct), parameter, public :: &
    cadastre_destroy_summary_struct_zero = cadastre_destroy_summary_struct()

  type, bind(c), public :: cadastre_error_struct
    integer(c_size_t) :: struct_size = word*11 + half*6 + 960
    integer(c_int32_t) :: exit_code = CADASTRE_SUCCESS
    integer(c_int32_t) :: reason = CADASTRE_REASON_NONE
    integer(c_int32_t) :: type = -1_c_int32_t
    integer(c_int32_t) :: backend = -1_c_int32_t
    integer(c_int32_t) :: device_id = -1_c_int32_t
    integer(c_int32_t) :: argument = 0_c_int32_t
    integer(c_size_t) :: requested = 0_c_size_t
    integer(c_size_t) :: in_use = 0_c_size_t
    integer(c_size_t) :: limit = 0_c_size_t
    integer(c_size_t) :: required = 0_c_size_t
    type(c_ptr) :: pointer = c_null_ptr
    type(c_ptr) :: base = c_null_ptr
    integer(c_size_t) :: size = 0_c_size_t
    integer(c_size_t) :: offset = 0_c_size_t
    integer(c_int64_t) :: owner = CADASTRE_NULL_CONTEXT
    integer(c_int64_t) :: vendor_code = 0_c_int64_t
    character(kind=c_char) :: vendor_message(128) = c_null_char
    character(kind=c_char) :: function(64) = c_null_char
    character(kind=c_char) :: message(768) = c_null_char
  end type cadastre_error_struct

  type(cadastre_error_struct), parameter, public :: &
    cadastre_error_struct_zero = cadastre_error_struct()

  type, bind(c), public :: cadastre_statistics_struct
    integer(c_size_t) :: struct_size = word*15
    integer(c_int64_t) :: allocations = 0_c_int64_t
    integer(c_int64_t) :: deallocations = 0_c_int64_t
    integer(c_int64_t) :: reallocations = 0_c_int64_t
    integer(c_int64_t) :: failed_allocations = 0_c_int64_t
    integer(c_int64_t) :: failed_deallocations = 0_c_int64_t
    integer(c_int64_t) :: untracked_deallocations = 0_c_int64_t
    integer(c_int64_t) :: live_blocks = 0_c_int64_t
    integer(c_int64_t) :: borrowed_blocks = 0_c_int64_t
    integer(c_int64_t) :: high_water_mark_blocks = 0_c_int64_t
    integer(c_size_t) :: live_bytes = 0_c_size_t
    integer(c_size_t) :: high_water_mark_bytes = 0_c_size_t
    integer(c_size_t) :: total_bytes = 0_c_size_t
    integer(c_size_t) :: zeroed_bytes = 0_c_size_t
    integer(c_size_t) :: limit = 0_c_size_t
  end type cadastre_statistics_struct

  type(cadastre_statistics_struct), parameter, public :: &
    cadastre_statistics_struct_zero = cadastre_statistics_struct()

  type, bind(c), public :: cadastre_backend_info_struct
    integer(c_size_t) :: struct_size = word*4 + half*4
    integer(c_int32_t) :: backend = CADASTRE_DEFAULT_BACKEND
    integer(c_int32_t) :: available = 0_c_int32_t
    integer(c_int32_t) :: device_count = 0_c_int32_t
    integer(c_int32_t) :: memory_type_mask = 0_c_int32_t
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: description = c_null_ptr
    type(c_ptr) :: problem = c_null_ptr
  end type cadastre_backend_info_struct

  type(cadastre_backend_info_struct), parameter, public :: &
    cadastre_backend_info_struct_zero = cadastre_backend_info_struct()

  type, bind(c), public :: cadastre_device_info_struct
    integer(c_size_t) :: struct_size = word*3 + half*2 + 128
    integer(c_int32_t) :: backend = CADASTRE_DEFAULT_BACKEND
    integer(c_int32_t) :: device_id = 0_c_int32_t
    integer(c_size_t) :: total_bytes = 0_c_size_t
    integer(c_size_t) :: free_bytes = 0_c_size_t
    character(kind=c_char) :: name(128) = c_null_char
  end type cadastre_device_info_struct

  type(cadastre_device_info_struct), parameter, public :: &
    cadastre_device_info_struct_zero = cadastre_device_info_struct()

  type, bind(c), public :: cadastre_environment_info_struct
    integer(c_size_t) :: struct_size = word*7
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: value = c_null_ptr
    type(c_ptr) :: default_value = c_null_ptr
    type(c_ptr) :: expected = c_null_ptr
    type(c_ptr) :: description = c_null_ptr
    type(c_ptr) :: problem = c_null_ptr
  end type cadastre_environment_info_struct

  type(cadastre_environment_info_struct), parameter, public :: &
    cadastre_environment_info_struct_zero = cadastre_environment_info_struct()

  type, bind(c), public :: cadastre_pool_info_struct
    integer(c_size_t) :: struct_size = word*8 + half*2
    integer(c_int32_t) :: pool = CADASTRE_DEFAULT_POOL
    integer(c_int32_t) :: pool_count = 0_c_int32_t
    integer(c_size_t) :: used_bytes = 0_c_size_t
    integer(c_size_t) :: reserved_bytes = 0_c_size_t
    integer(c_size_t) :: largest_free_bytes = 0_c_size_t
    integer(c_size_t) :: releasable_bytes = 0_c_size_t
    integer(c_int64_t) :: hits = 0_c_int64_t
    integer(c_int64_t) :: misses = 0_c_int64_t
    integer(c_int64_t) :: trims = 0_c_int64_t
  end type cadastre_pool_info_struct

  type(cadastre_pool_info_struct), parameter, public :: &
    cadastre_pool_info_struct_zero = cadastre_pool_info_struct()

  type, bind(c), public :: cadastre_workspace_info_struct
    integer(c_size_t) :: struct_size = word*10 + half*4
    integer(c_int32_t) :: type = CADASTRE_HOST
    integer(c_int32_t) :: device_id = 0_c_int32_t
    integer(c_int32_t) :: scheme = CADASTRE_WORKSPACE_SCHEME_AUTOMATIC
    integer(c_int32_t) :: workspace_count = 0_c_int32_t
    integer(c_size_t) :: granularity = 0_c_size_t
    integer(c_size_t) :: reserved_bytes = 0_c_size_t
    integer(c_size_t) :: used_bytes = 0_c_size_t
    integer(c_size_t) :: high_water_mark_bytes = 0_c_size_t
    integer(c_int64_t) :: live_leases = 0_c_int64_t
    integer(c_int64_t) :: acquisitions = 0_c_int64_t
    integer(c_int64_t) :: failed_acquisitions = 0_c_int64_t
    integer(c_int64_t) :: growths = 0_c_int64_t
    integer(c_int64_t) :: waits = 0_c_int64_t
  end type cadastre_workspace_info_struct

  type(cadastre_workspace_info_struct), parameter, public :: &
    cadastre_workspace_info_struct_zero = cadastre_workspace_info_struct()

  type, bind(c), public :: cadastre_backend_operations_struct
    integer(c_size_t) :: struct_size = word*(1 + 12) + half*2
    integer(c_int32_t) :: memory_type_mask = 0_c_int32_t
    integer(c_int32_t) :: device_count = 0_c_int32_t
    type(c_funptr) :: allocate = c_null_funptr
    type(c_funptr) :: free = c_null_funptr
    type(c_funptr) :: copy = c_null_funptr
    type(c_funptr) :: set = c_null_funptr
    type(c_funptr) :: copy_async = c_null_funptr
    type(c_funptr) :: synchronize = c_null_funptr
    type(c_funptr) :: prefetch = c_null_funptr
    type(c_funptr) :: advise = c_null_funptr
    type(c_funptr) :: device_memory = c_null_funptr
    type(c_funptr) :: max_alignment = c_null_funptr
    type(c_funptr) :: clone = c_null_funptr
    type(c_funptr) :: destroy = c_null_funptr
  end type cadastre_backend_operations_struct

  type(cadastre_backend_operations_struct), parameter, public :: &
    cadastre_backend_operations_struct_zero = cadastre_backend_operations_struct()

  ! the version and the build
  public :: cadastre_get_version, cadastre_get_build_options

  interface
    function cadastre_get_version() bind(c, name='cadastre_get_version') result(string)
      import
      type(c_ptr) :: string
    end function cadastre_get_version

    function cadastre_get_build_options() bind(c, name='cadastre_get_build_options') result(string)
      import
      type(c_ptr) :: string
    end function cadastre_get_build_options
  end interface

  ! a context and its lock
  public :: cadastre_context_create, cadastre_context_create_with_options, cadastre_context_get_options
  public :: cadastre_context_check, cadastre_context_destroy
  public :: cadastre_context_destroy_with_summary, cadastre_context_destroy_with_children, cadastre_lock, cadastre_unlock

  interface
    function cadastre_context_create() bind(c, name='cadastre_context_create') result(context)
      import
      integer(c_int64_t) :: context
    end function cadastre_context_create

    function cadastre_context_create_with_options(options) &
        bind(c, name='cadastre_context_create_with_options') result(context)
      import
      type(cadastre_context_options_struct), intent(in) :: options
      integer(c_int64_t) :: context
    end function cadastre_context_create_with_options

    function cadastre_context_get_options(context, options) &
        bind(c, name='cadastre_context_get_options') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(cadastre_context_options_struct), intent(inout) :: options
      integer(c_int32_t) :: exit_code
    end function cadastre_context_get_options

    function cadastre_context_check(context) bind(c, name='cadastre_context_check') result(same)
      import
      integer(c_int64_t), value :: context
      integer(c_int64_t) :: same
    end function cadastre_context_check

    function cadastre_context_destroy(context) &
        bind(c, name='cadastre_context_destroy') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t) :: exit_code
    end function cadastre_context_destroy

    function cadastre_context_destroy_with_summary(context, summary) &
        bind(c, name='cadastre_context_destroy_with_summary') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(cadastre_destroy_summary_struct), intent(inout), optional :: summary
      integer(c_int32_t) :: exit_code
    end function cadastre_context_destroy_with_summary

    function cadastre_context_destroy_with_children(context, summary) &
        bind(c, name='cadastre_context_destroy_with_children') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(cadastre_destroy_summary_struct), intent(inout), optional :: summary
      integer(c_int32_t) :: exit_code
    end function cadastre_context_destroy_with_children

    function cadastre_lock(context) bind(c, name='cadastre_lock') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t) :: exit_code
    end function cadastre_lock

    function cadastre_unlock(context) bind(c, name='cadastre_unlock') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t) :: exit_code
    end function cadastre_unlock
  end interface

  ! the last error
  public :: cadastre_last_error

  interface
    function cadastre_last_error(context, error) &
        bind(c, name='cadastre_last_error') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(cadastre_error_struct), intent(inout) :: error
      integer(c_int32_t) :: exit_code
    end function cadastre_last_error
  end interface

  ! allocate, free, resize
  public :: cadastre_malloc, cadastre_free, cadastre_realloc

  interface
    function cadastre_malloc(context, info) bind(c, name='cadastre_malloc') result(ptr)
      import
      integer(c_int64_t), value :: context
      type(cadastre_memory_info_struct), value :: info
      type(c_ptr) :: ptr
    end function cadastre_malloc

    function cadastre_free(context, ptr) bind(c, name='cadastre_free') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: ptr
      integer(c_int32_t) :: exit_code
    end function cadastre_free

    function cadastre_realloc(context, ptr, size) bind(c, name='cadastre_realloc') result(moved)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: ptr
      integer(c_size_t), value :: size
      type(c_ptr) :: moved
    end function cadastre_realloc
  end interface

  ! allocate and free in the order of a queue
  public :: cadastre_malloc_async, cadastre_malloc_strided, cadastre_free_async
  public :: cadastre_context_set_default_queue, cadastre_context_get_default_queue, cadastre_synchronize

  interface
    function cadastre_malloc_async(context, info, queue) &
        bind(c, name='cadastre_malloc_async') result(ptr)
      import
      integer(c_int64_t), value :: context
      type(cadastre_memory_info_struct), value :: info
      type(c_ptr), value :: queue
      type(c_ptr) :: ptr
    end function cadastre_malloc_async

    function cadastre_malloc_strided(context, info, queue) &
        bind(c, name='cadastre_malloc_strided') result(ptr)
      import
      integer(c_int64_t), value :: context
      type(cadastre_memory_info_struct), value :: info
      type(c_ptr), value :: queue
      type(c_ptr) :: ptr
    end function cadastre_malloc_strided

    function cadastre_free_async(context, ptr, queue) &
        bind(c, name='cadastre_free_async') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: ptr, queue
      integer(c_int32_t) :: exit_code
    end function cadastre_free_async

    function cadastre_context_set_default_queue(context, queue) &
        bind(c, name='cadastre_context_set_default_queue') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: queue
      integer(c_int32_t) :: exit_code
    end function cadastre_context_set_default_queue

    function cadastre_context_get_default_queue(context, queue) &
        bind(c, name='cadastre_context_get_default_queue') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), intent(inout) :: queue
      integer(c_int32_t) :: exit_code
    end function cadastre_context_get_default_queue

    function cadastre_synchronize(context, queue) &
        bind(c, name='cadastre_synchronize') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: queue
      integer(c_int32_t) :: exit_code
    end function cadastre_synchronize
  end interface

  ! copy, set, hints
  public :: cadastre_memcpy, cadastre_memcpy_async, cadastre_memcpy_strided
  public :: cadastre_memcpy_strided_async, cadastre_memset, cadastre_memset_async
  public :: cadastre_prefetch, cadastre_advise

  interface
    function cadastre_memcpy(context, dest, src, size) &
        bind(c, name='cadastre_memcpy') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: dest, src
      integer(c_size_t), value :: size
      integer(c_int32_t) :: exit_code
    end function cadastre_memcpy

    function cadastre_memcpy_async(context, dest, src, size, queue) &
        bind(c, name='cadastre_memcpy_async') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: dest, src
      integer(c_size_t), value :: size
      type(c_ptr), value :: queue
      integer(c_int32_t) :: exit_code
    end function cadastre_memcpy_async

    function cadastre_memcpy_strided(context, dest, src, width, count) &
        bind(c, name='cadastre_memcpy_strided') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: dest, src
      integer(c_size_t), value :: width, count
      integer(c_int32_t) :: exit_code
    end function cadastre_memcpy_strided

    function cadastre_memcpy_strided_async(context, dest, src, width, count, queue) &
        bind(c, name='cadastre_memcpy_strided_async') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: dest, src
      integer(c_size_t), value :: width, count
      type(c_ptr), value :: queue
      integer(c_int32_t) :: exit_code
    end function cadastre_memcpy_strided_async

    function cadastre_memset(context, dest, value, size) &
        bind(c, name='cadastre_memset') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: dest
      integer(c_int), value :: value
      integer(c_size_t), value :: size
      integer(c_int32_t) :: exit_code
    end function cadastre_memset

    function cadastre_memset_async(context, dest, value, size, queue) &
        bind(c, name='cadastre_memset_async') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: dest
      integer(c_int), value :: value
      integer(c_size_t), value :: size
      type(c_ptr), value :: queue
      integer(c_int32_t) :: exit_code
    end function cadastre_memset_async

    function cadastre_prefetch(context, address, bytes, device, queue, applied) &
        bind(c, name='cadastre_prefetch') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: address
      integer(c_size_t), value :: bytes
      integer(c_int32_t), value :: device
      type(c_ptr), value :: queue
      integer(c_int32_t), intent(inout), optional :: applied
      integer(c_int32_t) :: exit_code
    end function cadastre_prefetch

    function cadastre_advise(context, address, bytes, advice, device, applied) &
        bind(c, name='cadastre_advise') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: address
      integer(c_size_t), value :: bytes
      integer(c_int32_t), value :: advice, device
      integer(c_int32_t), intent(inout), optional :: applied
      integer(c_int32_t) :: exit_code
    end function cadastre_advise
  end interface

  ! look up and borrow memory
  public :: cadastre_get_malloc_info, cadastre_get_allocated_size, cadastre_find_block, cadastre_wrap, cadastre_unwrap

  interface
    function cadastre_get_malloc_info(context, ptr, info) &
        bind(c, name='cadastre_get_malloc_info') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: ptr
      type(cadastre_memory_info_struct), intent(inout) :: info
      integer(c_int32_t) :: exit_code
    end function cadastre_get_malloc_info

    function cadastre_get_allocated_size(context, ptr, size) &
        bind(c, name='cadastre_get_allocated_size') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: ptr
      integer(c_size_t), intent(inout) :: size
      integer(c_int32_t) :: exit_code
    end function cadastre_get_allocated_size

    function cadastre_find_block(context, address, info, offset) &
        bind(c, name='cadastre_find_block') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: address
      type(cadastre_memory_info_struct), intent(inout), optional :: info
      integer(c_size_t), intent(inout), optional :: offset
      integer(c_int32_t) :: exit_code
    end function cadastre_find_block

    function cadastre_wrap(context, info) bind(c, name='cadastre_wrap') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(cadastre_memory_info_struct), value :: info
      integer(c_int32_t) :: exit_code
    end function cadastre_wrap

    function cadastre_unwrap(context, ptr) bind(c, name='cadastre_unwrap') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: ptr
      integer(c_int32_t) :: exit_code
    end function cadastre_unwrap
  end interface

  ! iterate over all blocks, free all blocks
  public :: cadastre_foreach_block_function, cadastre_foreach_block, cadastre_free_all

  abstract interface
    function cadastre_foreach_block_function(info, user_data) bind(c) result(exit_code)
      import
      type(cadastre_memory_info_struct), intent(in) :: info
      type(c_ptr), value :: user_data
      integer(c_int32_t) :: exit_code
    end function cadastre_foreach_block_function
  end interface

  interface
    function cadastre_foreach_block(context, callback, user_data) &
        bind(c, name='cadastre_foreach_block') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_funptr), value :: callback
      type(c_ptr), value :: user_data
      integer(c_int32_t) :: exit_code
    end function cadastre_foreach_block

    function cadastre_free_all(context) bind(c, name='cadastre_free_all') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t) :: exit_code
    end function cadastre_free_all
  end interface

  ! statistics, limits, time
  public :: cadastre_get_statistics, cadastre_get_device_statistics
  public :: cadastre_pool_get_info, cadastre_pool_trim
  public :: cadastre_reset_high_water_mark, cadastre_set_limit
  public :: cadastre_context_set_timing, cadastre_get_backend_nanoseconds

  interface
    function cadastre_get_statistics(context, type, statistics) &
        bind(c, name='cadastre_get_statistics') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t), value :: type
      type(cadastre_statistics_struct), intent(inout) :: statistics
      integer(c_int32_t) :: exit_code
    end function cadastre_get_statistics

    function cadastre_get_device_statistics(context, type, device_id, statistics) &
        bind(c, name='cadastre_get_device_statistics') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t), value :: type, device_id
      type(cadastre_statistics_struct), intent(inout) :: statistics
      integer(c_int32_t) :: exit_code
    end function cadastre_get_device_statistics

    function cadastre_pool_get_info(context, type, info) &
        bind(c, name='cadastre_pool_get_info') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t), value :: type
      type(cadastre_pool_info_struct), intent(inout) :: info
      integer(c_int32_t) :: exit_code
    end function cadastre_pool_get_info

    function cadastre_pool_trim(context, type, min_bytes_to_keep) &
        bind(c, name='cadastre_pool_trim') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t), value :: type
      integer(c_size_t), value :: min_bytes_to_keep
      integer(c_int32_t) :: exit_code
    end function cadastre_pool_trim

    function cadastre_reset_high_water_mark(context, type) &
        bind(c, name='cadastre_reset_high_water_mark') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t), value :: type
      integer(c_int32_t) :: exit_code
    end function cadastre_reset_high_water_mark

    function cadastre_set_limit(context, type, bytes) &
        bind(c, name='cadastre_set_limit') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t), value :: type
      integer(c_size_t), value :: bytes
      integer(c_int32_t) :: exit_code
    end function cadastre_set_limit

    function cadastre_context_set_timing(context, on) bind(c, name='cadastre_context_set_timing') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int), value :: on
      integer(c_int32_t) :: exit_code
    end function cadastre_context_set_timing

    function cadastre_get_backend_nanoseconds() &
        bind(c, name='cadastre_get_backend_nanoseconds') result(nanoseconds)
      import
      integer(c_int64_t) :: nanoseconds
    end function cadastre_get_backend_nanoseconds
  end interface

  ! the report, and queries about backends, devices and the environment
  public :: cadastre_report, cadastre_backend_get_info, cadastre_device_get_info, cadastre_backend_get_count
  public :: cadastre_environment_get_count, cadastre_environment_get_info

  interface
    function cadastre_report(context, stream, format) &
        bind(c, name='cadastre_report') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: stream
      integer(c_int32_t), value :: format
      integer(c_int32_t) :: exit_code
    end function cadastre_report

    function cadastre_backend_get_count() &
        bind(c, name='cadastre_backend_get_count') result(count)
      import
      integer(c_int32_t) :: count
    end function cadastre_backend_get_count

    function cadastre_backend_get_info(backend, info) &
        bind(c, name='cadastre_backend_get_info') result(exit_code)
      import
      integer(c_int32_t), value :: backend
      type(cadastre_backend_info_struct), intent(inout) :: info
      integer(c_int32_t) :: exit_code
    end function cadastre_backend_get_info

    function cadastre_device_get_info(backend, device_id, info) &
        bind(c, name='cadastre_device_get_info') result(exit_code)
      import
      integer(c_int32_t), value :: backend, device_id
      type(cadastre_device_info_struct), intent(inout) :: info
      integer(c_int32_t) :: exit_code
    end function cadastre_device_get_info

    function cadastre_environment_get_count() &
        bind(c, name='cadastre_environment_get_count') result(count)
      import
      integer(c_int32_t) :: count
    end function cadastre_environment_get_count

    function cadastre_environment_get_info(index, info) &
        bind(c, name='cadastre_environment_get_info') result(exit_code)
      import
      integer(c_int32_t), value :: index
      type(cadastre_environment_info_struct), intent(inout) :: info
      integer(c_int32_t) :: exit_code
    end function cadastre_environment_get_info
  end interface

  ! labels
  public :: cadastre_label

  interface
    function cadastre_label(text) &
        bind(c, name='cadastre_label') result(label)
      import
      type(c_ptr), value :: text
      type(c_ptr) :: label
    end function cadastre_label
  end interface

  ! constants as strings
  public :: cadastre_string_of_error, cadastre_string_of_reason
  public :: cadastre_string_of_memory_type, cadastre_string_of_backend
  public :: cadastre_string_of_workspace_scheme, cadastre_string_of_pool
  public :: cadastre_string_of_advice, cadastre_string_of_report_format

  interface
    function cadastre_string_of_error(exit_code) &
        bind(c, name='cadastre_string_of_error') result(string)
      import
      integer(c_int32_t), value :: exit_code
      type(c_ptr) :: string
    end function cadastre_string_of_error

    function cadastre_string_of_reason(reason) &
        bind(c, name='cadastre_string_of_reason') result(string)
      import
      integer(c_int32_t), value :: reason
      type(c_ptr) :: string
    end function cadastre_string_of_reason

    function cadastre_string_of_memory_type(type) &
        bind(c, name='cadastre_string_of_memory_type') result(string)
      import
      integer(c_int32_t), value :: type
      type(c_ptr) :: string
    end function cadastre_string_of_memory_type

    function cadastre_string_of_backend(backend) &
        bind(c, name='cadastre_string_of_backend') result(string)
      import
      integer(c_int32_t), value :: backend
      type(c_ptr) :: string
    end function cadastre_string_of_backend

    function cadastre_string_of_workspace_scheme(scheme) &
        bind(c, name='cadastre_string_of_workspace_scheme') result(string)
      import
      integer(c_int32_t), value :: scheme
      type(c_ptr) :: string
    end function cadastre_string_of_workspace_scheme

    function cadastre_string_of_pool(pool) &
        bind(c, name='cadastre_string_of_pool') result(string)
      import
      integer(c_int32_t), value :: pool
      type(c_ptr) :: string
    end function cadastre_string_of_pool

    function cadastre_string_of_advice(advice) &
        bind(c, name='cadastre_string_of_advice') result(string)
      import
      integer(c_int32_t), value :: advice
      type(c_ptr) :: string
    end function cadastre_string_of_advice

    function cadastre_string_of_report_format(format) &
        bind(c, name='cadastre_string_of_report_format') result(string)
      import
      integer(c_int32_t), value :: format
      type(c_ptr) :: string
    end function cadastre_string_of_report_format
  end interface

  ! workspaces
  public :: cadastre_workspace_set_size, cadastre_workspace_set_buffer, cadastre_workspace_acquire
  public :: cadastre_workspace_acquire_on_queue, cadastre_workspace_release
  public :: cadastre_workspace_start_size_query, cadastre_workspace_stop_size_query
  public :: cadastre_workspace_is_size_query, cadastre_workspace_set_optimal_size
  public :: cadastre_workspace_get_info

  interface
    function cadastre_workspace_set_size(context, type, bytes) &
        bind(c, name='cadastre_workspace_set_size') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t), value :: type
      integer(c_size_t), value :: bytes
      integer(c_int32_t) :: exit_code
    end function cadastre_workspace_set_size

    function cadastre_workspace_set_buffer(context, buffer, bytes) &
        bind(c, name='cadastre_workspace_set_buffer') result(exit_code)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: bytes
      integer(c_int32_t) :: exit_code
    end function cadastre_workspace_set_buffer

    function cadastre_workspace_acquire(context, n, sizes, pointers, lease) &
        bind(c, name='cadastre_workspace_acquire') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_size_t), value :: n
      integer(c_size_t), dimension(*), intent(in), optional :: sizes
      type(c_ptr), dimension(*), intent(inout), optional :: pointers
      integer(c_int64_t), intent(inout) :: lease
      integer(c_int32_t) :: exit_code
    end function cadastre_workspace_acquire

    function cadastre_workspace_acquire_on_queue(context, type, queue, n, sizes, pointers, lease) &
        bind(c, name='cadastre_workspace_acquire_on_queue') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t), value :: type
      type(c_ptr), value :: queue
      integer(c_size_t), value :: n
      integer(c_size_t), dimension(*), intent(in), optional :: sizes
      type(c_ptr), dimension(*), intent(inout), optional :: pointers
      integer(c_int64_t), intent(inout) :: lease
      integer(c_int32_t) :: exit_code
    end function cadastre_workspace_acquire_on_queue

    function cadastre_workspace_release(context, lease) &
        bind(c, name='cadastre_workspace_release') result(exit_code)
      import
      integer(c_int64_t), value :: context, lease
      integer(c_int32_t) :: exit_code
    end function cadastre_workspace_release
  end interface

  interface
    function cadastre_workspace_start_size_query(context) &
        bind(c, name='cadastre_workspace_start_size_query') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t) :: exit_code
    end function cadastre_workspace_start_size_query

    function cadastre_workspace_stop_size_query(context, bytes) &
        bind(c, name='cadastre_workspace_stop_size_query') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_size_t), intent(inout) :: bytes
      integer(c_int32_t) :: exit_code
    end function cadastre_workspace_stop_size_query

    function cadastre_workspace_is_size_query(context) &
        bind(c, name='cadastre_workspace_is_size_query') result(is_query)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t) :: is_query
    end function cadastre_workspace_is_size_query

    function cadastre_workspace_get_info(context, type, info) &
        bind(c, name='cadastre_workspace_get_info') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_int32_t), value :: type
      type(cadastre_workspace_info_struct), intent(inout) :: info
      integer(c_int32_t) :: exit_code
    end function cadastre_workspace_get_info
  end interface

  interface cadastre_workspace_set_optimal_size
    function cadastre_workspace_set_optimal_size(context, n, sizes) &
        bind(c, name='cadastre_workspace_set_optimal_size') result(exit_code)
      import
      integer(c_int64_t), value :: context
      integer(c_size_t), value :: n
      integer(c_size_t), dimension(*), intent(in), optional :: sizes
      integer(c_int32_t) :: exit_code
    end function cadastre_workspace_set_optimal_size

    module procedure set_optimal_sizes
  end interface cadastre_workspace_set_optimal_size

  ! the interfaces of the operations of a backend
  public :: cadastre_operation_allocate
  public :: cadastre_operation_free
  public :: cadastre_operation_copy
  public :: cadastre_operation_set
  public :: cadastre_operation_copy_async
  public :: cadastre_operation_synchronize
  public :: cadastre_operation_prefetch
  public :: cadastre_operation_advise
  public :: cadastre_operation_device_memory
  public :: cadastre_operation_max_alignment
  public :: cadastre_operation_clone
  public :: cadastre_operation_destroy

  abstract interface
    function cadastre_operation_allocate(content, request, queue, pointer) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content
      type(cadastre_memory_info_struct), intent(in) :: request
      type(c_ptr), value :: queue
      type(c_ptr), intent(inout) :: pointer
      integer(c_int32_t) :: failure
    end function cadastre_operation_allocate

    function cadastre_operation_free(content, block) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content
      type(cadastre_memory_info_struct), intent(in) :: block
      integer(c_int32_t) :: failure
    end function cadastre_operation_free

    function cadastre_operation_copy(content, dest, dest_place, src, src_place, size, queue) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content, dest
      type(cadastre_memory_info_struct), intent(in) :: dest_place
      type(c_ptr), value :: src
      type(cadastre_memory_info_struct), intent(in) :: src_place
      integer(c_size_t), value :: size
      type(c_ptr), value :: queue
      integer(c_int32_t) :: failure
    end function cadastre_operation_copy

    function cadastre_operation_set(content, dest, place, value, size, queue) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content, dest
      type(cadastre_memory_info_struct), intent(in) :: place
      integer(c_int), value :: value
      integer(c_size_t), value :: size
      type(c_ptr), value :: queue
      integer(c_int32_t) :: failure
    end function cadastre_operation_set

    function cadastre_operation_copy_async(content, dest, dest_place, src, src_place, size, &
        queue) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content, dest
      type(cadastre_memory_info_struct), intent(in) :: dest_place
      type(c_ptr), value :: src
      type(cadastre_memory_info_struct), intent(in) :: src_place
      integer(c_size_t), value :: size
      type(c_ptr), value :: queue
      integer(c_int32_t) :: failure
    end function cadastre_operation_copy_async

    function cadastre_operation_synchronize(content, device_id, queue) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content
      integer(c_int32_t), value :: device_id
      type(c_ptr), value :: queue
      integer(c_int32_t) :: failure
    end function cadastre_operation_synchronize
  end interface

  abstract interface
    function cadastre_operation_prefetch(content, address, size, device_id, queue, applied) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content, address
      integer(c_size_t), value :: size
      integer(c_int32_t), value :: device_id
      type(c_ptr), value :: queue
      integer(c_int32_t), intent(inout) :: applied
      integer(c_int32_t) :: failure
    end function cadastre_operation_prefetch

    function cadastre_operation_advise(content, address, size, advice, device_id, applied) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content, address
      integer(c_size_t), value :: size
      integer(c_int32_t), value :: advice, device_id
      integer(c_int32_t), intent(inout) :: applied
      integer(c_int32_t) :: failure
    end function cadastre_operation_advise

    function cadastre_operation_device_memory(content, device_id, total, free) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content
      integer(c_int32_t), value :: device_id
      integer(c_size_t), intent(inout) :: total, free
      integer(c_int32_t) :: failure
    end function cadastre_operation_device_memory

    function cadastre_operation_max_alignment(content, type) &
        bind(c) result(largest)
      import
      type(c_ptr), value :: content
      integer(c_int32_t), value :: type
      integer(c_size_t) :: largest
    end function cadastre_operation_max_alignment

    function cadastre_operation_clone(content, copy) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content
      type(c_ptr), intent(inout) :: copy
      integer(c_int32_t) :: failure
    end function cadastre_operation_clone

    function cadastre_operation_destroy(content) &
        bind(c) result(failure)
      import
      type(c_ptr), value :: content
      integer(c_int32_t) :: failure
    end function cadastre_operation_destroy
  end interface

  ! user-defined backends
  public :: cadastre_backend_register, cadastre_backend_unregister

  interface cadastre_backend_register
    function cadastre_backend_register(name, operations, content) &
        bind(c, name='cadastre_backend_register') result(backend)
      import
      type(c_ptr), value :: name
      type(cadastre_backend_operations_struct), intent(in) :: operations
      type(c_ptr), value :: content
      integer(c_int32_t) :: backend
    end function cadastre_backend_register

    module procedure register_backend
  end interface cadastre_backend_register

  interface
    function cadastre_backend_unregister(backend) &
        bind(c, name='cadastre_backend_unregister') result(exit_code)
      import
      integer(c_int32_t), value :: backend
      integer(c_int32_t) :: exit_code
    end function cadastre_backend_unregister
  end interface

  ! the pass of the loop of cadastre_acquiring
  integer, parameter :: outside = 0, noting = 1, pointing = 2, withdrawing = 3

  type, public :: cadastre_lease
    integer(c_int64_t) :: handle = CADASTRE_NULL_LEASE
    integer, private :: pass = outside
    integer, private :: array = 0 ! the number of the last array that was named
    integer(c_size_t), allocatable, private :: sizes(:)
    type(c_ptr), allocatable, private :: addresses(:)
    integer(c_int32_t), private :: exit_code = CADASTRE_SUCCESS
    character(len=:), allocatable, private :: message
  end type cadastre_lease

  integer(c_int64_t), target, save :: nowhere = 0 ! the address of acquired arrays of size zero

  ! typed arrays
  public :: cadastre_allocate, cadastre_deallocate, cadastre_copy

  interface cadastre_allocate
    module procedure allocate_int32_1_int32
    module procedure allocate_int32_1_int64
    module procedure allocate_int32_1_scalar32
    module procedure allocate_int32_1_scalar64
    module procedure allocate_int32_2_int32
    module procedure allocate_int32_2_int64
    module procedure allocate_int32_3_int32
    module procedure allocate_int32_3_int64
    module procedure allocate_int32_4_int32
    module procedure allocate_int32_4_int64
    module procedure allocate_int32_5_int32
    module procedure allocate_int32_5_int64
    module procedure allocate_int32_6_int32
    module procedure allocate_int32_6_int64
    module procedure allocate_int32_7_int32
    module procedure allocate_int32_7_int64
    module procedure allocate_int64_1_int32
    module procedure allocate_int64_1_int64
    module procedure allocate_int64_1_scalar32
    module procedure allocate_int64_1_scalar64
    module procedure allocate_int64_2_int32
    module procedure allocate_int64_2_int64
    module procedure allocate_int64_3_int32
    module procedure allocate_int64_3_int64
    module procedure allocate_int64_4_int32
    module procedure allocate_int64_4_int64
    module procedure allocate_int64_5_int32
    module procedure allocate_int64_5_int64
    module procedure allocate_int64_6_int32
    module procedure allocate_int64_6_int64
    module procedure allocate_int64_7_int32
    module procedure allocate_int64_7_int64
    module procedure allocate_float_1_int32
    module procedure allocate_float_1_int64
    module procedure allocate_float_1_scalar32
    module procedure allocate_float_1_scalar64
    module procedure allocate_float_2_int32
    module procedure allocate_float_2_int64
    module procedure allocate_float_3_int32
    module procedure allocate_float_3_int64
    module procedure allocate_float_4_int32
    module procedure allocate_float_4_int64
    module procedure allocate_float_5_int32
    module procedure allocate_float_5_int64
    module procedure allocate_float_6_int32
    module procedure allocate_float_6_int64
    module procedure allocate_float_7_int32
    module procedure allocate_float_7_int64
    module procedure allocate_double_1_int32
    module procedure allocate_double_1_int64
    module procedure allocate_double_1_scalar32
    module procedure allocate_double_1_scalar64
    module procedure allocate_double_2_int32
    module procedure allocate_double_2_int64
    module procedure allocate_double_3_int32
    module procedure allocate_double_3_int64
    module procedure allocate_double_4_int32
    module procedure allocate_double_4_int64
    module procedure allocate_double_5_int32
    module procedure allocate_double_5_int64
    module procedure allocate_double_6_int32
    module procedure allocate_double_6_int64
    module procedure allocate_double_7_int32
    module procedure allocate_double_7_int64
    module procedure allocate_float_complex_1_int32
    module procedure allocate_float_complex_1_int64
    module procedure allocate_float_complex_1_scalar32
    module procedure allocate_float_complex_1_scalar64
    module procedure allocate_float_complex_2_int32
    module procedure allocate_float_complex_2_int64
    module procedure allocate_float_complex_3_int32
    module procedure allocate_float_complex_3_int64
    module procedure allocate_float_complex_4_int32
    module procedure allocate_float_complex_4_int64
    module procedure allocate_float_complex_5_int32
    module procedure allocate_float_complex_5_int64
    module procedure allocate_float_complex_6_int32
    module procedure allocate_float_complex_6_int64
    module procedure allocate_float_complex_7_int32
    module procedure allocate_float_complex_7_int64
    module procedure allocate_double_complex_1_int32
    module procedure allocate_double_complex_1_int64
    module procedure allocate_double_complex_1_scalar32
    module procedure allocate_double_complex_1_scalar64
    module procedure allocate_double_complex_2_int32
    module procedure allocate_double_complex_2_int64
    module procedure allocate_double_complex_3_int32
    module procedure allocate_double_complex_3_int64
    module procedure allocate_double_complex_4_int32
    module procedure allocate_double_complex_4_int64
    module procedure allocate_double_complex_5_int32
    module procedure allocate_double_complex_5_int64
    module procedure allocate_double_complex_6_int32
    module procedure allocate_double_complex_6_int64
    module procedure allocate_double_complex_7_int32
    module procedure allocate_double_complex_7_int64
    module procedure allocate_bool_1_int32
    module procedure allocate_bool_1_int64
    module procedure allocate_bool_1_scalar32
    module procedure allocate_bool_1_scalar64
    module procedure allocate_bool_2_int32
    module procedure allocate_bool_2_int64
    module procedure allocate_bool_3_int32
    module procedure allocate_bool_3_int64
    module procedure allocate_bool_4_int32
    module procedure allocate_bool_4_int64
    module procedure allocate_bool_5_int32
    module procedure allocate_bool_5_int64
    module procedure allocate_bool_6_int32
    module procedure allocate_bool_6_int64
    module procedure allocate_bool_7_int32
    module procedure allocate_bool_7_int64
  end interface cadastre_allocate

  interface cadastre_deallocate
    module procedure deallocate_int32_1
    module procedure deallocate_int32_2
    module procedure deallocate_int32_3
    module procedure deallocate_int32_4
    module procedure deallocate_int32_5
    module procedure deallocate_int32_6
    module procedure deallocate_int32_7
    module procedure deallocate_int64_1
    module procedure deallocate_int64_2
    module procedure deallocate_int64_3
    module procedure deallocate_int64_4
    module procedure deallocate_int64_5
    module procedure deallocate_int64_6
    module procedure deallocate_int64_7
    module procedure deallocate_float_1
    module procedure deallocate_float_2
    module procedure deallocate_float_3
    module procedure deallocate_float_4
    module procedure deallocate_float_5
    module procedure deallocate_float_6
    module procedure deallocate_float_7
    module procedure deallocate_double_1
    module procedure deallocate_double_2
    module procedure deallocate_double_3
    module procedure deallocate_double_4
    module procedure deallocate_double_5
    module procedure deallocate_double_6
    module procedure deallocate_double_7
    module procedure deallocate_float_complex_1
    module procedure deallocate_float_complex_2
    module procedure deallocate_float_complex_3
    module procedure deallocate_float_complex_4
    module procedure deallocate_float_complex_5
    module procedure deallocate_float_complex_6
    module procedure deallocate_float_complex_7
    module procedure deallocate_double_complex_1
    module procedure deallocate_double_complex_2
    module procedure deallocate_double_complex_3
    module procedure deallocate_double_complex_4
    module procedure deallocate_double_complex_5
    module procedure deallocate_double_complex_6
    module procedure deallocate_double_complex_7
    module procedure deallocate_bool_1
    module procedure deallocate_bool_2
    module procedure deallocate_bool_3
    module procedure deallocate_bool_4
    module procedure deallocate_bool_5
    module procedure deallocate_bool_6
    module procedure deallocate_bool_7
  end interface cadastre_deallocate

  interface cadastre_copy
    module procedure copy_int32_0
    module procedure copy_int32_0_to_address
    module procedure copy_int32_0_from_address
    module procedure copy_int32_1
    module procedure copy_int32_1_to_address
    module procedure copy_int32_1_from_address
    module procedure copy_int32_2
    module procedure copy_int32_2_to_address
    module procedure copy_int32_2_from_address
    module procedure copy_int32_3
    module procedure copy_int32_3_to_address
    module procedure copy_int32_3_from_address
    module procedure copy_int32_4
    module procedure copy_int32_4_to_address
    module procedure copy_int32_4_from_address
    module procedure copy_int32_5
    module procedure copy_int32_5_to_address
    module procedure copy_int32_5_from_address
    module procedure copy_int32_6
    module procedure copy_int32_6_to_address
    module procedure copy_int32_6_from_address
    module procedure copy_int32_7
    module procedure copy_int32_7_to_address
    module procedure copy_int32_7_from_address
    module procedure copy_int64_0
    module procedure copy_int64_0_to_address
    module procedure copy_int64_0_from_address
    module procedure copy_int64_1
    module procedure copy_int64_1_to_address
    module procedure copy_int64_1_from_address
    module procedure copy_int64_2
    module procedure copy_int64_2_to_address
    module procedure copy_int64_2_from_address
    module procedure copy_int64_3
    module procedure copy_int64_3_to_address
    module procedure copy_int64_3_from_address
    module procedure copy_int64_4
    module procedure copy_int64_4_to_address
    module procedure copy_int64_4_from_address
    module procedure copy_int64_5
    module procedure copy_int64_5_to_address
    module procedure copy_int64_5_from_address
    module procedure copy_int64_6
    module procedure copy_int64_6_to_address
    module procedure copy_int64_6_from_address
    module procedure copy_int64_7
    module procedure copy_int64_7_to_address
    module procedure copy_int64_7_from_address
    module procedure copy_float_0
    module procedure copy_float_0_to_address
    module procedure copy_float_0_from_address
    module procedure copy_float_1
    module procedure copy_float_1_to_address
    module procedure copy_float_1_from_address
    module procedure copy_float_2
    module procedure copy_float_2_to_address
    module procedure copy_float_2_from_address
    module procedure copy_float_3
    module procedure copy_float_3_to_address
    module procedure copy_float_3_from_address
    module procedure copy_float_4
    module procedure copy_float_4_to_address
    module procedure copy_float_4_from_address
    module procedure copy_float_5
    module procedure copy_float_5_to_address
    module procedure copy_float_5_from_address
    module procedure copy_float_6
    module procedure copy_float_6_to_address
    module procedure copy_float_6_from_address
    module procedure copy_float_7
    module procedure copy_float_7_to_address
    module procedure copy_float_7_from_address
    module procedure copy_double_0
    module procedure copy_double_0_to_address
    module procedure copy_double_0_from_address
    module procedure copy_double_1
    module procedure copy_double_1_to_address
    module procedure copy_double_1_from_address
    module procedure copy_double_2
    module procedure copy_double_2_to_address
    module procedure copy_double_2_from_address
    module procedure copy_double_3
    module procedure copy_double_3_to_address
    module procedure copy_double_3_from_address
    module procedure copy_double_4
    module procedure copy_double_4_to_address
    module procedure copy_double_4_from_address
    module procedure copy_double_5
    module procedure copy_double_5_to_address
    module procedure copy_double_5_from_address
    module procedure copy_double_6
    module procedure copy_double_6_to_address
    module procedure copy_double_6_from_address
    module procedure copy_double_7
    module procedure copy_double_7_to_address
    module procedure copy_double_7_from_address
    module procedure copy_float_complex_0
    module procedure copy_float_complex_0_to_address
    module procedure copy_float_complex_0_from_address
    module procedure copy_float_complex_1
    module procedure copy_float_complex_1_to_address
    module procedure copy_float_complex_1_from_address
    module procedure copy_float_complex_2
    module procedure copy_float_complex_2_to_address
    module procedure copy_float_complex_2_from_address
    module procedure copy_float_complex_3
    module procedure copy_float_complex_3_to_address
    module procedure copy_float_complex_3_from_address
    module procedure copy_float_complex_4
    module procedure copy_float_complex_4_to_address
    module procedure copy_float_complex_4_from_address
    module procedure copy_float_complex_5
    module procedure copy_float_complex_5_to_address
    module procedure copy_float_complex_5_from_address
    module procedure copy_float_complex_6
    module procedure copy_float_complex_6_to_address
    module procedure copy_float_complex_6_from_address
    module procedure copy_float_complex_7
    module procedure copy_float_complex_7_to_address
    module procedure copy_float_complex_7_from_address
    module procedure copy_double_complex_0
    module procedure copy_double_complex_0_to_address
    module procedure copy_double_complex_0_from_address
    module procedure copy_double_complex_1
    module procedure copy_double_complex_1_to_address
    module procedure copy_double_complex_1_from_address
    module procedure copy_double_complex_2
    module procedure copy_double_complex_2_to_address
    module procedure copy_double_complex_2_from_address
    module procedure copy_double_complex_3
    module procedure copy_double_complex_3_to_address
    module procedure copy_double_complex_3_from_address
    module procedure copy_double_complex_4
    module procedure copy_double_complex_4_to_address
    module procedure copy_double_complex_4_from_address
    module procedure copy_double_complex_5
    module procedure copy_double_complex_5_to_address
    module procedure copy_double_complex_5_from_address
    module procedure copy_double_complex_6
    module procedure copy_double_complex_6_to_address
    module procedure copy_double_complex_6_from_address
    module procedure copy_double_complex_7
    module procedure copy_double_complex_7_to_address
    module procedure copy_double_complex_7_from_address
    module procedure copy_bool_0
    module procedure copy_bool_0_to_address
    module procedure copy_bool_0_from_address
    module procedure copy_bool_1
    module procedure copy_bool_1_to_address
    module procedure copy_bool_1_from_address
    module procedure copy_bool_2
    module procedure copy_bool_2_to_address
    module procedure copy_bool_2_from_address
    module procedure copy_bool_3
    module procedure copy_bool_3_to_address
    module procedure copy_bool_3_from_address
    module procedure copy_bool_4
    module procedure copy_bool_4_to_address
    module procedure copy_bool_4_from_address
    module procedure copy_bool_5
    module procedure copy_bool_5_to_address
    module procedure copy_bool_5_from_address
    module procedure copy_bool_6
    module procedure copy_bool_6_to_address
    module procedure copy_bool_6_from_address
    module procedure copy_bool_7
    module procedure copy_bool_7_to_address
    module procedure copy_bool_7_from_address
  end interface cadastre_copy

  ! arrays from a workspace
  public :: cadastre_acquiring, cadastre_acquire, cadastre_release, cadastre_sizeof, cadastre_return_if_size_query

  interface cadastre_acquire
    module procedure acquire_int32_1_int32, acquire_int32_1_int32_alone
    module procedure acquire_int32_1_int64, acquire_int32_1_int64_alone
    module procedure acquire_int32_1_scalar32, acquire_int32_1_scalar32_alone
    module procedure acquire_int32_1_scalar64, acquire_int32_1_scalar64_alone
    module procedure acquire_int32_2_int32, acquire_int32_2_int32_alone
    module procedure acquire_int32_2_int64, acquire_int32_2_int64_alone
    module procedure acquire_int32_3_int32, acquire_int32_3_int32_alone
    module procedure acquire_int32_3_int64, acquire_int32_3_int64_alone
    module procedure acquire_int32_4_int32, acquire_int32_4_int32_alone
    module procedure acquire_int32_4_int64, acquire_int32_4_int64_alone
    module procedure acquire_int32_5_int32, acquire_int32_5_int32_alone
    module procedure acquire_int32_5_int64, acquire_int32_5_int64_alone
    module procedure acquire_int32_6_int32, acquire_int32_6_int32_alone
    module procedure acquire_int32_6_int64, acquire_int32_6_int64_alone
    module procedure acquire_int32_7_int32, acquire_int32_7_int32_alone
    module procedure acquire_int32_7_int64, acquire_int32_7_int64_alone
    module procedure acquire_int64_1_int32, acquire_int64_1_int32_alone
    module procedure acquire_int64_1_int64, acquire_int64_1_int64_alone
    module procedure acquire_int64_1_scalar32, acquire_int64_1_scalar32_alone
    module procedure acquire_int64_1_scalar64, acquire_int64_1_scalar64_alone
    module procedure acquire_int64_2_int32, acquire_int64_2_int32_alone
    module procedure acquire_int64_2_int64, acquire_int64_2_int64_alone
    module procedure acquire_int64_3_int32, acquire_int64_3_int32_alone
    module procedure acquire_int64_3_int64, acquire_int64_3_int64_alone
    module procedure acquire_int64_4_int32, acquire_int64_4_int32_alone
    module procedure acquire_int64_4_int64, acquire_int64_4_int64_alone
    module procedure acquire_int64_5_int32, acquire_int64_5_int32_alone
    module procedure acquire_int64_5_int64, acquire_int64_5_int64_alone
    module procedure acquire_int64_6_int32, acquire_int64_6_int32_alone
    module procedure acquire_int64_6_int64, acquire_int64_6_int64_alone
    module procedure acquire_int64_7_int32, acquire_int64_7_int32_alone
    module procedure acquire_int64_7_int64, acquire_int64_7_int64_alone
    module procedure acquire_float_1_int32, acquire_float_1_int32_alone
    module procedure acquire_float_1_int64, acquire_float_1_int64_alone
    module procedure acquire_float_1_scalar32, acquire_float_1_scalar32_alone
    module procedure acquire_float_1_scalar64, acquire_float_1_scalar64_alone
    module procedure acquire_float_2_int32, acquire_float_2_int32_alone
    module procedure acquire_float_2_int64, acquire_float_2_int64_alone
    module procedure acquire_float_3_int32, acquire_float_3_int32_alone
    module procedure acquire_float_3_int64, acquire_float_3_int64_alone
    module procedure acquire_float_4_int32, acquire_float_4_int32_alone
    module procedure acquire_float_4_int64, acquire_float_4_int64_alone
    module procedure acquire_float_5_int32, acquire_float_5_int32_alone
    module procedure acquire_float_5_int64, acquire_float_5_int64_alone
    module procedure acquire_float_6_int32, acquire_float_6_int32_alone
    module procedure acquire_float_6_int64, acquire_float_6_int64_alone
    module procedure acquire_float_7_int32, acquire_float_7_int32_alone
    module procedure acquire_float_7_int64, acquire_float_7_int64_alone
    module procedure acquire_double_1_int32, acquire_double_1_int32_alone
    module procedure acquire_double_1_int64, acquire_double_1_int64_alone
    module procedure acquire_double_1_scalar32, acquire_double_1_scalar32_alone
    module procedure acquire_double_1_scalar64, acquire_double_1_scalar64_alone
    module procedure acquire_double_2_int32, acquire_double_2_int32_alone
    module procedure acquire_double_2_int64, acquire_double_2_int64_alone
    module procedure acquire_double_3_int32, acquire_double_3_int32_alone
    module procedure acquire_double_3_int64, acquire_double_3_int64_alone
    module procedure acquire_double_4_int32, acquire_double_4_int32_alone
    module procedure acquire_double_4_int64, acquire_double_4_int64_alone
    module procedure acquire_double_5_int32, acquire_double_5_int32_alone
    module procedure acquire_double_5_int64, acquire_double_5_int64_alone
    module procedure acquire_double_6_int32, acquire_double_6_int32_alone
    module procedure acquire_double_6_int64, acquire_double_6_int64_alone
    module procedure acquire_double_7_int32, acquire_double_7_int32_alone
    module procedure acquire_double_7_int64, acquire_double_7_int64_alone
    module procedure acquire_float_complex_1_int32, acquire_float_complex_1_int32_alone
    module procedure acquire_float_complex_1_int64, acquire_float_complex_1_int64_alone
    module procedure acquire_float_complex_1_scalar32, acquire_float_complex_1_scalar32_alone
    module procedure acquire_float_complex_1_scalar64, acquire_float_complex_1_scalar64_alone
    module procedure acquire_float_complex_2_int32, acquire_float_complex_2_int32_alone
    module procedure acquire_float_complex_2_int64, acquire_float_complex_2_int64_alone
    module procedure acquire_float_complex_3_int32, acquire_float_complex_3_int32_alone
    module procedure acquire_float_complex_3_int64, acquire_float_complex_3_int64_alone
    module procedure acquire_float_complex_4_int32, acquire_float_complex_4_int32_alone
    module procedure acquire_float_complex_4_int64, acquire_float_complex_4_int64_alone
    module procedure acquire_float_complex_5_int32, acquire_float_complex_5_int32_alone
    module procedure acquire_float_complex_5_int64, acquire_float_complex_5_int64_alone
    module procedure acquire_float_complex_6_int32, acquire_float_complex_6_int32_alone
    module procedure acquire_float_complex_6_int64, acquire_float_complex_6_int64_alone
    module procedure acquire_float_complex_7_int32, acquire_float_complex_7_int32_alone
    module procedure acquire_float_complex_7_int64, acquire_float_complex_7_int64_alone
    module procedure acquire_double_complex_1_int32, acquire_double_complex_1_int32_alone
    module procedure acquire_double_complex_1_int64, acquire_double_complex_1_int64_alone
    module procedure acquire_double_complex_1_scalar32, acquire_double_complex_1_scalar32_alone
    module procedure acquire_double_complex_1_scalar64, acquire_double_complex_1_scalar64_alone
    module procedure acquire_double_complex_2_int32, acquire_double_complex_2_int32_alone
    module procedure acquire_double_complex_2_int64, acquire_double_complex_2_int64_alone
    module procedure acquire_double_complex_3_int32, acquire_double_complex_3_int32_alone
    module procedure acquire_double_complex_3_int64, acquire_double_complex_3_int64_alone
    module procedure acquire_double_complex_4_int32, acquire_double_complex_4_int32_alone
    module procedure acquire_double_complex_4_int64, acquire_double_complex_4_int64_alone
    module procedure acquire_double_complex_5_int32, acquire_double_complex_5_int32_alone
    module procedure acquire_double_complex_5_int64, acquire_double_complex_5_int64_alone
    module procedure acquire_double_complex_6_int32, acquire_double_complex_6_int32_alone
    module procedure acquire_double_complex_6_int64, acquire_double_complex_6_int64_alone
    module procedure acquire_double_complex_7_int32, acquire_double_complex_7_int32_alone
    module procedure acquire_double_complex_7_int64, acquire_double_complex_7_int64_alone
    module procedure acquire_bool_1_int32, acquire_bool_1_int32_alone
    module procedure acquire_bool_1_int64, acquire_bool_1_int64_alone
    module procedure acquire_bool_1_scalar32, acquire_bool_1_scalar32_alone
    module procedure acquire_bool_1_scalar64, acquire_bool_1_scalar64_alone
    module procedure acquire_bool_2_int32, acquire_bool_2_int32_alone
    module procedure acquire_bool_2_int64, acquire_bool_2_int64_alone
    module procedure acquire_bool_3_int32, acquire_bool_3_int32_alone
    module procedure acquire_bool_3_int64, acquire_bool_3_int64_alone
    module procedure acquire_bool_4_int32, acquire_bool_4_int32_alone
    module procedure acquire_bool_4_int64, acquire_bool_4_int64_alone
    module procedure acquire_bool_5_int32, acquire_bool_5_int32_alone
    module procedure acquire_bool_5_int64, acquire_bool_5_int64_alone
    module procedure acquire_bool_6_int32, acquire_bool_6_int32_alone
    module procedure acquire_bool_6_int64, acquire_bool_6_int64_alone
    module procedure acquire_bool_7_int32, acquire_bool_7_int32_alone
    module procedure acquire_bool_7_int64, acquire_bool_7_int64_alone
  end interface cadastre_acquire

  interface cadastre_release
    module procedure release_lease
    module procedure release_int32_1
    module procedure release_int32_2
    module procedure release_int32_3
    module procedure release_int32_4
    module procedure release_int32_5
    module procedure release_int32_6
    module procedure release_int32_7
    module procedure release_int64_1
    module procedure release_int64_2
    module procedure release_int64_3
    module procedure release_int64_4
    module procedure release_int64_5
    module procedure release_int64_6
    module procedure release_int64_7
    module procedure release_float_1
    module procedure release_float_2
    module procedure release_float_3
    module procedure release_float_4
    module procedure release_float_5
    module procedure release_float_6
    module procedure release_float_7
    module procedure release_double_1
    module procedure release_double_2
    module procedure release_double_3
    module procedure release_double_4
    module procedure release_double_5
    module procedure release_double_6
    module procedure release_double_7
    module procedure release_float_complex_1
    module procedure release_float_complex_2
    module procedure release_float_complex_3
    module procedure release_float_complex_4
    module procedure release_float_complex_5
    module procedure release_float_complex_6
    module procedure release_float_complex_7
    module procedure release_double_complex_1
    module procedure release_double_complex_2
    module procedure release_double_complex_3
    module procedure release_double_complex_4
    module procedure release_double_complex_5
    module procedure release_double_complex_6
    module procedure release_double_complex_7
    module procedure release_bool_1
    module procedure release_bool_2
    module procedure release_bool_3
    module procedure release_bool_4
    module procedure release_bool_5
    module procedure release_bool_6
    module procedure release_bool_7
  end interface cadastre_release

  interface cadastre_sizeof
    module procedure bytes_of_int32_1_int32
    module procedure bytes_of_int32_1_int64
    module procedure bytes_of_int32_1_scalar32
    module procedure bytes_of_int32_1_scalar64
    module procedure bytes_of_int32_2_int32
    module procedure bytes_of_int32_2_int64
    module procedure bytes_of_int32_3_int32
    module procedure bytes_of_int32_3_int64
    module procedure bytes_of_int32_4_int32
    module procedure bytes_of_int32_4_int64
    module procedure bytes_of_int32_5_int32
    module procedure bytes_of_int32_5_int64
    module procedure bytes_of_int32_6_int32
    module procedure bytes_of_int32_6_int64
    module procedure bytes_of_int32_7_int32
    module procedure bytes_of_int32_7_int64
    module procedure bytes_of_int64_1_int32
    module procedure bytes_of_int64_1_int64
    module procedure bytes_of_int64_1_scalar32
    module procedure bytes_of_int64_1_scalar64
    module procedure bytes_of_int64_2_int32
    module procedure bytes_of_int64_2_int64
    module procedure bytes_of_int64_3_int32
    module procedure bytes_of_int64_3_int64
    module procedure bytes_of_int64_4_int32
    module procedure bytes_of_int64_4_int64
    module procedure bytes_of_int64_5_int32
    module procedure bytes_of_int64_5_int64
    module procedure bytes_of_int64_6_int32
    module procedure bytes_of_int64_6_int64
    module procedure bytes_of_int64_7_int32
    module procedure bytes_of_int64_7_int64
    module procedure bytes_of_float_1_int32
    module procedure bytes_of_float_1_int64
    module procedure bytes_of_float_1_scalar32
    module procedure bytes_of_float_1_scalar64
    module procedure bytes_of_float_2_int32
    module procedure bytes_of_float_2_int64
    module procedure bytes_of_float_3_int32
    module procedure bytes_of_float_3_int64
    module procedure bytes_of_float_4_int32
    module procedure bytes_of_float_4_int64
    module procedure bytes_of_float_5_int32
    module procedure bytes_of_float_5_int64
    module procedure bytes_of_float_6_int32
    module procedure bytes_of_float_6_int64
    module procedure bytes_of_float_7_int32
    module procedure bytes_of_float_7_int64
    module procedure bytes_of_double_1_int32
    module procedure bytes_of_double_1_int64
    module procedure bytes_of_double_1_scalar32
    module procedure bytes_of_double_1_scalar64
    module procedure bytes_of_double_2_int32
    module procedure bytes_of_double_2_int64
    module procedure bytes_of_double_3_int32
    module procedure bytes_of_double_3_int64
    module procedure bytes_of_double_4_int32
    module procedure bytes_of_double_4_int64
    module procedure bytes_of_double_5_int32
    module procedure bytes_of_double_5_int64
    module procedure bytes_of_double_6_int32
    module procedure bytes_of_double_6_int64
    module procedure bytes_of_double_7_int32
    module procedure bytes_of_double_7_int64
    module procedure bytes_of_float_complex_1_int32
    module procedure bytes_of_float_complex_1_int64
    module procedure bytes_of_float_complex_1_scalar32
    module procedure bytes_of_float_complex_1_scalar64
    module procedure bytes_of_float_complex_2_int32
    module procedure bytes_of_float_complex_2_int64
    module procedure bytes_of_float_complex_3_int32
    module procedure bytes_of_float_complex_3_int64
    module procedure bytes_of_float_complex_4_int32
    module procedure bytes_of_float_complex_4_int64
    module procedure bytes_of_float_complex_5_int32
    module procedure bytes_of_float_complex_5_int64
    module procedure bytes_of_float_complex_6_int32
    module procedure bytes_of_float_complex_6_int64
    module procedure bytes_of_float_complex_7_int32
    module procedure bytes_of_float_complex_7_int64
    module procedure bytes_of_double_complex_1_int32
    module procedure bytes_of_double_complex_1_int64
    module procedure bytes_of_double_complex_1_scalar32
    module procedure bytes_of_double_complex_1_scalar64
    module procedure bytes_of_double_complex_2_int32
    module procedure bytes_of_double_complex_2_int64
    module procedure bytes_of_double_complex_3_int32
    module procedure bytes_of_double_complex_3_int64
    module procedure bytes_of_double_complex_4_int32
    module procedure bytes_of_double_complex_4_int64
    module procedure bytes_of_double_complex_5_int32
    module procedure bytes_of_double_complex_5_int64
    module procedure bytes_of_double_complex_6_int32
    module procedure bytes_of_double_complex_6_int64
    module procedure bytes_of_double_complex_7_int32
    module procedure bytes_of_double_complex_7_int64
    module procedure bytes_of_bool_1_int32
    module procedure bytes_of_bool_1_int64
    module procedure bytes_of_bool_1_scalar32
    module procedure bytes_of_bool_1_scalar64
    module procedure bytes_of_bool_2_int32
    module procedure bytes_of_bool_2_int64
    module procedure bytes_of_bool_3_int32
    module procedure bytes_of_bool_3_int64
    module procedure bytes_of_bool_4_int32
    module procedure bytes_of_bool_4_int64
    module procedure bytes_of_bool_5_int32
    module procedure bytes_of_bool_5_int64
    module procedure bytes_of_bool_6_int32
    module procedure bytes_of_bool_6_int64
    module procedure bytes_of_bool_7_int32
    module procedure bytes_of_bool_7_int64
  end interface cadastre_sizeof

  ! strings and files
  public :: cadastre_string, cadastre_version_string, cadastre_build_options_string
  public :: cadastre_error_string, cadastre_reason_string, cadastre_memory_type_string
  public :: cadastre_backend_string, cadastre_workspace_scheme_string
  public :: cadastre_last_error_message
  public :: cadastre_report_to_file, cadastre_print_report

  interface cadastre_string
    module procedure string_at, string_in
  end interface cadastre_string

  interface
    function c_strlen(string) bind(c, name='strlen') result(length)
      import
      type(c_ptr), value :: string
      integer(c_size_t) :: length
    end function c_strlen

    function c_fopen(path, mode) bind(c, name='fopen') result(stream)
      import
      character(kind=c_char), intent(in) :: path(*), mode(*)
      type(c_ptr) :: stream
    end function c_fopen

    function c_dup(descriptor) bind(c, name='dup') result(copy)
      import
      integer(c_int), value :: descriptor
      integer(c_int) :: copy
    end function c_dup

    function c_fdopen(descriptor, mode) bind(c, name='fdopen') result(stream)
      import
      integer(c_int), value :: descriptor
      character(kind=c_char), intent(in) :: mode(*)
      type(c_ptr) :: stream
    end function c_fdopen

    function c_fclose(stream) bind(c, name='fclose') result(status)
      import
      type(c_ptr), value :: stream
      integer(c_int) :: status
    end function c_fclose
  end interface

contains

  ! Names a device in a request: device_id is the vendor's number, from 0.
  elemental function cadastre_device_by_id(device_id) result(device)
    integer, intent(in) :: device_id
    integer(c_int32_t) :: device

    device = 1024_c_int32_t + int(device_id, c_int32_t)
  end function cadastre_device_by_id

  function string_at(address) result(string)
    type(c_ptr), intent(in) :: address
    character(len=:), allocatable :: string
    character(kind=c_char), pointer :: characters(:)

    string = ''
    if (.not. c_associated(address)) return
    call c_f_pointer(address, characters, [c_strlen(address)])
    string = string_in(characters)
  end function string_at

  function string_in(characters) result(string)
    character(kind=c_char), intent(in) :: characters(:)
    character(len=:), allocatable :: string
    integer :: i, length

    length = 0
    do while (length < size(characters))
      if (characters(length + 1) == c_null_char) exit
      length = length + 1
    end do
    allocate (character(len=length) :: string)
    do i = 1, length
      string(i:i) = characters(i)
    end do
  end function string_in

  ! A C string; trailing blanks are removed.
  function c_string(string) result(characters)
    character(len=*), intent(in) :: string
    character(kind=c_char) :: characters(len_trim(string) + 1)
    integer :: i

    do i = 1, len_trim(string)
      characters(i) = string(i:i)
    end do
    characters(len_trim(string) + 1) = c_null_char
  end function c_string

  function register_backend(name, operations, content) result(backend)
    character(len=*), intent(in) :: name
    type(cadastre_backend_operations_struct), intent(in) :: operations
    type(c_ptr), intent(in) :: content
    integer(c_int32_t) :: backend
    character(kind=c_char), target :: name_of_c(len_trim(name) + 1)

    name_of_c = c_string(name)
    backend = cadastre_backend_register(c_loc(name_of_c), operations, content)
  end function register_backend

  function cadastre_error_string(exit_code) result(string)
    integer(c_int32_t), intent(in) :: exit_code
    character(len=:), allocatable :: string
    string = string_at(cadastre_string_of_error(exit_code))
  end function cadastre_error_string

  function cadastre_reason_string(reason) result(string)
    integer(c_int32_t), intent(in) :: reason
    character(len=:), allocatable :: string
    string = string_at(cadastre_string_of_reason(reason))
  end function cadastre_reason_string

  function cadastre_memory_type_string(type) result(string)
    integer(c_int32_t), intent(in) :: type
    character(len=:), allocatable :: string
    string = string_at(cadastre_string_of_memory_type(type))
  end function cadastre_memory_type_string

  function cadastre_backend_string(backend) result(string)
    integer(c_int32_t), intent(in) :: backend
    character(len=:), allocatable :: string
    string = string_at(cadastre_string_of_backend(backend))
  end function cadastre_backend_string

  function cadastre_workspace_scheme_string(scheme) result(string)
    integer(c_int32_t), intent(in) :: scheme
    character(len=:), allocatable :: string
    string = string_at(cadastre_string_of_workspace_scheme(scheme))
  end function cadastre_workspace_scheme_string

  function cadastre_version_string() result(string)
    character(len=:), allocatable :: string
    string = string_at(cadastre_get_version())
  end function cadastre_version_string

  function cadastre_build_options_string() result(string)
    character(len=:), allocatable :: string
    string = string_at(cadastre_get_build_options())
  end function cadastre_build_options_string

  ! Why the calling thread's last failing call on a context failed; empty if no call failed.
  function cadastre_last_error_message(context) result(string)
    integer(c_int64_t), intent(in) :: context
    character(len=:), allocatable :: string
    type(cadastre_error_struct) :: error

    string = ''
    if (cadastre_last_error(context, error) == CADASTRE_SUCCESS) string = string_in(error%message)
  end function cadastre_last_error_message

  function text(number)
    integer(c_int64_t), intent(in) :: number
    character(len=:), allocatable :: text
    character(len=20) :: digits

    write (digits, '(i0)') number
    text = trim(digits)
  end function text

  function text_of(extents)
    integer(c_int64_t), intent(in) :: extents(:)
    character(len=:), allocatable :: text_of
    integer :: i

    text_of = ''
    do i = 1, size(extents)
      text_of = text_of//merge(', ', '  ', i > 1)//text(extents(i))
    end do
    text_of = '['//trim(adjustl(text_of))//']'
  end function text_of

  subroutine set_status(exit_code, message, stat, errmsg)
    integer(c_int32_t), intent(in) :: exit_code
    character(len=*), intent(in) :: message
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (present(stat)) stat = exit_code
    if (exit_code == CADASTRE_SUCCESS) return
    if (present(stat)) then
      if (present(errmsg)) errmsg = message
    else
      write (error_unit, '(a)') message
      error stop 1
    end if
  end subroutine set_status

  function code_for_fortran(error) result(exit_code)
    type(cadastre_error_struct), intent(in) :: error
    integer(c_int32_t) :: exit_code

    exit_code = error%exit_code
    if (exit_code == CADASTRE_SUCCESS) exit_code = CADASTRE_FAILURE ! the library could not record why
    if (exit_code /= CADASTRE_INVALID_ARG_2) return
    select case (error%reason)
    case (CADASTRE_REASON_INVALID_MEMORY_TYPE)
      exit_code = CADASTRE_INVALID_ARG_4
    case (CADASTRE_REASON_INVALID_DEVICE)
      exit_code = CADASTRE_INVALID_ARG_5
    case (CADASTRE_REASON_INVALID_ALIGNMENT)
      exit_code = CADASTRE_INVALID_ARG_6
    case (CADASTRE_REASON_LABEL_TOO_LONG)
      exit_code = CADASTRE_INVALID_ARG_7
    case (CADASTRE_REASON_INVALID_FLAGS)
      exit_code = CADASTRE_INVALID_ARG_8
    case (CADASTRE_REASON_INVALID_BACKEND)
      exit_code = CADASTRE_INVALID_ARG_10
    end select
  end function code_for_fortran

  subroutine measure(element, extents, first, bounds, bytes, exit_code, message)
    integer(c_int64_t), intent(in) :: element, extents(:), first(:)
    integer, intent(in) :: bounds
    integer(c_int64_t), intent(out) :: bytes
    integer(c_int32_t), intent(out) :: exit_code
    character(len=:), allocatable, intent(out) :: message
    integer(c_int64_t), parameter :: most = int(huge(0_c_size_t), c_int64_t)
    character(len=:), allocatable :: shape, needs
    integer :: rank, i

    bytes = 0
    rank = size(first)
    needs = '; a pointer of rank '//text(int(rank, c_int64_t))//' needs as many as its rank'
    shape = text_of(extents)

    exit_code = CADASTRE_INVALID_ARG_3
    if (size(extents) /= rank) then
      message = 'the shape '//shape//' has '//text(size(extents, kind=c_int64_t))// &
        ' extents'//needs
      return
    end if
    if (any(extents < 0)) then
      message = 'the shape '//shape//' has a negative extent; pass extents of 0 or more'
      return
    end if
    bytes = element
    do i = 1, rank
      if (extents(i) > most/bytes) then
        message = 'the shape '//shape//', with elements of '//text(element)// &
          ' bytes, exceeds the largest possible size, which is '//text(most)//' bytes; pass smaller extents'
        return
      end if
      bytes = bytes*max(extents(i), 1_c_int64_t)
    end do
    if (any(extents == 0)) bytes = 0

    exit_code = CADASTRE_INVALID_ARG_9
    if (bounds /= rank) then
      message = 'there are '//text(int(bounds, c_int64_t))//' lower bounds'//needs
      return
    end if
    if (any(first > huge(first) - max(extents - 1, 0_c_int64_t))) then
      message = 'with the shape '//shape//', an upper bound exceeds the largest integer; pass smaller lower bounds'
      return
    end if
    exit_code = CADASTRE_SUCCESS
    message = ''
  end subroutine measure

  function new_block(context, element, extents, first, bounds, type, device, alignment, label, &
      flags, backend, queue, stat, errmsg) result(address)
    integer(c_int64_t), intent(in) :: context, element, extents(:), first(:)
    integer, intent(in) :: bounds
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    type(cadastre_memory_info_struct) :: info
    type(cadastre_error_struct) :: error
    character(kind=c_char), allocatable, target :: label_of_c(:)
    character(len=:), allocatable :: message
    integer(c_int64_t) :: bytes
    integer(c_int32_t) :: exit_code

    address = c_null_ptr
    call measure(element, extents, first, bounds, bytes, exit_code, message)
    message = 'cadastre_allocate: '//message
    if (exit_code == CADASTRE_SUCCESS) then
      info%size = int(bytes, c_size_t)
      if (present(type)) info%type = type
      if (present(device)) info%device = device
      if (present(alignment)) info%alignment = int(alignment, c_size_t)
      if (present(flags)) info%flags = flags
      if (present(backend)) info%backend = backend
      if (present(label)) then
        allocate (label_of_c, source=c_string(label))
        if (len_trim(label) > 0) info%label = c_loc(label_of_c)
      end if
      if (present(queue)) then
        address = cadastre_malloc_async(context, info, queue)
      else
        address = cadastre_malloc(context, info)
      end if
      if (.not. c_associated(address)) then
        exit_code = cadastre_last_error(context, error)
        message = string_in(error%message)
        exit_code = code_for_fortran(error)
      end if
    end if
    call set_status(exit_code, message, stat, errmsg)
  end function new_block

  ! call cadastre_allocate(context, array, shape [, type] [, device] [, alignment] [, label] &
  !                        [, flags] [, lower] [, backend] [, queue] [, stat] [, errmsg])
  !
  ! Allocates an array. Without stat, a failure stops the program.
  !
  ! array: a pointer of rank 1 to 7; null() on failure. In DEVICE memory, the host cannot access its
  !   elements.
  ! shape: its extents, as 32-bit or 64-bit integers; for rank 1 also a scalar.
  ! lower: its lower bounds, of the kind and rank of shape.
  ! queue: the array is allocated in the order of this queue, as by cadastre_malloc_async.
  ! stat: the exit code. errmsg: the message, if stat is not CADASTRE_SUCCESS.
  ! All other arguments: as in cadastre_memory_info_struct.
  subroutine allocate_int32_1_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_int32_1_int32

  subroutine allocate_int32_1_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_int32_1_int64

  subroutine allocate_int32_1_scalar32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_int32_1_scalar32

  subroutine allocate_int32_1_scalar64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_int32_1_scalar64

  subroutine allocate_int32_2_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_int32_2_int32

  subroutine allocate_int32_2_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_int32_2_int64

  subroutine allocate_int32_3_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_int32_3_int32

  subroutine allocate_int32_3_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_int32_3_int64

  subroutine allocate_int32_4_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_int32_4_int32

  subroutine allocate_int32_4_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_int32_4_int64

  subroutine allocate_int32_5_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_int32_5_int32

  subroutine allocate_int32_5_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_int32_5_int64

  subroutine allocate_int32_6_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_int32_6_int32

  subroutine allocate_int32_6_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_int32_6_int64

  subroutine allocate_int32_7_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_int32_7_int32

  subroutine allocate_int32_7_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_int32_7_int64

  subroutine allocate_int64_1_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_int64_1_int32

  subroutine allocate_int64_1_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_int64_1_int64

  subroutine allocate_int64_1_scalar32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_int64_1_scalar32

  subroutine allocate_int64_1_scalar64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_int64_1_scalar64

  subroutine allocate_int64_2_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_int64_2_int32

  subroutine allocate_int64_2_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_int64_2_int64

  subroutine allocate_int64_3_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_int64_3_int32

  subroutine allocate_int64_3_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_int64_3_int64

  subroutine allocate_int64_4_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_int64_4_int32

  subroutine allocate_int64_4_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_int64_4_int64

  subroutine allocate_int64_5_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_int64_5_int32

  subroutine allocate_int64_5_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_int64_5_int64

  subroutine allocate_int64_6_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_int64_6_int32

  subroutine allocate_int64_6_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_int64_6_int64

  subroutine allocate_int64_7_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_int64_7_int32

  subroutine allocate_int64_7_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_int64_7_int64

  subroutine allocate_float_1_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_float_1_int32

  subroutine allocate_float_1_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_float_1_int64

  subroutine allocate_float_1_scalar32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_float_1_scalar32

  subroutine allocate_float_1_scalar64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_float_1_scalar64

  subroutine allocate_float_2_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_float_2_int32

  subroutine allocate_float_2_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_float_2_int64

  subroutine allocate_float_3_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_float_3_int32

  subroutine allocate_float_3_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_float_3_int64

  subroutine allocate_float_4_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_float_4_int32

  subroutine allocate_float_4_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_float_4_int64

  subroutine allocate_float_5_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_float_5_int32

  subroutine allocate_float_5_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_float_5_int64

  subroutine allocate_float_6_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_float_6_int32

  subroutine allocate_float_6_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_float_6_int64

  subroutine allocate_float_7_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_float_7_int32

  subroutine allocate_float_7_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_float_7_int64

  subroutine allocate_double_1_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_double_1_int32

  subroutine allocate_double_1_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_double_1_int64

  subroutine allocate_double_1_scalar32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_double_1_scalar32

  subroutine allocate_double_1_scalar64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_double_1_scalar64

  subroutine allocate_double_2_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_double_2_int32

  subroutine allocate_double_2_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_double_2_int64

  subroutine allocate_double_3_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_double_3_int32

  subroutine allocate_double_3_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_double_3_int64

  subroutine allocate_double_4_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_double_4_int32

  subroutine allocate_double_4_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_double_4_int64

  subroutine allocate_double_5_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_double_5_int32

  subroutine allocate_double_5_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_double_5_int64

  subroutine allocate_double_6_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_double_6_int32

  subroutine allocate_double_6_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_double_6_int64

  subroutine allocate_double_7_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_double_7_int32

  subroutine allocate_double_7_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_double_7_int64

  subroutine allocate_float_complex_1_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_float_complex_1_int32

  subroutine allocate_float_complex_1_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_float_complex_1_int64

  subroutine allocate_float_complex_1_scalar32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_float_complex_1_scalar32

  subroutine allocate_float_complex_1_scalar64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_float_complex_1_scalar64

  subroutine allocate_float_complex_2_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_float_complex_2_int32

  subroutine allocate_float_complex_2_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_float_complex_2_int64

  subroutine allocate_float_complex_3_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_float_complex_3_int32

  subroutine allocate_float_complex_3_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_float_complex_3_int64

  subroutine allocate_float_complex_4_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_float_complex_4_int32

  subroutine allocate_float_complex_4_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_float_complex_4_int64

  subroutine allocate_float_complex_5_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_float_complex_5_int32

  subroutine allocate_float_complex_5_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_float_complex_5_int64

  subroutine allocate_float_complex_6_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_float_complex_6_int32

  subroutine allocate_float_complex_6_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_float_complex_6_int64

  subroutine allocate_float_complex_7_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_float_complex_7_int32

  subroutine allocate_float_complex_7_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_float_complex_7_int64

  subroutine allocate_double_complex_1_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_double_complex_1_int32

  subroutine allocate_double_complex_1_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_double_complex_1_int64

  subroutine allocate_double_complex_1_scalar32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_double_complex_1_scalar32

  subroutine allocate_double_complex_1_scalar64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_double_complex_1_scalar64

  subroutine allocate_double_complex_2_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_double_complex_2_int32

  subroutine allocate_double_complex_2_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_double_complex_2_int64

  subroutine allocate_double_complex_3_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_double_complex_3_int32

  subroutine allocate_double_complex_3_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_double_complex_3_int64

  subroutine allocate_double_complex_4_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_double_complex_4_int32

  subroutine allocate_double_complex_4_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_double_complex_4_int64

  subroutine allocate_double_complex_5_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_double_complex_5_int32

  subroutine allocate_double_complex_5_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_double_complex_5_int64

  subroutine allocate_double_complex_6_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_double_complex_6_int32

  subroutine allocate_double_complex_6_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_double_complex_6_int64

  subroutine allocate_double_complex_7_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_double_complex_7_int32

  subroutine allocate_double_complex_7_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_double_complex_7_int64

  subroutine allocate_bool_1_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_bool_1_int32

  subroutine allocate_bool_1_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_bool_1_int64

  subroutine allocate_bool_1_scalar32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_bool_1_scalar32

  subroutine allocate_bool_1_scalar64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine allocate_bool_1_scalar64

  subroutine allocate_bool_2_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_bool_2_int32

  subroutine allocate_bool_2_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine allocate_bool_2_int64

  subroutine allocate_bool_3_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_bool_3_int32

  subroutine allocate_bool_3_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine allocate_bool_3_int64

  subroutine allocate_bool_4_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_bool_4_int32

  subroutine allocate_bool_4_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine allocate_bool_4_int64

  subroutine allocate_bool_5_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_bool_5_int32

  subroutine allocate_bool_5_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine allocate_bool_5_int64

  subroutine allocate_bool_6_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_bool_6_int32

  subroutine allocate_bool_6_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine allocate_bool_6_int64

  subroutine allocate_bool_7_int32(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int32_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_bool_7_int32

  subroutine allocate_bool_7_int64(context, array, shape, type, device, alignment, &
      label, flags, lower, backend, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: type, device, alignment, flags, backend
    character(len=*), intent(in), optional :: label
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = new_block(context, storage_size(array, c_int64_t)/8, extents, first, bounds, &
      type, device, alignment, label, flags, backend, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine allocate_bool_7_int64


  subroutine free_block(context, address, bytes, freed, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context, bytes
    type(c_ptr), intent(in) :: address
    logical, intent(out) :: freed
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(cadastre_memory_info_struct) :: info
    character(len=:), allocatable :: message
    integer(c_int32_t) :: exit_code

    exit_code = cadastre_get_malloc_info(context, address, info)
    if (exit_code /= CADASTRE_SUCCESS) then
      message = cadastre_last_error_message(context)
      if (exit_code == CADASTRE_INVALID_ARG_2 .and. .not. c_associated(address)) &
        message = 'cadastre_deallocate: the array pointer is associated with no memory; '// &
        'pass one from cadastre_allocate'
    else if (info%size /= bytes .and. iand(info%flags, ior(CADASTRE_BORROWED, CADASTRE_WORKSPACE_MEMORY)) == 0) then
      exit_code = CADASTRE_INVALID_ARG_2
      message = 'cadastre_deallocate: the array pointer covers '//text(bytes)//' bytes of a block of '// &
        text(int(info%size, c_int64_t))
      if (c_associated(info%label)) message = message//', labelled "'//string_at(info%label)//'"'
      message = message//'; pass a pointer that covers all of it'
    else
      if (present(queue)) then
        exit_code = cadastre_free_async(context, address, queue)
      else
        exit_code = cadastre_free(context, address)
      end if
      message = cadastre_last_error_message(context)
    end if
    freed = exit_code == CADASTRE_SUCCESS
    call set_status(exit_code, message, stat, errmsg)
  end subroutine free_block

  ! call cadastre_deallocate(context, array [, stat] [, errmsg] [, queue])
  !
  ! Deallocates an array. Without stat, a failure stops the program.
  !
  ! array: covers a block of the context from its first to its last byte; becomes null().
  ! stat, errmsg: as in cadastre_allocate.
  ! queue: the memory is freed in the order of this queue, as by cadastre_free_async.
  subroutine deallocate_int32_1(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(1)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int32_1

  subroutine deallocate_int32_2(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(2)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int32_2

  subroutine deallocate_int32_3(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(3)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int32_3

  subroutine deallocate_int32_4(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(4)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int32_4

  subroutine deallocate_int32_5(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(5)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int32_5

  subroutine deallocate_int32_6(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(6)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int32_6

  subroutine deallocate_int32_7(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(7)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6), first(7)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int32_7

  subroutine deallocate_int64_1(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(1)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int64_1

  subroutine deallocate_int64_2(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(2)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int64_2

  subroutine deallocate_int64_3(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(3)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int64_3

  subroutine deallocate_int64_4(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(4)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int64_4

  subroutine deallocate_int64_5(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(5)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int64_5

  subroutine deallocate_int64_6(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(6)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int64_6

  subroutine deallocate_int64_7(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(7)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6), first(7)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_int64_7

  subroutine deallocate_float_1(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(1)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_1

  subroutine deallocate_float_2(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(2)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_2

  subroutine deallocate_float_3(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(3)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_3

  subroutine deallocate_float_4(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(4)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_4

  subroutine deallocate_float_5(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(5)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_5

  subroutine deallocate_float_6(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(6)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_6

  subroutine deallocate_float_7(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_float), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(7)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6), first(7)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_7

  subroutine deallocate_double_1(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(1)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_1

  subroutine deallocate_double_2(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(2)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_2

  subroutine deallocate_double_3(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(3)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_3

  subroutine deallocate_double_4(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(4)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_4

  subroutine deallocate_double_5(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(5)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_5

  subroutine deallocate_double_6(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(6)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_6

  subroutine deallocate_double_7(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    real(c_double), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(7)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6), first(7)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_7

  subroutine deallocate_float_complex_1(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(1)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_complex_1

  subroutine deallocate_float_complex_2(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(2)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_complex_2

  subroutine deallocate_float_complex_3(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(3)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_complex_3

  subroutine deallocate_float_complex_4(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(4)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_complex_4

  subroutine deallocate_float_complex_5(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(5)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_complex_5

  subroutine deallocate_float_complex_6(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(6)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_complex_6

  subroutine deallocate_float_complex_7(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(7)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6), first(7)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_float_complex_7

  subroutine deallocate_double_complex_1(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(1)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_complex_1

  subroutine deallocate_double_complex_2(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(2)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_complex_2

  subroutine deallocate_double_complex_3(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(3)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_complex_3

  subroutine deallocate_double_complex_4(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(4)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_complex_4

  subroutine deallocate_double_complex_5(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(5)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_complex_5

  subroutine deallocate_double_complex_6(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(6)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_complex_6

  subroutine deallocate_double_complex_7(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(7)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6), first(7)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_double_complex_7

  subroutine deallocate_bool_1(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(1)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_bool_1

  subroutine deallocate_bool_2(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(2)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_bool_2

  subroutine deallocate_bool_3(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(3)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_bool_3

  subroutine deallocate_bool_4(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(4)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_bool_4

  subroutine deallocate_bool_5(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(5)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_bool_5

  subroutine deallocate_bool_6(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(6)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_bool_6

  subroutine deallocate_bool_7(context, array, stat, errmsg, queue)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr), intent(in), optional :: queue
    integer(c_int64_t) :: bytes, first(7)
    type(c_ptr) :: address
    logical :: freed

    address = c_null_ptr
    bytes = 0
    if (associated(array)) then
      bytes = size(array, kind=c_int64_t)*(storage_size(array, c_int64_t)/8)
      if (bytes > 0) then
        first = lbound(array, kind=c_int64_t)
        address = c_loc(array(first(1), first(2), first(3), first(4), first(5), first(6), first(7)))
      else
        address = c_loc(array)
      end if
    end if
    call free_block(context, address, bytes, freed, queue, stat, errmsg)
    if (freed) nullify (array)
  end subroutine deallocate_bool_7


  subroutine copy_bytes(context, dest, src, bytes, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context, bytes
    type(c_ptr), intent(in) :: dest, src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), allocatable :: message
    integer(c_int32_t) :: exit_code

    if (present(queue)) then
      exit_code = cadastre_memcpy_async(context, dest, src, int(bytes, c_size_t), queue)
    else
      exit_code = cadastre_memcpy(context, dest, src, int(bytes, c_size_t))
    end if
    message = ''
    if (exit_code /= CADASTRE_SUCCESS) message = cadastre_last_error_message(context)
    call set_status(exit_code, message, stat, errmsg)
  end subroutine copy_bytes

  ! Reports an array with gaps, as an error of the argument with this number. An array of size zero
  ! has no gaps, whatever is_contiguous returns for it.
  function has_gaps(contiguous, elements, argument, stat, errmsg)
    logical, intent(in) :: contiguous
    integer(c_int64_t), intent(in) :: elements
    integer(c_int32_t), intent(in) :: argument
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: has_gaps

    has_gaps = elements > 0 .and. .not. contiguous
    if (has_gaps) call set_status(argument, 'cadastre_copy: argument '//text(int(argument, c_int64_t))// &
      ' is an array section that is not contiguous; copy a contiguous array', stat, errmsg)
  end function has_gaps

  function shapes_differ(dest, src, stat, errmsg)
    integer(c_int64_t), intent(in) :: dest(:), src(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: shapes_differ

    shapes_differ = any(dest /= src)
    if (shapes_differ) call set_status(CADASTRE_INVALID_ARG_3, 'cadastre_copy: dest has the shape '//text_of(dest)// &
      ' and src '//text_of(src)//'; pass arrays of the same shape', stat, errmsg)
  end function shapes_differ

  ! call cadastre_copy(context, dest, src [, queue] [, stat] [, errmsg])
  !
  ! Copies src to dest. Without stat, a failure stops the program.
  !
  ! dest, src: two arrays of the same kind, rank and shape, or two scalars; one of them may be a
  !   type(c_ptr) instead. Either may be in device memory, and both must be contiguous.
  ! queue: the copy is enqueued on it, as by cadastre_memcpy_async; both arrays, which then must be
  !   pointers or targets, must remain valid until the copy is complete.
  ! stat, errmsg: as in cadastre_allocate.
  subroutine copy_int32_0(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest
    integer(c_int32_t), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_0

  subroutine copy_int32_0_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int32_t), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_0_to_address

  subroutine copy_int32_0_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_0_from_address

  subroutine copy_int32_1(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:)
    integer(c_int32_t), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_1

  subroutine copy_int32_1_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int32_t), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_1_to_address

  subroutine copy_int32_1_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_1_from_address

  subroutine copy_int32_2(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :)
    integer(c_int32_t), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_2

  subroutine copy_int32_2_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int32_t), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_2_to_address

  subroutine copy_int32_2_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_2_from_address

  subroutine copy_int32_3(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :)
    integer(c_int32_t), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_3

  subroutine copy_int32_3_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int32_t), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_3_to_address

  subroutine copy_int32_3_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_3_from_address

  subroutine copy_int32_4(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :, :)
    integer(c_int32_t), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_4

  subroutine copy_int32_4_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int32_t), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_4_to_address

  subroutine copy_int32_4_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_4_from_address

  subroutine copy_int32_5(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :, :, :)
    integer(c_int32_t), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_5

  subroutine copy_int32_5_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int32_t), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_5_to_address

  subroutine copy_int32_5_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_5_from_address

  subroutine copy_int32_6(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :, :, :, :)
    integer(c_int32_t), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_6

  subroutine copy_int32_6_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int32_t), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_6_to_address

  subroutine copy_int32_6_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_6_from_address

  subroutine copy_int32_7(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_7

  subroutine copy_int32_7_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int32_t), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_7_to_address

  subroutine copy_int32_7_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(inout), target :: dest(:, :, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int32_7_from_address

  subroutine copy_int64_0(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest
    integer(c_int64_t), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_0

  subroutine copy_int64_0_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int64_t), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_0_to_address

  subroutine copy_int64_0_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_0_from_address

  subroutine copy_int64_1(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:)
    integer(c_int64_t), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_1

  subroutine copy_int64_1_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int64_t), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_1_to_address

  subroutine copy_int64_1_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_1_from_address

  subroutine copy_int64_2(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :)
    integer(c_int64_t), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_2

  subroutine copy_int64_2_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int64_t), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_2_to_address

  subroutine copy_int64_2_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_2_from_address

  subroutine copy_int64_3(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :)
    integer(c_int64_t), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_3

  subroutine copy_int64_3_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int64_t), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_3_to_address

  subroutine copy_int64_3_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_3_from_address

  subroutine copy_int64_4(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :, :)
    integer(c_int64_t), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_4

  subroutine copy_int64_4_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int64_t), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_4_to_address

  subroutine copy_int64_4_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_4_from_address

  subroutine copy_int64_5(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :, :, :)
    integer(c_int64_t), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_5

  subroutine copy_int64_5_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int64_t), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_5_to_address

  subroutine copy_int64_5_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_5_from_address

  subroutine copy_int64_6(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :, :, :, :)
    integer(c_int64_t), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_6

  subroutine copy_int64_6_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int64_t), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_6_to_address

  subroutine copy_int64_6_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_6_from_address

  subroutine copy_int64_7(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_7

  subroutine copy_int64_7_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    integer(c_int64_t), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_7_to_address

  subroutine copy_int64_7_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int64_t), intent(inout), target :: dest(:, :, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_int64_7_from_address

  subroutine copy_float_0(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest
    real(c_float), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_0

  subroutine copy_float_0_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_float), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_0_to_address

  subroutine copy_float_0_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_0_from_address

  subroutine copy_float_1(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:)
    real(c_float), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_1

  subroutine copy_float_1_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_float), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_1_to_address

  subroutine copy_float_1_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_1_from_address

  subroutine copy_float_2(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :)
    real(c_float), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_2

  subroutine copy_float_2_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_float), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_2_to_address

  subroutine copy_float_2_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_2_from_address

  subroutine copy_float_3(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :)
    real(c_float), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_3

  subroutine copy_float_3_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_float), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_3_to_address

  subroutine copy_float_3_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_3_from_address

  subroutine copy_float_4(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :, :)
    real(c_float), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_4

  subroutine copy_float_4_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_float), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_4_to_address

  subroutine copy_float_4_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_4_from_address

  subroutine copy_float_5(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :, :, :)
    real(c_float), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_5

  subroutine copy_float_5_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_float), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_5_to_address

  subroutine copy_float_5_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_5_from_address

  subroutine copy_float_6(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :, :, :, :)
    real(c_float), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_6

  subroutine copy_float_6_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_float), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_6_to_address

  subroutine copy_float_6_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_6_from_address

  subroutine copy_float_7(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :, :, :, :, :)
    real(c_float), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_7

  subroutine copy_float_7_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_float), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_7_to_address

  subroutine copy_float_7_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_float), intent(inout), target :: dest(:, :, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_7_from_address

  subroutine copy_double_0(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest
    real(c_double), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_0

  subroutine copy_double_0_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_double), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_0_to_address

  subroutine copy_double_0_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_0_from_address

  subroutine copy_double_1(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:)
    real(c_double), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_1

  subroutine copy_double_1_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_double), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_1_to_address

  subroutine copy_double_1_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_1_from_address

  subroutine copy_double_2(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :)
    real(c_double), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_2

  subroutine copy_double_2_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_double), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_2_to_address

  subroutine copy_double_2_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_2_from_address

  subroutine copy_double_3(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :)
    real(c_double), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_3

  subroutine copy_double_3_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_double), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_3_to_address

  subroutine copy_double_3_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_3_from_address

  subroutine copy_double_4(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :, :)
    real(c_double), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_4

  subroutine copy_double_4_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_double), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_4_to_address

  subroutine copy_double_4_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_4_from_address

  subroutine copy_double_5(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :, :, :)
    real(c_double), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_5

  subroutine copy_double_5_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_double), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_5_to_address

  subroutine copy_double_5_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_5_from_address

  subroutine copy_double_6(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :, :, :, :)
    real(c_double), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_6

  subroutine copy_double_6_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_double), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_6_to_address

  subroutine copy_double_6_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_6_from_address

  subroutine copy_double_7(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :, :, :, :, :)
    real(c_double), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_7

  subroutine copy_double_7_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    real(c_double), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_7_to_address

  subroutine copy_double_7_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    real(c_double), intent(inout), target :: dest(:, :, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_7_from_address

  subroutine copy_float_complex_0(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest
    complex(c_float_complex), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_0

  subroutine copy_float_complex_0_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_float_complex), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_0_to_address

  subroutine copy_float_complex_0_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_0_from_address

  subroutine copy_float_complex_1(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:)
    complex(c_float_complex), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_1

  subroutine copy_float_complex_1_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_float_complex), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_1_to_address

  subroutine copy_float_complex_1_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_1_from_address

  subroutine copy_float_complex_2(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :)
    complex(c_float_complex), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_2

  subroutine copy_float_complex_2_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_float_complex), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_2_to_address

  subroutine copy_float_complex_2_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_2_from_address

  subroutine copy_float_complex_3(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :)
    complex(c_float_complex), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_3

  subroutine copy_float_complex_3_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_float_complex), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_3_to_address

  subroutine copy_float_complex_3_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_3_from_address

  subroutine copy_float_complex_4(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :, :)
    complex(c_float_complex), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_4

  subroutine copy_float_complex_4_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_float_complex), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_4_to_address

  subroutine copy_float_complex_4_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_4_from_address

  subroutine copy_float_complex_5(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :, :, :)
    complex(c_float_complex), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_5

  subroutine copy_float_complex_5_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_float_complex), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_5_to_address

  subroutine copy_float_complex_5_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_5_from_address

  subroutine copy_float_complex_6(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :, :, :, :)
    complex(c_float_complex), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_6

  subroutine copy_float_complex_6_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_float_complex), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_6_to_address

  subroutine copy_float_complex_6_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_6_from_address

  subroutine copy_float_complex_7(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :, :, :, :, :)
    complex(c_float_complex), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_7

  subroutine copy_float_complex_7_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_float_complex), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_7_to_address

  subroutine copy_float_complex_7_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_float_complex), intent(inout), target :: dest(:, :, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_float_complex_7_from_address

  subroutine copy_double_complex_0(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest
    complex(c_double_complex), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_0

  subroutine copy_double_complex_0_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_double_complex), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_0_to_address

  subroutine copy_double_complex_0_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_0_from_address

  subroutine copy_double_complex_1(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:)
    complex(c_double_complex), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_1

  subroutine copy_double_complex_1_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_double_complex), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_1_to_address

  subroutine copy_double_complex_1_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_1_from_address

  subroutine copy_double_complex_2(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :)
    complex(c_double_complex), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_2

  subroutine copy_double_complex_2_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_double_complex), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_2_to_address

  subroutine copy_double_complex_2_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_2_from_address

  subroutine copy_double_complex_3(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :)
    complex(c_double_complex), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_3

  subroutine copy_double_complex_3_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_double_complex), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_3_to_address

  subroutine copy_double_complex_3_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_3_from_address

  subroutine copy_double_complex_4(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :, :)
    complex(c_double_complex), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_4

  subroutine copy_double_complex_4_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_double_complex), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_4_to_address

  subroutine copy_double_complex_4_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_4_from_address

  subroutine copy_double_complex_5(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :, :, :)
    complex(c_double_complex), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_5

  subroutine copy_double_complex_5_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_double_complex), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_5_to_address

  subroutine copy_double_complex_5_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_5_from_address

  subroutine copy_double_complex_6(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :, :, :, :)
    complex(c_double_complex), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_6

  subroutine copy_double_complex_6_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_double_complex), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_6_to_address

  subroutine copy_double_complex_6_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_6_from_address

  subroutine copy_double_complex_7(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :, :, :, :, :)
    complex(c_double_complex), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_7

  subroutine copy_double_complex_7_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    complex(c_double_complex), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_7_to_address

  subroutine copy_double_complex_7_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    complex(c_double_complex), intent(inout), target :: dest(:, :, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_double_complex_7_from_address

  subroutine copy_bool_0(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest
    logical(c_bool), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_0

  subroutine copy_bool_0_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    logical(c_bool), intent(in), target :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_0_to_address

  subroutine copy_bool_0_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = 1
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_0_from_address

  subroutine copy_bool_1(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:)
    logical(c_bool), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_1

  subroutine copy_bool_1_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    logical(c_bool), intent(in), target :: src(:)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_1_to_address

  subroutine copy_bool_1_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_1_from_address

  subroutine copy_bool_2(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :)
    logical(c_bool), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_2

  subroutine copy_bool_2_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    logical(c_bool), intent(in), target :: src(:, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_2_to_address

  subroutine copy_bool_2_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_2_from_address

  subroutine copy_bool_3(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :)
    logical(c_bool), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_3

  subroutine copy_bool_3_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    logical(c_bool), intent(in), target :: src(:, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_3_to_address

  subroutine copy_bool_3_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_3_from_address

  subroutine copy_bool_4(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :, :)
    logical(c_bool), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_4

  subroutine copy_bool_4_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    logical(c_bool), intent(in), target :: src(:, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_4_to_address

  subroutine copy_bool_4_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_4_from_address

  subroutine copy_bool_5(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :, :, :)
    logical(c_bool), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_5

  subroutine copy_bool_5_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    logical(c_bool), intent(in), target :: src(:, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_5_to_address

  subroutine copy_bool_5_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_5_from_address

  subroutine copy_bool_6(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :, :, :, :)
    logical(c_bool), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_6

  subroutine copy_bool_6_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    logical(c_bool), intent(in), target :: src(:, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_6_to_address

  subroutine copy_bool_6_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_6_from_address

  subroutine copy_bool_7(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :, :, :, :, :)
    logical(c_bool), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (shapes_differ(shape(dest, c_int64_t), shape(src, c_int64_t), stat, errmsg)) return
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), c_loc(src), &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_7

  subroutine copy_bool_7_to_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: dest
    logical(c_bool), intent(in), target :: src(:, :, :, :, :, :, :)
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(src, kind=c_int64_t)
    if (has_gaps(is_contiguous(src), elements, CADASTRE_INVALID_ARG_3, stat, errmsg)) return
    call copy_bytes(context, dest, c_loc(src), &
      elements*(storage_size(src, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_7_to_address

  subroutine copy_bool_7_from_address(context, dest, src, queue, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    logical(c_bool), intent(inout), target :: dest(:, :, :, :, :, :, :)
    type(c_ptr), intent(in) :: src
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements

    elements = size(dest, kind=c_int64_t)
    if (has_gaps(is_contiguous(dest), elements, CADASTRE_INVALID_ARG_2, stat, errmsg)) return
    call copy_bytes(context, c_loc(dest), src, &
      elements*(storage_size(dest, c_int64_t)/8), queue, stat, errmsg)
  end subroutine copy_bool_7_from_address


  subroutine start(lease)
    type(cadastre_lease), intent(inout) :: lease

    lease%pass = outside
    lease%array = 0
    lease%sizes = [integer(c_size_t) ::]
    lease%exit_code = CADASTRE_SUCCESS
    lease%message = ''
    if (lease%handle /= CADASTRE_NULL_LEASE) call note(lease, CADASTRE_LEASE_ALIVE, &
      'cadastre_acquire: the lease is alive, with the handle '//text(lease%handle)//'; release it before it is used again')
  end subroutine start

  subroutine note(lease, exit_code, message)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), intent(in) :: exit_code
    character(len=*), intent(in) :: message

    if (lease%exit_code /= CADASTRE_SUCCESS) return
    lease%exit_code = exit_code
    lease%message = message
  end subroutine note

  ! Stores why the library failed, with the Fortran arguments to report for an invalid memory type and
  ! for too many bytes.
  subroutine note_refusal(context, lease, of_type, of_bytes)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), intent(in) :: of_type, of_bytes
    type(cadastre_error_struct) :: error
    integer(c_int32_t) :: exit_code

    exit_code = cadastre_last_error(context, error)
    select case (error%reason)
    case (CADASTRE_REASON_INVALID_MEMORY_TYPE)
      exit_code = of_type
    case (CADASTRE_REASON_SIZE_OVERFLOW)
      exit_code = of_bytes
    case default
      exit_code = code_for_fortran(error)
    end select
    call note(lease, exit_code, string_in(error%message))
  end subroutine note_refusal

  ! Acquires buffers of lease%sizes, or stores why that failed.
  subroutine acquire_sizes(context, lease, type, queue, of_type, of_bytes)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(in) :: of_type, of_bytes
    integer(c_int32_t) :: memory
    type(c_ptr) :: on

    memory = CADASTRE_DEFAULT_WORKSPACE_TYPE
    if (present(type)) memory = type
    on = CADASTRE_DEFAULT_QUEUE
    if (present(queue)) on = queue
    if (allocated(lease%addresses)) deallocate (lease%addresses)
    allocate (lease%addresses(size(lease%sizes)))
    if (cadastre_workspace_acquire_on_queue(context, memory, on, size(lease%sizes, kind=c_size_t), lease%sizes, &
      lease%addresses, lease%handle) /= CADASTRE_SUCCESS) &
      call note_refusal(context, lease, of_type, of_bytes)
  end subroutine acquire_sizes

  function address_in(lease, array) result(address)
    type(cadastre_lease), intent(in) :: lease
    integer, intent(in) :: array
    type(c_ptr) :: address

    address = lease%addresses(array)
    if (lease%sizes(array) == 0) address = c_loc(nowhere)
  end function address_in

  ! do while (cadastre_acquiring(context, lease [, type] [, queue] [, stat] [, errmsg]))
  !   call cadastre_acquire(lease, array, shape [, lower])
  !   ...
  ! end do
  !
  ! Acquires all the arrays that the body of the loop names, as one lease. After the loop, either stat
  ! is CADASTRE_SUCCESS and the pointers are associated, or nothing is acquired and the pointers are
  ! null(). The body is executed several times; it must contain nothing but calls of
  ! cadastre_acquire. Without stat, a failure stops the program.
  !
  ! In a size query nothing is acquired: the sizes of the arrays are passed to
  ! cadastre_workspace_set_optimal_size, and stat is its result, SIZE_INCREASED or SIZE_UNCHANGED.
  !
  ! lease: a variable that holds no lease.
  ! type, queue: as in cadastre_workspace_acquire_on_queue; by default the context's default
  !   workspace type, which may be DEVICE, and its default queue.
  ! stat, errmsg: as in cadastre_allocate. stat is an exit code of
  !   cadastre_workspace_acquire_on_queue; INVALID_ARG_2 for an array of the loop whose shape or lower
  !   bounds are invalid or differ between the passes, and for sizes that exceed the largest possible
  !   allocation; INVALID_ARG_3 for type; or LEASE_ALIVE for a lease that was not released.
  function cadastre_acquiring(context, lease, type, queue, stat, errmsg) result(again)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: again
    integer(c_int32_t) :: exit_code

    if (present(stat)) stat = CADASTRE_SUCCESS
    again = .true.
    select case (lease%pass)
    case (outside)
      call start(lease)
      lease%pass = noting
    case (noting)
      if (lease%exit_code == CADASTRE_SUCCESS) call acquire_or_report(context, lease, type, queue)
      again = lease%exit_code == CADASTRE_SUCCESS
      lease%pass = pointing
      lease%array = 0
    case (pointing)
      if (lease%array < size(lease%sizes)) call note(lease, CADASTRE_INVALID_ARG_2, &
        'cadastre_acquiring: the loop named fewer arrays in its second pass; name the same arrays in each')
      again = lease%exit_code /= CADASTRE_SUCCESS
      if (again) exit_code = cadastre_workspace_release(context, lease%handle)
      if (again) lease%handle = CADASTRE_NULL_LEASE
      lease%pass = withdrawing
    case default
      again = .false.
    end select
    if (again) return
    lease%pass = outside
    call set_status(lease%exit_code, lease%message, stat, errmsg)
  end function cadastre_acquiring

  subroutine acquire_or_report(context, lease, type, queue)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t) :: exit_code

    if (cadastre_workspace_is_size_query(context) == 0) then
      call acquire_sizes(context, lease, type, queue, of_type=CADASTRE_INVALID_ARG_3, &
        of_bytes=CADASTRE_INVALID_ARG_2)
      return
    end if
    exit_code = cadastre_workspace_set_optimal_size(context, lease%sizes)
    if (exit_code == CADASTRE_SIZE_INCREASED .or. exit_code == CADASTRE_SIZE_UNCHANGED) then
      call note(lease, exit_code, &
        'cadastre_acquiring: nothing is acquired in a size query; stat is the result of the query')
    else
      call note_refusal(context, lease, of_type=exit_code, of_bytes=CADASTRE_INVALID_ARG_2)
    end if
  end subroutine acquire_or_report

  function set_optimal_sizes(context, sizes) result(exit_code)
    integer(c_int64_t), intent(in) :: context
    integer(c_size_t), intent(in) :: sizes(:)
    integer(c_int32_t) :: exit_code

    exit_code = cadastre_workspace_set_optimal_size(context, size(sizes, kind=c_size_t), sizes)
  end function set_optimal_sizes

  ! if (cadastre_return_if_size_query(context, exit_code)) return
  !
  ! For the beginning of procedures that need no workspace. If the thread is in a size query of the
  ! context, reports a size of zero to it and returns true; exit_code is then SIZE_UNCHANGED.
  ! Otherwise returns false, and exit_code is SUCCESS.
  function cadastre_return_if_size_query(context, exit_code) result(is_query)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(out) :: exit_code
    logical :: is_query

    exit_code = CADASTRE_SUCCESS
    is_query = cadastre_workspace_is_size_query(context) /= 0
    if (is_query) exit_code = cadastre_workspace_set_optimal_size(context, 0_c_size_t)
  end function cadastre_return_if_size_query

  function next_array(lease, element, extents, first, bounds) result(address)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), intent(in) :: element, extents(:), first(:)
    integer, intent(in) :: bounds
    type(c_ptr) :: address
    character(len=:), allocatable :: message, which
    integer(c_int64_t) :: bytes
    integer(c_int32_t) :: exit_code

    address = c_null_ptr
    if (lease%pass == outside) call set_status(CADASTRE_INVALID_ARG_1, &
      'cadastre_acquire: the call is outside a loop of cadastre_acquiring; '// &
      'pass the context as its first argument')
    if (lease%pass == withdrawing .or. lease%exit_code /= CADASTRE_SUCCESS) return
    lease%array = lease%array + 1
    which = 'cadastre_acquire: array '//text(int(lease%array, c_int64_t))//' of the loop: '
    call measure(element, extents, first, bounds, bytes, exit_code, message)
    if (exit_code /= CADASTRE_SUCCESS) then
      call note(lease, CADASTRE_INVALID_ARG_2, which//message)
    else if (lease%pass == noting) then
      lease%sizes = [lease%sizes, int(bytes, c_size_t)]
    else if (lease%array > size(lease%sizes)) then
      call note(lease, CADASTRE_INVALID_ARG_2, which// &
        'it was not named in the first pass; name the same arrays in each')
    else if (bytes /= lease%sizes(lease%array)) then
      call note(lease, CADASTRE_INVALID_ARG_2, which//'it had '// &
        text(int(lease%sizes(lease%array), c_int64_t))//' bytes in the first pass, and now has '// &
        text(bytes)//'; name the same arrays in each')
    else
      address = address_in(lease, lease%array)
    end if
  end function next_array

  ! Acquires one array, outside a loop.
  function acquire_alone(context, element, extents, first, bounds, lease, type, queue, stat, errmsg) &
      result(address)
    integer(c_int64_t), intent(in) :: context, element, extents(:), first(:)
    integer, intent(in) :: bounds
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    character(len=:), allocatable :: message
    integer(c_int64_t) :: bytes
    integer(c_int32_t) :: exit_code

    address = c_null_ptr
    call measure(element, extents, first, bounds, bytes, exit_code, message)
    if (exit_code == CADASTRE_INVALID_ARG_9) exit_code = CADASTRE_INVALID_ARG_7 ! lower
    if (lease%pass /= outside) then
      call set_status(CADASTRE_INVALID_ARG_4, 'cadastre_acquire: the lease belongs to a loop of cadastre_acquiring; in the '// &
        'loop, pass it as the first argument', stat, errmsg)
      return
    end if
    call start(lease)
    if (exit_code /= CADASTRE_SUCCESS) call note(lease, exit_code, 'cadastre_acquire: '//message)
    if (lease%exit_code == CADASTRE_SUCCESS) then
      lease%sizes = [int(bytes, c_size_t)]
      call acquire_sizes(context, lease, type, queue, of_type=CADASTRE_INVALID_ARG_5, &
        of_bytes=CADASTRE_INVALID_ARG_3)
    end if
    if (lease%exit_code == CADASTRE_SUCCESS) address = address_in(lease, 1)
    call set_status(lease%exit_code, lease%message, stat, errmsg)
  end function acquire_alone

  ! call cadastre_acquire(lease, array, shape [, lower])
  ! call cadastre_acquire(context, array, shape, lease [, type] [, queue] [, lower] [, stat] [, errmsg])
  !
  ! The first form names an array in a loop of cadastre_acquiring. The second form acquires one array,
  ! as a lease of its own; leases are released in reverse order of acquisition.
  !
  ! array: a pointer of rank 1 to 7. In DEVICE memory, the host cannot access its elements. Its address
  !   is a multiple of the workspace's granularity, and its contents are undefined. An array of size
  !   zero is associated.
  ! shape, lower: as in cadastre_allocate.
  ! All other arguments: as in cadastre_acquiring, except that in a size query stat is
  !   SIZE_QUERY_MISMATCH, and that stat is INVALID_ARG_3 for shape, INVALID_ARG_4 for the lease of a
  !   loop, INVALID_ARG_5 for type, INVALID_ARG_7 for lower.
  !
  ! bytes = cadastre_sizeof(array, shape)
  !
  ! Returns the size of such an array in bytes, as an integer(c_size_t), for
  ! cadastre_workspace_set_optimal_size. For an invalid shape the result is so large that the library
  ! rejects it.
  subroutine acquire_int32_1_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int32_1_int32

  subroutine acquire_int32_1_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int32_1_int32_alone

  function bytes_of_int32_1_int32(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_int32_1_int32

  subroutine acquire_int32_1_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int32_1_int64

  subroutine acquire_int32_1_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int32_1_int64_alone

  function bytes_of_int32_1_int64(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_int32_1_int64

  subroutine acquire_int32_1_scalar32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int32_1_scalar32

  subroutine acquire_int32_1_scalar32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int32_1_scalar32_alone

  function bytes_of_int32_1_scalar32(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_int32_1_scalar32

  subroutine acquire_int32_1_scalar64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int32_1_scalar64

  subroutine acquire_int32_1_scalar64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int32_1_scalar64_alone

  function bytes_of_int32_1_scalar64(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_int32_1_scalar64

  subroutine acquire_int32_2_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_int32_2_int32

  subroutine acquire_int32_2_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_int32_2_int32_alone

  function bytes_of_int32_2_int32(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_int32_2_int32

  subroutine acquire_int32_2_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_int32_2_int64

  subroutine acquire_int32_2_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_int32_2_int64_alone

  function bytes_of_int32_2_int64(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_int32_2_int64

  subroutine acquire_int32_3_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_int32_3_int32

  subroutine acquire_int32_3_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_int32_3_int32_alone

  function bytes_of_int32_3_int32(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_int32_3_int32

  subroutine acquire_int32_3_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_int32_3_int64

  subroutine acquire_int32_3_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_int32_3_int64_alone

  function bytes_of_int32_3_int64(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_int32_3_int64

  subroutine acquire_int32_4_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_int32_4_int32

  subroutine acquire_int32_4_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_int32_4_int32_alone

  function bytes_of_int32_4_int32(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_int32_4_int32

  subroutine acquire_int32_4_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_int32_4_int64

  subroutine acquire_int32_4_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_int32_4_int64_alone

  function bytes_of_int32_4_int64(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_int32_4_int64

  subroutine acquire_int32_5_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_int32_5_int32

  subroutine acquire_int32_5_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_int32_5_int32_alone

  function bytes_of_int32_5_int32(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_int32_5_int32

  subroutine acquire_int32_5_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_int32_5_int64

  subroutine acquire_int32_5_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_int32_5_int64_alone

  function bytes_of_int32_5_int64(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_int32_5_int64

  subroutine acquire_int32_6_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_int32_6_int32

  subroutine acquire_int32_6_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_int32_6_int32_alone

  function bytes_of_int32_6_int32(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_int32_6_int32

  subroutine acquire_int32_6_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_int32_6_int64

  subroutine acquire_int32_6_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_int32_6_int64_alone

  function bytes_of_int32_6_int64(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_int32_6_int64

  subroutine acquire_int32_7_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_int32_7_int32

  subroutine acquire_int32_7_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_int32_7_int32_alone

  function bytes_of_int32_7_int32(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_int32_7_int32

  subroutine acquire_int32_7_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_int32_7_int64

  subroutine acquire_int32_7_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_int32_7_int64_alone

  function bytes_of_int32_7_int64(array, shape) result(bytes)
    integer(c_int32_t), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_int32_7_int64

  subroutine acquire_int64_1_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int64_1_int32

  subroutine acquire_int64_1_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int64_1_int32_alone

  function bytes_of_int64_1_int32(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_int64_1_int32

  subroutine acquire_int64_1_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int64_1_int64

  subroutine acquire_int64_1_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int64_1_int64_alone

  function bytes_of_int64_1_int64(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_int64_1_int64

  subroutine acquire_int64_1_scalar32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int64_1_scalar32

  subroutine acquire_int64_1_scalar32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int64_1_scalar32_alone

  function bytes_of_int64_1_scalar32(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_int64_1_scalar32

  subroutine acquire_int64_1_scalar64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int64_1_scalar64

  subroutine acquire_int64_1_scalar64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_int64_1_scalar64_alone

  function bytes_of_int64_1_scalar64(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_int64_1_scalar64

  subroutine acquire_int64_2_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_int64_2_int32

  subroutine acquire_int64_2_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_int64_2_int32_alone

  function bytes_of_int64_2_int32(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_int64_2_int32

  subroutine acquire_int64_2_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_int64_2_int64

  subroutine acquire_int64_2_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_int64_2_int64_alone

  function bytes_of_int64_2_int64(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_int64_2_int64

  subroutine acquire_int64_3_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_int64_3_int32

  subroutine acquire_int64_3_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_int64_3_int32_alone

  function bytes_of_int64_3_int32(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_int64_3_int32

  subroutine acquire_int64_3_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_int64_3_int64

  subroutine acquire_int64_3_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_int64_3_int64_alone

  function bytes_of_int64_3_int64(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_int64_3_int64

  subroutine acquire_int64_4_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_int64_4_int32

  subroutine acquire_int64_4_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_int64_4_int32_alone

  function bytes_of_int64_4_int32(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_int64_4_int32

  subroutine acquire_int64_4_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_int64_4_int64

  subroutine acquire_int64_4_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_int64_4_int64_alone

  function bytes_of_int64_4_int64(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_int64_4_int64

  subroutine acquire_int64_5_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_int64_5_int32

  subroutine acquire_int64_5_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_int64_5_int32_alone

  function bytes_of_int64_5_int32(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_int64_5_int32

  subroutine acquire_int64_5_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_int64_5_int64

  subroutine acquire_int64_5_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_int64_5_int64_alone

  function bytes_of_int64_5_int64(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_int64_5_int64

  subroutine acquire_int64_6_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_int64_6_int32

  subroutine acquire_int64_6_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_int64_6_int32_alone

  function bytes_of_int64_6_int32(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_int64_6_int32

  subroutine acquire_int64_6_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_int64_6_int64

  subroutine acquire_int64_6_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_int64_6_int64_alone

  function bytes_of_int64_6_int64(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_int64_6_int64

  subroutine acquire_int64_7_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_int64_7_int32

  subroutine acquire_int64_7_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_int64_7_int32_alone

  function bytes_of_int64_7_int32(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_int64_7_int32

  subroutine acquire_int64_7_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_int64_7_int64

  subroutine acquire_int64_7_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_int64_7_int64_alone

  function bytes_of_int64_7_int64(array, shape) result(bytes)
    integer(c_int64_t), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_int64_7_int64

  subroutine acquire_float_1_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_1_int32

  subroutine acquire_float_1_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_1_int32_alone

  function bytes_of_float_1_int32(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_float_1_int32

  subroutine acquire_float_1_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_1_int64

  subroutine acquire_float_1_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_1_int64_alone

  function bytes_of_float_1_int64(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_float_1_int64

  subroutine acquire_float_1_scalar32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_1_scalar32

  subroutine acquire_float_1_scalar32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_1_scalar32_alone

  function bytes_of_float_1_scalar32(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_float_1_scalar32

  subroutine acquire_float_1_scalar64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_1_scalar64

  subroutine acquire_float_1_scalar64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_1_scalar64_alone

  function bytes_of_float_1_scalar64(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_float_1_scalar64

  subroutine acquire_float_2_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_float_2_int32

  subroutine acquire_float_2_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_float_2_int32_alone

  function bytes_of_float_2_int32(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_float_2_int32

  subroutine acquire_float_2_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_float_2_int64

  subroutine acquire_float_2_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_float_2_int64_alone

  function bytes_of_float_2_int64(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_float_2_int64

  subroutine acquire_float_3_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_float_3_int32

  subroutine acquire_float_3_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_float_3_int32_alone

  function bytes_of_float_3_int32(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_float_3_int32

  subroutine acquire_float_3_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_float_3_int64

  subroutine acquire_float_3_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_float_3_int64_alone

  function bytes_of_float_3_int64(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_float_3_int64

  subroutine acquire_float_4_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_float_4_int32

  subroutine acquire_float_4_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_float_4_int32_alone

  function bytes_of_float_4_int32(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_float_4_int32

  subroutine acquire_float_4_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_float_4_int64

  subroutine acquire_float_4_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_float_4_int64_alone

  function bytes_of_float_4_int64(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_float_4_int64

  subroutine acquire_float_5_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_float_5_int32

  subroutine acquire_float_5_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_float_5_int32_alone

  function bytes_of_float_5_int32(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_float_5_int32

  subroutine acquire_float_5_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_float_5_int64

  subroutine acquire_float_5_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_float_5_int64_alone

  function bytes_of_float_5_int64(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_float_5_int64

  subroutine acquire_float_6_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_float_6_int32

  subroutine acquire_float_6_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_float_6_int32_alone

  function bytes_of_float_6_int32(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_float_6_int32

  subroutine acquire_float_6_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_float_6_int64

  subroutine acquire_float_6_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_float_6_int64_alone

  function bytes_of_float_6_int64(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_float_6_int64

  subroutine acquire_float_7_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_float_7_int32

  subroutine acquire_float_7_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_float_7_int32_alone

  function bytes_of_float_7_int32(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_float_7_int32

  subroutine acquire_float_7_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_float_7_int64

  subroutine acquire_float_7_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_float_7_int64_alone

  function bytes_of_float_7_int64(array, shape) result(bytes)
    real(c_float), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_float_7_int64

  subroutine acquire_double_1_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_1_int32

  subroutine acquire_double_1_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_1_int32_alone

  function bytes_of_double_1_int32(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_double_1_int32

  subroutine acquire_double_1_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_1_int64

  subroutine acquire_double_1_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_1_int64_alone

  function bytes_of_double_1_int64(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_double_1_int64

  subroutine acquire_double_1_scalar32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_1_scalar32

  subroutine acquire_double_1_scalar32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_1_scalar32_alone

  function bytes_of_double_1_scalar32(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_double_1_scalar32

  subroutine acquire_double_1_scalar64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_1_scalar64

  subroutine acquire_double_1_scalar64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_1_scalar64_alone

  function bytes_of_double_1_scalar64(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_double_1_scalar64

  subroutine acquire_double_2_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_double_2_int32

  subroutine acquire_double_2_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_double_2_int32_alone

  function bytes_of_double_2_int32(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_double_2_int32

  subroutine acquire_double_2_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_double_2_int64

  subroutine acquire_double_2_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_double_2_int64_alone

  function bytes_of_double_2_int64(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_double_2_int64

  subroutine acquire_double_3_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_double_3_int32

  subroutine acquire_double_3_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_double_3_int32_alone

  function bytes_of_double_3_int32(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_double_3_int32

  subroutine acquire_double_3_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_double_3_int64

  subroutine acquire_double_3_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_double_3_int64_alone

  function bytes_of_double_3_int64(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_double_3_int64

  subroutine acquire_double_4_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_double_4_int32

  subroutine acquire_double_4_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_double_4_int32_alone

  function bytes_of_double_4_int32(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_double_4_int32

  subroutine acquire_double_4_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_double_4_int64

  subroutine acquire_double_4_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_double_4_int64_alone

  function bytes_of_double_4_int64(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_double_4_int64

  subroutine acquire_double_5_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_double_5_int32

  subroutine acquire_double_5_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_double_5_int32_alone

  function bytes_of_double_5_int32(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_double_5_int32

  subroutine acquire_double_5_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_double_5_int64

  subroutine acquire_double_5_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_double_5_int64_alone

  function bytes_of_double_5_int64(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_double_5_int64

  subroutine acquire_double_6_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_double_6_int32

  subroutine acquire_double_6_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_double_6_int32_alone

  function bytes_of_double_6_int32(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_double_6_int32

  subroutine acquire_double_6_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_double_6_int64

  subroutine acquire_double_6_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_double_6_int64_alone

  function bytes_of_double_6_int64(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_double_6_int64

  subroutine acquire_double_7_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_double_7_int32

  subroutine acquire_double_7_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_double_7_int32_alone

  function bytes_of_double_7_int32(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_double_7_int32

  subroutine acquire_double_7_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_double_7_int64

  subroutine acquire_double_7_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_double_7_int64_alone

  function bytes_of_double_7_int64(array, shape) result(bytes)
    real(c_double), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_double_7_int64

  subroutine acquire_float_complex_1_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_complex_1_int32

  subroutine acquire_float_complex_1_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_complex_1_int32_alone

  function bytes_of_float_complex_1_int32(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_float_complex_1_int32

  subroutine acquire_float_complex_1_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_complex_1_int64

  subroutine acquire_float_complex_1_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_complex_1_int64_alone

  function bytes_of_float_complex_1_int64(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_float_complex_1_int64

  subroutine acquire_float_complex_1_scalar32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_complex_1_scalar32

  subroutine acquire_float_complex_1_scalar32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_complex_1_scalar32_alone

  function bytes_of_float_complex_1_scalar32(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_float_complex_1_scalar32

  subroutine acquire_float_complex_1_scalar64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_complex_1_scalar64

  subroutine acquire_float_complex_1_scalar64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_float_complex_1_scalar64_alone

  function bytes_of_float_complex_1_scalar64(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_float_complex_1_scalar64

  subroutine acquire_float_complex_2_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_float_complex_2_int32

  subroutine acquire_float_complex_2_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_float_complex_2_int32_alone

  function bytes_of_float_complex_2_int32(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_float_complex_2_int32

  subroutine acquire_float_complex_2_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_float_complex_2_int64

  subroutine acquire_float_complex_2_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_float_complex_2_int64_alone

  function bytes_of_float_complex_2_int64(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_float_complex_2_int64

  subroutine acquire_float_complex_3_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_float_complex_3_int32

  subroutine acquire_float_complex_3_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_float_complex_3_int32_alone

  function bytes_of_float_complex_3_int32(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_float_complex_3_int32

  subroutine acquire_float_complex_3_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_float_complex_3_int64

  subroutine acquire_float_complex_3_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_float_complex_3_int64_alone

  function bytes_of_float_complex_3_int64(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_float_complex_3_int64

  subroutine acquire_float_complex_4_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_float_complex_4_int32

  subroutine acquire_float_complex_4_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_float_complex_4_int32_alone

  function bytes_of_float_complex_4_int32(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_float_complex_4_int32

  subroutine acquire_float_complex_4_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_float_complex_4_int64

  subroutine acquire_float_complex_4_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_float_complex_4_int64_alone

  function bytes_of_float_complex_4_int64(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_float_complex_4_int64

  subroutine acquire_float_complex_5_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_float_complex_5_int32

  subroutine acquire_float_complex_5_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_float_complex_5_int32_alone

  function bytes_of_float_complex_5_int32(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_float_complex_5_int32

  subroutine acquire_float_complex_5_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_float_complex_5_int64

  subroutine acquire_float_complex_5_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_float_complex_5_int64_alone

  function bytes_of_float_complex_5_int64(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_float_complex_5_int64

  subroutine acquire_float_complex_6_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_float_complex_6_int32

  subroutine acquire_float_complex_6_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_float_complex_6_int32_alone

  function bytes_of_float_complex_6_int32(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_float_complex_6_int32

  subroutine acquire_float_complex_6_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_float_complex_6_int64

  subroutine acquire_float_complex_6_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_float_complex_6_int64_alone

  function bytes_of_float_complex_6_int64(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_float_complex_6_int64

  subroutine acquire_float_complex_7_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_float_complex_7_int32

  subroutine acquire_float_complex_7_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_float_complex_7_int32_alone

  function bytes_of_float_complex_7_int32(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_float_complex_7_int32

  subroutine acquire_float_complex_7_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_float_complex_7_int64

  subroutine acquire_float_complex_7_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_float_complex_7_int64_alone

  function bytes_of_float_complex_7_int64(array, shape) result(bytes)
    complex(c_float_complex), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_float_complex_7_int64

  subroutine acquire_double_complex_1_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_complex_1_int32

  subroutine acquire_double_complex_1_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_complex_1_int32_alone

  function bytes_of_double_complex_1_int32(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_double_complex_1_int32

  subroutine acquire_double_complex_1_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_complex_1_int64

  subroutine acquire_double_complex_1_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_complex_1_int64_alone

  function bytes_of_double_complex_1_int64(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_double_complex_1_int64

  subroutine acquire_double_complex_1_scalar32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_complex_1_scalar32

  subroutine acquire_double_complex_1_scalar32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_complex_1_scalar32_alone

  function bytes_of_double_complex_1_scalar32(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_double_complex_1_scalar32

  subroutine acquire_double_complex_1_scalar64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_complex_1_scalar64

  subroutine acquire_double_complex_1_scalar64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_double_complex_1_scalar64_alone

  function bytes_of_double_complex_1_scalar64(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_double_complex_1_scalar64

  subroutine acquire_double_complex_2_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_double_complex_2_int32

  subroutine acquire_double_complex_2_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_double_complex_2_int32_alone

  function bytes_of_double_complex_2_int32(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_double_complex_2_int32

  subroutine acquire_double_complex_2_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_double_complex_2_int64

  subroutine acquire_double_complex_2_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_double_complex_2_int64_alone

  function bytes_of_double_complex_2_int64(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_double_complex_2_int64

  subroutine acquire_double_complex_3_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_double_complex_3_int32

  subroutine acquire_double_complex_3_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_double_complex_3_int32_alone

  function bytes_of_double_complex_3_int32(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_double_complex_3_int32

  subroutine acquire_double_complex_3_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_double_complex_3_int64

  subroutine acquire_double_complex_3_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_double_complex_3_int64_alone

  function bytes_of_double_complex_3_int64(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_double_complex_3_int64

  subroutine acquire_double_complex_4_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_double_complex_4_int32

  subroutine acquire_double_complex_4_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_double_complex_4_int32_alone

  function bytes_of_double_complex_4_int32(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_double_complex_4_int32

  subroutine acquire_double_complex_4_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_double_complex_4_int64

  subroutine acquire_double_complex_4_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_double_complex_4_int64_alone

  function bytes_of_double_complex_4_int64(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_double_complex_4_int64

  subroutine acquire_double_complex_5_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_double_complex_5_int32

  subroutine acquire_double_complex_5_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_double_complex_5_int32_alone

  function bytes_of_double_complex_5_int32(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_double_complex_5_int32

  subroutine acquire_double_complex_5_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_double_complex_5_int64

  subroutine acquire_double_complex_5_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_double_complex_5_int64_alone

  function bytes_of_double_complex_5_int64(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_double_complex_5_int64

  subroutine acquire_double_complex_6_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_double_complex_6_int32

  subroutine acquire_double_complex_6_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_double_complex_6_int32_alone

  function bytes_of_double_complex_6_int32(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_double_complex_6_int32

  subroutine acquire_double_complex_6_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_double_complex_6_int64

  subroutine acquire_double_complex_6_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_double_complex_6_int64_alone

  function bytes_of_double_complex_6_int64(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_double_complex_6_int64

  subroutine acquire_double_complex_7_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_double_complex_7_int32

  subroutine acquire_double_complex_7_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_double_complex_7_int32_alone

  function bytes_of_double_complex_7_int32(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_double_complex_7_int32

  subroutine acquire_double_complex_7_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_double_complex_7_int64

  subroutine acquire_double_complex_7_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_double_complex_7_int64_alone

  function bytes_of_double_complex_7_int64(array, shape) result(bytes)
    complex(c_double_complex), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_double_complex_7_int64

  subroutine acquire_bool_1_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_bool_1_int32

  subroutine acquire_bool_1_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_bool_1_int32_alone

  function bytes_of_bool_1_int32(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_bool_1_int32

  subroutine acquire_bool_1_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_bool_1_int64

  subroutine acquire_bool_1_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_bool_1_int64_alone

  function bytes_of_bool_1_int64(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_bool_1_int64

  subroutine acquire_bool_1_scalar32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_bool_1_scalar32

  subroutine acquire_bool_1_scalar32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_int32_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_bool_1_scalar32_alone

  function bytes_of_bool_1_scalar32(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:)
    integer(c_int32_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_bool_1_scalar32

  subroutine acquire_bool_1_scalar64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_bool_1_scalar64

  subroutine acquire_bool_1_scalar64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_int64_t), intent(in), optional :: lower
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(1), first(1)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 1
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 1) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):) => array
  end subroutine acquire_bool_1_scalar64_alone

  function bytes_of_bool_1_scalar64(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:)
    integer(c_int64_t), intent(in) :: shape
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 1)
  end function bytes_of_bool_1_scalar64

  subroutine acquire_bool_2_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_bool_2_int32

  subroutine acquire_bool_2_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_bool_2_int32_alone

  function bytes_of_bool_2_int32(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_bool_2_int32

  subroutine acquire_bool_2_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_bool_2_int64

  subroutine acquire_bool_2_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(2)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 2
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 2) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):) => array
  end subroutine acquire_bool_2_int64_alone

  function bytes_of_bool_2_int64(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 2)
  end function bytes_of_bool_2_int64

  subroutine acquire_bool_3_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_bool_3_int32

  subroutine acquire_bool_3_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_bool_3_int32_alone

  function bytes_of_bool_3_int32(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_bool_3_int32

  subroutine acquire_bool_3_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_bool_3_int64

  subroutine acquire_bool_3_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(3)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 3
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 3) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):) => array
  end subroutine acquire_bool_3_int64_alone

  function bytes_of_bool_3_int64(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 3)
  end function bytes_of_bool_3_int64

  subroutine acquire_bool_4_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_bool_4_int32

  subroutine acquire_bool_4_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_bool_4_int32_alone

  function bytes_of_bool_4_int32(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_bool_4_int32

  subroutine acquire_bool_4_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_bool_4_int64

  subroutine acquire_bool_4_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(4)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 4
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 4) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):) => array
  end subroutine acquire_bool_4_int64_alone

  function bytes_of_bool_4_int64(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 4)
  end function bytes_of_bool_4_int64

  subroutine acquire_bool_5_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_bool_5_int32

  subroutine acquire_bool_5_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_bool_5_int32_alone

  function bytes_of_bool_5_int32(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_bool_5_int32

  subroutine acquire_bool_5_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_bool_5_int64

  subroutine acquire_bool_5_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(5)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 5
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 5) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):) => array
  end subroutine acquire_bool_5_int64_alone

  function bytes_of_bool_5_int64(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 5)
  end function bytes_of_bool_5_int64

  subroutine acquire_bool_6_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_bool_6_int32

  subroutine acquire_bool_6_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_bool_6_int32_alone

  function bytes_of_bool_6_int32(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_bool_6_int32

  subroutine acquire_bool_6_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_bool_6_int64

  subroutine acquire_bool_6_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(6)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 6
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 6) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):) => array
  end subroutine acquire_bool_6_int64_alone

  function bytes_of_bool_6_int64(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 6)
  end function bytes_of_bool_6_int64

  subroutine acquire_bool_7_int32(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_bool_7_int32

  subroutine acquire_bool_7_int32_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_int32_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_bool_7_int32_alone

  function bytes_of_bool_7_int32(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_bool_7_int32

  subroutine acquire_bool_7_int64(lease, array, shape, lower)
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = next_array(lease, storage_size(array, c_int64_t)/8, extents, first, bounds)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_bool_7_int64

  subroutine acquire_bool_7_int64_alone(context, array, shape, lease, type, queue, lower, &
      stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(out) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_int64_t), intent(in), optional :: lower(:)
    integer(c_int32_t), intent(in), optional :: type
    type(c_ptr), intent(in), optional :: queue
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(size(shape)), first(7)
    integer :: bounds
    type(c_ptr) :: address

    nullify (array)
    extents = int([shape], c_int64_t)
    bounds = 7
    first = 1
    if (present(lower)) then
      bounds = size([lower])
      if (bounds == 7) first = int([lower], c_int64_t)
    end if
    address = acquire_alone(context, storage_size(array, c_int64_t)/8, extents, first, bounds, lease, &
      type, queue, stat, errmsg)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, array, extents)
    array(first(1):, first(2):, first(3):, first(4):, first(5):, first(6):, first(7):) => array
  end subroutine acquire_bool_7_int64_alone

  function bytes_of_bool_7_int64(array, shape) result(bytes)
    logical(c_bool), pointer, intent(in) :: array(:, :, :, :, :, :, :)
    integer(c_int64_t), intent(in) :: shape(:)
    integer(c_size_t) :: bytes

    bytes = bytes_of(storage_size(array, c_int64_t)/8, int([shape], c_int64_t), 7)
  end function bytes_of_bool_7_int64

  function bytes_of(element, extents, rank) result(bytes)
    integer(c_int64_t), intent(in) :: element, extents(:)
    integer, intent(in) :: rank
    integer(c_size_t) :: bytes
    integer(c_int64_t) :: first(rank), product
    integer(c_int32_t) :: exit_code
    character(len=:), allocatable :: message

    first = 1
    call measure(element, extents, first, rank, product, exit_code, message)
    bytes = huge(bytes)
    if (exit_code == CADASTRE_SUCCESS) bytes = int(product, c_size_t)
  end function bytes_of

  ! call cadastre_release(context, lease [, stat] [, errmsg])
  ! call cadastre_release(context, lease, array [, stat] [, errmsg])
  !
  ! Releases a lease. Without stat, a failure stops the program.
  !
  ! lease: alive, and the most recent one of its workspace.
  ! array: becomes null() when the lease is released; other pointers into the lease dangle afterwards.
  ! stat, errmsg: as in cadastre_allocate; stat is the exit code of cadastre_workspace_release.
  subroutine release_lease(context, lease, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: exit_code
    character(len=:), allocatable :: message

    exit_code = cadastre_workspace_release(context, lease%handle)
    message = ''
    if (exit_code /= CADASTRE_SUCCESS) message = cadastre_last_error_message(context)
    if (any(exit_code == [CADASTRE_SUCCESS, CADASTRE_DEALLOCATION_FAILED, CADASTRE_FAILURE])) then
      lease%handle = CADASTRE_NULL_LEASE
      lease%pass = outside
    end if
    call set_status(exit_code, message, stat, errmsg)
  end subroutine release_lease

  subroutine release_int32_1(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int32_1

  subroutine release_int32_2(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int32_2

  subroutine release_int32_3(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int32_3

  subroutine release_int32_4(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int32_4

  subroutine release_int32_5(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int32_5

  subroutine release_int32_6(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int32_6

  subroutine release_int32_7(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int32_t), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int32_7

  subroutine release_int64_1(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int64_1

  subroutine release_int64_2(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int64_2

  subroutine release_int64_3(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int64_3

  subroutine release_int64_4(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int64_4

  subroutine release_int64_5(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int64_5

  subroutine release_int64_6(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int64_6

  subroutine release_int64_7(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    integer(c_int64_t), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_int64_7

  subroutine release_float_1(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_1

  subroutine release_float_2(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_2

  subroutine release_float_3(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_3

  subroutine release_float_4(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_4

  subroutine release_float_5(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_5

  subroutine release_float_6(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_6

  subroutine release_float_7(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_float), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_7

  subroutine release_double_1(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_1

  subroutine release_double_2(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_2

  subroutine release_double_3(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_3

  subroutine release_double_4(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_4

  subroutine release_double_5(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_5

  subroutine release_double_6(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_6

  subroutine release_double_7(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    real(c_double), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_7

  subroutine release_float_complex_1(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_complex_1

  subroutine release_float_complex_2(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_complex_2

  subroutine release_float_complex_3(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_complex_3

  subroutine release_float_complex_4(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_complex_4

  subroutine release_float_complex_5(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_complex_5

  subroutine release_float_complex_6(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_complex_6

  subroutine release_float_complex_7(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_float_complex), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_float_complex_7

  subroutine release_double_complex_1(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_complex_1

  subroutine release_double_complex_2(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_complex_2

  subroutine release_double_complex_3(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_complex_3

  subroutine release_double_complex_4(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_complex_4

  subroutine release_double_complex_5(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_complex_5

  subroutine release_double_complex_6(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_complex_6

  subroutine release_double_complex_7(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    complex(c_double_complex), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_double_complex_7

  subroutine release_bool_1(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(inout) :: array(:)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_bool_1

  subroutine release_bool_2(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(inout) :: array(:, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_bool_2

  subroutine release_bool_3(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(inout) :: array(:, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_bool_3

  subroutine release_bool_4(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(inout) :: array(:, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_bool_4

  subroutine release_bool_5(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(inout) :: array(:, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_bool_5

  subroutine release_bool_6(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(inout) :: array(:, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_bool_6

  subroutine release_bool_7(context, lease, array, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(cadastre_lease), intent(inout) :: lease
    logical(c_bool), pointer, intent(inout) :: array(:, :, :, :, :, :, :)
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    call release_lease(context, lease, stat, errmsg)
    if (lease%handle == CADASTRE_NULL_LEASE) nullify (array)
  end subroutine release_bool_7


  ! call cadastre_report_to_file(context, filename [, format] [, stat] [, errmsg])
  ! call cadastre_print_report(context [, format] [, stat] [, errmsg])
  !
  ! Write the report to a file, or to the program's output. Without stat, a failure stops the program.
  !
  ! format: CADASTRE_REPORT_TEXT by default.
  ! stat, errmsg: as in cadastre_allocate; stat is the exit code of cadastre_report, or CADASTRE_ERRNO
  !   if the file cannot be opened or written.
  subroutine cadastre_report_to_file(context, filename, format, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    character(len=*), intent(in) :: filename
    integer(c_int32_t), intent(in), optional :: format
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: stream

    stream = c_null_ptr
    if (cadastre_context_check(context) /= CADASTRE_NULL_CONTEXT) &
      stream = c_fopen(trim(filename)//c_null_char, 'w'//c_null_char)
    call write_report(context, stream, 'the file '//trim(filename), format, stat, errmsg)
  end subroutine cadastre_report_to_file

  subroutine cadastre_print_report(context, format, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    integer(c_int32_t), intent(in), optional :: format
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int), parameter :: output = 1

    flush (output_unit)
    call write_report(context, c_fdopen(c_dup(output), 'w'//c_null_char), 'the output', format, &
      stat, errmsg)
  end subroutine cadastre_print_report

  subroutine write_report(context, stream, name, format, stat, errmsg)
    integer(c_int64_t), intent(in) :: context
    type(c_ptr), intent(in) :: stream
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in), optional :: format
    integer(c_int32_t), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), allocatable :: message
    integer(c_int32_t) :: exit_code, form

    form = CADASTRE_REPORT_TEXT
    if (present(format)) form = format
    exit_code = cadastre_report(context, stream, form)
    message = cadastre_last_error_message(context)
    if (c_associated(stream)) then
      if (c_fclose(stream) /= 0 .and. exit_code == CADASTRE_SUCCESS) then
        exit_code = CADASTRE_ERRNO
        message = 'cadastre_report: '//name//' could not be written completely; check the free space'
      end if
    else if (exit_code /= CADASTRE_INVALID_CONTEXT) then
      exit_code = CADASTRE_ERRNO
      message = 'cadastre_report: '//name//' cannot be opened for writing; check the path and the permissions'
    end if
    call set_status(exit_code, message, stat, errmsg)
  end subroutine write_report

end module cadastre
