// Tangled from org/tests/fuzz.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Files that are drawn at random are read; for libFuzzer. See tools/fuzz.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/black_box.hpp"
#include "black_box_report.hpp"
#include "convert.hpp"
#include "out/trace_format.hpp"
#include "trace.hpp"
#include "trace_report.hpp"
#include "trace_source.hpp"
#include "trace_summary.hpp"
#include "traces_of_file.hpp"

namespace {

using namespace cadastre::command;
namespace format = cadastre::internal;

// A file of these bytes, by its path.
const std::string& file_of(std::string_view bytes) {
  static const int file = memfd_create("drawn", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  return path;
}

void check(bool holds) {
  if (!holds) std::abort();
}

// Words of what was drawn, one after the other; 0 behind the last.
class Words {
 public:
  explicit Words(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  std::uint64_t take() {
    std::uint64_t word = 0;
    const std::size_t size = std::min(bytes_.size(), sizeof word);
    std::memcpy(&word, bytes_.data(), size);
    bytes_.remove_prefix(size);
    return word;
  }

 private:
  std::string_view bytes_;
};

std::string head_of(std::string text) {
  text.resize(std::min((text.size() + 7) / 8 * 8, format::most_trace_text / 8 * 8), '\n');
  const format::TraceHead head = format::trace_head(text.data(), text.size(), 1, format::TraceState::ended);
  std::string part(format::trace_part_bytes, '\0');
  std::memcpy(part.data(), &head, sizeof head);
  std::memcpy(part.data() + sizeof head, text.data(), text.size());
  return part;
}

std::string part_of(Words& words) {
  std::vector<std::uint64_t> part(format::trace_part_words);
  const std::uint64_t first = words.take();
  format::TracePartHead& head = format::trace_part_head(part.data());
  head.stream_and_thread = format::pack_halves(first & 0xff, static_cast<std::uint32_t>(first >> 32));
  head.time = words.take();
  head.context = words.take();
  head.nanoseconds = head.time;
  head.place = first >> 40 & 0xff;  // of a slot, where it belongs
  std::size_t used = format::trace_part_head_words;
  const std::size_t end = std::min<std::size_t>(used + (first >> 16 & 0xffff), part.size());
  while (used < end && !words.empty()) part[used++] = words.take();
  format::finish_trace_part(part.data(), used);
  head.state = first >> 8 & 0xff;
  return {reinterpret_cast<const char*>(part.data()), format::trace_part_bytes};
}

void report_on(std::vector<Summary> summaries) {
  std::int64_t held = 0;
  for (const LabelSummary& label : summaries[0].labels) held += label.at_peak.bytes;
  check(held == summaries[0].types[all_types].peak.bytes);
  for (const char* const form : {"text", "json", "csv", "folded", "perfetto"})
    check(!report_on(Traces{summaries}, form, true).empty() || *form == 'f');
}

// Each trace of a file, whatever is wrong with the one before.
void report_on_it(const std::string& path) {
  std::optional<TracesOfFile> all;
  for (bool is_more = true; is_more;) {
    try {
      is_more = false;  // where it cannot be opened
      if (!all) all.emplace(path, Remembers::what_lives);
      is_more = true;
      const std::unique_ptr<TraceSource> source = all->next();
      is_more = source != nullptr;
      if (source) report_on(std::vector<Summary>(1, summarize(*source, Timeline())));
    } catch (const TraceError& error) {
      check(*error.what() != '\0');
    }
  }
  check(!pieces_of(path).empty());
}

constexpr std::uint64_t most_operations_read = 20000;

void convert_it(const std::string& path) {
  std::vector<Trace> traces;
  try {
    traces = read_traces(path, most_operations_read);
  } catch (const TraceError&) {
    return;
  }
  const Trace* const trace = &traces.back();
  const std::string lines = as_lines(*trace), records = as_records(*trace);
  check(as_lines(read_trace(file_of(lines), most_operations_read)) == lines);
  check(read_trace(file_of(records), most_operations_read).operations.size() <= trace->operations.size());
}

void read_bytes(std::string_view bytes) {
  report_on_it(file_of(bytes));
  convert_it(file_of(bytes));
}

void read_records(std::string_view drawn) {
  const std::size_t end = std::min(drawn.find('\0'), drawn.size());
  std::string bytes = head_of(std::string(drawn.substr(0, end)));
  Words words(drawn.substr(std::min(end + 1, drawn.size())));
  const std::string head = bytes;
  for (int parts = 0; parts < 8 && !words.empty(); ++parts) bytes += parts == 5 ? head : part_of(words);
  read_bytes(bytes);
}

void read_box(std::string_view bytes) {
  try {
    const std::vector<BlackBox> boxes(1, read_black_box(file_of(bytes)));
    check(!as_text(boxes, true).empty() && !as_json(boxes).empty());
  } catch (const BlackBoxError& error) {
    check(*error.what() != '\0');
  }
}

void (*read_what_was_drawn)(std::string_view) = read_bytes;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** words) {
  const std::string_view program((*words)[0]);
  if (program.ends_with("records")) read_what_was_drawn = read_records;
  if (program.ends_with("black_box")) read_what_was_drawn = read_box;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  read_what_was_drawn({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
