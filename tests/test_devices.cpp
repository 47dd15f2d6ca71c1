// Tangled from org/tests/device_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cstdlib>
#include <thread>

#include "context/all_contexts.hpp"
#include "core/pages.hpp"
#include "two_vendors.hpp"

using namespace cadastre::internal;

namespace {

cadastre_context_options_struct options_of(cadastre_backend backend) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend;
  return options;
}

void assert_not_created(const cadastre_context_options_struct* options, cadastre_exit_code code, cadastre_reason reason,
                        const char* words) {
  assert_true(cadastre_context_create_with_options(options) == CADASTRE_NULL_CONTEXT);
  const cadastre_error_struct error = last(CADASTRE_NULL_CONTEXT);
  assert_int_equal(error.exit_code, code);
  assert_string_equal(cadastre_string_of_reason(error.reason), cadastre_string_of_reason(reason));
  assert_int_equal(error.argument, 1);
  assert_string_equal(error.function, "cadastre_context_create_with_options");
  assert_non_null(std::strstr(error.message, words));
}

void each_option_that_is_wrong_is_refused_with_a_sentence(void**) {
  const auto refused = [](const cadastre_context_options_struct& options, cadastre_reason reason, const char* words) {
    assert_not_created(&options, CADASTRE_INVALID_ARG_1, reason, words);
  };
  assert_not_created(nullptr, CADASTRE_INVALID_ARG_1, CADASTRE_REASON_NULL_ARGUMENT, "argument 1 is NULL");
  cadastre_context_options_struct options = options_of(CADASTRE_BACKEND_HOST);
  for (const std::size_t size : {std::size_t{0}, sizeof options - 1, sizeof options + 8}) {
    options.struct_size = size;
    refused(options, CADASTRE_REASON_INVALID_STRUCT_SIZE, "start from the constant that ends in _zero");
  }
  for (const cadastre_backend none : {last_named_backend + 1, 63, 255, 256, CADASTRE_INVALID_BACKEND, -3}) {
    refused(options_of(none), CADASTRE_REASON_INVALID_BACKEND, "is not the number of a backend; pass one of CADASTRE_BACKEND_HOST (1)");
  }
  options = options_of(CADASTRE_BACKEND_HOST);
  options.reserved = 7;
  refused(options, CADASTRE_REASON_RESERVED_NOT_ZERO, "the field reserved is 7, and must be 0; start from");
  options = options_of(CADASTRE_BACKEND_HOST);
  options.limits[CADASTRE_ALL_MEMORY_TYPES - 1] = 8;
  refused(options, CADASTRE_REASON_RESERVED_NOT_ZERO, "the field limits[14] is 8, and must be 0; start from");
  options = options_of(CADASTRE_BACKEND_HOST);
  for (const std::int32_t device : {CADASTRE_DEVICE_BY_ID(2), CADASTRE_HOST_DEVICE, INT32_MAX}) {
    options.device = device;
    refused(options, CADASTRE_REASON_INVALID_DEVICE, "; an id is a number from 0 to 1");
  }
  for (const std::int32_t device : {1, 1023, -1, INT32_MIN + 1}) {
    options.device = device;
    refused(options, CADASTRE_REASON_INVALID_DEVICE, "a request names a device as CADASTRE_DEVICE_BY_ID(id)");
  }
  options = options_of(CADASTRE_BACKEND_HOST);
  for (const cadastre_pool pool : {-1, 4}) {
    options.pool = pool;
    refused(options, CADASTRE_REASON_INVALID_POOL,
            "pass one of CADASTRE_DEFAULT_POOL (0), CADASTRE_POOL_NONE (1), CADASTRE_POOL_VENDOR (2)");
  }
  for (const BackendRow& row : backend_rows()) {
    const Presence presence = presence_of(row.number);
    if (presence.usable) continue;
    options = options_of(row.number);
    assert_not_created(&options, CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_BACKEND_UNAVAILABLE, presence.problem);
  }
}

void a_context_that_was_not_created_says_why_when_it_is_used(void**) {
  cadastre_context_options_struct options = options_of(CADASTRE_BACKEND_HOST);
  options.pool = 9;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  for (int twice = 0; twice < 2; ++twice) {
    assert_null(cadastre_malloc(context, request(CADASTRE_HOST, 8)));
    assert_string_equal(last(context).function, "cadastre_malloc");
    assert_int_equal(last(context).reason, CADASTRE_REASON_NULL_CONTEXT);
    assert_non_null(std::strstr(last(context).message, "; before, cadastre_context_create_with_options: 9 is not a kind of pool"));
  }
}

