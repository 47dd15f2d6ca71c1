// Tangled from org/stripe.org; change the chapter, then run: make tangle
#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "cmocka.hpp"
#include "failing_new.hpp"
#include "stripe.hpp"

using namespace cadastre::internal;

namespace {

bool no_memory = false;
std::size_t allocations = 0;

}  // namespace

bool allocation_fails() noexcept {
  ++allocations;
  return no_memory;
}

namespace {

void marks_agree_with_a_plain_set(void**) {
  Leaf leaf;
  std::array<std::map<unsigned, bool>, 2> sets;  // by kind
  std::mt19937 random(7);
  for (int step = 0; step < 200000; ++step) {
    const unsigned where = random() % Leaf::grains;
    if (sets[0].size() < 40 && random() % 2) {
      leaf.revive(where * grain);
      sets[0][where] = true;
      sets[1].erase(where);
    } else if (const auto next = sets[0].lower_bound(where); next != sets[0].end()) {
      leaf.bury(next->first * grain);
      sets[1][next->first] = true;
      sets[0].erase(next);
    } else if (const auto gone = sets[1].lower_bound(where); gone != sets[1].end()) {
      leaf.clear(Kind::freed, gone->first * grain);
      sets[1].erase(gone);
    }
    const unsigned probe = random() % Leaf::grains;
    for (const Kind kind : {Kind::live, Kind::freed}) {
      const std::map<unsigned, bool>& set = sets[static_cast<std::size_t>(kind)];
      const auto after = set.upper_bound(probe);
      assert_int_equal(leaf.last_up_to(kind, probe),
                       after == set.begin() ? Leaf::none : static_cast<int>(std::prev(after)->first));
    }
  }
  std::size_t seen = 0;
  leaf.for_each(Kind::live, [&](unsigned where) { seen += sets[0].count(where); });
  assert_int_equal(seen, sets[0].size());
}

constexpr std::uintptr_t heap = 0x7f0000000000;

PlainBlock block(std::uintptr_t address, std::size_t size, std::uint64_t serial = 0) {
  return plain_block(address, serial, no_origin, size, 0);
}

void file(Stripe& stripe, std::uintptr_t address, std::size_t size, std::uint64_t serial = 0) {
  assert_true(stripe.file(block(address, size, serial)));
}

void bury(Stripe& stripe, std::uintptr_t address, std::uint64_t number) {
  PlainBlock* const block = stripe.find_live(address);
  assert_non_null(block);
  stripe.bury(*block, number);
}

void a_block_is_found_by_its_address_and_from_inside(void**) {
  Stripe stripe;
  assert_null(stripe.find(heap));
  assert_null(stripe.around(Kind::live, heap));
  std::uintptr_t address = heap;
  std::vector<std::pair<std::uintptr_t, std::size_t>> blocks;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{16}, std::size_t{100}, std::size_t{70000},
                                 largest_plain, largest_plain - 1, std::size_t{24}}) {
    file(stripe, address, size);
    blocks.emplace_back(address, size);
    address += (size / 16 + 3) * 16;
  }
  for (const auto& [begin, size] : blocks) {
    assert_int_equal(stripe.find_live(begin)->address, begin);
    assert_null(stripe.find(begin + 1));
    assert_int_equal(stripe.around(Kind::live, begin)->address, begin);
    if (size > 0) assert_int_equal(stripe.around(Kind::live, begin + size - 1)->address, begin);
    assert_null(stripe.around(Kind::live, begin + std::max<std::size_t>(size, 1)));
  }
  assert_true(stripe.consistent());
}

void a_freed_block_is_remembered_until_4096_others_were_freed(void**) {
  Stripe stripe;
  for (std::uintptr_t i = 1; i <= 5000; ++i) file(stripe, heap + i * 128, 100);
  for (std::uintptr_t i = 1; i <= 5000; ++i) bury(stripe, heap + i * 128, i);
  assert_int_equal(stripe.live(), 0);
  for (std::uintptr_t i = 1; i <= 5000; ++i) {
    const PlainBlock* const freed = stripe.find(heap + i * 128);
    assert_int_equal(freed != nullptr, i > 5000 - Stripe::remembered);
    assert_ptr_equal(stripe.around(Kind::freed, heap + i * 128 + 50), freed);
    if (freed) assert_int_equal(stripe.number_of_deallocation(*freed), i);
  }
  assert_true(stripe.consistent());
}

