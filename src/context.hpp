// Tangled from org/context.org; change the chapter, then run: make tangle
// Contexts: handles, the lock, and where a registry meets a backend.
#ifndef CADASTRE_SRC_CONTEXT_HPP
#define CADASTRE_SRC_CONTEXT_HPP

#include <pthread.h>

#include <atomic>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backend.hpp"
#include "registry.hpp"

namespace cadastre::internal {

struct Slot;
class Context;

class NotCancelled {
 public:
  NotCancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;
  ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

// One call inside one context: holds the mutex of its slot, except between step_out and step_in.
class Visit {
 public:
  // Waits while another thread has locked the context. Refused, with a failure, when the handle is not
  // that of a live context.
  explicit Visit(cadastre_context handle) noexcept;
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit();

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  Context* operator->() const noexcept { return context_; }
  cadastre_context handle() const noexcept { return handle_; }

  // Lets others in, while the context stays alive; for calls of a backend.
  void step_out() noexcept;
  void step_in() noexcept;

 private:
  friend cadastre_exit_code lock_context(Visit&) noexcept;
  friend cadastre_exit_code unlock_context(Visit&) noexcept;
  friend cadastre_exit_code destroy_context(Visit&, cadastre_destroy_summary_struct*) noexcept;

  cadastre_context handle_;
  Slot* slot_;
  Context* context_ = nullptr;
  bool outside_ = false;
};

class Labels {
 public:
  // The one label with this text; null when the host has no memory.
  Label* intern(std::string_view text) noexcept;

  template <class Action>
  void for_each(Action action) const {
    for (const auto& entry : labels_) action(*entry.second);
  }

 private:
  std::unordered_map<std::string_view, std::unique_ptr<Label>> labels_;
};

// Copies of records, together with the labels that they point to: a copy may outlive its context.
struct Snapshot {
  std::vector<Record> blocks;
  std::shared_ptr<const Labels> labels;
};

// All that a context knows at one moment; for reports.
struct Holdings {
  cadastre_context context;
  cadastre_backend backend;
  std::array<cadastre_statistics_struct, memory_types> figures;
  Snapshot snapshot;
  std::vector<Label> labels;  // those that have live blocks
};

class Context {
 public:
  Context(Backend& backend, const std::array<std::size_t, memory_types>& limits);

  cadastre_exit_code allocate(Visit& visit, const cadastre_memory_info_struct& info, void*& pointer) noexcept;
  cadastre_exit_code release(Visit& visit, void* pointer) noexcept;
  cadastre_exit_code resize(Visit& visit, void* pointer, std::size_t size, void*& resized) noexcept;
  cadastre_exit_code release_all(Visit& visit);
  // Frees what is left when nobody can enter any more.
  cadastre_exit_code close(cadastre_destroy_summary_struct& summary) noexcept;

  cadastre_exit_code describe(const void* pointer, cadastre_memory_info_struct* info) noexcept;
  cadastre_exit_code locate(const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept;
  cadastre_exit_code borrow(const cadastre_memory_info_struct& info) noexcept;
  cadastre_exit_code return_borrowed(const void* pointer) noexcept;

  Holdings holdings(cadastre_context handle) const;
  Snapshot snapshot() const { return {registry_.snapshot(), labels_}; }
  Account& account(cadastre_memory_type type) noexcept { return registry_.account(type); }
  bool holds(const void* address) noexcept;
  void set_timing(bool on) noexcept { timing_ = on; }
  void forget_calls_of_other_threads() noexcept { registry_.forget_other_threads(); }
  const Registry& registry() const noexcept { return registry_; }

 private:
  cadastre_exit_code try_allocate(Visit& visit, const cadastre_memory_info_struct& info, void*& pointer) noexcept;
  cadastre_exit_code try_resize(Visit& visit, Record& record, std::size_t size, void*& resized) noexcept;
  cadastre_exit_code prepare(const cadastre_memory_info_struct& info, bool borrowed, Record& record) noexcept;
  cadastre_exit_code owned(const void* pointer, Record*& record) noexcept;
  cadastre_exit_code unknown(const void* pointer) noexcept;
  // Refuses bytes that would take the place of others of the same block.
  cadastre_exit_code over_limit(cadastre_memory_type type, std::size_t asked, std::size_t instead_of) noexcept;
  cadastre_exit_code free_in_backend(const Record& record) noexcept;
  Backend& backend_of(const Record& record) noexcept;

  Backend& backend_;
  Registry registry_;
  std::shared_ptr<Labels> labels_ = std::make_shared<Labels>();
  std::atomic<bool> timing_ = false;
};

// A new context; CADASTRE_NULL_CONTEXT and a failure when there is no memory or no slot left. Throws
// std::bad_alloc.
cadastre_context create_context(Backend& backend, const std::array<std::size_t, memory_types>& limits);
bool is_live(cadastre_context handle) noexcept;
cadastre_exit_code destroy_context(Visit& visit, cadastre_destroy_summary_struct* summary) noexcept;
cadastre_exit_code lock_context(Visit& visit) noexcept;
cadastre_exit_code unlock_context(Visit& visit) noexcept;

// The context other than one that has a block, owned or borrowed, around that address;
// CADASTRE_NULL_CONTEXT for none. Looks into every live context.
cadastre_context holder_of(const void* address, cadastre_context except) noexcept;

// Nanoseconds that the calling thread has spent in backends while timing was on.
std::int64_t backend_nanoseconds() noexcept;

}  // namespace cadastre::internal
#endif