cadastre_context context_on_device(std::int32_t device_id) {
  cadastre_context_options_struct options = options_of(CADASTRE_BACKEND_HOST);
  options.device = CADASTRE_DEVICE_BY_ID(device_id);
  return cadastre_context_create_with_options(&options);
}

// g++ -Wextra asks for every field also of a designated initializer; C does not.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
void a_request_of_zeros_is_on_the_device_of_its_context(void**) {
  const cadastre_context context = context_on_device(1);
  void* const device = cadastre_malloc(context, {.size = 8, .type = CADASTRE_DEVICE});
  cadastre_memory_info_struct info;
  assert_int_equal(cadastre_get_malloc_info(context, device, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.device_id, 1);
  assert_int_equal(info.device, CADASTRE_DEVICE_BY_ID(1));
  void* const host = cadastre_malloc(context, {.size = 8});
  assert_int_equal(cadastre_get_malloc_info(context, host, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.type, CADASTRE_HOST);
  assert_int_equal(info.device_id, -1);
  assert_int_equal(info.device, CADASTRE_DEFAULT_DEVICE);
  destroy(context);
}
#pragma GCC diagnostic pop

void a_result_can_be_passed_as_a_request(void**) {
  const cadastre_context context = context_on_device(1), other = context_on_device(0);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    cadastre_memory_info_struct info, again;
    void* const first = block(context, request(type, 24));
    assert_int_equal(cadastre_get_malloc_info(context, first, &info), CADASTRE_SUCCESS);
    void* const second = cadastre_malloc(other, info);
    assert_non_null(second);
    assert_int_equal(cadastre_get_malloc_info(other, second, &again), CADASTRE_SUCCESS);
    assert_ptr_equal(again.pointer, second);
    again.pointer = info.pointer;
    assert_memory_equal(&again, &info, sizeof info);
  }
  destroy(context);
  destroy(other);
}

void a_number_that_names_no_device_is_refused_and_the_macro_is_told(void**) {
  const cadastre_context context = context_on_device(1);
  for (const std::int32_t device : {1, 1023, -1, INT32_MIN + 1}) {
    cadastre_memory_info_struct info = request(CADASTRE_DEVICE, 8);
    info.device = device;
    assert_null(cadastre_malloc(context, info));
    const cadastre_error_struct error = last(context);
    assert_int_equal(error.reason, CADASTRE_REASON_INVALID_DEVICE);
    assert_int_equal(error.device_id, -1);
    assert_non_null(std::strstr(error.message, "a request names a device as CADASTRE_DEVICE_BY_ID(id)"));
  }
  destroy(context);
}

void reserved_room_of_a_request_must_be_zeros(void**) {
  const cadastre_context context = context_on_device(0);
  unsigned char memory[8];
  const cadastre_memory_info_struct zero = cadastre_memory_info_struct_zero;
  for (std::size_t i = 0; i < std::size(zero.reserved); ++i) {
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      cadastre_memory_info_struct info = request(type, 8);
      info.pointer = memory;
      info.reserved[i] = 0x80000000u;
      const std::string words = "the field reserved[" + std::to_string(i) + "] is 2147483648, and must be 0; start from";
      const auto refused = [&](bool done) {
        assert_false(done);
        assert_int_equal(last(context).exit_code, CADASTRE_INVALID_ARG_2);
        assert_int_equal(last(context).reason, CADASTRE_REASON_RESERVED_NOT_ZERO);
        assert_non_null(std::strstr(last(context).message, words.c_str()));
      };
      refused(cadastre_malloc(context, info) != nullptr);
      refused(cadastre_malloc_async(context, info, CADASTRE_DEFAULT_QUEUE) != nullptr);
      refused(cadastre_wrap(context, info) == CADASTRE_SUCCESS);
    }
  }
  destroy(context);
}

void memory_of_a_device_that_is_not_there_cannot_be_borrowed(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  cadastre_memory_info_struct info = request(CADASTRE_DEVICE, 8, 77);
  unsigned char memory[8];
  info.pointer = memory;
  assert_refused(context, cadastre_wrap(context, info), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_DEVICE);
  info.device = CADASTRE_HOST_DEVICE;
  assert_refused(context, cadastre_wrap(context, info), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_DEVICE);
  info.device = CADASTRE_DEFAULT_DEVICE;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_get_malloc_info(context, memory, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.device, CADASTRE_DEVICE_BY_ID(0));
  assert_int_equal(info.device_id, 0);
  destroy(context);
}