void an_address_that_comes_back_is_alive_again(void**) {
  Stripe stripe;
  for (std::uintptr_t i = 1; i <= 3; ++i) file(stripe, heap + i * 128, 100);
  for (std::uintptr_t i = 1; i <= 3; ++i) bury(stripe, heap + i * 128, i);
  file(stripe, heap + 2 * 128, 50);
  assert_null(stripe.around(Kind::freed, heap + 2 * 128));
  assert_int_equal(stripe.around(Kind::live, heap + 2 * 128 + 49)->address, heap + 2 * 128);
  assert_int_equal(stripe.number_of_deallocation(*stripe.find(heap + 128)), 1);
  file(stripe, heap + 3 * 128, 50);
  for (std::uintptr_t i = 4; i < 4 + 2 * Stripe::remembered; ++i) {
    file(stripe, heap + i * 128, 1);
    bury(stripe, heap + i * 128, i);
    assert_true(stripe.find_live(heap + 2 * 128) && stripe.find_live(heap + 3 * 128));
  }
  assert_null(stripe.find(heap + 128));
  assert_true(stripe.consistent());
}

// Between searches blocks are freed, come back, are freed again and forgotten, so that marks are behind in every way.
void a_search_finds_what_was_freed_since_the_last(void**) {
  Stripe stripe;
  std::mt19937_64 random(99);
  constexpr std::uintptr_t places = 6000;
  std::vector<bool> live(places);
  std::uint64_t freed = 0;
  for (int round = 0; round < 400; ++round) {
    for (std::uint64_t step = random() % 300; step > 0; --step) {
      const std::uintptr_t place = random() % places;
      if (live[place]) {
        bury(stripe, heap + place * 64, ++freed);
        live[place] = random() % 2 == 0;
        if (live[place]) file(stripe, heap + place * 64, 64);
      } else {
        file(stripe, heap + place * 64, 64);
        live[place] = true;
      }
      if (random() % 16 == 0) {
        const std::uintptr_t gone = random() % places;
        if (PlainBlock* const block = stripe.find(heap + gone * 64)) stripe.forget(*block);
        live[gone] = false;
      }
    }
    for (int probe = 0; probe < 20; ++probe) {
      const std::uintptr_t place = random() % places, inside = heap + place * 64 + 40;
      const PlainBlock* const block = stripe.find(heap + place * 64);
      assert_ptr_equal(stripe.around(Kind::live, inside), live[place] ? block : nullptr);
      assert_ptr_equal(stripe.around(Kind::freed, inside), live[place] ? nullptr : block);
    }
    if (const auto last = std::find(live.begin(), live.end(), true); last != live.end()) {
      const std::uintptr_t address = heap + static_cast<std::uintptr_t>(last - live.begin()) * 64;
      bury(stripe, address, ++freed);
      assert_non_null(stripe.around(Kind::freed, address + 40));
      stripe.forget(*stripe.find(address));
      *last = false;
    }
    if (round % 20 == 0) assert_true(stripe.consistent());
  }
}

// So far that the map is given up.
constexpr std::uintptr_t far = 2 * Leaf::bytes;

// Of all kinds, without a look around: the first 1,000 live, those up to 6,000 are freed, of which every tenth lives again
// from 5,000 on, and every 50th is unknown.
void file_far_apart(Stripe& stripe, std::uint64_t& freed) {
  for (std::uintptr_t i = 1; i < 6000; ++i) file(stripe, heap + i * far, far / 2);
  for (std::uintptr_t i = 1000; i < 6000; ++i) bury(stripe, heap + i * far, ++freed);
  for (std::uintptr_t i = 5000; i < 6000; i += 10) file(stripe, heap + i * far, far / 2);
  for (std::uintptr_t i = 50; i < 6000; i += 50) {
    if (PlainBlock* const block = stripe.find(heap + i * far)) stripe.forget(*block);
  }
}

