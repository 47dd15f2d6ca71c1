// Tangled from org/backends/backend.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/backend.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>

#include "config.h"
#include "base/environment.hpp"
#include "core/forks.hpp"

namespace cadastre::internal {

#define CADASTRE_DECLARE(name) Backend& name##_backend() noexcept;
CADASTRE_BUILT_BACKENDS(CADASTRE_DECLARE)
#undef CADASTRE_DECLARE

namespace {

using Getter = Backend& (*)() noexcept;

#define CADASTRE_LIST(name) name##_backend,
constexpr Getter built[] = {CADASTRE_BUILT_BACKENDS(CADASTRE_LIST)};
#undef CADASTRE_LIST

constinit std::atomic<Backend*> registered[most_registered_backends] = {};
constinit std::atomic<std::int32_t> ever_registered = 0;

std::atomic<Backend*>* registered_at(cadastre_backend number) noexcept {
  return is_registrable(number) ? &registered[number - CADASTRE_FIRST_REGISTERED_BACKEND] : nullptr;
}

}  // namespace

Backend* find_backend(cadastre_backend number) noexcept {
  for (const Getter getter : built) {
    Backend& backend = getter();
    if (backend.number() == number) return &backend;
  }
  const std::atomic<Backend*>* const place = registered_at(number);
  return place ? place->load(std::memory_order_acquire) : nullptr;
}

Presence presence_of(cadastre_backend number) noexcept {
  if (const Backend* backend = find_backend(number)) return backend->presence();
  const BackendRow* const row = row_of_backend(number);
  if (!row) return {false, 0, "there is no backend with this number"};
  return {false, 0, row->how_to_get_it};
}

cadastre_backend enter_backend(Backend& backend, const char* name) noexcept {
  std::int32_t place = ever_registered.load(std::memory_order_relaxed);
  do {
    if (place == most_registered_backends) return CADASTRE_INVALID_BACKEND;
  } while (!ever_registered.compare_exchange_weak(place, place + 1, std::memory_order_relaxed));
  const cadastre_backend number = CADASTRE_FIRST_REGISTERED_BACKEND + place;
  name_backend(number, name);
  registered[place].store(&backend, std::memory_order_release);
  return number;
}

void strike_backend(cadastre_backend number) noexcept {
  if (std::atomic<Backend*>* const place = registered_at(number)) place->store(nullptr, std::memory_order_release);
}

bool give_up_pools_of_vendors(bool& in_flight) noexcept {
  bool any = false;
  for (const Getter getter : built) any = getter().give_up_own_pools(in_flight) || any;
  return any;
}

void lose(const Record& block) noexcept {
  if (Backend* const backend = find_backend(block.backend)) backend->lose(block);
}

cadastre_exit_code choose_backend(cadastre_backend asked, cadastre_exit_code argument, Backend*& chosen) noexcept {
  if (asked == CADASTRE_DEFAULT_BACKEND) {
    chosen = find_backend(CADASTRE_BACKEND_HOST);
    for (const BackendRow& row : backend_rows()) {
      Backend* const candidate = find_backend(row.number);
      if (!candidate || !candidate->may_accelerate()) continue;
      const Presence presence = candidate->presence();
      if (presence.accelerates && presence.devices > 0) {
        chosen = candidate;
        break;
      }
    }
    return CADASTRE_SUCCESS;
  }
  Backend* const backend = find_backend(asked);
  if (!backend && !row_of_backend(asked)) {
    return fail({.exit_code = argument, .reason = CADASTRE_REASON_INVALID_BACKEND, .requested = static_cast<std::size_t>(asked)});
  }
  const Presence presence = backend ? backend->presence() : presence_of(asked);
  if (!presence.usable) {
    return fail({.exit_code = CADASTRE_NOT_SUPPORTED,
                 .reason = CADASTRE_REASON_BACKEND_UNAVAILABLE,
                 .backend = asked,
                 .argument = number_of_argument(argument),
                 .detail = presence.problem});
  }
  chosen = backend;
  return CADASTRE_SUCCESS;
}

namespace {

Text who_serves(const Backend& backend, cadastre_memory_type type) noexcept {
  const Text own = backend.problem(type);
  if (own.characters[0]) return own;
  for (const Getter getter : built) {
    if (getter().presence().usable && getter().serves(type)) {
      return text("name the %s backend in info.backend, or create the context with it (CADASTRE_BACKEND)",
                  cadastre_string_of_backend(getter().number()));
    }
  }
  return "see with cadastre info what the backends that do need";
}

cadastre_exit_code admit_device(const Backend& backend, const Request& request) noexcept {
  const bool none_needed = request.device == no_device_id && (request.type == CADASTRE_HOST || backend.presence().devices == 0);
  if (none_needed || backend.has_device(request.device)) return CADASTRE_SUCCESS;
  return no_device(backend, CADASTRE_INVALID_ARG_2, request.type, request.device);
}

}  // namespace

cadastre_exit_code no_device(const Backend& backend, cadastre_exit_code argument, cadastre_memory_type type, std::int32_t device,
                             const void* pointer) noexcept {
  const std::int32_t devices = backend.presence().devices, given = given_for(device);
  const auto detail = [&]() -> Text {
    if (devices == 0) return "it has none, so pass CADASTRE_DEFAULT_DEVICE";
    return text("an id is a number from 0 to %d, and a request names a device as CADASTRE_DEVICE_BY_ID(id)", devices - 1);
  };
  return fail({.exit_code = argument,
               .reason = CADASTRE_REASON_INVALID_DEVICE,
               .type = type,
               .backend = backend.number(),
               .device = std::max(device, no_device_id),
               .requested = static_cast<std::size_t>(given),
               .limit = static_cast<std::size_t>(devices),
               .pointer = pointer,
               .detail = detail()});
}

cadastre_exit_code refuse_export(const Backend& backend, cadastre_memory_type type) noexcept {
  return fail({.exit_code = CADASTRE_NOT_SUPPORTED,
               .reason = CADASTRE_REASON_EXPORT_NOT_SUPPORTED,
               .type = type,
               .backend = backend.number(),
               .argument = 2,
               .detail = backend.exports(CADASTRE_DEVICE) ? "export DEVICE memory"
                                                          : "use DEVICE memory that other processes can map (see cadastre info)"});
}

Failure not_allocated(const Request& request, cadastre_backend backend, std::int64_t code, const Text& why) noexcept {
  return {.exit_code = CADASTRE_ALLOCATION_FAILED,
          .reason = CADASTRE_REASON_BACKEND_OUT_OF_MEMORY,
          .type = request.type,
          .backend = backend,
          .device = request.device,
          .requested = request.size,
          .vendor_code = code,
          .vendor = why};
}

Failure not_freed(const Record& record, cadastre_backend backend, std::int64_t code, const Text& why) noexcept {
  return {.exit_code = CADASTRE_DEALLOCATION_FAILED,
          .reason = CADASTRE_REASON_BACKEND_FREE_FAILED,
          .type = record.type,
          .backend = backend,
          .device = record.device,
          .base = record.pointer,
          .size = record.size,
          .vendor_code = code,
          .vendor = why,
          .label = text_of(record.origin)};
}

cadastre_exit_code misaligned(const Request& request, cadastre_backend backend, std::size_t alignment, const void* given) noexcept {
  return fail({.exit_code = CADASTRE_ALLOCATION_FAILED,
               .reason = CADASTRE_REASON_MISALIGNED_ALLOCATION,
               .type = request.type,
               .backend = backend,
               .device = request.device,
               .requested = request.size,
               .required = alignment,
               .pointer = given});
}

cadastre_exit_code admit(const Backend& backend, const Request& request) noexcept {
  if (!is_memory_type(request.type)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_INVALID_MEMORY_TYPE,
                 .requested = static_cast<std::size_t>(request.type)});
  }
  if (request.alignment != 0 && !std::has_single_bit(request.alignment)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_INVALID_ALIGNMENT,
                 .type = request.type,
                 .requested = request.alignment});
  }
  if (request.size > largest_size) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_SIZE_OVERFLOW,
                 .type = request.type,
                 .requested = request.size,
                 .limit = largest_size});
  }
  if (!backend.serves(request.type)) {
    return fail({.exit_code = CADASTRE_NOT_SUPPORTED,
                 .reason = CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED,
                 .type = request.type,
                 .backend = backend.number(),
                 .argument = 2,
                 .requested = request.size,
                 .detail = who_serves(backend, request.type)});
  }
  if (request.exported != Export::no && !backend.exports(request.type)) return refuse_export(backend, request.type);
  const std::size_t limit = backend.largest_alignment(request.type);
  if (request.alignment > limit) {
    return fail({.exit_code = CADASTRE_NOT_SUPPORTED,
                 .reason = CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED,
                 .type = request.type,
                 .backend = backend.number(),
                 .argument = 2,
                 .requested = request.alignment,
                 .limit = limit});
  }
  return admit_device(backend, request);
}

