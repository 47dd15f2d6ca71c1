// Tangled from org/command/replay_run.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_run.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <new>
#include <thread>

namespace cadastre::command {

namespace {

void wait_until(const std::atomic<std::uint32_t>& done, std::uint32_t wanted) {
  for (std::uint32_t now; (now = done.load(std::memory_order_acquire)) < wanted;) {
    done.wait(now, std::memory_order_acquire);
  }
}

void count_up(std::atomic<std::uint32_t>& done) {
  done.fetch_add(1, std::memory_order_release);
  done.notify_all();
}

}  // namespace

void Run::wait_for_turn(const Operation& operation, const Turn& turn) {
  if (operation.context != 0) wait_until(contexts_done_[operation.context], turn.context);
  if (operation.block != 0) wait_until(resources_done_[resource_of(trace_, operation.block)], turn.block);
  if (operation.source != 0 && operation.source != operation.block) {
    wait_until(resources_done_[resource_of(trace_, operation.source)], turn.source);
  }
}

void Run::pass_turn_on(const Operation& operation) {
  if (operation.block != 0) count_up(resources_done_[resource_of(trace_, operation.block)]);
  if (operation.source != 0 && operation.source != operation.block) {
    count_up(resources_done_[resource_of(trace_, operation.source)]);
  }
  if (operation.context != 0) count_up(contexts_done_[operation.context]);
}

Run::Run(const Trace& trace, const ReplayOptions& options, const std::vector<Turn>& turns, Progress& progress)
    : trace_(trace),
      options_(options),
      turns_(turns),
      progress_(progress),
      samples_(trace.operations.size()),
      workers_(std::max<std::size_t>(1, trace.threads.size())),
      blocks_(trace.blocks.size()),
      contexts_(trace.contexts.size()),
      foreign_(trace.foreign_sizes.size()) {
  for (std::size_t i = 1; i < foreign_.size(); ++i) {
    foreign_[i].size = std::max<std::uint64_t>(1, trace.foreign_sizes[i]);
    foreign_[i].memory.reset(new (std::nothrow) std::byte[foreign_[i].size]);
    if (!foreign_[i].memory) foreign_[i] = {std::make_unique<std::byte[]>(1), 1};
  }
  if (workers_.size() == 1) return;
  resources_done_ = std::vector<std::atomic<std::uint32_t>>(trace.blocks.size() + trace.foreign_sizes.size());
  contexts_done_ = std::vector<std::atomic<std::uint32_t>>(trace.contexts.size());
  for (std::size_t i = 0; i < trace.operations.size(); ++i) {
    workers_[trace.operations[i].thread].operations.push_back(static_cast<std::uint32_t>(i));
  }
}

void Run::perform() {
  enum : int { closed, open, sent_home };
  std::atomic<int> gate{closed};
  std::vector<std::thread> threads;
  const auto let = [&](int state) {
    gate = state;
    gate.notify_all();
  };
  try {
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      threads.emplace_back([&, i] {
        gate.wait(closed);
        if (gate == open) work<true>(workers_[i]);
      });
    }
  } catch (...) {
    let(sent_home);
    for (std::thread& thread : threads) thread.join();
    throw;
  }
  const auto start = Clock::now();
  let(open);
  workers_.size() == 1 ? work<false>(workers_[0]) : work<true>(workers_[0]);
  while (progress_.wanted() && done() < trace_.operations.size()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (Clock::now() >= progress_.next()) progress_.draw(done(), Clock::now());
  }
  for (std::thread& thread : threads) thread.join();
  wall_ = nanoseconds(Clock::now() - start);
  for (const Worker& worker : workers_) {
    if (worker.exception) std::rethrow_exception(worker.exception);
  }
  destroy_what_is_left();
}

template <bool ordered>
void Run::work(Worker& worker) {
  const bool draws = &worker == workers_.data();
  const std::size_t count = ordered ? worker.operations.size() : trace_.operations.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = ordered ? worker.operations[i] : i;
    const Operation& operation = trace_.operations[index];
    if constexpr (ordered) wait_for_turn(operation, turns_[index]);
    try {
      perform(operation, samples_[index], worker);
    } catch (...) {
      if (!worker.exception) worker.exception = std::current_exception();
    }
    if constexpr (ordered) pass_turn_on(operation);
    worker.done.store(i + 1, std::memory_order_relaxed);
    if (draws && worker.last >= progress_.next()) progress_.draw(done(), worker.last);
  }
}

