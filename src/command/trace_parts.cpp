// Tangled from org/command/trace_parts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_parts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/text.hpp"
#include "trace.hpp"

namespace cadastre::command {

using internal::TraceFlag;
using internal::TraceHead;
using internal::TraceKind;
using internal::TracePartHead;
using internal::TracePartState;

namespace {

// A number at the beginning of a text, which is removed with the blank behind it; none where there is none.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  const std::optional<std::uint32_t> number = internal::take_number<std::uint32_t>(text);
  if (number) internal::take_prefix(text, " ");
  return number;
}

std::string_view take_word(std::string_view& text) { return internal::take_until(text, " "); }

constexpr std::size_t words_of_head = sizeof(TraceHead) / 8;
constexpr std::size_t most_streams = 1u << 14;  // at one time

}  // namespace

// Fills words of a part's size, with 0 behind the end of the file; how many bytes there were.
std::size_t TraceParts::read_whole(std::uint64_t* words) {
  auto* const bytes = reinterpret_cast<char*>(words);
  const std::size_t used = input_.read_all(bytes, internal::trace_part_bytes, "part " + std::to_string(first_part_ + parts_));
  std::memset(bytes + used, 0, internal::trace_part_bytes - used);
  return used;
}

TraceParts::TraceParts(TraceInput& input) : input_(input), first_part_(input.place() / internal::trace_part_bytes) {
  std::vector<std::uint64_t> words(internal::trace_part_words);
  if (read_whole(words.data()) < internal::trace_part_bytes) refuse_file("the file ends within its head; it was cut off: copy it again");
  std::memcpy(&head_, words.data(), sizeof head_);
  swapped_ = head_.byte_order == __builtin_bswap64(internal::trace_byte_order);
  if (!swapped_ && head_.byte_order != internal::trace_byte_order) refuse_file("the head is damaged: its order of bytes is none");
  if (swapped_) {
    for (std::size_t word = sizeof head_.magic / 8; word < words_of_head; ++word) words[word] = __builtin_bswap64(words[word]);
    std::memcpy(&head_, words.data(), sizeof head_);
  }
  const std::uint32_t version = internal::low_half(head_.version_and_part);
  const bool is_known = version >= internal::oldest_trace_version && version <= internal::trace_version;
  if (!is_known || internal::high_half(head_.version_and_part) != internal::trace_part_bytes) {
    refuse_file("the trace has version " + std::to_string(version) + " of the format; this command reads versions " +
                std::to_string(internal::oldest_trace_version) + " to " + std::to_string(internal::trace_version) +
                ": read it with the version that wrote it, or a later one");
  }
  ends_at_zero_ = version > 1;
  const auto* const text = reinterpret_cast<const char*>(words.data()) + internal::trace_head_bytes(version);
  const bool fits = head_.text_bytes <= internal::most_trace_text && head_.text_bytes % 8 == 0;
  if (!fits || internal::trace_checksum(text, head_.text_bytes) != head_.checksum) {
    refuse_file("the head is damaged: its check sum is another; copy the file again");
  }
  read_text({text, head_.text_bytes});
  if (!clock_.begin(said("ticks"))) refuse_file("the head is damaged: its rate of ticks is none");
  if (head_.state != static_cast<std::uint64_t>(internal::TraceState::written)) {
    clock_.note(static_cast<std::int64_t>(head_.end), static_cast<std::int64_t>(head_.end_nanoseconds));
  }
  ahead_ = read_next();
  come();
}

void TraceParts::read_text(std::string_view rest) {
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    read_line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void TraceParts::read_backend(std::string_view line) {
  const std::optional<std::uint32_t> number = take_number(line);
  if (number) backends_.try_emplace(*number, line);
}

void TraceParts::read_line(std::string_view line) {
  const std::string_view name = take_word(line);
  if (name == "backend") return read_backend(line);
  if (name != "record" && name != "flag" && name != "type") {
    said_.try_emplace(std::string(name), line);
    return;
  }
  const std::optional<std::uint32_t> number = take_number(line);
  if (!number || *number > 0xff) return;
  const std::string_view called = name == "record" ? take_word(line) : line;
  bool is_other = false;
  if (name == "type") {
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      if (called == cadastre_string_of_memory_type(type)) types_[*number] = type;
    }
  } else if (name == "flag") {
    for (const internal::TraceFlagRow& row : internal::trace_flag_rows)
      is_other |= called == row.name && *number != static_cast<unsigned>(row.bit);
  } else {
    for (std::size_t kind = 0; kind < internal::trace_kinds; ++kind) {
      const internal::TraceKindRow& row = internal::trace_kind_rows[kind];
      if (!*row.name || called != row.name) continue;
      kinds_[*number] = static_cast<TraceKind>(kind);
      is_other = line != row.words;
    }
  }
  if (is_other) {
    refuse_file("the head gives '" + printable(called) +
                "' another form than this version has; read the trace with the version that wrote it (" + printable(said("program")) + ")");
  }
}

