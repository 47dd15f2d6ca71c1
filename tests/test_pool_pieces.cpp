// Tangled from org/tests/pool_piece_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool_parts.hpp"

#include <algorithm>

#include "failing_new.hpp"

bool allocation_fails() noexcept { return refused_new > 0 && (refused_new == 1 || --refused_new == 0); }

namespace {

void live_blocks_are_apart_and_aligned_whatever_the_order(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE, CADASTRE_UVM}) {
    Between backend(host());
    KeepAccount account;
    OwnPool pool(backend, type, type == CADASTRE_HOST ? no_device_id : 0, account, also_small);
    Stress stress(pool, type, 42 + static_cast<unsigned>(type));
    for (int i = 0; i < 3000; ++i) {
      stress.step();
      if (i % 8 == 0) assert_true(pool.check_invariants());
      if (i % 64 == 0) stress.are_apart();
      if (i % 500 == 0) assert_int_equal(pool.trim(random() % 2 ? 0 : 8 * mebi), CADASTRE_SUCCESS);
      assert_int_equal(pool.figures().reserved, backend.reserved);
    }
    stress.free_all();
    assert_true(stress.good());
    assert_int_equal(pool.figures().used, 0);
    assert_int_equal(pool.figures().releasable_bytes, pool.figures().reserved);
    assert_int_equal(pool.trim(0), CADASTRE_SUCCESS);
    assert_int_equal(backend.pieces, 0);
  }
}

void what_was_freed_is_handed_out_again_without_the_backend(void**) {
  OfHost of;
  const std::size_t sizes[] = {mebi, 2 * mebi + 1, 100, 700 * kibi, 3 * mebi};
  std::vector<Record> blocks;
  for (int round = 0; round < 10; ++round) {
    for (const std::size_t size : sizes) blocks.push_back(block(of.pool, size));
    for (const Record& record : blocks) free(of.pool, record);
    blocks.clear();
    assert_int_equal(of.backend.pieces, 5);
  }
  assert_int_equal(of.pool.figures().misses, 5);
  assert_int_equal(of.pool.figures().hits, 45);
}

void the_block_of_a_size_just_freed_is_found_whatever_its_alignment(void**) {
  Between backend(host());
  KeepAccount account;
  OwnPool pool(backend, CADASTRE_DEVICE, 0, account, also_small);
  for (const std::size_t alignment : {std::size_t{0}, std::size_t{4096}, std::size_t{1} << 20}) {
    const Record first = block(pool, 1000003, false, alignment, CADASTRE_DEVICE);
    const Record wall = block(pool, 1, false, 0, CADASTRE_DEVICE);
    free(pool, first);
    assert_ptr_equal(block(pool, 1000003, false, alignment, CADASTRE_DEVICE).pointer, first.pointer);
    free(pool, first);
    free(pool, wall);
  }
}

void what_begins_behind_an_emulated_devices_block_is_nobodys(void**) {
  Between backend(host());
  KeepAccount account;
  OwnPool pool(backend, CADASTRE_DEVICE, 0, account, also_small);
  const Record first = block(pool, 4096, false, 0, CADASTRE_DEVICE), next = block(pool, 4096, false, 0, CADASTRE_DEVICE);
  assert_true(next.address() != first.address() + 4096 && first.address() != next.address() + 4096);
  free(pool, first);
  free(pool, next);
}

void small_host_blocks_are_the_backends_own(void**) {
  Between backend(host());
  KeepAccount account;
  OwnPool pool(backend, CADASTRE_HOST, no_device_id, account);
  const std::size_t threshold = pooled_from(CADASTRE_HOST);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, threshold - 1}) {
    const Record record = block(pool, size);
    assert_int_equal(backend.asked.back(), size);
    assert_int_equal(pool.figures().used, 0);
    assert_int_equal(pool.actual_size(record), size);
    free(pool, record);
    assert_int_equal(backend.pieces, 0);
  }
  free(pool, block(pool, threshold));
  assert_true(pool.figures().reserved >= threshold && pool.figures().reserved <= threshold + 4096);
}

// Where nothing is aligned, there is a class of sizes for each power of two that a size may have.
void bins_of_single_bytes_are_searched_to_their_end(void**) {
  const SizeBins bins(0);
  for (const std::size_t bytes : {std::size_t{1} << 57, std::size_t{1} << 59, std::size_t{1} << 61, largest_size}) {
    assert_null(bins.find(bytes, bytes, 1, 4));
    assert_null(bins.find(bytes, largest_size, 1, 4));
  }
}

