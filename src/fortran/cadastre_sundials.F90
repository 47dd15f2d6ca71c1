! Tangled from org/fortran/sundials.org; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
! A SUNMemoryHelper whose memory comes from a context; for SUNDIALS 6 and 7. The functions are described in
! cadastre_sundials.h.
module cadastre_sundials
  use, intrinsic :: iso_c_binding
  implicit none
  private

  ! The first members of a SUNMemory, which every version has. own: 1 if it owns its memory.
  type, bind(c), public :: SUNMemory
    type(c_ptr) :: ptr
    integer(c_int) :: type
    integer(c_int) :: own
  end type SUNMemory

  public :: SUNMemoryHelper_Cadastre, SUNMemoryHelper_Clone_Cadastre, SUNMemoryHelper_Destroy_Cadastre
  public :: SUNMemoryHelper_Alloc_Cadastre, SUNMemoryHelper_AllocStrided_Cadastre, SUNMemoryHelper_Dealloc_Cadastre
  public :: SUNMemoryHelper_Copy_Cadastre, SUNMemoryHelper_CopyAsync_Cadastre
  public :: SUNMemoryHelper_GetAllocStats_Cadastre, SUNMemoryHelper_SetDefaultQueue_Cadastre
  public :: SUNMemoryHelper_SetLabel_Cadastre, SUNMemoryHelper_SetTemporary_Cadastre
  public :: SUNMemoryHelper_Alias_Cadastre, SUNMemoryHelper_Wrap_Cadastre

  interface
    function SUNMemoryHelper_Cadastre(context, sunctx) bind(c, name='SUNMemoryHelper_Cadastre') result(helper)
      import
      integer(c_int64_t), value :: context
      type(c_ptr), value :: sunctx
      type(c_ptr) :: helper
    end function SUNMemoryHelper_Cadastre

    function SUNMemoryHelper_Clone_Cadastre(helper) bind(c, name='SUNMemoryHelper_Clone_Cadastre') result(clone)
      import
      type(c_ptr), value :: helper
      type(c_ptr) :: clone
    end function SUNMemoryHelper_Clone_Cadastre

    function SUNMemoryHelper_Destroy_Cadastre(helper) bind(c, name='SUNMemoryHelper_Destroy_Cadastre') result(code)
      import
      type(c_ptr), value :: helper
      integer(c_int) :: code
    end function SUNMemoryHelper_Destroy_Cadastre

    function SUNMemoryHelper_Alloc_Cadastre(helper, memptr, mem_size, mem_type, queue) &
        bind(c, name='SUNMemoryHelper_Alloc_Cadastre') result(code)
      import
      type(c_ptr), value :: helper
      type(c_ptr), intent(inout) :: memptr
      integer(c_size_t), value :: mem_size
      integer(c_int), value :: mem_type
      type(c_ptr), value :: queue
      integer(c_int) :: code
    end function SUNMemoryHelper_Alloc_Cadastre

    function SUNMemoryHelper_AllocStrided_Cadastre(helper, memptr, mem_size, stride, mem_type, queue) &
        bind(c, name='SUNMemoryHelper_AllocStrided_Cadastre') result(code)
      import
      type(c_ptr), value :: helper
      type(c_ptr), intent(inout) :: memptr
      integer(c_size_t), value :: mem_size, stride
      integer(c_int), value :: mem_type
      type(c_ptr), value :: queue
      integer(c_int) :: code
    end function SUNMemoryHelper_AllocStrided_Cadastre

    function SUNMemoryHelper_Dealloc_Cadastre(helper, mem, queue) &
        bind(c, name='SUNMemoryHelper_Dealloc_Cadastre') result(code)
      import
      type(c_ptr), value :: helper, mem, queue
      integer(c_int) :: code
    end function SUNMemoryHelper_Dealloc_Cadastre

    function SUNMemoryHelper_Copy_Cadastre(helper, dst, src, mem_size, queue) &
        bind(c, name='SUNMemoryHelper_Copy_Cadastre') result(code)
      import
      type(c_ptr), value :: helper, dst, src
      integer(c_size_t), value :: mem_size
      type(c_ptr), value :: queue
      integer(c_int) :: code
    end function SUNMemoryHelper_Copy_Cadastre

    function SUNMemoryHelper_CopyAsync_Cadastre(helper, dst, src, mem_size, queue) &
        bind(c, name='SUNMemoryHelper_CopyAsync_Cadastre') result(code)
      import
      type(c_ptr), value :: helper, dst, src
      integer(c_size_t), value :: mem_size
      type(c_ptr), value :: queue
      integer(c_int) :: code
    end function SUNMemoryHelper_CopyAsync_Cadastre

    function SUNMemoryHelper_GetAllocStats_Cadastre(helper, mem_type, num_allocations, num_deallocations, &
        bytes_allocated, bytes_high_watermark) &
        bind(c, name='SUNMemoryHelper_GetAllocStats_Cadastre') result(code)
      import
      type(c_ptr), value :: helper
      integer(c_int), value :: mem_type
      integer(c_long), intent(inout) :: num_allocations, num_deallocations
      integer(c_size_t), intent(inout) :: bytes_allocated, bytes_high_watermark
      integer(c_int) :: code
    end function SUNMemoryHelper_GetAllocStats_Cadastre

    function SUNMemoryHelper_SetDefaultQueue_Cadastre(helper, queue) &
        bind(c, name='SUNMemoryHelper_SetDefaultQueue_Cadastre') result(code)
      import
      type(c_ptr), value :: helper, queue
      integer(c_int) :: code
    end function SUNMemoryHelper_SetDefaultQueue_Cadastre

    ! label: ends with c_null_char.
    function SUNMemoryHelper_SetLabel_Cadastre(helper, label) &
        bind(c, name='SUNMemoryHelper_SetLabel_Cadastre') result(code)
      import
      type(c_ptr), value :: helper
      character(kind=c_char), intent(in) :: label(*)
      integer(c_int) :: code
    end function SUNMemoryHelper_SetLabel_Cadastre

    ! temporary: 1 for leases of a workspace, 0 for blocks.
    function SUNMemoryHelper_SetTemporary_Cadastre(helper, temporary) &
        bind(c, name='SUNMemoryHelper_SetTemporary_Cadastre') result(code)
      import
      type(c_ptr), value :: helper
      integer(c_int), value :: temporary
      integer(c_int) :: code
    end function SUNMemoryHelper_SetTemporary_Cadastre

    function SUNMemoryHelper_Alias_Cadastre(helper, mem) bind(c, name='SUNMemoryHelper_Alias_Cadastre') result(alias)
      import
      type(c_ptr), value :: helper, mem
      type(c_ptr) :: alias
    end function SUNMemoryHelper_Alias_Cadastre

    function SUNMemoryHelper_Wrap_Cadastre(helper, ptr, mem_type) &
        bind(c, name='SUNMemoryHelper_Wrap_Cadastre') result(mem)
      import
      type(c_ptr), value :: helper, ptr
      integer(c_int), value :: mem_type
      type(c_ptr) :: mem
    end function SUNMemoryHelper_Wrap_Cadastre
  end interface
end module cadastre_sundials