cadastre_exit_code Backend::resize(const Record& record, std::size_t size, Grant& grant) noexcept {
  Grant moved;
  const bool zero = size > record.size && !(record.flags & CADASTRE_UNINITIALIZED);
  // A capture, which queues without events know nothing of, is met before there is another block to free.
  if (const cadastre_exit_code code = has_events() ? settle(record) : CADASTRE_SUCCESS; code != CADASTRE_SUCCESS) return code;
  const cadastre_exit_code code = allocate({.size = size,
                                            .alignment = record.alignment(),
                                            .type = record.type,
                                            .device = record.device,
                                            .zero = zero,
                                            .exported = export_of(record.flags)},
                                           moved);
  if (code != CADASTRE_SUCCESS) return code;
  return move_block(*this, record, size, moved, grant, [&](const Record& gone) { return free(gone); });
}

cadastre_exit_code Backend::free_ordered(const Record& record, cadastre_queue queue) noexcept {
  // Where it fails, free waits for more, and tells; but it would wait for what is captured, too.
  if (synchronize(record.device, queue) == CADASTRE_CAPTURE_ACTIVE) return CADASTRE_CAPTURE_ACTIVE;
  return free(record);
}

std::size_t Backend::natural_alignment(cadastre_memory_type) const noexcept { return alignof(std::max_align_t); }

