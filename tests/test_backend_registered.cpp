// Tangled from org/tests/registered_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "backend_conformance.hpp"
#include "core/pages.hpp"

using namespace cadastre::internal;

namespace {

enum Operation : std::size_t {
  allocating,
  freeing,
  copying,
  setting,
  copying_async,
  synchronizing,
  prefetching,
  advising,
  asking_memory,
  asking_alignment,
  cloning,
  destroying,
  operations,
  none
};

constexpr std::int32_t own_code = 77;
constexpr const char* name_of[] = {"allocate", "free",   "copy",          "set",           "copy_async", "synchronize",
                                   "prefetch", "advise", "device_memory", "max_alignment", "clone",      "destroy"};

enum class Manner { number, exception, other_exception };

struct Vendor {
  Vendor* original = nullptr;  // of a clone
  std::array<std::atomic<int>, operations> calls = {};
  std::atomic<int> live = 0;    // blocks that are out, of this content
  std::atomic<int> clones = 0;  // that are alive
  std::atomic<Operation> refuses = none;
  std::atomic<int> refuses_in = 0;  // the k-th operation from now; 0 for none
  Manner manner = Manner::number;
  bool answers_null = false;
  void* answers_again = nullptr;  // a block that is out already
  std::size_t shift = 0;          // of the addresses that it answers
  std::size_t largest = 65536;
  std::function<void()> inside_set = {};

  std::int32_t step(Operation operation) {
    ++calls[operation];
    const bool turn = refuses_in > 0 && --refuses_in == 0;
    if (refuses != operation && !turn) return 0;
    if (manner == Manner::exception) throw std::runtime_error("as told");
    if (manner == Manner::other_exception) throw 42;
    return own_code;
  }
};

// What the last operations in this thread were told.
struct Told {
  cadastre_memory_info_struct request = {}, freed = {}, to = {}, from = {};
  cadastre_queue queue = nullptr;
  std::int32_t device = -7;
  cadastre_advice advice = -7;
  Vendor* by = nullptr;  // whose operation it was
};
thread_local Told told;

Vendor& vendor(void* content) {
  static Vendor without_content;
  return content ? *static_cast<Vendor*>(content) : without_content;
}

std::int32_t allocate(void* content, const cadastre_memory_info_struct* request, cadastre_queue queue, void** pointer) {
  Vendor& v = vendor(content);
  if (const std::int32_t code = v.step(allocating)) return code;
  told.by = &v;
  told.request = *request;
  told.queue = queue;
  if (v.answers_null) return 0;
  if (v.answers_again) return *pointer = v.answers_again, 0;
  if (request->size > std::size_t{1} << 40) return own_code;
  void* block = nullptr;
  const std::size_t alignment = std::max(request->alignment, sizeof(void*));
  if (posix_memalign(&block, alignment, std::max<std::size_t>(request->size, 1) + v.shift) != 0) return own_code;
  std::memset(block, 0xee, std::max<std::size_t>(request->size, 1));
  ++v.live;
  *pointer = static_cast<char*>(block) + v.shift;
  return 0;
}

std::int32_t release(void* content, const cadastre_memory_info_struct* block) {
  Vendor& v = vendor(content);
  told.freed = *block;
  if (const std::int32_t code = v.step(freeing)) return code;
  std::free(static_cast<char*>(block->pointer) - v.shift);
  --v.live;
  return 0;
}

std::int32_t move(Operation operation, void* content, void* dest, const cadastre_memory_info_struct* to, const void* src,
                  const cadastre_memory_info_struct* from, std::size_t size, cadastre_queue queue) {
  Vendor& v = vendor(content);
  if (const std::int32_t code = v.step(operation)) return code;
  told.to = *to;
  told.from = *from;
  told.queue = queue;
  std::memcpy(dest, src, size);
  return 0;
}

std::int32_t copy(void* content, void* dest, const cadastre_memory_info_struct* to, const void* src,
                  const cadastre_memory_info_struct* from, std::size_t size, cadastre_queue queue) {
  return move(copying, content, dest, to, src, from, size, queue);
}

std::int32_t copy_async(void* content, void* dest, const cadastre_memory_info_struct* to, const void* src,
                        const cadastre_memory_info_struct* from, std::size_t size, cadastre_queue queue) {
  return move(copying_async, content, dest, to, src, from, size, queue);
}

std::int32_t fill(void* content, void* dest, const cadastre_memory_info_struct* place, int value, std::size_t size, cadastre_queue queue) {
  Vendor& v = vendor(content);
  if (const std::int32_t code = v.step(setting)) return code;
  told.to = *place;
  told.queue = queue;
  if (v.inside_set) v.inside_set();
  std::memset(dest, value, size);
  return 0;
}

std::int32_t synchronize(void* content, std::int32_t device, cadastre_queue queue) {
  told.device = device;
  told.queue = queue;
  return vendor(content).step(synchronizing);
}

std::int32_t prefetch(void* content, const void*, std::size_t, std::int32_t device, cadastre_queue queue, std::int32_t* taken) {
  told.device = device;
  told.queue = queue;
  *taken = 1;
  return vendor(content).step(prefetching);
}

std::int32_t advise(void* content, const void*, std::size_t, cadastre_advice advice, std::int32_t device, std::int32_t* taken) {
  told.device = device;
  told.advice = advice;
  *taken = advice == CADASTRE_ADVICE_READ_MOSTLY;
  return vendor(content).step(advising);
}

std::int32_t memory_info(void* content, std::int32_t device, std::size_t* total, std::size_t* free) {
  *total = 1000u + static_cast<std::size_t>(device);
  *free = 10;
  return vendor(content).step(asking_memory);
}

std::size_t alignment(void* content, cadastre_memory_type) {
  vendor(content).step(asking_alignment);
  return vendor(content).largest;
}

std::int32_t clone(void* content, void** clone) {
  if (const std::int32_t code = vendor(content).step(cloning)) return code;
  auto* const copy = new Vendor;
  copy->original = static_cast<Vendor*>(content);
  ++copy->original->clones;
  *clone = copy;
  return 0;
}

std::int32_t destroy(void* content) {
  Vendor& v = vendor(content);
  Vendor& counted = v.original ? *v.original : v;
  if (v.original) {
    --counted.clones;
    delete &v;
  }
  return counted.step(destroying);
}

constexpr std::uint32_t all_types = (1u << CADASTRE_MEMORY_TYPE_COUNT) - 1;

cadastre_backend_operations_struct required_only() {
  cadastre_backend_operations_struct table = cadastre_backend_operations_struct_zero;
  table.memory_type_mask = all_types;
  table.allocate = allocate;
  table.free = release;
  table.copy = copy;
  table.set = fill;
  return table;
}

cadastre_backend_operations_struct every_operation() {
  cadastre_backend_operations_struct table = required_only();
  table.device_count = 2;
  table.copy_async = copy_async;
  table.synchronize = synchronize;
  table.prefetch = prefetch;
  table.advise = advise;
  table.device_memory = memory_info;
  table.max_alignment = alignment;
  table.clone = clone;
  table.destroy = destroy;
  return table;
}

cadastre_backend_operations_struct without_clone() {
  cadastre_backend_operations_struct table = every_operation();
  table.clone = nullptr;
  return table;
}

// A backend that is registered for one claim, and unregistered at its end.
class Registration {
 public:
  explicit Registration(const cadastre_backend_operations_struct& table = every_operation(), std::string called = {})
      : name(called.empty() ? next_name() : std::move(called)), number(cadastre_backend_register(name.c_str(), &table, &vendor)) {
    assert_int_not_equal(number, CADASTRE_INVALID_BACKEND);
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  void end() {
    assert_int_equal(cadastre_backend_unregister(number), CADASTRE_SUCCESS);
    assert_int_equal(vendor.live, 0);
    assert_int_equal(vendor.clones, 0);
  }

  Vendor vendor;
  const std::string name;
  const cadastre_backend number;

 private:
  // A claim that fails leaves its backend registered, which must not fail the next one.
  static std::string next_name() {
    static int registrations = 0;
    return "vendor " + std::to_string(++registrations);
  }
};

cadastre_context context_on(cadastre_backend backend) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend;
  return cadastre_context_create_with_options(&options);
}

void destroy_context(cadastre_context context) { assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS); }