void sizes_that_no_machine_has_are_refused_by_the_backend(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE}) {
    Between backend(host());
    KeepAccount account;
    OwnPool pool(backend, type, type == CADASTRE_HOST ? no_device_id : 0, account);
    for (const std::size_t size : {largest_size, largest_size - 5000, largest_size / 2, largest_size / 2 - 1}) {
      Grant grant{};
      assert_int_equal(pool.allocate(request_of(pool, type, size), grant), CADASTRE_ALLOCATION_FAILED);
      assert_null(grant.pointer);
      assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
      assert_true(last().requested == size);
    }
    assert_int_equal(pool.figures().reserved, 0);
    const Record a = block(pool, 0, true, 0, type), b = block(pool, 0, true, 0, type);
    assert_ptr_not_equal(a.pointer, b.pointer);
    free(pool, a);
    free(pool, b);
    free(pool, block(pool, 1, true, std::size_t{1} << 24, type));
  }
}

void recycled_memory_is_zero_and_only_what_was_used_is_cleared(void**) {
  OfHost of;
  const Record dirty = block(of.pool, mebi, true);
  assert_int_equal(of.backend.cleared, 0);
  fill(dirty, 0xff);
  free(of.pool, dirty);
  const Record raw = block(of.pool, mebi);
  assert_ptr_equal(raw.pointer, dirty.pointer);
  assert_int_equal(of.backend.cleared, 0);
  free(of.pool, raw);
  const Record again = block(of.pool, mebi, true);
  assert_ptr_equal(again.pointer, dirty.pointer);
  assert_true(all_are(again, 0));
  assert_int_equal(of.backend.cleared, mebi);
  fill(again, 0xff);
  free(of.pool, again);
  // What the piece has beyond what was asked for may be as it was.
  of.backend.cleared = 0;
  const Record smaller = block(of.pool, mebi - 100000, true);
  assert_ptr_equal(smaller.pointer, dirty.pointer);
  assert_true(all_are(smaller, 0));
  assert_int_equal(of.backend.cleared, mebi - 100000);
  free(of.pool, smaller);
}

void memory_never_handed_out_is_not_touched(void**) {
  Between backend(host());
  KeepAccount account;
  OwnPool pool(backend, CADASTRE_HOST, no_device_id, account);
  const std::size_t before = process_memory().resident;
  assert_true(before > 0);
  std::vector<Record> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(block(pool, 50 * mebi, true));
  for (const Record& record : blocks) *static_cast<char*>(record.pointer) = 1;
  assert_int_equal(backend.cleared, 0);
  assert_true(sanitized || process_memory().resident < before + 100 * mebi);
  for (const Record& record : blocks) free(pool, record);
}

// The most that was used so far, which is seen after each call.
class HighWater {
 public:
  bool holds(const PoolFigures& figures) {
    most_ = std::max(most_, figures.used);
    return figures.reserved <= most_;
  }
  std::size_t most() const { return most_; }

 private:
  std::size_t most_ = 0;
};

void used_and_kept_are_never_more_than_the_most_that_was_used(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE, CADASTRE_UVM}) {
    Between backend(host());
    KeepAccount account;
    OwnPool pool(backend, type, type == CADASTRE_HOST ? no_device_id : 0, account, also_small);
    Stress stress(pool, type, 7 + static_cast<unsigned>(type));
    HighWater mark;
    for (int i = 0; i < 3000; ++i) {
      stress.step();
      assert_true(mark.holds(pool.figures()));
      assert_true(backend.most_reserved <= mark.most());
    }
    assert_true(pool.figures().hits > pool.figures().misses / 4);
    stress.free_all();
  }
}

// A piece with waste serves more after a resize, which counts as used.
void what_a_resize_in_place_uses_counts_for_the_bound(void**) {
  OfHost of;
  free(of.pool, block(of.pool, 44 * mebi));
  Record first = block(of.pool, 40 * mebi);
  assert_int_equal(of.account.waste, 4 * mebi);
  const Record second = block(of.pool, 44 * mebi);
  first = resized(of.pool, first, 44 * mebi);
  assert_int_equal(of.account.waste, 0);
  assert_int_equal(of.account.peak, of.account.used);
  free(of.pool, first);
  free(of.pool, second);
  assert_int_equal(of.backend.pieces, 2);
}

