// Tangled from org/command/trace_summary.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_summary.hpp"

#include <algorithm>
#include <new>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "trace_live_blocks.hpp"

namespace cadastre::command {
namespace {

constexpr std::size_t most_refusals = 10, most_holders = 3;
constexpr std::size_t most_sizes = std::size_t{1} << 20, most_listed_sizes = 10;
constexpr std::int64_t least_leaked_blocks = 3;
constexpr std::int64_t short_life = 1'000'000;  // nanoseconds
constexpr std::size_t most_devices = 64, most_nodes = 64, most_resident = 1000;
constexpr std::size_t most_failures = 1000, most_freed = 4096, most_contexts_searched = 64;

constexpr std::size_t no_device = SIZE_MAX;

struct Entry {
  std::string label;
  cadastre_memory_type type = CADASTRE_HOST;
  std::size_t device = no_device;  // in the summary
  Amount live, allocated;
  Amount ended;  // with their contexts
  std::int64_t own_peak = 0, short_lives = 0, shortest_life = -1;
  std::uint64_t first_allocation = 0, last_allocation = 0;  // which operation of the trace
  std::int64_t last_time = 0;                               // of the last allocation
  std::array<std::int64_t, kinds> timed_time{};             // nanoseconds in timed calls
  struct Kept {
    std::uint64_t mark = 0;  // the number of the mark that it is of
    Amount amount;
  };
  std::array<Kept, 3> kept;  // of the mark of its type, of that of all, and of that of its device

  Amount at(std::size_t which, std::uint64_t mark) const { return kept[which].mark == mark ? kept[which].amount : live; }
};

class Summarizer {
 public:
  Summarizer(TraceSource& source, std::optional<Timeline> timeline) : source_(source) { summary_.timeline = std::move(timeline); }

  Summary summary() {
    source_.show_uses_to([this](const MemoryUse& use) { add_use(use); });
    for (GivenOperation given; source_.next(given);) add(given);
    source_.show_uses_to({});
    finish();
    return std::move(summary_);
  }

 private:
  void add(const GivenOperation& given);
  void add_use(const MemoryUse& use);
  void add_node(const MemoryUse& use);
  void add_resident(const MemoryUse& use);
  void add_duration(const GivenOperation& given);
  void add_malloc(const GivenOperation& given);
  void add_free(const GivenOperation& given);
  void add_life(std::int64_t life, Entry& entry);
  void add_realloc(const GivenOperation& given);
  void end_context(std::uint64_t context);
  // Null where it does not live.
  LiveBlock* live_block(const GivenOperation& given);
  void refuse(GivenOperation given);
  void add_failure(const GivenOperation& given);
  // What is wrong with a block of an operation, and its entry where that is known.
  std::pair<Fault, std::optional<std::uint32_t>> fault_of(const GivenOperation& given, std::int64_t number);
  void remember_freed(std::uint64_t context, const LiveBlock& block);
  void leave_out(const GivenOperation& given);
  bool can_grow_by(std::int64_t bytes);
  void note_allocation(Entry& entry, const GivenOperation& given) const;
  std::size_t device_of(const GivenOperation& given) const;
  std::optional<std::uint32_t> known_entry(const GivenOperation& given) const;
  std::uint32_t entry_of(const GivenOperation& given);
  void change(std::uint32_t entry, const Amount& by, const GivenOperation& given);
  Amount amount_of(cadastre_memory_type type, std::uint64_t size, unsigned alignment_log2) const;
  Amount amount_of(const LiveBlock& block) const { return amount_of(entries_[block.entry].type, block.size, block.alignment_log2); }
  bool grows_until_the_end(const Entry& entry, const Amount& never_freed) const;
  void finish();

