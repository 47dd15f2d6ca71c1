// Tangled from org/command/traces_of_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "traces_of_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/text.hpp"
#include "out/black_box_format.hpp"
#include "out/trace_format.hpp"
#include "trace_parts.hpp"

namespace cadastre::command {

NamedTraces named_traces(const std::string& path) {
  const std::size_t mark = path.rfind('#');
  if (mark == std::string::npos || access(path.c_str(), F_OK) == 0) return {path};
  const std::uint64_t number = internal::parse_number(std::string_view(path).substr(mark + 1)).value_or(0);
  const std::string file = path.substr(0, mark);
  if (number == 0 || access(file.c_str(), F_OK) != 0) return {path};
  return {file, number};
}

namespace {

bool read_head(int file, std::uint64_t place, internal::TraceHead& head) {
  return pread(file, &head, sizeof head, static_cast<off_t>(place)) == static_cast<ssize_t>(sizeof head) &&
         internal::is_trace_head(head.magic);
}

// Where the parts of a trace end; UINT64_MAX where its head does not say.
std::uint64_t end_of_trace(std::uint64_t place, const internal::TraceHead& head) {
  const auto native = [&](std::uint64_t word) { return head.byte_order == internal::trace_byte_order ? word : __builtin_bswap64(word); };
  constexpr std::uint64_t most_parts = (std::uint64_t{1} << 62) / internal::trace_part_bytes;
  const std::uint64_t parts = native(head.parts);
  if (native(head.state) == static_cast<std::uint64_t>(internal::TraceState::written) || parts >= most_parts) return UINT64_MAX;
  return std::min(place, UINT64_MAX / 2) + (parts + 1) * internal::trace_part_bytes;
}

}  // namespace

std::vector<PieceOfFile> pieces_of(const std::string& path) {
  std::vector<PieceOfFile> pieces(1);
  struct stat status{};
  if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return pieces;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return pieces;
  internal::TraceHead head;
  while (read_head(file, pieces.back().extent.begin, head)) {
    PieceOfFile& last = pieces.back();
    const std::uint64_t next = end_of_trace(last.extent.begin, head);
    internal::TraceHead other;
    if (!read_head(file, next, other)) break;
    last.extent.bytes = next - last.extent.begin;
    pieces.push_back({.extent = {.begin = next}, .number = last.number + 1});
  }
  close(file);
  return pieces;
}

namespace {

// The piece that has the trace that is named.
PieceOfFile piece_with(const NamedTraces& named, const PieceOfFile& given) {
  PieceOfFile found = given;
  if (named.number <= 1) return found;
  for (const PieceOfFile& piece : pieces_of(named.file)) {
    if (piece.number <= named.number) found = piece;
  }
  return found;
}

}  // namespace

TracesOfFile::TracesOfFile(const std::string& path, Remembers remembers, WasRead was_read, const PieceOfFile& given)
    : named_(named_traces(path)), remembers_(remembers) {
  const PieceOfFile piece = piece_with(named_, given);
  input_ = std::make_shared<TraceInput>(named_.file, std::move(was_read), piece.extent);
  number_ = piece.number - 1;
}

std::string TracesOfFile::name() const {
  const std::string number = number_ > 1 || named_.number > 0 ? "#" + std::to_string(number_) : "";
  return name_of_trace(named_.file) + number;
}

// What no text begins with may have been the head of a trace, or would have become one. A text that is damaged has its reader say where.
void TracesOfFile::look_at_the_beginning() {
  constexpr std::ptrdiff_t most_controls = 4;  // a head has nine
  begun_ = true;
  if (input_->peek(sizeof internal::black_box_magic) == std::string_view(internal::black_box_magic, sizeof internal::black_box_magic))
    throw TraceError(input_->name() + ": this is a black box and no trace; cadastre report --blackbox reads it");
  const std::string_view beginning = input_->peek(32);
  records_ = std::count_if(beginning.begin(), beginning.end(), [](char c) { return internal::is_control(c) && c != '\n'; }) > most_controls;
  is_unfinished_ = beginning.starts_with(internal::joined_mark);
  is_at_next_ = !records_ || find_head();
  if (!is_at_next_) passed_from_ = 0;
}

// Goes to the next; false behind the last.
bool TracesOfFile::begin() {
  if (!begun_) {
    look_at_the_beginning();
  } else if (records_ && !is_at_next_) {
    is_at_next_ = find_head();
  }
  if (const std::uint64_t from = std::exchange(passed_from_, no_place); from != no_place) refuse_what_was_passed_over(from);
  if (!is_at_next_) return false;
  is_at_next_ = false;
  ++number_;
  return true;
}

// Passes over what is no head.
bool TracesOfFile::find_head() {
  if (input_->is_broken()) return false;
  std::vector<char> part(internal::trace_part_bytes);
  while (true) {
    const std::uint64_t place = input_->place();
    const std::size_t got = input_->read_all(part.data(), part.size(), "a trace");
    if (got == 0) return false;
    internal::TraceHead head{};
    std::memcpy(&head, part.data(), std::min(got, sizeof head));
    if (got >= sizeof head.magic && internal::is_trace_head(head.magic)) {
      end_ = end_of_trace(place, head);
      input_->give_back({part.data(), got});
      return true;
    }
    const bool is_empty = std::count(part.data(), part.data() + got, '\0') == static_cast<std::ptrdiff_t>(got);
    if (place >= end_ && !is_empty) passed_from_ = std::min(passed_from_, place);
  }
}

void TracesOfFile::refuse_what_was_passed_over(std::uint64_t place) const {
  if (number_ == 0 && !is_at_next_ && !is_unfinished_)
    throw TraceError(input_->name() + ": this is no trace, neither as CADASTRE_TRACE writes one nor as CSV");
  const std::string what = input_->name() + ": what begins at byte " + std::to_string(place) + " is no trace: ";
  constexpr const char* killed = "the process that appended it was killed, and has it in a file of its own";
  throw TraceError(what + (is_unfinished_ && place == 0 ? killed
                           : is_at_next_                ? "its head is damaged"
                                                        : std::string("its head is damaged, or ") + killed));
}

std::unique_ptr<TraceSource> TracesOfFile::next() {
  while (true) {
    const bool is_there = begin();
    if (!is_there && named_.number > number_) {
      const std::uint64_t wanted = std::exchange(named_.number, number_);
      throw TraceError(input_->name() + ": trace " + std::to_string(wanted) + " is asked for; the file has " + std::to_string(number_));
    }
    if (!is_there || (named_.number > 0 && number_ > named_.number)) return nullptr;
    if (named_.number <= 1 || number_ == named_.number)
      return records_ ? record_source(input_, name(), remembers_) : text_source(input_, name());
    if (records_) input_->pass_over(internal::trace_part_bytes);  // the head of one that is not asked for
  }
}

std::unique_ptr<TraceSource> open_trace(const std::string& path, Remembers remembers, WasRead was_read) {
  return TracesOfFile(path, remembers, std::move(was_read)).next();
}

}  // namespace cadastre::command
