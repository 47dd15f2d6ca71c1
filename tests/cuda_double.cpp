// Tangled from org/tests/cuda_double.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
#include "cuda_double.hpp"
#ifdef PLAYED_SYMBOLS
#include PLAYED_SYMBOLS
#else
#include "cuda_symbols.hpp"
#endif
#pragma GCC visibility pop

#ifdef __clang__
#pragma clang diagnostic error "-Wmissing-prototypes"
#else
#pragma GCC diagnostic error "-Wmissing-declarations"
#endif

using namespace cadastre::cuda_api;

namespace {

#ifdef PLAYS_CUDA_DRIVER
constexpr bool plays_driver = true;
void primary_becomes_current(), primary_is_destroyed();
#else
constexpr bool plays_driver = false;
void primary_becomes_current() {}
void primary_is_destroyed() {}
#endif

#ifndef PLAYED_API
#define PLAYED_API cuda_api
#define PLAYED_NAME "cuda"
#define PLAYED_VERSION CUDA_DOUBLE_VERSION
#endif
#define NAMED(name) PLAYED_NAME name
namespace played = cadastre::PLAYED_API;
constexpr int played_version = PLAYED_VERSION;
constexpr bool plays_cuda = played::dialect.backend == CADASTRE_BACKEND_CUDA, plays_hip = played::dialect.backend == CADASTRE_BACKEND_HIP;

// CUDA's name of a routine that is played.
std::string word_of(const std::string& symbol) {
  if (plays_cuda) return symbol;
  for (const Entry& entry : played::dialect.entries) {
    if (symbol != entry.symbol || !is_in(entry, played_version)) continue;
    const std::string routine = entry.routine;
    return routine.ends_with("_12") ? routine.substr(0, routine.size() - 3) : routine;
  }
  return symbol;
}

// The attribute that is meant by a number of the dialect.
cudaDeviceAttr meant(cudaDeviceAttr number) {
  for (const AttributeNumber& row : played::dialect.attributes) {
    if (row.number == number) return row.attribute;
  }
  return played::dialect.attributes.empty() ? number : cudaDeviceAttr{};
}

struct Refusal {
  cudaError_t error;
};

void require(bool holds, cudaError_t error = cudaErrorInvalidValue) {
  if (!holds) throw Refusal{error};
}

constexpr std::size_t granule = 512;
constexpr std::size_t largest = std::size_t{1} << 60;

std::size_t round_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

// What is free, as ranges that do not touch. What was given back last goes first, where it is long enough; else first
// fit. So a test finds the same addresses each time, and those that were just freed.
class Ranges {
 public:
  std::byte* take(std::size_t length) {
    for (; !given_.empty(); given_.pop_back()) {
      const auto [start, available] = given_.back();
      if (!contain(start, available)) continue;  // it went as part of another
      if (available < length) break;
      given_.pop_back();
      return cut_out(start, length);
    }
    for (auto range = lengths_.begin(); range != lengths_.end(); ++range)
      if (range->second >= length) return cut(range, length);
    return nullptr;
  }
  // The first range, or as much of it as is wanted.
  std::pair<std::byte*, std::size_t> take_up_to(std::size_t wanted) {
    if (lengths_.empty()) return {nullptr, 0};
    const std::size_t length = std::min(wanted, lengths_.begin()->second);
    return {cut(lengths_.begin(), length), length};
  }
  void give(std::byte* start, std::size_t length) {
    given_.emplace_back(start, length);
    const auto behind = lengths_.lower_bound(start);
    if (behind != lengths_.end() && start + length == behind->first) {
      length += behind->second;
      lengths_.erase(behind);
    }
    const auto next = lengths_.lower_bound(start);
    if (next != lengths_.begin() && std::prev(next)->first + std::prev(next)->second == start) std::prev(next)->second += length;
    else lengths_.emplace(start, length);
  }
  bool contain(const std::byte* start, std::size_t length) const {
    const auto behind = lengths_.upper_bound(const_cast<std::byte*>(start));
    if (behind == lengths_.begin()) return false;
    const auto& [first, available] = *std::prev(behind);
    const auto before = static_cast<std::size_t>(start - first);
    return before <= available && length <= available - before;
  }
  std::size_t total() const {
    std::size_t sum = 0;
    for (const auto& [start, length] : lengths_) sum += length;
    return sum;
  }

 private:
  using Lengths = std::map<std::byte*, std::size_t>;

  std::byte* cut(Lengths::iterator range, std::size_t length) {
    const auto [start, available] = *range;
    lengths_.erase(range);
    if (available > length) lengths_.emplace(start + length, available - length);
    return start;
  }
  std::byte* cut_out(std::byte* start, std::size_t length) {
    const auto range = std::prev(lengths_.upper_bound(start));
    const auto [first, available] = *range;
    lengths_.erase(range);
    if (start > first) lengths_.emplace(first, static_cast<std::size_t>(start - first));
    std::byte* const end = first + available;
    if (start + length < end) lengths_.emplace(start + length, static_cast<std::size_t>(end - start) - length);
    return start;
  }