void assert_found_around(Stripe& stripe, std::size_t live, std::size_t freed) {
  std::size_t seen_live = 0, seen_freed = 0;
  for (std::uintptr_t i = 1; i < 6000; ++i) {
    const std::uintptr_t inside = heap + i * far + far / 2 - 1;
    const PlainBlock* const block = stripe.find(heap + i * far);
    assert_ptr_equal(stripe.around(Kind::live, inside), block && block->live() ? block : nullptr);
    assert_ptr_equal(stripe.around(Kind::freed, inside), block && !block->live() ? block : nullptr);
    assert_null(stripe.around(Kind::live, inside + 1));
    assert_null(stripe.around(Kind::freed, inside + 1));
    seen_live += block && block->live();
    seen_freed += block && !block->live();
  }
  assert_int_equal(seen_live, live);
  assert_int_equal(seen_freed, freed);
}

constexpr std::size_t live_far_apart = 999 - 19 + 100 - 20, freed_far_apart = 4096 - 100 - 61;

void blocks_far_apart_are_found_by_who_looks_first(void**) {
  Stripe stripe;
  std::uint64_t freed = 0;
  file_far_apart(stripe, freed);
  assert_true(stripe.consistent());
  assert_found_around(stripe, live_far_apart, freed_far_apart);
  assert_true(stripe.consistent());
  for (std::uintptr_t i = 1; i <= 10; ++i) bury(stripe, heap + i * far, ++freed);
  file(stripe, heap + 5 * far, far / 2);
  const std::size_t before = allocations;
  assert_found_around(stripe, live_far_apart - 9, freed_far_apart - 10 + 9);
  assert_int_equal(allocations, before);
  assert_true(stripe.consistent());
}

// Where blocks that were freed before have their marks already when the map is drawn, and none when it is given up again.
void a_map_is_drawn_again_when_it_has_become_worth_it(void**) {
  Stripe stripe;
  for (std::uintptr_t i = 1; i <= 200; ++i) file(stripe, heap + i * far, 64);
  for (std::uintptr_t i = 1; i <= 100; ++i) bury(stripe, heap + i * far, i);
  const std::uintptr_t close = heap + 300 * far, apart = heap + 1000 * far;
  for (std::uintptr_t i = 0; i < 20000; ++i) file(stripe, close + i * 64, 64);
  file(stripe, heap + far, 64);
  stripe.forget(*stripe.find(heap + 2 * far));
  assert_true(stripe.consistent());
  for (std::uintptr_t i = 0; i < 3500; ++i) file(stripe, apart + i * far, 64);
  file(stripe, heap + 3 * far, 64);
  stripe.forget(*stripe.find(heap + 4 * far));
  assert_true(stripe.consistent());
  for (std::uintptr_t i = 0; i < 20000; ++i) file(stripe, close + (20000 + i) * 64, 64);
  file(stripe, heap + 5 * far, 64);
  stripe.forget(*stripe.find(heap + 6 * far));
  const std::size_t before = allocations;
  for (std::uintptr_t i = 1; i <= 8; ++i) {
    const bool forgotten = i == 2 || i == 4 || i == 6, live = i % 2 == 1 && i < 6;
    const std::uintptr_t address = heap + i * far;
    assert_ptr_equal(stripe.around(Kind::live, address + 8), live ? stripe.find(address) : nullptr);
    assert_ptr_equal(stripe.around(Kind::freed, address + 8), live || forgotten ? nullptr : stripe.find(address));
  }
  assert_int_equal(allocations, before);
  assert_true(stripe.consistent());
}

// Whatever has become of the blocks since its table was as large as it is.
void a_map_of_blocks_that_were_close_is_kept(void**) {
  Stripe stripe;
  constexpr std::uintptr_t distance = 1024, peak = 60000;
  for (std::uintptr_t i = 0; i < peak; ++i) file(stripe, heap + i * distance, 64);
  for (std::uintptr_t i = 0; i < peak; ++i) bury(stripe, heap + i * distance, i);
  for (std::uintptr_t i = 0; i < peak / 2; ++i) file(stripe, heap + i * distance, 64);
  const std::size_t before = allocations;
  assert_ptr_equal(stripe.around(Kind::live, heap + 63), stripe.find(heap));
  assert_int_equal(allocations, before);
  assert_true(stripe.consistent());
}

