// Tangled from org/tests/two_vendors.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Doubles for tests: two backends that note what they are asked for.
#ifndef CADASTRE_TESTS_TWO_VENDORS_HPP
#define CADASTRE_TESTS_TWO_VENDORS_HPP

#include <sys/resource.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "context/lifetime.hpp"

namespace cadastre::internal {

class NotedVendor final : public Backend {
 public:
  explicit NotedVendor(const char* name) : name_(name), number_(enter_backend(*this, name)) {}

  // Of both vendors: what they were asked for, each request ended by a semicolon; and a refusal to come.
  static inline std::string noted;
  static inline int refused_call = 0;              // counted down; the call that reaches 0 is refused
  static inline bool idle = false;                 // copies and sets are noted and not done
  static inline std::function<void()> when_asked;  // anything that a vendor may have to open a runtime for
  std::int32_t working_on = 0;
  std::size_t live() const { return blocks_.size(); }

  cadastre_backend number() const noexcept override { return number_; }
  Presence presence() const noexcept override {
    if (when_asked) when_asked();
    return {true, 2, ""};
  }
  bool serves(cadastre_memory_type type) const noexcept override {
    return type == CADASTRE_PINNED || type == CADASTRE_DEVICE || type == CADASTRE_UVM;
  }
  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return 16; }
  std::int32_t current_device() noexcept override {
    if (when_asked) when_asked();
    return working_on;
  }
  bool addresses_are_apart() const noexcept override { return true; }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    const bool ordered = request.ordered && request.type == CADASTRE_DEVICE;
    if (refuses(ordered ? "allocates" + on(request.queue) : std::string("allocates"))) {
      return refusal(CADASTRE_ALLOCATION_FAILED, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
    }
    grant = {std::calloc(1, request.size + 1), 16, ordered ? how_ordered : std::uint16_t{0}};
    const std::lock_guard lock(mutex_);
    blocks_[static_cast<std::byte*>(grant.pointer)] = {request.size, {request.type, request.device, number_}};
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code free(const Record& record) noexcept override { return give_back(record, "frees"); }
  cadastre_exit_code free_ordered(const Record& record, cadastre_queue queue) noexcept override {
    return give_back(record, "lets go" + on(queue));
  }
  cadastre_exit_code copy(const Copy& copy) noexcept override {
    const std::string ends = told(copy.from_place) + " to " + told(copy.to_place);
    if (refuses("copies " + ends + on(copy.queue) + behind(copy.wait))) {
      return refusal(CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED);
    }
    bytes_copied += copy.bytes;
    if (!idle) std::memcpy(copy.to, copy.from, copy.bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code set(const Fill& fill) noexcept override {
    if (refuses("sets " + told(fill.place) + on(fill.queue) + behind(fill.wait))) {
      return refusal(CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED);
    }
    last_value = fill.value;
    if (!idle) std::memset(fill.to, fill.value, fill.bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code synchronize(std::int32_t device, cadastre_queue queue) noexcept override {
    const bool refused = refuses("waits for " + std::to_string(device) + on(queue));
    return refused ? refusal(CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED) : CADASTRE_SUCCESS;
  }
  cadastre_exit_code prefetch(const Hint& hint, bool& taken) noexcept override {
    taken = hint.device == 1;
    const bool refused = refuses("prefetches to " + std::to_string(hint.device) + on(hint.queue));
    return refused ? refusal(CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED) : CADASTRE_SUCCESS;
  }
  cadastre_exit_code advise(const Hint& hint, bool& taken) noexcept override {
    taken = true;
    refuses("is advised " + std::to_string(hint.advice) + " for " + std::to_string(hint.device));
    return CADASTRE_SUCCESS;
  }
  bool claims(const void* address, Place& place) noexcept override {
    if (when_asked) when_asked();
    const std::lock_guard lock(mutex_);
    const auto* const byte = static_cast<const std::byte*>(address);
    for (const auto& [begin, block] : blocks_) {
      if (byte >= begin && byte < begin + block.size) {
        place = block.place;
        return true;
      }
    }
    return false;
  }

  std::size_t bytes_copied = 0;
  int last_value = 0;

  // Frees a block that nobody can free any more, because its free was refused.
  void forget(void* pointer) {
    blocks_.erase(static_cast<std::byte*>(pointer));
    std::free(pointer);
  }

 private:
  struct Block {
    std::size_t size;
    Place place;
  };

  cadastre_exit_code give_back(const Record& record, const std::string& how) noexcept {
    if (refuses(how)) return refusal(CADASTRE_DEALLOCATION_FAILED, CADASTRE_REASON_BACKEND_FREE_FAILED);
    const std::lock_guard lock(mutex_);
    blocks_.erase(static_cast<std::byte*>(record.pointer));
    std::free(record.pointer);
    return CADASTRE_SUCCESS;
  }
  bool refuses(const std::string& request) noexcept {
    const std::lock_guard lock(mutex_);
    noted += name_ + (" " + request + "; ");
    return refused_call > 0 && --refused_call == 0;
  }
  cadastre_exit_code refusal(cadastre_exit_code code, cadastre_reason reason) const noexcept {
    return fail({.exit_code = code, .reason = reason, .backend = number_, .vendor = "not today", .detail = "a call"});
  }
  static std::string on(cadastre_queue queue) { return queue == CADASTRE_DEFAULT_QUEUE ? "" : " on q" + std::to_string(address_of(queue)); }
  static std::string behind(bool wait) { return wait ? "" : " behind our back"; }
  static std::string told(const Place& place) {
    const std::string device = place.device == no_device_id ? "" : " " + std::to_string(place.device);
    return cadastre_string_of_memory_type(place.type) + device;
  }

  const std::string name_;
  const cadastre_backend number_;
  static inline std::mutex mutex_;
  std::map<std::byte*, Block> blocks_;
};

inline NotedVendor& vendor_a() {
  static NotedVendor& vendor = *new NotedVendor("A");
  return vendor;
}
inline NotedVendor& vendor_b() {
  static NotedVendor& vendor = *new NotedVendor("B");
  return vendor;
}

inline cadastre_queue queue_number(std::uintptr_t number) { return reinterpret_cast<cadastre_queue>(number); }

inline cadastre_context context_on(Backend& backend) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend.number();
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  NotedVendor::noted.clear();
  return context;
}

inline cadastre_memory_info_struct request(cadastre_memory_type type, std::size_t size, std::int32_t device = no_device_id,
                                           cadastre_backend backend = CADASTRE_DEFAULT_BACKEND) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.type = type;
  info.size = size;
  info.device = device_of(device);
  info.backend = backend;
  return info;
}

// Skips the test where the process may lock no memory at all.
inline unsigned char* block(cadastre_context context, const cadastre_memory_info_struct& info) {
  auto* const pointer = static_cast<unsigned char*>(cadastre_malloc(context, info));
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  if (!pointer && info.type == CADASTRE_PINNED && limit.rlim_cur < 65536) skip_because("the limit of locked memory is too small");
  assert_non_null(pointer);
  return pointer;
}

inline cadastre_error_struct last(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error;
}

inline void assert_refused(cadastre_context context, cadastre_exit_code code, cadastre_exit_code expected, cadastre_reason reason) {
  assert_int_equal(code, expected);
  assert_int_equal(last(context).exit_code, expected);
  assert_string_equal(cadastre_string_of_reason(last(context).reason), cadastre_string_of_reason(reason));
}

inline void destroy(cadastre_context context) { assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS); }

using Bytes = std::vector<unsigned char>;

inline Bytes pattern(std::size_t size, unsigned first = 1) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 251 + first);
  return bytes;
}

}  // namespace cadastre::internal
#endif
