// Tangled from org/tests/device_model.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A model of what the header promises of devices, and a runner that makes the same steps with the library and with it.
#ifndef CADASTRE_TESTS_DEVICE_MODEL_HPP
#define CADASTRE_TESTS_DEVICE_MODEL_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "model_judge.hpp"

namespace device_model {

using model::Id;

enum class Op : std::uint8_t {
  create,
  destroy,
  queue,
  end_queue,
  allocate,
  free,
  resize,
  fill,
  copy,
  order,
  synchronize,
  verify,
  acquire,
  release,
  workspace,
  trim,
  limit,
  statistics,
  capture,
  end_capture,
  launch,
  end_graph,
  reset,
  release_captured,
  send,
  close,
  callback,
  count
};
static_assert(static_cast<std::size_t>(Op::count) <= model::most_operations);

constexpr Id nothing = 0, process = 0xffffffff;
constexpr Id default_queue = 0;

struct Step {
  Op op = Op::statistics;
  std::uint8_t type = 0;
  std::uint8_t fault = 0;  // the call of the vendor, counted from the step's first, that fails; 0: none
  std::uint8_t way = 0;    // which of the forms of the call
  std::uint8_t flags = 0;
  std::uint8_t device = 0;
  std::uint8_t value = 0;   // of the bytes that are set
  std::uint8_t thread = 0;  // which of two makes it
  Id context = nothing;
  Id id = nothing;     // what is made, or used
  Id other = nothing;  // the parent, the source, the queue that is waited for
  Id queue = default_queue;
  std::uint32_t alignment = 0;
  std::uint64_t size = 0;  // or a limit
};

std::string as_c(const Step& step);

struct Book;

// One program; in a process that has called no vendor before.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void make(const Step& step);
  void finish();  // ends all that there is, and looks at what is left
  const Book& book() const { return *book_; }

 private:
  std::unique_ptr<Book> book_;
};

// Threads with queues of their own in contexts that they share; what is claimed does not depend on who comes first.
void run_threads(std::uint64_t seed, std::uint64_t steps, unsigned threads);

}  // namespace device_model

#endif
