// Tangled from org/command/replay.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "replay.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "../base/lock.hpp"

namespace cadastre::command {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t mismatches_listed = 10;

std::uint64_t nanoseconds(Clock::duration duration) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count()));
}

std::uint64_t nanoseconds(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_usec) * 1000;
}

rusage usage_so_far() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

// How many operations must be done on what an operation uses before it may begin.
struct Turn {
  std::uint32_t block = 0;
  std::uint32_t source = 0;
  std::uint32_t context = 0;
};

// The place of a block or foreign pointer among all of them; NULL is at 0.
std::size_t resource_of(const Trace& trace, std::int64_t block) {
  return block >= 0 ? static_cast<std::size_t>(block)
                    : trace.blocks.size() + static_cast<std::size_t>(-block);
}

bool begins_or_ends_context(const Operation& operation) {
  return operation.kind == Kind::create || operation.kind == Kind::destroy;
}

std::vector<Turn> turns_of(const Trace& trace) {
  std::vector<std::uint32_t> resources(trace.blocks.size() + trace.foreign_sizes.size());
  std::vector<std::uint32_t> contexts(trace.contexts.size());
  std::vector<std::uint32_t> after_creation(trace.contexts.size());
  std::vector<Turn> turns(trace.operations.size());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Operation& operation = trace.operations[i];
    Turn& turn = turns[i];
    if (operation.block != 0) turn.block = resources[resource_of(trace, operation.block)]++;
    if (operation.source != 0 && operation.source != operation.block) {
      turn.source = resources[resource_of(trace, operation.source)]++;
    }
    std::uint32_t& done = contexts[operation.context];
    const bool boundary = begins_or_ends_context(operation);
    turn.context = boundary ? done : after_creation[operation.context];
    ++done;
    if (boundary) after_creation[operation.context] = done;
  }
  return turns;
}

class Progress {
 public:
  Progress(bool wanted, const Trace& trace, std::uint32_t repeats)
      : name_(printable(trace.name.substr(trace.name.find_last_of('/') + 1), 30)),
        all_(std::uint64_t{repeats} * trace.operations.size()),
        each_(trace.operations.size()) {
    if (wanted) next_ = Clock::now() + std::chrono::seconds(1);
  }
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool wanted() const { return next_ != Clock::time_point::max(); }
  Clock::time_point next() const { return next_; }
  void begin_repeat(std::uint32_t repeat) { before_ = repeat * each_; }

  void draw(std::uint64_t done, Clock::time_point now) {
    next_ = now + std::chrono::milliseconds(100);
    const std::uint64_t percent = 100 * (before_ + done) / std::max<std::uint64_t>(1, all_);
    std::string bar(percent * width / 100, '#');
    bar.resize(width, '.');
    const std::string line = name_ + " [" + bar + "] " + std::to_string(percent) + " %";
    std::fprintf(stderr, "\r%s", line.c_str());
    std::fflush(stderr);
    drawn_ = std::max(drawn_, line.size());
  }

  void clear() {
    if (drawn_) std::fprintf(stderr, "\r%*s\r", static_cast<int>(drawn_), "");
    drawn_ = 0;
  }

 private:
  static constexpr std::size_t width = 30;
  std::string name_;
  std::uint64_t all_ = 0;
  std::uint64_t each_ = 0;
  std::uint64_t before_ = 0;
  std::size_t drawn_ = 0;
  Clock::time_point next_ = Clock::time_point::max();
};

enum class Fate : std::uint8_t {
  done,
  wrong_size,  // a look-up that succeeded and returned another size
  skipped,     // there was no context or block to do it with
  reused,      // the address belongs to another block now
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
  bool missing = false;  // the trace has it, and it could not be created
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
  Run(const Trace& trace, const ReplayOptions& options, const std::vector<Turn>& turns,
      Progress& progress);
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
  std::vector<std::atomic<std::uint32_t>>
      resources_done_;  // blocks, and after them foreign pointers
  std::vector<std::atomic<std::uint32_t>> contexts_done_;
  std::uint64_t wall_ = 0;
  internal::Mutex<internal::Rank::adapter> mutex_;
  std::vector<ContextFigures> figures_ CADASTRE_GUARDED_BY(mutex_);
  std::vector<std::string> disagreements_ CADASTRE_GUARDED_BY(mutex_);
};

