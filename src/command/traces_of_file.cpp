// Tangled from org/command/traces_of_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "traces_of_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "out/black_box_format.hpp"
#include "out/trace_format.hpp"
#include "trace_parts.hpp"

namespace cadastre::command {

NamedTraces named_traces(const std::string& path) {
  const std::size_t mark = path.rfind('#');
  if (mark == std::string::npos || access(path.c_str(), F_OK) == 0) return {path};
  std::uint64_t number = 0;
  const char* const end = path.data() + path.size();
  const auto [last, error] = std::from_chars(path.data() + mark + 1, end, number);
  const std::string file = path.substr(0, mark);
  if (error != std::errc() || last != end || number == 0 || access(file.c_str(), F_OK) != 0) return {path};
  return {file, number};
}

namespace {

bool read_head(int file, std::uint64_t place, internal::TraceHead& head) {
  return pread(file, &head, sizeof head, static_cast<off_t>(place)) == static_cast<ssize_t>(sizeof head) &&
         internal::is_trace_head(head.magic);
}

// Where the next trace begins; 0 where that is not known.
std::uint64_t place_of_next(int file, std::uint64_t place, const internal::TraceHead& head) {
  const bool swapped = head.byte_order != internal::trace_byte_order;
  const std::uint64_t parts = swapped ? __builtin_bswap64(head.parts) : head.parts;
  constexpr std::uint64_t most_parts = (std::uint64_t{1} << 62) / internal::trace_part_bytes;
  if (parts >= most_parts - place / internal::trace_part_bytes) return 0;
  const std::uint64_t next = place + (parts + 1) * internal::trace_part_bytes;
  internal::TraceHead other;
  return read_head(file, next, other) ? next : 0;
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
    const std::uint64_t next = place_of_next(file, last.extent.begin, head);
    if (next == 0) break;
    last.extent.bytes = next - last.extent.begin;
    pieces.push_back({.extent = {.begin = next}, .number = last.number + 1});
  }
  close(file);
  return pieces;
}

TracesOfFile::TracesOfFile(const std::string& path, Remembers remembers, WasRead was_read, const PieceOfFile& piece)
    : named_(named_traces(path)),
      remembers_(remembers),
      input_(std::make_shared<TraceInput>(named_.file, std::move(was_read), piece.extent)),
      number_(piece.number) {}

std::string TracesOfFile::name() const {
  const std::string number = number_ > 1 || named_.number > 0 ? "#" + std::to_string(number_) : "";
  return name_of_trace(named_.file) + number;
}

// Goes to the next; false behind the last.
bool TracesOfFile::begin() {
  if (begun_) {
    if (!records_ || !find_head()) return false;
    ++number_;
    return true;
  }
  begun_ = true;
  if (input_->peek(sizeof internal::black_box_magic) == std::string_view(internal::black_box_magic, sizeof internal::black_box_magic))
    throw TraceError(input_->name() + ": this is a black box and no trace; cadastre report --blackbox reads it");
  records_ = TraceParts::is_one(*input_);
  return true;
}

// Passes over what is no head.
bool TracesOfFile::find_head() {
  if (input_->is_broken()) return false;
  std::vector<char> part(internal::trace_part_bytes);
  while (const std::size_t got = input_->read_all(part.data(), part.size(), "a trace")) {
    if (got < sizeof internal::trace_magic || !internal::is_trace_head(part.data())) continue;
    input_->give_back({part.data(), got});
    return true;
  }
  return false;
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
