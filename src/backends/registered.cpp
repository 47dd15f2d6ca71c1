// Tangled from org/backends/registered.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/registered.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "backends/operations.hpp"
#include "base/environment.hpp"
#include "base/lock.hpp"
#include "core/forks.hpp"

namespace cadastre::internal {
namespace {

struct TableOfOperations {
  Operations operations;
  Alignments alignments = {};
};

class Adapter final : public Backend {
 public:
  Adapter(Registration& registration, const TableOfOperations& table, void* content, bool cloned) noexcept
      : registration_(registration), table_(table), content_(content), cloned_(cloned) {}

  cadastre_backend number() const noexcept override { return registration_.number(); }
  Presence presence() const noexcept override {
    return registration_.is_open() ? Presence{true, table().device_count, ""} : Presence{false, 0, not_registered};
  }
  bool serves(cadastre_memory_type type) const noexcept override {
    return is_memory_type(type) && (table().memory_type_mask >> type & 1) != 0;
  }
  std::size_t largest_alignment(cadastre_memory_type type) const noexcept override {
    return table_.alignments[static_cast<std::size_t>(type)];
  }
  std::size_t natural_alignment(cadastre_memory_type type) const noexcept override {
    return std::min(alignof(std::max_align_t), largest_alignment(type));
  }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    if (!registration_.hold()) return registration_.absent();
    cadastre_memory_info_struct block = described(request);
    const Answer answer = obtain(block, request);
    if (answer) {
      grant = {block.pointer, block.alignment, 0};
      return CADASTRE_SUCCESS;
    }
    registration_.let_go();
    return fail(not_allocated(request, number(), answer.code, answer.trouble));
  }

  cadastre_exit_code free(const Record& record) noexcept override {
    const Answer answer = give_back(described(record));
    if (answer) {
      registration_.let_go();
      return CADASTRE_SUCCESS;
    }
    return fail(not_freed(record, number(), answer.code, answer.trouble));
  }

  void lose(const Record&) noexcept override { registration_.let_go(); }

  cadastre_exit_code copy(const Copy& copy) noexcept override {
    const cadastre_memory_info_struct to = described(copy.to_place, copy.to, copy.bytes);
    const cadastre_memory_info_struct from = described(copy.from_place, copy.from, copy.bytes);
    const bool later = !copy.wait && table().copy_async;
    const auto operation = later ? table().copy_async : table().copy;
    const Answer answer =
        ask(later ? "copy_async" : "copy", [&] { return operation(content_, copy.to, &to, copy.from, &from, copy.bytes, copy.queue); });
    return outcome(answer, "a copy");
  }

  cadastre_exit_code set(const Fill& fill) noexcept override {
    const cadastre_memory_info_struct place = described(fill.place, fill.to, fill.bytes);
    const Answer answer = ask("set", [&] { return table().set(content_, fill.to, &place, fill.value, fill.bytes, fill.queue); });
    return outcome(answer, "setting bytes");
  }

  cadastre_exit_code synchronize(std::int32_t device, cadastre_queue queue) noexcept override {
    if (!table().synchronize) return CADASTRE_SUCCESS;
    return outcome(ask("synchronize", [&] { return table().synchronize(content_, device, queue); }), "waiting");
  }

  cadastre_exit_code settle(const Record& record) noexcept override { return synchronize(record.device, CADASTRE_DEFAULT_QUEUE); }

  cadastre_exit_code prefetch(const Hint& hint, bool& taken) noexcept override {
    if (!table().prefetch) return Backend::prefetch(hint, taken);
    return follow("prefetch", "a prefetch", taken, [&](std::int32_t* followed) {
      return table().prefetch(content_, hint.begin, hint.bytes, hint.device, hint.queue, followed);
    });
  }

  cadastre_exit_code advise(const Hint& hint, bool& taken) noexcept override {
    if (!table().advise) return Backend::advise(hint, taken);
    return follow("advise", "an advice", taken, [&](std::int32_t* followed) {
      return table().advise(content_, hint.begin, hint.bytes, hint.advice, hint.device, followed);
    });
  }

  cadastre_exit_code memory_of(std::int32_t device, DeviceMemory& memory) noexcept override {
    memory = {};
    if (!table().device_memory) return CADASTRE_SUCCESS;
    const Answer answer = ask("device_memory", [&] { return table().device_memory(content_, device, &memory.total, &memory.free); });
    return outcome(answer, "querying the memory of a device");
  }

