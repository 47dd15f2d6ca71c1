// Tangled from org/tests/replay_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmocka.hpp"
#include "command/convert.hpp"
#include "command/replay.hpp"
#include "command/trace.hpp"

using namespace cadastre::command;

namespace {

using Lines = std::vector<std::string>;

std::string file;

// SplitMix64 (Steele, Lea and Flood, 2014).
class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }
  template <class List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

constexpr std::array operations = {"create", "destroy", "malloc", "malloc", "malloc", "free", "realloc", "info", "copy", "copy", "copy"};
constexpr std::array sizes = {"0", "1", "16", "24", "100", "4096", "70000", "2000000", "9000000000000000000", "18446744073709551615"};
constexpr std::array results = {"", "", "0", "2", "3", "103", "104", "105", "107", "-1"};
constexpr std::array types = {"", "HOST", "PINNED", "DEVICE", "UVM"};
constexpr std::array labels = {"", "walkers", "orbitals"};

Lines drawn_trace(Drawn& drawn) {
  Lines lines = {"op,context,block,source,size,type,thread,label,result", "create,1,,,,,,,", "create,2,,,,,,,"};
  const std::size_t count = 5 + drawn.below(120);
  const std::uint64_t threads = drawn.once_in(4) ? 4 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = [&](std::uint64_t most) { return std::to_string(drawn.below(most + 1)); };
    const auto block = [&] { return (drawn.once_in(5) ? "-" : "") + number(9); };
    lines.push_back(std::string(drawn.of(operations)) + "," + number(3) + "," + block() + "," + block() + "," + drawn.of(sizes) + "," +
                    drawn.of(types) + "," + std::to_string(1 + drawn.below(threads)) + "," + drawn.of(labels) + "," + drawn.of(results));
  }
  return lines;
}

Lines first_lines(const std::string& path, std::size_t most) {
  Lines lines;
  std::istringstream text(as_lines(read_trace(path)));
  for (std::string line; lines.size() < most && std::getline(text, line);) {
    if (line[0] != '#') lines.push_back(line);
  }
  return lines;
}

void change_field(std::string& line, std::size_t field, std::string_view value) {
  std::size_t begin = 0;
  for (; field > 0 && begin != std::string::npos; --field) begin = line.find(',', begin) + 1;
  line.replace(begin, std::min(line.find(',', begin), line.size()) - begin, value);
}

// The number of a column that the header has.
std::size_t column_of(const Lines& lines, std::string_view name) {
  const std::string_view header = lines[0];
  const std::size_t begin = header.starts_with(name) ? 0 : header.find("," + std::string(name));
  return static_cast<std::size_t>(std::count(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(begin + 1), ','));
}

void change(Lines& lines, Drawn& drawn) {
  const std::size_t from = 1 + drawn.below(lines.size() - 1), to = 1 + drawn.below(lines.size() - 1);
  const auto at = [&](std::size_t line) { return lines.begin() + static_cast<std::ptrdiff_t>(line); };
  switch (drawn.below(6)) {
    case 0: std::swap(lines[from], lines[to]); break;
    case 1: lines.insert(at(to), std::string(lines[from])); break;
    case 2:
      if (lines.size() > 3) lines.erase(at(from));
      break;
    case 3: change_field(lines[from], column_of(lines, "op"), drawn.of(operations)); break;
    case 4: change_field(lines[from], column_of(lines, "thread"), std::to_string(1 + drawn.below(3))); break;
    default: {
      constexpr std::array changed = {"context", "block", "block", "source", "source", "size", "result"};
      const std::string_view column = drawn.of(changed);
      const bool sized = column == "size" && drawn.once_in(3);
      const bool negative = (column == "block" || column == "source") && drawn.once_in(6);
      change_field(lines[from], column_of(lines, column),
                   (negative ? "-" : "") + (sized ? drawn.of(sizes) : std::to_string(drawn.below(12))));
    }
  }
}