// The next part of the trace that has anything; none at the end. The head of the next trace is left to who reads that.
std::optional<TraceParts::Part> TraceParts::read_next() {
  const bool is_joined = head_.state == static_cast<std::uint64_t>(internal::TraceState::joined);
  while (!is_joined || parts_ < head_.parts) {
    Part part;
    part.words.resize(internal::trace_part_words);
    const std::size_t bytes = read_whole(part.words.data());
    if (bytes == 0) return std::nullopt;
    if (internal::is_trace_head(part.words.data())) {
      input_.give_back({reinterpret_cast<const char*>(part.words.data()), bytes});
      return std::nullopt;
    }
    part.number = ++parts_;
    if (part.words[0] == 0) continue;
    std::optional<Part> read = as_part(std::move(part));
    if (read) return read;
  }
  return std::nullopt;
}

// A part with what its head says; none for a slot, which is put aside.
std::optional<TraceParts::Part> TraceParts::as_part(Part part) {
  TracePartHead head;
  std::memcpy(&head, part.words.data(), sizeof head);
  const std::size_t used = swapped_ ? __builtin_bswap64(head.used) : head.used;
  const bool fits = used >= sizeof head && used <= internal::trace_part_bytes && used % 8 == 0;
  const std::uint64_t sum = fits ? internal::trace_part_checksum(part.words.data(), used) : std::uint64_t{0};
  if (swapped_) {
    for (std::uint64_t& word : part.words) word = __builtin_bswap64(word);
    std::memcpy(&head, part.words.data(), sizeof head);
  }
  const bool full = head.state == static_cast<std::uint64_t>(TracePartState::full);
  const bool slot = head.state == static_cast<std::uint64_t>(TracePartState::slot);
  if (!full && !slot && head.state != static_cast<std::uint64_t>(TracePartState::open))
    refuse_part(part, 0, "its state is none that there is");
  if (full && (!fits || sum != head.checksum)) refuse_part(part, 0, "its check sum is another");
  part.stream = internal::low_half(head.stream_and_thread);
  part.thread = internal::high_half(head.stream_and_thread);
  part.time = static_cast<std::int64_t>(head.time);
  part.context = head.context;
  part.place = slot ? head.place : part.number;
  clock_.note(part.time, static_cast<std::int64_t>(head.nanoseconds));
  if (!slot) {
    last_[part.stream] = part.number;
    return part;
  }
  if (slots_.size() == most_streams) refuse_part(part, 0, "it is one slot more than " + std::to_string(most_streams));
  slots_[part.time].push_back(std::move(part));
  return std::nullopt;
}

// Chooses which part comes: a slot whose turn it is, or the one ahead. What is in its place is no slot any more.
void TraceParts::come() {
  coming_.reset();
  while (!slots_.empty() && (!ahead_ || slots_.begin()->first < ahead_->time)) {
    std::vector<Part>& earliest = slots_.begin()->second;
    Part part = std::move(earliest.back());
    earliest.pop_back();
    if (earliest.empty()) slots_.erase(slots_.begin());
    if (part.place <= last_[part.stream]) continue;
    coming_ = std::move(part);
    return;
  }
  if (!ahead_) return;
  coming_ = std::move(ahead_);
  ahead_ = read_next();
}

namespace {

unsigned rank_of(TraceKind kind) {
  switch (kind) {
    case TraceKind::create: return 0;
    case TraceKind::malloc: return 1;
    case TraceKind::free: return 3;
    case TraceKind::destroy: return 4;
    default: return 2;
  }
}

}  // namespace

void TraceParts::begin(Stream& stream) {
  const Part& part = stream.parts.front();
  stream.word = internal::trace_part_head_words;
  stream.clock = part.time;
  stream.context = part.context;
  stream.thread = part.thread;
  stream.last_malloc = {};
}

// Looks for the next operation of a stream; false where the parts at hand have none.
bool TraceParts::advance(Stream& stream) {
  while (!stream.parts.empty()) {
    if (read_record(stream, stream.parts.front())) return true;
    stream.parts.pop_front();
    if (!stream.parts.empty()) begin(stream);
  }
  return false;
}

void TraceParts::offer(std::uint32_t number, Stream& stream) {
  if (advance(stream)) earliest_.push({stream.next.time, rank_of(stream.next.record.kind), number});
}

