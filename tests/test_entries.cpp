// Tangled from org/tests/entry_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "interleavings.hpp"

#ifdef CADASTRE_CHECKS_INTERLEAVINGS

#include "core/entry.hpp"

namespace {

using namespace interleavings;

// In the order in which an entry has them.
enum Word : unsigned { base, is, origin, serial, size, stride, traits, device, words };
constexpr unsigned no_word = UINT32_MAX;

template <unsigned word, memory_order order>
using EntryOfTest = cadastre::internal::BasicEntry<CheckedAtomics<words, Without::nothing, word, order>>;

// What the entry of a block with that number says.
template <class Entry>
typename Entry::Contents of_block(std::uint64_t number) {
  return {.serial = number,
          .origin = static_cast<cadastre::internal::OriginNumber>(number),
          .size = number,
          .stride_or_freed = number,
          .traits = number,
          .device = static_cast<std::int32_t>(number)};
}

template <unsigned word, memory_order order>
struct OneEntry {
  using Entry = EntryOfTest<word, order>;
  static constexpr std::uintptr_t address = 4096;
  static constexpr std::uint64_t deallocation = 1000;
  Entry entry;
  rl::atomic<int> given_back;  // to the C library, which gives it to who asks next

  void file_first() {
    given_back.store(0, rl::mo_relaxed, $);
    entry.base.store(address, std::memory_order_relaxed);
    entry.write(of_block<Entry>(1), Entry::Is::live);
  }
  bool free() {
    if (!entry.free(deallocation)) return false;
    RL_ASSERT(entry.size.load(std::memory_order_relaxed) == entry.serial.load(std::memory_order_relaxed));
    RL_ASSERT(given_back.exchange(1, rl::mo_release, $) == 0);
    return true;
  }
  void file_next() {
    while (given_back.exchange(0, rl::mo_acquire, $) == 0) rl::yield(1, $);
    typename Entry::Is before = Entry::Is::freed;
    RL_ASSERT(rl::rand(2) == 0 ? entry.begin(before) : entry.begin_after_free());
    RL_ASSERT(before == Entry::Is::freed);
    entry.write(of_block<Entry>(2), Entry::Is::live);
  }
  void read() {
    typename Entry::Contents found;
    typename Entry::Is now;
    if (!entry.read(found, now) || now != Entry::Is::live) return;
    RL_ASSERT(found.origin == found.serial && found.size == found.serial && found.traits == found.serial);
    RL_ASSERT(found.stride_or_freed == found.serial && found.device == static_cast<std::int32_t>(found.serial));
  }
};

// One frees, the next files, the third reads.
template <unsigned word = no_word, memory_order order = std::memory_order_seq_cst>
struct Reading : rl::test_suite<Reading<word, order>, 3>, OneEntry<word, order> {
  void before() { this->file_first(); }
  void thread(unsigned number) {
    if (number == 0) {
      RL_ASSERT(this->free());
    } else if (number == 1) {
      this->file_next();
    } else {
      this->read();
    }
  }
};

// Two free the first block, and may free the next one, too, which a third files: each block is freed once.
template <unsigned word = no_word, memory_order order = std::memory_order_seq_cst>
struct Freeing : rl::test_suite<Freeing<word, order>, 3>, OneEntry<word, order> {
  rl::atomic<int> freed;
  void before() {
    this->file_first();
    freed.store(0, rl::mo_relaxed, $);
  }
  void thread(unsigned number) {
    if (number == 2) return this->file_next();
    if (this->free()) freed.fetch_add(1, rl::mo_relaxed, $);
  }
  void after() {
    const int times = freed.load(rl::mo_relaxed, $);
    RL_ASSERT(times == 1 || times == 2);
    RL_ASSERT((this->entry.is.load(std::memory_order_relaxed) == OneEntry<word, order>::Entry::Is::freed) == (times == 2));
  }
};

// One has hidden a block whose memory its backend took back, and comes to say so; the backend gave the address to another, who files there.
// A third reads.
template <unsigned word = no_word, memory_order order = std::memory_order_seq_cst>
struct Hiding : rl::test_suite<Hiding<word, order>, 3>, OneEntry<word, order> {
  using Entry = typename OneEntry<word, order>::Entry;
  void before() {
    this->file_first();
    this->entry.set(Entry::Is::hidden);
  }
  void thread(unsigned number) {
    if (number == 0) {
      this->entry.mark_hidden_freed(Entry::Is::freed, this->deallocation);
    } else if (number == 1) {
      typename Entry::Is before;
      while (!this->entry.begin(before)) rl::yield(1, $);
      this->entry.write(of_block<Entry>(2), Entry::Is::live);
    } else {
      this->read();
      typename Entry::Contents found;
      typename Entry::Is now;
      if (this->entry.read(found, now) && now == Entry::Is::freed)
        RL_ASSERT(found.stride_or_freed == this->deallocation && found.serial == 1);
    }
  }
  void after() {
    typename Entry::Contents found;
    typename Entry::Is now;
    RL_ASSERT(this->entry.read(found, now) && now == Entry::Is::live && found.serial == 2 && found.stride_or_freed == 2);
  }
};

// Two want the same entry for different addresses.
struct Taking : rl::test_suite<Taking, 2> {
  using Entry = EntryOfTest<no_word, std::memory_order_seq_cst>;
  Entry entry;
  rl::atomic<int> taken;
  void before() {
    entry.base.store(0, std::memory_order_relaxed);
    taken.store(0, rl::mo_relaxed, $);
  }
  void thread(unsigned number) {
    const std::uintptr_t address = 64 + 64 * number, other = 64 + 64 * (1 - number);
    std::uintptr_t had = 1;
    if (entry.take(address, had)) {
      RL_ASSERT(taken.fetch_add(1, rl::mo_relaxed, $) == 0);
    } else {
      RL_ASSERT(had == other);
    }
  }
  void after() { RL_ASSERT(taken.load(rl::mo_relaxed, $) == 1); }
};

}  // namespace

void make_claims() {
  constexpr memory_order acquire = std::memory_order_acquire, release = std::memory_order_release;
  claim("what is read of an entry is of one life", holds<Reading<>>());
  claim("a block is freed once, and as what it is", holds<Freeing<>>());
  claim("an entry becomes that of one address", holds<Taking>());
  claim("a block that was hidden gives way to who was given its address", holds<Hiding<>>());
  claim("who files has to release the number", is_caught<Reading<serial, release>>());
  claim("the label", is_caught<Reading<origin, release>>());
  claim("the size", is_caught<Reading<size, release>>());
  claim("the stride", is_caught<Reading<stride, release>>());
  claim("the traits", is_caught<Reading<traits, release>>());
  claim("the device", is_caught<Reading<device, release>>());
  claim("and the state", is_caught<Reading<is, release>>());
  claim("who reads has to acquire the number", is_caught<Reading<serial, acquire>>());
  claim("the label", is_caught<Reading<origin, acquire>>());
  claim("the size", is_caught<Reading<size, acquire>>());
  claim("the stride", is_caught<Reading<stride, acquire>>());
  claim("the traits", is_caught<Reading<traits, acquire>>());
  claim("the device", is_caught<Reading<device, acquire>>());
  claim("and the state", is_caught<Reading<is, acquire>>());
  claim("who frees has to acquire the state", is_caught<Freeing<is, acquire>>());
  claim("who says what became of a hidden block has to release the state", is_caught<Hiding<is, release>>());
}

#endif