void without_memory_for_a_map_blocks_are_found_all_the_same(void**) {
  Stripe stripe;
  std::uint64_t freed = 0;
  file_far_apart(stripe, freed);
  no_memory = true;
  for (std::uintptr_t i = 0; i < 10; ++i) file(stripe, heap + i * grain, 2 * far);  // freed behind our back, all but one
  assert_int_equal(stripe.around(Kind::live, heap + far + 1)->address, heap + far);
  for (std::uintptr_t i = 0; i < 10; ++i) stripe.forget(*stripe.find(heap + i * grain));
  assert_found_around(stripe, live_far_apart, freed_far_apart);
  assert_true(stripe.consistent());
  no_memory = false;
  assert_found_around(stripe, live_far_apart, freed_far_apart);
  no_memory = true;
  file(stripe, heap + 10000 * far, 1);  // for which there is no leaf
  no_memory = false;
  assert_int_equal(stripe.around(Kind::live, heap + 10000 * far)->address, heap + 10000 * far);
  assert_true(stripe.consistent());
}

void addresses_that_are_left_come_in_rising_order(void**) {
  for (const std::uintptr_t distance : {std::uintptr_t{64}, far}) {
    Stripe stripe;
    for (std::uintptr_t i = 1; i <= 3000; ++i) file(stripe, heap + (i * 1009 % 3001) * distance, 64);
    for (std::uintptr_t i = 1; i <= 3000; i += 3) bury(stripe, heap + i * distance, i);
    stripe.keep_addresses_only();
    std::vector<std::uintptr_t> left;
    stripe.for_each_address([&](std::uintptr_t address) { left.push_back(address); });
    assert_int_equal(left.size(), 2000);
    assert_true(std::is_sorted(left.begin(), left.end()));
    for (const std::uintptr_t address : left) assert_int_not_equal((address - heap) / distance % 3, 1);
    stripe.clear();
    assert_int_equal(stripe.live(), 0);
    file(stripe, heap, 100);
    assert_int_equal(stripe.around(Kind::live, heap + 50)->address, heap);
    assert_true(stripe.consistent());
  }
}

void a_live_address_is_not_filed_twice(void**) {
  Stripe stripe;
  file(stripe, heap, 100);
  assert_false(stripe.file(block(heap, 50)));
  assert_int_equal(stripe.find(heap)->size(), 100);
  assert_int_equal(stripe.live(), 1);
  assert_true(stripe.consistent());
}

void a_random_history_agrees_with_a_plain_map(void**) {
  Stripe stripe;
  std::map<std::uintptr_t, std::size_t> live;
  std::mt19937_64 random(20240607);
  std::uint64_t freed = 0;
  for (int step = 0; step < 60000; ++step) {
    const std::uintptr_t base = heap + random() % (1 << 23) / 16 * 16;
    const auto next = live.lower_bound(base);
    const std::size_t room = next == live.end() ? 100000 : next->first - base;
    const bool taken = next != live.begin() && std::prev(next)->first + std::max<std::size_t>(std::prev(next)->second, 1) > base;
    if (random() % 2 == 0) {
      if (taken || room == 0) continue;
      const std::size_t size = std::min<std::size_t>(room, std::size_t{1} << (random() % 17) | random() % 64);
      file(stripe, base, size);
      live[base] = size;
    } else if (next != live.end()) {
      bury(stripe, next->first, ++freed);
      live.erase(next);
    }
    const std::uintptr_t probe = heap + random() % (1 << 23);
    const auto after = live.upper_bound(probe);
    const bool inside = after != live.begin() && probe - std::prev(after)->first < std::prev(after)->second;
    const PlainBlock* const found = stripe.around(Kind::live, probe);
    assert_int_equal(found != nullptr, inside);
    if (inside) assert_int_equal(found->address, std::prev(after)->first);
    if (step % 5000 == 0) assert_true(stripe.consistent());
  }
  assert_int_equal(stripe.live(), live.size());
  assert_true(stripe.consistent());
}