cadastre_memory_info_struct request(std::size_t size, cadastre_memory_type type, cadastre_backend backend = CADASTRE_DEFAULT_BACKEND) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.backend = backend;
  return info;
}

cadastre_error_struct last(cadastre_context context = CADASTRE_NULL_CONTEXT) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error;
}

cadastre_statistics_struct figures(cadastre_context context, cadastre_memory_type type) {
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, type, &statistics), CADASTRE_SUCCESS);
  return statistics;
}

bool is_zero(const void* block, std::size_t size) {
  const auto* const bytes = static_cast<const unsigned char*>(block);
  return std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == 0; });
}

// The conformance suite is run on the backends that are registered here, and stay.
template <cadastre_backend_operations_struct (*table)(), cadastre_memory_type memory_type>
struct Subject {
  static inline Vendor vendor;
  static Backend& backend() {
    static const cadastre_backend number = [] {
      const cadastre_backend_operations_struct operations = table();
      return cadastre_backend_register(operations.clone ? "conforming, complete" : "conforming", &operations, &vendor);
    }();
    return *find_backend(number);
  }
  static constexpr cadastre_memory_type type = memory_type;
  static void fail_in(int k) { vendor.refuses_in = k; }
  static int live() { return vendor.live; }
};
using RequiredOnly = Subject<required_only, CADASTRE_PINNED>;
using EveryOperation = Subject<every_operation, CADASTRE_UVM>;

void a_registration_that_cannot_be_used_is_refused_and_uses_up_no_number(void**) {
  struct Case {
    const char* name;
    cadastre_backend_operations_struct table;
    cadastre_exit_code code;
    cadastre_reason reason;
    const char* said;
  };
  const auto with = [](auto change) {
    cadastre_backend_operations_struct table = every_operation();
    change(table);
    return table;
  };
  const std::string long_name(64, 'n');
  const cadastre_backend_operations_struct good = every_operation();
  const Case cases[] = {
      {nullptr, good, 1, CADASTRE_REASON_NULL_ARGUMENT, "argument 1 is NULL"},
      {"", good, 1, CADASTRE_REASON_INVALID_REGISTRATION, "its name is empty"},
      {long_name.c_str(), good, 1, CADASTRE_REASON_INVALID_REGISTRATION, "longer than 63 characters"},
      {"host", good, 1, CADASTRE_REASON_INVALID_REGISTRATION, "a backend named \"host\" exists already"},
      {"cuda", good, 1, CADASTRE_REASON_INVALID_REGISTRATION, "a backend named \"cuda\" exists already"},
      {"taken", good, 1, CADASTRE_REASON_INVALID_REGISTRATION, "a backend named \"taken\" exists already"},
      {"x", with([](auto& t) { t.struct_size = 0; }), 2, CADASTRE_REASON_INVALID_STRUCT_SIZE, "the field struct_size is 0,"},
      {"x", with([](auto& t) { t.struct_size = SIZE_MAX - 7; }), 2, CADASTRE_REASON_INVALID_STRUCT_SIZE, "_zero"},
      {"x", with([](auto& t) { t.struct_size = sizeof t - 1; }), 2, CADASTRE_REASON_INVALID_STRUCT_SIZE, "_zero"},
      {"x", with([](auto& t) { t.memory_type_mask = 0; }), 2, CADASTRE_REASON_INVALID_REGISTRATION, "memory_type_mask is 0"},
      {"x", with([](auto& t) { t.memory_type_mask = 16; }), 2, CADASTRE_REASON_INVALID_REGISTRATION, "memory_type_mask is 0x10"},
      {"x", with([](auto& t) { t.memory_type_mask = ~0u; }), 2, CADASTRE_REASON_INVALID_REGISTRATION, "0xffffffff"},
      {"x", with([](auto& t) { t.device_count = -1; }), 2, CADASTRE_REASON_INVALID_REGISTRATION, "device_count is -1"},
      {"x", with([](auto& t) { t.allocate = nullptr; }), 2, CADASTRE_REASON_MISSING_OPERATION, "lacks allocate,"},
      {"x", with([](auto& t) { t.free = nullptr; }), 2, CADASTRE_REASON_MISSING_OPERATION, "lacks free,"},
      {"x", with([](auto& t) { t.copy = nullptr; }), 2, CADASTRE_REASON_MISSING_OPERATION, "lacks copy,"},
      {"x", with([](auto& t) { t.set = nullptr; }), 2, CADASTRE_REASON_MISSING_OPERATION, "lacks set,"},
  };
  Registration taken(good, "taken");
  for (const Case& bad : cases) {
    Vendor vendor;
    assert_int_equal(cadastre_backend_register(bad.name, &bad.table, &vendor), CADASTRE_INVALID_BACKEND);
    assert_int_equal(last().exit_code, bad.code);
    assert_int_equal(last().reason, bad.reason);
    assert_non_null(std::strstr(last().message, bad.said));
    assert_string_equal(last().function, "cadastre_backend_register");
    assert_int_equal(vendor.calls[destroying], 0);
  }
  assert_int_equal(cadastre_backend_register("x", nullptr, nullptr), CADASTRE_INVALID_BACKEND);
  assert_int_equal(last().exit_code, CADASTRE_INVALID_ARG_2);
  for (const std::size_t largest : {std::size_t{0}, std::size_t{3}}) {
    Vendor vendor;
    vendor.largest = largest;
    assert_int_equal(cadastre_backend_register("x", &good, &vendor), CADASTRE_INVALID_BACKEND);
    assert_int_equal(last().exit_code, CADASTRE_INVALID_ARG_2);
    assert_non_null(std::strstr(last().message, "not a power of two"));
  }
  Registration next(good, std::string(63, 'n'));
  assert_int_equal(next.number, taken.number + 1);
  next.end();
  taken.end();
}

