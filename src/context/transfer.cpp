// Tangled from org/context/transfer.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/transfer.hpp"

#include <algorithm>

#include "base/fail.hpp"
#include "base/owned.hpp"
#include "context/all_contexts.hpp"

namespace cadastre::internal {
namespace {

struct Side {
  std::byte* address = nullptr;
  cadastre_exit_code argument = CADASTRE_SUCCESS;
  bool registered = false;  // else plain host memory
  Record record;            // of the block, when registered
  Place place;
  std::size_t stride = 0;
  std::size_t span = 0;  // bytes from the first to behind the last

  // Memory that queues are at work on in the caller's own name only.
  bool plain() const noexcept { return !registered || record.type == CADASTRE_HOST; }
  bool on_host() const noexcept { return place.backend == CADASTRE_BACKEND_HOST; }
  bool reached_from_host() const noexcept { return on_host() || place.type != CADASTRE_DEVICE; }
};

// HOST memory of any origin is the host's; so is what the host backend emulates.
Place place_of(const Record& record) noexcept {
  if (record.type == CADASTRE_HOST || record.backend == CADASTRE_BACKEND_HOST) return {};
  return {record.type, record.device, record.backend};
}

cadastre_exit_code refuse_bounds(const Side& side, const Record& record, cadastre_context holder = CADASTRE_NULL_CONTEXT) noexcept {
  Failure failure = about(record, CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, side.address);
  failure.argument = side.argument;
  failure.owner = holder;
  failure.requested = side.span;
  failure.limit = record.size - std::min(record.size, failure.offset);
  return fail(failure);
}

// Whether the host can have no memory at such an address.
bool are_apart(Context& context, const Record& record) noexcept {
  const Backend* const backend = context.sources().numbered(record.backend);
  return backend && backend->addresses_are_apart();
}

// Whether the host can have no memory where a block was freed.
bool is_nobodys(Context& context, const Record& freed, const void* address) noexcept {
  Backend* const backend = context.sources().numbered(freed.backend);
  return backend && (backend->addresses_are_apart() || backend->holds_back(address));
}

// Somebody else's mapping may begin where that of a block ends.
bool may_be_next_mapping(Context& context, const Side& side, const Record& before) noexcept {
  return !are_apart(context, before) && address_of(side.address) % null_page == 0;
}

// To be called outside of the context.
cadastre_exit_code respect_others(Context& context, cadastre_context handle, const Side& side) noexcept {
  if (side.registered) return CADASTRE_SUCCESS;
  Place place;
  if (context.backend().claims(side.address, place)) {
    return fail({.exit_code = side.argument,
                 .reason = CADASTRE_REASON_NOT_REGISTERED,
                 .type = place.type,
                 .backend = place.backend,
                 .device = place.device,
                 .pointer = side.address});
  }
  if (!others_live()) return CADASTRE_SUCCESS;
  Record record;
  const cadastre_context other = holder_of(side.address, handle, &record);
  if (other == CADASTRE_NULL_CONTEXT) return CADASTRE_SUCCESS;
  if (record.type != CADASTRE_DEVICE) {
    const bool fits = side.span <= record.size - (address_of(side.address) - record.address());
    return fits || (record.flags & CADASTRE_BORROWED) ? CADASTRE_SUCCESS : refuse_bounds(side, record, other);
  }
  Failure failure = about(record, side.argument, CADASTRE_REASON_OTHER_CONTEXT, side.address);
  failure.owner = other;
  return fail(failure);
}

cadastre_exit_code refuse_unknown(Context& context, const Side& side) noexcept {
  const std::optional<Record> freed = context.registry().freed_around(side.address);
  if (freed && freed->type != CADASTRE_HOST && freed->type != CADASTRE_PINNED && is_nobodys(context, *freed, side.address)) {
    return fail(about(*freed, side.argument, CADASTRE_REASON_ALREADY_FREED, side.address));
  }
  const std::optional<Record> before = context.registry().around(side.address - 1);
  const bool behind = before && before->type == CADASTRE_DEVICE && !may_be_next_mapping(context, side, *before);
  return behind ? refuse_bounds(side, *before) : CADASTRE_SUCCESS;
}

cadastre_exit_code look_up(Context& context, const void* address, cadastre_exit_code argument, Side& side) noexcept {
  side.address = static_cast<std::byte*>(const_cast<void*>(address));
  side.argument = argument;
  if (is_null(address)) {
    return fail({.exit_code = argument, .reason = CADASTRE_REASON_NULL_ADDRESS, .requested = side.span, .pointer = address});
  }
  const std::optional<Record> record = context.registry().around(address);
  side.registered = record.has_value();
  if (!record) return refuse_unknown(context, side);
  side.record = *record;
  side.place = place_of(*record);
  if (!context.sources().numbered(side.place.backend)) {
    return fail({.exit_code = CADASTRE_NOT_SUPPORTED,
                 .reason = CADASTRE_REASON_BACKEND_UNAVAILABLE,
                 .backend = side.place.backend,
                 .detail = presence_of(side.place.backend).problem});
  }
  if (record->type == CADASTRE_DEVICE && side.on_host() && !host_backend().serves(CADASTRE_DEVICE)) {
    Failure failure = about(*record, CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_NO_COPY_PATH, address);
    failure.detail = "cadastre_wrap recorded it as DEVICE memory without its backend";
    return fail(failure);
  }
  return CADASTRE_SUCCESS;
}

// Fills in stride and span.
cadastre_exit_code measure(Side& side, std::size_t width, std::size_t count, bool strided) noexcept {
  side.stride = strided && side.registered && side.record.stride_or_freed != 0 ? side.record.stride_or_freed : width;
  if (side.stride < width) {
    Failure failure = about(side.record, CADASTRE_INVALID_ARG_4, CADASTRE_REASON_STRIDE_TOO_SMALL, side.address);
    failure.requested = width;
    failure.required = side.stride;
    return fail(failure);
  }
  std::size_t steps = 0;
  const bool wraps = __builtin_mul_overflow(count - 1, side.stride, &steps) || sum_wraps(steps, width);
  if (wraps || (!side.registered && steps + width > largest_size)) {
    if (!strided) {
      return fail(
          {.exit_code = CADASTRE_INVALID_ARG_4, .reason = CADASTRE_REASON_SIZE_OVERFLOW, .requested = width, .limit = largest_size});
    }
    return fail({.exit_code = CADASTRE_INVALID_ARG_5,
                 .reason = CADASTRE_REASON_COUNT_OVERFLOW,
                 .requested = count,
                 .limit = largest_size,
                 .detail = text("%zu elements of %zu bytes, one every %zu bytes,", count, width, side.stride)});
  }
  side.span = steps + width;
  return CADASTRE_SUCCESS;
}

cadastre_exit_code check_bounds(Context& context, const Side& side) noexcept {
  const auto address = address_of(side.address);
  if (side.registered) {
    const bool fits = side.span <= side.record.size - (address - side.record.address());
    return fits ? CADASTRE_SUCCESS : refuse_bounds(side, side.record);
  }
  if (sum_wraps(address, side.span)) {
    return fail({.exit_code = side.argument,
                 .reason = CADASTRE_REASON_SIZE_OVERFLOW,
                 .requested = side.span,
                 .limit = UINTPTR_MAX - address,
                 .pointer = side.address});
  }
  const std::optional<Record> after = context.registry().around(side.address + side.span - 1);
  if (!after || after->type != CADASTRE_DEVICE) return CADASTRE_SUCCESS;
  Failure failure = about(*after, CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_RUNS_INTO_BLOCK, side.address);
  failure.argument = side.argument;
  failure.requested = side.span;
  return fail(failure);
}

cadastre_exit_code find_range(Context& context, const void* address, cadastre_exit_code argument, std::size_t width, std::size_t count,
                              bool strided, Side& side) noexcept {
  side.span = width;  // what is told until the strides are known
  cadastre_exit_code code = look_up(context, address, argument, side);
  if (code == CADASTRE_SUCCESS) code = measure(side, width, count, strided);
  return code == CADASTRE_SUCCESS ? check_bounds(context, side) : code;
}

bool overlap(const Side& a, const Side& b, std::size_t width) noexcept {
  const auto first = address_of(a.address), second = address_of(b.address);
  const std::size_t apart = first < second ? second - first : first - second;
  if (apart >= (first < second ? a.span : b.span)) return false;
  if (a.stride != b.stride) return true;
  const std::size_t within = apart % a.stride;
  return within < width || a.stride - within < width;
}

// The side whose backend does the copy, the other being reached from the host or its own; null when none can.
const Side* who_copies(const Side& to, const Side& from) noexcept {
  if (to.on_host()) return &from;
  if (from.on_host() || from.place.backend == to.place.backend) return &to;
  if (from.reached_from_host()) return &to;
  return to.reached_from_host() ? &from : nullptr;
}

constexpr std::size_t largest_piece = std::size_t{4} << 20;

cadastre_exit_code copy_by_way_of_host(Backend& reader, Backend& writer, const Copy& rows) noexcept {
  const std::size_t room = std::min(rows.bytes, largest_piece);
  const OwnedArray<std::byte> buffer = try_to_own_array<std::byte>(room);
  if (!buffer) return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_OUT_OF_HOST_MEMORY});
  for (std::size_t row = 0; row < rows.rows; ++row) {
    for (std::size_t done = 0; done < rows.bytes; done += room) {
      const std::size_t bytes = std::min(room, rows.bytes - done);
      Copy in{.to = buffer.get(),
              .from = rows.from + row * rows.from_stride + done,
              .bytes = bytes,
              .to_place = {},
              .from_place = rows.from_place};
      Copy out{
          .to = rows.to + row * rows.to_stride + done, .from = buffer.get(), .bytes = bytes, .to_place = rows.to_place, .from_place = {}};
      cadastre_exit_code code = reader.copy(in);
      if (code == CADASTRE_SUCCESS) code = writer.copy(out);
      if (code != CADASTRE_SUCCESS) return code;
    }
  }
  return CADASTRE_SUCCESS;
}

