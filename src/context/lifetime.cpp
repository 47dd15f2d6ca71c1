// Tangled from org/context/lifetime.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/lifetime.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/label.hpp"
#include "base/lock.hpp"
#include "context/fork.hpp"
#include "context/table.hpp"
#include "core/kept_runs.hpp"

namespace cadastre::internal {

Context::Context() noexcept : registry_(lose_unless_pooled) {}

void Context::begin(Backend& backend, const Settings& settings, ChildOf parent) noexcept {
  parent_ = std::move(parent);
  backend_ = &backend;
  device_ = settings.device == no_device_id ? backend.current_device() : settings.device;
  settings_ = settings;
  host_is_ours_ = &backend == find_backend(CADASTRE_BACKEND_HOST) || !backend.serves(CADASTRE_HOST);
  shared().set_parent(parent_.parent());
  use_device(backend, device_);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) shared().of(type).set_limit(settings.limits.of_type(type));
  shared().set_limit(CADASTRE_ALL_MEMORY_TYPES, settings.limits[CADASTRE_ALL_MEMORY_TYPES]);
}

bool Context::has_used_its_heap_only() const noexcept {
  bool any_pool = false;
  for (const PoolUses& pools : pools_) any_pool |= pools.has_any();
  return registry_.has_used_its_heap_only() && !any_pool && imports_.empty() && !books_were_opened_ && kept_failures_.are_as_new();
}

bool Context::renew() noexcept {
  if (!has_used_its_heap_only_) return false;
  registry_.renew();
  queue_.store(CADASTRE_DEFAULT_QUEUE, std::memory_order_relaxed);
  devices_.store(0, std::memory_order_relaxed);
  no_desk_for_ = no_cache_for_ = 0;
  books_were_opened_ = false;
  timing_.store(false, std::memory_order_relaxed);
  from_malloc_ = false;
  plain_frees_.clear();
  number_ = 0;
  counted_type_ = -1;
  parent_.leave();
  return true;
}

namespace {

// A backend that has let a context in, which does not exist yet.
struct Attached {
  explicit Attached(Backend& of) noexcept : code(of.attach(backend)) {}
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  // What was thrown is told later; what failed is told, whatever detach says.
  ~Attached() {
    if (!backend) return;
    const bool failed = code != CADASTRE_SUCCESS;
    const Failure first = failed ? failed_last() : Failure();
    backend->detach();
    if (failed) fail(first);
  }
  Backend* backend = nullptr;
  cadastre_exit_code code;
};

// One that was closed, for the next that is created.
class SpareContext {
 public:
  std::unique_ptr<Context> take() noexcept { return std::unique_ptr<Context>(spare_.exchange(nullptr, std::memory_order_acquire)); }
  // Lets it go where there is one, or more than its heap was used; and where a checker is to see who still uses it, unless somebody has
  // asked for a heap all the same.
  void keep(std::unique_ptr<Context> context) noexcept {
#ifdef CADASTRE_READS_ARE_WATCHED
    if (!context->uses_slabs()) return;
#endif
    if (spare_.load(std::memory_order_relaxed) || !context->renew()) return;
    const std::unique_ptr<Context> before(spare_.exchange(context.release(), std::memory_order_acq_rel));
  }

 private:
  std::atomic<Context*> spare_ = nullptr;
};
constinit SpareContext spare_context;

}  // namespace

cadastre_exit_code create_context(Backend& backend, const Settings& settings, ChildOf parent, cadastre_context& created) {
  Attached attached(backend);
  if (attached.code != CADASTRE_SUCCESS) return attached.code;
  std::unique_ptr<Context> context = spare_context.take();
  if (!context) context = std::make_unique<Context>();
  context->begin(*attached.backend, settings, std::move(parent));
  const Locked table_locked(ContextTable::mutex);
  if (!forks_are_watched()) throw std::bad_alloc();
  const std::uint32_t number = context_table.take();
  if (number == ContextTable::most_slots) {
    return attached.code = fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_TOO_MANY_CONTEXTS,
                                 .limit = ContextTable::most_slots});
  }
  Slot& slot = context_table.at(number);
  const Locked locked(slot.mutex);
  attached.backend = nullptr;
  slot.context = context.release();
  ++context_table.contexts;
  created = slot.handle = context_table.handle_of(number, slot.generation);
  slot.context.load()->shared().set_owner(created);
  open_heap(slot);
  return CADASTRE_SUCCESS;
}

