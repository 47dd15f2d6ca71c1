// Tangled from org/backends/openmp.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "config.h"
#include "backends/backend.hpp"
#include "backends/openmp_held_back.hpp"
#include "backends/openmp_runtime.hpp"
#include "base/environment.hpp"
#include "base/owned.hpp"

namespace cadastre::internal {
namespace openmp {
namespace {

std::int32_t device_of(const Place& place) noexcept {
  const bool on_device = place.backend == CADASTRE_BACKEND_OPENMP && place.type != CADASTRE_PINNED;
  return on_device ? place.device : cadastre_openmp_host;
}

bool can_be_reached(std::int32_t device) noexcept { return device == cadastre_openmp_host || is_device(device); }

class OpenMP final : public Backend {
 public:
  cadastre_backend number() const noexcept override { return CADASTRE_BACKEND_OPENMP; }

  Presence presence() const noexcept override {
    const Module& module = opened();
    return {bool(module.table), module.devices, module.problem.characters, module.accelerates, module.meaning.c_str()};
  }

  bool may_accelerate() const noexcept override {
    try {
      return CADASTRE_OPENMP_ACCELERATES || !environment().library("CADASTRE_OPENMP_MODULE").empty();
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  bool addresses_are_apart() const noexcept override { return presence().accelerates; }

  bool holds_back(const void* address) noexcept override {
    return vendor(CADASTRE_BACKEND_OPENMP) == Vendor::there && held_back_.holds(address_of(address));
  }

  bool serves(cadastre_memory_type type) const noexcept override {
    return is_memory_type(type) && type != CADASTRE_HOST && opened().table && !opened().refusal(kind_of(type));
  }

  Text problem(cadastre_memory_type type) const noexcept override {
    if (!is_memory_type(type) || type == CADASTRE_HOST || !opened().table) return {};
    const char* const refusal = opened().refusal(kind_of(type));
    return refusal ? Text(refusal) : Text();
  }

  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return cadastre_openmp_alignment << offset_bits; }

  std::size_t natural_alignment(cadastre_memory_type) const noexcept override { return cadastre_openmp_alignment; }

  cadastre_exit_code describe(std::int32_t device, DeviceDescription& description) noexcept override {
    description = {};
    if (const Module& module = opened(); is_device(device)) {
      module.table->name(device, description.name, sizeof description.name);
    }
    return CADASTRE_SUCCESS;
  }

  std::int32_t current_device() noexcept override {
    if (!opened().table) return no_device_id;
    const std::int32_t device = vendor(CADASTRE_BACKEND_OPENMP) == Vendor::there ? opened().table->default_device() : 0;
    return is_device(device) ? device : 0;
  }

  static constexpr int offset_bits = 15;

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    Failure failure = not_allocated(request, CADASTRE_BACKEND_OPENMP, 0, {});
    if (why_not_callable()) return not_callable(failure);
    cadastre_openmp_queue queue{};
    if (const cadastre_exit_code code = look_at(request.queue, queue); code != CADASTRE_SUCCESS) return code;
    const std::size_t alignment = std::max(request.alignment, cadastre_openmp_alignment);
    // Just behind memory that is the host's, too, nobody else's is to begin: it is taken for a slip of the caller's.
    const std::size_t apart = addresses_are_apart() ? 0 : 1;
    const std::size_t spare = alignment - cadastre_openmp_alignment + apart;
    if (request.size > largest_size - spare) {
      failure.vendor = "the runtime cannot allocate so much, because its sizes are signed";
      return fail(failure);
    }
    const std::size_t bytes = std::max(request.size, cadastre_openmp_alignment) + spare;
    void* first = nullptr;
    const auto kind = kind_of(request.type);
    const cadastre_openmp_answer answer = obtain(kind, bytes, request.device, first);
    if (answer.text) return fail_with(answer, failure);
    if (reinterpret_cast<std::uintptr_t>(first) % cadastre_openmp_alignment != 0) {
      give_back(kind, first, request.device, failure);
      return misaligned(request, CADASTRE_BACKEND_OPENMP, cadastre_openmp_alignment, first);
    }
    const std::size_t offset = -reinterpret_cast<std::uintptr_t>(first) & (alignment - 1);
    auto* const begin = static_cast<std::byte*>(first) + offset;
    if (request.zero && request.size > 0 && !zero(begin, request, failure)) {
      give_back(kind, first, request.device, failure);
      return fail(failure);
    }
    grant = {begin, alignment, static_cast<std::uint16_t>(offset / cadastre_openmp_alignment)};
    return CADASTRE_SUCCESS;
  }