void a_context_answers_the_options_that_hold(void**) {
  cadastre_context_options_struct options = options_of(CADASTRE_BACKEND_HOST), answer = cadastre_context_options_struct_zero;
  cadastre_context context = cadastre_context_create_with_options(&options);
  assert_int_equal(cadastre_context_get_options(context, &answer), CADASTRE_SUCCESS);
  assert_int_equal(answer.struct_size, sizeof answer);
  assert_int_equal(answer.backend, CADASTRE_BACKEND_HOST);
  assert_int_equal(answer.device, CADASTRE_DEVICE_BY_ID(0));
  assert_int_equal(answer.pool, CADASTRE_DEFAULT_POOL);
  for (std::size_t type = 0; type < CADASTRE_MAX_MEMORY_TYPES; ++type) {
    assert_true(answer.limits[type] == (type < memory_types || type == CADASTRE_ALL_MEMORY_TYPES ? CADASTRE_UNLIMITED : 0));
  }
  assert_refused(context, cadastre_context_get_options(context, nullptr), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT);
  destroy(context);
  options = options_of(vendor_b().number());
  options.device = CADASTRE_DEVICE_BY_ID(1);
  options.pool = CADASTRE_POOL_VENDOR;
  options.limits[CADASTRE_UVM] = 77;
  context = cadastre_context_create_with_options(&options);
  assert_int_equal(cadastre_set_limit(context, CADASTRE_PINNED, 99), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_get_options(context, &answer), CADASTRE_SUCCESS);
  options.limits[CADASTRE_PINNED] = 99;
  options.limits[CADASTRE_HOST] = options.limits[CADASTRE_DEVICE] = options.limits[CADASTRE_ALL_MEMORY_TYPES] = CADASTRE_UNLIMITED;
  options.parent = CADASTRE_PROCESS;
  assert_memory_equal(&answer, &options, sizeof answer);
  destroy(context);
  assert_int_equal(cadastre_context_get_options(context, &answer), CADASTRE_INVALID_CONTEXT);
}

void limits_are_those_of_the_options(void**) {
  cadastre_context_options_struct options = options_of(CADASTRE_BACKEND_HOST);
  for (std::size_t type = 0; type < memory_types; ++type) options.limits[type] = 10 * (type + 1);
  const cadastre_context context = cadastre_context_create_with_options(&options);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const std::size_t limit = 10 * (static_cast<std::size_t>(type) + 1);
    assert_null(cadastre_malloc(context, request(type, limit + 1)));
    assert_int_equal(last(context).exit_code, CADASTRE_LIMIT_EXCEEDED);
    assert_int_equal(last(context).limit, limit);
    block(context, request(type, limit));
  }
  destroy(context);
}

cadastre_memory_info_struct described(cadastre_context context, const void* pointer) {
  cadastre_memory_info_struct info;
  assert_int_equal(cadastre_get_malloc_info(context, pointer, &info), CADASTRE_SUCCESS);
  return info;
}

void an_emulated_block_has_the_device_that_was_asked_for(void**) {
  cadastre_context_options_struct options = options_of(CADASTRE_BACKEND_HOST);
  options.device = CADASTRE_DEVICE_BY_ID(1);
  const cadastre_context context = cadastre_context_create_with_options(&options);
  for (const cadastre_memory_type type : {CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}) {
    assert_int_equal(described(context, block(context, request(type, 8))).device_id, 1);
    assert_int_equal(described(context, block(context, request(type, 8, 0))).device_id, 0);
    assert_int_equal(described(context, block(context, request(type, 8))).backend, CADASTRE_BACKEND_HOST);
    assert_null(cadastre_malloc(context, request(type, 8, 2)));
    assert_int_equal(last(context).exit_code, CADASTRE_INVALID_ARG_2);
    assert_int_equal(last(context).reason, CADASTRE_REASON_INVALID_DEVICE);
  }
  assert_int_equal(described(context, block(context, request(CADASTRE_HOST, 8, 1))).device_id, no_device_id);
  unsigned char* const small = block(context, request(CADASTRE_DEVICE, 8, 0));
  void* const resized = cadastre_realloc(context, small, std::size_t{8} << 20);
  assert_int_equal(described(context, resized).device_id, 0);
  destroy(context);
}