bool is_live(cadastre_context handle) noexcept {
  Slot* const slot = context_table.find(handle);
  if (!slot) return false;
  const Locked locked(slot->mutex);
  return lives_in(*slot, handle);
}

namespace {

void show(const Context& context, cadastre_context handle, Shown shown) noexcept {
  const std::optional<Holdings> holdings = holdings_of(context, handle);
  shown(holdings ? &*holdings : nullptr);
}

}  // namespace

cadastre_exit_code destroy_context(Visit& visit, cadastre_destroy_summary_struct* summary, Shown last, LabelCounts* labels) noexcept {
  Slot* const slot = visit.slot_;
  slot->mutex.assert_held();
  if (visit.is_nested()) return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_CALLED_FROM_OPERATION});
  if (const cadastre_exit_code code = visit->admit_frees(visit); code != CADASTRE_SUCCESS) return code;
  if (slot->closing) return fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_DESTROYED_CONTEXT});
  if (const std::uint32_t children = visit->shared().children(); children > 0) {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_HAS_CHILDREN, .in_use = children});
  }
  slot->closing = true;
  slot->notify();
  while (slot->outside > 0) slot->wait();
  if (last || !visit->goes_with_its_heap()) visit.not_cancelled_.emplace();
  std::unique_ptr<Context> context(slot->context.exchange(nullptr));
  --context_table.contexts;
  context->registry().close_heap();
  context->give_up_cache();
  context->registry().heap().detach();
  const bool worn_out = slot->generation == ContextTable::last_generation;
  if (!worn_out) ++slot->generation;
  slot->owner = 0;
  slot->depth = 0;
  slot->closing = false;
  slot->mutex.unlock();
  visit.slot_ = nullptr;

  if (last) show(*context, visit.handle_, last);
  if (summary) *summary = cadastre_destroy_summary_struct_zero;
  const cadastre_exit_code code = context->close(summary, labels);
  spare_context.keep(std::move(context));
  return_surplus();
  if (!worn_out) context_table.put_back(*slot, visit.handle_);
  return code;
}

// Where the host has no memory to count with, no label is the largest.
void Context::summarize_labels(cadastre_destroy_summary_struct& summary, LabelCounts& labels) const noexcept {
  const auto add = [&](cadastre_memory_type, OriginNumber label, const LabelCount& count) { labels.add(label, count); };
  if (!registry_.for_each_label(add)) registry_.for_each_label_by_walk(add);
  OriginNumber largest = no_origin;
  for (std::uint64_t label = no_origin + 1; label < labels.end(); ++label) {
    const auto bytes = static_cast<std::size_t>(labels.of(static_cast<OriginNumber>(label)).bytes);
    if (bytes <= summary.largest_label_bytes) continue;
    summary.largest_label_bytes = bytes;
    largest = static_cast<OriginNumber>(label);
  }
  static_assert(sizeof summary.largest_label == longest_label + 1);
  if (largest != no_origin) std::strcpy(summary.largest_label, text_of(largest));
}

// To the parent: what this context has counted, as if it had freed its blocks one by one. failed: of each memory type.
void Context::hand_over(const std::array<std::int64_t, memory_types>& failed) noexcept {
  registry_.discharge_all();
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const std::int64_t left = failed[static_cast<std::size_t>(type)];
    if (!account(type).has_counted() && !shared().had_children()) continue;
    cadastre_statistics_struct figures = account(type).figures;
    figures.deallocations += figures.live_blocks - left;
    figures.failed_deallocations += left;
    figures.live_blocks = figures.borrowed_blocks = 0;
    figures.live_bytes = 0;
    add_figures(figures, shared().departed(type));
    shared().parent()->add_departed(type, figures);
  }
}