// The fields of a line, which has no quotes.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0;; ++begin) {
    const std::size_t comma = std::min(line.find(',', begin), line.size());
    fields.push_back(line.substr(begin, comma - begin));
    if (comma == line.size()) return fields;
    begin = comma;
  }
}

// What is alive, as the reader sees it.
class History {
 public:
  History(const Lines& lines, Drawn& drawn)
      : drawn_(drawn),
        op_(column_of(lines, "op")),
        context_(column_of(lines, "context")),
        block_(column_of(lines, "block")),
        source_(column_of(lines, "source")),
        result_(column_of(lines, "result")) {}

  // Makes a line one that may stand here; false when it cannot.
  bool admit(std::vector<std::string>& f) {
    if (f[result_].empty()) f[result_] = "0";
    if (f[context_].empty()) f[context_] = "1";
    const std::string& op = f[op_];
    Context& context = contexts_[f[context_]];
    if (op == "create") return f[context_] != "0" && !context.alive && begin(context, f[result_]);
    if (f[context_] != "0" && !context.known) return false;
    const bool gone = f[result_] == "0" || f[result_] == "105";
    if (op == "malloc") return admit_malloc(f, context);
    if (op == "destroy") {
      if (!context.alive) return fails(f);
      context.alive = !gone;
      return true;
    }
    if (!is_named(f[block_]) || (op == "copy" && !is_named(f[source_]))) return false;
    const bool copies = op == "copy";
    if (!is_usable(f, f[block_], copies) || (copies && !is_usable(f, f[source_], copies))) return fails(f);
    if (op == "free" && gone) blocks_[f[block_]].alive = false;
    return true;
  }

 private:
  struct Context {
    bool known = false, alive = false;
    int generation = 0;
  };
  struct Block {
    bool alive = false;
    std::string context;
    int generation = 0;
  };

  bool begin(Context& context, const std::string& result) {
    context.known = true;
    if (result != "0") return true;
    context.alive = true;
    ++context.generation;
    return true;
  }
  bool fails(std::vector<std::string>& f) {
    if (f[result_] == "0") f[result_] = drawn_.once_in(2) ? "2" : "3";
    return true;
  }
  bool admit_malloc(std::vector<std::string>& f, Context& context) {
    if (f[result_] != "0" || !context.alive || f[block_].empty() || f[block_] == "0" || f[block_][0] == '-') {
      f[block_].clear();
      return fails(f);
    }
    Block& block = blocks_[f[block_]];
    if (is_alive(block)) return false;
    block = {true, f[context_], context.generation};
    return true;
  }
  bool is_alive(const Block& block) {
    const Context& context = contexts_[block.context];
    return block.alive && context.alive && context.generation == block.generation;
  }
  bool is_named(const std::string& block) const { return block.empty() || block == "0" || block[0] == '-' || blocks_.contains(block); }
  bool is_usable(const std::vector<std::string>& f, const std::string& block, bool copies) {
    if (f[context_] == "0" || !contexts_[f[context_]].alive || block.empty() || block == "0") return false;
    return block[0] == '-' ? copies : is_alive(blocks_[block]) && blocks_[block].context == f[context_];
  }

  Drawn& drawn_;
  std::size_t op_, context_, block_, source_, result_;
  std::map<std::string, Context> contexts_;
  std::map<std::string, Block> blocks_;
};

Lines mended(const Lines& lines, Drawn& drawn) {
  Lines result = {lines[0]};
  History history(lines, drawn);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<std::string> fields = fields_of(lines[i]);
    if (!history.admit(fields)) continue;
    std::string line;
    for (const std::string& field : fields) line += (&field == fields.data() ? "" : ",") + field;
    result.push_back(line);
  }
  return result;
}

// None when a line says what no trace can say, such as a negative size. Few do.
std::optional<Trace> read_back(const Lines& lines) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  for (const std::string& line : lines) stream << line << '\n';
  stream.close();
  try {
    return read_trace(file);
  } catch (const TraceError&) {
    return std::nullopt;
  }
}

struct Counts {
  std::uint64_t performed = 0;
  std::int64_t operations = 0, skipped_copies = 0;
};