// Whether the part that comes may have an operation that is to be passed on before those at hand. Where it begins at the same time, and is of a stream that is at
// hand, it may not: its operations come behind those.
bool TraceParts::is_wanted() {
  if (!coming_ || earliest_.empty() || coming_->time < earliest_.top().time) return coming_.has_value();
  return coming_->time == earliest_.top().time && streams_[coming_->stream].parts.empty();
}

bool TraceParts::next(ReadRecord& record) {
  constexpr std::size_t most_parts = 64;
  while (is_wanted()) {
    const std::uint32_t number = coming_->stream;
    Stream& stream = streams_[number];
    const bool idle = stream.parts.empty();
    if (streams_.size() > most_streams) refuse_part(*coming_, 0, "it is of one stream more than " + std::to_string(most_streams));
    if (stream.parts.size() == most_parts)
      refuse_part(*coming_, 0, "it begins before " + std::to_string(most_parts) + " parts of its stream end");
    stream.parts.push_back(std::move(*coming_));
    come();
    if (!idle) continue;
    begin(stream);
    offer(number, stream);
  }
  if (earliest_.empty()) return false;
  const std::uint32_t number = earliest_.top().stream;
  earliest_.pop();
  Stream& stream = streams_[number];
  record = stream.next;
  record.time = clock_.nanoseconds(record.time);
  if (record.duration >= 0) record.duration = clock_.duration(record.duration);
  if (internal::is_trace_operation(record.record.kind)) ++passed_on_;
  offer(number, stream);
  return true;
}

// Goes on to the next operation of a part; false at its end.
bool TraceParts::read_record(Stream& stream, const Part& part) {
  while (stream.word < internal::trace_part_words) {
    const std::size_t at = stream.word;
    if (part.words[at] == 0) {
      if (ends_at_zero_) return false;
      ++stream.word;
      continue;
    }
    const internal::TraceWord first = internal::unpack_trace_word(part.words[at]);
    if (first.words == 0 || first.words > internal::trace_part_words - at)
      refuse_part(part, at, "a record there has more words than the part");
    stream.word += first.words;
    const TraceKind kind = first.kind == TraceKind::unfinished ? TraceKind::none : kinds_[static_cast<std::size_t>(first.kind)];
    const std::uint64_t* const words = part.words.data() + at + 1;
    const std::size_t count = first.words - std::size_t{1};
    if (kind == TraceKind::none) continue;
    if (kind == TraceKind::label) {
      labels_.try_emplace(first.value, text_in(words, count));
    } else if (kind == TraceKind::backend && count > 0) {
      backends_.try_emplace(static_cast<std::uint32_t>(words[0]), text_in(words + 1, count - 1));
    } else if (!read_words(stream, kind, first, WordsOfRecord(words, count))) {
      refuse_part(part, at,
                  kind == TraceKind::again && count > 0 ? "a record there is like a malloc, and none is before it"
                                                        : "a record there has fewer words than its kind");
    }
    if (internal::is_trace_operation(kind) || internal::is_trace_moment(kind)) return true;
  }
  return false;
}

// The bytes of a text are in the order in which they were written.
std::string TraceParts::text_in(const std::uint64_t* words, std::size_t count) const {
  std::vector<std::uint64_t> text(words, words + count);
  for (std::uint64_t& word : text) word = swapped_ ? __builtin_bswap64(word) : word;
  text.push_back(0);  // so that there is a text where the record has no words
  const auto* const bytes = reinterpret_cast<const char*>(text.data());
  return {bytes, strnlen(bytes, 8 * count)};
}

// False where they are too few.
bool TraceParts::read_words(Stream& stream, TraceKind kind, const internal::TraceWord& first, WordsOfRecord words) {
  internal::TraceRecord& record = stream.next.record;
  if (kind == TraceKind::thread) stream.thread = first.value;
  if (kind == TraceKind::context) stream.context = words.take();
  if (kind == TraceKind::clock || kind == TraceKind::ticks) stream.clock = static_cast<std::int64_t>(words.take());
  if (kind == TraceKind::ticks) clock_.note(stream.clock, static_cast<std::int64_t>(words.take()));
  if (!internal::is_trace_operation(kind) && !internal::is_trace_moment(kind)) return !words.too_few();
  if (kind == TraceKind::again) return read_malloc_again(stream, first, words.take()) && !words.too_few();
  record = {};
  stream.next.duration = -1;
  record.kind = kind;
  record.type = first.type;
  record.context = stream.context;
  if (kind == TraceKind::malloc) record.traits = internal::unpack_trace_traits(words.take());
  if (internal::has_trace_size(kind)) record.size = words.take();
  if (internal::is_trace_moment(kind)) {
    for (std::size_t figure = 0; figure < internal::trace_figures_of(kind); ++figure) stream.next.moment.figures[figure] = words.take();
  } else if (kind >= TraceKind::malloc) {
    record.block = static_cast<std::int64_t>(words.take());
  }
  if (kind == TraceKind::copy) record.source = static_cast<std::int64_t>(words.take());
  auto time = static_cast<std::int64_t>(static_cast<std::uint64_t>(stream.clock) + first.value);
  for (unsigned bit = 1; bit <= 0xff; bit <<= 1) {
    if (!(first.flags & bit)) continue;
    const std::uint64_t word = words.take();
    switch (static_cast<TraceFlag>(bit)) {
      case TraceFlag::result: record.result = static_cast<std::int32_t>(static_cast<std::int64_t>(word)); break;
      case TraceFlag::block: record.block_context = word; break;
      case TraceFlag::source: record.source_context = word; break;
      case TraceFlag::context: record.context = word; break;
      case TraceFlag::clock: time = static_cast<std::int64_t>(word); break;
      case TraceFlag::duration: stream.next.duration = static_cast<std::int64_t>(word); break;
    }
  }
  pass(stream, time);
  if (kind == TraceKind::malloc) stream.last_malloc = record;
  return !words.too_few();
}