void a_shorter_table_lacks_the_last_operations_and_a_longer_one_must_be_empty_there(void**) {
  cadastre_backend_operations_struct table = every_operation();
  const std::size_t shorter[] = {offsetof(cadastre_backend_operations_struct, copy_async),
                                 offsetof(cadastre_backend_operations_struct, clone)};
  for (const std::size_t size : shorter) {
    table.struct_size = size;
    Registration registration(table);
    const cadastre_context context = context_on(registration.number);
    assert_int_equal(registration.vendor.calls[cloning], 0);
    assert_int_equal(registration.vendor.calls[asking_alignment] > 0, size > shorter[0]);
    destroy_context(context);
    registration.end();
    assert_int_equal(registration.vendor.calls[destroying], 0);
  }
  table.struct_size = shorter[0] - sizeof(void*);
  assert_int_equal(cadastre_backend_register("x", &table, nullptr), CADASTRE_INVALID_BACKEND);
  assert_int_equal(last().reason, CADASTRE_REASON_INVALID_STRUCT_SIZE);

  struct {
    cadastre_backend_operations_struct known = every_operation();
    void* unknown[2] = {};
  } longer;
  longer.known.struct_size = sizeof longer;
  Registration registration(longer.known);
  registration.end();
  longer.unknown[1] = &longer;
  assert_int_equal(cadastre_backend_register("x", &longer.known, nullptr), CADASTRE_INVALID_BACKEND);
  assert_int_equal(last().exit_code, CADASTRE_INVALID_ARG_2);
  assert_non_null(std::strstr(last().message, "must be 0"));
}

void a_number_is_never_given_twice_and_keeps_its_name(void**) {
  Registration first(required_only(), "first"), second(required_only(), "second");
  assert_true(first.number >= CADASTRE_FIRST_REGISTERED_BACKEND);
  assert_int_equal(second.number, first.number + 1);
  assert_string_equal(cadastre_string_of_backend(first.number), "first");
  assert_string_equal(cadastre_string_of_backend(second.number), "second");
  first.end();
  second.end();
  Registration third(required_only(), "third");
  assert_int_equal(third.number, second.number + 1);
  third.end();
  assert_string_equal(cadastre_string_of_backend(first.number), "first");
  assert_string_equal(cadastre_string_of_backend(third.number + 1), "Unknown backend");
}

void a_name_is_free_again_when_its_backend_has_gone(void**) {
  Registration once(required_only(), "again");
  assert_int_equal(cadastre_backend_register("again", &cadastre_backend_operations_struct_zero, nullptr), CADASTRE_INVALID_BACKEND);
  once.end();
  Registration again(required_only(), "again");
  again.end();
}