  // Where the runtime is gone, so is the memory.
  cadastre_exit_code free(const Record& record) noexcept override {
    if (vendor(CADASTRE_BACKEND_OPENMP) != Vendor::there) return CADASTRE_SUCCESS;
    Failure failure = not_freed(record, CADASTRE_BACKEND_OPENMP, 0, {});
    if (why_not_callable()) return not_callable(failure);
    constexpr std::uint16_t mask = (1 << offset_bits) - 1;
    const std::size_t offset = (record.how & mask) * cadastre_openmp_alignment;
    auto* const first = static_cast<std::byte*>(record.pointer) - offset;
    HeldBack::Block block{first, kind_of(record.type), record.device, record.address(), record.size};
    if (settle(record) != CADASTRE_SUCCESS) {
      const Failure waited = failed_last();
      failure.vendor_code = waited.vendor_code;
      failure.vendor = waited.vendor;
      return fail(failure);
    }
    if (!addresses_are_apart() && record.type == CADASTRE_DEVICE) {
      block = held_back_.exchange(block);
      if (!block.first) return CADASTRE_SUCCESS;
    }
    const cadastre_openmp_answer answer = opened().table->free(block.kind, block.first, block.device);
    return answer.text ? fail_with(answer, failure) : CADASTRE_SUCCESS;
  }

  cadastre_exit_code copy(const Copy& copy) noexcept override {
    const std::int32_t to = device_of(copy.to_place), from = device_of(copy.from_place);
    Failure failure{.exit_code = CADASTRE_FAILURE,
                    .reason = CADASTRE_REASON_BACKEND_CALL_FAILED,
                    .type = copy.to_place.type,
                    .backend = CADASTRE_BACKEND_OPENMP,
                    .device = std::max(to, from),
                    .requested = copy.bytes,
                    .pointer = copy.to,
                    .base = copy.from};
    if (why_not_callable()) return not_callable(failure);
    if (!can_be_reached(to) || !can_be_reached(from)) {
      return no_device(*this, CADASTRE_FAILURE, copy.to_place.type, can_be_reached(to) ? from : to, copy.to);
    }
    if (const cadastre_exit_code code = wait_for(copy.queue); code != CADASTRE_SUCCESS) return code;
    if (to == cadastre_openmp_host && from == cadastre_openmp_host) {
      std::memcpy(copy.to, copy.from, copy.bytes);
      return CADASTRE_SUCCESS;
    }
    const bool two_devices = to != cadastre_openmp_host && from != cadastre_openmp_host;
    const cadastre_openmp_answer answer =
        two_devices ? copy_in_pieces(copy, to, from) : opened().table->copy(copy.to, to, copy.from, from, copy.bytes);
    if (!answer.text) return CADASTRE_SUCCESS;
    failure.detail = text("a copy of %zu bytes", copy.bytes);
    return fail_with(answer, failure);
  }

  cadastre_exit_code set(const Fill& order) noexcept override {
    const std::int32_t device = device_of(order.place);
    Failure failure{.exit_code = CADASTRE_FAILURE,
                    .reason = CADASTRE_REASON_BACKEND_CALL_FAILED,
                    .type = order.place.type,
                    .backend = CADASTRE_BACKEND_OPENMP,
                    .device = device,
                    .requested = order.bytes,
                    .pointer = order.to,
                    .detail = text("setting %zu bytes", order.bytes)};
    if (why_not_callable()) return not_callable(failure);
    if (!can_be_reached(device)) return no_device(*this, CADASTRE_FAILURE, order.place.type, device, order.to);
    if (const cadastre_exit_code code = wait_for(order.queue); code != CADASTRE_SUCCESS) return code;
    return fill(order, failure) ? CADASTRE_SUCCESS : fail(failure);
  }

  cadastre_exit_code copy_rows(const Copy& rows) noexcept override {
    if (const cadastre_exit_code code = wait_for(rows.queue); code != CADASTRE_SUCCESS) return code;
    Copy each = rows;
    each.queue = CADASTRE_DEFAULT_QUEUE;
    return Backend::copy_rows(each);
  }

  cadastre_exit_code synchronize(std::int32_t, cadastre_queue queue) noexcept override { return wait_for(queue); }

  cadastre_exit_code settle(const Record& record) noexcept override {
    if (opened().no_queues || vendor(CADASTRE_BACKEND_OPENMP) != Vendor::there || !is_device(record.device)) return CADASTRE_SUCCESS;
    const cadastre_openmp_answer answer = opened().table->settle(record.device);
    return answer.text ? refuse_to_wait(answer, nullptr, text("waiting for device %d", record.device)) : CADASTRE_SUCCESS;
  }

  std::int32_t owner_of_queue(std::int32_t device, cadastre_queue queue) noexcept override {
    cadastre_openmp_queue found{};
    return queue != CADASTRE_DEFAULT_QUEUE && look_at(queue, found) == CADASTRE_SUCCESS ? found.device : device;
  }

  std::uint64_t queue_identity(std::int32_t, cadastre_queue queue) noexcept override {
    cadastre_openmp_queue found{};
    if (queue == CADASTRE_DEFAULT_QUEUE) return 1;
    return look_at(queue, found) == CADASTRE_SUCCESS ? found.identity : 0;
  }

 private:
  HeldBack held_back_;

