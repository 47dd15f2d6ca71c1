// Tangled from org/command/trace_text.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "out/trace_fields.hpp"
#include "trace_lines.hpp"
#include "trace_source.hpp"

namespace cadastre::command {
namespace {

class TextSource final : public TraceSource {
 public:
  TextSource(std::shared_ptr<TraceInput> input, const std::string& name) : name_(name), input_(std::move(input)), lines_(*input_) {
    position_.fill(-1);
  }

  bool next(GivenOperation& given) override;
  [[noreturn]] void refuse(Column column, const std::string& what) const override { lines_.refuse(place_of(column).column, what); }
  std::string incomplete() const override;
  std::string_view said(std::string_view name) const override { return text_under(name, said_); }
  const std::string& name() const override { return name_; }

 private:
  void read_comment(std::string_view text);
  // False where it has none.
  bool read_use(std::string_view text) const;
  void read_process(std::string_view text);
  void read_line_of_head(std::string_view text);
  void read_header();
  void read_operation(GivenOperation& given);

  std::string_view text_of(Column column) const {
    const int position = position_[index_of(column)];
    return position < 0 ? std::string_view() : (*line_)[static_cast<std::size_t>(position)].text;
  }

  const Field& place_of(Column column) const {
    const int position = position_[index_of(column)];
    return (*line_)[static_cast<std::size_t>(position < 0 ? position_[index_of(Column::op)] : position)];
  }

  // A whole number, or nothing where the field is empty.
  template <class Number>
  std::optional<Number> number(Column column, Number least, std::string_view kind) const {
    const std::string_view text = text_of(column);
    if (text.empty()) return std::nullopt;
    const std::optional<Number> value = internal::parse_number<Number>(text);
    if (value && *value >= least) return value;
    const std::string found = std::string(column_names[index_of(column)]) + " '" + printable(text) + "' ";
    const bool digits = text.find_first_not_of("0123456789", text[0] == '-' ? 1 : 0) == std::string_view::npos && text != "-" &&
                        !(std::is_unsigned_v<Number> && text[0] == '-');
    if (!digits) {
      refuse(column, found + "is not " + std::string(kind) + "; write a whole number such as 4096, without blanks or units");
    }
    refuse(column, found + "is out of range; the least is " + std::to_string(least) + ", the largest " +
                       std::to_string(std::numeric_limits<Number>::max()));
  }

  cadastre_memory_type memory_type() const {
    const std::string_view text = text_of(Column::type);
    if (text.empty()) return CADASTRE_HOST;
    std::string known;
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      const std::string_view name = cadastre_string_of_memory_type(type);
      if (name == text) return type;
      known += (type ? ", " : "") + std::string(name);
    }
    refuse(Column::type, "type '" + printable(text) + "' is not a memory type; it is one of " + known);
  }

  std::uint8_t alignment_log2() const {
    const std::uint64_t alignment = number<std::uint64_t>(Column::alignment, 1, "a number of bytes").value_or(1);
    if (std::has_single_bit(alignment)) return static_cast<std::uint8_t>(std::countr_zero(alignment));
    refuse(Column::alignment, "alignment " + std::to_string(alignment) + " is not a power of two");
  }

  // Before what a spreadsheet would take for a formula an apostrophe was put.
  std::string_view text_of_others(Column column) const {
    std::string_view text = text_of(column);
    if (text.starts_with('\'') && internal::looks_like_formula(text.substr(1))) text.remove_prefix(1);
    return text;
  }

  std::string_view device() const {
    const std::string_view text = text_of_others(Column::device);
    if (text.empty() || is_device(text)) return text;
    refuse(Column::device, "device '" + printable(text) + "' is not the name of a backend and the number of a device, as in cuda 0");
  }

  Kind operation_kind() const {
    std::string known;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const std::string_view name = name_of(static_cast<Kind>(kind));
      if (name == text_of(Column::op)) return static_cast<Kind>(kind);
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    refuse(Column::op, "'" + printable(text_of(Column::op)) + "' is not an operation; it is one of " + known);
  }