void a_context_works_on_the_device_of_the_thread_that_creates_it(void**) {
  vendor_a().working_on = 1;
  const cadastre_context context = context_on(vendor_a());
  vendor_a().working_on = 0;
  assert_int_equal(described(context, block(context, request(CADASTRE_DEVICE, 8))).device_id, 1);
  NotedVendor::noted.clear();
  assert_int_equal(cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_string_equal(NotedVendor::noted.c_str(), "A waits for 1; ");
  destroy(context);
}

void a_block_that_names_another_backend_comes_from_there(void**) {
  const cadastre_context context = context_on(vendor_a());
  const cadastre_backend b = vendor_b().number();
  vendor_b().working_on = 1;
  unsigned char* const other = block(context, request(CADASTRE_DEVICE, 8, no_device_id, b));
  vendor_b().working_on = 0;
  assert_int_equal(described(context, other).backend, b);
  assert_int_equal(described(context, other).device_id, 1);
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 8));
  assert_int_equal(described(context, own).backend, vendor_a().number());
  void* const host = block(context, request(CADASTRE_UVM, 8, 1, CADASTRE_BACKEND_HOST));
  assert_int_equal(described(context, host).backend, CADASTRE_BACKEND_HOST);
  assert_null(cadastre_malloc(context, request(CADASTRE_DEVICE, 8, 0, 63)));
  assert_int_equal(last(context).exit_code, CADASTRE_INVALID_ARG_2);
  assert_int_equal(last(context).reason, CADASTRE_REASON_INVALID_BACKEND);
  NotedVendor::noted.clear();
  assert_int_equal(cadastre_free(context, other), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, host), CADASTRE_SUCCESS);
  assert_string_equal(NotedVendor::noted.c_str(), "B frees; A frees; ");
  destroy(context);
}

void host_memory_that_the_backend_does_not_serve_comes_from_the_host(void**) {
  const cadastre_context context = context_on(vendor_a());
  for (const cadastre_backend backend : {CADASTRE_DEFAULT_BACKEND, vendor_b().number()}) {
    unsigned char* const own = block(context, request(CADASTRE_HOST, 8, 1, backend));
    assert_int_equal(described(context, own).backend, CADASTRE_BACKEND_HOST);
    assert_int_equal(described(context, own).device_id, no_device_id);
    void* const resized = cadastre_realloc(context, own, 100);
    assert_non_null(resized);
    assert_int_equal(cadastre_free_async(context, resized, queue_number(2)), CADASTRE_SUCCESS);
  }
  assert_string_equal(NotedVendor::noted.c_str(), "A waits for 0 on q2; A waits for 0 on q2; ");
  destroy(context);
}

void every_device_is_described(void**) {
  cadastre_device_info_struct info = cadastre_device_info_struct_zero;
  assert_int_equal(cadastre_device_get_info(CADASTRE_BACKEND_HOST, 1, &info), CADASTRE_SUCCESS);
  assert_string_equal(info.name, "emulated device 1");
  assert_true(info.integrated == 1 && info.host_access == 1 && info.pageable_access == 1);
  // Programs know the structure with fewer fields, too.
  for (const std::size_t size : {offsetof(cadastre_device_info_struct, integrated), offsetof(cadastre_device_info_struct, host_access)}) {
    cadastre_device_info_struct shorter = cadastre_device_info_struct_zero;
    std::memset(reinterpret_cast<char*>(&shorter) + size, 9, sizeof shorter - size);
    shorter.struct_size = size;
    assert_int_equal(cadastre_device_get_info(CADASTRE_BACKEND_HOST, 1, &shorter), CADASTRE_SUCCESS);
    assert_int_equal(shorter.struct_size, size);
    assert_string_equal(shorter.name, "emulated device 1");
    assert_true(shorter.host_access == 0x0909090909090909 && shorter.pageable_access == 0x0909090909090909);
    assert_int_equal(shorter.integrated, size == offsetof(cadastre_device_info_struct, integrated) ? 0x09090909 : 1);
  }
  assert_int_equal(info.device_id, 1);
  assert_int_equal(info.backend, CADASTRE_BACKEND_HOST);
  assert_true(info.free_bytes > 0 && info.free_bytes < info.total_bytes);
  const auto refused = [](cadastre_exit_code code, cadastre_exit_code expected, cadastre_reason reason) {
    assert_refused(CADASTRE_NULL_CONTEXT, code, expected, reason);
  };
  for (const std::int32_t device : {-1, 2}) {
    refused(cadastre_device_get_info(CADASTRE_BACKEND_HOST, device, &info), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_DEVICE);
  }
  for (const cadastre_backend none : {CADASTRE_DEFAULT_BACKEND, 63}) {
    refused(cadastre_device_get_info(none, 0, &info), CADASTRE_INVALID_ARG_1, CADASTRE_REASON_INVALID_BACKEND);
  }
  refused(cadastre_device_get_info(CADASTRE_BACKEND_HOST, 0, nullptr), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ARGUMENT);
}

