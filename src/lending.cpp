// Tangled from org/lending.org; change the chapter, then run: make tangle
#include "lending.hpp"

#include <limits>
#include <utility>

#include "all_contexts.hpp"
#include "api_boundary.hpp"
#include "core/calls.hpp"
#include "environment.hpp"
#include "lifetime.hpp"

namespace cadastre::internal {
namespace {

using WorkspaceList = std::vector<std::unique_ptr<Workspace>>;

// These two do what can throw.
std::unique_ptr<Workspace> new_workspace() {
  auto workspace = std::make_unique<Workspace>();
  workspace->prepare();
  return workspace;
}

WorkspaceList list_of_one() {
  WorkspaceList list;
  list.push_back(new_workspace());
  return list;
}

struct Want {
  cadastre_memory_type type;
  cadastre_queue queue;  // of the backend
  std::size_t bytes;     // rounded
  cadastre_exit_code queue_argument;
  bool capturing = false;
  std::uint64_t identity = 1;  // of the queue
};

// Refuses sizes by what they come to, as far as a number can say it.
cadastre_exit_code refuse_total(cadastre_exit_code argument, cadastre_memory_type type,
                                std::span<const std::size_t> sizes) noexcept {
  std::size_t total = 0;
  for (const std::size_t size : sizes) {
    if (__builtin_add_overflow(total, size, &total)) total = std::numeric_limits<std::size_t>::max();
  }
  return fail({.exit_code = argument, .reason = CADASTRE_REASON_SIZE_OVERFLOW, .type = type, .requested = total,
               .limit = largest_size});
}

// Puts the natural memory type in the place of CADASTRE_DEFAULT_WORKSPACE_TYPE, and refuses what is none.
cadastre_exit_code resolve(const Context& context, cadastre_memory_type& type) noexcept {
  if (type == CADASTRE_DEFAULT_WORKSPACE_TYPE) type = context.workspace_type();
  return is_memory_type(type) ? CADASTRE_SUCCESS : no_memory_type(type);
}

cadastre_exit_code refuse_capture(const char* why) noexcept {
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE, .reason = CADASTRE_REASON_CAPTURE_ACTIVE, .detail = why});
}

// Where an explicit size comes from, unless a call has set it.
Text whose_size(const WorkspacesOfType& of_type) noexcept try {
  return of_type.of_the_environment ? Text(as_of("CADASTRE_WORKSPACE_SIZE").c_str()) : Text();
} catch (const std::bad_alloc&) {
  return {};
}

cadastre_exit_code refuse_taken(const WorkspacesOfType& of_type, const Want& want) noexcept {
  return fail({.exit_code = CADASTRE_LIMIT_EXCEEDED, .reason = CADASTRE_REASON_WORKSPACE_BUSY, .type = want.type,
               .requested = want.bytes, .in_use = of_type.used_bytes, .size = of_type.size(), .detail = whose_size(of_type)});
}

cadastre_exit_code refuse_size(const WorkspacesOfType& of_type, const Workspace& workspace, const Want& want) noexcept {
  return fail({.exit_code = CADASTRE_LIMIT_EXCEEDED, .reason = CADASTRE_REASON_WORKSPACE_TOO_SMALL, .type = want.type,
               .requested = want.bytes, .in_use = workspace.used_bytes(), .limit = workspace.largest_that_fits(),
               .size = workspace.size(), .detail = whose_size(of_type)});
}

cadastre_exit_code refuse_alive(const WorkspacesOfType& of_type, cadastre_memory_type type) noexcept {
  const auto leases = static_cast<std::size_t>(of_type.live_leases);  // 0 while the first is being lent
  return fail({.exit_code = CADASTRE_LEASE_ALIVE, .reason = CADASTRE_REASON_LEASE_ALIVE, .type = type,
               .in_use = std::max(leases, std::size_t{1})});
}

bool is_captured(Visit& visit, cadastre_queue queue) noexcept {
  Context& context = *visit.operator->();
  if (!context.backend().has_events()) return false;
  bool captured = false;
  visit.outside([&] {
    captured = context.backend().capturing(context.device(), queue);
    return CADASTRE_SUCCESS;
  });
  return captured;
}