std::uint64_t Run::done() const {
  std::uint64_t sum = 0;
  for (const Worker& worker : workers_) sum += worker.done.load(std::memory_order_relaxed);
  return sum;
}

ContextFigures Run::figures_of(std::uint32_t slot) const {
  const Context& context = contexts_[slot];
  ContextFigures result;
  result.serial = trace_.contexts[slot];
  result.line = context.line;
  for (std::size_t t = 0; t < result.types.size(); ++t) {
    cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
    cadastre_get_statistics(context.handle, static_cast<cadastre_memory_type>(t), &statistics);
    TypeFigures& figures = result.types[t];
    figures.allocations = statistics.allocations;
    figures.deallocations = statistics.deallocations;
    figures.reallocations = statistics.reallocations;
    figures.failed_allocations = statistics.failed_allocations;
    figures.failed_deallocations = statistics.failed_deallocations;
    figures.untracked_deallocations = statistics.untracked_deallocations;
    figures.live_blocks = statistics.live_blocks;
    figures.borrowed_blocks = statistics.borrowed_blocks;
    figures.high_water_mark_blocks = statistics.high_water_mark_blocks;
    figures.live_bytes = statistics.live_bytes;
    figures.high_water_mark_bytes = statistics.high_water_mark_bytes;
    figures.total_bytes = statistics.total_bytes;
    figures.zeroed_bytes = statistics.zeroed_bytes;
  }
  const auto callback = [](const cadastre_memory_info_struct* info, void* left) noexcept {
    try {
      Left& entry = (*static_cast<std::map<std::string, Left>*>(left))[info->label ? info->label : ""];
      ++entry.blocks;
      entry.bytes += info->size;
      return CADASTRE_SUCCESS;
    } catch (const std::bad_alloc&) {
      return CADASTRE_ALLOCATION_FAILED;
    }
  };
  if (cadastre_foreach_block(context.handle, callback, &result.left) != CADASTRE_SUCCESS) throw std::bad_alloc();
  return result;
}

void Run::compare(const ContextFigures& figures, const cadastre_destroy_summary_struct& summary) {
  Left counted, listed;
  bool balanced = true;
  for (const TypeFigures& type : figures.types) {
    counted.blocks += type.live_blocks;
    counted.bytes += type.live_bytes;
    balanced =
        balanced && type.allocations == type.deallocations + type.failed_deallocations + type.untracked_deallocations + type.live_blocks;
  }
  for (const auto& [label, left] : figures.left) {
    listed.blocks += left.blocks;
    listed.bytes += left.bytes;
  }
  const Left summed{summary.live_blocks, summary.live_bytes};
  const auto text_of = [](const Left& left) { return std::to_string(left.bytes) + " bytes in " + std::to_string(left.blocks) + " blocks"; };
  const internal::Locked locked(mutex_);
  figures_.push_back(figures);
  const std::string name = "context " + std::to_string(figures.serial) + " of line " + std::to_string(figures.line);
  if (counted != listed || counted != summed) {
    disagreements_.push_back(name + " had alive " + text_of(counted) + " according to its statistics, " + text_of(listed) +
                             " according to cadastre_foreach_block, " + text_of(summed) + " according to the summary of its destruction");
  }
  if (!balanced) disagreements_.push_back("the statistics of " + name + " do not add up");
  if (summary.failed_deallocations != 0) {
    disagreements_.push_back(std::to_string(summary.failed_deallocations) + " blocks of " + name + " could not be freed");
  }
}

void Run::destroy_what_is_left() {
  for (std::uint32_t slot = 1; slot < contexts_.size(); ++slot) {
    Context& context = contexts_[slot];
    if (!context.alive) continue;
    const ContextFigures figures = figures_of(slot);
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    cadastre_context_destroy_with_summary(context.handle, &summary);
    context.alive = false;
    compare(figures, summary);
  }
}