bool is_ordered(cadastre_context context, const void* pointer) {
  return (described(context, pointer).flags & CADASTRE_STREAM_ORDERED) != 0;
}

void an_ordered_block_is_granted_and_freed_on_its_queue(void**) {
  const cadastre_context context = context_on(vendor_a());
  assert_int_equal(cadastre_context_set_default_queue(context, queue_number(3)), CADASTRE_SUCCESS);
  void* const a = cadastre_malloc_async(context, request(CADASTRE_DEVICE, 8), queue_number(2));
  void* const b = cadastre_malloc_async(context, request(CADASTRE_DEVICE, 8), CADASTRE_DEFAULT_QUEUE);
  assert_true(is_ordered(context, a) && is_ordered(context, b));
  assert_int_equal(cadastre_free_async(context, a, queue_number(4)), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free_async(context, b, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  void* const c = cadastre_malloc_async(context, request(CADASTRE_DEVICE, 8), queue_number(2));
  assert_int_equal(cadastre_free(context, c), CADASTRE_SUCCESS);
  assert_string_equal(NotedVendor::noted.c_str(), "A allocates on q2; A allocates on q3; A lets go on q4; A lets go on q3; "
                                                  "A allocates on q2; A frees; ");
  destroy(context);
}

void what_needs_no_order_is_allocated_as_ever(void**) {
  const cadastre_context context = context_on(vendor_a());
  const cadastre_memory_info_struct of_b = request(CADASTRE_DEVICE, 8, 0, vendor_b().number());
  void* const pinned = cadastre_malloc_async(context, request(CADASTRE_PINNED, 8), queue_number(2));
  void* const other = cadastre_malloc_async(context, of_b, queue_number(2));
  assert_false(is_ordered(context, pinned) || is_ordered(context, other));
  assert_int_equal(cadastre_free_async(context, other, queue_number(2)), CADASTRE_SUCCESS);
  assert_string_equal(NotedVendor::noted.c_str(), "A allocates; B allocates; A waits for 0 on q2; B frees; ");
  destroy(context);
  const cadastre_context host = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  block(host, request(CADASTRE_PINNED, 8));
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}) {
    void* const own = cadastre_malloc_async(host, request(type, 8), CADASTRE_DEFAULT_QUEUE);
    assert_non_null(own);
    assert_false(is_ordered(host, own));
    assert_int_equal(cadastre_free_async(host, own, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free_async(host, own, CADASTRE_DEFAULT_QUEUE), CADASTRE_INVALID_ARG_2);
  }
  destroy(host);
}

void the_pool_of_the_vendor_is_the_caching_one_for_device_memory(void**) {
  cadastre_context_options_struct options = options_of(vendor_a().number());
  options.pool = CADASTRE_POOL_VENDOR;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_int_equal(cadastre_context_set_default_queue(context, queue_number(5)), CADASTRE_SUCCESS);
  const auto noted_of_two = [&](cadastre_memory_type type, cadastre_backend backend) {
    NotedVendor::noted.clear();
    for (int twice = 0; twice < 2; ++twice) {
      void* const own = block(context, request(type, 8, 0, backend));
      assert_false(is_ordered(context, own));
      assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
    }
    const std::string& noted = NotedVendor::noted;
    return std::pair(noted.find("allocates") != noted.rfind("allocates"), noted.find("frees") != std::string::npos);
  };
  const std::pair kept(false, false), given_back(true, true);
  assert_true(noted_of_two(CADASTRE_DEVICE, vendor_a().number()) == kept);
  assert_true(noted_of_two(CADASTRE_PINNED, vendor_a().number()) == given_back);
  assert_true(noted_of_two(CADASTRE_UVM, vendor_a().number()) == given_back);
  assert_true(noted_of_two(CADASTRE_DEVICE, vendor_b().number()) == given_back);  // pools are of a context's own backend
  destroy(context);
}

void a_strided_block_needs_a_stride_that_fits(void**) {
  const cadastre_context context = context_on(vendor_a());
  cadastre_memory_info_struct info = request(CADASTRE_DEVICE, 100);
  for (const std::size_t stride : {std::size_t{0}, std::size_t{101}, SIZE_MAX}) {
    info.stride = stride;
    assert_null(cadastre_malloc_strided(context, info, CADASTRE_DEFAULT_QUEUE));
    assert_int_equal(last(context).exit_code, CADASTRE_INVALID_ARG_2);
    assert_int_equal(last(context).reason, CADASTRE_REASON_INVALID_STRIDE);
    assert_true(last(context).requested == stride);
    assert_non_null(std::strstr(last(context).message, "must be 1 to 100 bytes; pass"));
  }
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_device_statistics(context, CADASTRE_DEVICE, 0, &statistics), CADASTRE_SUCCESS);
  assert_int_equal(statistics.failed_allocations, 3);
  assert_int_equal(statistics.allocations, 0);
  for (const std::size_t stride : {std::size_t{1}, std::size_t{100}}) {
    info.stride = stride;
    void* const own = cadastre_malloc_strided(context, info, queue_number(6));
    assert_int_equal(described(context, own).stride, stride);
    assert_true(is_ordered(context, own));
  }
  assert_string_equal(NotedVendor::noted.c_str(), "A allocates on q6; A allocates on q6; ");
  destroy(context);
}