// Lets a copy or a set come in its turn. Work of the queue's own backend goes on its queue, after what the other
// devices hold where the queue is the default one. Work of another backend is done at once, after all that the queue
// holds; with plain memory alone, which queues are not known to work on, it need not wait for that.
template <class Work>
cadastre_exit_code await_turn(Context& context, bool own, bool plain, std::uint64_t here, Work& work) noexcept {
  const std::uint64_t devices = context.sources().devices_in_use();
  if (own) {
    const std::uint64_t others = devices & ~here;
    if (work.queue != CADASTRE_DEFAULT_QUEUE || others == 0) return CADASTRE_SUCCESS;
    return context.sources().await(work.queue, others);
  }
  const cadastre_exit_code code = plain && work.wait ? CADASTRE_SUCCESS : context.sources().await(work.queue, devices);
  work.queue = CADASTRE_DEFAULT_QUEUE;
  work.wait = true;
  return code;
}

cadastre_exit_code carry_out(Context& context, const Side& to, const Side& from, Copy copy) noexcept {
  const Side* const side = who_copies(to, from);
  Backend& doer = *context.sources().numbered((side ? *side : from).place.backend);
  const bool between_devices = !to.on_host() && !from.on_host() && to.place.device != from.place.device;
  const std::uint64_t here = side && !between_devices ? bit_of(side->place.device) : 0;
  cadastre_exit_code code = await_turn(context, side && &doer == &context.backend(), to.plain() && from.plain(), here, copy);
  if (code != CADASTRE_SUCCESS) return code;
  if (!side) return copy_by_way_of_host(doer, *context.sources().numbered(to.place.backend), copy);
  // What the other backend has under way there is done first; to the one that copies it is the host's.
  const Side& other = side == &to ? from : to;
  if (!other.on_host() && other.place.backend != side->place.backend) {
    Backend& owner = *context.sources().numbered(other.place.backend);
    code = owner.synchronize(other.place.device, CADASTRE_DEFAULT_QUEUE);
    if (code != CADASTRE_SUCCESS) return code;
    (side == &to ? copy.from_place : copy.to_place) = {};
    copy.wait = true;
  }
  return copy.rows == 1 ? doer.copy(copy) : doer.copy_rows(copy);
}

}  // namespace