  cadastre_exit_code attach(Backend*& instance) noexcept override {
    if (!registration_.hold()) return registration_.absent();
    const cadastre_exit_code code = table().clone ? clone(instance) : Backend::attach(instance);
    if (code != CADASTRE_SUCCESS) registration_.let_go();
    return code;
  }

  cadastre_exit_code detach() noexcept override {
    const Owned<Adapter> own(cloned_ ? this : nullptr);
    const cadastre_exit_code code = cloned_ ? destroy(CADASTRE_DEALLOCATION_FAILED) : CADASTRE_SUCCESS;
    registration_.let_go();
    return code;
  }

  // The content is not used after this.
  cadastre_exit_code destroy(cadastre_exit_code code_of_failure) noexcept {
    if (!table().destroy) return CADASTRE_SUCCESS;
    const Answer answer = ask("destroy", [&] { return table().destroy(content_); });
    return outcome(answer, "destroying the content of a backend", code_of_failure);
  }

 private:
  const Operations& table() const noexcept { return table_.operations; }

  static cadastre_memory_info_struct described(const Place& place, const void* pointer, std::size_t size) noexcept {
    return {.size = size,
            .pointer = const_cast<void*>(pointer),
            .type = place.type,
            .device = device_of(place.device),
            .alignment = 1,
            .stride = 0,
            .flags = 0,
            .backend = place.backend,
            .label = nullptr,
            .device_id = place.device,
            .reserved = {}};
  }

  cadastre_memory_info_struct described(const Request& request) const noexcept {
    cadastre_memory_info_struct info = described({request.type, request.device, number()}, nullptr, request.size);
    info.alignment = std::max(request.alignment, natural_alignment(request.type));
    info.flags = request.zero ? 0 : CADASTRE_UNINITIALIZED;
    return info;
  }

  cadastre_memory_info_struct described(const Record& record) const noexcept {
    cadastre_memory_info_struct info = described({record.type, record.device, number()}, record.pointer, record.size);
    info.alignment = record.alignment();
    info.flags = record.flags;
    return info;
  }

  // Fills in block.pointer.
  Answer obtain(cadastre_memory_info_struct& block, const Request& request) noexcept {
    void* pointer = nullptr;
    Answer answer = ask("allocate", [&] { return table().allocate(content_, &block, request.queue, &pointer); });
    if (!answer) return answer;
    if (!pointer) return {0, "operation allocate returned success and wrote NULL"};
    block.pointer = pointer;
    if (reinterpret_cast<std::uintptr_t>(pointer) % block.alignment != 0) {
      answer.trouble = text("operation allocate wrote %p, which is not a multiple of %zu", pointer, block.alignment);
    } else if (request.zero && request.size > 0) {
      answer = ask("set", [&] { return table().set(content_, pointer, &block, 0, request.size, request.queue); });
    }
    if (!answer) give_back(block);
    return answer;
  }

  Answer give_back(const cadastre_memory_info_struct& block) noexcept {
    return ask("free", [&] { return table().free(content_, &block); });
  }

  cadastre_exit_code clone(Backend*& instance) noexcept {
    Owned<Adapter> own = try_to_own<Adapter>(registration_, table_, nullptr, true);
    if (!own) return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_OUT_OF_HOST_MEMORY});
    const Answer answer = ask("clone", [&] { return table().clone(content_, &own->content_); });
    if (answer) instance = own.release();
    return outcome(answer, "creating the content of a context");
  }

  template <class Tell>
  cadastre_exit_code follow(const char* operation, const char* what, bool& taken, Tell tell) noexcept {
    std::int32_t followed = 0;
    const Answer answer = ask(operation, [&] { return tell(&followed); });
    taken = answer && followed != 0;
    return outcome(answer, what);
  }

  // Success, or a failure that names what was to be done.
  cadastre_exit_code outcome(const Answer& answer, const char* what, cadastre_exit_code code = CADASTRE_FAILURE) const noexcept {
    if (answer) return CADASTRE_SUCCESS;
    return fail({.exit_code = code,
                 .reason = CADASTRE_REASON_BACKEND_CALL_FAILED,
                 .backend = number(),
                 .vendor_code = answer.code,
                 .vendor = answer.trouble,
                 .detail = what});
  }

  Registration& registration_;
  const TableOfOperations& table_;
  void* content_;
  const bool cloned_;
};