void the_bound_is_one_for_all_devices_of_a_type(void**) {
  Between backend(host());
  KeepAccount account;
  OwnPool first(backend, CADASTRE_DEVICE, 0, account, also_small), second(backend, CADASTRE_DEVICE, 1, account, also_small);
  const auto get = [](OwnPool& pool, std::int32_t device, std::size_t size) {
    const Request request{size, 0, CADASTRE_DEVICE, device, false};
    Grant grant{};
    assert_int_equal(pool.allocate(request, grant), CADASTRE_SUCCESS);
    return record_of(request, grant);
  };
  free(first, get(first, 0, 8 * mebi - 1));
  const Record other = get(second, 1, 5 * mebi - 1);
  assert_int_equal(first.figures().reserved, 0);
  assert_int_equal(backend.reserved, 5 * mebi);
  free(second, other);
  free(first, get(first, 0, 3 * mebi - 1));
  assert_int_equal(second.figures().reserved, 5 * mebi);
  assert_int_equal(backend.reserved, 8 * mebi);
}

void the_bound_holds_when_threads_race(void**) {
  KeepAccount account;
  OwnPool pool(host(), CADASTRE_HOST, no_device_id, account, also_small);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < 1000; ++i) {
        const Request request = request_of(pool, CADASTRE_HOST, (1 + random() % 64) * 10000);
        Grant grant{};
        const bool served = pool.allocate(request, grant) == CADASTRE_SUCCESS;
        wrong += !served || pool.free(record_of(request, grant)) != CADASTRE_SUCCESS;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  assert_true(pool.check_invariants());
  assert_int_equal(account.used + account.asking, 0);
  assert_int_equal(account.kept, pool.figures().reserved);
  assert_true(account.kept <= account.peak);
}

void what_is_kept_leaves_room_below_a_limit(void**) {
  OfHost of;
  const auto get = [&](std::size_t size, std::size_t room) {
    const Request request = request_of(of.pool, CADASTRE_HOST, size);
    Grant grant{};
    assert_int_equal(of.pool.allocate(request, grant, room), CADASTRE_SUCCESS);
    return record_of(request, grant);
  };
  const Record a = block(of.pool, 4 * mebi - 1), b = block(of.pool, 2 * mebi - 1), c = block(of.pool, 3 * mebi - 1);
  for (const Record& record : {a, b, c}) free(of.pool, record);
  assert_int_equal(of.pool.figures().reserved, 9 * mebi);
  const Record exact = get(2 * mebi - 1, 7 * mebi);  // nothing larger serves where a limit is set
  assert_ptr_equal(exact.pointer, b.pointer);
  assert_int_equal(of.pool.figures().reserved, 9 * mebi);
  const Record small = get(mebi - 1, 3 * mebi);
  assert_int_equal(of.pool.figures().used, 3 * mebi);
  assert_int_equal(of.pool.figures().reserved, 6 * mebi);
  of.pool.keep_within(mebi);
  assert_int_equal(of.pool.figures().reserved, 3 * mebi);
  free(of.pool, exact);
  free(of.pool, small);
}

void the_bound_is_as_the_user_says(void**) {
  struct Case {
    PoolKeep keep;
    std::size_t reserved;
  };
  const std::size_t step = 4 * mebi;
  for (const Case& expected : {Case{{PoolKeep::percent, 200}, 8 * step},
                               {{PoolKeep::percent, 100}, 4 * step},
                               {{PoolKeep::percent, 50}, 2 * step},
                               {{PoolKeep::bytes, 3 * step}, 3 * step},
                               {{PoolKeep::bytes, 0}, 0},
                               {{PoolKeep::all, 0}, 10 * step}}) {
    OfHost of;
    of.account.keep = expected.keep;
    for (std::size_t times = 1; times <= 4; ++times) {  // each larger than all that is kept, so that nothing serves
      std::vector<Record> blocks;
      for (std::size_t i = 0; i < times; ++i) blocks.push_back(block(of.pool, step + times * 4096 - 1));
      for (const Record& record : blocks) free(of.pool, record);
    }
    const std::size_t reserved = of.pool.figures().reserved;
    assert_true(reserved <= expected.reserved + 10 * 4 * 4096);
    assert_true(reserved + step > expected.reserved || expected.reserved == 0);
  }
}

std::uint32_t pretended_seconds = 0;

