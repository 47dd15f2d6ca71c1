// Tangled from org/base/fail.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/fail.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/process.hpp"
#include "base/text.hpp"
#include "base/vocabulary.hpp"

namespace cadastre::internal {

std::atomic<ArmedRule*> armed[points] = {};

struct ArmedRule {
  FailRule rule;
  std::string effect;
  std::string_view rank;
  ArmedRule* next;
  std::atomic<std::uint64_t> counted = 0;
};

namespace {

thread_local constinit const char* failed_inside = nullptr;
constinit std::atomic<const char*> effect = "";

// '*' stands for any characters, '?' for one.
bool is_like(std::string_view pattern, std::string_view text) noexcept {
  std::size_t at = 0, here = 0, star = std::string_view::npos, retried = 0;
  while (here < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retried = here;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[here])) {
      ++at;
      ++here;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      here = ++retried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

// "10" or "0.025", of a hundred.
std::optional<std::uint32_t> parse_millionths(std::string_view text) noexcept {
  constexpr std::string_view zeros = "0000";
  const bool has_point = text.find('.') != std::string_view::npos;
  const std::optional<std::uint64_t> whole = parse_number(take_until(text, "."));
  if (!whole || *whole > 100 || text.size() > zeros.size() || has_point == text.empty()) return std::nullopt;
  std::uint64_t share = *whole * 10'000, unit = 1'000;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    share += static_cast<std::uint64_t>(digit - '0') * unit;
    unit /= 10;
  }
  if (share == 0 || share > FailRule::always) return std::nullopt;
  return static_cast<std::uint32_t>(share);
}

// "3", "3+", "3-5" or "10%".
bool set_which(std::string_view text, FailRule& rule) noexcept {
  if (text.ends_with('%')) {
    const std::optional<std::uint32_t> share = parse_millionths(text.substr(0, text.size() - 1));
    rule.millionths = share.value_or(0);
    return share.has_value();
  }
  const bool open = text.ends_with('+');
  if (open) text.remove_suffix(1);
  const bool has_end = text.find('-') != std::string_view::npos;
  const std::optional<std::uint64_t> first = parse_number(take_until(text, "-"));
  const std::optional<std::uint64_t> last = has_end ? parse_number(text) : open ? UINT64_MAX : first;
  if (!first || !last || *first == 0 || *last < *first || (open && has_end)) return false;
  rule.first = *first;
  rule.last = *last;
  return true;
}

struct PointName {
  std::string_view name;
  Point point;
  bool has_conditions;  // on blocks
};

constexpr PointName point_names[] = {
    {"malloc", Point::malloc, true},
    {"free", Point::free, true},
    {"copy", Point::copy, false},
    {"create", Point::create, false},
    {"internal", Point::internal, false},
    {"system", Point::system, false},
};

std::optional<cadastre_memory_type> type_named(std::string_view name) noexcept {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (name == cadastre_string_of_memory_type(type)) return type;
  }
  return std::nullopt;
}

// Names of backends that the program registers are known later only.
bool set_condition(std::string_view text, bool of_blocks, FailRule& rule) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view name = text.substr(0, equals), value = text.substr(equals + 1);
  if (name == "seed") {
    const std::optional<std::uint64_t> seed = parse_number(value);
    rule.seed = seed.value_or(0);
    return seed && rule.millionths != FailRule::always;
  }
  if (name == "rank") return rule.rank = value, !value.empty();
  if (!of_blocks) return false;
  if (name == "label") return rule.label = value, true;
  if (name == "backend") return rule.backend = value, !value.empty();
  if (name == "size>") {
    const std::optional<std::size_t> least = parse_bytes(value);
    rule.least = least.value_or(0);
    return least.has_value();
  }
  const std::optional<cadastre_memory_type> type = name == "type" ? type_named(value) : std::nullopt;
  rule.type = type.value_or(-1);
  return type.has_value();
}

std::optional<FailRule> parse_rule(std::string_view text) {
  FailRule rule;
  rule.text = "CADASTRE_FAIL=" + std::string(text);
  const std::string_view name = take_until(text, ":");
  const auto* const row =
      std::find_if(std::begin(point_names), std::end(point_names), [&](const PointName& one) { return one.name == name; });
  if (row == std::end(point_names) || text.ends_with(':')) return std::nullopt;
  rule.point = row->point;
  if (!set_which(take_until(text, ":"), rule)) return std::nullopt;
  while (!text.empty()) {
    if (!set_condition(take_until(text, ":"), row->has_conditions, rule)) return std::nullopt;
  }
  return rule;
}

}  // namespace

std::optional<std::vector<FailRule>> parse_fail_rules(std::string_view value) {
  std::vector<FailRule> rules;
  if (value.empty() || value.ends_with(',')) return std::nullopt;
  while (!value.empty()) {
    std::optional<FailRule> rule = parse_rule(take_until(value, ","));
    if (!rule) return std::nullopt;
    rules.push_back(std::move(*rule));
  }
  return rules;
}

namespace {

std::uint64_t mixed(std::uint64_t bits) noexcept {
  bits += 0x9E3779B97F4A7C15u;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
  return bits ^ bits >> 31;
}

// A process without a launcher is the only one.
std::string_view own_rank() noexcept {
  const char* const rank = process().rank;
  return *rank ? rank : "0";
}

}  // namespace

bool FailRule::matches(const Asked& asked) const noexcept {
  if (type >= 0 && asked.type != type) return false;
  if (asked.size < least) return false;
  if (backend && *backend != cadastre_string_of_backend(asked.backend)) return false;
  return !label || is_like(*label, asked.label ? asked.label : "");
}

bool FailRule::hits(std::uint64_t number, std::string_view of_rank) const noexcept {
  if (number < first || number > last) return false;
  if (millionths == always) return true;
  std::uint64_t drawn = mixed(seed);
  for (const char character : of_rank) drawn = mixed(drawn ^ static_cast<unsigned char>(character));
  return mixed(drawn ^ number) % always < millionths;
}

void arm(const std::vector<FailRule>& rules) {
  for (const FailRule& rule : rules) {
    if (rule.rank && *rule.rank != own_rank()) continue;
    std::unique_ptr<ArmedRule> ready(new ArmedRule{rule, rule.text + " has made a call fail", own_rank(), nullptr});
    std::atomic<ArmedRule*>* end = &armed[static_cast<std::size_t>(rule.point)];
    ready->next = end->load(std::memory_order_relaxed);
    end->store(ready.release(), std::memory_order_release);
  }
  if (!rules.empty()) effect = "no call has failed by it so far";
}

// A call counts for every rule that is about it.
const char* count_call(Point point, const Asked& asked) noexcept {
  ArmedRule* by = nullptr;
  for (ArmedRule* one = armed[static_cast<std::size_t>(point)].load(std::memory_order_acquire); one; one = one->next) {
    if (one->rule.matches(asked) && one->rule.hits(one->counted.fetch_add(1, std::memory_order_relaxed) + 1, one->rank)) by = one;
  }
  if (!by) return nullptr;
  effect.store(by->effect.c_str(), std::memory_order_relaxed);
  const char* const text = by->rule.text.c_str();
  if (point >= Point::internal) failed_inside = text;
  return text;
}

const char* take_failed_inside() noexcept { return std::exchange(failed_inside, nullptr); }
const char* fail_effect() noexcept { return effect.load(std::memory_order_relaxed); }

}  // namespace cadastre::internal