namespace {

// For who waits, what was under way in the range is done; nothing moves.
cadastre_exit_code copy_onto_itself(Context& context, const Side& side, const Copy& copy) noexcept {
  if (!copy.wait || side.plain()) return CADASTRE_SUCCESS;
  const cadastre_exit_code code = context.sources().await(copy.queue, context.sources().devices_in_use());
  Backend& owner = *context.sources().numbered(side.place.backend);
  if (code != CADASTRE_SUCCESS || &owner == &context.backend()) return code;
  return owner.synchronize(side.place.device, CADASTRE_DEFAULT_QUEUE);
}

cadastre_exit_code failed_on_demand(const Side& to, const char* rule) noexcept {
  return fail({.exit_code = CADASTRE_FAILURE,
               .reason = CADASTRE_REASON_INJECTED,
               .backend = to.place.backend,
               .device = to.place.device,
               .requested = to.span,
               .pointer = to.address,
               .detail = rule});
}

}  // namespace

cadastre_exit_code copy(ContextLock& lock, const CopyOrder& order) noexcept {
  if (order.width == 0 || order.count == 0) return CADASTRE_SUCCESS;
  Context& context = *lock.operator->();
  Side to, from;
  cadastre_exit_code code = find_range(context, order.to, CADASTRE_INVALID_ARG_2, order.width, order.count, order.strided, to);
  if (code != CADASTRE_SUCCESS) return code;
  code = find_range(context, order.from, CADASTRE_INVALID_ARG_3, order.width, order.count, order.strided, from);
  if (code != CADASTRE_SUCCESS) return code;
  const bool onto_itself = to.address == from.address && to.stride == from.stride;
  if (!onto_itself && overlap(to, from, order.width)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_2,
                 .reason = CADASTRE_REASON_RANGES_OVERLAP,
                 .requested = to.span,
                 .pointer = to.address,
                 .base = from.address});
  }
  Copy copy{.to = to.address,
            .from = from.address,
            .bytes = order.width,
            .to_place = to.place,
            .from_place = from.place,
            .queue = context.sources().resolved(order.queue),
            .wait = order.wait,
            .rows = order.count,
            .to_stride = to.stride,
            .from_stride = from.stride};
  if (order.count > 1 && to.stride == order.width && from.stride == order.width) {
    copy.bytes = to.span;
    copy.rows = 1;
  }
  const Unlocked here(lock);
  code = respect_others(context, lock.handle(), to);
  if (code == CADASTRE_SUCCESS) code = respect_others(context, lock.handle(), from);
  if (code != CADASTRE_SUCCESS) return code;
  const BackendTime time(context.host().is_timing());
  if (const char* const rule = fails(Point::copy)) return failed_on_demand(to, rule);
  return onto_itself ? copy_onto_itself(context, to, copy) : carry_out(context, to, from, copy);
}