void what_nobody_asks_for_is_given_back_in_time(void**) {
  for (const bool decays : {true, false}) {
    OfHost of;
    if (!decays) of.account.keep.of = PoolKeep::all;
    of.account.clock.seconds = []() noexcept { return pretended_seconds; };
    pretended_seconds = UINT32_MAX - 5;  // the word may turn over
    const Record idle = block(of.pool, 8 * mebi), busy = block(of.pool, mebi);
    free(of.pool, idle);
    free(of.pool, busy);
    for (int second = 0; second < 10; ++second) {
      for (int i = 0; i < 300; ++i) free(of.pool, block(of.pool, mebi));
      ++pretended_seconds;
    }
    for (int i = 0; i < 300; ++i) free(of.pool, block(of.pool, mebi));
    assert_int_equal(of.backend.pieces, 2);
    ++pretended_seconds;
    for (int i = 0; i < 100; ++i) free(of.pool, block(of.pool, mebi));
    assert_int_equal(of.backend.pieces, decays ? 1 : 2);
    assert_int_equal(of.pool.figures().misses, 2);
    // Where calls are rare, the clock is read at each.
    for (int i = 0; i < 70; ++i) {
      pretended_seconds += 100;
      free(of.pool, block(of.pool, 5000));
    }
    assert_int_equal(of.backend.pieces, decays ? 1 : 3);
  }
}

void what_is_old_stays_old(void**) {
  KeepClock clock{.seconds = []() noexcept { return pretended_seconds; }};
  pretended_seconds = UINT32_MAX - 30;
  clock.tick();
  const std::uint32_t then = clock.by_now();
  for (int second = 0; second < 100; ++second, ++pretended_seconds) {
    for (int i = 0; i < 64; ++i) clock.tick();
    assert_int_equal(clock.is_old(then), second >= 10);
  }
}

// However many calls lie before and behind it, and however long the program computed since the clock was read.
void what_was_just_freed_is_not_old(void**) {
  for (int before = 0; before < 70; ++before) {
    for (const int behind : {0, 1, 63, 200}) {
      OfHost of;
      of.account.clock.seconds = []() noexcept { return pretended_seconds; };
      const Record large = block(of.pool, 8 * mebi);
      for (int i = 0; i < 200 + before; ++i) free(of.pool, block(of.pool, mebi));
      pretended_seconds += 60;
      free(of.pool, large);
      for (int i = 0; i < behind; ++i) free(of.pool, block(of.pool, mebi));
      pretended_seconds += 9;
      free(of.pool, block(of.pool, 8 * mebi));
      assert_int_equal(of.pool.figures().misses, 2);
    }
  }
}

void a_piece_serves_what_is_somewhat_smaller_and_waste_is_bounded(void**) {
  OfHost of;
  std::vector<Record> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(block(of.pool, 2 * mebi - 1));
  for (const Record& record : blocks) free(of.pool, record);
  blocks.clear();
  // Half as much again and no more; 16 MiB were used, so that 2 MiB may be wasted.
  const Record half = block(of.pool, mebi - 1);
  assert_int_equal(of.pool.figures().misses, 9);
  free(of.pool, half);
  std::size_t wasted = 0;
  for (int i = 0; i < 8; ++i) {
    blocks.push_back(block(of.pool, 3 * mebi / 2 - 1));
    wasted += of.pool.actual_size(blocks.back()) - 3 * mebi / 2;
  }
  assert_true(wasted > 0 && wasted <= 2 * mebi);
  assert_int_equal(of.account.waste, wasted);
  for (const Record& record : blocks) free(of.pool, record);
  assert_int_equal(of.account.waste, 0);
}

// A class of pieces of 64 to 67 granules; the one that is large enough was put there first.
void all_of_a_class_are_looked_at_before_the_backend_is_asked(void**) {
  OfHost of;
  const auto granules = [&](std::size_t number) { return block(of.pool, number * 4096 - 1); };
  const Record large = granules(67);
  std::vector<Record> small;
  for (int i = 0; i < 20; ++i) small.push_back(granules(64));
  free(of.pool, large);
  of.pool.trim(SIZE_MAX);
  for (const Record& record : small) free(of.pool, record);
  of.pool.trim(SIZE_MAX);
  assert_int_equal(of.pool.figures().largest_free_bytes, 67 * 4096);
  assert_ptr_equal(granules(66).pointer, large.pointer);
  assert_int_equal(of.pool.figures().misses, 21);
}

