// Tangled from org/command/trace_lines.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_lines.hpp"

#include <algorithm>
#include <cstring>

#include "trace.hpp"

namespace cadastre::command {

namespace {

constexpr std::size_t longest_line = 65536;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

void Lines::refuse(std::size_t column, const std::string& what) const {
  throw TraceError(name() + ":" + std::to_string(number_) + ":" + std::to_string(column) + ": " + what);
}

// Reads on behind the part of a line that the buffer ends with; false at the end of the file.
bool Lines::fill() {
  std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
  end_ -= begin_;
  begin_ = 0;
  const std::size_t got = input_.read(buffer_.data() + end_, buffer_.size() - end_, "line " + std::to_string(number_));
  end_ += got;
  return got > 0;
}

bool Lines::next() {
  std::size_t searched = 0;
  while (true) {
    const char* start = buffer_.data() + begin_;
    const void* found = std::memchr(start + searched, '\n', end_ - begin_ - searched);
    if (found) {
      text_ = {start, static_cast<std::size_t>(static_cast<const char*>(found) - start)};
      begin_ += text_.size() + 1;
      break;
    }
    searched = end_ - begin_;
    if (searched > longest_line) break;
    if (!fill()) {
      if (begin_ == end_) return false;
      text_ = {buffer_.data() + begin_, end_ - begin_};
      begin_ = end_;
      cut_ = true;
      break;
    }
  }
  ++number_;
  if (searched > longest_line || text_.size() > longest_line) {
    refuse(longest_line + 1, "the line is longer than " + std::to_string(longest_line) +
                                 " bytes; this is not an allocation trace, or its line breaks are missing");
  }
  if (number_ == 1 && text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  if (text_.ends_with('\r')) text_.remove_suffix(1);
  return true;
}

const std::vector<Field>& Fields::split(const Lines& lines) {
  const std::string_view line = lines.text();
  const auto control = std::find_if(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (control != line.end()) {
    const auto at = static_cast<std::size_t>(control - line.begin());
    const int code = static_cast<unsigned char>(*control);
    lines.refuse(at + 1, code == 0
                             ? "a NUL byte; a trace is text"
                             : "a control character (byte " + std::to_string(code) + "); a trace is text, its fields separated by commas");
  }
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(line.size());
  for (std::size_t at = 0;; ++at) {
    if (at < line.size() && line[at] == '"') {
      fields_.push_back(quoted(lines, at));
    } else {
      const std::size_t comma = std::min(line.find(',', at), line.size());
      fields_.push_back({line.substr(at, comma - at), at + 1});
      const std::size_t quote = fields_.back().text.find('"');
      if (quote != std::string_view::npos) {
        lines.refuse(at + quote + 1, "a quote inside a field that does not begin with one; quote the whole "
                                     "field, and write each quote in it twice");
      }
      at = comma;
    }
    if (at == line.size()) return fields_;
  }
}

// Reads the quoted field that begins at a position, and leaves that at the comma or the end behind it.
Field Fields::quoted(const Lines& lines, std::size_t& at) {
  const std::string_view line = lines.text();
  const std::size_t start = at;
  const std::size_t kept = unquoted_.size();
  while (true) {
    const std::size_t quote = line.find('"', ++at);
    if (quote == std::string_view::npos) {
      lines.refuse(start + 1, "a quoted field that does not end on this line; close its quote, and remove "
                              "line breaks");
    }
    unquoted_.append(line.substr(at, quote - at));
    at = quote + 1;
    if (at == line.size() || line[at] != '"') break;
    unquoted_ += '"';
  }
  if (at < line.size() && line[at] != ',') {
    lines.refuse(at + 1, "'" + printable(line.substr(at, 1)) + "' after the quote that ends a field; a comma belongs here");
  }
  return {std::string_view(unquoted_).substr(kept), start + 1};
}

}  // namespace cadastre::command
