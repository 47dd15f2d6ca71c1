// Tangled from org/tests/model.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A model of what the header promises, and a runner that makes the same steps with the library and with the model.
#ifndef CADASTRE_TESTS_MODEL_HPP
#define CADASTRE_TESTS_MODEL_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model_accounts.hpp"

namespace model {

enum class Op : std::uint8_t {
  create,
  destroy,
  allocate,
  resize,
  free,
  info,
  size,
  find,
  wrap,
  unwrap,
  copy,
  set,
  lock,
  unlock,
  limit,
  statistics,
  reset,
  each,
  free_all,
  report,
  verify,
  errors,
  fork,
  end,
  count
};
static_assert(static_cast<std::size_t>(Op::count) <= most_operations);

// Where a step refers to a context or to an address by a number, it is the number of the step that made it.
constexpr Id no_context = 0, process = 0xffffffff, made_up = 0xfffffffe;
constexpr Id null_address = 0, wild_address = 0xffffffff;

enum Fault : std::uint8_t { sound, allocate_fails, free_fails, copy_fails };

struct Step {
  Op op = Op::end;
  std::uint8_t type = 0;
  std::uint8_t fault = sound;  // of the backend of the test, for this step
  std::uint8_t way = 0;        // which of the forms of the call
  std::uint8_t flags = 0;
  std::uint8_t device = 0;  // 0: none is named; else its number + 1
  std::uint16_t label = 0;
  std::uint16_t thread = 0;  // of the program with threads; 0 comes before the threads start
  Id context = no_context;
  Id id = 0;     // what is made; or the address, together with offset
  Id other = 0;  // the parent, the source of a copy, the number of steps of a child
  std::uint32_t alignment = 0;
  std::uint64_t size = 0;    // or a limit
  std::uint64_t offset = 0;  // from the address; the stride of a request
};

// Labels are numbers, too.
constexpr std::uint16_t no_label = 0, empty_label = 1, longest_label = 2, too_long_label = 3, first_label = 8;
enum LabelWay : std::uint8_t { literal, reused_buffer, interned };

inline std::string label_text(std::uint16_t number) {
  if (number == empty_label) return "";
  if (number == longest_label) return std::string(255, 'l');
  if (number == too_long_label) return std::string(256, 'm');
  return "label " + std::to_string(number);
}

std::string as_c(const Step& step);

struct Block {
  Id id = 0;
  char* pointer = nullptr;
  std::size_t size = 0, alignment = 1, stride = 0;
  cadastre_memory_type type = CADASTRE_HOST;
  cadastre_flags flags = 0;
  cadastre_backend backend = CADASTRE_BACKEND_HOST;
  std::int32_t device = -1;  // the vendor's number
  const char* label = nullptr;
  std::uint64_t order = 0;  // among the blocks of its context, in the order of allocation
  std::uint64_t pattern = 0;
};

// What the generator must know of the model to draw steps that mostly succeed.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void make(const Step& step);
  void check_all(bool labels);  // of every context, or of some in turn
  void destroy_all();
  bool has_block(Id id) const;
  bool has_context(Id id) const;
  std::size_t room(Id context, std::uint8_t type) const;  // what limits leave; SIZE_MAX without any

 private:
  struct Inside;
  Inside* inside_;
};

// The same steps by several threads: what is asserted is what does not depend on who comes first.
void run_threads(const std::vector<Step>& steps, unsigned threads);

}  // namespace model

#endif
