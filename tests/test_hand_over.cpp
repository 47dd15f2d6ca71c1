// Tangled from org/tests/hand_over_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "cmocka.hpp"
#include "context/lock.hpp"
#include "core/calls.hpp"

using namespace cadastre::internal;

namespace {

// It makes no call between two deeds.
class Other {
 public:
  Other() : thread_(work, std::ref(told_)) {}
  ~Other() { end(); }
  void does(std::function<void()> deed) {
    std::unique_lock lock(told_.mutex);
    told_.deed = std::move(deed);
    told_.changed.notify_all();
    told_.changed.wait(lock, [this] { return !told_.deed; });
  }
  void end() {
    if (!thread_.joinable()) return;
    does([this] { told_.ends = true; });
    thread_.join();
    delete &told_;
  }

 private:
  struct Told {
    std::mutex mutex;
    std::condition_variable changed;
    std::function<void()> deed;
    bool ends = false;
  };
  static void work(Told& told) {
    std::unique_lock lock(told.mutex);
    while (!told.ends) {
      told.changed.wait(lock, [&] { return static_cast<bool>(told.deed); });
      told.deed();
      told.deed = nullptr;
      told.changed.notify_all();
    }
  }
  Told& told_ = *new Told;  // a claim that fails leaves the thread behind, and this
  std::thread thread_;
};

Slab& slab_of(void* block) { return *page_map.slab_at(address_of(block)); }

// The thread that makes it owns the slabs of its blocks.
struct Owner {
  cadastre_context context = cadastre_context_create();
  std::set<void*> blocks;
  int wrong = 0;