  Lengths lengths_;
  std::vector<std::pair<std::byte*, std::size_t>> given_;  // the last one last
};

enum Filling : unsigned char { fresh = 0xCD, freed = 0xDD };

class Memory {
 public:
  explicit Memory(std::size_t capacity) : capacity_(capacity), distance_(round_up(capacity, gap) + gap) {
    void* const both = mmap(nullptr, distance_ + capacity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (both == MAP_FAILED || mprotect(static_cast<std::byte*>(both) + distance_, capacity, PROT_READ | PROT_WRITE) != 0) {
      std::perror("cuda double: reserving the memory of a device");
      std::abort();
    }
    first_ = static_cast<std::byte*>(both);
    free_.give(first_, capacity);
  }

  // A length is a multiple of the granule in all that follows.
  std::byte* take(std::size_t length) {
    std::byte* const start = length <= available() ? free_.take(length) : nullptr;
    if (start) used_ = std::max(used_, static_cast<std::size_t>(start - first_) + length);
    return start;
  }
  void give(std::byte* start, std::size_t length) { free_.give(start, length); }
  void fill(std::byte* start, std::size_t length, Filling with) { std::memset(start + distance_, with, length); }
  void leave_to_others(std::size_t bytes) { taken_ = std::min(bytes, free_.total()); }
  // All is free again that this process had, whoever has it.
  void reset() {
    free_ = {};
    free_.give(first_, capacity_);
  }

  // Behind the bytes the file has a number for each granule: that of the handle of the block which begins there.
  struct Access {
    int file;
    off_t offset, number_at;  // of the block's bytes, and of the number of its handle
  };
  Access access_to(std::byte* start) {
    share();
    const auto offset = static_cast<off_t>(start - first_);
    return {file_, offset, numbers_at() + offset / static_cast<off_t>(granule) * static_cast<off_t>(sizeof(std::uint64_t))};
  }
  off_t numbers_at() const { return static_cast<off_t>(round_up(capacity_, page)); }

  void begin_export(std::byte* start, std::uint64_t number) {
    const Access access = access_to(start);
    require(pwrite(access.file, &number, sizeof number, access.number_at) == sizeof number, cudaErrorMemoryAllocation);
  }
  // Whether nobody has it open; to be asked by who exports.
  bool is_closed(std::byte* start) {
    const Access access = access_to(start);
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_start = access.number_at;
    lock.l_len = 1;
    return fcntl(access.file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
  }
  void end_export(std::byte* start) { begin_export(start, 0); }

  // Maps pages of another device's file; the address of what lies there at that offset. taken: the range that it takes here.
  std::byte* map(int file, off_t offset, std::size_t size, std::pair<std::byte*, std::size_t>& taken) {
    const auto before = static_cast<std::size_t>(offset) % page;
    const std::size_t length = round_up(before + size, page);
    std::byte* const start = take(length + page);
    require(start != nullptr, cudaErrorMemoryAllocation);
    taken = {start, length + page};
    std::byte* const first = first_ + round_up(static_cast<std::size_t>(start - first_), page);
    if (mmap(shadow(first), length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, offset - static_cast<off_t>(before)) ==
        MAP_FAILED) {
      give(start, length + page);
      throw Refusal{cudaErrorMemoryAllocation};
    }
    return first + before;
  }
  void unmap(const std::pair<std::byte*, std::size_t>& taken) {
    std::byte* const first = first_ + round_up(static_cast<std::size_t>(taken.first - first_), page);
    const bool shared = file_ >= 0;
    mmap(shadow(first), taken.second - page, PROT_READ | PROT_WRITE,
         shared ? MAP_SHARED | MAP_FIXED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, file_, shared ? first - first_ : 0);
    give(taken.first, taken.second);
  }

  static constexpr std::size_t page = 4096;

  void share() {
    if (file_ >= 0) return;
    const int file = memfd_create("cuda double", MFD_CLOEXEC);
    const off_t length = numbers_at() * 2;
    const bool filled =
        file >= 0 && ftruncate(file, length) == 0 && pwrite(file, first_ + distance_, used_, 0) == static_cast<ssize_t>(used_);
    require(filled, cudaErrorMemoryAllocation);
    require(mmap(first_ + distance_, capacity_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED,
            cudaErrorMemoryAllocation);
    file_ = file;
  }

  // From then on its addresses are the host's as well: both show the same pages.
  void open_to_host() {
    share();
    require(mmap(first_, capacity_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, 0) != MAP_FAILED, cudaErrorMemoryAllocation);
  }

  bool owns(const void* pointer) const {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const auto first = reinterpret_cast<std::uintptr_t>(first_);
    return address >= first && address - first < capacity_;
  }
  std::byte* shadow(std::byte* address) const { return address + distance_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t available() const { return free_.total() - std::min(free_.total(), taken_); }

 private:
  static constexpr std::size_t gap = std::size_t{1} << 20;

  std::size_t capacity_, distance_;
  std::byte* first_ = nullptr;
  Ranges free_;
  std::size_t taken_ = 0;  // by others, of what is free
  std::size_t used_ = 0;   // how far the bytes were ever used
  int file_ = -1;          // that has the bytes, once they are shared
};

enum class Kind { device, pinned, registered, managed, imported };

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::device: return "device";
    case Kind::pinned: return "pinned";
    case Kind::registered: return "registered";
    case Kind::managed: return "managed";
    case Kind::imported: return "imported";
  }
  return "";
}

struct Pool;

// The handle of a block, as another process gets it.
struct Exported {
  char mark[8];
  int process, file, device;
  off_t offset, number_at;
  std::uint64_t number, size;
};
static_assert(sizeof(Exported) <= sizeof(cudaIpcMemHandle_t));

struct Opened {
  Exported of{};
  int file = -1;
  int times = 0;
  std::pair<std::byte*, std::size_t> taken{};
};

struct Block {
  std::byte* start;
  std::size_t size;
  Kind kind;
  int device;                    // on which it lies, or which was current
  std::shared_ptr<Pool> pool{};  // from which it came, if from one
  bool leaving = false;
  bool gone = false;
  std::uint64_t exported = 0;  // the number of its handle, if it has one
  Opened opened{};             // of one that is imported

  std::size_t length() const { return round_up(size, granule); }
  bool contains(const std::byte* pointer, std::size_t bytes) const {
    const auto before = static_cast<std::size_t>(pointer - start);
    return before <= size && bytes <= size - before;
  }
};

// By address; no two overlap.
class Blocks {
 public:
  std::shared_ptr<Block> add(Block block) { return by_start_[block.start] = std::make_shared<Block>(block); }
  void remove(Block& block) {
    block.gone = true;
    by_start_.erase(block.start);
  }
  std::shared_ptr<Block> at(const void* pointer) const {
    const auto found = by_start_.find(static_cast<std::byte*>(const_cast<void*>(pointer)));
    return found == by_start_.end() || found->second->leaving ? nullptr : found->second;
  }
  // Also one that is leaving.
  std::shared_ptr<Block> around(const void* pointer) const {
    auto* const address = static_cast<std::byte*>(const_cast<void*>(pointer));
    const auto behind = by_start_.upper_bound(address);
    if (behind == by_start_.begin()) return nullptr;
    const auto& block = std::prev(behind)->second;
    return address < block->start + block->size ? block : nullptr;
  }
  bool overlap(const std::byte* start, std::size_t size) const {
    const auto behind = by_start_.upper_bound(const_cast<std::byte*>(start));
    return around(start) || (behind != by_start_.end() && behind->first < start + size);
  }
  auto begin() const { return by_start_.begin(); }
  auto end() const { return by_start_.end(); }

 private:
  std::map<std::byte*, std::shared_ptr<Block>> by_start_;
};

void forget_thread(std::uint64_t number);

struct Thread {
  Thread() : number(++threads) {}
  ~Thread() { forget_thread(number); }
  const std::uint64_t number;

 private:
  static inline std::atomic<std::uint64_t> threads = 0;
};

thread_local Thread this_thread;

// What is current in the thread; the number of a device's primary context is the device's.
thread_local int current_device = 0, current_context = 0;

class Stream;
struct Capture;

// Bytes that a piece of work reads or writes, by the addresses that the program has.
struct Used {
  const void* begin;
  std::size_t size;

  bool meets(const void* other, std::size_t length) const {
    const auto mine = reinterpret_cast<std::uintptr_t>(begin), its = reinterpret_cast<std::uintptr_t>(other);
    return mine - its < length || its - mine < size;
  }
};
using Uses = std::vector<Used>;

struct Point {
  std::shared_ptr<Stream> stream;
  std::uint64_t position = 0;

  bool reached() const;
  void reach() const;
};

class Stream {
 public:
  using Work = std::function<void()>;

  Stream(int device, bool blocking) : device(device), blocking(blocking) {}

  void append(Work work, std::vector<Point> after, Uses uses) {
    queue_.push_back({std::move(work), std::move(after), std::move(uses)});
    ++issued_;
  }
  void advance() {
    const Piece piece = std::move(queue_.front());
    queue_.pop_front();
    for (const Point& point : piece.after) point.reach();
    if (piece.work) piece.work();
    ++done_;
  }
  void advance_to(std::uint64_t position) {
    while (done_ < position && !queue_.empty()) advance();
  }
  // What was issued is not done any more.
  void drop() {
    queue_.clear();
    done_ = issued_;
  }
  bool idle() const { return queue_.empty(); }
  // Shows each piece that is not done, and its position.
  template <class ContextLock>
  void each_pending(ContextLock lock) const {
    std::uint64_t position = done_;
    for (const Piece& piece : queue_) lock(piece.after, piece.uses, ++position);
  }
  std::uint64_t issued() const { return issued_; }
  std::uint64_t done() const { return done_; }

  const int device;
  const bool blocking;
  const int context = current_context;
  const std::uint64_t number = ++streams;  // of all that ever were
  bool destroyed = false;                  // its handle is; its work is still to be done
  std::shared_ptr<Capture> capture{};      // what is issued becomes part of a graph

 private:
  struct Piece {
    Work work;
    std::vector<Point> after;
    Uses uses;
  };

  std::deque<Piece> queue_;
  std::uint64_t issued_ = 0, done_ = 0;
  static inline std::uint64_t streams = 0;
};

bool Point::reached() const { return !stream || stream->done() >= position; }
void Point::reach() const {
  if (stream) stream->advance_to(position);
}

struct GraphNode {
  Stream::Work work;
  Uses uses;
};

class Destructors {
 public:
  static Destructors& get() {
    static Destructors* const destructors = new Destructors;
    return *destructors;
  }
  void add(cudaHostFn_t function, void* argument) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({function, argument});
    start();
  }
  void hold(bool held) {
    const std::lock_guard lock(mutex_);
    held_ = held;
    start();
  }
  void await() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return !is_running_; });
  }

 private:
  void start() {
    if (held_ || is_running_ || waiting_.empty()) return;
    is_running_ = true;
    std::thread([this] { run(); }).detach();
  }
  void run();

  std::mutex mutex_;
  std::condition_variable ended_;
  std::deque<std::pair<cudaHostFn_t, void*>> waiting_;
  bool held_ = false, is_running_ = false;
};

struct UserObject {
  UserObject(cudaHostFn_t destroy, void* argument) : destroy(destroy), argument(argument) { ++alive; }
  UserObject(const UserObject&) = delete;
  UserObject& operator=(const UserObject&) = delete;
  ~UserObject() {
    --alive;
    Destructors::get().add(destroy, argument);
  }
  const cudaHostFn_t destroy;
  void* const argument;
  static inline std::atomic<long> alive = 0;
};

struct Graph {
  std::vector<GraphNode> nodes{};
  std::vector<std::shared_ptr<UserObject>> objects{};  // one for each reference
};

struct Capture {
  const std::shared_ptr<Stream> origin;
  const cudaStreamCaptureMode mode;
  const std::uint64_t thread = this_thread.number;
  bool invalid = false, ended = false;
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  cudaGraph_t handle = nullptr;  // of the graph, where somebody has asked for it
  const std::uint64_t number = ++captures_begun;
  std::map<std::shared_ptr<Stream>, std::set<std::size_t>> behind{};  // the nodes that each stream comes after

  void add(const std::shared_ptr<Stream>& stream, Stream::Work work, Uses uses) {
    behind[stream].insert(graph->nodes.size());
    graph->nodes.push_back({std::move(work), std::move(uses)});
  }
  void join(const std::shared_ptr<Stream>& stream, const std::set<std::size_t>& nodes) {
    behind[stream].insert(nodes.begin(), nodes.end());
  }
  bool is_joined() const { return behind.at(origin).size() == graph->nodes.size(); }
  bool has_stream_of(int device, bool only_blocking) const {
    return std::any_of(behind.begin(), behind.end(),
                       [=](const auto& entry) { return entry.first->device == device && (entry.first->blocking || !only_blocking); });
  }

 private:
  static inline std::uint64_t captures_begun = 0;
};

struct Event {
  int device;
  bool timed;
  int context = current_context;
  bool recorded = false;
  Point point{};
  std::shared_ptr<Capture> capture{};  // in which it was recorded last, if in one
  std::set<std::size_t> behind{};      // and after which nodes
};

struct Pool {
  Pool(int device, Memory& memory) : device(device), memory(memory) {}
  ~Pool() { trim(0); }

  std::uint64_t reserved() const { return used + idle.total(); }
  void note_highs() {
    used_high = std::max(used_high, used);
    reserved_high = std::max(reserved_high, reserved());
  }
  std::byte* take(std::size_t length) {
    std::byte* const start = idle.take(length);
    return start ? start : memory.take(length);
  }
  void trim(std::uint64_t keep) {
    while (reserved() > keep && reserved() - keep >= granule) {
      const auto [start, length] = idle.take_up_to((reserved() - keep) / granule * granule);
      if (length == 0) return;
      memory.give(start, length);
    }
  }

  const int device;
  Memory& memory;
  std::uint64_t threshold = 0, used = 0, used_high = 0, reserved_high = 0;
  Ranges idle;
};

class Device {
 public:
  Device(int number, std::size_t capacity)
      : number(number), memory(capacity), pool(std::make_shared<Pool>(number, memory)), legacy(std::make_shared<Stream>(number, true)) {}

  std::shared_ptr<Stream> new_stream(bool blocking) { return streams_.emplace_back(std::make_shared<Stream>(number, blocking)); }
  std::shared_ptr<Stream> stream_of_thread() {
    auto& stream = of_threads_[this_thread.number];
    if (!stream) stream = new_stream(true);
    return stream;
  }
  // Its stream is destroyed as any other: what it holds is still to be done.
  void forget_thread(std::uint64_t thread) {
    const auto found = of_threads_.find(thread);
    if (found == of_threads_.end()) return;
    found->second->destroyed = true;
    of_threads_.erase(found);
  }
  // Streams, their work and all memory are gone.
  void reset() {
    for (const auto& stream : streams_) stream->drop();
    legacy->drop();
    streams_.clear();
    of_threads_.clear();
    pool->idle = {};
    pool->used = 0;
    memory.reset();
    fault = cudaSuccess;
  }

  // What anything that is issued to a stream comes after, beside the work of that stream.
  std::vector<Point> implied(const std::shared_ptr<Stream>& stream) const {
    std::vector<Point> after;
    if (stream == legacy)
      for (const auto& other : streams_)
        if (other->blocking) after.push_back({other, other->issued()});
    if (stream != legacy && stream->blocking) after.push_back({legacy, legacy->issued()});
    return after;
  }
  Point issue(const std::shared_ptr<Stream>& stream, Stream::Work work, std::vector<Point> after, Uses uses) {
    for (Point& point : implied(stream)) after.push_back(std::move(point));
    stream->append(std::move(work), std::move(after), std::move(uses));
    return {stream, stream->issued()};
  }