void all_blocks_move_to_other_stripes(void**) {
  Stripe stripe, others[2];
  for (std::uintptr_t i = 1; i <= 20000; ++i) file(stripe, heap + i * 8192, i, i);
  for (std::uintptr_t i = 1; i <= 100; ++i) bury(stripe, heap + i * 8192, i);
  const auto choose = [&](std::uintptr_t address) -> Stripe& { return others[address >> 26 & 1]; };
  assert_true(stripe.move_to(choose));
  stripe.clear();
  assert_int_equal(stripe.live(), 0);
  assert_null(stripe.find(heap + 8192));
  assert_true(stripe.consistent());
  assert_int_equal(others[0].live() + others[1].live(), 19900);
  assert_true(others[0].live() > 1000 && others[1].live() > 1000);
  for (std::uintptr_t i = 1; i <= 20000; ++i) {
    const Stripe& other = choose(heap + i * 8192);
    const PlainBlock* const block = other.find(heap + i * 8192);
    assert_int_equal(block->serial, i);
    assert_int_equal(block->size(), i);
    assert_int_equal(block->live(), i > 100);
    if (i <= 100) assert_int_equal(other.number_of_deallocation(*block), i);
  }
  assert_true(others[0].consistent() && others[1].consistent());
}

void no_stride_makes_a_look_up_scan(void**) {
  for (std::uintptr_t stride = 16; stride < 200000; stride += stride < 2000 ? 16 : 1712) {
    Stripe stripe;
    for (std::uintptr_t i = 1; i <= 500; ++i) file(stripe, heap + i * stride, 16);
    assert_true(stripe.longest_probe() < 80);
  }
  for (const std::uintptr_t stride : {992u, 46352u}) {
    Stripe stripe;
    for (std::uintptr_t i = 1; i <= 8000; ++i) file(stripe, heap + i * stride, 16);
    assert_true(stripe.longest_probe() < 120);
  }
}

void a_tally_knows_the_most_that_lived(void**) {
  Tally tally(3, 100);
  assert_true(tally.count_in(60, false));
  assert_false(tally.count_in(41, false));
  assert_true(tally.count_in(40, true));
  assert_int_equal(tally.bytes(), 100);
  tally.count_out(60);
  assert_true(tally.count_in(1, false));
  assert_true(tally.count_in(1, false));
  assert_int_equal(tally.bytes(), 42);
  assert_int_equal(tally.blocks(), 3);
  assert_int_equal(tally.allocations(), 4);
  assert_int_equal(tally.deallocations(), 1);
  assert_int_equal(tally.allocated_bytes(), 102);
  assert_int_equal(tally.uninitialized_bytes(), 40);
  assert_false(tally.count_in(0, false));
  assert_int_equal(tally.allocations(), 4);
  tally.count_beyond(100, false);
  tally.count_out(100);
  assert_int_equal(tally.most_blocks(), 4);
  assert_int_equal(tally.most_bytes(), 142);
  assert_false(tally.count_in(101, false));
  assert_true(tally.count_in(100, true));
  tally.take_back(100, true);
  assert_int_equal(tally.allocations(), 5);
  assert_int_equal(tally.uninitialized_bytes(), 40);
  assert_true(tally.count_in(100, false));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(marks_agree_with_a_plain_set),
      cmocka_unit_test(a_block_is_found_by_its_address_and_from_inside),
      cmocka_unit_test(a_freed_block_is_remembered_until_4096_others_were_freed),
      cmocka_unit_test(an_address_that_comes_back_is_alive_again),
      cmocka_unit_test(a_search_finds_what_was_freed_since_the_last),
      cmocka_unit_test(blocks_far_apart_are_found_by_who_looks_first),
      cmocka_unit_test(a_map_is_drawn_again_when_it_has_become_worth_it),
      cmocka_unit_test(a_map_of_blocks_that_were_close_is_kept),
      cmocka_unit_test(without_memory_for_a_map_blocks_are_found_all_the_same),
      cmocka_unit_test(addresses_that_are_left_come_in_rising_order),
      cmocka_unit_test(a_live_address_is_not_filed_twice),
      cmocka_unit_test(a_random_history_agrees_with_a_plain_map),
      cmocka_unit_test(all_blocks_move_to_other_stripes),
      cmocka_unit_test(no_stride_makes_a_look_up_scan),
      cmocka_unit_test(a_tally_knows_the_most_that_lived),
  };
  return cmocka_run_group_tests_name("stripe", tests, nullptr, nullptr);
}