  cadastre_openmp_answer obtain(cadastre_openmp_kind kind, std::size_t bytes, std::int32_t device, void*& first) noexcept {
    const cadastre_openmp_answer answer = opened().table->allocate(kind, bytes, device, &first);
    if (!answer.text || !held_back_.give_back_all(*opened().table)) return answer;
    return opened().table->allocate(kind, bytes, device, &first);
  }

  static void give_back(cadastre_openmp_kind kind, void* first, std::int32_t device, Failure& failure) noexcept {
    const cadastre_openmp_answer answer = opened().table->free(kind, first, device);
    if (!answer.text) return;
    failure.vendor = text("%s; then it could not be freed: %s", failure.vendor.characters, answer.text);
  }

  // Answers whether it is done; if not, failure has the runtime's words.
  static bool fill(const Fill& fill, Failure& failure) noexcept {
    const std::int32_t device = device_of(fill.place);
    if (device == cadastre_openmp_host) {
      std::memset(fill.to, fill.value, fill.bytes);
      return true;
    }
    const cadastre_openmp_answer answer = opened().table->fill(fill.to, device, fill.value, fill.bytes);
    failure.vendor_code = answer.code;
    if (answer.text) failure.vendor = answer.text;
    return !answer.text;
  }

  // The same for a new block.
  static bool zero(std::byte* begin, const Request& request, Failure& failure) noexcept {
    const Place place{request.type, request.device, CADASTRE_BACKEND_OPENMP};
    if (fill({.to = begin, .value = 0, .bytes = request.size, .place = place}, failure)) return true;
    failure.reason = CADASTRE_REASON_BACKEND_CALL_FAILED;
    failure.detail = "zeroing a new block";
    return false;
  }

  static cadastre_exit_code refuse_to_wait(const cadastre_openmp_answer& answer, cadastre_queue queue, const Text& detail) noexcept {
    const bool captured = answer.code == cadastre_openmp_captured, none = answer.code == cadastre_openmp_no_queue;
    return fail({.exit_code = captured ? CADASTRE_CAPTURE_ACTIVE
                              : none   ? CADASTRE_NOT_SUPPORTED
                                       : CADASTRE_FAILURE,
                 .reason = captured ? CADASTRE_REASON_CAPTURE_ACTIVE : CADASTRE_REASON_BACKEND_CALL_FAILED,
                 .backend = CADASTRE_BACKEND_OPENMP,
                 .pointer = queue,
                 .vendor_code = captured || none ? 0 : answer.code,
                 .vendor = answer.text,
                 .detail = captured ? Text("wait after the capture has ended") : detail});
  }

  static cadastre_exit_code look_at(cadastre_queue queue, cadastre_openmp_queue& found) noexcept {
    if (queue == CADASTRE_DEFAULT_QUEUE || vendor(CADASTRE_BACKEND_OPENMP) != Vendor::there || !opened().table) return CADASTRE_SUCCESS;
    const cadastre_openmp_answer answer =
        opened().no_queues ? cadastre_openmp_answer{cadastre_openmp_no_queue, opened().no_queues} : opened().table->look_at(queue, &found);
    return answer.text ? refuse_to_wait(answer, queue, text("looking at the queue %p", queue)) : CADASTRE_SUCCESS;
  }

  static cadastre_exit_code wait_for(cadastre_queue queue) noexcept {
    if (queue == CADASTRE_DEFAULT_QUEUE || vendor(CADASTRE_BACKEND_OPENMP) != Vendor::there || !opened().table) return CADASTRE_SUCCESS;
    const cadastre_openmp_answer answer =
        opened().no_queues ? cadastre_openmp_answer{cadastre_openmp_no_queue, opened().no_queues} : opened().table->wait(queue);
    return answer.text ? refuse_to_wait(answer, queue, text("waiting for the queue %p", queue)) : CADASTRE_SUCCESS;
  }

  static constexpr std::size_t largest_piece = std::size_t{32} << 20;

  static cadastre_openmp_answer copy_in_pieces(const Copy& copy, std::int32_t to, std::int32_t from) noexcept {
    const ForeignTable& table = opened().table;
    OwnedArray<std::byte> buffer;
    for (std::size_t begin = 0; begin < copy.bytes; begin += largest_piece) {
      const std::size_t bytes = std::min(largest_piece, copy.bytes - begin);
      const cadastre_openmp_answer direct =
          buffer ? cadastre_openmp_answer{} : table->copy(copy.to + begin, to, copy.from + begin, from, bytes);
      if (!buffer && !direct.text) continue;
      if (!buffer) buffer = try_to_own_array<std::byte>(bytes);
      if (!buffer) return direct;
      cadastre_openmp_answer answer = table->copy(buffer.get(), cadastre_openmp_host, copy.from + begin, from, bytes);
      if (!answer.text) answer = table->copy(copy.to + begin, to, buffer.get(), cadastre_openmp_host, bytes);
      if (answer.text) return answer;
    }
    return {0, nullptr};
  }
};

constinit OpenMP only;

}  // namespace
}  // namespace openmp

Backend& openmp_backend() noexcept { return openmp::only; }

}  // namespace cadastre::internal