void a_backend_tells_what_it_serves(void**) {
  cadastre_backend_operations_struct table = every_operation();
  table.memory_type_mask = 1u << CADASTRE_DEVICE | 1u << CADASTRE_UVM;
  Registration registration(table);
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  assert_int_equal(cadastre_backend_get_info(registration.number, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.available, 1);
  assert_int_equal(info.device_count, 2);
  assert_int_equal(info.memory_type_mask, table.memory_type_mask);
  assert_string_equal(info.name, registration.name.c_str());
  assert_int_equal(registration.vendor.calls[asking_alignment], 2);
  const cadastre_context context = context_on(registration.number);
  assert_null(cadastre_malloc(context, request(8, CADASTRE_PINNED)));
  assert_int_equal(last(context).exit_code, CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last(context).reason, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED);
  cadastre_memory_info_struct wrong = request(8, CADASTRE_DEVICE);
  wrong.device = CADASTRE_DEVICE_BY_ID(2);
  assert_null(cadastre_malloc(context, wrong));
  assert_int_equal(last(context).reason, CADASTRE_REASON_INVALID_DEVICE);
  destroy_context(context);
  registration.end();
}

void a_content_may_be_null(void**) {
  const cadastre_backend_operations_struct table = required_only();
  const cadastre_backend number = cadastre_backend_register("without content", &table, nullptr);
  const cadastre_context context = context_on(number);
  void* const block = cadastre_malloc(context, request(100, CADASTRE_DEVICE));
  assert_non_null(block);
  assert_int_equal(vendor(nullptr).live, 1);
  assert_true(is_zero(block, 100));
  destroy_context(context);
  assert_int_equal(vendor(nullptr).live, 0);
  assert_int_equal(cadastre_backend_unregister(number), CADASTRE_SUCCESS);
}

void assert_described(const cadastre_memory_info_struct& info, std::size_t size, std::size_t alignment, cadastre_backend backend) {
  assert_int_equal(info.size, size);
  assert_int_equal(info.type, CADASTRE_UVM);
  assert_int_equal(info.device, CADASTRE_DEVICE_BY_ID(1));
  assert_int_equal(info.device_id, 1);
  assert_int_equal(info.alignment, alignment);
  assert_int_equal(info.stride, 0);
  assert_int_equal(info.backend, backend);
  assert_null(info.label);
}

void blocks_are_described_to_operations_as_the_header_says(void**) {
  Registration registration;
  const cadastre_context context = context_on(registration.number);
  cadastre_memory_info_struct info = request(300, CADASTRE_UVM);
  info.device = CADASTRE_DEVICE_BY_ID(1);
  info.alignment = 256;
  info.stride = 30;
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = "density";
  auto* const block = static_cast<char*>(cadastre_malloc(context, info));
  assert_described(told.request, 300, 256, registration.number);
  assert_int_equal(told.request.flags, CADASTRE_UNINITIALIZED);
  assert_null(told.request.pointer);
  assert_int_equal(cadastre_memset(context, block + 10, 1, 20), CADASTRE_SUCCESS);
  assert_described(told.to, 20, 1, registration.number);
  assert_ptr_equal(told.to.pointer, block + 10);
  char here[7];
  assert_int_equal(cadastre_memcpy(context, here, block + 10, 7), CADASTRE_SUCCESS);
  assert_described(told.from, 7, 1, registration.number);
  assert_ptr_equal(told.from.pointer, block + 10);
  assert_int_equal(told.to.type, CADASTRE_HOST);
  assert_int_equal(told.to.backend, CADASTRE_BACKEND_HOST);
  assert_int_equal(told.to.device_id, no_device_id);
  assert_ptr_equal(told.to.pointer, here);
  assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  assert_described(told.freed, 300, 256, registration.number);
  assert_int_equal(told.freed.flags, CADASTRE_UNINITIALIZED);
  assert_ptr_equal(told.freed.pointer, block);
  destroy_context(context);
  registration.end();
}

void a_request_without_alignment_names_one_all_the_same(void**) {
  for (const std::size_t largest : {std::size_t{1}, std::size_t{4}, std::size_t{65536}}) {
    Vendor vendor;
    vendor.largest = largest;
    const cadastre_backend_operations_struct table = without_clone();
    const cadastre_backend number = cadastre_backend_register("narrow", &table, &vendor);
    const cadastre_context context = context_on(number);
    void* const block = cadastre_malloc(context, request(8, CADASTRE_DEVICE));
    assert_int_equal(told.request.alignment, std::min(largest, alignof(std::max_align_t)));
    cadastre_memory_info_struct info;
    assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
    assert_int_equal(info.alignment, told.request.alignment);
    destroy_context(context);
    assert_int_equal(cadastre_backend_unregister(number), CADASTRE_SUCCESS);
  }
}

void the_largest_alignment_is_asked_for_once_and_holds(void**) {
  Registration registration, without(required_only(), "by default");
  assert_int_equal(registration.vendor.calls[asking_alignment], CADASTRE_MEMORY_TYPE_COUNT);
  for (const auto& [number, largest] :
       {std::pair{registration.number, std::size_t{65536}}, std::pair{without.number, std::size_t{1} << 20}}) {
    const cadastre_context context = context_on(number);
    cadastre_memory_info_struct info = request(8, CADASTRE_PINNED);
    info.alignment = largest;
    assert_non_null(cadastre_malloc(context, info));
    info.alignment = 2 * largest;
    assert_null(cadastre_malloc(context, info));
    assert_int_equal(last(context).reason, CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED);
    assert_true(last(context).limit == largest);
    destroy_context(context);
  }
  assert_int_equal(registration.vendor.calls[asking_alignment], CADASTRE_MEMORY_TYPE_COUNT);
  registration.end();
  without.end();
}

void memory_is_zeroed_by_set_unless_asked_otherwise(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(registration.number);
  cadastre_memory_info_struct info = request(1000, CADASTRE_DEVICE);
  const void* const zeroed = cadastre_malloc(context, info);
  assert_int_equal(registration.vendor.calls[setting], 1);
  assert_true(is_zero(zeroed, 1000));
  info.flags = CADASTRE_UNINITIALIZED;
  const auto* const left = static_cast<unsigned char*>(cadastre_malloc(context, info));
  assert_int_equal(left[999], 0xee);
  assert_non_null(cadastre_malloc(context, request(0, CADASTRE_DEVICE)));
  assert_int_equal(registration.vendor.calls[setting], 1);
  destroy_context(context);
  registration.end();
}

void each_context_works_with_a_clone_of_its_own(void**) {
  Registration registration;
  const cadastre_context a = context_on(registration.number), b = context_on(registration.number);
  assert_int_equal(registration.vendor.clones, 2);
  assert_non_null(cadastre_malloc(a, request(8, CADASTRE_DEVICE)));
  const Vendor* const content_of_a = told.by;
  assert_ptr_equal(content_of_a->original, &registration.vendor);
  assert_int_equal(content_of_a->live, 1);
  assert_non_null(cadastre_malloc(b, request(8, CADASTRE_DEVICE)));
  assert_ptr_not_equal(told.by, content_of_a);
  assert_int_equal(told.request.backend, registration.number);
  assert_int_equal(registration.vendor.live, 0);
  destroy_context(a);
  assert_int_equal(registration.vendor.clones, 1);
  assert_int_equal(registration.vendor.calls[destroying], 1);
  destroy_context(b);
  assert_int_equal(registration.vendor.clones, 0);
  registration.end();
  assert_int_equal(registration.vendor.calls[destroying], 3);
}

void contexts_share_the_content_that_has_no_clone(void**) {
  Registration registration(without_clone());
  const cadastre_context a = context_on(registration.number), b = context_on(registration.number);
  for (const cadastre_context context : {a, b}) {
    assert_non_null(cadastre_malloc(context, request(8, CADASTRE_DEVICE)));
    assert_ptr_equal(told.by, &registration.vendor);
  }
  assert_int_equal(registration.vendor.live, 2);
  destroy_context(a);
  assert_int_equal(registration.vendor.live, 1);
  destroy_context(b);
  assert_int_equal(registration.vendor.calls[destroying], 0);
  registration.end();
  assert_int_equal(registration.vendor.calls[destroying], 1);
}

void a_block_of_another_context_comes_from_the_registered_content(void**) {
  Registration registration;
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  void* const block = cadastre_malloc(context, request(8, CADASTRE_DEVICE, registration.number));
  assert_non_null(block);
  assert_ptr_equal(told.by, &registration.vendor);
  cadastre_memory_info_struct info;
  assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.backend, registration.number);
  assert_int_equal(info.device_id, 0);
  void* const resized = cadastre_realloc(context, block, 9);
  assert_non_null(resized);
  assert_int_equal(registration.vendor.live, 1);
  assert_int_equal(cadastre_free(context, resized), CADASTRE_SUCCESS);
  assert_int_equal(registration.vendor.live, 0);
  destroy_context(context);
  registration.end();
}

void host_memory_that_it_does_not_serve_comes_from_the_host(void**) {
  cadastre_backend_operations_struct table = every_operation();
  for (const bool served : {false, true}) {
    table.memory_type_mask = served ? all_types : 1u << CADASTRE_DEVICE;
    Registration registration(table);
    const cadastre_context context = context_on(registration.number);
    void* const block = cadastre_malloc(context, request(8, CADASTRE_HOST));
    cadastre_memory_info_struct info;
    assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
    assert_int_equal(info.backend, served ? registration.number : CADASTRE_BACKEND_HOST);
    assert_int_equal(info.device_id, no_device_id);
    destroy_context(context);
    registration.end();
  }
}

void assert_in_use(cadastre_backend number, int users) {
  assert_int_equal(cadastre_backend_unregister(number), CADASTRE_FAILURE);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_IN_USE);
  assert_true(last().in_use == static_cast<std::size_t>(users));
  assert_string_equal(last().function, "cadastre_backend_unregister");
}

void a_backend_in_use_cannot_be_unregistered(void**) {
  Registration registration;
  const cadastre_context own = context_on(registration.number), other = context_on(CADASTRE_BACKEND_HOST);
  assert_in_use(registration.number, 1);
  void* const a = cadastre_malloc(own, request(8, CADASTRE_DEVICE));
  void* const b = cadastre_malloc(other, request(8, CADASTRE_DEVICE, registration.number));
  assert_in_use(registration.number, 3);
  assert_non_null(cadastre_realloc(own, a, 80));
  assert_in_use(registration.number, 3);
  destroy_context(own);
  assert_in_use(registration.number, 1);
  assert_int_equal(registration.vendor.calls[destroying], 1);
  assert_int_equal(cadastre_free(other, b), CADASTRE_SUCCESS);
  registration.end();
  destroy_context(other);
}

void a_block_whose_address_was_granted_again_keeps_nothing_in_use(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(registration.number);
  registration.vendor.answers_again = cadastre_malloc(context, request(8, CADASTRE_DEVICE));
  assert_ptr_equal(cadastre_malloc(context, request(8, CADASTRE_DEVICE)), registration.vendor.answers_again);
  assert_int_equal(figures(context, CADASTRE_DEVICE).untracked_deallocations, 1);
  assert_in_use(registration.number, 2);
  destroy_context(context);
  registration.end();
}