void wait_until(const std::atomic<std::uint32_t>& done, std::uint32_t wanted) {
  for (std::uint32_t now; (now = done.load(std::memory_order_acquire)) < wanted;) {
    done.wait(now, std::memory_order_acquire);
  }
}

void count_up(std::atomic<std::uint32_t>& done) {
  done.fetch_add(1, std::memory_order_release);
  done.notify_all();
}

void Run::wait_for_turn(const Operation& operation, const Turn& turn) {
  if (operation.context != 0) wait_until(contexts_done_[operation.context], turn.context);
  if (operation.block != 0)
    wait_until(resources_done_[resource_of(trace_, operation.block)], turn.block);
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

Run::Run(const Trace& trace, const ReplayOptions& options, const std::vector<Turn>& turns,
         Progress& progress)
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
  resources_done_ =
      std::vector<std::atomic<std::uint32_t>>(trace.blocks.size() + trace.foreign_sizes.size());
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

template <class Call>
auto Run::timed(Sample& sample, Worker& worker, Call call) {
  const std::int64_t backend = cadastre_get_backend_nanoseconds();
  const Clock::time_point start = Clock::now();
  const auto result = call();
  worker.last = Clock::now();
  sample.call = nanoseconds(worker.last - start);
  const std::int64_t spent = cadastre_get_backend_nanoseconds() - backend;
  sample.backend =
      std::min(sample.call, static_cast<std::uint64_t>(std::max<std::int64_t>(0, spent)));
  return result;
}

void Run::perform(const Operation& operation, Sample& sample, Worker& worker) {
  const bool uses_blocks = operation.kind != Kind::malloc;
  if ((operation.kind != Kind::create && contexts_[operation.context].missing) ||
      (uses_blocks && (!obtained(operation, operation.block) || !obtained(operation, operation.source)))) {
    sample.fate = Fate::skipped;
    if (operation.kind == Kind::malloc && operation.block != 0) {
      blocks_[static_cast<std::size_t>(operation.block)] = {};
    }
    return;
  }
  if (operation.kind == Kind::copy && reaches_elsewhere(operation)) {
    sample.fate = Fate::copy_skipped;
    return;
  }
  const cadastre_context context = contexts_[operation.context].handle;
  const bool check =
      uses_blocks && (stale(operation.block, context) || stale(operation.source, context));
  const bool locked = check && cadastre_lock(context) == CADASTRE_SUCCESS;
  cadastre_memory_info_struct found;
  if (locked && ((stale(operation.block, context) &&
                  cadastre_get_malloc_info(context, address_of(operation.block), &found) ==
                      CADASTRE_SUCCESS) ||
                 (stale(operation.source, context) &&
                  cadastre_get_malloc_info(context, address_of(operation.source), &found) ==
                      CADASTRE_SUCCESS))) {
    sample.fate = Fate::reused;
  } else {
    static constexpr void (Run::*performers[kinds])(const Operation&, Sample&, Worker&) = {
                &Run::create,
                &Run::destroy,
                &Run::malloc,
                &Run::free,
                &Run::realloc,
                &Run::info,
                &Run::copy,
    };
    (this->*performers[static_cast<std::size_t>(operation.kind)])(operation, sample, worker);
    judge(operation, sample, worker);
  }
  if (locked) cadastre_unlock(context);
}

// Whether there is something to do an operation with: any block but one that could not be allocated, and a foreign
// pointer with as much memory as is copied.
bool Run::obtained(const Operation& operation, std::int64_t block) const {
  if (block >= 0) return block == 0 || blocks_[static_cast<std::size_t>(block)].context != CADASTRE_NULL_CONTEXT;
  return operation.kind != Kind::copy || operation.size <= foreign_[static_cast<std::size_t>(-block)].size;
}

void* Run::address_of(std::int64_t block) const {
  return block >= 0 ? blocks_[static_cast<std::size_t>(block)].pointer
                    : foreign_[static_cast<std::size_t>(-block)].memory.get();
}

// Whether an address may have been returned again since it was a block of this context.
bool Run::stale(std::int64_t block, cadastre_context context) const {
  if (block <= 0) return false;
  const Block& one = blocks_[static_cast<std::size_t>(block)];
  return one.freed || one.context != context;
}

// Whether a copy has a side that the context of the copy may not know, so that the library takes it for unregistered host memory.
bool Run::reaches_elsewhere(const Operation& operation) const {
  const Context& context = contexts_[operation.context];
  return context.alive && (stale(operation.block, context.handle) || stale(operation.source, context.handle));
}

void Run::touch(void* pointer, std::uint64_t size, cadastre_memory_type type) const {
  if (!options_.touch || type == CADASTRE_DEVICE) return;
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  volatile char* bytes = static_cast<char*>(pointer);
  for (std::uint64_t i = 0; i < size; i += page) bytes[i] = 1;
}

cadastre_error_struct last_error(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  if (error.exit_code == CADASTRE_SUCCESS) error.exit_code = CADASTRE_FAILURE;
  return error;
}

std::uint32_t supported_by(cadastre_context context) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  cadastre_backend_info_struct backend = cadastre_backend_info_struct_zero;
  if (cadastre_context_get_options(context, &options) != CADASTRE_SUCCESS ||
      cadastre_backend_get_info(options.backend, &backend) != CADASTRE_SUCCESS) {
    return UINT32_MAX;
  }
  return static_cast<std::uint32_t>(backend.memory_type_mask);
}