  // All that was issued to the device.
  std::vector<Point> everything() const {
    std::vector<Point> points{{legacy, legacy->issued()}};
    for (const auto& stream : streams_) points.push_back({stream, stream->issued()});
    return points;
  }
  void synchronize() {
    for (const Point& point : everything()) point.reach();
    std::erase_if(streams_, [](const auto& stream) { return stream->destroyed && stream->idle(); });
  }

  const int number;
  Memory memory;
  const std::shared_ptr<Pool> pool;
  const std::shared_ptr<Stream> legacy;
  cudaError_t fault = cudaSuccess;  // of a kernel

 private:
  std::vector<std::shared_ptr<Stream>> streams_;  // all but the legacy one
  std::map<std::uint64_t, std::shared_ptr<Stream>> of_threads_;
};

class Journal {
 public:
  Journal() {
    if (const char* const path = std::getenv("CUDA_DOUBLE_TRACE"); path && *path) trace_ = std::fopen(path, "a");
  }
  void note(const char* function) {
    made_.push_back(word_of(function));
    ++counts_[made_.back()];
  }
  void note_result(const char* function, cudaError_t error) {
    if (!trace_) return;
    std::fprintf(trace_, "%s: %s\n", word_of(function).c_str(), cudaGetErrorName(error));
    std::fflush(trace_);
  }
  long calls(const char* function) const {
    if (!function) return static_cast<long>(made_.size());
    const auto found = counts_.find(function);
    return found == counts_.end() ? 0 : found->second;
  }
  std::string made() const {
    std::string names;
    for (const std::string& name : made_) names.append(names.empty() ? "" : " ").append(name);
    return names;
  }
  void forget() {
    made_.clear();
    counts_.clear();
  }

 private:
  std::FILE* trace_ = nullptr;
  std::vector<std::string> made_;
  std::map<std::string, long> counts_;
};

long number_in(const char* variable, long otherwise) {
  const char* const text = std::getenv(variable);
  return text && *text ? std::strtol(text, nullptr, 0) : otherwise;
}

// A call that takes its time, as the first one to a driver may.
class Sleeper {
 public:
  void sleep_in(const char* function) {
    if (!name_ || word_of(function) != name_ || slept_.exchange(true)) return;
    asleep_ = true;
    for (int i = 0; i < 20000 && asleep_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    asleep_ = false;
  }
  bool is_asleep() const { return asleep_; }
  void wake() { asleep_ = false; }

 private:
  const char* const name_ = std::getenv("CUDA_DOUBLE_SLOW");
  std::atomic<bool> slept_ = false, asleep_ = false;
};

// Others who use the devices.
struct Thieves {
  std::size_t bytes = 0;
  long questions = 0;  // how many they wait for

  static Thieves asked_for() {
    const char* const text = std::getenv("CUDA_DOUBLE_TAKEN");
    if (!text || !*text) return {};
    char* end;
    Thieves thieves{std::strtoul(text, &end, 0), 1};
    if (*end == ':') thieves.questions = std::strtol(end + 1, nullptr, 0);
    return thieves;
  }
};

// Which calls to come are to fail, and how.
struct Sabotage {
  std::string function;  // any, if empty
  long before_first = 0;
  long times = 0;  // for ever, if negative
  cudaError_t error = cudaErrorMemoryAllocation;

  static Sabotage asked_for() {
    const char* text = std::getenv("CUDA_DOUBLE_FAIL");
    if (!text || !*text) return {};
    Sabotage plan;
    if (const char* const colon = std::strchr(text, ':')) {
      plan.function.assign(text, colon);
      text = colon + 1;
    }
    char* end;
    plan.before_first = std::strtol(text, &end, 0) - 1;
    plan.times = *end == '+' ? -1 : 1;
    plan.error = static_cast<cudaError_t>(number_in("CUDA_DOUBLE_FAIL_CODE", cudaErrorMemoryAllocation));
    return plan;
  }
  bool strikes(const char* name) {
    if (times == 0 || (!function.empty() && function != word_of(name))) return false;
    if (before_first-- > 0) return false;
    before_first = 0;
    if (times > 0) --times;
    return true;
  }
};

thread_local cudaError_t last_error = cudaSuccess;
thread_local bool in_host_function = false;

void Destructors::run() {
  in_host_function = true;
  std::unique_lock lock(mutex_);
  while (!held_ && !waiting_.empty()) {
    const auto [function, argument] = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    function(argument);
    lock.lock();
  }
  is_running_ = false;
  ended_.notify_all();
}

thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

std::uintptr_t last_handle = 0xD0000;

template <class Object>
class Handles {
 public:
  template <class Handle>
  Handle add(Object object) {
    std::uintptr_t handle = 0;
    if (destroyed_.empty()) {
      handle = last_handle += 16;
    } else {
      handle = destroyed_.back();
      destroyed_.pop_back();
    }
    objects_.emplace(handle, std::move(object));
    return reinterpret_cast<Handle>(handle);
  }
  template <class Handle>
  Object& at(Handle handle, cudaError_t otherwise) {
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    require(found != objects_.end(), otherwise);
    return found->second;
  }
  template <class Handle>
  void remove(Handle handle) {
    if (objects_.erase(reinterpret_cast<std::uintptr_t>(handle)) > 0) destroyed_.push_back(reinterpret_cast<std::uintptr_t>(handle));
  }
  template <class Gone>
  void remove_if(Gone gone) {
    std::erase_if(objects_, [&](const auto& entry) {
      if (!gone(entry.second)) return false;
      destroyed_.push_back(entry.first);
      return true;
    });
  }
  template <class ContextLock>
  void each(ContextLock lock) {
    for (auto& [handle, object] : objects_) lock(object);
  }
  std::size_t count() const { return objects_.size(); }

 private:
  std::map<std::uintptr_t, Object> objects_;
  std::vector<std::uintptr_t> destroyed_;  // the last one last
};

class Machine {
 public:
  static Machine& get();

  // A machine without a driver has none of version 0.
  int driver_version() const { return device_count < 0 && !plays_driver ? 0 : static_cast<int>(driver); }
  bool has_driver() const {
    return plays_driver ? device_count >= 0 : played::dialect.major(driver_version()) >= played::dialect.major(played_version);
  }
  Device& device(int number) {
    require(number >= 0 && number < device_count, cudaErrorInvalidDevice);
    return *devices[static_cast<std::size_t>(number)];
  }
  Device& current() { return device(current_device); }

  std::shared_ptr<Stream> stream(cudaStream_t handle) {
    if (!handle || handle == played::dialect.default_stream()) return current().legacy;
    if (handle == cudaStreamPerThread) return current().stream_of_thread();
    return streams.at(handle, cudaErrorInvalidResourceHandle);
  }
  Event& event(cudaEvent_t handle) { return events.at(handle, cudaErrorInvalidResourceHandle); }

  // The device's own pool is called by the device's number, which no other handle equals.
  static cudaMemPool_t default_pool(int number) { return reinterpret_cast<cudaMemPool_t>(static_cast<std::uintptr_t>(number) + 1); }
  std::shared_ptr<Pool> pool(cudaMemPool_t handle) {
    for (const auto& device : devices)
      if (handle == default_pool(device->number)) return device->pool;
    return pools.at(handle, cudaErrorInvalidValue);
  }

  Point issue(const std::shared_ptr<Stream>& stream, Stream::Work work, std::vector<Point> after = {}, Uses uses = {}) {
    require_usable(stream);
    if (stream->capture) {
      stream->capture->add(stream, std::move(work), std::move(uses));
      return {};
    }
    if (work && before_fault > 0 && --before_fault == 0) device(stream->device).fault = cudaErrorIllegalAddress;
    return device(stream->device).issue(stream, std::move(work), std::move(after), std::move(uses));
  }
  void synchronize_all() {
    for (const auto& device : devices) device->synchronize();
  }
  // After the program has waited for something, pools let go of what they need not keep.
  void trim_pools() {
    for (const auto& device : devices) device->pool->trim(device->pool->threshold);
    pools.each([](const auto& pool) { pool->trim(pool->threshold); });
  }

  template <class Concerned>
  void spoil(Concerned is_concerned, cudaError_t error) {
    bool spoilt = false;
    for (const auto& capture : captures)
      if (is_concerned(*capture)) spoilt = capture->invalid = true;
    require(!spoilt, error);
  }

  bool legacy_would_depend(const Device& device) const {
    return std::any_of(captures.begin(), captures.end(), [&](const auto& capture) { return capture->has_stream_of(device.number, true); });
  }

  void require_usable(const std::shared_ptr<Stream>& stream) {
    require(!stream->capture || !stream->capture->invalid, cudaErrorStreamCaptureInvalidated);
    if (stream != device(stream->device).legacy) return;
    spoil([&](const Capture& capture) { return capture.has_stream_of(stream->device, true); }, cudaErrorStreamCaptureImplicit);
  }

  // To be called by what is unsafe.
  void require_no_strict_capture() {
    spoil(
        [](const Capture& capture) {
          if (mode_of_thread == cudaStreamCaptureModeRelaxed) return false;
          if (capture.thread == this_thread.number) return capture.mode != cudaStreamCaptureModeRelaxed;
          return mode_of_thread == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
        },
        cudaErrorStreamCaptureUnsupported);
  }

  // To be called by what waits for a stream, or asks whether it is done, or cannot be a node here.
  void require_not_captured(const std::shared_ptr<Stream>& stream) {
    spoil([&](const Capture& capture) { return &capture == stream->capture.get(); }, cudaErrorStreamCaptureUnsupported);
  }
  void require_not_captured(const Event& event) {
    spoil([&](const Capture& capture) { return &capture == event.capture.get(); }, cudaErrorCapturedEvent);
    require(!event.capture, cudaErrorCapturedEvent);
  }
  void require_not_captured(const Device& device) {
    spoil([&](const Capture& capture) { return capture.has_stream_of(device.number, false); }, cudaErrorStreamCaptureUnsupported);
  }

  void end_capture(const std::shared_ptr<Capture>& capture) {
    for (const auto& [stream, nodes] : capture->behind) stream->capture = nullptr;
    std::erase(captures, capture);
    capture->ended = true;
    if (const cudaGraph_t handle = std::exchange(capture->handle, nullptr)) graphs.remove(handle);
  }

  void* allocate(Device& device, std::size_t size) {
    if (size == 0) return nullptr;
    require(size <= largest, cudaErrorMemoryAllocation);
    const Block block{nullptr, size, Kind::device, device.number};
    std::byte* const start = device.memory.take(block.length());
    require(start != nullptr, cudaErrorMemoryAllocation);
    device.memory.fill(start, block.length(), fresh);
    return file(block, start)->start;
  }