cadastre_exit_code Backend::settle_device(std::int32_t device) noexcept {
  Record any;
  any.type = CADASTRE_DEVICE;
  any.device = device;
  any.backend = static_cast<std::uint8_t>(number());
  const cadastre_exit_code code = settle(any);
  return code == CADASTRE_SUCCESS ? synchronize(device, CADASTRE_DEFAULT_QUEUE) : code;
}

bool Backend::takes_from_host(cadastre_memory_type type, std::int32_t) noexcept {
  return type != CADASTRE_DEVICE || !presence().accelerates;
}

bool Backend::give_up_own_pools(bool&) noexcept { return false; }

cadastre_exit_code Backend::describe(std::int32_t device, DeviceDescription& description) noexcept {
  description = {};
  return memory_of(device, description);
}

cadastre_exit_code Backend::memory_of(std::int32_t, DeviceMemory& memory) noexcept {
  memory = {};
  return CADASTRE_SUCCESS;
}

bool Backend::claims(const void*, Place&) noexcept { return false; }

cadastre_exit_code Backend::export_block(const Record& record, VendorHandle&, std::size_t&) noexcept {
  return refuse_export(*this, record.type);
}

cadastre_exit_code Backend::import_block(std::int32_t, const VendorHandle&, void*&) noexcept {
  return refuse_export(*this, CADASTRE_DEVICE);
}

cadastre_exit_code Backend::close_import(std::int32_t, void*) noexcept { return CADASTRE_SUCCESS; }

std::int32_t Backend::current_device() noexcept { return presence().devices > 0 ? 0 : no_device_id; }

constinit std::atomic<std::uint32_t> vendors_gone = 0;

namespace {

constinit std::atomic<std::uint32_t> opened = 0;
static_assert(last_named_backend < 31);

[[gnu::constructor(101)]] void watch_for_forks() noexcept {
  at_fork(nullptr, nullptr, [] { vendors_gone |= opened.load(); });
}

}  // namespace

void watch_for_the_end(cadastre_backend backend) noexcept {
  opened |= 1u << backend;
  std::atexit([] { vendors_gone |= all_vendors; });
}

}  // namespace cadastre::internal