// Memory outside the library, which has no limit.
bool is_modest(const Trace& trace) {
  std::uint64_t bytes = 0;
  for (const std::uint64_t size : trace.foreign_sizes) bytes += size < std::uint64_t{1} << 40 ? size : 0;
  return bytes < std::uint64_t{64} << 20 && trace.threads.size() <= 16;
}

void perform(const Lines& lines, Drawn& drawn, Counts& counts) {
  const std::optional<Trace> trace = read_back(mended(lines, drawn));
  if (!trace || !is_modest(*trace)) return;
  ReplayOptions options;
  options.repeat = drawn.once_in(8) ? 2 : 1;
  options.zero = !drawn.once_in(3);
  options.touch = drawn.once_in(4);
  constexpr std::array taken_from = {CADASTRE_HOST, CADASTRE_DEVICE, CADASTRE_UVM};
  if (drawn.once_in(2)) options.type = drawn.of(taken_from);
  const Report report = replay(*trace, options);
  if (options.repeat == 1) assert_int_equal(report.disagreements.size(), 0);
  const std::string of_trace = "{}";
  assert_false(as_text(report, true).empty() || as_json({&report, 1}, {&of_trace, 1}).empty());
  ++counts.performed;
  counts.operations += static_cast<std::int64_t>(report.operations);
  counts.skipped_copies += report.skipped_copies;
}

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* const value = std::getenv(variable);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

template <class Next>
void perform_all(Next next, std::uint64_t few) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(500 * number_in("FUZZ_SECONDS", 0));
  const std::uint64_t seed = number_in("FUZZ_SEED", 1);
  Counts counts;
  for (std::uint64_t i = 0; i < few || Clock::now() < end; ++i) {
    Drawn drawn(seed + i);
    perform(next(drawn), drawn, counts);
  }
  std::printf("# %llu traces of %lld operations, of which %lld copies were skipped\n", static_cast<unsigned long long>(counts.performed),
              static_cast<long long>(counts.operations), static_cast<long long>(counts.skipped_copies));
  assert_true(counts.performed > few / 4 && counts.skipped_copies > 0);
}

void drawn_traces_touch_nothing_of_others(void**) {
  perform_all([](Drawn& drawn) { return drawn_trace(drawn); }, 1500);
}

void real_traces_that_were_changed_touch_nothing_of_others(void**) {
  const char* const source = std::getenv("srcdir");
  std::vector<Lines> all;
  for (const char* name : {"forces", "gpu_test_qmckl_mo", "gpu_test_qmckl_ao", "test_qmckl_mo", "python_test_api", "mo_ortho_alz_g64",
                           "dmc_chbrclf_w100_s100"}) {
    all.push_back(first_lines(std::string(source ? source : ".") + "/traces/" + name + ".trace.gz", 150));
    assert_true(all.back().size() > 10);
  }
  perform_all(
      [&](Drawn& drawn) {
        Lines lines = drawn.of(all);
        for (std::uint64_t changes = 1 + drawn.below(40); changes > 0; --changes) change(lines, drawn);
        return lines;
      },
      300);
}

}  // namespace

int main() {
  setenv("CADASTRE_BACKEND", "host", 1);
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  setenv("CADASTRE_LIMIT", "HOST=64M,PINNED=64M,DEVICE=64M,UVM=64M", 1);
  unsetenv("CADASTRE_TRACE");
  unsetenv("CADASTRE_REPORT");
  file = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/cadastre-replay-XXXXXX";
  const int descriptor = mkstemp(file.data());
  if (descriptor < 0) return 1;
  close(descriptor);
  std::printf("# the trace under test is in %s\n", file.c_str());
  std::fflush(stdout);
  const CMUnitTest tests[] = {
      cmocka_unit_test(drawn_traces_touch_nothing_of_others),
      cmocka_unit_test(real_traces_that_were_changed_touch_nothing_of_others),
  };
  const int failed = cmocka_run_group_tests_name("replay", tests, nullptr, nullptr);
  if (failed == 0) std::remove(file.c_str());
  return failed;
}