  void* allocate_in_order(const std::shared_ptr<Pool>& pool, std::size_t size, const std::shared_ptr<Stream>& stream) {
    if (size == 0) return nullptr;
    require(size <= largest, cudaErrorMemoryAllocation);
    const Block block{nullptr, size, Kind::device, pool->device, pool};
    std::byte* start = pool->take(block.length());
    if (!start) {
      stream->advance_to(stream->issued());
      start = pool->take(block.length());
    }
    require(start != nullptr, cudaErrorMemoryAllocation);
    pool->used += block.length();
    pool->note_highs();
    const auto filed = file(block, start);
    issue(stream, [filed] {
      if (!filed->gone) filed->pool->memory.fill(filed->start, filed->length(), fresh);
    });
    return start;
  }

  void* allocate_on_host(Kind kind, std::size_t size) {
    if (size == 0) return nullptr;
    require(size <= largest, cudaErrorMemoryAllocation);
    void* const pages = mmap(freed_last, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(pages != MAP_FAILED, cudaErrorMemoryAllocation);
    std::memset(pages, fresh, size);
    return file({nullptr, size, kind, current_device}, static_cast<std::byte*>(pages))->start;
  }

  std::shared_ptr<Block> file(Block block, std::byte* start) {
    block.start = start;
    return blocks.add(block);
  }

  std::shared_ptr<Block> live(const void* pointer, std::initializer_list<Kind> kinds, cudaError_t otherwise = cudaErrorInvalidValue) {
    const auto block = blocks.at(pointer);
    require(block && std::find(kinds.begin(), kinds.end(), block->kind) != kinds.end(), otherwise);
    return block;
  }

  // The end of a block, now.
  void retire(Block& block) {
    blocks.remove(block);
    if (block.kind == Kind::registered) return;
    if (block.kind == Kind::imported) return close_import(block);
    if (block.kind != Kind::device) {
      munmap(block.start, block.size);
      freed_last = block.start;
      return;
    }
    Memory& memory = device(block.device).memory;
    if (block.exported) memory.end_export(block.start);
    memory.fill(block.start, block.length(), freed);
    if (block.pool) {
      block.pool->used -= block.length();
      block.pool->idle.give(block.start, block.length());
    } else {
      memory.give(block.start, block.length());
    }
  }

  enum class Side { pageable, pinned, managed, device };

  struct Place {
    std::byte* bytes;
    Side side;
  };

  Place place(const void* pointer, std::size_t size) {
    require(pointer != nullptr);
    auto* const address = static_cast<std::byte*>(const_cast<void*>(pointer));
    const auto block = blocks.around(pointer);
    for (const auto& device : devices) {
      if (!device->memory.owns(pointer)) continue;
      require(block ? block->contains(address, size) : kept_by_a_pool(address, size));
      return {device->memory.shadow(address), Side::device};
    }
    require(block ? block->contains(address, size) : !blocks.overlap(address, size));
    if (!block) return {address, Side::pageable};
    return {address, block->kind == Kind::managed ? Side::managed : Side::pinned};
  }

  bool kept_by_a_pool(const std::byte* address, std::size_t size) {
    bool kept = false;
    for (const auto& device : devices) kept = kept || device->pool->idle.contain(address, size);
    pools.each([&](const auto& pool) { kept = kept || pool->idle.contain(address, size); });
    return kept;
  }

  static constexpr char mark_of_exports[8] = {'d', 'o', 'u', 'b', 'l', 'e', '\0', '1'};
  std::uint64_t exports_made = 0;

  cudaIpcMemHandle_t handle_of(Block& block) {
    constexpr std::size_t segment = std::size_t{2} << 20;
    Memory& memory = device(block.device).memory;
    if (!block.exported) {
      memory.begin_export(block.start, ++exports_made << 20 | static_cast<std::uint64_t>(process));
      block.exported = exports_made << 20 | static_cast<std::uint64_t>(process);
    }
    exposed += block.size % segment != 0;
    const Memory::Access access = memory.access_to(block.start);
    Exported exported{{}, process, access.file, block.device, access.offset, access.number_at, block.exported, block.size};
    std::memcpy(exported.mark, mark_of_exports, sizeof exported.mark);
    cudaIpcMemHandle_t handle{};
    std::memcpy(handle.reserved, &exported, sizeof exported);
    return handle;
  }

  void* open_import(const cudaIpcMemHandle_t& handle) {
    Exported of{};
    std::memcpy(&of, handle.reserved, sizeof of);
    require(std::memcmp(of.mark, mark_of_exports, sizeof of.mark) == 0);
    require(of.process != process, cudaErrorDeviceUninitialized);
    require(peers || of.device == current().number, cudaErrorNotSupported);
    for (const auto& [start, block] : blocks) {
      if (block->kind != Kind::imported || block->opened.of.process != of.process || block->opened.of.number != of.number) continue;
      require(block->device == current().number, cudaErrorInvalidResourceHandle);
      ++block->opened.times;
      return start;
    }
    Opened opened{of, file_of(of), 1, {}};
    require(lock(opened, F_RDLCK), cudaErrorInvalidResourceHandle);
    try {
      std::uint64_t number = 0;
      require(pread(opened.file, &number, sizeof number, of.number_at) == sizeof number && number == of.number,
              cudaErrorInvalidResourceHandle);
      std::byte* const start = current().memory.map(opened.file, of.offset, of.size, opened.taken);
      Block block{start, of.size, Kind::imported, current().number};
      block.opened = opened;
      return blocks.add(block)->start;
    } catch (...) {
      lock(opened, F_UNLCK);
      throw;
    }
  }

  void close_import(Block& block) {
    device(block.device).memory.unmap(block.opened.taken);
    lock(block.opened, F_UNLCK);
  }

  // Such locks are a process's, which its children do not inherit, and end when it closes the file anywhere.
  static bool lock(const Opened& opened, short type) {
    struct flock lock{};
    lock.l_type = type;
    lock.l_start = opened.of.number_at;
    lock.l_len = 1;
    return fcntl(opened.file, F_SETLK, &lock) == 0;
  }

  // So each file is opened once.
  std::map<std::pair<int, int>, int> files_of_others;
  int file_of(const Exported& of) {
    int& file = files_of_others.try_emplace({of.process, of.file}, -1).first->second;
    const std::string name = "/proc/" + std::to_string(of.process) + "/fd/" + std::to_string(of.file);
    if (file < 0) file = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
    require(file >= 0, cudaErrorInvalidResourceHandle);
    return file;
  }

  const long device_count = number_in("CUDA_DOUBLE_DEVICES", 1);
  const long driver = number_in("CUDA_DOUBLE_DRIVER", played_version);
  const bool managed = number_in("CUDA_DOUBLE_MANAGED", 1) != 0;
  const bool concurrent = managed && number_in("CUDA_DOUBLE_CONCURRENT_MANAGED", 1) != 0;
  const bool pools_supported = number_in("CUDA_DOUBLE_POOLS", 1) != 0;
  const bool pageable = number_in("CUDA_DOUBLE_PAGEABLE", 0) != 0;
  const bool integrated = number_in("CUDA_DOUBLE_INTEGRATED", 0) != 0;
  const bool reached_by_host = integrated && plays_hip;
  const bool peers = number_in("CUDA_DOUBLE_PEERS", 1) != 0;
  const bool check = number_in("CUDA_DOUBLE_CHECK", 0) != 0;
  const pid_t process = getpid();

  Sleeper sleeper;  // guarded by nothing
  std::recursive_mutex mutex;
  Journal journal;
  Sabotage sabotage = Sabotage::asked_for();
  Thieves thieves = Thieves::asked_for();
  long before_fault = number_in("CUDA_DOUBLE_LATE", 0);  // pieces of work
  std::vector<std::unique_ptr<Device>> devices;
  Blocks blocks;
  Handles<std::shared_ptr<Stream>> streams;
  Handles<Event> events;
  Handles<std::shared_ptr<Pool>> pools;  // all but the devices' own
  struct OwnedObject {
    std::shared_ptr<UserObject> object;
    unsigned references;  // of the program's
  };
  Handles<std::shared_ptr<Graph>> graphs, executables;
  Handles<OwnedObject> objects;
  std::vector<std::shared_ptr<Capture>> captures;  // that have not ended
  void* freed_last = nullptr;                      // of pinned and managed memory
  long misuses = 0;
  long exposed = 0;       // exports that other blocks may share a segment with
  long freed_in_use = 0;  // blocks that went while another process had them open

  void let_others_take() {
    for (const auto& device : devices) device->memory.leave_to_others(thieves.bytes);
  }
  // What kernels of the device did that is current.
  cudaError_t fault() const {
    const auto number = static_cast<std::size_t>(current_device);
    return number < devices.size() ? devices[number]->fault : cudaSuccess;
  }

  // Whose memory an address is may be asked of any.
  void note_misuse(const char* function) { misuses += word_of(function) != "cudaPointerGetAttributes"; }

 private:
  Machine();
};

enum class Needs { nothing, device };

void late(const char* function);
extern std::atomic<bool> ended;

bool ends_fault(const char* function) { return word_of(function) == "cudaDeviceReset"; }
bool makes_current(const char* function) { return word_of(function) == "cudaSetDevice" || word_of(function) == "cuCtxSetCurrent"; }

template <class Body>
cudaError_t call(const char* function, Needs needs, Body body) {
  const auto answer = [&](cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
  };
  Machine& machine = Machine::get();
  if (getpid() != machine.process) return answer(cudaErrorInitializationError);
  if (ended) {
    late(function);
    return answer(cudaErrorCudartUnloading);
  }
  machine.sleeper.sleep_in(function);
  const std::lock_guard lock(machine.mutex);
  cudaError_t error = cudaSuccess;
  try {
    machine.journal.note(function);
    require(!in_host_function, cudaErrorNotPermitted);
    require(!machine.sabotage.strikes(function), machine.sabotage.error);
    require(needs == Needs::nothing || machine.has_driver(), cudaErrorInsufficientDriver);
    require(needs == Needs::nothing || machine.device_count > 0, cudaErrorNoDevice);
    const cudaError_t fault = needs == Needs::nothing || ends_fault(function) ? cudaSuccess : machine.fault();
    if (!makes_current(function)) require(fault == cudaSuccess, fault);
    body(machine);
    require(fault == cudaSuccess, fault);
  } catch (const Refusal& refusal) {
    error = refusal.error;
    if (error == cudaErrorInvalidResourceHandle || error == cudaErrorInvalidValue) machine.note_misuse(function);
  } catch (const std::bad_alloc&) {
    error = cudaErrorMemoryAllocation;
  }
  machine.journal.note_result(function, error);
  return answer(error);
}

template <class Body>
cudaError_t call(const char* function, Body body) {
  return call(function, Needs::device, std::move(body));
}

// The few that cannot fail, and must not disturb the last error.
void note(const char* function) {
  Machine& machine = Machine::get();
  if (getpid() != machine.process) return;
  if (ended) return late(function);
  const std::lock_guard lock(machine.mutex);
  machine.journal.note(function);
}

constexpr int found_wanting = 99;

std::atomic<bool> ended{false};
std::atomic<bool> leaked{false};

[[noreturn]] void end_process() {
  std::fflush(nullptr);
  _exit(found_wanting);
}

void late(const char* function) {
  std::fprintf(stderr, "cuda double: %s called while the process ends\n", function);
  if (Machine::get().check) end_process();
}

cuda_double_census census(Machine& machine) {
  cuda_double_census alive{
      0, 0, machine.streams.count(), machine.events.count(), machine.pools.count(), machine.graphs.count() + machine.executables.count()};
  for (const auto& [start, block] : machine.blocks) {
    if (block->leaving) continue;
    ++alive.blocks;
    alive.bytes += block->size;
  }
  return alive;
}

bool tell_leaks(Machine& machine) {
  const cuda_double_census alive = census(machine);
  if (alive.blocks + alive.streams + alive.events + alive.pools + alive.graphs == 0) return false;
  std::fprintf(stderr, "cuda double: leaked %zu blocks (%zu bytes), %zu streams, %zu events, %zu pools, %zu graphs\n", alive.blocks,
               alive.bytes, alive.streams, alive.events, alive.pools, alive.graphs);
  int shown = 0;
  for (const auto& [start, block] : machine.blocks)
    if (!block->leaving && ++shown <= 16)
      std::fprintf(stderr, "cuda double: leaked %p, %zu bytes, %s\n", static_cast<void*>(start), block->size, name_of(block->kind));
  return true;
}

// The main thread does not end before the process does.
void forget_thread(std::uint64_t number) {
  Machine& machine = Machine::get();
  if (ended || getpid() != machine.process || gettid() == machine.process) return;
  const std::lock_guard lock(machine.mutex);
  for (const auto& device : machine.devices) device->forget_thread(number);
}

void when_the_process_ends() {
  Machine& machine = Machine::get();
  if (getpid() != machine.process) return;
  const std::lock_guard lock(machine.mutex);
  ended = true;
  if (machine.check) leaked = tell_leaks(machine);
}

[[gnu::destructor]] void at_the_very_end() {
  if (leaked) end_process();
}

Machine::Machine() {
  const long capacity = number_in("CUDA_DOUBLE_MEMORY", 256L << 20);
  for (int number = 0; number < device_count; ++number) {
    devices.push_back(std::make_unique<Device>(number, static_cast<std::size_t>(capacity) / granule * granule));
    if (reached_by_host) devices.back()->memory.open_to_host();
  }
  if (thieves.questions == 0) let_others_take();
  std::atexit(when_the_process_ends);
}

Machine& Machine::get() {
  static Machine* const machine = new Machine;
  return *machine;
}

using Place = Machine::Place;
using Side = Machine::Side;

struct Rows {
  std::size_t width, height, to_pitch, from_pitch;