void look_at_queue(Visit& visit, Want& want) noexcept {
  Context& context = *visit.operator->();
  Backend& backend = context.backend();
  if (!backend.has_events()) return;
  visit.outside([&] {
    want.capturing = backend.capturing(context.device(), want.queue);
    want.identity = backend.queue_identity(context.device(), want.queue);
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code come_after(Visit& visit, WorkspacesOfType& of_type, Workspace& workspace, cadastre_queue queue) noexcept {
  Context& context = *visit.operator->();
  Backend& backend = context.backend();
  const bool other_queue = workspace.queue != queue;
  const bool by_itself = workspace.behind == Behind::default_queue || workspace.captured || !backend.has_events();
  if (workspace.behind == Behind::nothing || (!other_queue && by_itself)) return CADASTRE_SUCCESS;
  if (workspace.behind == Behind::default_queue && is_captured(visit, CADASTRE_DEFAULT_QUEUE)) {
    return refuse_capture("acquire it on this queue before its capture, because it was last acquired on the default queue, with which a captured queue cannot be ordered");
  }
  const cadastre_exit_code code = visit.outside([&] {
    if (workspace.behind == Behind::everything) return context.settle(workspace);
    if (workspace.behind == Behind::default_queue) {
      const cadastre_exit_code recorded = backend.record_event(context.device(), CADASTRE_DEFAULT_QUEUE, workspace.event);
      if (recorded != CADASTRE_SUCCESS) return recorded;
    }
    return backend.wait_event(context.device(), queue, workspace.event);
  });
  if (code == CADASTRE_SUCCESS && other_queue) ++of_type.waits;
  return code;
}

// Notes what the next lessee has to come after, and lets him have the workspace.
cadastre_exit_code leave(Visit& visit, Workspace& workspace) noexcept {
  Context& context = *visit.operator->();
  const bool events = context.backend().has_events();
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (workspace.pieces().empty()) {
    workspace.behind = Behind::nothing;
  } else if (events && workspace.queue == CADASTRE_DEFAULT_QUEUE) {
    workspace.behind = Behind::default_queue;
  } else {
    workspace.behind = Behind::everything;
    if (events && !workspace.captured) {
      workspace.thread = this_thread();  // nobody's who could lend meanwhile
      code = visit.outside([&] {
        return context.backend().record_event(context.device(), workspace.queue, workspace.event);
      });
      if (code == CADASTRE_SUCCESS) workspace.behind = Behind::event;
    }
  }
  workspace.thread = 0;
  return code;
}

cadastre_exit_code let_go(Visit& visit, Workspace& workspace) noexcept {
  Context& context = *visit.operator->();
  const cadastre_exit_code waited = visit.outside([&] { return context.settle(workspace); });
  if (waited == CADASTRE_CAPTURE_ACTIVE) return waited;
  cadastre_exit_code worst = waited;
  for (Piece piece; workspace.remove_unused(piece);) {
    const cadastre_exit_code code = context.free_piece(visit, piece, std::nullopt, waited);
    if (code == CADASTRE_CAPTURE_ACTIVE) {
      workspace.add(piece);
      return code;
    }
    if (code != CADASTRE_SUCCESS) worst = code;
  }
  return worst;
}

constexpr const char* held_is_used = "acquire as much before the capture, because the memory of the workspace must be waited for, and a blocking queue of the device is being captured";

bool is_shortage(cadastre_exit_code code) noexcept {
  return code == CADASTRE_ALLOCATION_FAILED || code == CADASTRE_LIMIT_EXCEEDED;
}

cadastre_exit_code grow(Visit& visit, WorkspacesOfType& of_type, Workspace& workspace, const Want& want) noexcept {
  if (of_type.explicit_size()) return refuse_size(of_type, workspace, want);
  Context& context = *visit.operator->();
  const bool may_move = workspace.leases().empty();
  if (may_move && !workspace.pieces().empty() && is_captured(visit, CADASTRE_DEFAULT_QUEUE)) return refuse_capture(held_is_used);
  const bool ordered = of_type.scheme == CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED || context.pool(want.type) == CADASTRE_POOL_VENDOR;
  const Order order = ordered ? Order(want.queue) : std::nullopt;
  const std::size_t bytes = may_move && of_type.kept() ? std::max(want.bytes, workspace.high_water_mark_bytes()) : want.bytes;
  Piece piece;
  cadastre_exit_code code = context.allocate_piece(visit, want.type, bytes, order, piece);
  if (is_shortage(code) && may_move && (bytes > want.bytes || !workspace.pieces().empty())) {
    if (let_go(visit, workspace) == CADASTRE_CAPTURE_ACTIVE) return CADASTRE_CAPTURE_ACTIVE;
    code = context.allocate_piece(visit, want.type, want.bytes, order, piece);
  }
  if (code != CADASTRE_SUCCESS) return code;
  if (may_move && let_go(visit, workspace) == CADASTRE_CAPTURE_ACTIVE) code = come_after(visit, of_type, workspace, want.queue);
  workspace.add(piece);
  if (code != CADASTRE_SUCCESS) return code;
  ++of_type.growths;
  return CADASTRE_SUCCESS;
}

// A queue on which the workspace was lent before has been seen.
cadastre_exit_code admit_queue(Visit& visit, const Workspace& workspace, const Want& want) noexcept {
  if (want.capturing || want.queue == CADASTRE_DEFAULT_QUEUE || (workspace.used && workspace.queue == want.queue)) return CADASTRE_SUCCESS;
  Context& context = *visit.operator->();
  if (!context.backend().has_events()) return CADASTRE_SUCCESS;
  std::int32_t device = context.device();
  visit.outside([&] {
    device = context.backend().owner_of_queue(context.device(), want.queue);
    return CADASTRE_SUCCESS;
  });
  if (device == context.device()) return CADASTRE_SUCCESS;
  return fail({.exit_code = want.queue_argument, .reason = CADASTRE_REASON_WRONG_QUEUE_DEVICE, .type = want.type,
               .backend = context.backend().number(), .device = device, .requested = static_cast<std::size_t>(device),
               .required = static_cast<std::size_t>(context.device()), .pointer = want.queue});
}

cadastre_exit_code make_ready(Visit& visit, WorkspacesOfType& of_type, Workspace& workspace, const Want& want) noexcept {
  const bool idle = workspace.leases().empty();
  const bool fits = workspace.fits(want.bytes);
  if (want.capturing) {
    return fits ? CADASTRE_SUCCESS : refuse_capture("acquire as much before the capture, or set the size, because the workspace is too small");
  }
  if (!fits) return grow(visit, of_type, workspace, want);
  return idle ? come_after(visit, of_type, workspace, want.queue) : CADASTRE_SUCCESS;
}

}  // namespace

namespace {

cadastre_exit_code try_lend(Visit& visit, const LendOrder& order, cadastre_memory_type type, void** pointers,
                            cadastre_lease& lease) {
  Context& context = *visit.operator->();
  WorkspacesOfType& of_type = context.workspaces().of(type);
  const std::uint64_t thread = this_thread();
  if (context.workspaces().query_of(thread)) {
    return fail({.exit_code = CADASTRE_SIZE_QUERY_MISMATCH, .reason = CADASTRE_REASON_SIZE_QUERY_ACTIVE});
  }
  const std::size_t granularity = context.granularity(type);
  const std::optional<std::size_t> bytes = lent_bytes(order.sizes, granularity);
  if (!bytes) return refuse_total(order.sizes_argument, type, order.sizes);
  Want want{type, context.resolved(order.queue), *bytes, order.queue_argument};
  look_at_queue(visit, want);
  Workspace* workspace = of_type.choose(thread, want.queue, want.identity, want.bytes, want.capturing);
  if (!workspace) {
    if (want.capturing) return refuse_capture("acquire as much on this queue before its capture, because no idle workspace was last acquired on it");
    if (of_type.explicit_size()) return refuse_taken(of_type, want);
    workspace = of_type.workspaces.emplace_back(new_workspace()).get();
  }
  workspace->prepare();
  workspace->thread = thread;
  workspace->lending = true;
  cadastre_exit_code code = admit_queue(visit, *workspace, want);
  if (code == CADASTRE_SUCCESS) code = make_ready(visit, of_type, *workspace, want);
  workspace->lending = false;
  if (code != CADASTRE_SUCCESS) {
    if (workspace->leases().empty()) workspace->thread = 0;
    const bool of_no_use = !workspace->used && workspace->pieces().empty();
    if (of_no_use) std::erase_if(of_type.workspaces, [=](const auto& each) { return each.get() == workspace; });
    return code;
  }
  workspace->queue = want.queue;
  workspace->identity = want.identity;
  workspace->used = true;
  if (want.capturing) workspace->capture();
  lease = context.workspaces().next_lease();
  std::byte* next = workspace->take(want.bytes, lease);
  of_type.count_lease(want.bytes);
  for (std::size_t i = 0; i < order.sizes.size(); ++i) {
    pointers[i] = order.sizes[i] == 0 ? nullptr : next;
    next += round_up(order.sizes[i], granularity);
  }
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code lend(Visit& visit, const LendOrder& order, void** pointers, cadastre_lease& lease) {
  cadastre_memory_type type = order.type;
  cadastre_exit_code code = resolve(*visit.operator->(), type);
  if (code != CADASTRE_SUCCESS) return code;
  code = try_lend(visit, order, type, pointers, lease);
  if (code != CADASTRE_SUCCESS) ++visit->workspaces().of(type).failed_acquisitions;
  return code;
}

namespace {

cadastre_exit_code refuse_lease(Workspaces& workspaces, cadastre_lease lease, const FoundLease& found) noexcept {
  if (found.workspace) {
    return fail({.exit_code = CADASTRE_LEASE_OUT_OF_ORDER, .reason = CADASTRE_REASON_LEASE_OUT_OF_ORDER,
                 .requested = static_cast<std::size_t>(lease), .in_use = found.younger,
                 .limit = static_cast<std::size_t>(found.workspace->leases().back().number)});
  }
  const bool before = workspaces.was_given_out(lease);
  return fail({.exit_code = CADASTRE_INVALID_ARG_2,
               .reason = before ? CADASTRE_REASON_LEASE_RELEASED : CADASTRE_REASON_UNKNOWN_LEASE,
               .requested = static_cast<std::size_t>(lease)});
}

// Frees what was allocated for one lend.
cadastre_exit_code free_own_piece(Visit& visit, cadastre_memory_type type, cadastre_workspace_scheme scheme,
                                  cadastre_queue queue, const Piece& piece) noexcept {
  Context& context = *visit.operator->();
  const bool can_order = queue != CADASTRE_DEFAULT_QUEUE || context.default_queue() == CADASTRE_DEFAULT_QUEUE;
  const bool ordered = scheme == CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED && can_order;
  const std::optional<Record> block = context.around(piece.begin);
  if (ordered && block->flags & CADASTRE_STREAM_ORDERED) return context.free_piece(visit, piece, queue, CADASTRE_SUCCESS);
  // Of memory that the C library gave, no free waits for a queue.
  cadastre_exit_code waited = CADASTRE_SUCCESS;
  if (ordered || type == CADASTRE_HOST) {
    waited = visit.outside([&] { return context.backend().synchronize(context.device(), queue); });
  }
  return context.free_piece(visit, piece, std::nullopt, waited);
}

}  // namespace

cadastre_exit_code give_back(Visit& visit, cadastre_lease lease) noexcept {
  Workspaces& workspaces = visit->workspaces();
  FoundLease found = workspaces.find(lease);
  if (!found.workspace || found.younger > 0) return refuse_lease(workspaces, lease, found);
  const cadastre_queue queue = found.workspace->queue;
  const bool kept = found.of_type->kept();
  const bool capturing = (!kept || queue != CADASTRE_DEFAULT_QUEUE) && is_captured(visit, queue);
  // What cannot go now stays for the next lend.
  const bool stays = kept || capturing || is_captured(visit, CADASTRE_DEFAULT_QUEUE);
  found = workspaces.find(lease);  // others were inside
  if (!found.workspace || found.younger > 0) return refuse_lease(workspaces, lease, found);
  Context& context = *visit.operator->();
  Workspace& workspace = *found.workspace;
  const cadastre_workspace_scheme scheme = found.of_type->scheme;
  if (capturing && queue != CADASTRE_DEFAULT_QUEUE) workspace.capture();
  found.of_type->count_return(workspace.give_back().bytes);
  Piece own;
  const bool goes = !stays && workspace.remove_unused(own);
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (workspace.lending) {
    workspace.behind = Behind::everything;
  } else if (workspace.leases().empty()) {
    code = leave(visit, workspace);
    if (kept && found.type == CADASTRE_HOST) context.offer_desk(visit, workspace);
  }
  if (!goes) return code;
  const cadastre_exit_code freed = free_own_piece(visit, found.type, scheme, queue, own);
  return freed == CADASTRE_SUCCESS ? code : freed;
}

namespace {

cadastre_exit_code replace(Visit& visit, WorkspacesOfType& of_type, cadastre_workspace_scheme scheme,
                           WorkspaceList list) noexcept {
  Context& context = *visit.operator->();
  std::swap(of_type.workspaces, list);
  of_type.scheme = scheme;
  of_type.of_the_environment = false;
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  for (const auto& old : list) {
    old->captured_pieces = 0;
    if (const cadastre_exit_code code = let_go(visit, *old); code != CADASTRE_SUCCESS) worst = code;
    visit.outside([&] { return context.backend().destroy_event(context.device(), old->event), CADASTRE_SUCCESS; });
  }
  return worst;
}

constexpr const char* blocking_queue_captured =
    "call this before or after the capture, because the previous memory of the workspace must be waited for, and a blocking queue of the device is being captured";

// Memory of a vendor's pool is there in the order of the context's default queue, and will be lent on any.
cadastre_exit_code await_allocation(Visit& visit) noexcept {
  Context& context = *visit.operator->();
  return visit.outside([&, queue = context.default_queue()] {
    return context.await(queue, bit_of(context.device()));
  });
}

cadastre_workspace_scheme scheme_of(std::size_t bytes) noexcept {
  if (bytes == CADASTRE_WORKSPACE_AUTOMATIC) return CADASTRE_WORKSPACE_SCHEME_AUTOMATIC;
  if (bytes == CADASTRE_WORKSPACE_STREAM_ORDERED) return CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED;
  return bytes == CADASTRE_WORKSPACE_PER_LEASE ? CADASTRE_WORKSPACE_SCHEME_PER_LEASE
                                               : CADASTRE_WORKSPACE_SCHEME_PREALLOCATED;
}

struct Buffer {
  std::byte* begin;
  std::size_t bytes;
  Place place = {};
  bool known = false;  // to a registry, or to the vendor
  Origin origin = Origin::recorded;
};

cadastre_exit_code not_a_workspace(const Buffer& buffer, const Text& why,
                                   cadastre_exit_code argument = CADASTRE_INVALID_ARG_3) noexcept {
  return fail({.exit_code = argument, .reason = CADASTRE_REASON_UNSUITABLE_BUFFER, .type = buffer.place.type,
               .device = buffer.place.device, .requested = buffer.bytes, .pointer = buffer.begin, .detail = why});
}

Record range_of(const Buffer& buffer) noexcept {
  Record range;
  range.pointer = buffer.begin;
  range.size = buffer.bytes;
  return range;
}

cadastre_exit_code place_in(const Record& block, Buffer& buffer) noexcept {
  buffer.place = {block.type, block.device, block.backend};
  buffer.known = true;
  Failure failure = about(block, CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, buffer.begin);
  if (buffer.bytes <= block.size - failure.offset) return CADASTRE_SUCCESS;
  failure.argument = CADASTRE_INVALID_ARG_4;
  failure.requested = buffer.bytes;
  failure.limit = block.size - failure.offset;
  return fail(failure);
}

// Whether bytes that nobody has now were once of a block of the context's own, all of them. What begins in a block that is
// gone and ends elsewhere is something new, which another allocator cut as it liked.
bool was_all_of(const std::optional<Record>& freed, const Buffer& buffer) noexcept {
  return freed && !freed->borrowed() && buffer.bytes <= freed->size - (address_of(buffer.begin) - freed->address());
}

// Called when no context is held. Another context knows where its block ends, which a vendor does not.
cadastre_exit_code find_outside(const Visit& visit, Backend& backend, Buffer& buffer) noexcept {
  const Elsewhere there = known_elsewhere(range_of(buffer), visit.handle());
  const Record& block = there.record;
  switch (there.what) {
    case Elsewhere::has:
      if (block.flags & CADASTRE_WORKSPACE_MEMORY) return fail(about(block, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WORKSPACE_MEMORY, buffer.begin));
      return place_in(block, buffer);
    case Elsewhere::runs_into:
      return not_a_workspace(buffer, text("they overlap a block of another context, of %zu bytes from %p", block.size, block.pointer));
    case Elsewhere::keeps:
      return not_a_workspace(buffer, "they are memory that a pool of this process has cached");
    case Elsewhere::had:
    case Elsewhere::nothing: break;
  }
  buffer.known = backend.claims(buffer.begin, buffer.place);
  if (!buffer.known) {
    if (there.what != Elsewhere::had || !was_all_of(block, buffer)) return CADASTRE_SUCCESS;
    return not_a_workspace(buffer, text("block number %llu of another context, of %zu bytes from %p, was freed by deallocation number %llu of that context",
                                        static_cast<unsigned long long>(block.serial), block.size, block.pointer,
                                        static_cast<unsigned long long>(block.stride_or_freed)));
  }
  Place last;
  const bool whole = backend.claims(buffer.begin + buffer.bytes - 1, last) && last.type == buffer.place.type &&
                     last.device == buffer.place.device;
  return whole ? CADASTRE_SUCCESS : not_a_workspace(buffer, "to the vendor, the last byte is not memory of the same kind as the first");
}

cadastre_exit_code refuse_freed(const Record& freed, const Buffer& buffer) noexcept {
  const bool moved = freed.stride_or_freed == 0;
  return fail(about(freed, CADASTRE_INVALID_ARG_3, moved ? CADASTRE_REASON_MOVED_BY_REALLOC : CADASTRE_REASON_ALREADY_FREED, buffer.begin));
}

// To the vendor, what a pool keeps is memory as any other.
cadastre_exit_code refuse_kept(const Context& context, const Buffer& buffer) noexcept {
  const std::optional<Record> freed = context.freed_around(buffer.begin);
  return freed ? refuse_freed(*freed, buffer) : not_a_workspace(buffer, "they are memory that a pool of this process has cached");
}

cadastre_exit_code find_buffer(Visit& visit, Buffer& buffer) noexcept {
  Context& context = *visit.operator->();
  if (const std::optional<Record> block = context.around(buffer.begin)) {
    if (block->flags & CADASTRE_WORKSPACE_MEMORY) {
      return fail(about(*block, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WORKSPACE_MEMORY, buffer.begin));
    }
    buffer.origin = Origin::block;
    return place_in(*block, buffer);
  }
  const Record range = range_of(buffer);
  if (pools_keep(range)) return refuse_kept(context, buffer);
  // Another context's block that ends too early is told of before one of ours that begins behind it.
  const cadastre_exit_code code =
      visit.outside([&] { return find_outside(visit, context.backend(), buffer); });
  if (code != CADASTRE_SUCCESS) return code;
  if (const std::optional<Record> inside = context.registry().beginning_inside(range)) {
    Failure failure = about(*inside, CADASTRE_INVALID_ARG_3, CADASTRE_REASON_OVERLAPS_BLOCK, buffer.begin);
    failure.requested = buffer.bytes;
    return fail(failure);
  }
  if (buffer.known) return code;
  const std::optional<Record> freed = context.freed_around(buffer.begin);
  const bool apart = freed && freed->type == CADASTRE_DEVICE && freed->backend == context.backend().number() &&
                     context.backend().addresses_are_apart();
  return apart || was_all_of(freed, buffer) ? refuse_freed(*freed, buffer) : CADASTRE_SUCCESS;
}

// A vendor whose addresses are apart from the host's knows all that he gave.
cadastre_exit_code admit_kind(const Context& context, cadastre_memory_type type, Buffer& buffer) noexcept {
  const bool of_device = type == CADASTRE_DEVICE || type == CADASTRE_UVM;
  if (buffer.known) {
    if (buffer.place.type == type) return CADASTRE_SUCCESS;
    return not_a_workspace(buffer, text("they are %s memory, and the workspace is one of %s memory",
                                        cadastre_string_of_memory_type(buffer.place.type), cadastre_string_of_memory_type(type)));
  }
  const Backend& source = context.source_of(type);
  buffer.place = {type, of_device ? context.device() : no_device_id, source.number()};
  if (!of_device || !source.addresses_are_apart()) return CADASTRE_SUCCESS;
  return not_a_workspace(buffer, text("to the %s backend, they are not its memory", cadastre_string_of_backend(source.number())));
}

cadastre_exit_code admit_buffer(Context& context, cadastre_memory_type type, Buffer& buffer) noexcept {
  if (const cadastre_exit_code code = admit_kind(context, type, buffer); code != CADASTRE_SUCCESS) return code;
  const std::size_t granularity = context.granularity(type);
  const std::size_t alignment = context.workspace_alignment(type);
  if (address_of(buffer.begin) % alignment != 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_MISALIGNED, .type = type,
                 .requested = alignment, .pointer = buffer.begin,
                 .detail = "; cadastre_workspace_get_info returns this alignment as the granularity, for info.alignment of an allocation"});
  }
  if (type != CADASTRE_HOST && buffer.place.backend != context.backend().number()) {
    return not_a_workspace(buffer, text("they are memory of the %s backend, and the context uses the %s backend",
                                        cadastre_string_of_backend(buffer.place.backend),
                                        cadastre_string_of_backend(context.backend().number())));
  }
  const bool of_device = type == CADASTRE_DEVICE || type == CADASTRE_UVM;
  if (of_device && buffer.place.device != no_device_id && buffer.place.device != context.device()) {
    return not_a_workspace(buffer, text("they are memory of device %d, and the context uses device %d",
                                        buffer.place.device, context.device()));
  }
  if (buffer.bytes < granularity) {
    return not_a_workspace(buffer, text("a workspace needs at least %zu bytes", granularity), CADASTRE_INVALID_ARG_4);
  }
  buffer.bytes &= ~(granularity - 1);
  return CADASTRE_SUCCESS;
}

cadastre_memory_info_struct description_of(const Buffer& buffer) noexcept {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = buffer.bytes;
  info.pointer = buffer.begin;
  info.type = buffer.place.type;
  info.device = device_of(buffer.place.device);
  info.backend = buffer.place.backend;
  info.label = workspace_label;
  return info;
}

cadastre_exit_code let_buffer_go(Visit& visit, cadastre_memory_type type) noexcept {
  WorkspacesOfType& of_type = visit->workspaces().of(type);
  if (of_type.scheme != CADASTRE_WORKSPACE_SCHEME_USER_OWNED) return CADASTRE_SUCCESS;
  return of_type.idle() ? replace(visit, of_type, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC, {}) : refuse_alive(of_type, type);
}

}  // namespace

std::size_t default_workspace_size(const Context& context, cadastre_memory_type type) {
  const std::size_t size = environment().workspace_sizes[static_cast<std::size_t>(type)];
  const bool named_alone = type == context.workspace_type() && size == CADASTRE_WORKSPACE_AUTOMATIC;
  return named_alone ? environment().default_workspace_size : size;
}

cadastre_exit_code set_workspace_size(Visit& visit, cadastre_memory_type type, std::size_t bytes) {
  Context& context = *visit.operator->();
  cadastre_exit_code code = resolve(context, type);
  if (code != CADASTRE_SUCCESS) return code;
  if (bytes == 0) bytes = default_workspace_size(context, type);
  WorkspacesOfType& of_type = context.workspaces().of(type);
  if (is_captured(visit, CADASTRE_DEFAULT_QUEUE)) return refuse_capture(blocking_queue_captured);
  if (!of_type.idle()) return refuse_alive(of_type, type);
  const cadastre_workspace_scheme scheme = scheme_of(bytes);
  if (scheme != CADASTRE_WORKSPACE_SCHEME_PREALLOCATED) return replace(visit, of_type, scheme, {});
  const std::optional<std::size_t> rounded = lent_bytes({&bytes, 1}, context.granularity(type));
  if (!rounded) return refuse_total(CADASTRE_INVALID_ARG_3, type, {&bytes, 1});
  WorkspaceList list = list_of_one();
  Piece piece;
  code = context.allocate_piece(visit, type, *rounded, std::nullopt, piece);
  if (code != CADASTRE_SUCCESS) return code;
  if (context.pool(type) == CADASTRE_POOL_VENDOR) code = await_allocation(visit);
  if (code == CADASTRE_SUCCESS && !of_type.idle()) code = refuse_alive(of_type, type);
  if (code != CADASTRE_SUCCESS) {
    const Failure first = failed_last();
    context.free_piece(visit, piece, std::nullopt, CADASTRE_SUCCESS);
    return fail(first);
  }
  list.front()->add(piece);
  return replace(visit, of_type, scheme, std::move(list));
}

cadastre_exit_code set_workspace_buffer(Visit& visit, cadastre_memory_type type, void* pointer, std::size_t bytes) {
  Context& context = *visit.operator->();
  cadastre_exit_code code = resolve(context, type);
  if (code != CADASTRE_SUCCESS) return code;
  if (is_captured(visit, CADASTRE_DEFAULT_QUEUE)) return refuse_capture(blocking_queue_captured);
  if (!pointer && bytes == 0) return let_buffer_go(visit, type);
  if (!pointer) return null_argument(CADASTRE_INVALID_ARG_3);
  Buffer buffer{static_cast<std::byte*>(pointer), bytes};
  const auto address = address_of(pointer);
  if (bytes > largest_size || sum_wraps(address, bytes)) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_4, .reason = CADASTRE_REASON_SIZE_OVERFLOW, .type = type,
                 .requested = bytes, .limit = std::min(largest_size, UINTPTR_MAX - address), .pointer = pointer});
  }
  if (bytes == 0) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_4, .reason = CADASTRE_REASON_UNSUITABLE_BUFFER, .pointer = pointer,
                 .detail = "a workspace needs at least one byte"});
  }
  WorkspaceList list = list_of_one();
  code = find_buffer(visit, buffer);
  if (code == CADASTRE_SUCCESS) code = admit_buffer(context, type, buffer);
  if (code != CADASTRE_SUCCESS) return code;
  WorkspacesOfType& of_type = context.workspaces().of(buffer.place.type);
  if (!of_type.idle()) return refuse_alive(of_type, buffer.place.type);
  if (buffer.origin == Origin::recorded) code = context.borrow(visit, description_of(buffer));
  if (code != CADASTRE_SUCCESS) return code;
  context.keep(buffer.begin, true);
  list.front()->add({.begin = buffer.begin, .size = buffer.bytes, .origin = buffer.origin});
  return replace(visit, of_type, CADASTRE_WORKSPACE_SCHEME_USER_OWNED, std::move(list));
}

}  // namespace cadastre::internal