class WithTable final : public Registered {
 public:
  WithTable(const char* name, const Operations& operations, void* content) noexcept
      : Registered(name), table{operations}, adapter(registration, table, content, false) {}

  Backend& backend() noexcept override { return adapter; }
  cadastre_exit_code end(cadastre_exit_code code_of_failure) noexcept override { return adapter.destroy(code_of_failure); }

  TableOfOperations table;
  Adapter adapter;
};

constinit Mutex<Rank::registering> registering;
constinit Registered* newest CADASTRE_GUARDED_BY(registering) = nullptr;  // and this is all that keeps those that have gone

Registered* find_entry(auto matches) noexcept CADASTRE_REQUIRES(registering) {
  for (Registered* entry = newest; entry; entry = entry->older) {
    if (entry->registration.is_open() && matches(entry->registration)) return entry;
  }
  return nullptr;
}

constinit bool forks_are_watched = false;

// After the contexts' handlers, so that this lock is taken before theirs.
[[gnu::constructor(102)]] void watch_for_forks() noexcept {
  const auto lock = []() CADASTRE_UNCHECKED { registering.lock_for_fork(); };
  const auto unlock = []() CADASTRE_UNCHECKED { registering.unlock(); };
  forks_are_watched = at_fork(lock, unlock, unlock);
}

bool is_taken(const char* name) noexcept CADASTRE_REQUIRES(registering) {
  const auto same = [name](const auto& named) { return std::strcmp(named.name, name) == 0; };
  return std::any_of(backend_rows().begin(), backend_rows().end(), same) || find_entry(same);
}

}  // namespace

cadastre_exit_code register_backend(const char* name, const cadastre_backend_operations_struct* operations, void* content,
                                    cadastre_backend& number) noexcept {
  Operations table;
  cadastre_exit_code code = check_name(name);
  if (code == CADASTRE_SUCCESS) code = read_table(operations, table);
  if (code != CADASTRE_SUCCESS) return code;
  Owned<WithTable> entry = try_to_own<WithTable>(name, table, content);
  if (entry) code = ask_for_alignments(table, content, entry->table.alignments);
  return code == CADASTRE_SUCCESS ? enter_registration(std::move(entry), number) : code;
}

cadastre_exit_code enter_registration(Owned<Registered> entry, cadastre_backend& number) noexcept {
  const Locked locked(registering);
  if (!entry || !forks_are_watched) {
    return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_OUT_OF_HOST_MEMORY});
  }
  const char* const name = entry->registration.name;
  if (is_taken(name)) return refuse_registration(CADASTRE_INVALID_ARG_1, text("a backend named \"%s\" exists already", name));
  const cadastre_backend given = enter_backend(entry->backend(), name);
  if (given == CADASTRE_INVALID_BACKEND) {
    return refuse_registration(CADASTRE_ALLOCATION_FAILED,
                               text("all %d numbers have been used, and no number is used twice", most_registered_backends));
  }
  entry->registration.open(number = given);
  entry->older = newest;
  newest = entry.release();
  return CADASTRE_SUCCESS;
}

namespace {

cadastre_exit_code close_entry(cadastre_backend number, Registered*& entry) noexcept {
  const Locked locked(registering);
  entry = find_entry([number](const Registration& one) { return one.number() == number; });
  if (!entry) {
    return fail(
        {.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_INVALID_BACKEND, .requested = static_cast<std::size_t>(number)});
  }
  if (!entry->registration.close()) {
    return fail({.exit_code = CADASTRE_FAILURE,
                 .reason = CADASTRE_REASON_BACKEND_IN_USE,
                 .backend = number,
                 .in_use = static_cast<std::size_t>(entry->registration.uses())});
  }
  strike_backend(number);
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code unregister_backend(cadastre_backend number) noexcept {
  Registered* entry = nullptr;
  const cadastre_exit_code code = close_entry(number, entry);
  return code == CADASTRE_SUCCESS ? entry->end(CADASTRE_FAILURE) : code;
}

}  // namespace cadastre::internal