cadastre_statistics_struct on_device(cadastre_context context, cadastre_memory_type type, std::int32_t device) {
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_device_statistics(context, type, device, &statistics), CADASTRE_SUCCESS);
  assert_true(statistics.limit == CADASTRE_UNLIMITED);
  return statistics;
}

cadastre_statistics_struct together(cadastre_context context, cadastre_memory_type type) {
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, type, &statistics), CADASTRE_SUCCESS);
  return statistics;
}

void assert_that_accounts_add_up(cadastre_context context, cadastre_memory_type type) {
  const cadastre_statistics_struct all = together(context, type);
  const cadastre_statistics_struct a = on_device(context, type, 0), b = on_device(context, type, 1);
  assert_int_equal(all.allocations, a.allocations + b.allocations);
  assert_int_equal(all.deallocations, a.deallocations + b.deallocations);
  assert_int_equal(all.reallocations, a.reallocations + b.reallocations);
  assert_int_equal(all.failed_allocations, a.failed_allocations + b.failed_allocations);
  assert_int_equal(all.failed_deallocations, a.failed_deallocations + b.failed_deallocations);
  assert_int_equal(all.live_blocks, a.live_blocks + b.live_blocks);
  assert_int_equal(all.borrowed_blocks, a.borrowed_blocks + b.borrowed_blocks);
  assert_int_equal(all.live_bytes, a.live_bytes + b.live_bytes);
  assert_int_equal(all.total_bytes, a.total_bytes + b.total_bytes);
  assert_int_equal(all.zeroed_bytes, a.zeroed_bytes + b.zeroed_bytes);
}

void each_device_has_an_account_and_they_add_up(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char* const first = block(context, request(CADASTRE_DEVICE, 100, 0));
  assert_int_equal(cadastre_free(context, first), CADASTRE_SUCCESS);
  unsigned char* const second = block(context, request(CADASTRE_DEVICE, 40, 1));
  void* const grown = cadastre_realloc(context, second, 60);
  cadastre_memory_info_struct raw = request(CADASTRE_DEVICE, 10, 0);
  raw.flags = CADASTRE_UNINITIALIZED;
  unsigned char* const third = block(context, raw);
  cadastre_memory_info_struct borrowed = request(CADASTRE_DEVICE, 8, 1);
  borrowed.pointer = reinterpret_cast<void*>(std::size_t{1} << 40);
  assert_int_equal(cadastre_wrap(context, borrowed), CADASTRE_SUCCESS);
  const cadastre_statistics_struct a = on_device(context, CADASTRE_DEVICE, 0);
  const cadastre_statistics_struct b = on_device(context, CADASTRE_DEVICE, 1);
  assert_int_equal(a.allocations, 2);
  assert_int_equal(a.deallocations, 1);
  assert_int_equal(a.live_bytes, 10);
  assert_int_equal(a.high_water_mark_bytes, 100);
  assert_int_equal(a.high_water_mark_blocks, 1);
  assert_int_equal(a.total_bytes, 110);
  assert_int_equal(a.zeroed_bytes, 100);
  assert_int_equal(b.allocations, 1);
  assert_int_equal(b.reallocations, 1);
  assert_int_equal(b.live_bytes, 60);
  assert_int_equal(b.high_water_mark_bytes, 60);
  assert_int_equal(b.borrowed_blocks, 1);
  assert_int_equal(together(context, CADASTRE_DEVICE).high_water_mark_bytes, 100);
  assert_int_equal(on_device(context, CADASTRE_DEVICE, 7).allocations, 0);
  assert_int_equal(on_device(context, CADASTRE_UVM, 0).allocations, 0);
  assert_that_accounts_add_up(context, CADASTRE_DEVICE);
  assert_int_equal(cadastre_free(context, grown), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_reset_high_water_mark(context, CADASTRE_DEVICE), CADASTRE_SUCCESS);
  assert_int_equal(on_device(context, CADASTRE_DEVICE, 0).high_water_mark_bytes, 10);
  assert_int_equal(on_device(context, CADASTRE_DEVICE, 1).high_water_mark_bytes, 0);
  NotedVendor::refused_call = 1;
  assert_int_equal(cadastre_free(context, third), CADASTRE_DEALLOCATION_FAILED);
  assert_int_equal(on_device(context, CADASTRE_DEVICE, 0).failed_deallocations, 1);
  assert_int_equal(on_device(context, CADASTRE_DEVICE, 1).failed_deallocations, 0);
  assert_that_accounts_add_up(context, CADASTRE_DEVICE);
  destroy(context);
  vendor_a().forget(third);
}