using namespace cadastre::internal;

cadastre_exit_code cadastre_workspace_set_size(cadastre_context context, cadastre_memory_type type, size_t bytes) {
  return call(context, __func__, [&](Visit& visit) { return set_workspace_size(visit, type, bytes); });
}

cadastre_exit_code cadastre_workspace_set_buffer(cadastre_context context, cadastre_memory_type type, void* const buffer,
                                                 size_t bytes) {
  return call(context, __func__, [&](Visit& visit) { return set_workspace_buffer(visit, type, buffer, bytes); });
}

namespace {

// At the desk of the calling thread's shard, or not at all.
[[gnu::always_inline]] inline bool lend_at_desk(cadastre_context context, cadastre_memory_type type, std::size_t n, const std::size_t* sizes,
                                                void** pointers, cadastre_lease* lease) noexcept {
  if (!sizes || !pointers || !lease) [[unlikely]] return false;
  Shard* const shard = enter_shard(context);
  if (!shard) [[unlikely]] return false;
  Desk* const desk = shard->desk;
  const bool is_meant = desk && (type == CADASTRE_HOST || (type == CADASTRE_DEFAULT_WORKSPACE_TYPE && desk->is_default));
  const bool lent = is_meant && desk->lend(n, sizes, pointers, *lease);
  shard->door.leave(context);
  return lent;
}

[[gnu::always_inline]] inline bool take_back_at_desk(cadastre_context context, cadastre_lease lease) noexcept {
  Shard* const shard = enter_shard(context);
  if (!shard) [[unlikely]] return false;
  Desk* const desk = shard->desk;
  const bool taken = desk && desk->take_back(lease);
  shard->door.leave(context);
  return taken;
}

// first: the number of n among the arguments. A queue that no argument names is the context's.
cadastre_exit_code lend_in(cadastre_context context, const char* function, cadastre_memory_type type,
                           cadastre_queue queue, std::int32_t first, std::size_t n, const std::size_t* sizes,
                           void** pointers, cadastre_lease* lease) noexcept {
  return call(context, function, [&](Visit& visit) {
    if (n > 0 && !sizes) return null_argument(first + 1);
    if (n > 0 && !pointers) return null_argument(first + 2);
    if (!lease) return null_argument(first + 3);
    const cadastre_exit_code of_queue = first > CADASTRE_INVALID_ARG_3 ? first - 1 : CADASTRE_FAILURE;
    return lend(visit, {type, queue, {sizes, n}, first + 1, of_queue}, pointers, *lease);
  });
}

}  // namespace

