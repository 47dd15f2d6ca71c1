// Tangled from org/python/context.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "context.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "arguments.hpp"
#include "block.hpp"
#include "lease.hpp"
#include "memory.hpp"
#include "numpy_arrays.hpp"
#include "tables.hpp"

namespace py = pybind11;

namespace cadastre::python {
namespace {

using Name = std::optional<std::string>;

std::unique_ptr<Context> create(const Name& backend, const std::optional<std::int32_t>& device, const Name& pool,
                                const std::optional<std::map<std::string, std::optional<std::size_t>>>& limits, const Context* parent) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend_of(backend);
  options.device = device_of(device);
  options.pool = pool_of(pool);
  if (limits) {
    for (const auto& [type, bytes] : *limits) options.limits[memory_type_or_all(type)] = limit_of(bytes);
  }
  std::shared_ptr<Registry> above = parent ? parent->registry() : nullptr;
  if (above && !above->enter()) throw py::value_error("the parent has been closed");
  if (above) options.parent = above->handle();
  const cadastre_context handle = waiting([&] { return cadastre_context_create_with_options(&options); });
  if (handle == CADASTRE_NULL_CONTEXT) {
    if (above) above->leave();
    refuse(CADASTRE_NULL_CONTEXT, last_code(CADASTRE_NULL_CONTEXT));
  }
  return std::make_unique<Context>(std::make_shared<Registry>(handle, std::move(above)));
}

py::dict destroy(const Context& context) {
  cadastre_destroy_summary_struct alive = cadastre_destroy_summary_struct_zero;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  const long users = context.registry()->destroy(&alive, code);
  if (users > 0) {
    in_use("the context still has " + counted(users) +
           ", or contexts below it; delete them first, or close() the context: the last of them then destroys it");
  }
  check(context.handle, code);
  return summary(alive);
}

void require_open(const Context& context) {
  if (context.registry()->takes_requests()) return;
  throw py::value_error(context.registry()->exists() ? "the context has been closed" : "the context has been destroyed");
}

std::unique_ptr<Block> allocate(const Context& context, const py::object& extents, const py::object& dtype, const std::string& type,
                                const Name& label, std::size_t alignment, const std::optional<std::int32_t>& device, const Name& backend,
                                bool uninitialized, const py::object& queue) {
  require_open(context);
  const Element& element = element_of(dtype);
  Shape shape = shape_of(extents, element);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = shape.bytes;
  info.type = memory_type_of(type);
  info.alignment = alignment;
  info.device = device_of(device);
  info.backend = backend_of(backend);
  info.flags = uninitialized ? CADASTRE_UNINITIALIZED : 0;
  info.label = label ? label->c_str() : nullptr;
  const bool ordered = !queue.is_none();
  const cadastre_queue on = queue_of(queue);
  const cadastre_context handle = context.handle;
  void* const pointer = waiting([&] { return ordered ? cadastre_malloc_async(handle, info, on) : cadastre_malloc(handle, info); });
  if (!pointer) refuse(handle, last_code(handle));
  auto holding = std::make_shared<Holding>(context.registry(), pointer, ordered, on);
  check(handle, waiting([&] { return cadastre_get_malloc_info(handle, pointer, &info); }));
  return std::make_unique<Block>(std::move(holding), info, element, std::move(shape), true);
}

py::object find(const Context& context, std::uintptr_t address) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  std::size_t offset = 0;
  const cadastre_exit_code code =
      waiting([&] { return cadastre_find_block(context.handle, reinterpret_cast<const void*>(address), &info, &offset); });
  if (code == CADASTRE_INVALID_ARG_2) return py::none();
  check(context.handle, code);
  py::dict row = description(info);
  row["offset"] = offset;
  return row;
}

// What a "with" statement holds.
struct Locked {
  std::shared_ptr<Registry> registry;
};

void lock(const Registry& registry) {
  check(registry.handle(), waiting([&] { return cadastre_lock(registry.handle()); }));
}