cadastre_memory_type Run::type_of(const Operation& operation) const {
  if (options_.type) return *options_.type;
  const bool supported = contexts_[operation.context].supported >> operation.type & 1u;
  return supported || operation.result == CADASTRE_NOT_SUPPORTED ? operation.type : CADASTRE_HOST;
}

void Run::create(const Operation& operation, Sample& sample, Worker& worker) {
  cadastre_context_options_struct wanted = cadastre_context_options_struct_zero;
  wanted.backend = options_.backend;
  const cadastre_context handle = timed(sample, worker, [&] { return cadastre_context_create_with_options(&wanted); });
  Context& context = contexts_[operation.context];
  context.handle = handle;
  context.alive = handle != CADASTRE_NULL_CONTEXT;
  context.missing = !context.alive && operation.result == CADASTRE_SUCCESS;
  context.line = operation.line;
  if (!context.alive) {
    sample.code = last_error(CADASTRE_NULL_CONTEXT).exit_code;
    return;
  }
  context.supported = supported_by(handle);
  cadastre_context_set_timing(handle, 1);
  if (operation.result != CADASTRE_SUCCESS) {  // the traced program had none
    cadastre_context_destroy(handle);
    context.handle = CADASTRE_NULL_CONTEXT;
    context.alive = false;
  }
}

void Run::destroy(const Operation& operation, Sample& sample, Worker& worker) {
  Context& context = contexts_[operation.context];
  ContextFigures figures;
  if (context.alive) {
    figures = figures_of(operation.context);
    figures.destroyed = true;
  }
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  sample.code = timed(sample, worker, [&] {
    return cadastre_context_destroy_with_summary(context.handle, &summary);
  });
  const bool gone = sample.code == CADASTRE_SUCCESS || sample.code == CADASTRE_DEALLOCATION_FAILED;
  if (!context.alive || !gone) return;
  context.alive = false;
  compare(figures, summary);
}

