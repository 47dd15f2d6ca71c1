// Tangled from org/out/trace_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/trace_file.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "cadastre.h"
#include "config.h"
#include "base/capacity.hpp"
#include "base/fail.hpp"
#include "base/process.hpp"
#include "base/vocabulary.hpp"
#include "context/lock.hpp"

namespace cadastre::internal {

namespace {

thread_local constinit TraceStream* stream_here = nullptr;

struct EndOfThreads {
  pthread_key_t key{};
  bool made = false;
  TraceFile* file = nullptr;
};
constinit EndOfThreads end_of_threads;

}  // namespace

std::int64_t TraceFile::now() const noexcept {
  timespec reading{};
  clock_gettime(CLOCK_MONOTONIC, &reading);
  return std::int64_t{reading.tv_sec} * 1'000'000'000 + reading.tv_nsec - start_;
}

namespace {

// The text of the head, padded to whole words.
std::size_t write_text(char* text, std::size_t room, bool mapped) noexcept {
  std::size_t used = 0;
  const auto line = [&](const char* format, auto... values) {
    const int length = std::snprintf(text + used, room - used, format, values...);
    if (length > 0 && static_cast<std::size_t>(length) < room - used) used += static_cast<std::size_t>(length);
  };
  line("program cadastre %s\n", PACKAGE_VERSION);
  line("process %lld\n", static_cast<long long>(process_id()));
  line("host %s\n", process().host);
  if (*process().rank) line("rank %s\n", process().rank);
  char executable[sizeof process().program];
  std::snprintf(executable, sizeof executable, "%s", process().program);
  std::replace_if(
      std::begin(executable), std::end(executable), [](char c) { return c != '\0' && static_cast<unsigned char>(c) < 0x20; }, '?');
  line("executable %s\n", executable);
  if (const std::optional<std::uint64_t> ram = host_capacity().ram) line("memory %llu\n", static_cast<unsigned long long>(*ram));
  line("began %s\n", time_text(time_now()).characters);
  line("pages %s\n", mapped ? "shared" : "written");
  tell_trace_tables([&](const char* text) { line("%s\n", text); });
  while (used % 8 != 0) text[used++] = '\n';
  return used;
}

}  // namespace

bool TraceFile::begin(std::int64_t clock_start) noexcept {
  const KeptErrno kept_errno;
  start_ = clock_start;
  const Locked lock(mutex_);
  mapped_ = pages_.keeps_pages();
  int error = 0;
  head_ = next_part(0, error);
  if (!head_ && mapped_) {
    mapped_ = false;
    head_ = next_part(0, error);
  }
  if (!head_) {
    output_.note_failure(error, "the trace could not be started");
    return false;
  }
  char* const text = reinterpret_cast<char*>(head_) + sizeof(TraceHead);
  const std::size_t text_bytes = write_text(text, most_trace_text, mapped_);
  head() = trace_head(text, text_bytes, static_cast<std::uint64_t>(process_id()), TraceState::written);
  if (!mapped_) error = pages_.write_at(0, {reinterpret_cast<const char*>(head_), trace_part_bytes});
  if (error != 0) {
    output_.note_failure(error, "the trace could not be started");
    return false;
  }
  end_of_threads.file = this;
  end_of_threads.made = pthread_key_create(&end_of_threads.key, end_of_thread) == 0;
  return true;
}

namespace {

// Words of a part of a stream that are the caller's from then on; null where the part has no room for them, or is not the stream's any more.
std::uint64_t* try_to_reserve(TraceStream& stream, std::uint64_t* part, std::uint32_t words) noexcept {
  const std::uint32_t at = stream.used.fetch_add(words, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool is_there = stream.part.load(std::memory_order_relaxed) == part && at + words <= trace_part_words;
  return is_there ? part + at : nullptr;
}

// The first word comes last, so that who reads the file after a kill knows whether the others are there.
void put(std::uint64_t* record, const std::uint64_t* words, std::uint32_t count) noexcept {
  const std::atomic_ref<std::uint64_t> first(*record);
  first.store(pack_trace_word({TraceKind::unfinished, static_cast<std::uint8_t>(count), 0, 0, 0}), std::memory_order_release);
  for (std::uint32_t word = 1; word < count; ++word) {
    std::atomic_ref<std::uint64_t>(record[word]).store(words[word], std::memory_order_relaxed);
  }
  first.store(words[0], std::memory_order_release);
}

}  // namespace

// Null when there is no room any more.
std::uint64_t* TraceFile::reserve(TraceStream& stream, std::uint32_t words) noexcept {
  do {
    std::uint64_t* const part = stream.part.load(std::memory_order_relaxed);
    std::uint64_t* const record = part ? try_to_reserve(stream, part, words) : nullptr;
    if (record) return record;
  } while (begin_part(stream));
  return nullptr;
}

// A handler that interrupts this neither reads nor changes what is known, which may be moving: it writes the label once more.
bool TraceFile::define_label(TraceStream& stream, OriginNumber label, bool interrupts) noexcept {
  const std::size_t place = label / 64;
  const std::uint64_t bit = std::uint64_t{1} << label % 64;
  if (!interrupts && place < stream.labels.size() && stream.labels[place] & bit) [[likely]]
    return true;
  std::uint64_t words[1 + longest_label / 8 + 1] = {};
  const char* const text = text_of(label);
  const std::size_t length = text ? strnlen(text, longest_label) : 0;
  if (length > 0) std::memcpy(words + 1, text, length);
  const auto count = static_cast<std::uint32_t>(1 + length / 8 + 1);
  words[0] = pack_trace_word({TraceKind::label, static_cast<std::uint8_t>(count), 0, 0, label});
  std::uint64_t* const record = reserve(stream, count);
  if (!record) return false;
  put(record, words, count);
  while (!interrupts && stream.labels.size() <= place) {
    if (!stream.labels.reserve_one()) return true;
    stream.labels.push_back(0);
  }
  if (!interrupts) stream.labels[place] |= bit;
  return true;
}

namespace {

// Says a context, or a time, for the records that follow in a part; false where there is no room.
bool say(TraceStream& stream, std::uint64_t* part, TraceKind kind, std::uint64_t word) noexcept {
  std::uint64_t* const record = try_to_reserve(stream, part, 2);
  const std::uint64_t words[] = {pack_trace_word({kind, 2, 0, 0, 0}), word};
  if (record) put(record, words, 2);
  return record;
}

}  // namespace

// What a handler of signals records while it interrupts a record of its thread says its context and time itself, and changes nothing that the
// other one relies on.
bool TraceFile::append(TraceStream& stream, const TraceRecord& record, bool interrupts) noexcept {
  constexpr std::int64_t longest = INT32_MAX;
  do {
    std::uint64_t* const part = stream.part.load(std::memory_order_relaxed);
    if (!part) continue;
    if (!interrupts && stream.said_in != part) {
      stream.context = trace_part_head(part).context;
      stream.clock = static_cast<std::int64_t>(trace_part_head(part).time);
      stream.said_in = part;
    }
    const std::int64_t time = now();
    if (!interrupts && stream.context != record.context) {
      if (!say(stream, part, TraceKind::context, record.context)) continue;
      stream.context = record.context;
    }
    if (!interrupts && time - stream.clock > longest) {
      if (!say(stream, part, TraceKind::clock, static_cast<std::uint64_t>(time))) continue;
      stream.clock = time;
    }
    const TraceWords words = words_of(record, interrupts, time, stream.clock);
    std::uint64_t* const place = try_to_reserve(stream, part, words.count);
    if (!place) continue;
    put(place, words.at, words.count);
    return true;
  } while (begin_part(stream));
  return false;
}

bool TraceFile::append(const TraceRecord& record) noexcept {
  if (stopped_.load(std::memory_order_relaxed)) [[unlikely]]
    return false;
  TraceStream* const stream = stream_of_thread();
  if (!stream) return false;
  const std::uint32_t writers = stream->writers.load(std::memory_order_relaxed);
  stream->writers.store(writers + 1, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool knows_label = record.traits.label == no_origin || define_label(*stream, record.traits.label, writers > 0);
  const bool written = knows_label && append(*stream, record, writers > 0);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  stream->writers.store(writers, std::memory_order_relaxed);
  return written;
}

void TraceFile::give_spare(TraceStream& stream) noexcept {
  const Locked lock(mutex_);
  stream.next_spare = spare_;
  spare_ = &stream;
}

void TraceFile::end_of_thread(void* stream) noexcept {
  stream_here = nullptr;
  if (TraceFile* const file = end_of_threads.file) file->give_spare(*static_cast<TraceStream*>(stream));  // null in the child of a fork
}

TraceStream* TraceFile::take_spare() noexcept {
  const Locked lock(mutex_);
  TraceStream* const stream = spare_;
  if (!stream) return nullptr;
  spare_ = stream->next_spare;
  stream->writers.store(0, std::memory_order_relaxed);  // the thread before may have been cancelled within a record
  return stream;
}

TraceStream* TraceFile::add(TraceStream* stream) noexcept {
  const Locked lock(mutex_);
  if (!stream) {
    stop(ENOMEM);
    return nullptr;
  }
  stream->number = ++streams_;
  stream->next = all_;
  all_ = stream;
  return stream;
}

// Null where there is no memory.
TraceStream* TraceFile::stream_of_thread() noexcept {
  if (stream_here) [[likely]]
    return stream_here;
  const NotCancelled here;
  TraceStream* stream = take_spare();
  if (stream) {
    const std::uint64_t thread = pack_trace_word({TraceKind::thread, 1, 0, 0, static_cast<std::uint32_t>(this_thread())});
    if (std::uint64_t* const record = stream->part.load(std::memory_order_relaxed) ? reserve(*stream, 1) : nullptr) put(record, &thread, 1);
  } else {
    stream = add(make_own<TraceStream>());
  }
  if (!stream) return nullptr;
  if (stream_here) {  // a handler has one by now
    give_spare(*stream);
    return stream_here;
  }
  if (end_of_threads.made) pthread_setspecific(end_of_threads.key, stream);
  return stream_here = stream;
}

namespace {

constexpr std::uint64_t reserved_at_once = 16 * trace_part_bytes;

// A part in memory; null when there is none.
std::uint64_t* new_part() noexcept {
  constexpr int writable = PROT_READ | PROT_WRITE, own = MAP_PRIVATE | MAP_ANONYMOUS;
  void* const memory = system_fails(ENOMEM) ? MAP_FAILED : mmap(nullptr, trace_part_bytes, writable, own, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint64_t*>(memory);
}

void set_state(std::uint64_t* part, TracePartState state) noexcept {
  std::atomic_ref(trace_part_head(part).state).store(static_cast<std::uint64_t>(state), std::memory_order_release);
}

}  // namespace

// Memory for the part at a place of the file; null, and why, where there is none.
std::uint64_t* TraceFile::next_part(std::uint64_t place, int& error) noexcept {
  if (!mapped_) {
    std::uint64_t* const part = new_part();
    error = part ? 0 : ENOMEM;
    return part;
  }
  for (const std::uint64_t bytes : {reserved_at_once, std::uint64_t{trace_part_bytes}}) {
    if (place + trace_part_bytes <= reserved_) break;
    error = pages_.reserve(place, bytes);
    if (error == 0) reserved_ = place + bytes;
  }
  if (place + trace_part_bytes > reserved_) return nullptr;
  return static_cast<std::uint64_t*>(pages_.map(place, trace_part_bytes, error));
}

// Where the stream's part has no room, unless a handler was faster.
bool TraceFile::begin_part(TraceStream& stream) noexcept {
  const NotCancelled here;
  const KeptErrno kept_errno;
  const Locked lock(mutex_);
  if (stopped_.load(std::memory_order_relaxed)) return false;
  if (stream.part.load(std::memory_order_relaxed)) {
    if (stream.used.load(std::memory_order_relaxed) <= trace_part_words) return true;
    finish_part(stream);
  }
  int error = 0;
  const std::uint64_t place = (parts_ + 1) * trace_part_bytes;
  std::uint64_t* const part = next_part(place, error);
  if (!part) {
    stop(error);
    return false;
  }
  ++parts_;
  std::atomic_ref(head().parts).store(parts_, std::memory_order_relaxed);
  stream.place = place;
  begin_part_at(stream, part);
  return true;
}

void TraceFile::begin_part_at(TraceStream& stream, std::uint64_t* part) noexcept {
  TracePartHead& own = trace_part_head(part);
  own.stream_and_thread = pack_halves(stream.number, static_cast<std::uint32_t>(this_thread()));
  own.time = static_cast<std::uint64_t>(now());
  own.context = stream.context;
  set_state(part, TracePartState::open);
  stream.used.store(trace_part_head_words, std::memory_order_relaxed);
  stream.said_in = nullptr;  // pages of another part may have had the same address
  stream.part.store(part, std::memory_order_release);
}

// A part in which an interrupted record is to be completed is left as it is.
void TraceFile::finish_part(TraceStream& stream) noexcept {
  if (stream.writers.load(std::memory_order_relaxed) > 1) {
    if (!mapped_) write_unfinished(stream);
    return;
  }
  std::uint64_t* const part = stream.part.load(std::memory_order_relaxed);
  std::size_t used = std::min<std::size_t>(stream.used.load(std::memory_order_relaxed), trace_part_words);
  while (used > trace_part_head_words && part[used - 1] == 0) --used;
  finish_trace_part(part, used);
  set_state(part, TracePartState::full);
  if (!mapped_) {
    const int error = pages_.write_at(stream.place, {reinterpret_cast<const char*>(part), trace_part_bytes});
    if (error != 0) stop(error);
  }
  stream.part.store(nullptr, std::memory_order_relaxed);
  munmap(part, trace_part_bytes);
}

void TraceFile::note_state(TraceState state, int error) noexcept {
  TraceHead& own = head();
  own.error = static_cast<std::uint64_t>(error);
  own.end = static_cast<std::uint64_t>(now());
  std::atomic_ref(own.state).store(static_cast<std::uint64_t>(state), std::memory_order_release);
  if (!mapped_) pages_.write_at(0, {reinterpret_cast<const char*>(head_), sizeof(TraceHead)});
}

void TraceFile::stop(int error) noexcept {
  if (stopped_.exchange(true, std::memory_order_relaxed)) return;
  note_state(TraceState::stopped, error);
  output_.note_failure(error, "the trace ends before the program");
}

// A copy of a part that its thread goes on to write.
void TraceFile::write_unfinished(TraceStream& stream) noexcept {
  std::uint64_t* const part = stream.part.load(std::memory_order_acquire);
  std::uint64_t* const copy = new_part();
  if (!copy) return;
  for (std::size_t word = 0; word < trace_part_words; ++word) {
    copy[word] = std::atomic_ref(part[word]).load(std::memory_order_acquire);
  }
  pages_.write_at(stream.place, {reinterpret_cast<const char*>(copy), trace_part_bytes});
  munmap(copy, trace_part_bytes);
}

void TraceFile::end() noexcept {
  if (end_of_threads.file != this) return;  // the child of a fork: its parent writes there
  const NotCancelled here;
  const KeptErrno kept_errno;
  const Locked lock(mutex_);
  for (TraceStream* stream = spare_; stream; stream = stream->next_spare) {
    if (stream->part) finish_part(*stream);
  }
  if (stream_here && stream_here->part && stream_here->writers.load(std::memory_order_relaxed) == 0) finish_part(*stream_here);
  for (TraceStream* stream = all_; stream && !mapped_; stream = stream->next) {
    if (stream->part) write_unfinished(*stream);
  }
  reserved_ = (parts_ + 1) * trace_part_bytes;
  if (mapped_) pages_.shorten(reserved_);
  if (!stopped_.load(std::memory_order_relaxed)) note_state(TraceState::ended, 0);
}

void TraceFile::leave_to_the_parent() noexcept {
  stopped_.store(true, std::memory_order_relaxed);
  end_of_threads.file = nullptr;
  mutex_.renew();
  pages_.close();
}

}  // namespace cadastre::internal
