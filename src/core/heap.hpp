// Tangled from org/core/heap.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The blocks of one context that lie in slabs: its shards, what they have counted, and what lies around an address.
#ifndef CADASTRE_SRC_CORE_HEAP_HPP
#define CADASTRE_SRC_CORE_HEAP_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/record.hpp"
#include "core/heap_shards.hpp"
#include "core/page_return.hpp"
#include "core/table.hpp"

namespace cadastre::internal {

// A slab of which something that the library knew was overwritten.
struct Damage {
  std::uintptr_t begin;
  std::size_t size;        // of a block
  OriginNumber neighbour;  // the label of a block next to what was overwritten; no_origin where that is not known
};

// The blocks of one context in slabs. Each slab of the context is in one of its shards, and in none but left_ once they are detached.
// All functions are for who has the lock of the context. Those from at on, up to check_invariants, also need the heap to be locked.
class Heap : public HeapShards {
 public:
  explicit Heap(const HeapCounts& counts) noexcept : HeapShards(*this, counts) {}
  ~Heap() { clear(); }

  // Whether any thread has a shard, or left blocks.
  bool is_used() const noexcept { return !shards_.empty() || left_ || table_.used() > 0; }
  // The blocks that stand alone.
  Table& table() noexcept { return table_; }
  const Table& table() const noexcept { return table_; }

  // A block in a slab of the calling thread's shard, numbered and, unless traits say otherwise, cleared; null when there is no memory. The
  // bytes are claimed by the caller, and settled by him; what the shard has counted is gathered.
  void* allocate(std::size_t size, SizeClass size_class, std::uint64_t traits, cadastre_context context) noexcept;
  // Whether a slab of the context lies around an address.
  bool has_slab_at(std::uintptr_t address) const noexcept { return slab_at(address) != nullptr; }
  // A live block with that first byte; empty when there is none.
  std::optional<Record> at(std::uintptr_t address) const noexcept;
  std::optional<Record> around(std::uintptr_t address) const noexcept;
  std::optional<Record> freed_around(std::uintptr_t address) const noexcept;
  // In the slab of an address, from which nothing is given out any more then.
  std::optional<Damage> damage_around(std::uintptr_t address) noexcept;
  // In a slab that the calling thread's shard has closed, and nobody was told of.
  std::optional<Damage> take_damage() noexcept;
  // Of live blocks, by their first byte.
  // moved: by a realloc.
  void free(std::uintptr_t address, bool moved = false) noexcept;
  // Whether a block can have another size where it is; then it does.
  bool resize(std::uintptr_t address, std::size_t size) noexcept;
  // Lets no address find a block while it is being moved, or lets it be found again.
  void set_hidden(std::uintptr_t address, bool hidden) noexcept;
  void set_leased(std::uintptr_t address, bool leased) noexcept;
  std::uint64_t& number_of(std::uintptr_t address) noexcept;
  // Makes it possible that others than its owner free in the slab of an address.
  void share(std::uintptr_t address) noexcept;
  // Gives empty slabs back, but one of each class for each shard, or of those classes whose slabs are small, where not all are to go.
  enum class Leave : std::uint8_t { one_of_each_class, small_ones, none };
  void trim(Leave leave = Leave::one_of_each_class) noexcept;
  template <class Action>
  void for_each_live(Action action) const {
    for_each_live_where([](const Slab&) { return true; }, action);
  }
  template <class Action>
  void for_each_live_of_class(SizeClass size_class, Action action) const {
    for_each_live_where([=](const Slab& slab) { return slab.size_class == size_class && slab.used > 0; }, action);
  }
  // Whether what is known of any slab was overwritten.
  bool is_damaged() const noexcept {
    bool any = false;
    for_each_slab([&](const Slab& slab) {
      any = any || slab.damaged || !slab.is_intact();
      for (unsigned number = 0; !any && number < slab.touched; ++number) any = !slab.is_sound(slab.word_at(number));
    });
    return any;
  }
  std::size_t live() const noexcept {
    std::size_t count = 0;
    for_each_live([&](const Record&) { ++count; });
    return count;
  }
  struct Slabs {
    std::size_t count = 0, capacity = 0;
    unsigned doublings = 0;  // of the arrays of slabs
  };
  Slabs slabs() const noexcept;
  bool has_many_empty_slabs() const noexcept;
  // Gives the shards back to their threads; nobody comes in any more. What is left is for clear, which needs no lock.
  void detach() noexcept;
  void clear() noexcept;
  // The same, and all is as in a new one.
  void renew() noexcept;
  using HeapShards::in_child;
  bool check_invariants() const noexcept;

 private:
  bool is_known(const Slab& slab) const noexcept;
  template <class Admits, class Action>
  void for_each_live_where(Admits admits, Action action) const {
    for_each_slab([&](const Slab& slab) {
      if (!slab.is_intact() || !admits(slab)) return;
      for (unsigned number = 0; number < slab.touched; ++number) {
        const std::uint64_t word = slab.word_at(number);
        if (BlockWord::is_there(word) && slab.is_sound(word)) action(record_of(slab, number, word));
      }
    });
  }
  template <class Action>
  void for_each_slab(Action action) const {
    for (const Shard* shard : shards_) {
      for (const Slab* slab : shard->slabs) action(*slab);
    }
    for (const Slab* slab = left_; slab; slab = slab->next_remote) action(*slab);
  }
  Record record_of(const Slab& slab, std::size_t place, std::uint64_t word) const noexcept;
  static Damage damage_of(const Slab& slab) noexcept;
  const Slab* slab_at(std::uintptr_t address) const noexcept;
  std::optional<Record> look(std::uintptr_t address, bool freed, bool exact) const noexcept;
  std::atomic<std::uint64_t>& word_of(std::uintptr_t address) const noexcept;

  Slab* left_ = nullptr;  // slabs without a shard
  Table table_;
};

}  // namespace cadastre::internal
#endif