void Run::malloc(const Operation& operation, Sample& sample, Worker& worker) {
  Context& context = contexts_[operation.context];
  cadastre_memory_info_struct wanted = cadastre_memory_info_struct_zero;
  wanted.size = operation.size;
  wanted.type = type_of(operation);
  wanted.flags = options_.zero ? 0 : CADASTRE_UNINITIALIZED;
  wanted.label = operation.label ? trace_.labels[operation.label].c_str() : nullptr;
  void* pointer = timed(sample, worker, [&] { return cadastre_malloc(context.handle, wanted); });
  if (!pointer) {
    sample.code = last_error(context.handle).exit_code;
    if (operation.block != 0) blocks_[static_cast<std::size_t>(operation.block)] = {};
    return;
  }
  if (operation.block == 0) {  // the traced program had none
    cadastre_free(context.handle, pointer);
    return;
  }
  if (!options_.type && wanted.type != operation.type) sample.host_fallback = true;
  blocks_[static_cast<std::size_t>(operation.block)] = {pointer, context.handle, false};
  touch(pointer, wanted.size, wanted.type);
}

void Run::free(const Operation& operation, Sample& sample, Worker& worker) {
  const cadastre_context context = contexts_[operation.context].handle;
  void* pointer = address_of(operation.block);
  sample.code = timed(sample, worker, [&] { return cadastre_free(context, pointer); });
  const bool gone = sample.code == CADASTRE_SUCCESS || sample.code == CADASTRE_DEALLOCATION_FAILED;
  if (gone && operation.block > 0) blocks_[static_cast<std::size_t>(operation.block)].freed = true;
}

void Run::realloc(const Operation& operation, Sample& sample, Worker& worker) {
  const cadastre_context context = contexts_[operation.context].handle;
  void* old = address_of(operation.block);
  void* pointer =
      timed(sample, worker, [&] { return cadastre_realloc(context, old, operation.size); });
  if (!pointer) {
    sample.code = last_error(context).exit_code;
    return;
  }
  if (operation.block <= 0) return;
  blocks_[static_cast<std::size_t>(operation.block)].pointer = pointer;
  cadastre_memory_info_struct info;
  if (options_.touch && cadastre_get_malloc_info(context, pointer, &info) == CADASTRE_SUCCESS) {
    touch(pointer, operation.size, info.type);
  }
}

void Run::info(const Operation& operation, Sample& sample, Worker& worker) {
  const cadastre_context context = contexts_[operation.context].handle;
  const void* pointer = address_of(operation.block);
  cadastre_memory_info_struct info{};
  sample.code =
      timed(sample, worker, [&] { return cadastre_get_malloc_info(context, pointer, &info); });
  if (sample.code == CADASTRE_SUCCESS && operation.has_size && info.size != operation.size) {
    sample.fate = Fate::wrong_size;
  }
}

// A foreign pointer is an array of the traced program outside its contexts.
void Run::copy(const Operation& operation, Sample& sample, Worker& worker) {
  const cadastre_context context = contexts_[operation.context].handle;
  void* const to = address_of(operation.block);
  const void* const from = address_of(operation.source);
  sample.code = timed(sample, worker, [&] { return cadastre_memcpy(context, to, from, operation.size); });
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
      Left& entry =
          (*static_cast<std::map<std::string, Left>*>(left))[info->label ? info->label : ""];
      ++entry.blocks;
      entry.bytes += info->size;
      return CADASTRE_SUCCESS;
    } catch (const std::bad_alloc&) {
      return CADASTRE_ALLOCATION_FAILED;
    }
  };
  if (cadastre_foreach_block(context.handle, callback, &result.left) != CADASTRE_SUCCESS)
    throw std::bad_alloc();
  return result;
}

