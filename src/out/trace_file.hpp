// Tangled from org/out/trace_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The file of a trace, which many threads write to.
#ifndef CADASTRE_SRC_OUT_TRACE_FILE_HPP
#define CADASTRE_SRC_OUT_TRACE_FILE_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/label.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "base/own_memory.hpp"
#include "out/page_file.hpp"
#include "out/trace_format.hpp"

namespace cadastre::internal {

// What a thread writes to, and another when that one has ended.
struct TraceStream {
  std::atomic<std::uint64_t*> part{nullptr};  // null before the first
  std::atomic<std::uint32_t> used{0};         // words of it that are reserved; more than there are where one was refused
  std::atomic<std::uint32_t> writers{0};      // records under way: one, and those of handlers that interrupt it
  std::uint32_t number = 0;
  std::uint64_t place = 0;  // of the part in the file, in bytes
  // What the records of a part so far say for the next one: the time from which its own is counted, and its context.
  const std::uint64_t* said_in = nullptr;
  std::int64_t clock = 0;
  std::uint64_t context = 0;
  OwnVector<std::uint64_t> labels;  // a bit for each number that has its record in this stream
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
  // The process ends: what is in memory is written, and the file says that it is whole. Records may still come.
  void end() noexcept;
  // In the child of a fork: the file is its parent's.
  void leave_to_the_parent() noexcept;

 private:
  TraceStream* stream_of_thread() noexcept;
  TraceStream* take_spare() noexcept;
  void give_spare(TraceStream& stream) noexcept;
  TraceStream* add(TraceStream* stream) noexcept;
  static void end_of_thread(void* stream) noexcept;
  std::uint64_t* reserve(TraceStream& stream, std::uint32_t words) noexcept;
  bool append(TraceStream& stream, const TraceRecord& record, bool interrupts) noexcept;
  bool define_label(TraceStream& stream, OriginNumber label, bool interrupts) noexcept;
  std::int64_t now() const noexcept;
  bool begin_part(TraceStream& stream) noexcept;
  void begin_part_at(TraceStream& stream, std::uint64_t* part) noexcept CADASTRE_REQUIRES(mutex_);
  std::uint64_t* next_part(std::uint64_t place, int& error) noexcept CADASTRE_REQUIRES(mutex_);
  void finish_part(TraceStream& stream) noexcept CADASTRE_REQUIRES(mutex_);
  void write_unfinished(TraceStream& stream) noexcept CADASTRE_REQUIRES(mutex_);
  void stop(int error) noexcept CADASTRE_REQUIRES(mutex_);
  void note_state(TraceState state, int error) noexcept CADASTRE_REQUIRES(mutex_);
  TraceHead& head() noexcept { return *reinterpret_cast<TraceHead*>(head_); }

  Output& output_;
  PageFile pages_;
  Mutex<Rank::trace_file> mutex_;
  std::uint64_t* head_ = nullptr;  // the first part: mapped, or a copy in memory
  bool mapped_ = false;
  std::int64_t start_ = 0;
  std::atomic<bool> stopped_{false};
  std::uint64_t parts_ CADASTRE_GUARDED_BY(mutex_) = 0;
  std::uint64_t reserved_ CADASTRE_GUARDED_BY(mutex_) = 0;  // bytes of the file that the system has promised
  TraceStream* all_ CADASTRE_GUARDED_BY(mutex_) = nullptr;
  TraceStream* spare_ CADASTRE_GUARDED_BY(mutex_) = nullptr;  // of threads that have ended
  std::uint32_t streams_ CADASTRE_GUARDED_BY(mutex_) = 0;
};

}  // namespace cadastre::internal
#endif
