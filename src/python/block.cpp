// Tangled from org/python/block.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "block.hpp"

#include "vendors.hpp"

namespace py = pybind11;

namespace cadastre::python {

bool Block::device_sees() const noexcept {
  return vendor_of(info_.backend) != nullptr && (info_.type == CADASTRE_DEVICE || info_.type == CADASTRE_UVM);
}

void Block::require_live() const {
  if (holding_->is_live()) return;
  if (holding_->registry()->exists()) throw py::value_error(owns_ ? "the block has been freed" : "the lease has been released");
  throw py::value_error("the context of the block has been destroyed");
}

cadastre_queue Block::queue() const {
  if (holding_->queue() != CADASTRE_DEFAULT_QUEUE) return holding_->queue();
  const cadastre_context context = holding_->registry()->handle();
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
  check(context, waiting([&] { return cadastre_context_get_default_queue(context, &queue); }));
  return queue;
}

void Block::free() {
  if (!owns_) throw py::type_error("this is a buffer of a lease; release the lease");
  cadastre_exit_code code = CADASTRE_SUCCESS;
  const long users = holding_->free(code);
  if (users < 0) require_live();
  if (users > 0) in_use("the block still has " + counted(users) + "; delete them first, or delete the block: its last user then frees it");
  check(holding_->registry()->handle(), code);
}

void Block::resize(const py::object& extents) {
  if (!owns_) throw py::type_error("this is a buffer of a lease; a block can be resized");
  Shape shape = shape_of(extents, *element_);
  bool done = false;
  const long users = holding_->resize(shape.bytes, done);
  if (users < 0) require_live();
  if (users > 0) in_use("the block still has " + counted(users) + "; it may move, so delete them first");
  const cadastre_context context = holding_->registry()->handle();
  if (!done) refuse(context, last_code(context));
  check(context, waiting([&] { return cadastre_get_malloc_info(context, holding_->block(), &info_); }));
  shape_ = std::move(shape);
}

Range::Range(const py::object& what, bool writes, const char* name) {
  if (py::isinstance<Block>(what)) {
    const Block& block = py::cast<const Block&>(what);
    if (!block.holding()->enter()) {
      block.require_live();
      in_use("the block is being released");
    }
    holding_ = block.holding();
    pointer_ = block.pointer();
    bytes_ = block.shape().bytes;
  } else if (PyLong_Check(what.ptr())) {
    pointer_ = PyLong_AsVoidPtr(what.ptr());
    if (PyErr_Occurred()) throw py::error_already_set();
  } else if (PyObject_CheckBuffer(what.ptr())) {
    buffer_.emplace();
    if (PyObject_GetBuffer(what.ptr(), &*buffer_, writes ? PyBUF_CONTIG : PyBUF_CONTIG_RO) != 0) {
      buffer_.reset();
      throw py::error_already_set();
    }
    pointer_ = buffer_->buf;
    bytes_ = static_cast<std::size_t>(buffer_->len);
  } else {
    throw py::type_error(std::string(name) + " is neither a block, nor an object with a buffer, nor an address");
  }
}

Range::~Range() {
  if (holding_) holding_->leave();
  if (buffer_) PyBuffer_Release(&*buffer_);
}

namespace {

std::size_t bytes_to_move(const Range& in, const std::optional<std::size_t>& asked, const Range* from, const char* function) {
  const std::optional<std::size_t> all = asked ? asked : from && from->bytes() ? from->bytes() : in.bytes();
  if (!all) throw py::value_error("two addresses have no size; pass the number of bytes");
  for (const Range* range : {&in, from}) {
    if (range && range->bytes() && *all > *range->bytes()) {
      refuse(CADASTRE_OUT_OF_BOUNDS, function,
             std::to_string(*all) + " bytes do not fit into the " + std::to_string(*range->bytes()) + " bytes of the " +
                 (range == from ? "source" : "destination"));
    }
  }
  return *all;
}

}  // namespace

void copy(cadastre_context context, const py::object& dest, const py::object& source, std::optional<std::size_t> bytes,
          cadastre_queue queue) {
  const Range to(dest, true, "the destination"), from(source, false, "the source");
  const std::size_t size = bytes_to_move(to, bytes, &from, "copy");
  check(context, waiting([&] {
          if (queue == CADASTRE_DEFAULT_QUEUE) return cadastre_memcpy(context, to.pointer(), from.pointer(), size);
          const cadastre_exit_code code = cadastre_memcpy_async(context, to.pointer(), from.pointer(), size, queue);
          return code == CADASTRE_SUCCESS ? cadastre_synchronize(context, queue) : code;
        }));
}

void fill(cadastre_context context, const py::object& dest, int value, std::optional<std::size_t> bytes, cadastre_queue queue) {
  const Range to(dest, true, "the destination");
  const std::size_t size = bytes_to_move(to, bytes, nullptr, "fill");
  check(context, waiting([&] {
          if (queue == CADASTRE_DEFAULT_QUEUE) return cadastre_memset(context, to.pointer(), value, size);
          const cadastre_exit_code code = cadastre_memset_async(context, to.pointer(), value, size, queue);
          return code == CADASTRE_SUCCESS ? cadastre_synchronize(context, queue) : code;
        }));
}

}  // namespace cadastre::python