void an_unregistered_backend_is_gone_and_its_content_destroyed(void**) {
  Registration registration;
  Backend* const late = find_backend(registration.number);
  registration.end();
  assert_int_equal(registration.vendor.calls[destroying], 1);
  assert_int_equal(cadastre_backend_unregister(registration.number), CADASTRE_INVALID_ARG_1);
  assert_int_equal(last().reason, CADASTRE_REASON_INVALID_BACKEND);
  assert_int_equal(context_on(registration.number), CADASTRE_NULL_CONTEXT);
  assert_int_equal(last().exit_code, CADASTRE_INVALID_ARG_1);
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  assert_null(cadastre_malloc(context, request(8, CADASTRE_DEVICE, registration.number)));
  destroy_context(context);
  for (const cadastre_backend none : {CADASTRE_BACKEND_HOST, CADASTRE_DEFAULT_BACKEND, CADASTRE_INVALID_BACKEND, 255, 256}) {
    assert_int_equal(cadastre_backend_unregister(none), CADASTRE_INVALID_ARG_1);
  }
  // A call that comes too late.
  assert_false(late->presence().usable);
  Grant grant{};
  assert_int_equal(late->allocate({8, 0, CADASTRE_DEVICE, 0, true}, grant), CADASTRE_NOT_SUPPORTED);
  Backend* instance = nullptr;
  assert_int_equal(late->attach(instance), CADASTRE_NOT_SUPPORTED);
  assert_null(instance);
  assert_int_equal(registration.vendor.calls[allocating] + registration.vendor.calls[cloning], 0);
}

void a_resize_that_fails_changes_neither_the_block_nor_the_uses(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  void* const block = cadastre_malloc(context, request(100, CADASTRE_UVM, registration.number));
  std::memset(block, 0x5a, 100);
  for (int k = 1; k <= 5; ++k) {  // allocate, set, synchronize, copy, free
    Arena::give_up_all();         // else what the host keeps would be given up, and the vendor be asked again
    registration.vendor.refuses_in = k;
    assert_null(cadastre_realloc(context, block, 200));
    assert_int_equal(registration.vendor.refuses_in, 0);
    assert_int_equal(static_cast<unsigned char*>(block)[99], 0x5a);
    assert_int_equal(figures(context, CADASTRE_UVM).live_bytes, 100);
    assert_int_equal(registration.vendor.live, 1);
    assert_in_use(registration.number, 1);
  }
  assert_non_null(cadastre_realloc(context, block, 200));
  destroy_context(context);
  registration.end();
}