cadastre_exit_code cadastre_workspace_acquire(cadastre_context context, cadastre_memory_type type, size_t n,
                                              const size_t* sizes, void** pointers, cadastre_lease* lease) {
  if (lend_at_desk(context, type, n, sizes, pointers, lease)) [[likely]] return CADASTRE_SUCCESS;
  return lend_in(context, __func__, type, CADASTRE_DEFAULT_QUEUE, CADASTRE_INVALID_ARG_3, n, sizes, pointers, lease);
}

cadastre_exit_code cadastre_workspace_acquire_on_queue(cadastre_context context, cadastre_memory_type type, cadastre_queue queue,
                                              size_t n, const size_t* sizes, void** pointers, cadastre_lease* lease) {
  if (queue == CADASTRE_DEFAULT_QUEUE && lend_at_desk(context, type, n, sizes, pointers, lease)) return CADASTRE_SUCCESS;
  return lend_in(context, __func__, type, queue, CADASTRE_INVALID_ARG_4, n, sizes, pointers, lease);
}

cadastre_exit_code cadastre_workspace_release(cadastre_context context, cadastre_lease lease) {
  if (take_back_at_desk(context, lease)) [[likely]] return CADASTRE_SUCCESS;
  return call(context, __func__, [&](Visit& visit) { return give_back(visit, lease); });
}

