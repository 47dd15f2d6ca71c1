// Tangled from org/context/closing.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "context/closing.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

#include "base/error.hpp"
#include "context/free.hpp"
#include "context/workspaces.hpp"
#include "registry/figures.hpp"

namespace cadastre::internal {

namespace {

// Counters and blocks tell the same of each label.
void check_label_counts([[maybe_unused]] const Registry& registry) noexcept {
#ifdef CADASTRE_DEBUG
  try {
    if (registry.heap().is_damaged() || counts_labels_right(registry)) return;  // of damaged slabs nobody can tell
    std::fputs("cadastre: the counters of labels are not what a walk over the blocks says\n", stderr);
    std::abort();
  } catch (const std::bad_alloc&) {  // nobody can tell
  }
#endif
}

// Where the host has no memory to count with, no label is the largest.
void summarize_labels(const Context& context, cadastre_destroy_summary_struct& summary, LabelCounts& labels) noexcept {
  const auto add = [&](cadastre_memory_type, OriginNumber label, const LabelCount& count) { labels.add(label, count); };
  if (!for_each_label(context.registry(), add)) for_each_label_by_walk(context.registry(), add);
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

void summarize(const Context& context, cadastre_destroy_summary_struct& summary, LabelCounts* labels) noexcept {
  LabelCounts own;
  summarize_labels(context, summary, labels ? *labels : own);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const cadastre_statistics_struct& figures = context.registry().account(type).figures;
    summary.live_blocks += figures.live_blocks;
    summary.live_bytes += figures.live_bytes;
    summary.borrowed_blocks += figures.borrowed_blocks;
  }
}

// To the parent: what this context has counted, as if it had freed its blocks one by one. failed: of each memory type.
void hand_over(Context& context, const std::array<std::int64_t, memory_types>& failed) noexcept {
  context.registry().heap().lock();
  context.registry().accounts().discharge_all();
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const std::int64_t left = failed[static_cast<std::size_t>(type)];
    if (!context.registry().account(type).has_counted() && !context.shared().had_children()) continue;
    cadastre_statistics_struct figures = context.registry().account(type).figures;
    figures.deallocations += figures.live_blocks - left;
    figures.failed_deallocations += left;
    figures.live_blocks = figures.borrowed_blocks = 0;
    figures.live_bytes = 0;
    add_figures(figures, context.shared().departed(type));
    context.shared().parent()->add_departed(type, figures);
  }
}

// Whatever failed, the context has gone: any other exit code would say that it is still there. What failed is remembered
// with it, since more may fail afterwards that is nobody's concern.
void note_failed_close(Failure& failure) noexcept {
  failure = failed_last();
  failure.exit_code = CADASTRE_DEALLOCATION_FAILED;
}

void close_workspaces(Context& context, cadastre_destroy_summary_struct& summary, Failure& failure) noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    for (const auto& workspace : context.look_at_workspaces().of(type).workspaces) {
      summary.live_leases += static_cast<std::int64_t>(workspace->leases().size());
      if (!workspace->leases().empty()) workspace->behind = Behind::everything;
      const cadastre_exit_code waited = settle(context, *workspace);
      context.backend().destroy_event(context.device(), workspace->drop_event());
      for (const Piece& piece : workspace->pieces()) {
        if (piece.origin != Origin::allocated) continue;
        const cadastre_exit_code code = free_unless_in_use(context, take_out(context, piece), std::nullopt, waited);
        if (code == CADASTRE_SUCCESS) continue;
        note_failed_close(failure);
        ++summary.failed_deallocations;
      }
    }
  }
}

cadastre_exit_code close_all(Context& context, cadastre_destroy_summary_struct& summary, LabelCounts* labels) noexcept {
  Failure failure;
  close_workspaces(context, summary, failure);
  summarize(context, summary, labels);
  const auto count = [&](cadastre_exit_code code) {
    if (code == CADASTRE_SUCCESS) return;
    note_failed_close(failure);
    ++summary.failed_deallocations;
  };
  std::array<std::int64_t, memory_types> failed{};
  const auto free_one = [&](const Record& record) {
    if (record.borrowed()) return;
    const cadastre_exit_code code = free_in_backend(context, record, std::nullopt);
    if (code != CADASTRE_SUCCESS) ++failed[record.type];
    count(code);
  };
  context.registry().heap().lock();
  count(context.imports().end_all(context.sources()));
  context.registry().for_each_alone(free_one);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) context.sources().pools(type).leave(count);
  hand_over(context, failed);
  if (context.backend().detach() != CADASTRE_SUCCESS) note_failed_close(failure);
  return failure.exit_code == CADASTRE_SUCCESS ? CADASTRE_SUCCESS : fail(failure);
}

}  // namespace

// What lies in slabs goes with them.
cadastre_exit_code close(Context& context, cadastre_destroy_summary_struct* summary, LabelCounts* labels) noexcept {
  check_label_counts(context.registry());
  if (!context.has_used_its_heap_only() || context.registry().heap().table().used() > 0) {
    cadastre_destroy_summary_struct unwanted;
    return close_all(context, summary ? *summary : unwanted = cadastre_destroy_summary_struct_zero, labels);
  }
  if (summary) summarize(context, *summary, labels);
  if (context.registry().accounts().has_counted() || context.shared().had_children()) hand_over(context, {});
  if (context.backend().detach() == CADASTRE_SUCCESS) return CADASTRE_SUCCESS;
  Failure failure;
  note_failed_close(failure);
  return fail(failure);
}

}  // namespace cadastre::internal
