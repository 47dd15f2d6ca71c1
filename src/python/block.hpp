// Tangled from org/python/block.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A block, or a buffer of a lease, as an array.
#ifndef CADASTRE_SRC_PYTHON_BLOCK_HPP
#define CADASTRE_SRC_PYTHON_BLOCK_HPP

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <cadastre.h>

#include "arguments.hpp"
#include "memory.hpp"

namespace cadastre::python {

class Block {
 public:
  Block(std::shared_ptr<Holding> holding, const cadastre_memory_info_struct& info, const Element& element, Shape shape, bool owns)
      : holding_(std::move(holding)), info_(info), element_(&element), shape_(std::move(shape)), owns_(owns) {}

  const std::shared_ptr<Holding>& holding() const noexcept { return holding_; }
  const cadastre_memory_info_struct& info() const noexcept { return info_; }
  const Element& element() const noexcept { return *element_; }
  const Shape& shape() const noexcept { return shape_; }
  bool is_of_lease() const noexcept { return !owns_; }
  void* pointer() const noexcept { return info_.pointer; }
  bool host_sees() const noexcept { return info_.type != CADASTRE_DEVICE; }
  bool device_sees() const noexcept;  // a device of a vendor

  void require_live() const;  // ValueError
  // The queue that work on the block is ordered by: its own, or the default one of its context.
  cadastre_queue queue() const;

  void free();
  void resize(const pybind11::object& extents);

 private:
  std::shared_ptr<Holding> holding_;
  cadastre_memory_info_struct info_;
  const Element* element_;
  Shape shape_;
  bool owns_;
};

// A range of memory, with a user as long as this object is there: a block, an object with a buffer, or an address, whose size is what is asked for.
class Range {
 public:
  Range(const pybind11::object& what, bool writes, const char* name);
  ~Range();
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

  void* pointer() const noexcept { return pointer_; }
  std::optional<std::size_t> bytes() const noexcept { return bytes_; }

 private:
  void* pointer_ = nullptr;
  std::optional<std::size_t> bytes_;
  std::shared_ptr<Holding> holding_;  // null: a buffer, or an address
  std::optional<Py_buffer> buffer_;
};

// Complete when they return. Without a size: as much as the source has.
void copy(cadastre_context context, const pybind11::object& dest, const pybind11::object& source, std::optional<std::size_t> bytes,
          cadastre_queue queue);
void fill(cadastre_context context, const pybind11::object& dest, int value, std::optional<std::size_t> bytes, cadastre_queue queue);

}  // namespace cadastre::python
#endif
