// Tangled from org/command/trace_summary.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_summary.hpp"

#include <algorithm>

namespace cadastre::command {
namespace {

constexpr std::size_t most_refusals = 10, most_holders = 3;
constexpr std::size_t most_sizes = std::size_t{1} << 20;
constexpr std::int64_t short_life = 1'000'000;  // nanoseconds

struct Entry {
  std::string label;
  cadastre_memory_type type = CADASTRE_HOST;
  Amount live, allocated;
  Amount ended;  // with their contexts
  struct Kept {
    std::uint64_t mark = 0;  // the number of the mark that it is of
    Amount amount;
  };
  std::array<Kept, 2> kept;  // of the mark of its type, and of that of all

  Amount at(std::size_t which, std::uint64_t mark) const { return kept[which].mark == mark ? kept[which].amount : live; }
};

struct LiveBlock {
  std::uint64_t size = 0;
  std::int64_t time = 0;
  std::uint32_t entry = 0;
};

class Summarizer {
 public:
  Summarizer(TraceSource& source, std::optional<Timeline> timeline) : source_(source) { summary_.timeline = std::move(timeline); }

  Summary summary() {
    for (GivenOperation given; source_.next(given);) add(given);
    finish();
    return std::move(summary_);
  }

 private:
  using Blocks = std::unordered_map<std::int64_t, LiveBlock>;

  void add(const GivenOperation& given);
  void add_malloc(const GivenOperation& given);
  void add_free(const GivenOperation& given);
  void add_realloc(const GivenOperation& given);
  void end_context(std::uint64_t context);
  void refuse(GivenOperation given);
  std::uint32_t entry_of(std::string_view label, cadastre_memory_type type);
  void change(std::uint32_t entry, std::int64_t bytes, std::int64_t blocks, const GivenOperation& given);
  void finish();

