// Tangled from org/command/statistics.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Distributions of times, and how numbers are written for a person.
#ifndef CADASTRE_SRC_COMMAND_STATISTICS_HPP
#define CADASTRE_SRC_COMMAND_STATISTICS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cadastre::command {

class Histogram {
 public:
  void add(std::uint64_t value);
  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t total() const noexcept { return total_; }
  std::uint64_t least() const noexcept { return count_ ? least_ : 0; }
  std::uint64_t greatest() const noexcept { return greatest_; }
  // The least value that a share of the values, above 0 and up to 1, does not exceed; 0 without values.
  std::uint64_t percentile(double share) const;

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t least_ = UINT64_MAX;
  std::uint64_t greatest_ = 0;
};

// Three digits and a unit: 304 B, 15.5 MiB; 21 ns, 3.07 us, where the output is UTF-8 with a micro sign.
std::string in_bytes(std::uint64_t bytes);
std::string in_seconds(std::uint64_t nanoseconds, bool utf8);
// With a comma between groups of three digits.
std::string grouped(std::int64_t number);
// "1 block", "2 blocks".
std::string counted(std::int64_t number, std::string_view thing);

// Rows of cells, in columns that are as wide as they need to be.
class Table {
 public:
  // One letter for each column: l for left, r for right.
  explicit Table(std::string_view alignment) : alignment_(alignment) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace cadastre::command
#endif