void a_trim_gives_back_what_is_kept_only(void**) {
  OfHost of;
  const Record a = block(of.pool, 20 * mebi), b = block(of.pool, 20 * mebi), c = block(of.pool, 20 * mebi);
  assert_int_equal(of.backend.pieces, 3);
  free(of.pool, a);
  free(of.pool, c);
  PoolFigures figures = of.pool.figures();
  assert_true(figures.releasable_bytes < figures.reserved && figures.releasable_bytes >= 40 * mebi);
  fill(b, 7);
  assert_int_equal(of.pool.trim(figures.reserved), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 3);
  assert_int_equal(of.pool.trim(figures.reserved - 1), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 2);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 1);
  assert_true(all_are(b, 7));
  figures = of.pool.figures();
  assert_int_equal(figures.releasable_bytes, 0);
  assert_int_equal(figures.trims, 2);
  assert_int_equal(figures.reserved, of.backend.reserved);
  assert_true(of.pool.check_invariants());
  free(of.pool, b);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().reserved + of.backend.reserved, 0);
}

void a_backend_without_memory_is_asked_twice(void**) {
  OfHost of;
  const Record kept = block(of.pool, 10 * mebi), idle = block(of.pool, 30 * mebi);
  free(of.pool, block(of.pool, 20 * mebi));
  free(of.pool, idle);
  of.backend.capacity = of.backend.reserved + 10 * mebi;
  of.backend.asked.clear();
  const Record fits = block(of.pool, 35 * mebi);  // when what is idle has gone
  assert_int_equal(of.backend.asked.size(), 1);
  free(of.pool, fits);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  of.backend.capacity = of.backend.reserved + mebi;
  const PoolFigures before = of.pool.figures();
  of.backend.asked.clear();
  Grant grant{};
  assert_int_equal(of.pool.allocate(request_of(of.pool, CADASTRE_HOST, 3 * mebi + 1), grant), CADASTRE_ALLOCATION_FAILED);
  assert_null(grant.pointer);
  assert_int_equal(of.backend.asked.size(), 1);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_string_equal(last().vendor_message, "it is full");
  assert_int_equal(last().vendor_code, 77);
  assert_int_equal(last().requested, 3 * mebi + 1);
  const PoolFigures after = of.pool.figures();
  assert_memory_equal(&before, &after, sizeof before);
  assert_true(of.pool.check_invariants());
  free(of.pool, kept);
}

void a_failing_free_of_a_piece_keeps_it(void**) {
  OfHost of;
  free(of.pool, block(of.pool, 20 * mebi));
  const PoolFigures before = of.pool.figures();
  of.backend.refuse_in(1);
  assert_int_equal(of.pool.trim(0), CADASTRE_FAILURE);
  const PoolFigures after = of.pool.figures();
  assert_memory_equal(&before, &after, sizeof before);
  assert_true(of.pool.check_invariants());
  const Record record = block(of.pool, 20 * mebi, true);
  assert_int_equal(of.pool.figures().misses, 1);
  // A free that cannot wait keeps the block.
  of.backend.refuse_in(1);
  assert_int_equal(of.pool.free(record), CADASTRE_DEALLOCATION_FAILED);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_FREE_FAILED);
  assert_ptr_equal(last().base, record.pointer);
  assert_true(of.pool.figures().used >= record.size);
  free(of.pool, record);
  // Clearing that fails gives the piece back.
  const Record wiped = block(of.pool, 5 * mebi);
  fill(wiped, 1);
  free(of.pool, wiped);
  const std::size_t used = of.pool.figures().used;
  Grant grant{};
  of.backend.refuse_in(1);
  assert_int_equal(of.pool.allocate(request_of(of.pool, CADASTRE_HOST, 5 * mebi, true), grant), CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_CALL_FAILED);
  assert_int_equal(of.pool.figures().used, used);
  assert_true(of.pool.check_invariants());
}

