! Tangled from org/tests/sundials_fortran_claims.org; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
! Claims on the helper from Fortran.
program test_sundials_fortran
  use, intrinsic :: iso_c_binding
  use cadastre
  use cadastre_sundials
  implicit none

  interface
    function companion_context() bind(c) result(sunctx)
      import :: c_ptr
      type(c_ptr) :: sunctx
    end function companion_context
    subroutine companion_free(sunctx) bind(c)
      import :: c_ptr
      type(c_ptr), value :: sunctx
    end subroutine companion_free
    function companion_size_of_start() bind(c) result(size)
      import :: c_int
      integer(c_int) :: size
    end function companion_size_of_start
  end interface

  integer(c_size_t), parameter :: bytes = 80
  integer :: claims = 0
  integer(c_int) :: code
  integer(c_int64_t) :: context
  type(c_ptr) :: sunctx, helper, clone, memory, alias, strided, host
  type(SUNMemory), pointer :: object
  type(SUNMemory) :: start
  real(c_double), pointer :: x(:)
  real(c_double), target :: here(10)

  context = cadastre_context_create()
  sunctx = companion_context()
  helper = SUNMemoryHelper_Cadastre(context=context, sunctx=sunctx)
  call claim(c_associated(helper), 'a context gives a helper')
  call claim(.not. c_associated(SUNMemoryHelper_Cadastre(context + 12345, sunctx)), 'what is no context gives none')
  call claim(int(c_sizeof(start)) == companion_size_of_start(), 'the start of a memory object is as C has it')

  memory = c_null_ptr
  call claim(SUNMemoryHelper_SetLabel_Cadastre(helper=helper, label='from Fortran'//c_null_char) == 0, 'a label is set')
  call claim(SUNMemoryHelper_Alloc_Cadastre(helper=helper, memptr=memory, mem_size=bytes, &
    mem_type=CADASTRE_HOST, queue=c_null_ptr) == 0, 'memory is allocated')
  call c_f_pointer(memory, object)
  call claim(object%type == CADASTRE_HOST .and. object%own == 1, 'its object owns it and has its type')
  call claim(registered_bytes(object%ptr) == bytes, 'it is in the registry')
  call c_f_pointer(object%ptr, x, [10])
  x = 3
  here = 0
  host = SUNMemoryHelper_Wrap_Cadastre(helper=helper, ptr=c_loc(here), mem_type=CADASTRE_HOST)
  code = SUNMemoryHelper_Copy_Cadastre(helper=helper, dst=host, src=memory, mem_size=bytes, queue=c_null_ptr)
  call claim(code == 0 .and. all(here == 3), 'it is copied')
  here = 4
  call claim(SUNMemoryHelper_CopyAsync_Cadastre(helper=helper, dst=memory, src=host, mem_size=bytes, &
    queue=c_null_ptr) == 0, 'and copied back')
  code = cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE)
  call claim(code == CADASTRE_SUCCESS .and. all(x == 4), 'as it is')
  here = 5
  code = SUNMemoryHelper_Copy_Cadastre(helper, memory, host, bytes + 1, c_null_ptr)
  call claim(code /= 0 .and. all(x == 4), 'not behind its end')
  call claim_counts(helper, 1, 0, 80, 80)

  clone = SUNMemoryHelper_Clone_Cadastre(helper=helper)
  strided = c_null_ptr
  call claim(SUNMemoryHelper_AllocStrided_Cadastre(helper=clone, memptr=strided, mem_size=bytes, &
    stride=16_c_size_t, mem_type=CADASTRE_HOST, queue=c_null_ptr) == 0, &
    'a clone allocates with a stride')
  alias = SUNMemoryHelper_Alias_Cadastre(helper=clone, mem=strided)
  call c_f_pointer(alias, object)
  call claim(object%own == 0, 'an alias owns nothing')
  call claim(SUNMemoryHelper_SetDefaultQueue_Cadastre(helper=clone, queue=c_null_ptr) == 0, 'a default queue is set')
  call claim(SUNMemoryHelper_Dealloc_Cadastre(helper=clone, mem=alias, queue=c_null_ptr) == 0, 'an alias is freed')
  call claim(SUNMemoryHelper_Dealloc_Cadastre(clone, strided, c_null_ptr) == 0, 'what a clone allocated is freed')
  call claim_counts(clone, 1, 1, 0, 80)
  call claim(SUNMemoryHelper_Dealloc_Cadastre(helper, host, c_null_ptr) == 0, 'what is wrapped is freed')
  call claim(SUNMemoryHelper_Dealloc_Cadastre(helper, memory, c_null_ptr) == 0, 'memory is freed')
  call claim_counts(helper, 1, 1, 0, 80)
  call claim(SUNMemoryHelper_SetTemporary_Cadastre(helper=clone, temporary=1_c_int) == 0, 'a clone is for temporaries')
  code = SUNMemoryHelper_Alloc_Cadastre(clone, memory, bytes, CADASTRE_HOST, c_null_ptr)
  call claim(code == 0 .and. live_leases() == 1, 'its memory is leased')
  code = SUNMemoryHelper_Dealloc_Cadastre(clone, memory, c_null_ptr)
  call claim(code == 0 .and. live_leases() == 0, 'and released')
  call claim(SUNMemoryHelper_SetTemporary_Cadastre(clone, 2_c_int) /= 0, 'there is no third way')
  call claim(SUNMemoryHelper_Destroy_Cadastre(clone) == 0, 'a clone is destroyed')
  call claim(SUNMemoryHelper_Destroy_Cadastre(helper=helper) == 0, 'a helper is destroyed')
  call companion_free(sunctx)
  call claim(cadastre_context_destroy(context) == CADASTRE_SUCCESS, 'nothing is left')
  print '("1..", i0)', claims

contains

  subroutine claim(holds, sentence)
    logical, intent(in) :: holds
    character(*), intent(in) :: sentence
    claims = claims + 1
    if (holds) then
      print '("ok ", i0, " - ", a)', claims, sentence
    else
      print '("not ok ", i0, " - ", a)', claims, sentence
    end if
  end subroutine claim

  function registered_bytes(address) result(size)
    type(c_ptr), intent(in) :: address
    integer(c_size_t) :: size
    type(cadastre_memory_info_struct) :: info
    size = 0
    if (cadastre_get_malloc_info(context, address, info) == CADASTRE_SUCCESS) size = info%size
  end function registered_bytes

  function live_leases() result(leases)
    integer(c_int64_t) :: leases
    type(cadastre_workspace_info_struct) :: info
    leases = -1
    if (cadastre_workspace_get_info(context, CADASTRE_HOST, info) == CADASTRE_SUCCESS) leases = info%live_leases
  end function live_leases

  subroutine claim_counts(of, allocations, deallocations, now, most)
    type(c_ptr), intent(in) :: of
    integer, intent(in) :: allocations, deallocations, now, most
    integer(c_long) :: a, d
    integer(c_size_t) :: b, m
    a = -1; d = -1; b = 99; m = 99
    code = SUNMemoryHelper_GetAllocStats_Cadastre(helper=of, mem_type=CADASTRE_HOST, num_allocations=a, &
      num_deallocations=d, bytes_allocated=b, bytes_high_watermark=m)
    call claim(code == 0 .and. a == allocations .and. d == deallocations .and. b == now .and. m == most, &
      'the counts are told')
  end subroutine claim_counts
end program test_sundials_fortran