namespace {

cadastre_exit_code no_query() noexcept {
  return fail({.exit_code = CADASTRE_SIZE_QUERY_MISMATCH, .reason = CADASTRE_REASON_SIZE_QUERY_INACTIVE});
}

}  // namespace

cadastre_exit_code cadastre_workspace_start_size_query(cadastre_context context) {
  return call(context, __func__, [&](Visit& visit) {
    if (visit->workspaces().query_of(this_thread())) {
      return fail({.exit_code = CADASTRE_SIZE_QUERY_MISMATCH, .reason = CADASTRE_REASON_SIZE_QUERY_ACTIVE});
    }
    visit->workspaces().begin_query(this_thread());
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_workspace_stop_size_query(cadastre_context context, size_t* bytes) {
  return call(context, __func__, [&](Visit& visit) {
    const std::size_t* const most = visit->workspaces().query_of(this_thread());
    if (!most) return no_query();
    if (!bytes) return null_argument(CADASTRE_INVALID_ARG_2);
    *bytes = *most;
    visit->workspaces().end_query(this_thread());
    return CADASTRE_SUCCESS;
  });
}

int32_t cadastre_workspace_is_size_query(cadastre_context context) {
  bool asked = false;
  if (!is_live(context)) return false;  // no failure to be remembered
  call(context, __func__, [&](Visit& visit) {
    asked = visit->workspaces().query_of(this_thread()) != nullptr;
    return CADASTRE_SUCCESS;
  });
  return asked;
}

cadastre_exit_code cadastre_workspace_set_optimal_size(cadastre_context context, size_t n, const size_t* sizes) {
  cadastre_exit_code answer = CADASTRE_SIZE_UNCHANGED;
  const cadastre_exit_code code = call(context, __func__, [&](Visit& visit) {
    std::size_t* const most = visit->workspaces().query_of(this_thread());
    if (!most) return no_query();
    if (n > 0 && !sizes) return null_argument(CADASTRE_INVALID_ARG_3);
    const cadastre_memory_type type = visit->workspace_type();
    const std::optional<std::size_t> bytes = lent_bytes({sizes, n}, visit->granularity(type));
    if (!bytes) return refuse_total(CADASTRE_INVALID_ARG_3, type, {sizes, n});
    if (*bytes > *most) {
      *most = *bytes;
      answer = CADASTRE_SIZE_INCREASED;
    }
    return CADASTRE_SUCCESS;
  });
  return code == CADASTRE_SUCCESS ? answer : code;
}

cadastre_exit_code cadastre_workspace_get_info(cadastre_context context, cadastre_memory_type type,
                                               cadastre_workspace_info_struct* info) {
  return call(context, __func__, [&](Visit& visit) {
    const cadastre_exit_code code = resolve(*visit.operator->(), type);
    if (code != CADASTRE_SUCCESS) return code;
    return write_struct(visit->workspace_info(type), info, CADASTRE_INVALID_ARG_3);
  });
}