  TraceSource& source_;
  Summary summary_;
  std::vector<Entry> entries_;
  // Of each type, then of each device: numbers of entries by label, and the number of the last mark.
  std::vector<std::map<std::string, std::uint32_t, std::less<>>> entry_numbers_{memory_types};
  std::vector<std::uint64_t> marks_ = std::vector<std::uint64_t>(sums_of_types);
  LiveBlocks blocks_;
  std::int64_t asked_ = 0;                                   // bytes, of all allocations and resizes
  std::map<std::uint64_t, LiveBlocks::OfContext> contexts_;  // those that live
  std::set<std::uint64_t> threads_;
  struct FreedSize {
    std::uint32_t blocks = 0, asked_again = 0;  // blocks: that were not asked for since
  };
  std::unordered_map<std::uint64_t, FreedSize> freed_sizes_;
  bool has_begun_ = false;
  using FailureKey = std::tuple<Kind, std::int32_t, Fault, std::uint32_t>;  // with the entry, or none
  static constexpr std::uint32_t no_entry = UINT32_MAX;
  std::map<FailureKey, FailureSummary> failures_;
  // The last blocks that were freed, one by one.
  using NumberInContext = std::pair<std::uint64_t, std::int64_t>;
  std::map<NumberInContext, std::uint32_t> freed_;
  std::vector<NumberInContext> freed_order_;
  std::size_t next_freed_ = 0;
  std::array<CallSummary, kinds> calls_{};
  std::int64_t timed_ = 0;                                    // nanoseconds of the call that is added; 0: it was not timed
  bool nodes_are_wanted_ = false, nodes_are_others_ = false;  // than those that are known
  std::size_t moments_ = 0, moments_in_one_ = 1;              // of those with resident memory, of which each so many-th is kept
};

// They come behind their moment. As with huge pages: those of the one at which most lived, or of the last before at which it was looked at them.
void Summarizer::add_node(const MemoryUse& use) {
  if (!nodes_are_wanted_) return;
  std::vector<NumaNode>& nodes = summary_.uses.front().numa_nodes;
  if (std::exchange(nodes_are_others_, false)) nodes.clear();
  if (nodes.size() < most_nodes) nodes.push_back({use.node, use.used});
}

void Summarizer::add_use(const MemoryUse& use) {
  if (use.node >= 0) return add_node(use);
  const auto place =
      std::find_if(summary_.uses.begin(), summary_.uses.end(), [&](const UseSummary& one) { return one.device() == use.device; });
  if (use.device.empty()) {
    add_resident(use);
    nodes_are_wanted_ = nodes_are_others_ = true;
  }
  if (place == summary_.uses.end()) {
    if (summary_.uses.size() == most_devices) return;
    summary_.uses.insert(use.device.empty() ? summary_.uses.begin() : place, {use, use, use.live});
    return;
  }
  place->most_live = std::max(place->most_live, use.live);
  const std::int64_t near = place->most_live - place->most_live / 64;
  if (use.live >= near && (use.used > place->at_most_live.used || place->at_most_live.live < near)) {
    const std::int64_t huge = place->at_most_live.huge;
    place->at_most_live = use;
    if (use.huge < 0) place->at_most_live.huge = huge;
  } else if (use.device.empty()) {
    nodes_are_wanted_ = place->numa_nodes.empty();
  }
  if (use.used > place->at_most_used.used) place->at_most_used = use;
}

// When there are too many, each second one goes.
void Summarizer::add_resident(const MemoryUse& use) {
  if (use.used < 0 || moments_++ % moments_in_one_ != 0) return;
  std::vector<ResidentBytes>& all = summary_.resident;
  all.push_back({use.time, use.used});
  if (all.size() < most_resident) return;
  for (std::size_t i = 0; 2 * i < all.size(); ++i) all[i] = all[2 * i];
  all.resize((all.size() + 1) / 2);
  moments_in_one_ *= 2;
}

void Summarizer::add(const GivenOperation& given) {
  if (!std::exchange(has_begun_, true)) summary_.rounding = Rounding(source_.said("rounding"));  // what is said before is read now
  ++summary_.operations;
  threads_.insert(given.thread);
  summary_.time = std::max(summary_.time, given.time);
  add_duration(given);
  const bool succeeded = given.result == CADASTRE_SUCCESS;
  const bool gone = succeeded || given.result == CADASTRE_DEALLOCATION_FAILED;
  if (!succeeded) add_failure(given);
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

// The block of a call lives until this; that of a malloc comes later.
void Summarizer::add_duration(const GivenOperation& given) {
  constexpr std::int64_t longest = std::int64_t{1} << 53;  // a hundred days
  CallSummary& calls = calls_[static_cast<std::size_t>(given.kind)];
  ++calls.calls;
  timed_ = 0;
  if (given.duration < 0 || given.duration > longest || calls.timed_time > INT64_MAX - longest) return;
  ++calls.timed;
  calls.timed_time += given.duration;
  calls.longest = std::max(calls.longest, given.duration);
  timed_ = given.duration;
  const LiveBlock* const block = given.kind == Kind::malloc ? nullptr : live_block(given);
  if (block) entries_[block->entry].timed_time[static_cast<std::size_t>(given.kind)] += given.duration;
}

// Its place in the summary, which is behind the others where no block of it was allocated yet.
std::size_t Summarizer::device_of(const GivenOperation& given) const {
  if (given.device.empty() || given.type != CADASTRE_DEVICE) return no_device;
  const auto known =
      std::find_if(summary_.devices.begin(), summary_.devices.end(), [&](const DeviceSummary& one) { return one.name == given.device; });
  const auto device = static_cast<std::size_t>(known - summary_.devices.begin());
  return device == most_devices ? no_device : device;
}

std::size_t place_of_numbers(cadastre_memory_type type, std::size_t device) {
  return device == no_device ? static_cast<std::size_t>(type) : memory_types + device;
}

std::optional<std::uint32_t> Summarizer::known_entry(const GivenOperation& given) const {
  const std::size_t place = place_of_numbers(given.type, device_of(given));
  if (place == entry_numbers_.size()) return std::nullopt;
  const auto found = entry_numbers_[place].find(given.label);
  return found == entry_numbers_[place].end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t Summarizer::entry_of(const GivenOperation& given) {
  if (const std::optional<std::uint32_t> known = known_entry(given)) return *known;
  if (entries_.size() == most_entries) throw std::bad_alloc();
  const std::size_t device = device_of(given);
  if (device == summary_.devices.size()) {
    summary_.devices.push_back({std::string(given.device), {}});
    entry_numbers_.emplace_back();
    marks_.push_back(0);
  }
  const auto number = static_cast<std::uint32_t>(entries_.size());
  Entry& entry = entries_.emplace_back();
  entry.label = given.label;
  entry.type = given.type;
  entry.device = device;
  entry.first_allocation = summary_.operations;
  entry_numbers_[place_of_numbers(given.type, device)].emplace(given.label, number);
  return number;
}

Amount Summarizer::amount_of(cadastre_memory_type type, std::uint64_t size, unsigned alignment_log2) const {
  return {static_cast<std::int64_t>(size), 1, summary_.rounding.is_known(type) ? summary_.rounding.added_to(size, alignment_log2) : 0};
}

void add_to(Amount& amount, const Amount& by, std::int64_t sign = 1) {
  amount.bytes += sign * by.bytes;
  amount.blocks += sign * by.blocks;
  amount.rounding += sign * by.rounding;
}

Amount less(const Amount& a, const Amount& b) {
  Amount difference = a;
  add_to(difference, b, -1);
  return difference;
}

void Summarizer::change(std::uint32_t number, const Amount& by, const GivenOperation& given) {
  Entry& entry = entries_[number];
  const bool is_on_device = entry.device != no_device;
  const std::array<std::size_t, 3> marks = {static_cast<std::size_t>(entry.type), all_types,
                                            is_on_device ? sums_of_types + entry.device : 0};
  const std::array<TypeSummary*, 3> sums = {&summary_.types[marks[0]], &summary_.types[all_types],
                                            is_on_device ? &summary_.devices[entry.device].figures : nullptr};
  for (std::size_t which = 0; which < sums.size() && sums[which]; ++which) {
    if (entry.kept[which].mark != marks_[marks[which]]) entry.kept[which] = {marks_[marks[which]], entry.live};
  }
  add_to(entry.live, by);
  entry.own_peak = std::max(entry.own_peak, entry.live.bytes);
  if (summary_.timeline) summary_.timeline->add(given.time, number, marks[0], entry.live.bytes);
  for (std::size_t which = 0; which < sums.size() && sums[which]; ++which) {
    TypeSummary& type = *sums[which];
    add_to(type.live, by);
    if (type.live.bytes <= type.peak.bytes) continue;
    type.peak = type.live;
    type.peak_time = given.time;
    type.peak_thread = given.thread;
    ++marks_[marks[which]];
  }
}

// Whether a sum can be told of all that was ever allocated; no machine has as much memory.
bool Summarizer::can_grow_by(std::int64_t bytes) {
  if (bytes <= 0) return true;
  const bool fits = bytes <= INT64_MAX - asked_;
  if (fits) asked_ += bytes;
  return fits;
}

void Summarizer::note_allocation(Entry& entry, const GivenOperation& given) const {
  entry.last_allocation = summary_.operations;
  entry.last_time = given.time;
}

void Summarizer::leave_out(const GivenOperation& given) {
  ++summary_.left_out;
  ++summary_.left_out_by_kind[static_cast<std::size_t>(given.kind)];
}

void Summarizer::add_malloc(const GivenOperation& given) {
  const auto context = contexts_.find(given.context);
  const std::uint64_t size = given.size.value_or(0);
  if (context == contexts_.end() || given.block <= 0 || size > INT64_MAX / 2 || blocks_.find(context->second, given.block)) {
    leave_out(given);
    return;
  }
  const Amount added = amount_of(given.type, size, given.alignment_log2);
  if (!can_grow_by(added.bytes + added.rounding)) {
    leave_out(given);
    return;
  }
  const std::uint32_t entry = entry_of(given);
  const LiveBlock block{.number = given.block,
                        .size = size,
                        .time = given.time,
                        .entry = entry & (most_entries - 1),
                        .alignment_log2 = given.alignment_log2 & 63u};
  blocks_.add(context->second, block);
  note_allocation(entries_[entry], given);
  entries_[entry].timed_time[static_cast<std::size_t>(Kind::malloc)] += timed_;
  for (Amount* const amount : {&entries_[entry].allocated, &summary_.types[static_cast<std::size_t>(given.type)].allocated,
                               &summary_.types[all_types].allocated}) {
    add_to(*amount, added);
  }
  if (entries_[entry].device != no_device) add_to(summary_.devices[entries_[entry].device].figures.allocated, added);
  const auto freed = freed_sizes_.find(size);
  if (freed != freed_sizes_.end() && freed->second.blocks > 0) {
    --freed->second.blocks;
    ++freed->second.asked_again;
    ++summary_.asked_again;
  }
  change(entry, added, given);
}

LiveBlock* Summarizer::live_block(const GivenOperation& given) {
  const auto context = contexts_.find(given.context);
  return context == contexts_.end() ? nullptr : blocks_.find(context->second, given.block);
}

void Summarizer::add_free(const GivenOperation& given) {
  const LiveBlock* const block = live_block(given);
  if (!block) {
    leave_out(given);
    return;
  }
  const LiveBlock freed = *block;
  blocks_.remove(contexts_.find(given.context)->second, *block);
  remember_freed(given.context, freed);
  ++summary_.freed;
  add_life(given.time - freed.time, entries_[freed.entry]);
  if (freed_sizes_.size() < most_sizes || freed_sizes_.contains(freed.size)) ++freed_sizes_[freed.size].blocks;
  change(freed.entry, less({}, amount_of(freed)), given);
}

void Summarizer::add_life(std::int64_t life, Entry& entry) {
  if (entry.shortest_life < 0 || life < entry.shortest_life) entry.shortest_life = std::max<std::int64_t>(life, 0);
  if (life >= short_life) return;
  ++entry.short_lives;
  ++summary_.short_lives;
}

void Summarizer::add_realloc(const GivenOperation& given) {
  LiveBlock* const block = live_block(given);
  const std::uint64_t size = given.size.value_or(0);
  if (!block || size > INT64_MAX / 2) {
    leave_out(given);
    return;
  }
  const Amount after = amount_of(entries_[block->entry].type, size, block->alignment_log2), by = less(after, amount_of(*block));
  if (!can_grow_by(std::max<std::int64_t>(by.bytes, 0) + std::max<std::int64_t>(by.rounding, 0))) {
    leave_out(given);
    return;
  }
  if (by.bytes > 0) note_allocation(entries_[block->entry], given);
  block->size = size;
  change(block->entry, by, given);
}

// What lives in it is freed with it.
void Summarizer::end_context(std::uint64_t number) {
  const auto context = contexts_.find(number);
  if (context == contexts_.end()) return;
  GivenOperation end;
  end.time = summary_.time;
  blocks_.take_all(context->second, [&](const LiveBlock& live) {
    const Amount ended = amount_of(live);
    change(live.entry, less({}, ended), end);
    add_to(entries_[live.entry].ended, ended);
  });
  contexts_.erase(context);
}

void Summarizer::remember_freed(std::uint64_t context, const LiveBlock& block) {
  const NumberInContext number(source_.has_unique_numbers() ? 0 : context, block.number);
  if (freed_order_.size() < most_freed) {
    freed_order_.push_back(number);
  } else {
    freed_.erase(std::exchange(freed_order_[next_freed_], number));
    next_freed_ = (next_freed_ + 1) % most_freed;
  }
  freed_[number] = block.entry;
}

std::pair<Fault, std::optional<std::uint32_t>> Summarizer::fault_of(const GivenOperation& given, std::int64_t number) {
  if (number == 0) return {Fault::null, std::nullopt};
  if (number < 0) return {Fault::foreign, std::nullopt};
  const auto context = contexts_.find(given.context);
  if (context != contexts_.end()) {
    if (const LiveBlock* const block = blocks_.find(context->second, number))
      return {given.is_elsewhere ? Fault::other_context : Fault::none, block->entry};
  }
  const auto freed = freed_.find({source_.has_unique_numbers() ? 0 : given.context, number});
  if (freed != freed_.end()) return {Fault::freed_before, freed->second};
  if (!source_.has_unique_numbers()) return {given.is_elsewhere ? Fault::other_context : Fault::freed_before, std::nullopt};
  std::size_t searched = 0;
  for (const auto& [other, blocks] : contexts_) {
    if (++searched > most_contexts_searched) break;
    if (const LiveBlock* const block = blocks_.find(blocks, number)) return {Fault::other_context, block->entry};
  }
  return {Fault::freed_before, std::nullopt};
}

// Requests that were refused memory are told of elsewhere. Of a copy both sides may be at fault; one that is in no registry may be memory of the program's.
void Summarizer::add_failure(const GivenOperation& given) {
  const bool asks = given.kind == Kind::malloc || given.kind == Kind::realloc;
  if (asks && (given.result == CADASTRE_ALLOCATION_FAILED || given.result == CADASTRE_LIMIT_EXCEEDED)) return;
  ++summary_.failed;
  Fault fault = Fault::none;
  std::optional<std::uint32_t> entry;
  if (given.result == CADASTRE_INVALID_CONTEXT) {
    fault = Fault::no_context;
  } else if (given.kind == Kind::malloc) {
    entry = known_entry(given);
  } else if (given.kind != Kind::create && given.kind != Kind::destroy) {
    std::tie(fault, entry) = fault_of(given, given.block);
    if (given.kind == Kind::copy && (fault == Fault::none || fault == Fault::foreign)) {
      const auto [of_source, entry_of_source] = fault_of(given, given.source);
      if (of_source != Fault::none && of_source != Fault::foreign) {
        fault = of_source;
        entry = entry_of_source;
      } else {
        fault = Fault::none;
      }
    }
  }
  const FailureKey key(given.kind, given.result, fault, entry.value_or(no_entry));
  auto place = failures_.find(key);
  if (place == failures_.end()) {
    if (failures_.size() == most_failures) return;
    FailureSummary failure;
    failure.kind = given.kind;
    failure.result = given.result;
    failure.fault = fault;
    if (entry) {
      failure.label = entries_[*entry].label;
      failure.type = entries_[*entry].type;
    }
    failure.first_time = given.time;
    failure.first_thread = given.thread;
    place = failures_.emplace(key, std::move(failure)).first;
  }
  ++place->second.count;
}

// A context that is not valid refuses, too, but no memory.
void Summarizer::refuse(GivenOperation given) {
  if (given.result != CADASTRE_ALLOCATION_FAILED && given.result != CADASTRE_LIMIT_EXCEEDED) return;
  if (given.kind == Kind::realloc && contexts_.contains(given.context)) {
    const LiveBlock* const block = live_block(given);
    if (!block) return;
    given.type = entries_[block->entry].type;
    given.label = entries_[block->entry].label;
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

// Negative for a text that is none.
std::int64_t bytes_of(std::string_view text) { return internal::parse_number<std::int64_t>(text).value_or(-1); }

void Summarizer::finish() {
  summary_.name = source_.name();
  summary_.incomplete = source_.incomplete();
  summary_.process = source_.said("process");
  summary_.host = source_.said("host");
  summary_.rank = source_.said("rank");
  summary_.node_memory = bytes_of(source_.said("memory"));
  summary_.executable = source_.said("executable");
  summary_.threads = threads_.size();
  if (summary_.timeline) summary_.timeline->finish();
  for (auto& [key, failure] : failures_) summary_.failures.push_back(std::move(failure));
  std::stable_sort(summary_.failures.begin(), summary_.failures.end(), [](const FailureSummary& a, const FailureSummary& b) {
    const bool is_look_up = a.kind == Kind::info, is_other_look_up = b.kind == Kind::info;
    return is_look_up != is_other_look_up ? is_other_look_up : a.count > b.count;
  });
  for (const CallSummary& calls : calls_) {
    if (calls.timed == 0) continue;
    summary_.calls.push_back(calls);
    summary_.calls.back().kind = static_cast<Kind>(&calls - calls_.data());
  }
  for (Entry& entry : entries_) {
    double time = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) time += calls_[kind].weight() * static_cast<double>(entry.timed_time[kind]);
    const Amount at_peak = entry.at(1, marks_[all_types]), of_type = entry.at(0, marks_[static_cast<std::size_t>(entry.type)]);
    Amount never_freed = entry.live;
    add_to(never_freed, entry.ended);
    const bool is_on_device = entry.device != no_device;
    const Amount of_device = is_on_device ? entry.at(2, marks_[sums_of_types + entry.device]) : Amount();
    summary_.labels.push_back({std::move(entry.label), entry.type, is_on_device ? summary_.devices[entry.device].name : "", never_freed,
                               entry.allocated, at_peak, of_type, of_device, entry.own_peak, entry.short_lives, entry.shortest_life,
                               grows_until_the_end(entry, never_freed), summary_.rounding.is_known(entry.type),
                               summary_.calls.empty() ? -1 : CallSummary::in_nanoseconds(time)});
  }
  for (const auto& [size, freed] : freed_sizes_) {
    if (freed.asked_again > 0) summary_.sizes.push_back({size, freed.asked_again});
  }
  std::sort(summary_.sizes.begin(), summary_.sizes.end(), [](const SizeSummary& a, const SizeSummary& b) {
    return a.asked_again != b.asked_again ? a.asked_again > b.asked_again : a.size > b.size;
  });
  if (summary_.sizes.size() > most_listed_sizes) summary_.sizes.resize(most_listed_sizes);
}

// What was never freed is its peak, so nothing of it was freed since, and it has grown from before the last third of the operations into that.
bool Summarizer::grows_until_the_end(const Entry& entry, const Amount& never_freed) const {
  const std::uint64_t last_third = summary_.operations - summary_.operations / 3;
  const bool is_late = entry.last_allocation >= last_third && entry.last_time >= summary_.time - summary_.time / 3;
  const bool is_most = never_freed.bytes >= entry.own_peak - entry.own_peak / 10 && never_freed.bytes <= entry.own_peak;
  return never_freed.blocks >= least_leaked_blocks && is_most && entry.first_allocation < last_third && is_late;
}

}  // namespace

Rounding::Rounding(std::string_view line) {
  constexpr std::size_t most_steps = 1000;
  constexpr std::uint64_t longest_step = std::uint64_t{1} << 40;
  const std::string_view name = internal::take_until(line, " ");
  std::vector<std::uint64_t> numbers;
  while (!line.empty()) {
    const std::uint64_t number = internal::parse_number(internal::take_until(line, " ")).value_or(0);
    if (number == 0 || numbers.size() == most_steps) return;
    numbers.push_back(number);
  }
  if (numbers.size() % 2 == 0) return;
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    const bool is_last = i + 1 == numbers.size();
    const Step step = is_last ? Step{UINT64_MAX, numbers[i]} : Step{numbers[i], numbers[i + 1]};
    if (step.step > longest_step || (!steps_.empty() && step.up_to <= steps_.back().up_to)) return;
    steps_.push_back(step);
  }
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (name == cadastre_string_of_memory_type(type)) type_ = type;
  }
}

std::int64_t Rounding::added_to(std::uint64_t size, unsigned alignment_log2) const {
  constexpr unsigned largest_alignment_log2 = 30;
  constexpr std::uint64_t most = INT64_MAX / 2;  // more is not allocated, and is not told
  const std::uint64_t mask = (std::uint64_t{1} << std::min(alignment_log2, largest_alignment_log2)) - 1;
  if (size > most || mask > most - size) return 0;
  const std::uint64_t aligned = std::max<std::uint64_t>((size + mask) & ~mask, 1);
  const auto step = std::find_if(steps_.begin(), steps_.end(), [=](const Step& one) { return aligned <= one.up_to; })->step;
  const std::uint64_t rounded = (aligned + step - 1) / step * step;
  return static_cast<std::int64_t>(rounded - size);
}

const char* name_of(Fault fault) noexcept {
  switch (fault) {
    case Fault::none: return "";
    case Fault::freed_before: return "freed before";
    case Fault::foreign: return "in no registry";
    case Fault::other_context: return "of another context";
    case Fault::null: return "NULL";
    case Fault::no_context: return "no valid context";
  }
  return "";
}

Summary summarize(TraceSource& source, std::optional<Timeline> timeline) { return Summarizer(source, std::move(timeline)).summary(); }

}  // namespace cadastre::command