void borrowed_memory_of_a_backend_that_has_gone_is_known_but_not_copied(void**) {
  Registration registration;
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  char ours[2][100] = {};
  char here[100];
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_UVM}) {
    cadastre_memory_info_struct info = request(100, type, registration.number);
    info.pointer = ours[type == CADASTRE_UVM];
    info.device = CADASTRE_DEVICE_BY_ID(1);
    assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_memcpy(context, here, ours[1], 100), CADASTRE_SUCCESS);
  registration.end();
  cadastre_memory_info_struct info;
  assert_int_equal(cadastre_get_malloc_info(context, ours[1], &info), CADASTRE_SUCCESS);
  assert_int_equal(info.backend, registration.number);
  assert_int_equal(cadastre_memcpy(context, here, ours[1], 100), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last(context).reason, CADASTRE_REASON_BACKEND_UNAVAILABLE);
  const std::string expected = "the " + registration.name + " backend is unavailable";
  assert_non_null(std::strstr(last(context).message, expected.c_str()));
  assert_int_equal(cadastre_memcpy(context, ours[1], here, 100), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(cadastre_memset(context, ours[1], 1, 100), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(cadastre_memcpy(context, here, ours[0], 100), CADASTRE_SUCCESS);
  for (const char* const borrowed : ours) {
    std::int32_t taken = 7;
    assert_int_equal(cadastre_prefetch(context, borrowed, 100, CADASTRE_DEVICE_BY_ID(0), nullptr, &taken), CADASTRE_SUCCESS);
    assert_int_equal(taken, 0);
  }
  destroy_context(context);
}

constexpr Manner manners[] = {Manner::number, Manner::exception, Manner::other_exception};

void assert_told(const cadastre_error_struct& error, cadastre_exit_code code, cadastre_reason reason, Operation operation, Manner manner,
                 cadastre_backend backend) {
  assert_int_equal(error.exit_code, code);
  assert_int_equal(error.reason, reason);
  assert_int_equal(error.backend, backend);
  assert_int_equal(error.vendor_code, manner == Manner::number ? own_code : 0);
  const std::string expected = std::string("operation ") + name_of[operation] +
                               (manner == Manner::number      ? " failed"
                                : manner == Manner::exception ? " threw: as told"
                                                              : " threw");
  assert_string_equal(error.vendor_message, expected.c_str());
  assert_non_null(std::strstr(error.message, expected.c_str()));
  assert_non_null(std::strstr(error.message, cadastre_string_of_backend(backend)));
}

void an_allocation_that_fails_anywhere_changes_nothing(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(registration.number);
  assert_non_null(cadastre_malloc(context, request(8, CADASTRE_UVM)));
  for (const Manner manner : manners) {
    registration.vendor.manner = manner;
    for (const Operation refused : {allocating, setting}) {
      cadastre_statistics_struct expected = figures(context, CADASTRE_UVM);
      ++expected.failed_allocations;
      registration.vendor.refuses = refused;
      assert_null(cadastre_malloc(context, request(100, CADASTRE_UVM)));
      registration.vendor.refuses = none;
      assert_told(last(context), CADASTRE_ALLOCATION_FAILED, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY, refused, manner, registration.number);
      assert_int_equal(last(context).requested, 100);
      const cadastre_statistics_struct found = figures(context, CADASTRE_UVM);
      assert_memory_equal(&found, &expected, sizeof found);
      assert_int_equal(registration.vendor.live, 1);
      assert_in_use(registration.number, 2);
    }
  }
  destroy_context(context);
  registration.end();
}

void an_address_that_is_null_or_not_aligned_is_refused_and_given_back(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(registration.number);
  cadastre_memory_info_struct info = request(100, CADASTRE_DEVICE);
  info.alignment = 64;
  registration.vendor.answers_null = true;
  assert_null(cadastre_malloc(context, info));
  assert_non_null(std::strstr(last(context).message, "operation allocate returned success and wrote NULL"));
  assert_int_equal(registration.vendor.calls[freeing], 0);
  registration.vendor.answers_null = false;
  for (const std::size_t shift : {std::size_t{1}, std::size_t{32}}) {
    registration.vendor.shift = shift;
    assert_null(cadastre_malloc(context, info));
    assert_int_equal(last(context).exit_code, CADASTRE_ALLOCATION_FAILED);
    assert_non_null(std::strstr(last(context).message, "not a multiple of 64"));
    assert_int_equal(reinterpret_cast<std::uintptr_t>(told.freed.pointer) % 64, shift);
    assert_int_equal(registration.vendor.live, 0);
  }
  registration.vendor.shift = 64;
  assert_non_null(cadastre_malloc(context, info));
  assert_int_equal(figures(context, CADASTRE_DEVICE).failed_allocations, 3);
  assert_int_equal(figures(context, CADASTRE_DEVICE).live_blocks, 1);
  destroy_context(context);
  registration.end();
}

void a_free_that_fails_is_counted_and_keeps_the_backend_in_use(void**) {
  for (const Manner manner : manners) {
    static std::deque<Registration> kept;
    Registration& registration = kept.emplace_back(without_clone());
    const cadastre_context context = context_on(registration.number);
    void* const block = cadastre_malloc(context, request(8, CADASTRE_DEVICE));
    registration.vendor.manner = manner;
    registration.vendor.refuses = freeing;
    assert_int_equal(cadastre_free(context, block), CADASTRE_DEALLOCATION_FAILED);
    assert_told(last(context), CADASTRE_DEALLOCATION_FAILED, CADASTRE_REASON_BACKEND_FREE_FAILED, freeing, manner, registration.number);
    registration.vendor.refuses = none;
    assert_int_equal(figures(context, CADASTRE_DEVICE).failed_deallocations, 1);
    assert_int_equal(figures(context, CADASTRE_DEVICE).live_blocks, 0);
    destroy_context(context);
    assert_int_equal(registration.vendor.live, 1);
    assert_in_use(registration.number, 1);
    std::free(block);
  }
}

void what_fails_on_a_block_tells_the_operation_and_leaves_the_block(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(registration.number);
  void* const block = cadastre_malloc(context, request(100, CADASTRE_UVM));
  char here[100] = {};
  const struct {
    Operation operation;
    std::function<cadastre_exit_code()> call;
  } calls[] = {
      {copying, [&] { return cadastre_memcpy(context, block, here, 100); }},
      {copying_async, [&] { return cadastre_memcpy_async(context, here, block, 100, nullptr); }},
      {setting, [&] { return cadastre_memset(context, block, 1, 100); }},
      {synchronizing, [&] { return cadastre_synchronize(context, nullptr); }},
      {prefetching, [&] { return cadastre_prefetch(context, block, 100, CADASTRE_DEVICE_BY_ID(0), nullptr, nullptr); }},
      {advising, [&] { return cadastre_advise(context, block, 100, CADASTRE_ADVICE_READ_MOSTLY, CADASTRE_DEVICE_BY_ID(0), nullptr); }},
  };
  const cadastre_statistics_struct before = figures(context, CADASTRE_UVM);
  for (const Manner manner : manners) {
    registration.vendor.manner = manner;
    for (const auto& [operation, call] : calls) {
      registration.vendor.refuses = operation;
      assert_int_equal(call(), CADASTRE_FAILURE);
      registration.vendor.refuses = none;
      assert_told(last(context), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED, operation, manner, registration.number);
      assert_true(is_zero(block, 100));
      assert_int_equal(call(), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memset(context, block, 0, 100), CADASTRE_SUCCESS);
    }
  }
  const cadastre_statistics_struct after = figures(context, CADASTRE_UVM);
  assert_memory_equal(&before, &after, sizeof before);
  destroy_context(context);
  registration.end();
}

void a_clone_that_fails_makes_no_context(void**) {
  Registration registration;
  for (const Manner manner : manners) {
    registration.vendor.manner = manner;
    registration.vendor.refuses = cloning;
    assert_int_equal(context_on(registration.number), CADASTRE_NULL_CONTEXT);
    assert_told(last(), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED, cloning, manner, registration.number);
  }
  registration.vendor.refuses = none;
  registration.end();
}

void a_destroy_that_fails_is_told_and_the_context_is_gone(void**) {
  for (const Manner manner : manners) {
    Registration registration;
    const cadastre_context context = context_on(registration.number);
    assert_non_null(cadastre_malloc(context, request(8, CADASTRE_DEVICE)));
    registration.vendor.manner = manner;
    registration.vendor.refuses = destroying;
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_DEALLOCATION_FAILED);
    assert_told(last(context), CADASTRE_DEALLOCATION_FAILED, CADASTRE_REASON_BACKEND_CALL_FAILED, destroying, manner, registration.number);
    assert_int_equal(summary.live_blocks, 1);
    assert_int_equal(summary.failed_deallocations, 0);
    assert_int_equal(cadastre_context_check(context), CADASTRE_NULL_CONTEXT);
    assert_int_equal(cadastre_backend_unregister(registration.number), CADASTRE_FAILURE);
    assert_told(last(), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED, destroying, manner, registration.number);
    assert_int_equal(cadastre_backend_unregister(registration.number), CADASTRE_INVALID_ARG_1);
  }
}

void copies_go_between_two_registered_backends_and_the_host(void**) {
  Registration one(every_operation(), "one"), two(required_only(), "two");
  const cadastre_context context = context_on(one.number);
  for (const cadastre_memory_type type_of_one : {CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}) {
    for (const cadastre_memory_type type_of_two : {CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}) {
      constexpr std::size_t size = (std::size_t{4} << 20) + 77;  // more than one piece by way of the host
      std::vector<unsigned char> from(size), to(size);
      for (std::size_t i = 0; i < size; ++i) from[i] = static_cast<unsigned char>(i % 251);
      auto* const a = static_cast<unsigned char*>(cadastre_malloc(context, request(size, type_of_one)));
      auto* const b = static_cast<unsigned char*>(cadastre_malloc(context, request(size, type_of_two, two.number)));
      assert_int_equal(cadastre_memcpy(context, a, from.data(), size), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memcpy(context, b, a, size), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memset(context, a, 3, size), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memcpy(context, a + 1, b + 1, size - 2), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memcpy(context, to.data(), a, size), CADASTRE_SUCCESS);
      from.front() = from.back() = 3;
      assert_true(to == from);
      assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
    }
  }
  destroy_context(context);
  one.end();
  two.end();
}

void a_copy_is_put_on_a_queue_only_where_there_is_an_operation_for_it(void**) {
  for (const bool there : {true, false}) {
    cadastre_backend_operations_struct table = without_clone();
    if (!there) table.copy_async = nullptr;
    Registration registration(table);
    const cadastre_context context = context_on(registration.number);
    void* const block = cadastre_malloc(context, request(100, CADASTRE_DEVICE));
    const char here[100] = "here";
    assert_int_equal(cadastre_memcpy_async(context, block, here, 100, nullptr), CADASTRE_SUCCESS);
    assert_memory_equal(block, here, 100);
    assert_int_equal(registration.vendor.calls[copying_async], there);
    assert_int_equal(registration.vendor.calls[copying], !there);
    assert_int_equal(cadastre_memcpy(context, block, here, 100), CADASTRE_SUCCESS);
    assert_int_equal(registration.vendor.calls[copying], 1 + !there);
    destroy_context(context);
    registration.end();
  }
}

