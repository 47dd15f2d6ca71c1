// Tangled from org/out/trace_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/trace_file.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cadastre.h"
#include "config.h"
#include "backends/operations.hpp"
#include "base/atomic_ref.hpp"
#include "base/fail.hpp"
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

namespace {

// The text of the head, padded to whole words.
std::size_t write_text(char* text, std::size_t room, bool mapped, const Reading& rate) noexcept {
  std::size_t used = 0;
  const auto line = [&](const char* format, auto... values) {
    const int length = std::snprintf(text + used, room - used, format, values...);
    if (length > 0 && static_cast<std::size_t>(length) < room - used) used += static_cast<std::size_t>(length);
  };
  line("program cadastre %s\n", PACKAGE_VERSION);
  line("process %lld\n", static_cast<long long>(process_id()));
  line("host %s\n", process().host);
  if (*process().rank) line("rank %s\n", process().rank);
  say_what_runs([&](const char* name, const char* value) { line("%s %s\n", name, value); });
  line("pages %s\n", mapped ? "shared" : "written");
  if (rate.time != 0) line("ticks %lld %lld\n", static_cast<long long>(rate.time), static_cast<long long>(rate.nanoseconds));
  tell_trace_tables([&](const char* text) { line("%s\n", text); });
  while (used % 8 != 0) text[used++] = '\n';
  return used;
}

}  // namespace

bool TraceFile::begin(std::int64_t clock_start) noexcept {
  const KeptErrno kept_errno;
  clock_.begin(clock_start);
  const Locked lock(mutex_);
  mapped_ = pages_.keeps_pages();
  int error = 0;
  head_ = map_part(0, error);
  if (!head_ && mapped_) {
    mapped_ = false;
    head_ = map_part(0, error);
  }
  if (!head_) {
    output_.note_failure(error, "the trace could not be started");
    return false;
  }
  char* const text = reinterpret_cast<char*>(head_) + sizeof(TraceHead);
  const std::size_t text_bytes = write_text(text, most_trace_text, mapped_, clock_.rate());
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

bool has_room(const TraceStream& stream, std::size_t words) noexcept { return stream.used + words < trace_part_words; }

// There has to be room.
void put(TraceStream& stream, std::uint64_t first, const std::uint64_t* others, std::uint32_t count) noexcept {
  std::uint64_t* const record = stream.part.load(std::memory_order_relaxed) + stream.used;
  for (std::uint32_t word = 1; word < count; ++word) AtomicRef(record[word]).store(others[word - 1], std::memory_order_relaxed);
  AtomicRef(record[count]).store(0, std::memory_order_relaxed);
  AtomicRef(*record).store(first, std::memory_order_release);
  stream.used += count;
}

// Where the part has no room, the next one's head says it.
void say_thread(TraceStream& stream) noexcept {
  const std::uint64_t thread = pack_trace_word({TraceKind::thread, 1, 0, 0, static_cast<std::uint32_t>(this_thread())});
  if (stream.part.load(std::memory_order_relaxed) && has_room(stream, 1)) put(stream, thread, nullptr, 1);
}

bool say_context(TraceStream& stream, std::uint64_t context) noexcept {
  if (!has_room(stream, 2)) return false;
  put(stream, pack_trace_word({TraceKind::context, 2, 0, 0, 0}), &context, 2);
  stream.context = context;
  return true;
}

bool knows_label(const TraceStream& stream, OriginNumber label) noexcept {
  const std::size_t place = label / 64;
  return label == no_origin || (place < stream.labels.size() && (stream.labels[place] & std::uint64_t{1} << label % 64) != 0);
}

// False where there is no room.
[[gnu::noinline]] bool say_label(TraceStream& stream, OriginNumber label) noexcept {
  std::uint64_t words[longest_label / 8 + 1] = {};
  const char* const text = text_of(label);
  const std::size_t length = text ? strnlen(text, longest_label) : 0;
  if (length > 0) std::memcpy(words, text, length);
  const auto count = static_cast<std::uint32_t>(1 + length / 8 + 1);
  if (!has_room(stream, count)) return false;
  put(stream, pack_trace_word({TraceKind::label, static_cast<std::uint8_t>(count), 0, 0, label}), words, count);
  const std::size_t place = label / 64;
  while (stream.labels.size() <= place) {
    if (!stream.labels.reserve_one()) return true;  // it is said once more
    stream.labels.push_back(0);
  }
  stream.labels[place] |= std::uint64_t{1} << label % 64;
  return true;
}

constexpr std::uint32_t plain_malloc_words = 4;  // without those of flags

// Where there is room.
void put_operation(TraceStream& stream, const TraceWords& words, std::uint64_t time) noexcept {
  const std::uint64_t first = words.at[0];
  if (unpack_trace_word(first).kind == TraceKind::malloc) {
    const std::uint64_t traits = words.at[1], size = words.at[2], block = words.at[3];
    const bool is_alike = first == stream.malloc_first && traits == stream.malloc_traits && words.count == plain_malloc_words;
    if (is_alike && fits_in_word(size, block)) {
      const std::uint64_t both = pack_size_and_block(size, block);
      return put(stream, pack_trace_word({TraceKind::again, 2, 0, 0, 0}) | time, &both, 2);
    }
    stream.malloc_first = first;
    stream.malloc_traits = traits;
  }
  put(stream, first | time, words.at + 1, words.count);
}

}  // namespace