void Run::compare(const ContextFigures& figures, const cadastre_destroy_summary_struct& summary) {
  Left counted, listed;
  bool balanced = true;
  for (const TypeFigures& type : figures.types) {
    counted.blocks += type.live_blocks;
    counted.bytes += type.live_bytes;
    balanced = balanced && type.allocations == type.deallocations + type.failed_deallocations +
                                                   type.untracked_deallocations + type.live_blocks;
  }
  for (const auto& [label, left] : figures.left) {
    listed.blocks += left.blocks;
    listed.bytes += left.bytes;
  }
  const Left summed{summary.live_blocks, summary.live_bytes};
  const auto text_of = [](const Left& left) {
    return std::to_string(left.bytes) + " bytes in " + std::to_string(left.blocks) + " blocks";
  };
  const internal::Locked locked(mutex_);
  figures_.push_back(figures);
  const std::string name =
      "context " + std::to_string(figures.serial) + " of line " + std::to_string(figures.line);
  if (counted != listed || counted != summed) {
    disagreements_.push_back(name + " had alive " + text_of(counted) + " according to its statistics, " +
                             text_of(listed) + " according to cadastre_foreach_block, " + text_of(summed) +
                             " according to the summary of its destruction");
  }
  if (!balanced) disagreements_.push_back("the statistics of " + name + " do not add up");
  if (summary.failed_deallocations != 0) {
    disagreements_.push_back(std::to_string(summary.failed_deallocations) + " blocks of " + name +
                             " could not be freed");
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
  text += " of " + (operation.kind == Kind::malloc && operation.block == 0
                        ? std::string("a block")
                        : block_in_words(trace, operation.block));
  if (operation.kind == Kind::copy) text += " from " + block_in_words(trace, operation.source);
  if (operation.kind == Kind::malloc) {
    text +=
        ", " + std::to_string(operation.size) + " bytes of " + cadastre_string_of_memory_type(type);
  }
  if (operation.kind == Kind::realloc) text += " to " + std::to_string(operation.size) + " bytes";
  if (trace.contexts.size() > 2 || operation.context == 0) {
    text += " in context " + std::to_string(trace.contexts[operation.context]);
  }
  return text;
}

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
    const cadastre_error_struct error =
        last_error(created ? CADASTRE_NULL_CONTEXT : contexts_[operation.context].handle);
    if (error.exit_code == sample.code && error.message[0]) mismatch.message = error.message;
  }
  worker.mismatches.emplace_back(static_cast<std::size_t>(&operation - trace_.operations.data()),
                                std::move(mismatch));
}

void Run::add_to(Report& report) {
  report.wall.add(wall_);
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
  std::vector<std::pair<std::size_t, Mismatch>> mismatches;
  for (Worker& worker : workers_) std::move(worker.mismatches.begin(), worker.mismatches.end(), std::back_inserter(mismatches));
  std::sort(mismatches.begin(), mismatches.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [index, mismatch] : mismatches) {
    if (report.first_mismatches.size() < mismatches_listed)
      report.first_mismatches.push_back(std::move(mismatch));
  }
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
    report.disagreements.push_back("replay " + std::to_string(report.wall.count()) +
                                   " ended with other statistics than the first");
  }
}

}  // namespace

Report replay(const Trace& trace, const ReplayOptions& options) {
  Report report;
  report.trace = trace.name;
  report.options = options;
  report.operations = trace.operations.size();
  report.threads = trace.threads.size();
  std::size_t alive = 0;
  for (const Operation& operation : trace.operations) {
    if (operation.result != CADASTRE_SUCCESS) continue;
    if (operation.kind == Kind::create)
      report.contexts_at_once = std::max(report.contexts_at_once, ++alive);
    if (operation.kind == Kind::destroy) --alive;
  }
  report.clock = UINT64_MAX;
  for (int i = 0; i < 1000; ++i) {
    const Clock::time_point start = Clock::now();
    report.clock = std::min(report.clock, nanoseconds(Clock::now() - start));
  }
  const std::vector<Turn> turns = trace.threads.size() > 1 ? turns_of(trace) : std::vector<Turn>();
  Progress progress(options.progress, trace, options.repeat);
  for (std::uint32_t i = 0; i < options.repeat; ++i) {
    progress.begin_repeat(i);
    Run run(trace, options, turns, progress);
    const rusage before = usage_so_far();
    run.perform();
    const rusage after = usage_so_far();
    report.user += nanoseconds(after.ru_utime) - nanoseconds(before.ru_utime);
    report.system += nanoseconds(after.ru_stime) - nanoseconds(before.ru_stime);
    report.most_resident = static_cast<std::uint64_t>(after.ru_maxrss) << 10;
    run.add_to(report);
  }
  return report;
}

}  // namespace cadastre::command
