// Tangled from org/command/convert.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "convert.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "cadastre.h"
#include "out/trace_fields.hpp"
#include "out/trace_format.hpp"
#include "trace_parts.hpp"

namespace cadastre::command {

using internal::TraceKind;

namespace {

std::string line_of_head(std::string_view name, std::string_view text) {
  constexpr std::size_t longest = 4096;
  std::string line(text.substr(0, longest));
  std::replace_if(line.begin(), line.end(), [](char c) { return internal::is_control(c); }, '?');
  return std::string(name) + ' ' + line;
}

// Without their ends. Where no program is known that wrote the trace, it is this one.
std::vector<std::string> lines_of_head(const Trace& trace) {
  std::vector<std::string> lines;
  if (!trace.said.contains("program")) lines.push_back(std::string("program cadastre ") + cadastre_get_version());
  for (const std::string_view name : names_of_process) {
    if (const std::string_view text = text_under(name, trace.said); !text.empty()) lines.push_back(line_of_head(name, text));
  }
  if (!trace.incomplete.empty()) lines.push_back(line_of_head(line_of_lack, trace.incomplete));
  return lines;
}

}  // namespace

namespace {

bool is_of_blocks(Kind kind) { return kind != Kind::create && kind != Kind::destroy; }

// Each block on a heap has 16 at least, whatever was asked for.
bool is_aligned_by_request(const Operation& operation) {
  constexpr int of_any_block = 4;
  return operation.kind == Kind::malloc && operation.alignment_log2 > of_any_block;
}

// Of a trace of lines, and more.
std::string columns_with(const std::string& more) {
  std::string columns(internal::columns_of_a_trace);
  columns.insert(columns.size() - 1, more);
  return columns;
}

std::string figure_of(std::int64_t bytes) { return bytes < 0 ? " -" : " " + std::to_string(bytes); }

std::string comment_of(const MemoryUse& use) {
  if (use.node >= 0) return internal::comment_of_node + std::to_string(use.time) + figure_of(use.node) + figure_of(use.used) + '\n';
  if (use.device.empty()) {
    return internal::comment_of_resident + std::to_string(use.time) + figure_of(use.used) + figure_of(use.live) + figure_of(use.kept) +
           figure_of(use.huge) + '\n';
  }
  return internal::comment_of_device + std::to_string(use.time) + ' ' + use.device + figure_of(use.used) + figure_of(use.total) +
         figure_of(use.live) + '\n';
}

}  // namespace

std::string as_lines(const Trace& trace) {
  std::string text;
  if (!trace.said.empty() || !trace.incomplete.empty() || !trace.uses.empty()) {
    text += std::string("# cadastre ") + cadastre_get_version() + '\n';
    for (const std::string& line : lines_of_head(trace)) text += "# " + line + '\n';
  }
  const bool has_alignment = std::any_of(trace.operations.begin(), trace.operations.end(), is_aligned_by_request);
  const bool has_durations = !trace.durations.empty();
  text += columns_with(std::string(has_durations ? ",duration" : "") + (has_alignment ? ",alignment" : ""));
  auto duration = trace.durations.begin();
  std::size_t written = 0;
  const auto put = [&](char letter) { text += letter; };
  auto write_uses_before = [&, next = trace.uses.begin()](std::size_t operation) mutable {
    for (; next != trace.uses.end() && next->operation <= operation; ++next) text += comment_of(next->use);
  };
  for (const Operation& operation : trace.operations) {
    write_uses_before(written++);
    const bool allocates = operation.kind == Kind::malloc;
    text += name_of(operation.kind);
    text += ',' + std::to_string(trace.contexts[operation.context]) + ',';
    if (is_of_blocks(operation.kind) && !(allocates && operation.result != 0)) text += std::to_string(trace.number_of(operation.block));
    text += ',';
    if (operation.kind == Kind::copy) text += std::to_string(trace.number_of(operation.source));
    text += ',';
    if (operation.has_size) text += std::to_string(operation.size);
    text += ',';
    if (allocates) text += cadastre_string_of_memory_type(operation.type);
    text += ',' + std::to_string(trace.threads[operation.thread]) + ',' + std::to_string(operation.time) + ',';
    internal::put_label(trace.labels[operation.label], put);
    text += ',' + std::to_string(operation.result) + ',';
    internal::put_label(trace.devices[operation.device], put);
    const bool is_timed = duration != trace.durations.end() && duration->operation == written - 1;
    if (has_durations) text += ',' + (is_timed ? std::to_string((duration++)->nanoseconds) : std::string());
    if (has_alignment) text += is_aligned_by_request(operation) ? ',' + std::to_string(std::uint64_t{1} << operation.alignment_log2) : ",";
    text += '\n';
  }
  write_uses_before(SIZE_MAX);
  return text;
}

namespace {

// Parts of one stream, full but the last.
class RecordStream {
 public:
  // Room for so many words in one part. Where another one begins, nothing is said in it yet.
  void make_room(std::size_t words, std::uint32_t thread, std::uint64_t context, std::int64_t time) {
    if (used_ > 0 && used_ + words <= internal::trace_part_words) return;
    finish();
    begin_ = words_.size();
    used_ = internal::trace_part_head_words;
    words_.resize(begin_ + internal::trace_part_words);
    head().stream_and_thread = internal::pack_halves(1, thread);
    head().time = static_cast<std::uint64_t>(time);
    head().context = context;
    thread_ = thread;
    context_ = context;
    clock_ = time;
  }
  void put(TraceKind kind, std::uint32_t value, const std::vector<std::uint64_t>& words) {
    const auto count = static_cast<std::uint8_t>(words.size() + 1);
    words_[begin_ + used_++] = internal::pack_trace_word({kind, count, 0, 0, value});
    for (const std::uint64_t word : words) words_[begin_ + used_++] = word;
  }
  void say_thread(std::uint32_t thread) {
    if (thread != thread_) put(TraceKind::thread, thread_ = thread, {});
  }
  void say_context(std::uint64_t context) {
    if (context != context_) put(TraceKind::context, 0, {context_ = context});
  }
  // duration: negative for none.
  void put(const internal::TraceRecord& record, std::int64_t time, std::int64_t duration) {
    say_time(time);
    internal::TraceWords words = internal::words_of(record);
    if (duration >= 0) words.add_flag(internal::TraceFlag::duration, static_cast<std::uint64_t>(duration));
    words.at[0] |= static_cast<std::uint64_t>(time - clock_) << 32;
    put_words(words);
  }
  void put(const internal::TraceMoment& moment, std::int64_t time) {
    say_time(time);
    internal::TraceWords words = internal::words_of(moment);
    words.at[0] |= static_cast<std::uint64_t>(time - clock_) << 32;
    put_words(words);
  }
  void finish() {
    if (used_ == 0) return;
    internal::finish_trace_part(&words_[begin_], used_);
    head().state = static_cast<std::uint64_t>(internal::TracePartState::full);
  }
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  void say_time(std::int64_t time) {
    if (time - clock_ > INT32_MAX) put(TraceKind::clock, 0, {static_cast<std::uint64_t>(clock_ = time)});
  }
  void put_words(const internal::TraceWords& words) {
    for (std::uint32_t word = 0; word < words.count; ++word) words_[begin_ + used_++] = words.at[word];
  }
  internal::TracePartHead& head() { return internal::trace_part_head(&words_[begin_]); }