void unlock(const Registry& registry) {
  check(registry.handle(), waiting([&] { return cadastre_unlock(registry.handle()); }));
}

void add_account(py::module_& module) {
  py::class_<Account>(module, "Account",
                      R"(A context, or cadastre.process, which is above all contexts: what both tell, and what limits them.

Threads: any, also at the same time. Calls wait for a thread that holds the context's lock.)")
      .def_property_readonly(
          "handle", [](const Account& account) { return account.handle; }, "The handle for functions of the C library, an int.")
      .def(
          "statistics",
          [](const Account& account, const Name& type, const std::optional<std::int32_t>& device_id) {
            return statistics(account.handle, memory_type_or_all(type), device_id);
          },
          py::arg("type") = py::none(), py::arg("device_id") = py::none(),
          R"(The statistics of one memory type as a dict; without a type, or for "ALL", of all together.

With device_id, those of one device. Keys are those of cadastre_statistics_struct, and "type"; sizes are in bytes; limit
is None where there is none. Cost: O(1); where several contexts are included, a look at every context.)")
      .def(
          "statistics_by_type", [](const Account& account) { return statistics_by_type(account.handle); },
          "A list with the dict of statistics() for each memory type: pandas.DataFrame() takes it.")
      .def(
          "pool", [](const Account& account, const std::string& type) { return pool(account.handle, memory_type_of(type)); },
          py::arg("type") = "HOST", "What pools of a memory type have and cache, as a dict with the fields of cadastre_pool_info_struct.")
      .def(
          "trim",
          [](const Account& account, const std::string& type, std::size_t keep) {
            const cadastre_memory_type number = memory_type_of(type);
            check(account.handle, waiting([&] { return cadastre_pool_trim(account.handle, number, keep); }));
          },
          py::arg("type") = "HOST", py::arg("keep") = 0,
          "Releases what pools of a memory type cache, down to `keep` bytes. Waits for queues on which blocks were freed.")
      .def(
          "registry", [](const Account& account) { return registry(account.handle); },
          "How large the registry is, as a dict with the fields of cadastre_registry_info_struct.")
      .def(
          "set_limit",
          [](const Account& account, const std::optional<std::size_t>& nbytes, const Name& type) {
            const cadastre_memory_type number = memory_type_or_all(type);
            check(account.handle, waiting([&] { return cadastre_set_limit(account.handle, number, limit_of(nbytes)); }));
          },
          py::arg("nbytes"), py::arg("type") = py::none(),
          R"(Limits the bytes of live blocks of a memory type, or without one of all together.

None removes the limit; 0 refuses every block but those of 0 bytes. A limit below what is live is accepted.)")
      .def(
          "reset_high_water_mark",
          [](const Account& account, const std::string& type) {
            const cadastre_memory_type number = memory_type_of(type);
            check(account.handle, waiting([&] { return cadastre_reset_high_water_mark(account.handle, number); }));
          },
          py::arg("type") = "HOST", "Lowers the high-water marks of a memory type to what is live now.")
      .def(
          "report",
          [](const Account& account) { return py::module_::import("json").attr("loads")(report(account.handle, CADASTRE_REPORT_JSON)); },
          "The report in JSON as a dict. Cost: a look at every block.")
      .def(
          "report_text", [](const Account& account) { return report(account.handle, CADASTRE_REPORT_TEXT); },
          "The report for people, a str. Cost: a look at every block.");
}

using ContextClass = py::class_<Context, Account>;

void add_memory(ContextClass& own) {
  own.def("allocate", &allocate, py::arg("shape"), py::arg("dtype") = "uint8", py::kw_only(), py::arg("type") = "HOST",
          py::arg("label") = py::none(), py::arg("alignment") = 0, py::arg("device") = py::none(), py::arg("backend") = py::none(),
          py::arg("uninitialized") = false, py::arg("queue") = py::none(), R"(Allocates a block: an array of zeros in C's order.

shape is a number of elements, or a tuple of them; dtype a name such as "float64", or a type of NumPy. By default the
elements are bytes. alignment is in bytes, a power of two, 0 for the backend's own. uninitialized leaves contents
undefined. With a queue the block is allocated and freed in its order.

Raises MemoryError (AllocationFailed, LimitExceeded), ValueError (InvalidArgument), NotSupported; nothing has changed.
Cost: O(1), and the backend's allocation, without the interpreter's lock.)")
      .def("lease", &lease, py::arg("sizes"), py::kw_only(), py::arg("type") = py::none(), py::arg("queue") = py::none(),
           R"(Acquires buffers of the context's workspace: scratch memory, whose contents are undefined.

sizes is a number of bytes, or a list of them. type is a memory type; without one it is DEVICE memory where the backend
has it, else HOST. Raises MemoryError where the workspace or a limit has less. Cost: O(1) if it fits.)")
      .def(
          "workspace",
          [](const Context& context, const Name& type) {
            return workspace(context.handle, type ? memory_type_of(*type) : CADASTRE_DEFAULT_WORKSPACE_TYPE);
          },
          py::arg("type") = py::none(),
          "The state of the workspace of a memory type, as a dict with the fields of cadastre_workspace_info_struct.")
      .def("numpy_arrays", &numpy_arrays, py::kw_only(), py::arg("label") = "numpy", py::arg("type") = "HOST", py::arg("alignment") = 64,
           R"(In a "with", the memory of new arrays of NumPy is blocks of this context.

It holds for the thread (for its contextvars.Context) that enters it, also for arrays that NumPy makes meanwhile for
itself. The arrays may be used and dropped anywhere, also after the "with" and on other threads; the context lives at
least as long as they do. type may be any memory that the host can access. Needs NumPy 1.22. RuntimeError without it.)");
}

void add_copies(ContextClass& own) {
  own.def(
         "copy",
         [](const Context& context, const py::object& dest, const py::object& source, const std::optional<std::size_t>& nbytes,
            const py::object& queue) { copy(context.handle, dest, source, nbytes, queue_of(queue)); },
         py::arg("dest"), py::arg("source"), py::arg("nbytes") = py::none(), py::kw_only(), py::arg("queue") = py::none(),
         R"(Copies bytes between blocks, objects with a buffer, and addresses; between any two memory types.

Without nbytes as many as the source has. The copy is complete when the call returns; with a queue it comes after what
was enqueued there. Raises OutOfBounds where a range leaves its block; nothing is copied then.)")
      .def(
          "fill",
          [](const Context& context, const py::object& dest, int value, const std::optional<std::size_t>& nbytes, const py::object& queue) {
            fill(context.handle, dest, value, nbytes, queue_of(queue));
          },
          py::arg("dest"), py::arg("value"), py::arg("nbytes") = py::none(), py::kw_only(), py::arg("queue") = py::none(),
          "Sets bytes to the low 8 bits of value. Complete when the call returns.")
      .def(
          "synchronize",
          [](const Context& context, const py::object& queue) {
            const cadastre_queue on = queue_of(queue);
            check(context.handle, waiting([&] { return cadastre_synchronize(context.handle, on); }));
          },
          py::arg("queue") = py::none(), "Waits until a queue has completed its work, without the interpreter's lock.")
      .def(
          "set_default_queue",
          [](const Context& context, const py::object& queue) {
            const cadastre_queue on = queue_of(queue);
            check(context.handle, waiting([&] { return cadastre_context_set_default_queue(context.handle, on); }));
          },
          py::arg("queue"), "Sets the queue of calls that name none; None restores the backend's default. It must exist while it is set.");
}

void add_views(ContextClass& own) {
  own.def(
         "blocks", [](const Context& context) { return blocks(context.handle); },
         "All blocks, as a list of dicts in the order of their allocation. Cost: O(n log n).")
      .def(
          "by_label", [](const Context& context) { return by_label(context.handle); },
          "Live blocks and bytes of each label and memory type, as a list of dicts; the most bytes first. Cost: O(n log n).")
      .def("find", &find, py::arg("address"), "The block in which an address lies, as a dict with its \"offset\", or None. Cost: O(1).")
      .def(
          "locked", [](const Context& context) { return Locked{context.registry()}; },
          "For a \"with\": calls of other threads on this context wait meanwhile.")
      .def(
          "lock", [](const Context& context) { lock(*context.registry()); },
          "Locks the context for this thread, once more. A thread that ends keeps its lock.")
      .def(
          "unlock", [](const Context& context) { unlock(*context.registry()); }, "Undoes one lock() of this thread. Error if it has none.");
}

void add_end(ContextClass& own) {
  own.def("destroy", &destroy, R"(Destroys the context with all its blocks, and returns what was still alive, as a dict.

BufferError if its memory has users, and nothing has changed; Error if contexts are below it that Python does not know.)")
      .def(
          "close", [](const Context& context) { context.registry()->close(); },
          "Takes no requests any more, and destroys the context, or lets the last user of its memory do so. May be called again.")
      .def_property_readonly(
          "closed", [](const Context& context) { return !context.registry()->takes_requests(); },
          "Whether close() or destroy() was called.")
      .def_property_readonly(
          "exists", [](const Context& context) { return context.registry()->exists(); },
          "Whether the context is still there: False once it has been destroyed.")
      .def_property_readonly(
          "users", [](const Context& context) { return context.registry()->users(); },
          "How many users keep the context: arrays, buffers and tensors on its memory, contexts below it.");
}

void add_own(py::module_& module) {
  py::class_<Locked>(module, "_Locked", py::custom_type_setup(refuse_new))
      .def("__enter__", [](const Locked& locked) { lock(*locked.registry); })
      .def("__exit__", [](const Locked& locked, const py::args&) { unlock(*locked.registry); });
  ContextClass own(module, "Context",
                   R"(A registry of memory: what is allocated in it is counted, labelled, limited, and freed with it.

backend is a name such as "host" or "cuda", device the vendor's number, pool "none", "vendor" or "caching". limits is a
dict from a memory type, or "ALL", to a number of bytes or None for no limit. The memory of a context with a parent
counts against the limits of the parent, too. What is not given is what the environment says.

The context ends by destroy() or close(), at the end of a "with", or when nothing refers to it or to its blocks any more.
Raises NotSupported where the backend is not available, and InvalidEnvironment.

Threads: any, also at the same time. The child of a fork has the context and its HOST blocks; not those of devices.)");
  own.def(py::init(&create), py::kw_only(), py::arg("backend") = py::none(), py::arg("device") = py::none(), py::arg("pool") = py::none(),
          py::arg("limits") = py::none(), py::arg("parent") = py::none());
  add_memory(own);
  add_copies(own);
  add_views(own);
  add_end(own);
  own.def("__eq__", [](const Context& a,
                       const py::object& b) { return py::isinstance<Context>(b) && py::cast<const Context&>(b).handle == a.handle; })
      .def("__hash__", [](const Context& context) { return py::hash(py::int_(context.handle)); })
      .def("__repr__",
           [](const Context& context) {
             return "<cadastre.Context " + std::to_string(context.handle) +
                    (context.registry()->takes_requests() ? ">"
                     : context.registry()->exists()       ? ", closed>"
                                                          : ", destroyed>");
           })
      .def("__enter__",
           [](const py::object& self) {
             require_open(py::cast<const Context&>(self));
             return self;
           })
      .def("__exit__", [](const Context& context, const py::args&) { context.registry()->close(); }, "As close().");
}

}  // namespace

void add_context(py::module_& module) {
  add_account(module);
  add_own(module);
  module.attr("process") = py::cast(Account(CADASTRE_PROCESS));
  module.def("backends", &backends,
             "The backends that this library knows, as a list of dicts; each with the reason where it is not available.");
  module.def("version", &cadastre_get_version, "The version of the running library.");
  module.def("build_options", &cadastre_get_build_options, "How the running library was built, one \"name: value\" per line.");
}

}  // namespace cadastre::python
