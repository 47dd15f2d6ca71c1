// Tangled from org/command/black_box.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What black boxes say.
#ifndef CADASTRE_SRC_COMMAND_BLACK_BOX_HPP
#define CADASTRE_SRC_COMMAND_BLACK_BOX_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "out/black_box_format.hpp"

namespace cadastre::command {

class BlackBoxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct BlackBox {
  std::string path, library, host, rank, program, capacity_from;
  std::uint64_t process = 0, capacity = 0;
  std::int64_t began = 0;   // nanoseconds since 1970
  bool is_written = false;  // by a process that runs
  internal::BlackBoxFigures figures{};
  std::optional<internal::BlackBoxHolders> last, at_peak;
  std::vector<internal::BlackBoxUse> uses;          // of the host and of devices
  std::vector<internal::BlackBoxRefusal> refusals;  // those that are kept, in the order in which they came
  std::vector<internal::BlackBoxEvent> events;      // likewise

  std::uint64_t live() const noexcept;  // of all memory types
};

// Throws BlackBoxError.
BlackBox read_black_box(const std::string& path);
// The black boxes in a folder, by name. Throws BlackBoxError where it cannot be read.
std::vector<std::string> black_boxes_in(const std::string& folder);
// Where they are, where nobody says so: what CADASTRE_BLACKBOX names, or the folders that auto stands for.
std::vector<std::string> usual_folders();

// What a field of a fixed length says.
template <std::size_t room>
std::string text_in(const char (&field)[room]) {
  return std::string(internal::text_in(field));
}

}  // namespace cadastre::command
#endif