  std::vector<std::uint64_t> words_;
  std::size_t begin_ = 0, used_ = 0;  // of the part that is written
  std::uint32_t thread_ = 0;
  std::uint64_t context_ = 0;
  std::int64_t clock_ = 0;
};

}  // namespace

namespace {

// 0 where it is not known.
std::uint64_t number_of_process(const Trace& trace) { return internal::parse_number(text_under("process", trace.said)).value_or(0); }

// Numbers for the backends of devices, as the head has them: this library's own, and others for names that are not of it.
class BackendNumbers {
 public:
  // The word of a device, "cuda 0".
  std::uint64_t word_of(const std::string& device) {
    const std::size_t blank = std::min(device.rfind(' '), device.size());
    const std::string_view number = std::string_view(device).substr(std::min(blank + 1, device.size()));
    return internal::pack_halves(internal::parse_number<std::uint32_t>(number).value_or(0), number_of(device.substr(0, blank)));
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < others_.size(); ++i) lines.push_back("backend " + std::to_string(first_other + i) + " " + others_[i]);
    return lines;
  }

 private:
  static constexpr std::uint32_t first_other = 128;  // a block has 8 bits for its number
  static constexpr std::size_t most_others = 64;     // that have names

  std::uint32_t number_of(const std::string& name) {
    std::uint32_t found = 0;
    internal::for_each_backend([&](cadastre_backend backend, const char* its_name) {
      if (name == its_name) found = static_cast<std::uint32_t>(backend);
    });
    if (found != 0) return found;
    const auto place = std::find(others_.begin(), others_.end(), name);
    const auto number = static_cast<std::uint32_t>(first_other + static_cast<std::size_t>(place - others_.begin()));
    if (place == others_.end() && others_.size() < most_others) others_.push_back(name);
    return number;
  }

