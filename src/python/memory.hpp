// Tangled from org/python/memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Contexts and blocks, which live as long as somebody uses their memory.
#ifndef CADASTRE_SRC_PYTHON_MEMORY_HPP
#define CADASTRE_SRC_PYTHON_MEMORY_HPP

#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <cadastre.h>

namespace cadastre::python {

class Registry {
 public:
  Registry(cadastre_context handle, std::shared_ptr<Registry> parent);
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  cadastre_context handle() const noexcept { return handle_; }
  bool takes_requests() const;
  bool exists() const;
  long users() const;

  // One user more: false, if the context is closed. And one less, which may destroy it.
  bool enter();
  void leave();

  void close();
  // Users, if there are any: the context then stays as it is. Else 0, and code is that of the destruction.
  long destroy(cadastre_destroy_summary_struct* summary, cadastre_exit_code& code);

 private:
  friend class Holding;
  enum class State { open, closing, gone };

  cadastre_exit_code destroy_now(cadastre_destroy_summary_struct* summary);

  const cadastre_context handle_;
  const std::shared_ptr<Registry> parent_;
  mutable std::mutex mutex_;
  State state_ = State::open;  // guarded by mutex_, as is what follows
  long users_ = 0;
};

// What Python has of the process, and of a context. An object that was made by __new__ alone is all zeros.
struct Account {
  explicit Account(cadastre_context of) : handle(of) {}
  static void* operator new(std::size_t size) { return std::memset(::operator new(size), 0, size); }
  static void* operator new(std::size_t, void* place) noexcept { return place; }
  static void operator delete(void* pointer) { ::operator delete(pointer); }
  cadastre_context handle;
};

class Context : public Account {
 public:
  explicit Context(std::shared_ptr<Registry> of) : Account(of->handle()), registry_(std::move(of)) {}
  const std::shared_ptr<Registry>& registry() const {
    if (!registry_) throw std::invalid_argument("the context is not initialized: call Context()");
    return registry_;
  }

 private:
  std::shared_ptr<Registry> registry_;
};

// One block, or one lease with all its buffers.
class Holding {
 public:
  Holding(std::shared_ptr<Registry> registry, void* block, bool ordered, cadastre_queue queue)
      : registry_(std::move(registry)), block_(block), ordered_(ordered), queue_(queue) {}
  Holding(std::shared_ptr<Registry> registry, cadastre_lease lease, cadastre_queue queue)
      : registry_(std::move(registry)), lease_(lease), queue_(queue) {}
  ~Holding();
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

  const std::shared_ptr<Registry>& registry() const noexcept { return registry_; }
  void* block() const noexcept { return block_; }
  cadastre_queue queue() const noexcept { return queue_; }
  bool is_live() const;
  long users() const;

  bool enter();
  void leave();
  // The address is given to users that cannot be counted: one user, until this object ends.
  bool hand_out();

  void release();  // now, or with the last user
  // Users, if there are any, or -1, if it is no more: nothing changes. Else 0, and code is that of the library.
  long free(cadastre_exit_code& code);
  // The same; block() is then another.
  long resize(std::size_t bytes, bool& done);

 private:
  bool is_live_locked() const { return live_ && registry_->state_ != Registry::State::gone; }
  cadastre_exit_code give_back() noexcept;

  const std::shared_ptr<Registry> registry_;
  void* block_ = nullptr;
  const cadastre_lease lease_ = CADASTRE_NULL_LEASE;
  const bool ordered_ = false;
  const cadastre_queue queue_;
  bool live_ = true, released_ = false, handed_out_ = false;  // guarded by the registry's mutex, as is what follows
  long users_ = 0;
};

// For messages.
inline std::string counted(long users) {
  return std::to_string(users) + (users == 1 ? " user" : " users") +
         ": arrays, memoryviews or tensors on its memory, or who got an address";
}

}  // namespace cadastre::python
#endif