// A malloc like the last one. False where there is none.
bool TraceParts::read_malloc_again(Stream& stream, const internal::TraceWord& first, std::uint64_t word) {
  internal::TraceRecord& record = stream.next.record;
  record = stream.last_malloc;
  stream.next.duration = -1;
  record.result = 0;
  record.block_context = record.source_context = 0;
  record.context = stream.context;
  record.size = word & ((std::uint64_t{1} << internal::trace_size_bits) - 1);
  record.block = static_cast<std::int64_t>(word >> internal::trace_size_bits);
  pass(stream, static_cast<std::int64_t>(static_cast<std::uint64_t>(stream.clock) + first.value));
  return record.kind == TraceKind::malloc;
}

// The time and the thread of a stream's record.
void TraceParts::pass(Stream& stream, std::int64_t time) {
  stream.next.time = std::max(time, stream.next.time);
  stream.next.thread = stream.thread;
}

std::string_view TraceParts::label(std::uint32_t number) const {
  const auto found = labels_.find(number);
  return found == labels_.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<cadastre_memory_type> TraceParts::memory_type(std::uint8_t type) const { return types_[type]; }

std::string TraceParts::device(std::uint64_t word) const {
  const std::uint32_t backend = internal::high_half(word);
  const auto found = backends_.find(backend);
  const bool is_known = found != backends_.end() && !found->second.empty();
  return (is_known ? printable(found->second, internal::longest_name_of_backend) : "backend_" + std::to_string(backend)) + " " +
         std::to_string(internal::low_half(word));
}

std::string_view TraceParts::device_of(const internal::TraceRecord& record) {
  if (!internal::is_on_device(record)) return {};
  const std::uint64_t word = internal::word_of_device(record.traits);
  const auto found = devices_.find(word);
  return found == devices_.end() ? devices_.emplace(word, device(word)).first->second : found->second;
}

std::optional<Kind> operation_of(TraceKind kind) {
  static const std::array<std::optional<Kind>, internal::trace_kinds> operations = [] {
    std::array<std::optional<Kind>, internal::trace_kinds> all;
    for (std::size_t number = 0; number < kinds; ++number)
      all[static_cast<std::size_t>(record_kind_of(static_cast<Kind>(number)))] = static_cast<Kind>(number);
    return all;
  }();
  return operations[static_cast<std::size_t>(kind)];
}

TraceKind record_kind_of(Kind kind) {
  static const std::array<TraceKind, kinds> records = [] {
    std::array<TraceKind, kinds> all{};
    for (std::size_t number = 0; number < internal::trace_kinds; ++number) {
      for (std::size_t operation = 0; operation < kinds; ++operation) {
        if (name_of(static_cast<Kind>(operation)) == internal::trace_kind_rows[number].name)
          all[operation] = static_cast<TraceKind>(number);
      }
    }
    return all;
  }();
  return records[static_cast<std::size_t>(kind)];
}

void TraceParts::refuse(const std::string& what) const {
  throw TraceError(input_.name() + ": record " + std::to_string(passed_on_) + ": " + what);
}

void TraceParts::refuse_file(const std::string& what) const { throw TraceError(input_.name() + ": " + what); }

void TraceParts::refuse_part(const Part& part, std::size_t word, const std::string& what) const {
  const std::uint64_t number = first_part_ + part.number, byte = number * internal::trace_part_bytes + 8 * word;
  throw TraceError(input_.name() + ": part " + std::to_string(number) + " is damaged at byte " + std::to_string(byte) + ": " + what +
                   "; copy the file again");
}

}  // namespace cadastre::command