  TraceSource& source_;
  Summary summary_;
  std::vector<Entry> entries_;
  std::array<std::map<std::string, std::uint32_t, std::less<>>, memory_types> entry_numbers_;  // by label
  std::array<std::uint64_t, sums_of_types> marks_{};                                           // the number of the last mark of each
  std::map<std::uint64_t, Blocks> contexts_;                                                   // what lives in those that do
  std::set<std::uint64_t> threads_;
  std::unordered_map<std::uint64_t, std::uint32_t> freed_sizes_;
};

void Summarizer::add(const GivenOperation& given) {
  ++summary_.operations;
  threads_.insert(given.thread);
  summary_.time = std::max(summary_.time, given.time);
  const bool succeeded = given.result == CADASTRE_SUCCESS;
  const bool gone = succeeded || given.result == CADASTRE_DEALLOCATION_FAILED;
  switch (given.kind) {
    case Kind::create:
      if (!succeeded) return;
      ++summary_.contexts;
      end_context(given.context);
      contexts_[given.context];
      return;
    case Kind::destroy:
      if (gone) end_context(given.context);
      return;
    case Kind::malloc: return succeeded ? add_malloc(given) : refuse(given);
    case Kind::free:
      if (gone) add_free(given);
      return;
    case Kind::realloc: return succeeded ? add_realloc(given) : refuse(given);
    default: return;
  }
}

std::uint32_t Summarizer::entry_of(std::string_view label, cadastre_memory_type type) {
  auto& numbers = entry_numbers_[static_cast<std::size_t>(type)];
  const auto found = numbers.find(label);
  if (found != numbers.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({.label = std::string(label), .type = type, .live = {}, .allocated = {}, .ended = {}, .kept = {}});
  numbers.emplace(label, number);
  return number;
}

void Summarizer::change(std::uint32_t number, std::int64_t bytes, std::int64_t blocks, const GivenOperation& given) {
  Entry& entry = entries_[number];
  const std::array<std::size_t, 2> sums = {static_cast<std::size_t>(entry.type), all_types};
  for (std::size_t which = 0; which < sums.size(); ++which) {
    if (entry.kept[which].mark != marks_[sums[which]]) entry.kept[which] = {marks_[sums[which]], entry.live};
  }
  entry.live.bytes += bytes;
  entry.live.blocks += blocks;
  if (summary_.timeline) summary_.timeline->add(given.time, number, sums[0], entry.live.bytes);
  for (const std::size_t sum : sums) {
    TypeSummary& type = summary_.types[sum];
    type.live.bytes += bytes;
    type.live.blocks += blocks;
    if (type.live.bytes <= type.peak.bytes) continue;
    type.peak = type.live;
    type.peak_time = given.time;
    type.peak_thread = given.thread;
    ++marks_[sum];
  }
}

void Summarizer::add_malloc(const GivenOperation& given) {
  const auto context = contexts_.find(given.context);
  const std::uint64_t size = given.size.value_or(0);
  if (context == contexts_.end() || given.block <= 0 || size > INT64_MAX / 2 || context->second.contains(given.block)) {
    ++summary_.left_out;
    return;
  }
  const std::uint32_t entry = entry_of(given.label, given.type);
  context->second.emplace(given.block, LiveBlock{size, given.time, entry});
  const auto bytes = static_cast<std::int64_t>(size);
  for (Amount* const amount : {&entries_[entry].allocated, &summary_.types[static_cast<std::size_t>(given.type)].allocated,
                               &summary_.types[all_types].allocated}) {
    amount->bytes += bytes;
    ++amount->blocks;
  }
  const auto freed = freed_sizes_.find(size);
  if (freed != freed_sizes_.end() && freed->second > 0) {
    --freed->second;
    ++summary_.asked_again;
  }
  change(entry, bytes, 1, given);
}

void Summarizer::add_free(const GivenOperation& given) {
  const auto context = contexts_.find(given.context);
  const auto block = context == contexts_.end() ? Blocks::iterator() : context->second.find(given.block);
  if (context == contexts_.end() || block == context->second.end()) {
    ++summary_.left_out;
    return;
  }
  const LiveBlock freed = block->second;
  context->second.erase(block);
  ++summary_.freed;
  if (given.time - freed.time < short_life) ++summary_.short_lives;
  if (freed_sizes_.size() < most_sizes || freed_sizes_.contains(freed.size)) ++freed_sizes_[freed.size];
  change(freed.entry, -static_cast<std::int64_t>(freed.size), -1, given);
}

void Summarizer::add_realloc(const GivenOperation& given) {
  const auto context = contexts_.find(given.context);
  const auto block = context == contexts_.end() ? Blocks::iterator() : context->second.find(given.block);
  const std::uint64_t size = given.size.value_or(0);
  if (context == contexts_.end() || block == context->second.end() || size > INT64_MAX / 2) {
    ++summary_.left_out;
    return;
  }
  const auto growth = static_cast<std::int64_t>(size) - static_cast<std::int64_t>(block->second.size);
  block->second.size = size;
  change(block->second.entry, growth, 0, given);
}

// What lives in it is freed with it.
void Summarizer::end_context(std::uint64_t number) {
  const auto context = contexts_.find(number);
  if (context == contexts_.end()) return;
  GivenOperation end;
  end.time = summary_.time;
  for (const auto& [block, live] : context->second) {
    change(live.entry, -static_cast<std::int64_t>(live.size), -1, end);
    entries_[live.entry].ended.bytes += static_cast<std::int64_t>(live.size);
    ++entries_[live.entry].ended.blocks;
  }
  contexts_.erase(context);
}

// A context that is not valid refuses, too, but no memory.
void Summarizer::refuse(GivenOperation given) {
  if (given.result != CADASTRE_ALLOCATION_FAILED) return;
  const auto context = contexts_.find(given.context);
  if (given.kind == Kind::realloc && context != contexts_.end()) {
    const auto block = context->second.find(given.block);
    if (block == context->second.end()) return;
    given.type = entries_[block->second.entry].type;
    given.label = entries_[block->second.entry].label;
  }
  TypeSummary& type = summary_.types[static_cast<std::size_t>(given.type)];
  ++type.refused;
  ++summary_.types[all_types].refused;
  if (summary_.refusals.size() == most_refusals) return;
  Refusal refusal{given.time, given.thread, given.size.value_or(0), given.type, std::string(given.label), type.live.bytes, {}};
  for (const Entry& entry : entries_) {
    if (entry.type == given.type && entry.live.bytes > 0) refusal.holders.emplace_back(entry.label, entry.live.bytes);
  }
  std::stable_sort(refusal.holders.begin(), refusal.holders.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (refusal.holders.size() > most_holders) refusal.holders.resize(most_holders);
  summary_.refusals.push_back(std::move(refusal));
}

void Summarizer::finish() {
  summary_.name = source_.name();
  summary_.incomplete = source_.incomplete();
  summary_.process = source_.said("process");
  summary_.host = source_.said("host");
  summary_.rank = source_.said("rank");
  summary_.executable = source_.said("executable");
  summary_.threads = threads_.size();
  if (summary_.timeline) summary_.timeline->finish();
  for (Entry& entry : entries_) {
    const Amount at_peak = entry.at(1, marks_[all_types]), of_type = entry.at(0, marks_[static_cast<std::size_t>(entry.type)]);
    const Amount never_freed = {entry.live.bytes + entry.ended.bytes, entry.live.blocks + entry.ended.blocks};
    summary_.labels.push_back({std::move(entry.label), entry.type, never_freed, entry.allocated, at_peak, of_type});
  }
}

}  // namespace

Summary summarize(TraceSource& source, std::optional<Timeline> timeline) { return Summarizer(source, std::move(timeline)).summary(); }

}  // namespace cadastre::command
