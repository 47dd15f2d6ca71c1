// Tangled from org/python/dlpack.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "dlpack.hpp"

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "block.hpp"
#include "vendors.hpp"

namespace py = pybind11;

namespace cadastre::python {
namespace {

struct DLDevice {
  std::int32_t device_type, device_id;
};
struct DLDataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements
  std::uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};
struct DLPackVersion {
  std::uint32_t major, minor;
};
struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};
enum : std::int32_t { on_cpu = 1, on_ext_dev = 12 };

// What the consumer has: the tensor, its shape, and a user of the block.
template <class Managed>
struct Tensor {
  Managed managed;
  std::vector<std::int64_t> shape, strides;
  std::shared_ptr<Holding> holding;
};

template <class Managed>
constexpr const char* capsule_name = std::is_same_v<Managed, DLManagedTensor> ? "dltensor" : "dltensor_versioned";

template <class Managed>
void end_of_tensor(Managed* self) {
  const std::unique_ptr<Tensor<Managed>> tensor(static_cast<Tensor<Managed>*>(self->manager_ctx));
  tensor->holding->leave();
}

template <class Managed>
void end_of_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, capsule_name<Managed>)) return;
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, capsule_name<Managed>));
  managed->deleter(managed);
}

DLDevice place_of(const Block& block) {
  const cadastre_memory_info_struct& info = block.info();
  const std::int32_t number = info.device_id < 0 ? 0 : info.device_id;
  const Vendor* const vendor = vendor_of(info.backend);
  switch (info.type) {
    case CADASTRE_PINNED: return {vendor ? vendor->pinned : on_cpu, 0};
    case CADASTRE_DEVICE: return {vendor ? vendor->device : on_ext_dev, number};
    case CADASTRE_UVM:
      if (vendor) return {vendor->managed, number};
      break;
    default: break;
  }
  return {on_cpu, 0};
}

template <class Managed>
py::object capsule_of(const Block& block) {
  auto tensor = std::make_unique<Tensor<Managed>>();
  const Shape& shape = block.shape();
  const auto size = static_cast<Py_ssize_t>(block.element().size);
  tensor->shape.assign(shape.extents.begin(), shape.extents.end());
  for (const Py_ssize_t stride : shape.strides) tensor->strides.push_back(stride / size);
  DLTensor& described = tensor->managed.dl_tensor;
  const char kind = block.element().kind;
  described.data = block.pointer();
  described.device = place_of(block);
  described.ndim = static_cast<std::int32_t>(shape.extents.size());
  described.dtype = {static_cast<std::uint8_t>(kind == 'i'   ? 0
                                               : kind == 'u' ? 1
                                               : kind == 'f' ? 2
                                               : kind == 'c' ? 5
                                                             : 6),
                     static_cast<std::uint8_t>(8 * size), 1};
  described.shape = tensor->shape.data();
  described.strides = tensor->strides.data();
  described.byte_offset = 0;
  tensor->managed.manager_ctx = tensor.get();
  tensor->managed.deleter = end_of_tensor<Managed>;
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
    tensor->managed.version = {1, 0};
    tensor->managed.flags = 0;
  }
  tensor->holding = block.holding();
  if (!block.holding()->enter()) {
    block.require_live();
    in_use("the block is being released");
  }
  PyObject* const capsule = PyCapsule_New(&tensor->managed, capsule_name<Managed>, end_of_capsule<Managed>);
  if (!capsule) {
    block.holding()->leave();
    throw py::error_already_set();
  }
  (void)tensor.release();
  return py::reinterpret_steal<py::object>(capsule);
}

// None stands for the default stream.
void order(const Block& block, const py::object& stream) {
  const Vendor* const vendor = block.device_sees() ? vendor_of(block.info().backend) : nullptr;
  if (!vendor) {
    if (!stream.is_none() && py::cast<std::int64_t>(stream) != -1) in_use("memory of the host has no streams; pass None");
    return;
  }
  const std::int64_t number = stream.is_none() ? vendor->default_stream() : py::cast<std::int64_t>(stream);
  if (number == -1) return;
  if (!vendor->has_stream(number)) {
    throw py::value_error(std::to_string(number) + " is not a stream as DLPack numbers them for this device; its default stream is " +
                          std::to_string(vendor->default_stream()));
  }
  auto own = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(block.queue()));
  if (own == 0) own = vendor->default_stream();
  if (own == number) return;
  const cadastre_context context = block.holding()->registry()->handle();
  const cadastre_queue queue = block.holding()->queue();
  check(context, waiting([&] { return cadastre_synchronize(context, queue); }));
}

}  // namespace

py::tuple dlpack_device(const Block& block) {
  const DLDevice device = place_of(block);
  return py::make_tuple(device.device_type, device.device_id);
}

py::object dlpack(const Block& block, const py::object& stream, const py::object& max_version, const py::object& device,
                  const py::object& copy) {
  block.require_live();
  if (!copy.is_none() && py::cast<bool>(copy)) in_use("a block is not copied by __dlpack__; allocate another one and copy");
  if (!device.is_none() && !dlpack_device(block).equal(device)) in_use("the block is on another device, and is not copied by __dlpack__");
  order(block, stream);
  const bool versioned = !max_version.is_none() && py::cast<int>(py::tuple(max_version)[0]) >= 1;
  return versioned ? capsule_of<DLManagedTensorVersioned>(block) : capsule_of<DLManagedTensor>(block);
}

}  // namespace cadastre::python