  ~Owner() { cadastre_context_destroy(context); }
  void* malloc(std::size_t size) {
    void* const block = cadastre_malloc_plain(context, size, 0, CADASTRE_UNINITIALIZED, nullptr);
    assert_non_null(block);
    blocks.insert(block);
    return block;
  }
  // Whole slabs, and nothing else lies in them: as many as others hold before new ones are shared, and so many more.
  std::vector<std::vector<void*>> malloc_slabs(std::size_t size, std::size_t number) {
    std::vector<std::vector<void*>> slabs;
    std::vector<Slab*> seen;
    while (true) {
      void* const block = malloc(size);
      Slab* const slab = &slab_of(block);
      const auto at = static_cast<std::size_t>(std::find(seen.begin(), seen.end(), slab) - seen.begin());
      if (at == seen.size()) {
        if (at == number) return slabs;
        seen.push_back(slab);
        slabs.emplace_back();
      }
      slabs[at].push_back(block);
    }
  }
  // By any thread.
  void free(void* block) {
    blocks.erase(block);
    wrong += cadastre_free(context, block) != CADASTRE_SUCCESS;
  }
  // Blocks that count as used when the remote frees are taken, and do not live.
  std::size_t waiting() {
    Shard& shard = *slab_of(*blocks.begin()).owner;
    while (!shard.lock.enter(context)) const ContextLock opens(context);  // after a substitute that looked for pages
    shard.take_remote_frees();
    std::size_t used = 0;
    for (const Slab* const slab : shard.slabs) used += slab->used;
    shard.lock.leave(context);
    assert_true(wrong == 0 && used >= blocks.size());
    return used - blocks.size();
  }
  // Whether somebody was alone in the context since the calling thread's last malloc.
  bool was_visited() {
    assert_int_equal(wrong, 0);
    return slab_of(*blocks.begin()).owner->counts.next_serial == 0;
  }
  // The thread works in its shard again. Four times a second a malloc returns pages, which is a locked call.
  void come_back() {
    do malloc(16);
    while (was_visited());
  }
};

constexpr std::size_t most_of_a_chain = std::size_t{16} << 10, most_of_all = std::size_t{128} << 10;
constexpr std::size_t sizes[] = {16, 64, 500, 512, 1000, 3000, 4096, 10000, 16384, 40000};

void of_one_slab_less_than_a_chain_waits(void**) {
  for (const std::size_t size : sizes) {
    Owner owner;
    Other other;
    const std::vector<void*> blocks = owner.malloc_slabs(size, 1)[0];
    const std::size_t room = slab_of(blocks[0]).size;
    const std::size_t chain = std::min<std::size_t>(32, (most_of_a_chain + room - 1) / room);
    for (std::size_t number = 0; number < std::min<std::size_t>(blocks.size(), 150); ++number) {
      other.does([&] { owner.free(blocks[number]); });
      assert_int_equal(owner.waiting(), (number + 1) % chain);
    }
  }
}

// Frees from each slab what may wait, of slabs that take no locked call; the most that did wait.
std::size_t leave_much(Owner& owner, Other& other, std::size_t size) {
  std::size_t most = 0;
  for (const std::vector<void*>& blocks : owner.malloc_slabs(size, 4)) {
    other.does([&] { owner.free(blocks[0]); });
  }
  for (const std::vector<void*>& blocks : owner.malloc_slabs(size, 40)) {
    const std::size_t room = slab_of(blocks[0]).size;
    const std::size_t most_of_one = std::min<std::size_t>(31, (most_of_a_chain - 1) / room), few = std::min(most_of_one, blocks.size() - 1);
    other.does([&] {
      for (std::size_t number = 0; number < few; ++number) owner.free(blocks[number]);
    });
    const std::size_t now = owner.waiting();
    assert_true(now <= 8 * most_of_one && now * room < most_of_all);
    most = std::max(most, now);
  }
  return most;
}

void of_all_slabs_less_than_128_kib_wait(void**) {
  for (const std::size_t size : sizes) {
    Owner owner;
    Other other;
    const std::size_t most = leave_much(owner, other, size);
    if (size == 500) assert_true(most > 4 * 31);
  }
}

void all_comes_when_the_thread_ends(void**) {
  for (const std::size_t size : sizes) {
    Owner owner;
    Other other;
    leave_much(owner, other, size);
    if (size < most_of_a_chain) assert_true(owner.waiting() > 0);
    other.end();
    assert_int_equal(owner.waiting(), 0);
  }
}

void all_comes_when_the_context_is_visited(void**) {
  for (const std::size_t size : sizes) {
    Owner owner;
    Other other;
    leave_much(owner, other, size);
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    assert_int_equal(cadastre_get_statistics(owner.context, CADASTRE_HOST, &figures), CADASTRE_SUCCESS);
    assert_int_equal(figures.live_blocks, owner.blocks.size());
    assert_int_equal(owner.waiting(), 0);
  }
}

// Whether a free by another thread makes a locked call, of the next slab that the owner makes.
bool next_slab_takes_a_locked_call(Owner& owner, Other& other, std::size_t size) {
  const std::vector<void*> blocks = owner.malloc_slabs(size, 1)[0];
  owner.come_back();
  other.does([&] { owner.free(blocks[0]); });
  return owner.was_visited();
}

void new_slabs_are_shared_after_four_until_none_is(void**) {
  constexpr std::size_t size = 2000;
  Owner owner;
  Other other;
  void* const small = owner.malloc(16);
  void* const tiny = owner.malloc(16);
  other.does([&] { owner.free(tiny); });  // it has a shard from then on
  owner.come_back();
  for (int round = 0; round < 2; ++round) {
    std::vector<std::vector<void*>> slabs = owner.malloc_slabs(size, 4);
    for (const std::vector<void*>& blocks : slabs) {
      owner.come_back();
      assert_false(slab_of(blocks[0]).shared);
      other.does([&] { owner.free(blocks[0]); });
      assert_true(owner.was_visited() && slab_of(blocks[0]).shared);
    }
    owner.come_back();
    // The one that malloc_slabs has begun was there before the fourth was shared.
    std::size_t visits = 0;
    for (const std::vector<void*>& blocks : owner.malloc_slabs(size, 40)) {
      owner.come_back();
      other.does([&] { owner.free(blocks.back()); });
      visits += owner.was_visited();
    }
    assert_true(visits <= 1);
    // Another class knows nothing of it.
    assert_true(next_slab_takes_a_locked_call(owner, other, 200));
    for (void* const block : std::set<void*>(owner.blocks)) {
      if (block != small) owner.free(block);
    }
    const ContextLock lock(owner.context);
    lock->registry().heap().lock();
    lock->registry().heap().trim(Heap::Leave::none);
  }
}

void blocks_of_shared_slabs_get_other_sizes_without_a_locked_call(void**) {
  Owner owner;
  Other other;
  const std::vector<void*> blocks = owner.malloc_slabs(2000, 1)[0];
  other.does([&] { owner.free(blocks[0]); });
  assert_true(owner.was_visited() && slab_of(blocks[1]).shared);
  owner.malloc(2000);
  for (const std::size_t size : {std::size_t{1990}, std::size_t{2040}, std::size_t{2000}, slab_of(blocks[1]).size}) {
    for (std::size_t number = 1; number < blocks.size(); ++number) {
      assert_ptr_equal(cadastre_realloc(owner.context, blocks[number], size), blocks[number]);
      cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
      assert_int_equal(cadastre_get_malloc_info(owner.context, blocks[number], &info), CADASTRE_SUCCESS);
      assert_int_equal(info.size, size);
    }
    assert_false(owner.was_visited());
  }
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "on", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(of_one_slab_less_than_a_chain_waits),
      cmocka_unit_test(of_all_slabs_less_than_128_kib_wait),
      cmocka_unit_test(all_comes_when_the_thread_ends),
      cmocka_unit_test(all_comes_when_the_context_is_visited),
      cmocka_unit_test(new_slabs_are_shared_after_four_until_none_is),
      cmocka_unit_test(blocks_of_shared_slabs_get_other_sizes_without_a_locked_call),
  };
  return cmocka_run_group_tests_name("what is handed over", tests, nullptr, nullptr);
}