cadastre_exit_code set(ContextLock& lock, const SetOrder& order) noexcept {
  if (order.size == 0) return CADASTRE_SUCCESS;
  Context& context = *lock.operator->();
  Side to;
  cadastre_exit_code code = find_range(context, order.to, CADASTRE_INVALID_ARG_2, order.size, 1, false, to);
  if (code != CADASTRE_SUCCESS) return code;
  Fill fill{.to = to.address,
            .value = order.value & 0xff,
            .bytes = order.size,
            .place = to.place,
            .queue = context.sources().resolved(order.queue),
            .wait = order.wait};
  Backend& doer = *context.sources().numbered(to.place.backend);
  const Unlocked here(lock);
  code = respect_others(context, lock.handle(), to);
  if (code != CADASTRE_SUCCESS) return code;
  const BackendTime time(context.host().is_timing());
  if (const char* const rule = fails(Point::copy)) return failed_on_demand(to, rule);
  const bool own = &doer == &context.backend();
  code = await_turn(context, own, to.plain(), bit_of(to.place.device), fill);
  return code == CADASTRE_SUCCESS ? doer.set(fill) : code;
}

cadastre_exit_code synchronize(ContextLock& lock, cadastre_queue queue) noexcept {
  Context& context = *lock.operator->();
  return lock.in_backend(
      [&, resolved = context.sources().resolved(queue)] { return context.sources().await(resolved, context.sources().devices_in_use()); });
}