namespace {

constexpr std::size_t mismatches_listed = 10;

std::string block_in_words(const Trace& trace, std::int64_t block) {
  if (block == 0) return "NULL";
  if (block < 0) return "foreign pointer " + std::to_string(block);
  return "block " + std::to_string(trace.blocks[static_cast<std::size_t>(block)]);
}

std::string in_words(const Trace& trace, const Operation& operation, cadastre_memory_type type) {
  std::string text(name_of(operation.kind));
  if (begins_or_ends_context(operation)) {
    return text + " of context " + std::to_string(trace.contexts[operation.context]);
  }
  text +=
      " of " + (operation.kind == Kind::malloc && operation.block == 0 ? std::string("a block") : block_in_words(trace, operation.block));
  if (operation.kind == Kind::copy) text += " from " + block_in_words(trace, operation.source);
  if (operation.kind == Kind::malloc) {
    text += ", " + std::to_string(operation.size) + " bytes of " + cadastre_string_of_memory_type(type);
  }
  if (operation.kind == Kind::realloc) text += " to " + std::to_string(operation.size) + " bytes";
  if (trace.contexts.size() > 2 || operation.context == 0) {
    text += " in context " + std::to_string(trace.contexts[operation.context]);
  }
  return text;
}

}  // namespace

void Run::judge(const Operation& operation, const Sample& sample, Worker& worker) const {
  const bool expected = sample.code == operation.result && sample.fate == Fate::done;
  if (expected || worker.mismatches.size() >= mismatches_listed) return;
  Mismatch mismatch{operation.line, operation.kind, operation.result, sample.code, {}, {}};
  mismatch.text = in_words(trace_, operation, type_of(operation)) + ": ";
  if (sample.fate == Fate::wrong_size) {
    mismatch.text += "found a size other than " + std::to_string(operation.size) + " bytes";
  } else {
    mismatch.text += std::to_string(sample.code) + " instead of " + std::to_string(operation.result);
    mismatch.message = cadastre_string_of_error(sample.code);
  }
  if (sample.code != CADASTRE_SUCCESS) {
    const bool created = operation.kind == Kind::create;
    const cadastre_error_struct error = last_error(created ? CADASTRE_NULL_CONTEXT : contexts_[operation.context].handle);
    if (error.exit_code == sample.code && error.message[0]) mismatch.message = error.message;
  }
  worker.mismatches.emplace_back(static_cast<std::size_t>(&operation - trace_.operations.data()), std::move(mismatch));
}

void Run::add_samples(Report& report) const {
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const Operation& operation = trace_.operations[i];
    const Sample& sample = samples_[i];
    if (sample.fate == Fate::skipped || sample.fate == Fate::reused || sample.fate == Fate::copy_skipped) {
      ++(sample.fate == Fate::skipped ? report.skipped : sample.fate == Fate::reused ? report.reused : report.skipped_copies);
      continue;
    }
    Times& times = report.times[static_cast<std::size_t>(operation.kind)];
    times.call.add(sample.call);
    times.registry.add(sample.call - sample.backend);
    times.backend.add(sample.backend);
    const bool failed = sample.code != CADASTRE_SUCCESS;
    times.failures += failed;
    report.failures += failed;
    report.mismatches += sample.code != operation.result || sample.fate == Fate::wrong_size;
    report.host_fallbacks[static_cast<std::size_t>(operation.type)] += sample.host_fallback;
    report.not_supported += operation.kind == Kind::malloc && sample.code == CADASTRE_NOT_SUPPORTED;
  }
}

void Run::add_mismatches(Report& report) {
  std::vector<std::pair<std::size_t, Mismatch>> mismatches;
  for (Worker& worker : workers_) std::move(worker.mismatches.begin(), worker.mismatches.end(), std::back_inserter(mismatches));
  std::sort(mismatches.begin(), mismatches.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [index, mismatch] : mismatches) {
    if (report.first_mismatches.size() < mismatches_listed) report.first_mismatches.push_back(std::move(mismatch));
  }
}

void Run::add_figures(Report& report) {
  const internal::Locked locked(mutex_);
  std::move(disagreements_.begin(), disagreements_.end(), std::back_inserter(report.disagreements));
  std::sort(figures_.begin(), figures_.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  if (report.wall.count() == 1) report.contexts = figures_;
  const auto comparable = [&](std::vector<ContextFigures> contexts) {
    if (workers_.size() == 1) return contexts;
    for (ContextFigures& context : contexts) {
      for (TypeFigures& figures : context.types) {
        figures.high_water_mark_blocks = 0;
        figures.high_water_mark_bytes = 0;
      }
    }
    return contexts;
  };
  if (comparable(report.contexts) != comparable(figures_)) {
    report.disagreements.push_back("replay " + std::to_string(report.wall.count()) + " ended with other statistics than the first");
  }
}

void Run::add_to(Report& report) {
  report.wall.add(wall_);
  add_samples(report);
  add_mismatches(report);
  add_figures(report);
}

}  // namespace cadastre::command