  bool empty() const { return width == 0 || height == 0; }
  std::size_t span(std::size_t pitch) const { return (height - 1) * pitch + width; }
  void move(std::byte* to, const std::byte* from) const {
    for (std::size_t row = 0; row < height; ++row) std::memmove(to + row * to_pitch, from + row * from_pitch, width);
  }
};

enum class Manner { plain, async };
enum class Return { at_once, when_staged, when_done };

Return returns(Side to, Side from, Manner manner) {
  const auto on_host = [](Side side) { return side == Side::pageable || side == Side::pinned; };
  if (to == Side::pageable || (on_host(to) && on_host(from))) return Return::when_done;
  if (manner == Manner::async) return from == Side::pageable ? Return::when_staged : Return::at_once;
  if (to == Side::device && from == Side::pageable) return Return::when_staged;
  return to == Side::device && from == Side::device ? Return::at_once : Return::when_done;
}

bool agree(Side to, Side from, cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost: return to != Side::device && from != Side::device;
    case cudaMemcpyHostToDevice: return to != Side::pageable && from != Side::device;
    case cudaMemcpyDeviceToHost: return to != Side::device && from != Side::pageable;
    case cudaMemcpyDeviceToDevice: return to != Side::pageable && from != Side::pageable;
    case cudaMemcpyDefault: return true;
  }
  throw Refusal{cudaErrorInvalidMemcpyDirection};
}

void copy(Machine& machine, void* to, const void* from, Rows rows, cudaMemcpyKind kind, const std::shared_ptr<Stream>& stream,
          Manner manner) {
  if (manner == Manner::plain) machine.require_no_strict_capture();
  if (rows.empty()) return;
  const Place target = machine.place(to, rows.span(rows.to_pitch));
  const Place source = machine.place(from, rows.span(rows.from_pitch));
  require(agree(target.side, source.side, kind));
  const Return when = stream->capture ? Return::at_once : returns(target.side, source.side, manner);
  if (when != Return::when_staged) {
    const Point done = machine.issue(stream, [=] { rows.move(target.bytes, source.bytes); }, {},
                                     {{to, rows.span(rows.to_pitch)}, {from, rows.span(rows.from_pitch)}});
    if (when == Return::when_done) done.reach();
    return;
  }
  if (manner == Manner::plain) machine.issue(stream, nullptr).reach();
  const std::vector<std::byte> staged(source.bytes, source.bytes + rows.span(rows.from_pitch));
  machine.issue(stream, [=] { rows.move(target.bytes, staged.data()); }, {}, {{to, rows.span(rows.to_pitch)}});
}

void fill(Machine& machine, void* to, int value, Rows rows, const std::shared_ptr<Stream>& stream, Manner manner) {
  if (rows.empty()) return;
  const Place target = machine.place(to, rows.span(rows.to_pitch));
  require(target.side != Side::pageable);
  const auto work = [=] {
    for (std::size_t row = 0; row < rows.height; ++row) std::memset(target.bytes + row * rows.to_pitch, value, rows.width);
  };
  const Point done = machine.issue(stream, work, {}, {{to, rows.span(rows.to_pitch)}});
  if (manner == Manner::plain && target.side != Side::device) done.reach();
}

}  // namespace

