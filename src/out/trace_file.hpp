// Tangled from org/out/trace_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The file of a trace, which many threads write to.
#ifndef CADASTRE_SRC_OUT_TRACE_FILE_HPP
#define CADASTRE_SRC_OUT_TRACE_FILE_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <optional>

#include "base/capacity.hpp"
#include "base/label.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "base/own_memory.hpp"
#include "base/environment.hpp"
#include "base/process.hpp"
#include "backends/host_heap.hpp"
#include "core/page_blocks.hpp"
#include "core/size_class.hpp"
#include "out/page_file.hpp"
#include "out/ticks.hpp"
#include "out/trace_fields.hpp"
#include "out/trace_format.hpp"

namespace cadastre::internal {

// What a thread writes to, and another when that one has ended.
struct TraceStream {
  std::atomic<std::uint64_t*> part{nullptr};  // the slot while a part is written there; null before the first
  std::uint32_t used = 0;                     // words of it
  bool is_writing = false;                    // a record is under way
  // What the records of a part so far say for the next one: the time from which its own is counted, its context, and what a malloc may be like.
  std::int64_t clock = 0;
  std::uint64_t context = 0;
  std::uint64_t malloc_first = 0, malloc_traits = 0;  // of its last malloc
  OwnVector<std::uint64_t> labels;                    // a bit for each number that has its record in this stream
  std::uint32_t number = 0;
  std::uint64_t place = 0;                          // where the part belongs, counted in parts
  std::uint64_t* slot = nullptr;                    // mapped, or in memory
  std::uint64_t slot_place = 0;                     // 0: in memory
  std::atomic<TraceStream*> interrupting{nullptr};  // of handlers that interrupt a record of this one
  TraceStream *next = nullptr, *next_spare = nullptr;
};

class TraceFile : NonCopyable {
 public:
  explicit TraceFile(Output& output) noexcept : output_(output), pages_(output) {}

  // Writes the head of an empty file. clock_start: what the clock said when the trace's was 0, in nanoseconds. False, with the reason noted, where it cannot
  // be written.
  bool begin(std::int64_t clock_start) noexcept;
  // Writes a record of the calling thread; does nothing when the trace has ended. False as soon as the file cannot be written any more.
  bool append(const TraceRecord& record) noexcept;
  // Now, by the clock of the file; not 0.
  std::int64_t time() const noexcept { return std::max<std::int64_t>(clock_.now(), 1); }
  // label: that the words name. early: only the creation of its context has to come before it.
  bool append(const TraceWords& words, std::uint64_t context, OriginNumber label, bool early) noexcept;
  // The same of what is no operation, and of no context.
  bool append(const TraceMoment& moment) noexcept;
  // The process ends: what is in memory is written, and the file says that it is whole. Records may still come unless it closes: then no part changes any more.
  void end(bool closes) noexcept;
  // In the child of a fork: the file is its parent's.
  void leave_to_the_parent() noexcept;

 private:
  TraceStream* stream_of_thread() noexcept;
  TraceStream* take_spare() noexcept;
  void give_spare(TraceStream& stream) noexcept;
  TraceStream* add(TraceStream* stream) noexcept;
  static void end_of_thread(void* stream) noexcept;
  TraceStream* stream_of_handler(TraceStream& interrupted) noexcept;
  TraceStream* stream_to_write_to() noexcept;
  bool write(TraceStream& stream, const TraceWords& words, std::uint64_t context, OriginNumber label, bool early) noexcept;
  bool say_time(TraceStream& stream, std::int64_t& time) noexcept;
  bool append_in_any_context(const TraceWords& words) noexcept;
  bool say_backend(std::uint32_t number) noexcept;
  std::int64_t go_on_from(std::int64_t time) noexcept;
  bool begin_part(TraceStream& stream) noexcept;
  std::uint64_t* map_part(std::uint64_t place, int& error) noexcept CADASTRE_REQUIRES(mutex_);
  bool provide_slot(TraceStream& stream) noexcept CADASTRE_REQUIRES(mutex_);
  int finish_part(TraceStream& stream) noexcept CADASTRE_REQUIRES(mutex_);
  void leave(TraceStream& stream) noexcept CADASTRE_REQUIRES(mutex_);
  void write_unfinished(TraceStream& stream) noexcept CADASTRE_REQUIRES(mutex_);
  std::uint64_t last_place() const noexcept CADASTRE_REQUIRES(mutex_);
  void stop(int error) noexcept CADASTRE_REQUIRES(mutex_);
  void note_state(TraceState state, int error) noexcept CADASTRE_REQUIRES(mutex_);
  TraceHead& head() noexcept { return *reinterpret_cast<TraceHead*>(head_); }

  Output& output_;
  PageFile pages_;
  Mutex<Rank::trace_file> mutex_;
  std::uint64_t* head_ = nullptr;  // the first part: mapped, or a copy in memory
  bool mapped_ = false;
  Ticks clock_;
  std::atomic<bool> stopped_{false};
  std::array<std::atomic<std::uint64_t>, 4> backends_{};   // a bit for each whose name is in the file
  std::uint64_t parts_ CADASTRE_GUARDED_BY(mutex_) = 0;    // places that were given to parts and slots
  std::uint64_t written_ CADASTRE_GUARDED_BY(mutex_) = 0;  // the last place to which a part was written
  TraceStream* all_ CADASTRE_GUARDED_BY(mutex_) = nullptr;
  TraceStream* spare_ CADASTRE_GUARDED_BY(mutex_) = nullptr;  // of threads that have ended
  std::uint32_t streams_ CADASTRE_GUARDED_BY(mutex_) = 0;
};

// How much a request of HOST memory takes: of slabs, runs of pages, and mappings.
struct RoundingText {
  RoundingText() noexcept {
    add("HOST %zu %zu", largest_fine, class_step);
    for (std::size_t from = largest_fine; from < largest_in_slab; from *= 2) add(" %zu %zu", 2 * from, from / classes_in_octave);
    add(" %zu %zu", mapped_from - 1, page_block_alignment);
    add(" %zu", page_size());
  }
  char characters[256] = "";

 private:
  template <class... Numbers>
  void add(const char* format, Numbers... numbers) noexcept {
    const std::size_t used = std::strlen(characters);
    std::snprintf(characters + used, sizeof characters - used, format, numbers...);
  }
};

// What the head of either form says of the running program. line: takes the name of each line and its text.
template <class Line>
void say_what_runs(Line line) noexcept {
  char executable[sizeof process().program], memory[24];
  std::snprintf(executable, sizeof executable, "%s", process().program);
  for (char* at = executable; *at; ++at) {
    if (is_control(*at)) *at = '?';
  }
  line("executable", executable);
  if (const std::optional<std::uint64_t> ram = host_capacity().ram) {
    std::snprintf(memory, sizeof memory, "%llu", static_cast<unsigned long long>(*ram));
    line("memory", memory);
  }
  if (is_heap_wanted()) line("rounding", RoundingText().characters);
  line("began", time_text(time_now()).characters);
}

}  // namespace cadastre::internal
#endif
