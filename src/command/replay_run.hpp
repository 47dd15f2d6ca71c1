// Tangled from org/command/replay_run.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// One performance of a trace.
#ifndef CADASTRE_SRC_COMMAND_REPLAY_RUN_HPP
#define CADASTRE_SRC_COMMAND_REPLAY_RUN_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../base/lock.hpp"
#include "replay_progress.hpp"
#include "replay_report.hpp"
#include "replay_turns.hpp"
#include "trace.hpp"

namespace cadastre::command {

inline std::uint64_t nanoseconds(Clock::duration duration) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count()));
}

enum class Fate : std::uint8_t {
  done,
  wrong_size,    // a look-up that succeeded and returned another size
  skipped,       // there was no context or block to do it with
  reused,        // the address belongs to another block now
  copy_skipped,  // a copy with a block that is not alive in its context
};

struct Sample {
  std::uint64_t call = 0;
  std::uint64_t backend = 0;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  Fate fate = Fate::done;
  bool host_fallback = false;
};

struct Block {
  void* pointer = nullptr;
  cadastre_context context = CADASTRE_NULL_CONTEXT;  // null: there is no block to work with
  bool freed = false;
};

struct Context {
  cadastre_context handle = CADASTRE_NULL_CONTEXT;
  bool alive = false;
  bool missing = false;                  // the trace has it, and it could not be created
  std::uint32_t supported = UINT32_MAX;  // memory types, a bit for each, as its backend reports
  std::uint64_t line = 0;
};

struct Foreign {
  std::unique_ptr<std::byte[]> memory;
  std::uint64_t size = 0;
};

// What one thread of the trace does, on cache lines of its own.
struct alignas(64) Worker {
  std::vector<std::uint32_t> operations;  // left empty when there is one thread: it does them all
  std::atomic<std::uint64_t> done{0};
  Clock::time_point last;  // the latest reading of the clock
  std::vector<std::pair<std::size_t, Mismatch>> mismatches;
  std::exception_ptr exception;
};

// One performance of the trace.
class Run {
 public:
  Run(const Trace& trace, const ReplayOptions& options, const std::vector<Turn>& turns, Progress& progress);
  void perform();
  void add_to(Report& report);

 private:
  template <bool ordered>
  void work(Worker& worker);
  void perform(const Operation& operation, Sample& sample, Worker& worker);
  std::uint64_t done() const;
  void wait_for_turn(const Operation& operation, const Turn& turn);
  void pass_turn_on(const Operation& operation);

  void create(const Operation& operation, Sample& sample, Worker& worker);
  void destroy(const Operation& operation, Sample& sample, Worker& worker);
  void malloc(const Operation& operation, Sample& sample, Worker& worker);
  void free(const Operation& operation, Sample& sample, Worker& worker);
  void realloc(const Operation& operation, Sample& sample, Worker& worker);
  void info(const Operation& operation, Sample& sample, Worker& worker);
  void copy(const Operation& operation, Sample& sample, Worker& worker);

  template <class Call>
  auto timed(Sample& sample, Worker& worker, Call call);
  bool obtained(const Operation& operation, std::int64_t block) const;
  void* address_of(std::int64_t block) const;
  bool stale(std::int64_t block, cadastre_context context) const;
  bool reaches_elsewhere(const Operation& operation) const;
  void touch(void* pointer, std::uint64_t size, cadastre_memory_type type) const;
  void judge(const Operation& operation, const Sample& sample, Worker& worker) const;
  void add_samples(Report& report) const;
  void add_mismatches(Report& report);
  void add_figures(Report& report);

  ContextFigures figures_of(std::uint32_t slot) const;
  void compare(const ContextFigures& figures, const cadastre_destroy_summary_struct& summary);
  void destroy_what_is_left();
  cadastre_memory_type type_of(const Operation& operation) const;

  const Trace& trace_;
  const ReplayOptions& options_;
  const std::vector<Turn>& turns_;
  Progress& progress_;
  std::vector<Sample> samples_;
  std::vector<Worker> workers_;
  std::vector<Block> blocks_;
  std::vector<Context> contexts_;
  std::vector<Foreign> foreign_;
  std::vector<std::atomic<std::uint32_t>> resources_done_;  // blocks, and after them foreign pointers
  std::vector<std::atomic<std::uint32_t>> contexts_done_;
  std::uint64_t wall_ = 0;
  internal::Mutex<internal::Rank::adapter> mutex_;
  std::vector<ContextFigures> figures_ CADASTRE_GUARDED_BY(mutex_);
  std::vector<std::string> disagreements_ CADASTRE_GUARDED_BY(mutex_);
};

// Of a call that has failed.
cadastre_error_struct last_error(cadastre_context context);

}  // namespace cadastre::command
#endif