namespace {

using Follow = cadastre_exit_code (Backend::*)(const Hint&, bool&) noexcept;

cadastre_exit_code hint(ContextLock& lock, const HintOrder& order, cadastre_exit_code device_argument, Follow follow,
                        std::int32_t* taken) noexcept {
  if (taken) *taken = 0;
  if (order.bytes == 0) return CADASTRE_SUCCESS;
  Context& context = *lock.operator->();
  const std::optional<Record> record = order.address ? context.registry().around(order.address) : std::nullopt;
  if (!record) return refuse_unknown(context.registry(), order.address);
  const Side side{.address = static_cast<std::byte*>(const_cast<void*>(order.address)),
                  .argument = CADASTRE_INVALID_ARG_2,
                  .registered = true,
                  .record = *record,
                  .place = place_of(*record),
                  .span = order.bytes};
  cadastre_exit_code code = check_bounds(context, side);
  if (code != CADASTRE_SUCCESS) return code;
  Backend* const backend = context.sources().numbered(record->backend);
  const std::int32_t device = order.device == no_device_id ? record->device : order.device;
  if (!backend || record->type != CADASTRE_UVM || device == no_device_id) return CADASTRE_SUCCESS;
  if (device != CADASTRE_HOST_DEVICE && !backend->has_device(device)) {
    return no_device(*backend, device_argument, record->type, device);
  }
  const bool own = backend == &context.backend();
  const Hint hint{.begin = side.address,
                  .bytes = order.bytes,
                  .place = side.place,
                  .device = device,
                  .advice = order.advice,
                  .queue = own ? context.sources().resolved(order.queue) : CADASTRE_DEFAULT_QUEUE};
  bool followed = false;
  code = lock.in_backend([&] { return (backend->*follow)(hint, followed); });
  if (taken && code == CADASTRE_SUCCESS) *taken = followed;
  return code;
}

}  // namespace

cadastre_exit_code prefetch(ContextLock& lock, const HintOrder& order, std::int32_t* taken) noexcept {
  return hint(lock, order, CADASTRE_INVALID_ARG_4, &Backend::prefetch, taken);
}

cadastre_exit_code advise(ContextLock& lock, const HintOrder& order, std::int32_t* taken) noexcept {
  if (order.advice < CADASTRE_ADVICE_READ_MOSTLY || order.advice > CADASTRE_ADVICE_UNSET_ACCESSED_BY) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_4,
                 .reason = CADASTRE_REASON_INVALID_ADVICE,
                 .requested = static_cast<std::size_t>(order.advice)});
  }
  return hint(lock, order, CADASTRE_INVALID_ARG_5, &Backend::advise, taken);
}

}  // namespace cadastre::internal