void a_queue_reaches_the_operations_as_it_is(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(registration.number);
  int queues[2];
  const cadastre_queue queue = &queues[0], preset = &queues[1];
  const auto seen = [] { return std::exchange(told.queue, reinterpret_cast<cadastre_queue>(1)); };
  cadastre_memory_info_struct info = request(8, CADASTRE_UVM);
  info.flags = CADASTRE_UNINITIALIZED;
  void* const a = cadastre_malloc_async(context, info, queue);
  assert_ptr_equal(seen(), queue);
  info.flags = 0;
  void* const b = cadastre_malloc_async(context, info, queue);
  assert_ptr_equal(seen(), queue);
  assert_int_equal(cadastre_memcpy_async(context, a, b, 8, queue), CADASTRE_SUCCESS);
  assert_ptr_equal(seen(), queue);
  assert_int_equal(cadastre_memset_async(context, a, 1, 8, queue), CADASTRE_SUCCESS);
  assert_ptr_equal(seen(), queue);
  assert_int_equal(cadastre_prefetch(context, a, 8, CADASTRE_DEVICE_BY_ID(1), queue, nullptr), CADASTRE_SUCCESS);
  assert_ptr_equal(seen(), queue);
  assert_int_equal(cadastre_synchronize(context, queue), CADASTRE_SUCCESS);
  assert_ptr_equal(seen(), queue);
  assert_int_equal(told.device, 0);
  assert_int_equal(cadastre_context_set_default_queue(context, preset), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memset(context, a, 1, 8), CADASTRE_SUCCESS);
  assert_ptr_equal(seen(), preset);
  assert_int_equal(cadastre_free_async(context, a, queue), CADASTRE_SUCCESS);
  assert_ptr_equal(seen(), queue);
  destroy_context(context);
  registration.end();
}

void a_resize_waits_for_all_queues_of_the_device(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(registration.number);
  cadastre_memory_info_struct info = request(8, CADASTRE_DEVICE);
  info.device = CADASTRE_DEVICE_BY_ID(1);
  void* const block = cadastre_malloc(context, info);
  int queue;
  assert_int_equal(cadastre_context_set_default_queue(context, &queue), CADASTRE_SUCCESS);
  assert_int_equal(registration.vendor.calls[synchronizing], 0);
  told.queue = &queue;
  assert_non_null(cadastre_realloc(context, block, 16));
  assert_int_equal(registration.vendor.calls[synchronizing], 2);  // of the context's device, then of the block's
  assert_int_equal(told.device, 1);
  assert_ptr_equal(told.queue, CADASTRE_DEFAULT_QUEUE);
  destroy_context(context);
  registration.end();
}

void hints_are_handed_on_and_ignored_by_default(void**) {
  Registration registration, without(required_only(), "without hints");
  const cadastre_context context = context_on(registration.number);
  void* const block = cadastre_malloc(context, request(100, CADASTRE_UVM));
  std::int32_t taken = -1;
  assert_int_equal(cadastre_prefetch(context, block, 100, CADASTRE_HOST_DEVICE, nullptr, &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 1);
  assert_int_equal(told.device, CADASTRE_HOST_DEVICE);
  assert_int_equal(cadastre_advise(context, block, 100, CADASTRE_ADVICE_READ_MOSTLY, CADASTRE_DEVICE_BY_ID(1), &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 1);
  assert_int_equal(told.device, 1);
  assert_int_equal(told.advice, CADASTRE_ADVICE_READ_MOSTLY);
  assert_int_equal(cadastre_advise(context, block, 100, CADASTRE_ADVICE_ACCESSED_BY, CADASTRE_DEVICE_BY_ID(0), &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 0);
  void* const other = cadastre_malloc(context, request(100, CADASTRE_UVM, without.number));
  taken = -1;
  assert_int_equal(cadastre_prefetch(context, other, 100, CADASTRE_HOST_DEVICE, nullptr, &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 0);
  taken = -1;
  assert_int_equal(cadastre_advise(context, other, 100, CADASTRE_ADVICE_READ_MOSTLY, CADASTRE_HOST_DEVICE, &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 0);
  destroy_context(context);
  registration.end();
  without.end();
}

void memory_of_a_device_is_told_where_it_is_known(void**) {
  cadastre_backend_operations_struct table = required_only();
  table.device_count = 1;
  Registration registration, without(table, "nobody knows");
  cadastre_device_info_struct info = cadastre_device_info_struct_zero;
  assert_int_equal(cadastre_device_get_info(registration.number, 1, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.total_bytes, 1001);
  assert_int_equal(info.free_bytes, 10);
  assert_string_equal(info.name, "");
  assert_int_equal(cadastre_device_get_info(registration.number, 2, &info), CADASTRE_INVALID_ARG_2);
  registration.vendor.refuses = asking_memory;
  assert_int_equal(cadastre_device_get_info(registration.number, 0, &info), CADASTRE_FAILURE);
  assert_told(last(), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED, asking_memory, Manner::number, registration.number);
  registration.vendor.refuses = none;
  assert_int_equal(info.device_id, 1);
  assert_int_equal(cadastre_device_get_info(without.number, 0, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.total_bytes + info.free_bytes, 0);
  registration.end();
  without.end();
}

void in_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(body, t);
  for (std::thread& thread : threads) thread.join();
}

void threads_share_a_registered_backend(void**) {
  Registration registration;
  const cadastre_context shared = context_on(CADASTRE_BACKEND_HOST);
  std::atomic<int> bad = 0;
  in_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i) {
      const cadastre_context own = context_on(registration.number);
      void* const a = cadastre_malloc(own, request(64, CADASTRE_UVM));
      void* const b = cadastre_malloc(shared, request(64, CADASTRE_UVM, registration.number));
      const bool good = a && b && cadastre_memset(shared, b, i, 64) == CADASTRE_SUCCESS && cadastre_realloc(own, a, 128) &&
                        cadastre_free(shared, b) == CADASTRE_SUCCESS && cadastre_context_destroy(own) == CADASTRE_SUCCESS;
      if (!good) ++bad;
    }
  });
  assert_int_equal(bad, 0);
  destroy_context(shared);
  registration.end();
}

void threads_that_register_one_name_do_not_both_succeed(void**) {
  const cadastre_backend_operations_struct table = required_only();
  for (int round = 0; round < 10; ++round) {
    std::array<cadastre_backend, 4> numbers{};
    in_threads(4, [&](int t) { numbers[static_cast<std::size_t>(t)] = cadastre_backend_register("raced for", &table, nullptr); });
    assert_int_equal(std::count(std::begin(numbers), std::end(numbers), CADASTRE_INVALID_BACKEND), 3);
    assert_int_equal(cadastre_backend_unregister(*std::max_element(std::begin(numbers), std::end(numbers))), CADASTRE_SUCCESS);
  }
}

void a_thread_is_not_cancelled_inside_an_operation(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(registration.number);
  static std::atomic<int> inside, passed;
  inside = passed = 0;
  registration.vendor.inside_set = [] {
    inside = 1;
    for (int i = 0; i < 50; ++i) usleep(1000);  // a cancellation point
    passed = 1;
  };
  std::thread thread([&] { cadastre_malloc(context, request(8, CADASTRE_DEVICE)); });
  while (!inside) usleep(100);
  assert_int_equal(pthread_cancel(thread.native_handle()), 0);
  thread.join();
  assert_int_equal(passed, 1);
  registration.vendor.inside_set = nullptr;
  int state = -1;
  assert_non_null(cadastre_malloc(context, request(8, CADASTRE_DEVICE)));
  assert_int_equal(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state), 0);
  assert_int_equal(state, PTHREAD_CANCEL_ENABLE);
  assert_int_equal(figures(context, CADASTRE_DEVICE).live_blocks, 2);
  destroy_context(context);
  registration.end();
}

void an_operation_may_call_the_library(void**) {
  Registration registration(without_clone());
  const cadastre_context context = context_on(registration.number);
  void* inner = nullptr;
  registration.vendor.inside_set = [&] { inner = cadastre_malloc(context, request(8, CADASTRE_HOST, CADASTRE_BACKEND_HOST)); };
  assert_non_null(cadastre_malloc(context, request(8, CADASTRE_DEVICE)));
  registration.vendor.inside_set = nullptr;
  assert_non_null(inner);
  assert_int_equal(figures(context, CADASTRE_HOST).live_blocks, 1);
  destroy_context(context);
  registration.end();
}

int use_up_all_numbers() {
  const cadastre_backend_operations_struct table = required_only();
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  cadastre_backend number = CADASTRE_INVALID_BACKEND, highest = CADASTRE_INVALID_BACKEND;
  while ((number = cadastre_backend_register("one of many", &table, nullptr)) != CADASTRE_INVALID_BACKEND) {
    highest = number;
    if (!cadastre_malloc(context, request(8, CADASTRE_DEVICE, number))) return 1;
    if (cadastre_free_all(context) != CADASTRE_SUCCESS) return 2;
    if (cadastre_backend_unregister(number) != CADASTRE_SUCCESS) return 3;
  }
  if (last().exit_code != CADASTRE_ALLOCATION_FAILED || !std::strstr(last().message, "all 192 numbers")) return 4;
  return highest == 255 ? 0 : 5;
}

void a_child_forked_while_a_thread_registers_may_register(void**) {
  if (sanitized) skip_because("with a sanitizer, registering allocates from a heap that a fork may leave locked");
  Registration registration;
  const cadastre_backend_operations_struct table = required_only();
  const auto refused = [&] { return cadastre_backend_register(registration.name.c_str(), &table, nullptr) == CADASTRE_INVALID_BACKEND; };
  std::atomic<bool> done = false;
  std::thread thread([&] {
    while (!done) refused();
  });
  int worst = 0;
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      _exit(!refused());
    }
    int status = -1;
    if (waitpid(child, &status, 0) != child || status != 0) worst = status;
    if (worst != 0) break;
  }
  done = true;
  thread.join();
  assert_int_equal(worst, 0);
  registration.end();
}

