// Tangled from org/machine.org; change the chapter, then run: make tangle
// How much memory a process may have.
#ifndef CADASTRE_SRC_COMMAND_MACHINE_HPP
#define CADASTRE_SRC_COMMAND_MACHINE_HPP

#include <cstdint>
#include <optional>
#include <string>

namespace cadastre::command {

struct GroupLimit {
  std::uint64_t bytes = 0;
  std::string file;                   // that says so
  std::optional<std::uint64_t> used;  // by the group that has the limit
};

struct MachineMemory {
  std::optional<std::uint64_t> total;      // RAM that the system manages
  std::optional<std::uint64_t> available;  // what it guesses that new programs may have without swapping
  std::optional<GroupLimit> limit;         // the smallest of all control groups around this process
};

// root: in front of /proc and of the paths there, for tests. Throws std::bad_alloc.
MachineMemory machine_memory(const std::string& root = "");

}  // namespace cadastre::command
#endif