  std::string name_;
  std::shared_ptr<TraceInput> input_;
  Lines lines_;
  Fields fields_;
  const std::vector<Field>* line_ = nullptr;
  std::array<int, columns> position_{};  // of each column in the header; -1 when it has none
  std::size_t width_ = 0;
  bool headed_ = false;
  Said said_;
  bool has_promised_ = false, has_ended_ = false;  // by the process that wrote it
  std::string stopped_;                            // why it could not write more; empty where it could
};

// Without the end of the line.
constexpr std::string_view as_read(std::string_view line) { return line.substr(0, line.size() - 1); }

void TextSource::read_process(std::string_view text) {
  said_["program"] = "cadastre " + std::string(internal::take_until(text, ", process "));
  said_["process"] = internal::take_until(text, " on ");
  said_["host"] = internal::take_until(text, ", rank ");
  said_["rank"] = text;
}

void TextSource::read_line_of_head(std::string_view text) {
  const std::string_view name = internal::take_until(text, " ");
  const bool is_one =
      name == line_of_lack || std::find(std::begin(names_of_process), std::end(names_of_process), name) != std::end(names_of_process);
  if (is_one) said_[std::string(name)] = text;
}

// The next figure of a comment, with the blank behind it; false where there is none. Negative: it is not known.
bool take_figure(std::string_view& text, std::int64_t& figure) {
  const std::string_view word = internal::take_until(text, " ");
  figure = word == "-" ? -1 : internal::parse_number<std::int64_t>(word).value_or(-1);
  return figure >= 0 || word == "-";
}

// What is before the last words, of which so many remain. A name may have blanks in it.
std::string_view take_all_but_words(std::string_view& text, int words) {
  std::size_t end = text.size();
  for (; words > 0 && end != std::string_view::npos; --words) end = end == 0 ? std::string_view::npos : text.rfind(' ', end - 1);
  const std::string_view taken = text.substr(0, std::min(end, text.size()));
  text.remove_prefix(std::min(taken.size() + 1, text.size()));
  return taken;
}

bool TextSource::read_use(std::string_view text) const {
  MemoryUse use;
  const auto take_all = [&](std::initializer_list<std::int64_t*> figures) {
    return std::all_of(figures.begin(), figures.end(), [&](std::int64_t* figure) { return take_figure(text, *figure); });
  };
  bool is_one = false;
  if (internal::take_prefix(text, internal::comment_of_resident)) {
    is_one = take_all({&use.time, &use.used, &use.live, &use.kept, &use.huge});
  } else if (internal::take_prefix(text, internal::comment_of_node)) {
    is_one = take_all({&use.time, &use.node, &use.used}) && use.node >= 0;
  } else if (internal::take_prefix(text, internal::comment_of_device)) {
    is_one = take_figure(text, use.time);
    use.device = take_all_but_words(text, 3);
    is_one = is_one && is_device(use.device) && take_all({&use.used, &use.total, &use.live});
  }
  if (is_one && use.time >= 0) show(use);
  return is_one;
}

void TextSource::read_comment(std::string_view text) {
  if (headed_ && !said_.empty() && read_use(text)) return;
  if (text == as_read(internal::promise_of_an_end)) has_promised_ = !headed_;
  if (text == as_read(internal::end_of_a_trace)) has_ended_ = headed_;
  if (!internal::take_prefix(text, "# ")) return;
  if (!headed_ && internal::take_prefix(text, "cadastre ")) return read_process(text);
  if (!headed_ && !said_.empty()) return read_line_of_head(text);
  if (headed_ && internal::take_prefix(text, internal::why_a_trace_stops) && internal::take_prefix(text, ": ")) stopped_ = text;
}

std::string TextSource::incomplete() const {
  if (!stopped_.empty()) return "the trace ends before its program: " + stopped_;
  if (!has_promised_ || has_ended_) return std::string(said(line_of_lack));
  if (lines_.is_cut()) return "the file was cut off within line " + std::to_string(lines_.number()) + ", which is left out; copy it again";
  return not_ended(said("process"), input_->is_locked());
}

bool TextSource::next(GivenOperation& given) {
  while (lines_.next()) {
    if (lines_.text().empty()) continue;
    if (lines_.text().front() == '#') {
      read_comment(lines_.text());
      continue;
    }
    if (headed_ && has_promised_ && lines_.is_cut()) return false;
    line_ = &fields_.split(lines_);
    if (headed_) {
      read_operation(given);
      return true;
    }
    read_header();
    headed_ = true;
  }
  if (!headed_) {
    throw TraceError(lines_.name() + ":" + std::to_string(lines_.number() + 1) +
                     ":1: the file ends without a header; its first line names the columns, such as "
                     "op,block,size,label");
  }
  return false;
}

void TextSource::read_header() {
  width_ = line_->size();
  for (std::size_t i = 0; i < width_; ++i) {
    const std::string_view name = (*line_)[i].text;
    const auto found = std::find(std::begin(column_names), std::end(column_names), name);
    if (found == std::end(column_names)) continue;
    int& position = position_[static_cast<std::size_t>(found - column_names)];
    if (position >= 0) {
      lines_.refuse((*line_)[i].column, "the column '" + std::string(name) + "' is named twice; name each column once");
    }
    position = static_cast<int>(i);
  }
  if (position_[index_of(Column::op)] < 0) {
    lines_.refuse(1, "the header '" + printable(lines_.text()) +
                         "' names no column 'op'; the first line of a trace names its columns, separated by "
                         "commas, such as op,block,size,label");
  }
}

void TextSource::read_operation(GivenOperation& given) {
  if (line_->size() != width_) {
    lines_.refuse(lines_.text().size() + 1, "the line has " + std::to_string(line_->size()) + " fields, the header " +
                                                std::to_string(width_) + "; both must have the same number, including empty fields");
  }
  constexpr std::int64_t least_block = std::numeric_limits<std::int64_t>::min() + 1;
  given.kind = operation_kind();
  given.line = lines_.number();
  given.size = number<std::uint64_t>(Column::size, 0, "a number of bytes");
  given.time = number<std::int64_t>(Column::time, 0, "a number of nanoseconds").value_or(0);
  given.duration = number<std::int64_t>(Column::duration, 0, "a number of nanoseconds").value_or(-1);
  given.result = number<std::int32_t>(Column::result, std::numeric_limits<std::int32_t>::min(), "an exit code").value_or(0);
  given.thread = number<std::uint64_t>(Column::thread, 1, "the number of a thread").value_or(1);
  given.type = memory_type();
  given.alignment_log2 = alignment_log2();
  given.label = text_of_others(Column::label);
  given.device = device();
  given.context = number<std::uint64_t>(Column::context, 0, "the number of a context").value_or(1);
  given.block = number<std::int64_t>(Column::block, least_block, "the number of a block").value_or(0);
  given.source = number<std::int64_t>(Column::source, least_block, "the number of a block").value_or(0);
}

}  // namespace

std::unique_ptr<TraceSource> text_source(std::shared_ptr<TraceInput> input, const std::string& name) {
  return std::make_unique<TextSource>(std::move(input), name);
}

}  // namespace cadastre::command