void a_child_process_goes_on_until_all_numbers_are_given(void**) {
  Registration registration;
  const pid_t child = fork();
  if (child == 0) {
    const cadastre_context context = context_on(registration.number);
    const bool inherited = cadastre_malloc(context, request(8, CADASTRE_DEVICE)) != nullptr;
    _exit(inherited ? use_up_all_numbers() : 6);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  registration.end();
}

}  // namespace

int main() {
  return Conformance<RequiredOnly, EveryOperation>::run(
      "registered backend", {
                                cmocka_unit_test(a_registration_that_cannot_be_used_is_refused_and_uses_up_no_number),
                                cmocka_unit_test(a_shorter_table_lacks_the_last_operations_and_a_longer_one_must_be_empty_there),
                                cmocka_unit_test(a_number_is_never_given_twice_and_keeps_its_name),
                                cmocka_unit_test(a_name_is_free_again_when_its_backend_has_gone),
                                cmocka_unit_test(a_backend_tells_what_it_serves),
                                cmocka_unit_test(a_content_may_be_null),
                                cmocka_unit_test(blocks_are_described_to_operations_as_the_header_says),
                                cmocka_unit_test(a_request_without_alignment_names_one_all_the_same),
                                cmocka_unit_test(the_largest_alignment_is_asked_for_once_and_holds),
                                cmocka_unit_test(memory_is_zeroed_by_set_unless_asked_otherwise),
                                cmocka_unit_test(each_context_works_with_a_clone_of_its_own),
                                cmocka_unit_test(contexts_share_the_content_that_has_no_clone),
                                cmocka_unit_test(a_block_of_another_context_comes_from_the_registered_content),
                                cmocka_unit_test(host_memory_that_it_does_not_serve_comes_from_the_host),
                                cmocka_unit_test(a_backend_in_use_cannot_be_unregistered),
                                cmocka_unit_test(a_block_whose_address_was_granted_again_keeps_nothing_in_use),
                                cmocka_unit_test(an_unregistered_backend_is_gone_and_its_content_destroyed),
                                cmocka_unit_test(a_resize_that_fails_changes_neither_the_block_nor_the_uses),
                                cmocka_unit_test(borrowed_memory_of_a_backend_that_has_gone_is_known_but_not_copied),
                                cmocka_unit_test(an_allocation_that_fails_anywhere_changes_nothing),
                                cmocka_unit_test(an_address_that_is_null_or_not_aligned_is_refused_and_given_back),
                                cmocka_unit_test(a_free_that_fails_is_counted_and_keeps_the_backend_in_use),
                                cmocka_unit_test(what_fails_on_a_block_tells_the_operation_and_leaves_the_block),
                                cmocka_unit_test(a_clone_that_fails_makes_no_context),
                                cmocka_unit_test(a_destroy_that_fails_is_told_and_the_context_is_gone),
                                cmocka_unit_test(copies_go_between_two_registered_backends_and_the_host),
                                cmocka_unit_test(a_copy_is_put_on_a_queue_only_where_there_is_an_operation_for_it),
                                cmocka_unit_test(a_queue_reaches_the_operations_as_it_is),
                                cmocka_unit_test(a_resize_waits_for_all_queues_of_the_device),
                                cmocka_unit_test(hints_are_handed_on_and_ignored_by_default),
                                cmocka_unit_test(memory_of_a_device_is_told_where_it_is_known),
                                cmocka_unit_test(threads_share_a_registered_backend),
                                cmocka_unit_test(threads_that_register_one_name_do_not_both_succeed),
                                cmocka_unit_test(a_thread_is_not_cancelled_inside_an_operation),
                                cmocka_unit_test(an_operation_may_call_the_library),
                                cmocka_unit_test(a_child_forked_while_a_thread_registers_may_register),
                                cmocka_unit_test(a_child_process_goes_on_until_all_numbers_are_given),
                            });
}