namespace {

// Counters and blocks tell the same of each label.
void check_label_counts([[maybe_unused]] const Registry& registry) noexcept {
#ifdef CADASTRE_DEBUG
  try {
    if (registry.heap().is_damaged() || registry.counts_labels_right()) return;  // of damaged slabs nobody can tell
    std::fputs("cadastre: the counters of labels are not what a walk over the blocks says\n", stderr);
    std::abort();
  } catch (const std::bad_alloc&) {  // nobody can tell
  }
#endif
}

// Whatever failed, the context has gone: any other exit code would say that it is still there. What failed is remembered
// with it, since more may fail afterwards that is nobody's concern.
void note_failed_close(Failure& failure) noexcept {
  failure = failed_last();
  failure.exit_code = CADASTRE_DEALLOCATION_FAILED;
}

}  // namespace

void Context::summarize(cadastre_destroy_summary_struct& summary, LabelCounts* labels) const noexcept {
  LabelCounts own;
  summarize_labels(summary, labels ? *labels : own);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct& figures = account(type).figures;
    summary.live_blocks += figures.live_blocks;
    summary.live_bytes += figures.live_bytes;
    summary.borrowed_blocks += figures.borrowed_blocks;
  }
}

// What lies in slabs goes with them.
cadastre_exit_code Context::close(cadastre_destroy_summary_struct* summary, LabelCounts* labels) noexcept {
  check_label_counts(registry_);
  if (!has_used_its_heap_only_ || registry_.heap().table().used() > 0) {
    cadastre_destroy_summary_struct unwanted;
    return close_all(summary ? *summary : unwanted = cadastre_destroy_summary_struct_zero, labels);
  }
  if (summary) summarize(*summary, labels);
  if (registry_.has_counted() || shared().had_children()) hand_over({});
  if (backend_->detach() == CADASTRE_SUCCESS) return CADASTRE_SUCCESS;
  Failure failure;
  note_failed_close(failure);
  return fail(failure);
}

cadastre_exit_code Context::close_all(cadastre_destroy_summary_struct& summary, LabelCounts* labels) noexcept {
  Failure failure;
  close_workspaces(summary, failure);
  summarize(summary, labels);
  const auto count = [&](cadastre_exit_code code) {
    if (code == CADASTRE_SUCCESS) return;
    note_failed_close(failure);
    ++summary.failed_deallocations;
  };
  std::array<std::int64_t, memory_types> failed{};
  const auto free_one = [&](const Record& record) {
    if (record.borrowed()) return;
    const cadastre_exit_code code = free_in_backend(record, std::nullopt);
    if (code != CADASTRE_SUCCESS) ++failed[record.type];
    count(code);
  };
  registry_.close_heap();
  count(end_imports(imports_));
  imports_.clear();
  registry_.for_each_alone(free_one);
  for (PoolUses& pools : pools_) pools.leave(count);
  hand_over(failed);
  if (backend_->detach() != CADASTRE_SUCCESS) note_failed_close(failure);
  return failure.exit_code == CADASTRE_SUCCESS ? CADASTRE_SUCCESS : fail(failure);
}

void Context::close_workspaces(cadastre_destroy_summary_struct& summary, Failure& failure) noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    for (const auto& workspace : books().of(type).workspaces) {
      summary.live_leases += static_cast<std::int64_t>(workspace->leases().size());
      if (!workspace->leases().empty()) workspace->behind = Behind::everything;
      const cadastre_exit_code waited = settle(*workspace);
      backend_->destroy_event(device_, workspace->drop_event());
      for (const Piece& piece : workspace->pieces()) {
        if (piece.origin != Origin::allocated) continue;
        const cadastre_exit_code code = free_unless_in_use(take_out(piece), std::nullopt, waited);
        if (code == CADASTRE_SUCCESS) continue;
        note_failed_close(failure);
        ++summary.failed_deallocations;
      }
    }
  }
}

}  // namespace cadastre::internal
