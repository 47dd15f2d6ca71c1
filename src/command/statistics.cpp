// Tangled from org/command/statistics.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>

#include "base/text.hpp"

namespace cadastre::command {
namespace {

constexpr unsigned exact_bits = 8;
constexpr std::uint64_t exact = 1u << exact_bits;

std::size_t bucket_of(std::uint64_t value) {
  if (value < exact) return value;
  const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - exact_bits;
  return exact + (shift - 1) * (exact / 2) + ((value >> shift) - exact / 2);
}

// The value in the middle of a bucket.
std::uint64_t value_of(std::size_t bucket) {
  if (bucket < exact) return bucket;
  const std::size_t shift = (bucket - exact) / (exact / 2) + 1;
  const std::uint64_t first = (bucket - exact) % (exact / 2) + exact / 2;
  return (first << shift) + ((std::uint64_t{1} << shift) - 1) / 2;
}

std::string three_digits(double value, std::string_view unit) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f ", decimals, value);
  return text.data() + std::string(unit);
}

}  // namespace

void Histogram::add(std::uint64_t value) {
  if (buckets_.empty()) buckets_.resize(bucket_of(UINT64_MAX) + 1);
  ++buckets_[bucket_of(value)];
  ++count_;
  total_ += value;
  least_ = std::min(least_, value);
  greatest_ = std::max(greatest_, value);
}

std::uint64_t Histogram::percentile(double share) const {
  if (count_ == 0) return 0;
  const double rank = std::ceil(share * static_cast<double>(count_));
  const auto wanted = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, count_);
  std::uint64_t passed = 0;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    passed += buckets_[bucket];
    if (passed >= wanted) return std::clamp(value_of(bucket), least_, greatest_);
  }
  return greatest_;
}

std::string in_bytes(std::uint64_t bytes) { return internal::bytes_text(bytes).characters; }

std::string in_seconds(std::uint64_t nanoseconds, bool utf8) {
  if (nanoseconds < 1000) return std::to_string(nanoseconds) + " ns";
  const std::string_view units[] = {utf8 ? "\u00b5s" : "us", "ms", "s"};
  double value = static_cast<double>(nanoseconds) / 1000;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < std::size(units); ++unit) value /= 1000;
  return three_digits(value, units[unit]);
}

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t i = text.size(); i > first + 3;) text.insert(i -= 3, ",");
  return text;
}

std::string counted(std::int64_t number, std::string_view thing) {
  return grouped(number) + " " + std::string(thing) + (number == 1 ? "" : "s");
}

std::string Table::text() const {
  const auto width_of = [](const std::string& cell) {  // in characters of UTF-8
    return static_cast<std::size_t>(
        std::count_if(cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  };
  std::vector<std::size_t> widths(alignment_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - width_of(row[i]), ' ');
      line += (i ? "  " : "") + (alignment_[i] == 'r' ? blanks + row[i] : row[i] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace cadastre::command