std::int64_t TraceFile::go_on_from(std::int64_t time) noexcept {
  const NotCancelled here;
  const Locked lock(mutex_);
  clock_.go_on_from(time);
  return clock_.now();
}

// Where the time is too far from that of the last record to be counted from it. False where there is no room.
[[gnu::noinline]] bool TraceFile::say_time(TraceStream& stream, std::int64_t& time) noexcept {
  constexpr std::int64_t early_by = 1 << 16;  // more than a processor can have under way
  if (time < stream.clock - early_by) time = go_on_from(stream.clock);
  time = std::max(time, stream.clock);
  if (time - stream.clock <= INT32_MAX) return true;
  if (!has_room(stream, 3)) return false;
  const Reading reading = clock_.read();
  const std::uint64_t words[] = {static_cast<std::uint64_t>(reading.time), static_cast<std::uint64_t>(reading.nanoseconds)};
  put(stream, pack_trace_word({TraceKind::ticks, 3, 0, 0, 0}), words, 3);
  stream.clock = time = std::max(reading.time, time);
  return true;
}

// Into the part that the stream has, or the next one.
bool TraceFile::write(TraceStream& stream, const TraceWords& words, std::uint64_t context, OriginNumber label, bool early) noexcept {
  do {
    if (!stream.part.load(std::memory_order_relaxed)) continue;
    if (!knows_label(stream, label) && !say_label(stream, label)) continue;
    const bool in_context = stream.context == context;
    std::int64_t time = early && in_context ? clock_.early() : clock_.now();
    if (!in_context && !say_context(stream, context)) continue;
    if (static_cast<std::uint64_t>(time - stream.clock) > INT32_MAX && !say_time(stream, time)) continue;
    if (!has_room(stream, words.count)) continue;
    put_operation(stream, words, static_cast<std::uint64_t>(time - stream.clock) << 32);
    return true;
  } while (begin_part(stream));
  return false;
}

// Null where the trace has ended, or there is no memory.
[[gnu::always_inline]] inline TraceStream* TraceFile::stream_to_write_to() noexcept {
  if (stopped_.load(std::memory_order_relaxed)) [[unlikely]]
    return nullptr;
  TraceStream* stream = stream_of_thread();
  if (stream && stream->is_writing) [[unlikely]]
    stream = stream_of_handler(*stream);
  return stream;
}

static_assert(longest_name_of_backend == longest_backend_name);

bool TraceFile::append_in_any_context(const TraceWords& words) noexcept {
  const TraceStream* const stream = stream_to_write_to();
  return stream && append(words, stream->context, no_origin, false);
}

// Who finds that it has not been said says it, and only then is it known to others: so they read the clock later.
bool TraceFile::say_backend(std::uint32_t number) noexcept {
  if (number < CADASTRE_FIRST_REGISTERED_BACKEND || number >= 64 * backends_.size()) return true;
  std::atomic<std::uint64_t>& said = backends_[number / 64];
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  if ((said.load(std::memory_order_acquire) & bit) != 0) return true;
  const char* const name = cadastre_string_of_backend(static_cast<cadastre_backend>(number));
  if (!append_in_any_context(words_of_backend(number, name))) return false;
  said.fetch_or(bit, std::memory_order_release);
  return true;
}