cudaError_t cudaRuntimeGetVersion(int* version) {
  return call(__func__, Needs::nothing, [=](Machine&) {
    require(version != nullptr);
    *version = played_version;
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return call(__func__, Needs::nothing, [=](Machine& machine) {
    require(version != nullptr);
    *version = machine.driver_version();
  });
}

cudaError_t cudaGetDeviceCount(int* count) {
  return call(__func__, [=](Machine& machine) {
    require(count != nullptr);
    *count = static_cast<int>(machine.device_count);
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call(__func__, [=](Machine&) {
    require(device != nullptr);
    *device = current_device;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call(__func__, [=](Machine& machine) {
    current_device = current_context = machine.device(device).number;
    primary_becomes_current();
  });
}

// AMD's ends all captures of the process, whatever their device and mode.
cudaError_t cudaDeviceSynchronize() {
  return call(__func__, [](Machine& machine) {
    if (plays_hip) machine.spoil([](const Capture&) { return true; }, cudaErrorStreamCaptureUnsupported);
    machine.require_not_captured(machine.current());
    machine.require_no_strict_capture();
    machine.current().synchronize();
    machine.trim_pools();
  });
}

// What was made on the device is gone, whoever made it, and is not done any more.
cudaError_t cudaDeviceReset() {
  return call(__func__, [](Machine& machine) {
    Device& device = machine.current();
    const auto is_here = [&](const auto& object) { return object->device == device.number; };
    std::erase_if(machine.captures, [&](const auto& capture) { return capture->ended = is_here(capture->origin); });
    std::vector<std::shared_ptr<Block>> lost;
    for (const auto& [start, block] : machine.blocks)
      if (is_here(block)) lost.push_back(block);
    machine.streams.remove_if(is_here);
    machine.events.remove_if([&](const Event& event) { return is_here(&event); });
    machine.pools.remove_if(is_here);
    for (const auto& block : lost) machine.retire(*block);
    lost.clear();
    device.reset();
    primary_is_destroyed();
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call(__func__, [=](Machine& machine) {
    require(value != nullptr);
    machine.device(device);
    switch (meant(attribute)) {
      case cudaDevAttrManagedMemory: *value = machine.managed; break;
      case cudaDevAttrConcurrentManagedAccess: *value = machine.concurrent; break;
      case cudaDevAttrMemoryPoolsSupported: *value = machine.pools_supported; break;
      case cudaDevAttrIntegrated: *value = machine.integrated; break;
      case cudaDevAttrDirectManagedMemAccessFromHost: *value = machine.reached_by_host; break;
      case cudaDevAttrPageableMemoryAccess: *value = machine.pageable; break;
      case cudaDevAttrUnifiedAddressing:
      case cudaDevAttrCanMapHostMemory:
      case cudaDevAttrHostRegisterSupported: *value = 1; break;
      case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
      case cudaDevAttrTextureAlignment: *value = static_cast<int>(granule); break;
      case cudaDevAttrMultiProcessorCount: *value = 1; break;
      default: *value = 0;
    }
  });
}

#ifdef HIP_DOUBLE_VERSION
namespace {

// What CUDA's words are in the version of ROCm.
void adapt(cudaDeviceProp& properties, int device) {
  constexpr bool old = played_version < 60000000;
  for (int i = 0; i < 16; ++i) properties.uuid.bytes[i] = old ? '\0' : "0123456789abcde"[(device + i) % 15];
  if (!old) return;
  const std::size_t capacity = properties.totalGlobalMem;
  properties.totalGlobalMem = 0;
  std::memcpy(properties.name + sizeof properties.name, &capacity, sizeof capacity);
  const int bus = 0xc1 + device;
  std::memcpy(properties.name + played::old_pci_bus, &bus, sizeof bus);
}

void adapt(cudaPointerAttributes& attributes) {
  played::PointerAttributes written{attributes.type, attributes.device, attributes.devicePointer, attributes.hostPointer, 0, 0};
  written.isManaged = attributes.type == cudaMemoryTypeManaged;
  if (played_version < 60000000) written.type = attributes.type == cudaMemoryTypeHost ? played::old_host : played::old_device;
  std::memcpy(static_cast<void*>(&attributes), &written, sizeof written);
}

}  // namespace
#endif

#if CUDA_DOUBLE_VERSION >= 12000 && CUDA_DOUBLE_VERSION < 13000
cudaError_t cudaGetDeviceProperties_v2(
#else
cudaError_t cudaGetDeviceProperties(
#endif
    cudaDeviceProp* properties, int device) {
  return call(__func__, [=](Machine& machine) {
    require(properties != nullptr);
    const std::size_t capacity = machine.device(device).memory.capacity();
    std::memset(static_cast<void*>(properties), 0, played::size_in<cudaDeviceProp>(played_version));
    std::snprintf(properties->name, sizeof properties->name, "%s double, no GPU: device %d", played::dialect.name, device);
    for (std::size_t i = 0; i < sizeof properties->uuid.bytes; ++i)
      properties->uuid.bytes[i] = static_cast<char>(0xA0 + i + static_cast<std::size_t>(device));
    properties->totalGlobalMem = capacity;
#ifdef HIP_DOUBLE_VERSION
    adapt(*properties, device);
#endif
  });
}

cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
  return call(__func__, [=](Machine& machine) {
    require(available != nullptr && total != nullptr);
    *available = machine.current().memory.available();
    *total = machine.current().memory.capacity();
    if (machine.thieves.questions > 0 && --machine.thieves.questions == 0) machine.let_others_take();
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call(__func__, [=](Machine& machine) {
    require(can != nullptr);
    *can = machine.device(device).number != machine.device(peer).number && machine.peers;
  });
}

namespace {

// That of a kernel is not forgotten.
cudaError_t error_or_fault(cudaError_t error) {
  Machine& machine = Machine::get();
  if (getpid() != machine.process || ended) return error;
  const std::lock_guard lock(machine.mutex);
  return machine.fault() == cudaSuccess ? error : machine.fault();
}

}  // namespace

cudaError_t cudaGetLastError() {
  note(__func__);
  return error_or_fault(std::exchange(last_error, cudaSuccess));
}

cudaError_t cudaPeekAtLastError() {
  note(__func__);
  return error_or_fault(last_error);
}

namespace {

struct Sentence {
  cudaError_t error;
  const char *name, *message;
};

constexpr Sentence sentences[] = {
    {cudaSuccess, NAMED("Success"), "no error"},
    {cudaErrorInvalidValue, NAMED("ErrorInvalidValue"), "invalid argument"},
    {cudaErrorMemoryAllocation, NAMED("ErrorMemoryAllocation"), "out of memory"},
    {cudaErrorInitializationError, NAMED("ErrorInitializationError"), "initialization error"},
    {cudaErrorCudartUnloading, NAMED("ErrorCudartUnloading"), "driver shutting down"},
    {cudaErrorInvalidPitchValue, NAMED("ErrorInvalidPitchValue"), "invalid pitch argument"},
    {cudaErrorInvalidMemcpyDirection, NAMED("ErrorInvalidMemcpyDirection"), "invalid copy direction for memcpy"},
    {cudaErrorInsufficientDriver, NAMED("ErrorInsufficientDriver"), "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorNoDevice, NAMED("ErrorNoDevice"), "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, NAMED("ErrorInvalidDevice"), "invalid device ordinal"},
    {cudaErrorDeviceUninitialized, NAMED("ErrorDeviceUninitialized"), "invalid device context"},
    {cudaErrorInvalidResourceHandle, NAMED("ErrorInvalidResourceHandle"), "invalid resource handle"},
    {cudaErrorNotReady, NAMED("ErrorNotReady"), "device not ready"},
    {cudaErrorIllegalAddress, NAMED("ErrorIllegalAddress"), "an illegal memory access was encountered"},
    {cudaErrorContextIsDestroyed, NAMED("ErrorContextIsDestroyed"), "context is destroyed"},
    {cudaErrorHostMemoryAlreadyRegistered, NAMED("ErrorHostMemoryAlreadyRegistered"), "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, NAMED("ErrorHostMemoryNotRegistered"), "pointer does not correspond to a registered memory region"},
    {cudaErrorNotPermitted, NAMED("ErrorNotPermitted"), "operation not permitted"},
    {cudaErrorNotSupported, NAMED("ErrorNotSupported"), "operation not supported"},
    {cudaErrorIllegalState, NAMED("ErrorIllegalState"), "the operation cannot be performed in the present state"},
    {cudaErrorStreamCaptureUnsupported, NAMED("ErrorStreamCaptureUnsupported"), "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, NAMED("ErrorStreamCaptureInvalidated"), "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureMerge, NAMED("ErrorStreamCaptureMerge"), "operation would result in a merge of separate capture sequences"},
    {cudaErrorStreamCaptureUnmatched, NAMED("ErrorStreamCaptureUnmatched"), "capture was not ended in the same stream as it began"},
    {cudaErrorStreamCaptureUnjoined, NAMED("ErrorStreamCaptureUnjoined"), "capturing stream has unjoined work"},
    {cudaErrorStreamCaptureIsolation, NAMED("ErrorStreamCaptureIsolation"), "dependency created on uncaptured work in another stream"},
    {cudaErrorStreamCaptureImplicit, NAMED("ErrorStreamCaptureImplicit"), "operation would make the legacy stream depend on a capturing blocking stream"},
    {cudaErrorCapturedEvent, NAMED("ErrorCapturedEvent"), "operation not permitted on an event last recorded in a capturing stream"},
    {cudaErrorStreamCaptureWrongThread, NAMED("ErrorStreamCaptureWrongThread"), "attempt to terminate a thread-local capture sequence from another thread"},
    {cudaErrorUnknown, NAMED("ErrorUnknown"), "unknown error"},
};

const Sentence& about(cudaError_t error) {
  static constexpr Sentence unknown{cudaErrorUnknown, "unrecognized error code", "unrecognized error code"};
  for (const Sentence& sentence : sentences)
    if (sentence.error == error) return sentence;
  return unknown;
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) { return about(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return about(error).message; }

cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  return call(__func__, [=](Machine& machine) {
    require(pointer != nullptr);
    machine.require_no_strict_capture();
    *pointer = machine.allocate(machine.current(), size);
  });
}

cudaError_t cudaFree(void* pointer) {
  return call(__func__, [=](Machine& machine) {
    if (!pointer) return;
    machine.require_no_strict_capture();
    const auto block = machine.live(pointer, {Kind::device, Kind::managed});
    machine.freed_in_use += block->exported && !machine.device(block->device).memory.is_closed(block->start);
    if (block->kind == Kind::managed) machine.synchronize_all();
    else if (!block->pool) machine.device(block->device).synchronize();
    machine.retire(*block);
  });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t size) {
  return call(__func__, [=](Machine& machine) {
    require(pointer != nullptr);
    machine.require_no_strict_capture();
    *pointer = machine.allocate_on_host(Kind::pinned, size);
  });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return call(__func__, [=](Machine& machine) {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    require(pointer != nullptr && (flags & ~known) == 0);
    machine.require_no_strict_capture();
    *pointer = machine.allocate_on_host(Kind::pinned, size);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call(__func__, [=](Machine& machine) {
    if (!pointer) return;
    machine.require_no_strict_capture();
    const auto block = machine.live(pointer, {Kind::pinned});
    machine.synchronize_all();
    machine.retire(*block);
  });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t size, unsigned) {
  return call(__func__, [=](Machine& machine) {
    require(pointer != nullptr && size > 0);
    machine.require_no_strict_capture();
    for (const auto& device : machine.devices) require(!device->memory.owns(pointer));
    auto* const start = static_cast<std::byte*>(pointer);
    require(!machine.blocks.overlap(start, size), cudaErrorHostMemoryAlreadyRegistered);
    machine.blocks.add({start, size, Kind::registered, current_device});
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call(__func__, [=](Machine& machine) {
    require(pointer != nullptr);
    machine.require_no_strict_capture();
    const auto block = machine.live(pointer, {Kind::registered}, cudaErrorHostMemoryNotRegistered);
    machine.synchronize_all();
    machine.retire(*block);
  });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t size, unsigned flags) {
  return call(__func__, [=](Machine& machine) {
    require(pointer != nullptr && size > 0);
    require(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost);
    require(machine.managed, cudaErrorNotSupported);
    machine.require_no_strict_capture();
    *pointer = machine.allocate_on_host(Kind::managed, size);
  });
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t size, cudaStream_t handle) {
  return call(__func__, [=](Machine& machine) {
    require(pointer != nullptr);
    require(machine.pools_supported, cudaErrorNotSupported);
    const auto stream = machine.stream(handle);
    machine.require_not_captured(stream);
    *pointer = machine.allocate_in_order(machine.device(stream->device).pool, size, stream);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t size, cudaMemPool_t pool, cudaStream_t handle) {
  return call(__func__, [=](Machine& machine) {
    require(pointer != nullptr);
    require(machine.pools_supported, cudaErrorNotSupported);
    machine.require_not_captured(machine.stream(handle));
    *pointer = machine.allocate_in_order(machine.pool(pool), size, machine.stream(handle));
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
  return call(__func__, [=](Machine& machine) {
    require(machine.pools_supported, cudaErrorNotSupported);
    const auto stream = machine.stream(handle);
    if (!pointer) return;
    const auto block = machine.live(pointer, {Kind::device});
    machine.require_not_captured(stream);
    machine.require_usable(stream);
    block->leaving = true;
    machine.issue(stream, [=, &machine] { machine.retire(*block); });
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call(__func__, [=](Machine& machine) {
    require(pool != nullptr);
    require(machine.pools_supported, cudaErrorNotSupported);
    *pool = Machine::default_pool(machine.device(device).number);
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call(__func__, [=](Machine& machine) {
    require(pool != nullptr && properties != nullptr);
    require(machine.pools_supported, cudaErrorNotSupported);
    require(properties->location.type == cudaMemLocationTypeDevice);
    Device& device = machine.device(properties->location.id);
    *pool = machine.pools.add<cudaMemPool_t>(std::make_shared<Pool>(device.number, device.memory));
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call(__func__, [=](Machine& machine) {
    machine.pools.at(pool, cudaErrorInvalidValue);
    machine.pools.remove(pool);
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t keep) {
  return call(__func__, [=](Machine& machine) { machine.pool(pool)->trim(keep); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return call(__func__, [=](Machine& machine) {
    require(value != nullptr);
    const auto pool = machine.pool(handle);
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold: std::memcpy(&pool->threshold, value, sizeof pool->threshold); break;
      case cudaMemPoolAttrUsedMemHigh: pool->used_high = pool->used; break;
      case cudaMemPoolAttrReservedMemHigh: pool->reserved_high = pool->reserved(); break;
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies: break;
      default: require(false);
    }
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return call(__func__, [=](Machine& machine) {
    require(value != nullptr);
    const auto pool = machine.pool(handle);
    const auto give = [=](std::uint64_t number) { std::memcpy(value, &number, sizeof number); };
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold: return give(pool->threshold);
      case cudaMemPoolAttrUsedMemCurrent: return give(pool->used);
      case cudaMemPoolAttrUsedMemHigh: return give(pool->used_high);
      case cudaMemPoolAttrReservedMemCurrent: return give(pool->reserved());
      case cudaMemPoolAttrReservedMemHigh: return give(pool->reserved_high);
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies: {
        const int allowed = 1;
        std::memcpy(value, &allowed, sizeof allowed);
        return;
      }
      default: require(false);
    }
  });
}

namespace {

Rows row(std::size_t size) { return {size, 1, size, size}; }

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return call(__func__, [=](Machine& machine) { copy(machine, to, from, row(size), kind, machine.current().legacy, Manner::plain); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [=](Machine& machine) { copy(machine, to, from, row(size), kind, machine.stream(stream), Manner::async); });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t size) {
  return call(__func__, [=](Machine& machine) {
    Device* const both[] = {&machine.device(to_device), &machine.device(from_device)};
    const auto legacy = machine.current().legacy;
    for (const Device* device : both) machine.issue(legacy, nullptr, device->everything());
    copy(machine, to, from, row(size), cudaMemcpyDefault, legacy, Manner::plain);
    for (const Device* device : both)
      if (device->legacy != legacy) machine.issue(device->legacy, nullptr, {Point{legacy, legacy->issued()}});
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t size, cudaStream_t stream) {
  return call(__func__, [=](Machine& machine) {
    machine.device(to_device);
    machine.device(from_device);
    copy(machine, to, from, row(size), cudaMemcpyDefault, machine.stream(stream), Manner::async);
  });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
  return call(__func__, [=](Machine& machine) {
    require(width <= to_pitch && width <= from_pitch, cudaErrorInvalidPitchValue);
    copy(machine, to, from, {width, height, to_pitch, from_pitch}, kind, machine.current().legacy, Manner::plain);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [=](Machine& machine) {
    require(width <= to_pitch && width <= from_pitch, cudaErrorInvalidPitchValue);
    copy(machine, to, from, {width, height, to_pitch, from_pitch}, kind, machine.stream(stream), Manner::async);
  });
}

cudaError_t cudaMemset(void* to, int value, std::size_t size) {
  return call(__func__, [=](Machine& machine) { fill(machine, to, value, row(size), machine.current().legacy, Manner::plain); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t size, cudaStream_t stream) {
  return call(__func__, [=](Machine& machine) { fill(machine, to, value, row(size), machine.stream(stream), Manner::async); });
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream) {
  return call(__func__, [=](Machine& machine) {
    require(height <= 1 || width <= pitch);
    fill(machine, to, value, {width, height, pitch, pitch}, machine.stream(stream), Manner::async);
  });
}

namespace {

void check_hint(Machine& machine, const void* pointer, std::size_t size, int where) {
  const auto block = machine.blocks.around(pointer);
  require(block && block->kind == Kind::managed && size > 0 && block->contains(static_cast<const std::byte*>(pointer), size));
  if (where == cudaCpuDeviceId) return;
  machine.device(where);
  require(machine.concurrent, cudaErrorInvalidDevice);
}

#if CUDA_DOUBLE_VERSION >= 13000
using Location = cudaMemLocation;

int number_of(Location location) {
  require(location.type != cudaMemLocationTypeInvalid);
  return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}
#else
using Location = int;

int number_of(Location location) { return location; }
#endif

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t size, Location location,
#if CUDA_DOUBLE_VERSION >= 13000
                                 unsigned,
#endif
                                 cudaStream_t stream) {
  return call(__func__, [=](Machine& machine) {
    check_hint(machine, pointer, size, number_of(location));
    machine.require_not_captured(machine.stream(stream));
    machine.issue(machine.stream(stream), nullptr);
  });
}

// The place is looked at only for the advice that has one.
cudaError_t cudaMemAdvise(const void* pointer, std::size_t size, cudaMemoryAdvise advice, Location location) {
  return call(__func__, [=](Machine& machine) {
    const bool has_place =
        advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly && advice != cudaMemAdviseUnsetPreferredLocation;
    check_hint(machine, pointer, size, has_place ? number_of(location) : cudaCpuDeviceId);
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call(__func__, [=](Machine& machine) {
    require(attributes != nullptr);
    void* const address = const_cast<void*>(pointer);
    std::memset(static_cast<void*>(attributes), 0, played::size_in<cudaPointerAttributes>(played_version));
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = cudaInvalidDeviceId;
    attributes->hostPointer = address;
    const auto block = machine.blocks.around(pointer);
    const bool known = block && !block->leaving;
    require(known || !plays_hip || played_version >= 60000000);
    if (!known) return;
    attributes->device = block->device;
    attributes->devicePointer = address;
    switch (block->kind) {
      case Kind::managed: attributes->type = cudaMemoryTypeManaged; break;
      case Kind::pinned:
      case Kind::registered: attributes->type = cudaMemoryTypeHost; break;
      case Kind::device:
      case Kind::imported: attributes->type = cudaMemoryTypeDevice; attributes->hostPointer = nullptr;
    }
#ifdef HIP_DOUBLE_VERSION
    adapt(*attributes);
#endif
  });
}

namespace {

constexpr cudaError_t bad_handle = cudaErrorInvalidResourceHandle;

// The end of all that the stream has been given, and for the legacy stream of all that it has to wait for.
Point end_of(Machine& machine, const std::shared_ptr<Stream>& stream) {
  if (stream == machine.device(stream->device).legacy) return machine.issue(stream, nullptr);
  return {stream, stream->issued()};
}

void require_askable(Machine& machine, const std::shared_ptr<Stream>& stream) {
  machine.require_not_captured(stream);
  machine.require_usable(stream);
  machine.require_no_strict_capture();
}

Point point_of(Machine& machine, const Event& event) {
  machine.require_not_captured(event);
  machine.require_no_strict_capture();
  return event.point;
}

// A stream that waits for an event of a capture is captured from then on.
void wait(Machine& machine, const std::shared_ptr<Stream>& stream, const Event& event) {
  machine.require_usable(stream);
  const auto mine = stream->capture, its = event.capture;
  if (!its) {
    machine.spoil([&](const Capture& capture) { return &capture == mine.get(); }, cudaErrorStreamCaptureIsolation);
    machine.issue(stream, nullptr, {event.point});
    return;
  }
  require(!its->ended, cudaErrorCapturedEvent);
  require(!its->invalid, cudaErrorStreamCaptureInvalidated);
  if (stream == machine.device(stream->device).legacy)
    machine.spoil([&](const Capture& capture) { return &capture == its.get(); }, cudaErrorStreamCaptureImplicit);
  if (mine && mine != its)
    machine.spoil([&](const Capture& capture) { return &capture == mine.get() || &capture == its.get(); }, cudaErrorStreamCaptureMerge);
  its->join(stream, event.behind);
  stream->capture = its;
}

void query(const Point& point) {
  if (point.reached()) return;
  point.stream->advance();
  throw Refusal{cudaErrorNotReady};
}

bool has_work(Machine& machine, const std::shared_ptr<Stream>& stream) {
  Device& device = machine.device(stream->device);
  if (!stream->idle() || stream != device.legacy) return !stream->idle();
  for (const Point& point : device.everything())
    if (point.stream->blocking && !point.reached()) return true;
  return false;
}

void create(Machine& machine, cudaStream_t* handle, bool blocking) {
  require(handle != nullptr);
  *handle = machine.streams.add<cudaStream_t>(machine.current().new_stream(blocking));
}

void create(Machine& machine, cudaEvent_t* handle, unsigned flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  require(handle != nullptr && (flags & ~known) == 0);
  *handle = machine.events.add<cudaEvent_t>(Event{machine.current().number, (flags & cudaEventDisableTiming) == 0});
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call(__func__, [=](Machine& machine) { create(machine, stream, true); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call(__func__, [=](Machine& machine) {
    require(flags == cudaStreamDefault || flags == cudaStreamNonBlocking);
    create(machine, stream, flags == cudaStreamDefault);
  });
}

// What was issued is still done, when somebody waits for the device or for an event of the stream.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call(__func__, [=](Machine& machine) {
    const auto destroyed = machine.streams.at(stream, bad_handle);
    if (const auto capture = destroyed->capture) machine.end_capture(capture);
    destroyed->destroyed = true;
    machine.streams.remove(stream);
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call(__func__, [=](Machine& machine) {
    const auto stream = machine.stream(handle);
    require_askable(machine, stream);
    end_of(machine, stream).reach();
    machine.trim_pools();
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return call(__func__, [=](Machine& machine) {
    const auto stream = machine.stream(handle);
    require_askable(machine, stream);
    if (has_work(machine, stream)) query(end_of(machine, stream));
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call(__func__, [=](Machine& machine) {
    require(flags == 0);
    wait(machine, machine.stream(stream), machine.event(event));
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call(__func__, [=](Machine& machine) {
    require(function != nullptr);
    machine.issue(machine.stream(stream), [=] {
      in_host_function = true;
      function(data);
      in_host_function = false;
    });
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call(__func__, [=](Machine& machine) { create(machine, event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call(__func__, [=](Machine& machine) { create(machine, event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call(__func__, [=](Machine& machine) {
    machine.event(event);
    machine.events.remove(event);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  return call(__func__, [=](Machine& machine) {
    Event& event = machine.event(handle);
    const auto stream = machine.stream(stream_handle);
    const bool has_name = reinterpret_cast<std::uintptr_t>(stream_handle) <= reinterpret_cast<std::uintptr_t>(cudaStreamPerThread);
    require(event.device == stream->device && event.context == (has_name ? current_context : stream->context), bad_handle);
    machine.require_usable(stream);
    event.recorded = true;
    event.capture = stream->capture;
    if (event.capture) event.behind = event.capture->behind.at(stream);
    event.point = event.capture ? Point{} : end_of(machine, stream);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call(__func__, [=](Machine& machine) { query(point_of(machine, machine.event(event))); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call(__func__, [=](Machine& machine) {
    point_of(machine, machine.event(event)).reach();
    machine.trim_pools();
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return call(__func__, [=](Machine& machine) {
    require(milliseconds != nullptr);
    for (const cudaEvent_t handle : {from, to}) {
      const Event& event = machine.event(handle);
      require(event.recorded && event.timed, bad_handle);
      machine.require_not_captured(event);
      require(event.point.reached(), cudaErrorNotReady);
    }
    *milliseconds = 0.001F;
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call(__func__, [=](Machine& machine) {
    require(mode == cudaStreamCaptureModeGlobal || mode == cudaStreamCaptureModeThreadLocal || mode == cudaStreamCaptureModeRelaxed);
    const auto stream = machine.stream(handle);
    require(stream != machine.device(stream->device).legacy, cudaErrorStreamCaptureUnsupported);
    require(!stream->capture, cudaErrorIllegalState);
    stream->capture = machine.captures.emplace_back(new Capture{stream, mode});
    stream->capture->join(stream, {});
  });
}

#if CUDA_DOUBLE_VERSION >= 12000 || HIP_DOUBLE_VERSION >= 70100000
cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return call(__func__, [=](Machine& machine) {
    require(id != nullptr);
    *id = machine.stream(handle)->number;
  });
}
#endif

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return call(__func__, [=](Machine& machine) {
    require(status != nullptr);
    const auto stream = machine.stream(handle);
    const Device& device = machine.device(stream->device);
    require(stream != device.legacy || !machine.legacy_would_depend(device), cudaErrorStreamCaptureImplicit);
    *status = !stream->capture           ? cudaStreamCaptureStatusNone
              : stream->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                         : cudaStreamCaptureStatusActive;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return call(__func__, [=](Machine& machine) {
    require(graph != nullptr);
    const auto stream = machine.stream(handle);
    const auto capture = stream->capture;
    require(capture != nullptr, cudaErrorIllegalState);
    const bool here = capture->mode == cudaStreamCaptureModeRelaxed || capture->thread == this_thread.number;
    require(here, cudaErrorStreamCaptureWrongThread);
    if (stream != capture->origin)
      machine.spoil([&](const Capture& other) { return &other == capture.get(); }, cudaErrorStreamCaptureUnmatched);
    *graph = nullptr;
    machine.end_capture(capture);
    require(!capture->invalid, cudaErrorStreamCaptureInvalidated);
    require(capture->is_joined(), cudaErrorStreamCaptureUnjoined);
    *graph = machine.graphs.add<cudaGraph_t>(std::move(capture->graph));
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call(__func__, [=](Machine&) {
    require(mode != nullptr);
    std::swap(*mode, mode_of_thread);
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return call(__func__, [=](Machine& machine) {
    require(executable != nullptr);
    *executable = machine.executables.add<cudaGraphExec_t>(std::make_shared<Graph>(*machine.graphs.at(graph, cudaErrorInvalidValue)));
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return call(__func__, [=](Machine& machine) {
    Graph graph = *machine.executables.at(handle, cudaErrorInvalidValue);
    if (plays_hip) graph.objects.clear();
    Uses uses;
    for (const GraphNode& node : graph.nodes) uses.insert(uses.end(), node.uses.begin(), node.uses.end());
    const auto work = [graph] {
      for (const GraphNode& node : graph.nodes)
        if (node.work) node.work();
    };
    machine.issue(machine.stream(stream), work, {}, std::move(uses));
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call(__func__, [=](Machine& machine) {
    const auto destroyed = machine.graphs.at(graph, cudaErrorInvalidValue);
    require(
        std::none_of(machine.captures.begin(), machine.captures.end(), [&](const auto& capture) { return capture->graph == destroyed; }));
    machine.graphs.remove(graph);
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return call(__func__, [=](Machine& machine) {
    require(clone != nullptr);
    *clone = machine.graphs.add<cudaGraph_t>(std::make_shared<Graph>(*machine.graphs.at(graph, cudaErrorInvalidValue)));
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call(__func__, [=](Machine& machine) {
    machine.executables.at(executable, cudaErrorInvalidValue);
    machine.executables.remove(executable);
  });
}

#if !defined HIP_DOUBLE_VERSION || HIP_DOUBLE_VERSION >= 60300000
namespace {

cudaError_t tell_capture(const char* function, cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long* id,
                         cudaGraph_t* graph) {
  return call(function, [=](Machine& machine) {
    require(status != nullptr);
    const auto stream = machine.stream(handle);
    const Device& device = machine.device(stream->device);
    require(stream != device.legacy || !machine.legacy_would_depend(device), cudaErrorStreamCaptureImplicit);
    const auto capture = stream->capture;
    *status = !capture           ? cudaStreamCaptureStatusNone
              : capture->invalid ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
    if (*status != cudaStreamCaptureStatusActive) return;
    if (id) *id = capture->number;
    if (!graph) return;
    if (!capture->handle) capture->handle = machine.graphs.add<cudaGraph_t>(capture->graph);
    *graph = capture->handle;
  });
}

// References of the program's go; without any the handle is nothing.
void take_references(Machine& machine, cudaUserObject_t handle, unsigned count) {
  Machine::OwnedObject& owned = machine.objects.at(handle, cudaErrorInvalidValue);
  require(count > 0 && count <= owned.references);
  owned.references -= count;
  if (owned.references == 0) machine.objects.remove(handle);
}

}  // namespace

#if CUDA_DOUBLE_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t**, const cudaGraphEdgeData**, std::size_t*) {
  return tell_capture(__func__, stream, status, id, graph);
}
#elif defined HIP_DOUBLE_VERSION
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t**, std::size_t*) {
  return tell_capture(__func__, stream, status, id, graph);
}
#else
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t**, std::size_t*) {
  return tell_capture("cudaStreamGetCaptureInfo", stream, status, id, graph);
}
#endif

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* argument, cudaHostFn_t destroy, unsigned references, unsigned flags) {
  return call(__func__, [=](Machine& machine) {
    require(object && destroy && references > 0 && flags == cudaUserObjectNoDestructorSync);
    *object = machine.objects.add<cudaUserObject_t>({std::make_shared<UserObject>(destroy, argument), references});
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return call(__func__, [=](Machine& machine) { take_references(machine, object, count); });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  return call(__func__, [=](Machine& machine) {
    require(count > 0 && (flags == 0 || flags == cudaGraphUserObjectMove));
    const auto owner = machine.graphs.at(graph, cudaErrorInvalidValue);
    const auto owned = machine.objects.at(object, cudaErrorInvalidValue).object;
    if (flags == cudaGraphUserObjectMove) take_references(machine, object, count);
    owner->objects.insert(owner->objects.end(), count, owned);
  });
}
#endif

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return call(__func__, [=](Machine& machine) {
    require(handle != nullptr);
    const auto block = machine.blocks.around(pointer);
    require(block && !block->leaving && block->kind == Kind::device && !block->pool);
    *handle = machine.handle_of(*block);
  });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return call(__func__, [=](Machine& machine) {
    constexpr unsigned lazily = plays_hip && played_version < 60000000 ? 0 : cudaIpcMemLazyEnablePeerAccess;
    require(pointer != nullptr && flags == lazily);
    machine.require_no_strict_capture();
    *pointer = machine.open_import(handle);
  });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return call(__func__, [=](Machine& machine) {
    machine.require_no_strict_capture();
    const auto block = machine.live(pointer, {Kind::imported});
    if (--block->opened.times > 0) return;
    machine.device(block->device).synchronize();
    machine.retire(*block);
  });
}

void cuda_double_count(cuda_double_census* result) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  *result = census(machine);
}

void cuda_double_fail(const char* function, long k, long times, int error) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  machine.sabotage = {function ? function : "", k - 1, times, static_cast<cudaError_t>(error)};
}

long cuda_double_calls(const char* function) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  return machine.journal.calls(function);
}

namespace {

// How far each stream is done where a point is reached.
using Reached = std::map<const Stream*, std::uint64_t>;

void reach(Reached& reached, const Point& point) {
  if (!point.stream) return;
  const std::uint64_t before = reached[point.stream.get()];
  if (before >= point.position) return;
  reached[point.stream.get()] = point.position;
  point.stream->each_pending([&](const std::vector<Point>& after, const Uses&, std::uint64_t position) {
    if (position <= before || position > point.position) return;
    for (const Point& earlier : after) reach(reached, earlier);
  });
}

}  // namespace

long cuda_double_unordered(const void* begin, std::size_t size, void* const* handle) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  Reached reached;
  if (handle) {
    const auto stream = machine.stream(static_cast<cudaStream_t>(*handle));
    reach(reached, {stream, stream->issued()});
    for (const Point& point : machine.device(stream->device).implied(stream)) reach(reached, point);
  }
  long count = 0;
  for (const auto& device : machine.devices) {
    for (const Point& all : device->everything()) {
      const std::uint64_t before = reached[all.stream.get()];
      all.stream->each_pending([&](const std::vector<Point>&, const Uses& uses, std::uint64_t position) {
        if (position <= before) return;
        count += std::any_of(uses.begin(), uses.end(), [=](const Used& used) { return used.meets(begin, size); });
      });
    }
  }
  return count;
}

long cuda_double_misuses() {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  return machine.misuses;
}

long cuda_double_exposed() {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  return machine.exposed;
}

long cuda_double_freed_in_use() {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  return machine.freed_in_use;
}

const char* cuda_double_made() {
  static thread_local std::string names;
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  names = machine.journal.made();
  return names.c_str();
}

long cuda_double_objects() { return UserObject::alive; }
void cuda_double_hold_destructors(int held) { Destructors::get().hold(held != 0); }
void cuda_double_await_destructors() { Destructors::get().await(); }

int cuda_double_is_asleep() { return Machine::get().sleeper.is_asleep(); }
void cuda_double_wake() { Machine::get().sleeper.wake(); }
int cuda_double_version() { return played_version; }

void cuda_double_fault(int device, int error) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  machine.device(device).fault = static_cast<cudaError_t>(error);
}

void cuda_double_take(int device, std::size_t bytes) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  machine.device(device).memory.leave_to_others(bytes);
}

void cuda_double_forget() {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  machine.journal.forget();
}

void* cuda_double_bytes(const void* pointer, std::size_t size) {
  Machine& machine = Machine::get();
  const std::lock_guard lock(machine.mutex);
  try {
    const Place place = machine.place(pointer, size);
    return place.side == Side::pageable ? nullptr : place.bytes;
  } catch (const Refusal&) {
    return nullptr;
  }
}