// What the host keeps would be given up, and the vendor be asked again.
void refuse_call(int call) {
  trim_heaps_elsewhere(CADASTRE_NULL_CONTEXT);
  Arena::give_up_all();
  NotedVendor::refused_call = call;
}

void a_failure_is_counted_where_it_was_asked_for(void**) {
  const cadastre_context context = context_on(vendor_a());
  cadastre_memory_info_struct flagged = request(CADASTRE_DEVICE, 8, 1), skewed = flagged, labelled = flagged;
  flagged.flags = 0x80;
  skewed.alignment = 3;
  const std::string long_label(300, 'x');
  labelled.label = long_label.c_str();
  std::int64_t failures = 0;
  for (const cadastre_memory_info_struct& bad : {flagged, skewed, labelled}) {
    assert_null(cadastre_malloc(context, bad));
    ++failures;
    assert_int_equal(on_device(context, CADASTRE_DEVICE, 1).failed_allocations, failures);
  }
  assert_int_equal(cadastre_set_limit(context, CADASTRE_DEVICE, 20), CADASTRE_SUCCESS);
  assert_null(cadastre_malloc(context, request(CADASTRE_DEVICE, 21, 1)));
  refuse_call(1);
  assert_null(cadastre_malloc(context, request(CADASTRE_DEVICE, 8, 1)));
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 8, 0));
  refuse_call(1);
  assert_null(cadastre_realloc(context, own, 16));
  assert_int_equal(on_device(context, CADASTRE_DEVICE, 1).failed_allocations, failures + 2);
  assert_int_equal(on_device(context, CADASTRE_DEVICE, 0).failed_allocations, 1);
  assert_that_accounts_add_up(context, CADASTRE_DEVICE);
  // A device or a backend that is not there has no account.
  assert_null(cadastre_malloc(context, request(CADASTRE_DEVICE, 8, 2)));
  assert_null(cadastre_malloc(context, request(CADASTRE_DEVICE, 8, 0, 63)));
  assert_int_equal(together(context, CADASTRE_DEVICE).failed_allocations, failures + 5);
  assert_int_equal(on_device(context, CADASTRE_DEVICE, 2).failed_allocations, 0);
  assert_int_equal(on_device(context, CADASTRE_DEVICE, 0).failed_allocations, 1);
  destroy(context);
}

void what_fails_changes_no_account(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 8, 1));
  cadastre_statistics_struct before = on_device(context, CADASTRE_DEVICE, 1), after;
  refuse_call(1);
  assert_null(cadastre_malloc(context, request(CADASTRE_DEVICE, 100, 1)));
  refuse_call(1);
  assert_null(cadastre_malloc_async(context, request(CADASTRE_DEVICE, 100, 1), queue_number(2)));
  for (int call = 1; call <= 3; ++call) {  // allocate, copy, free
    refuse_call(call);
    assert_null(cadastre_realloc(context, own, 100));
  }
  assert_int_equal(cadastre_memcpy(context, own, own + 4, 100), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_free(context, own + 1), CADASTRE_INVALID_ARG_2);
  after = on_device(context, CADASTRE_DEVICE, 1);
  assert_int_equal(after.failed_allocations, before.failed_allocations + 5);
  after.failed_allocations = before.failed_allocations;
  assert_memory_equal(&before, &after, sizeof before);
  assert_int_equal(vendor_a().live(), 1);
  destroy(context);
}