void without_host_memory_nothing_is_lost(void**) {
  for (int k = 1; k < 8; ++k) {
    OfHost of;
    std::vector<Record> blocks;
    blocks.reserve(200);
    Grant grant{};
    refused_new = k;
    cadastre_exit_code code = of.pool.allocate(request_of(of.pool, CADASTRE_HOST, 5000), grant);
    refused_new = 0;
    if (code == CADASTRE_SUCCESS) {
      blocks.push_back(record_of(request_of(of.pool, CADASTRE_HOST, 5000), grant));
      while (blocks.size() < 200) {
        const PoolFigures before = of.pool.figures();
        refused_new = 1;
        code = of.pool.allocate(request_of(of.pool, CADASTRE_HOST, 5000), grant);
        refused_new = 0;
        if (code == CADASTRE_SUCCESS) {
          blocks.push_back(record_of(request_of(of.pool, CADASTRE_HOST, 5000), grant));
          continue;
        }
        const PoolFigures after = of.pool.figures();
        assert_memory_equal(&before, &after, sizeof before);
        blocks.push_back(block(of.pool, 5000));
      }
    } else {
      assert_int_equal(code, CADASTRE_ALLOCATION_FAILED);
      assert_int_equal(last().reason, CADASTRE_REASON_OUT_OF_HOST_MEMORY);
      assert_int_equal(of.backend.pieces, 0);
    }
    assert_true(of.pool.check_invariants());
    for (const Record& record : blocks) free(of.pool, record);
  }
}

void closing_frees_all_and_the_pool_is_as_new(void**) {
  OfHost of;
  for (int i = 0; i < 200; ++i) block(of.pool, mebi);
  free(of.pool, block(of.pool, mebi));
  assert_int_equal(of.pool.close(), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 0);
  assert_int_equal(of.backend.reserved, 0);
  assert_int_equal(of.pool.figures().reserved + of.pool.figures().used, 0);
  assert_true(of.pool.check_invariants());
  free(of.pool, block(of.pool, mebi, true));
  assert_true(of.pool.check_invariants());
}

void what_was_given_up_is_there_when_the_pool_is_closed(void**) {
  OfHost of;
  // So large that it is pages of its own, which the backend gives back whatever the pool remarked.
  Record lost = block(of.pool, 8 * mebi);
  for (int i = 0; i < 20; ++i) block(of.pool, mebi);
  of.pool.give_up(lost);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.close(), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 1);
  fill(lost, 7);
  assert_true(all_are(lost, 7));
  lost.size = of.backend.reserved;
  assert_int_equal(of.backend.free(lost), CADASTRE_SUCCESS);
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(live_blocks_are_apart_and_aligned_whatever_the_order),
      cmocka_unit_test(what_was_freed_is_handed_out_again_without_the_backend),
      cmocka_unit_test(the_block_of_a_size_just_freed_is_found_whatever_its_alignment),
      cmocka_unit_test(what_begins_behind_an_emulated_devices_block_is_nobodys),
      cmocka_unit_test(small_host_blocks_are_the_backends_own),
      cmocka_unit_test(bins_of_single_bytes_are_searched_to_their_end),
      cmocka_unit_test(sizes_that_no_machine_has_are_refused_by_the_backend),
      cmocka_unit_test(recycled_memory_is_zero_and_only_what_was_used_is_cleared),
      cmocka_unit_test(memory_never_handed_out_is_not_touched),
      cmocka_unit_test(used_and_kept_are_never_more_than_the_most_that_was_used),
      cmocka_unit_test(what_a_resize_in_place_uses_counts_for_the_bound),
      cmocka_unit_test(the_bound_is_one_for_all_devices_of_a_type),
      cmocka_unit_test(the_bound_holds_when_threads_race),
      cmocka_unit_test(what_is_kept_leaves_room_below_a_limit),
      cmocka_unit_test(the_bound_is_as_the_user_says),
      cmocka_unit_test(what_nobody_asks_for_is_given_back_in_time),
      cmocka_unit_test(what_is_old_stays_old),
      cmocka_unit_test(what_was_just_freed_is_not_old),
      cmocka_unit_test(a_piece_serves_what_is_somewhat_smaller_and_waste_is_bounded),
      cmocka_unit_test(all_of_a_class_are_looked_at_before_the_backend_is_asked),
      cmocka_unit_test(a_trim_gives_back_what_is_kept_only),
      cmocka_unit_test(a_backend_without_memory_is_asked_twice),
      cmocka_unit_test(a_failing_free_of_a_piece_keeps_it),
      cmocka_unit_test(without_host_memory_nothing_is_lost),
      cmocka_unit_test(closing_frees_all_and_the_pool_is_as_new),
      cmocka_unit_test(what_was_given_up_is_there_when_the_pool_is_closed),
  };
  return cmocka_run_group_tests_name("pool_pieces", tests, nullptr, nullptr);
}