bool TraceFile::append(const TraceRecord& record) noexcept {
  if (is_on_device(record) && !say_backend(record.traits.backend)) return false;
  TraceWords words = words_of(record);
  if (record.entered != 0)
    words.add_flag(TraceFlag::duration, static_cast<std::uint64_t>(std::max<std::int64_t>(time() - record.entered, 0)));
  return append(words, record.context, record.traits.label, false);
}

bool TraceFile::append(const TraceMoment& moment) noexcept {
  if (moment.kind == TraceKind::device && !say_backend(high_half(moment.figures[0]))) return false;
  return append_in_any_context(words_of(moment));
}

bool TraceFile::append(const TraceWords& words, std::uint64_t context, OriginNumber label, bool early) noexcept {
  TraceStream* const stream = stream_to_write_to();
  if (!stream) return false;
  stream->is_writing = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool written = write(*stream, words, context, label, early);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  stream->is_writing = false;
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
  for (TraceStream* one = stream; one; one = one->interrupting)
    one->is_writing = false;  // the thread before may have been cancelled within a record
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
    for (TraceStream* one = stream; one; one = one->interrupting) say_thread(*one);
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

// Where a handler interrupts a record.
TraceStream* TraceFile::stream_of_handler(TraceStream& interrupted) noexcept {
  const NotCancelled here;
  TraceStream* stream = &interrupted;
  while (stream && stream->is_writing) {
    TraceStream* other = stream->interrupting;
    if (!other) stream->interrupting = other = add(make_own<TraceStream>());
    stream = other;
  }
  return stream;
}

namespace {

// A part in memory; null when there is none.
std::uint64_t* new_part() noexcept {
  constexpr int writable = PROT_READ | PROT_WRITE, own = MAP_PRIVATE | MAP_ANONYMOUS;
  void* const memory = system_fails(ENOMEM) ? MAP_FAILED : mmap(nullptr, trace_part_bytes, writable, own, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint64_t*>(memory);
}

void set_state(std::uint64_t* part, TracePartState state) noexcept {
  AtomicRef(trace_part_head(part).state).store(static_cast<std::uint64_t>(state), std::memory_order_release);
}

}  // namespace

// Memory for a part: pages at a place of the file, or others; null, and why, where there is none.
std::uint64_t* TraceFile::map_part(std::uint64_t place, int& error) noexcept {
  if (!mapped_) {
    std::uint64_t* const part = new_part();
    error = part ? 0 : ENOMEM;
    return part;
  }
  error = pages_.reserve(place * trace_part_bytes, trace_part_bytes);
  return error == 0 ? static_cast<std::uint64_t*>(pages_.map(place * trace_part_bytes, trace_part_bytes, error)) : nullptr;
}

bool TraceFile::provide_slot(TraceStream& stream) noexcept {
  if (stream.slot) return true;
  int error = 0;
  stream.slot = map_part(parts_ + 1, error);
  if (!stream.slot) {
    stop(error);
    return false;
  }
  if (mapped_) stream.slot_place = ++parts_;
  return true;
}

// Where the stream's part has no room.
bool TraceFile::begin_part(TraceStream& stream) noexcept {
  const NotCancelled here;
  const KeptErrno kept_errno;
  const Locked lock(mutex_);
  if (stopped_.load(std::memory_order_relaxed)) return false;
  if (stream.part.load(std::memory_order_relaxed)) {
    if (const int error = finish_part(stream)) {
      stop(error);
      return false;
    }
  }
  const std::uint64_t place = ++parts_;  // before that of a slot, which may be given back at the end
  if (!provide_slot(stream)) return false;
  stream.place = place;
  const Reading reading = clock_.read();
  TracePartHead& own = trace_part_head(stream.slot);
  own.stream_and_thread = pack_halves(stream.number, static_cast<std::uint32_t>(this_thread()));
  own.time = static_cast<std::uint64_t>(reading.time);
  own.nanoseconds = static_cast<std::uint64_t>(reading.nanoseconds);
  own.context = stream.context;
  own.place = place;
  stream.slot[trace_part_head_words] = 0;
  set_state(stream.slot, TracePartState::slot);
  stream.used = trace_part_head_words;
  stream.clock = reading.time;
  stream.malloc_first = 0;
  stream.part.store(stream.slot, std::memory_order_release);
  return true;
}

// Until its state is changed, the slot says that it is the part.
int TraceFile::finish_part(TraceStream& stream) noexcept {
  std::uint64_t* const part = stream.part.load(std::memory_order_relaxed);
  finish_trace_part(part, stream.used);
  TracePartHead& own = trace_part_head(part);
  TracePartHead whole = own;
  whole.state = static_cast<std::uint64_t>(TracePartState::full);
  const auto* const bytes = reinterpret_cast<const char*>(part);
  const std::uint64_t at = stream.place * trace_part_bytes;
  // The state comes last: a kill between the two leaves a part that is not there.
  int error = pages_.write_at(at + sizeof whole, {bytes + sizeof whole, own.used - sizeof whole});
  if (error == 0) error = pages_.write_at(at, {reinterpret_cast<const char*>(&whole), sizeof whole});
  if (error != 0) return error;
  written_ = std::max(written_, stream.place);
  set_state(part, TracePartState::empty);
  stream.part.store(nullptr, std::memory_order_relaxed);
  return 0;
}

// The last place that has anything.
std::uint64_t TraceFile::last_place() const noexcept {
  std::uint64_t last = written_;
  for (const TraceStream* stream = all_; stream; stream = stream->next) last = std::max(last, stream->slot_place);
  return last;
}

void TraceFile::note_state(TraceState state, int error) noexcept {
  TraceHead& own = head();
  const Reading reading = clock_.read();
  own.parts = last_place();
  own.error = static_cast<std::uint64_t>(error);
  own.end = static_cast<std::uint64_t>(reading.time);
  own.end_nanoseconds = static_cast<std::uint64_t>(reading.nanoseconds);
  AtomicRef(own.state).store(static_cast<std::uint64_t>(state), std::memory_order_release);
  if (!mapped_) pages_.write_at(0, {reinterpret_cast<const char*>(head_), sizeof(TraceHead)});
}

void TraceFile::stop(int error) noexcept {
  if (stopped_.exchange(true, std::memory_order_relaxed)) return;
  note_state(TraceState::stopped, error);
  output_.note_failure(error, "the trace ends before the program");
}

// Where memory has a part that its thread goes on to write: a copy of what is whole.
void TraceFile::write_unfinished(TraceStream& stream) noexcept {
  std::uint64_t* const part = stream.part.load(std::memory_order_acquire);
  std::uint64_t* const copy = part ? new_part() : nullptr;
  if (!copy) return;
  for (std::size_t word = 0; word < trace_part_words; ++word) copy[word] = AtomicRef(part[word]).load(std::memory_order_acquire);
  set_state(copy, TracePartState::open);
  const int error = pages_.write_at(stream.place * trace_part_bytes, {reinterpret_cast<const char*>(copy), trace_part_bytes});
  if (error == 0) written_ = std::max(written_, stream.place);
  munmap(copy, trace_part_bytes);
}

// A stream that nobody writes to at this time, and those of its handlers.
void TraceFile::leave(TraceStream& stream) noexcept {
  for (TraceStream* one = &stream; one; one = one->interrupting) {
    if (one->is_writing || (one->part && finish_part(*one) != 0)) continue;
    if (one->slot) munmap(one->slot, trace_part_bytes);
    one->slot = nullptr;
    one->slot_place = 0;
  }
}

void TraceFile::end(bool closes) noexcept {
  if (end_of_threads.file != this) return;  // the child of a fork: its parent writes there
  const NotCancelled here;
  const KeptErrno kept_errno;
  const Locked lock(mutex_);
  for (TraceStream* stream = spare_; stream; stream = stream->next_spare) leave(*stream);
  if (stream_here) leave(*stream_here);
  for (TraceStream* stream = all_; stream && !mapped_; stream = stream->next) write_unfinished(*stream);
  if (mapped_) pages_.shorten((last_place() + 1) * trace_part_bytes);
  if (!stopped_.load(std::memory_order_relaxed)) note_state(TraceState::ended, 0);
  if (closes) stopped_.store(true, std::memory_order_relaxed);
}

void TraceFile::leave_to_the_parent() noexcept {
  stopped_.store(true, std::memory_order_relaxed);
  end_of_threads.file = nullptr;
  mutex_.renew();
  pages_.close();
}

}  // namespace cadastre::internal
