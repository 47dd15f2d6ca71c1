// Tangled from org/command/trace_parts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The records of a trace's file in the order of their times.
#ifndef CADASTRE_SRC_COMMAND_TRACE_PARTS_HPP
#define CADASTRE_SRC_COMMAND_TRACE_PARTS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "cadastre.h"
#include "out/trace_format.hpp"
#include "trace.hpp"
#include "trace_clock.hpp"
#include "trace_input.hpp"

namespace cadastre::command {

// The operation that a kind of record is of, none for the other kinds; and the kind for an operation.
std::optional<Kind> operation_of(internal::TraceKind kind);
internal::TraceKind record_kind_of(Kind kind);

// An operation of a file, with all that was said of it before; or a moment, whose kind the record has.
struct ReadRecord {
  internal::TraceRecord record;
  internal::TraceMoment moment;
  std::int64_t time = 0;
  std::int64_t duration = -1;  // negative: it was not timed
  std::uint32_t thread = 0;
};

// The words of a record, one after the other; 0 behind the last.
class WordsOfRecord {
 public:
  WordsOfRecord(const std::uint64_t* words, std::size_t count) : words_(words), left_(count) {}
  std::uint64_t take() {
    if (left_ == 0) {
      too_few_ = true;
      return 0;
    }
    --left_;
    return *words_++;
  }
  bool too_few() const { return too_few_; }

 private:
  const std::uint64_t* words_;
  std::size_t left_;
  bool too_few_ = false;
};

class TraceParts {
 public:
  // Reads the head. The input outlives this. Throws TraceError, or std::bad_alloc, as the others do.
  explicit TraceParts(TraceInput& input);

  bool next(ReadRecord& record);
  // Of a number that a record had; empty for none.
  std::string_view label(std::uint32_t number) const;
  // The name of this library for a memory type of the file, which may be another version's; none: it is unknown here.
  std::optional<cadastre_memory_type> memory_type(std::uint8_t type) const;

  // Of the word of a device: "cuda 0".
  std::string device(std::uint64_t word) const;
  // Of which a block of DEVICE memory is; empty where that is not known, or it is the host that plays one.
  std::string_view device_of(const internal::TraceRecord& record);

  const internal::TraceHead& head() const noexcept { return head_; }
  // At the end: how many parts the file had when it was ended, and has no more.
  std::uint64_t missing_parts() const noexcept { return head_.parts - std::min(head_.parts, parts_); }
  // What the head's text says under a name; empty where it does not.
  std::string_view said(std::string_view name) const { return text_under(name, said_); }
  // Refuses the last record that was passed on.
  [[noreturn]] void refuse(const std::string& what) const;
  std::uint64_t passed_on() const noexcept { return passed_on_; }

 private:
  struct Part {
    std::uint64_t number = 0, place = 0;  // where it is, and of a slot, where it belongs
    std::uint32_t stream = 0, thread = 0;
    std::int64_t time = 0;
    std::uint64_t context = 0;
    std::vector<std::uint64_t> words;
  };
  struct Stream {
    std::deque<Part> parts;
    std::size_t word = 0;  // where the next record is in the first of them
    std::int64_t clock = 0;
    std::uint64_t context = 0;
    std::uint32_t thread = 0;
    internal::TraceRecord last_malloc;  // of the part
    ReadRecord next;
  };
  struct Order {
    std::int64_t time;
    unsigned rank;
    std::uint32_t stream;
    bool operator<(const Order& other) const {  // for a queue that gives the largest first
      return time != other.time ? time > other.time : rank != other.rank ? rank > other.rank : stream > other.stream;
    }
  };

  void read_text(std::string_view rest);
  void read_line(std::string_view line);
  void read_backend(std::string_view line);
  std::optional<Part> read_next();
  std::optional<Part> as_part(Part part);
  void come();
  void begin(Stream& stream);
  bool advance(Stream& stream);
  bool read_record(Stream& stream, const Part& part);
  bool read_words(Stream& stream, internal::TraceKind kind, const internal::TraceWord& first, WordsOfRecord words);
  bool read_malloc_again(Stream& stream, const internal::TraceWord& first, std::uint64_t word);
  static void pass(Stream& stream, std::int64_t time);
  std::string text_in(const std::uint64_t* words, std::size_t count) const;
  void offer(std::uint32_t number, Stream& stream);
  bool is_wanted();
  std::size_t read_whole(std::uint64_t* words);
  [[noreturn]] void refuse_file(const std::string& what) const;
  [[noreturn]] void refuse_part(const Part& part, std::size_t word, const std::string& what) const;

  TraceInput& input_;
  internal::TraceHead head_{};
  bool swapped_ = false;
  bool ends_at_zero_ = true;  // whether nothing behind a word of 0 is of its part
  Said said_;
  std::array<internal::TraceKind, 256> kinds_{};  // what each kind of the file is here
  std::array<std::optional<cadastre_memory_type>, 256> types_{};
  std::map<std::uint32_t, std::string> backends_;
  std::map<std::uint64_t, std::string> devices_;  // of blocks, by their words
  std::map<std::uint32_t, std::string> labels_;
  std::map<std::uint32_t, Stream> streams_;
  std::priority_queue<Order> earliest_;
  std::optional<Part> coming_;                       // the part that was read and belongs to no stream yet
  std::optional<Part> ahead_;                        // the next one that is in its place
  std::map<std::int64_t, std::vector<Part>> slots_;  // by their times, those whose turn has not come
  std::map<std::uint32_t, std::uint64_t> last_;      // by streams, the last part that is in its place
  TraceClock clock_;
  std::uint64_t first_part_;  // where the head is, counted in parts
  std::uint64_t parts_ = 0;
  std::uint64_t passed_on_ = 0;
};

}  // namespace cadastre::command
#endif