  std::vector<std::string> others_;
};

internal::TraceMoment moment_of(const MemoryUse& use, BackendNumbers& backends) {
  const auto word = [](std::int64_t figure) { return figure < 0 ? internal::no_trace_figure : static_cast<std::uint64_t>(figure); };
  if (use.node >= 0) return {TraceKind::node, {word(use.node), word(use.used)}};
  if (use.device.empty()) return {TraceKind::resident, {word(use.used), word(use.live), word(use.kept), word(use.huge)}};
  return {TraceKind::device, {backends.word_of(use.device), word(use.used), word(use.total), word(use.live)}};
}

// The head of a file that is whole, with its padding.
std::string head_of(const Trace& trace, std::int64_t end, std::size_t parts, const BackendNumbers& backends) {
  std::string text;
  for (const std::string& line : lines_of_head(trace)) text += line + "\n";
  internal::tell_trace_tables([&](const char* line) { text += std::string(line) + "\n"; });
  for (const std::string& line : backends.lines()) text += line + "\n";
  text.resize((text.size() + 7) / 8 * 8, '\n');
  internal::TraceHead head = internal::trace_head(text.data(), text.size(), number_of_process(trace), internal::TraceState::ended);
  head.end = static_cast<std::uint64_t>(end);
  head.parts = parts;
  std::string part(internal::trace_part_bytes, '\0');
  std::memcpy(part.data(), &head, sizeof head);
  std::memcpy(part.data() + sizeof head, text.data(), text.size());
  return part;
}

std::vector<std::uint64_t> words_of_label(const std::string& label) {
  std::vector<std::uint64_t> words(label.size() / 8 + 1);
  std::memcpy(words.data(), label.data(), label.size());
  return words;
}

// owners: contexts by the slots of their blocks.
internal::TraceRecord record_of(const Trace& trace, const Operation& operation, const std::vector<std::uint64_t>& owners,
                                BackendNumbers& backends) {
  const auto elsewhere = [&](std::int64_t block) {
    const std::uint64_t owner = block > 0 ? owners[static_cast<std::size_t>(block)] : operation.context;
    return owner == operation.context ? 0 : owner;
  };
  internal::TraceRecord record;
  record.kind = record_kind_of(operation.kind);
  record.type = operation.kind == Kind::malloc ? static_cast<std::uint8_t>(operation.type) : std::uint8_t{0};
  record.result = operation.result;
  record.context = operation.context;
  record.block = operation.block;
  record.source = operation.source;
  record.block_context = elsewhere(operation.block);
  record.source_context = elsewhere(operation.source);
  record.size = operation.size;
  record.traits.label = operation.label;
  record.traits.alignment_log2 = operation.alignment_log2;
  if (operation.device != 0) {
    const std::uint64_t device = backends.word_of(trace.devices[operation.device]);
    record.traits.device = static_cast<std::int16_t>(internal::low_half(device));
    record.traits.backend = static_cast<std::uint8_t>(internal::high_half(device));
  }
  return record;
}

}  // namespace

std::string as_records(const Trace& trace) {
  constexpr std::size_t most_words = 60;  // of a label's text and all else that one operation needs
  RecordStream stream;
  std::vector<bool> said(trace.labels.size());
  std::vector<std::uint64_t> owners(trace.blocks.size());
  std::int64_t time = 0;
  BackendNumbers backends;
  auto duration = trace.durations.begin();
  std::size_t written = 0;
  auto write_uses_before = [&, next = trace.uses.begin()](std::size_t operation, std::uint32_t thread, std::uint64_t context) mutable {
    for (; next != trace.uses.end() && next->operation <= operation; ++next) {
      time = std::max(time, next->use.time);
      stream.make_room(most_words, thread, context, time);
      stream.put(moment_of(next->use, backends), time);
    }
  };
  for (const Operation& operation : trace.operations) {
    const auto thread = static_cast<std::uint32_t>(trace.threads[operation.thread]);
    write_uses_before(written++, thread, operation.context);
    time = std::max(time, operation.time);
    if (operation.kind == Kind::malloc && operation.block > 0) owners[static_cast<std::size_t>(operation.block)] = operation.context;
    stream.make_room(most_words, thread, operation.context, time);
    if (operation.label != 0 && !said[operation.label]) {
      stream.put(TraceKind::label, operation.label, words_of_label(trace.labels[operation.label]));
      said[operation.label] = true;
    }
    stream.say_thread(thread);
    stream.say_context(operation.context);
    const bool is_timed = duration != trace.durations.end() && duration->operation == written - 1;
    stream.put(record_of(trace, operation, owners, backends), time, is_timed ? (duration++)->nanoseconds : -1);
  }
  write_uses_before(SIZE_MAX, 1, 0);
  stream.finish();
  const std::vector<std::uint64_t>& words = stream.words();
  std::string file = head_of(trace, time, words.size() / internal::trace_part_words, backends);
  return file.append(reinterpret_cast<const char*>(words.data()), 8 * words.size());
}

}  // namespace cadastre::command