void accounts_of_devices_are_right_when_threads_race(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  constexpr std::int64_t rounds = 2000;
  std::atomic<std::int64_t> wrong = 0;
  std::vector<std::thread> threads;
  for (std::int32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, device = thread % 2] {
      for (std::int64_t round = 0; round < rounds; ++round) {
        void* const own = cadastre_malloc(context, request(CADASTRE_DEVICE, 10, device));
        void* const resized = own ? cadastre_realloc(context, own, 30) : nullptr;
        if (cadastre_malloc(context, request(CADASTRE_DEVICE, SIZE_MAX, device))) ++wrong;
        if (!resized || cadastre_free_async(context, resized, CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  for (const std::int32_t device : {0, 1}) {
    const cadastre_statistics_struct statistics = on_device(context, CADASTRE_DEVICE, device);
    assert_int_equal(statistics.allocations, 2 * rounds);
    assert_int_equal(statistics.deallocations, 2 * rounds);
    assert_int_equal(statistics.reallocations, 2 * rounds);
    assert_int_equal(statistics.failed_allocations, 2 * rounds);
    assert_int_equal(statistics.live_blocks, 0);
    assert_int_equal(statistics.total_bytes, 2 * rounds * 30);
    assert_true(statistics.high_water_mark_bytes >= 30 && statistics.high_water_mark_bytes <= 60);
  }
  assert_that_accounts_add_up(context, CADASTRE_DEVICE);
  destroy(context);
}

void accounts_that_cannot_be_are_refused(void**) {
  const cadastre_context context = context_on(vendor_a());
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  for (const std::int32_t device : {no_device_id, CADASTRE_HOST_DEVICE, INT32_MIN}) {
    assert_refused(context, cadastre_get_device_statistics(context, CADASTRE_DEVICE, device, &statistics), CADASTRE_INVALID_ARG_3,
                   CADASTRE_REASON_INDEX_OUT_OF_RANGE);
  }
  assert_refused(context, cadastre_get_device_statistics(context, 4, 0, &statistics), CADASTRE_INVALID_ARG_2,
                 CADASTRE_REASON_INVALID_MEMORY_TYPE);
  assert_refused(context, cadastre_get_device_statistics(context, CADASTRE_DEVICE, 0, nullptr), CADASTRE_INVALID_ARG_4,
                 CADASTRE_REASON_NULL_ARGUMENT);
  destroy(context);
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(each_option_that_is_wrong_is_refused_with_a_sentence),
      cmocka_unit_test(a_context_that_was_not_created_says_why_when_it_is_used),
      cmocka_unit_test(a_request_of_zeros_is_on_the_device_of_its_context),
      cmocka_unit_test(a_result_can_be_passed_as_a_request),
      cmocka_unit_test(a_number_that_names_no_device_is_refused_and_the_macro_is_told),
      cmocka_unit_test(reserved_room_of_a_request_must_be_zeros),
      cmocka_unit_test(memory_of_a_device_that_is_not_there_cannot_be_borrowed),
      cmocka_unit_test(a_context_answers_the_options_that_hold),
      cmocka_unit_test(limits_are_those_of_the_options),
      cmocka_unit_test(an_emulated_block_has_the_device_that_was_asked_for),
      cmocka_unit_test(a_context_works_on_the_device_of_the_thread_that_creates_it),
      cmocka_unit_test(a_block_that_names_another_backend_comes_from_there),
      cmocka_unit_test(host_memory_that_the_backend_does_not_serve_comes_from_the_host),
      cmocka_unit_test(every_device_is_described),
      cmocka_unit_test(an_ordered_block_is_granted_and_freed_on_its_queue),
      cmocka_unit_test(what_needs_no_order_is_allocated_as_ever),
      cmocka_unit_test(the_pool_of_the_vendor_is_the_caching_one_for_device_memory),
      cmocka_unit_test(a_strided_block_needs_a_stride_that_fits),
      cmocka_unit_test(each_device_has_an_account_and_they_add_up),
      cmocka_unit_test(a_failure_is_counted_where_it_was_asked_for),
      cmocka_unit_test(what_fails_changes_no_account),
      cmocka_unit_test(accounts_of_devices_are_right_when_threads_race),
      cmocka_unit_test(accounts_that_cannot_be_are_refused),
  };
  return cmocka_run_group_tests_name("devices", tests, nullptr, nullptr);
}
