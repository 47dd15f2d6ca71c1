// Tangled from org/tests/registry_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <memory>
#include <random>

#include "base/fail.hpp"
#include "cmocka.hpp"
#include "registry/figures.hpp"
#include "registry/registry.hpp"

using namespace cadastre::internal;

namespace {

void* address(std::uintptr_t value) { return reinterpret_cast<void*>(value); }

Record block(std::uintptr_t where, std::size_t size, cadastre_flags flags = 0) {
  Record record;
  record.pointer = address(where);
  record.size = size;
  record.flags = static_cast<std::uint16_t>(flags);
  return record;
}

void enter(Registry& registry, const Record& wanted) {
  assert_true(registry.reserve(wanted.borrowed()));
  if (!wanted.borrowed()) assert_false(registry.accounts().reserve(wanted.type, wanted.size).has_value());
  registry.enter(wanted);
}

// Which block is told, by its first byte; 0 for none.
std::uintptr_t first(const std::optional<Record>& record) { return record ? record->address() : 0; }

void an_empty_registry_finds_nothing(void**) {
  Registry registry;
  assert_false(registry.at(nullptr) || registry.freed_at(nullptr) || registry.around(nullptr));
  assert_false(registry.freed_around(nullptr) || registry.freed_at(address(4096)));
  assert_false(registry.at(address(4096)) || registry.around(address(4096)) || registry.around(address(UINTPTR_MAX)));
  assert_true(snapshot(registry).empty());
  assert_true(is_consistent(registry));
}

void a_block_is_found_by_its_first_byte_and_located_by_every_byte(void**) {
  Registry registry;
  for (const std::size_t size : {1u, 2u, 3u, 24u, 63u, 64u, 65u, 1000u, 4096u, 4097u}) {
    const std::uintptr_t base = 1000003 + size * 100000;
    enter(registry, block(base, size));
    assert_int_equal(registry.at(address(base))->size, size);
    assert_false(registry.at(address(base + 1)) || registry.around(address(base - 1)) || registry.around(address(base + size)));
    for (std::size_t offset = 0; offset < size; ++offset) assert_int_equal(first(registry.around(address(base + offset))), base);
  }
  assert_true(is_consistent(registry));
}

void a_block_of_no_bytes_is_met_by_its_own_address_only(void**) {
  Registry registry;
  enter(registry, block(4096, 0));
  assert_true(registry.at(address(4096)).has_value());
  assert_int_equal(first(registry.around(address(4096))), 4096);
  assert_false(registry.around(address(4097)).has_value());
}

void blocks_at_the_ends_of_the_address_space_are_located(void**) {
  Registry registry;
  constexpr std::uintptr_t far = std::uintptr_t{1} << 60;
  enter(registry, block(1, 5000));
  enter(registry, block(UINTPTR_MAX - 5000, 5001));
  enter(registry, block(far, largest_size));
  assert_int_equal(first(registry.around(address(5000))), 1);
  assert_false(registry.around(address(5001)).has_value());
  assert_int_equal(first(registry.around(address(UINTPTR_MAX))), UINTPTR_MAX - 5000);
  assert_int_equal(first(registry.around(address(far + largest_size - 1))), far);
  assert_true(is_consistent(registry));
}

void the_innermost_block_answers(void**) {
  Registry registry;
  enter(registry, block(10000, 100));
  enter(registry, block(8192, 65536, CADASTRE_BORROWED));
  assert_int_equal(first(registry.around(address(10050))), 10000);
  assert_int_equal(first(registry.around(address(9000))), 8192);
  assert_int_equal(first(registry.around(address(10100))), 8192);
  assert_true(is_consistent(registry));
}

// Also where both have one level, and begin in granules of their own or in the same.
void the_innermost_of_one_level_answers(void**) {
  for (std::uintptr_t inner = 8192; inner < 8192 + 300; inner += 20) {
    Registry registry;
    enter(registry, block(8192 - 16, 1000, CADASTRE_BORROWED));
    enter(registry, block(inner, 600));
    for (std::uintptr_t where = 8192 - 16; where < 8192 - 16 + 1000; ++where) {
      assert_int_equal(first(registry.around(address(where))), where - inner < 600 ? inner : 8192 - 16);
    }
    assert_true(is_consistent(registry));
  }
}

void a_freed_block_is_remembered_until_4096_others_were_freed(void**) {
  Registry registry;
  for (std::uintptr_t i = 1; i <= 100000; ++i) {
    enter(registry, block(i * 128, 100));
    registry.remove(address(i * 128));
    assert_false(registry.at(address(i * 128)) || registry.around(address(i * 128 + 50)));
    const std::uintptr_t before = i > Table::remembered ? i - Table::remembered + 1 : 1;
    for (const std::uintptr_t number : {before, i}) {
      const Record freed = registry.freed_at(address(number * 128)).value();
      assert_int_equal(freed.serial, number);
      assert_int_equal(freed.stride_or_freed, number);
      assert_int_equal(registry.freed_around(address(number * 128 + 50))->serial, number);
    }
  }
  assert_false(registry.freed_at(address(128)) || registry.freed_around(address(128 + 50)));
  assert_true(is_consistent(registry));
}

void an_address_that_comes_back_is_alive_again(void**) {
  Registry registry;
  enter(registry, block(4096, 100));
  registry.remove(address(4096));
  enter(registry, block(4096, 5000));
  assert_false(registry.freed_at(address(4096)) || registry.freed_around(address(4100)));
  assert_int_equal(registry.at(address(4096))->serial, 2);
  assert_int_equal(registry.around(address(9000))->serial, 2);
  assert_true(is_consistent(registry));
}

void a_borrowed_range_that_meets_a_block_is_seen(void**) {
  Registry registry;
  enter(registry, block(10000, 1000));
  for (const auto& [where, size] : std::initializer_list<std::pair<std::uintptr_t, std::size_t>>{
           {10000, 1000}, {10000, 0}, {10999, 1}, {9000, 1001}, {10500, 10}, {10500, 5000}}) {
    assert_int_equal(first(overlapping(registry, block(where, size, CADASTRE_BORROWED))), 10000);
  }
  for (const auto& [where, size] :
       std::initializer_list<std::pair<std::uintptr_t, std::size_t>>{{11000, 1000}, {9000, 1000}, {9999, 0}, {11000, 0}, {9999, 1002}}) {
    assert_false(overlapping(registry, block(where, size, CADASTRE_BORROWED)).has_value());
  }
}

// The same two ranges, moved through all places that granules may divide them at.
void a_range_may_enclose_others_and_meet_none(void**) {
  for (std::uintptr_t where = 10000; where < 10300; ++where) {
    Registry registry;
    enter(registry, block(where + 20, 64, CADASTRE_BORROWED));
    for (const std::size_t size : {21u, 83u}) {
      assert_int_equal(first(overlapping(registry, block(where, size, CADASTRE_BORROWED))), where + 20);
    }
    assert_int_equal(first(overlapping(registry, block(where + 83, 64, CADASTRE_BORROWED))), where + 20);
    assert_false(overlapping(registry, block(where - 107, 127, CADASTRE_BORROWED)).has_value());
    for (const std::size_t size : {85u, 127u, 1000u}) {
      const Record outer = block(where, size, CADASTRE_BORROWED);
      assert_false(overlapping(registry, outer).has_value());
      enter(registry, outer);
      assert_int_equal(first(registry.around(address(where + 30))), where + 20);
      assert_int_equal(first(registry.around(address(where + 84))), where);
      registry.remove(address(where));
    }
    assert_true(is_consistent(registry));
  }
}

struct Range {
  std::uintptr_t offset;
  std::size_t size;
  bool goes;
};

constexpr Range around_a_block_of_4096[] = {{0, 4096, true},     {64, 100, true},    {4000, 96, true},  {4095, 1, true},
                                            {2000, 0, true},     {4000, 5000, true}, {4096, 10, false}, {4090, 6, true},
                                            {10000, 100, false}, {1, 4095, true},    {1, 4096, true}};

// What lies around the block, or beside it, stays.
void a_block_drops_the_borrowed_ranges_that_its_memory_was(void**) {
  constexpr std::uintptr_t base = std::uintptr_t{1} << 30;
  for (const unsigned others : {0u, 10u, 5000u}) {  // so many that the index is asked, or so few that it is not
    for (const Range& range : around_a_block_of_4096) {
      {
        for (const bool of_own_backend : {false, true}) {
          Registry registry;
          for (std::uintptr_t i = 0; i < others; ++i) enter(registry, block(base + 100000 + 64 * i, 60, CADASTRE_BORROWED));
          enter(registry, block(base - 5000, 50000, CADASTRE_BORROWED));
          enter(registry, block(base + range.offset, range.size, CADASTRE_BORROWED));
          Record own = block(base, 4096);
          if (of_own_backend) own.backend = 100;
          assert_true(registry.reserve() && !registry.accounts().reserve(CADASTRE_HOST, 4096));
          registry.enter(own);
          assert_int_equal(registry.account(CADASTRE_HOST).figures.borrowed_blocks, others + (range.goes ? 1 : 2));
          for (const std::uintptr_t offset : {0u, 64u, 1000u, 2000u, 4000u, 4095u}) {
            assert_ptr_equal(registry.around(address(base + offset)).value().pointer, own.pointer);
          }
          assert_true(registry.around(address(base - 1)).value().borrowed());
          assert_true(is_consistent(registry));
        }
      }
    }
  }
}

void a_block_that_moves_or_grows_drops_what_it_meets(void**) {
  for (const bool moves : {false, true}) {
    Registry registry;
    const std::uintptr_t from = 1 << 20, to = moves ? 1 << 22 : from;
    enter(registry, block(from, 100));
    enter(registry, block(to + 200, 50, CADASTRE_BORROWED));
    assert_true(registry.reserve());
    Hidden hidden;
    registry.hide(address(from), hidden);
    assert_false(registry.accounts().reserve(CADASTRE_HOST, 900).has_value());
    registry.resize(hidden.record, 1000);
    hidden.record.pointer = address(to);
    registry.show(hidden);
    assert_int_equal(registry.around(address(to + 210)).value().size, 1000);
    assert_int_equal(registry.account(CADASTRE_HOST).figures.borrowed_blocks, 0);
    assert_true(is_consistent(registry));
  }
}

// And a block over all of them takes each away once.
void many_ranges_cost_a_block_elsewhere_little(void**) {
  Registry registry;
  constexpr std::uintptr_t base = std::uintptr_t{1} << 30;
  for (std::uintptr_t i = 0; i < 20000; ++i) enter(registry, block(base + 128 * i, 100, CADASTRE_BORROWED));
  for (std::uintptr_t i = 1; i <= 1000; ++i) enter(registry, block(2 * base + 8192 * i, 8000));
  assert_int_equal(registry.account(CADASTRE_HOST).figures.borrowed_blocks, 20000);
  enter(registry, block(base - 64, 128 * 20000));
  assert_int_equal(registry.account(CADASTRE_HOST).figures.borrowed_blocks, 0);
  assert_true(is_consistent(registry));
}

// Whichever goes first.
void ranges_are_returned_in_any_order(void**) {
  for (unsigned order = 0; order < 27; ++order) {
    Registry registry;
    for (std::uintptr_t i = 1; i <= 3; ++i) enter(registry, block(i << 20, 100, CADASTRE_BORROWED));
    for (const unsigned digit : {order % 3, order / 3 % 3, order / 9}) {
      const std::uintptr_t where = std::uintptr_t{digit + 1} << 20;
      if (registry.at(address(where))) registry.remove(address(where));
      assert_true(is_consistent(registry));
    }
  }
}

void an_address_granted_twice_loses_the_old_block(void**) {
  static std::size_t lost = 0;
  lost = 0;
  Registry registry([](const Record& block) noexcept { lost += block.size; });
  enter(registry, block(4096, 100));
  enter(registry, block(8192, 100, CADASTRE_BORROWED));
  enter(registry, block(4096, 200));
  enter(registry, block(8192, 200));
  const cadastre_statistics_struct& figures = registry.account(CADASTRE_HOST).figures;
  assert_int_equal(figures.untracked_deallocations, 1);
  assert_int_equal(lost, 100);
  assert_int_equal(figures.borrowed_blocks, 0);
  assert_int_equal(figures.live_blocks, 2);
  assert_int_equal(figures.live_bytes, 400);
  assert_true(is_consistent(registry));
}

void overlapping_grants_of_about_one_size_lose_the_old_block(void**) {
  for (std::uintptr_t second = 4096 - 99; second < 4096 + 100; ++second) {
    Registry registry;
    enter(registry, block(4096, 100));
    enter(registry, block(second, 120));
    assert_int_equal(registry.account(CADASTRE_HOST).figures.untracked_deallocations, 1);
    assert_int_equal(count_live(registry), 1);
    assert_int_equal(first(registry.around(address(second + 119))), second);
    assert_true(is_consistent(registry));
  }
}

void the_high_water_mark_ignores_what_is_only_reserved(void**) {
  Registry registry;
  SharedBytes& shared = registry.accounts().shared().of(CADASTRE_HOST);
  assert_false(registry.accounts().reserve(CADASTRE_HOST, 1000).has_value());
  enter(registry, block(4096, 50));
  assert_int_equal(registry.account(CADASTRE_HOST).figures.high_water_mark_bytes, 50);
  assert_int_equal(shared.most_live(), 50);
  shared.set_limit(1100);
  assert_true(registry.accounts().reserve(CADASTRE_HOST, 51).has_value());
  assert_false(registry.accounts().reserve(CADASTRE_HOST, 50).has_value());
  registry.accounts().cancel(CADASTRE_HOST, 1050);
  assert_int_equal(shared.claimed(), 50);
  assert_int_equal(figures_of(registry, CADASTRE_HOST).limit, 1100);
}

void room_that_is_reserved_is_there_however_many_wait(void**) {
  Registry registry;
  constexpr std::uintptr_t waiting = 1000;
  for (std::uintptr_t i = 1; i <= waiting; ++i) assert_true(registry.reserve());
  for (std::uintptr_t i = 1; i <= waiting; ++i) {
    assert_false(registry.accounts().reserve(CADASTRE_HOST, 64).has_value());
    registry.enter(block(i * 64, 64));
  }
  assert_int_equal(count_live(registry), waiting);
  assert_true(is_consistent(registry));
}

void no_stride_makes_a_look_up_scan(void**) {
  for (std::uintptr_t stride = 16; stride < 200000; stride += stride < 2000 ? 16 : 1712) {
    Registry registry;
    for (std::uintptr_t i = 1; i <= 500; ++i) enter(registry, block(0x7f0000000000 + i * stride, 16));
    assert_true(registry.heap().table().longest_probe() < 40);
  }
  for (const std::uintptr_t stride : {992u, 46352u}) {
    Registry registry;
    for (std::uintptr_t i = 1; i <= 8000; ++i) enter(registry, block(0x7f0000000000 + i * stride, 16));
    assert_true(registry.heap().table().longest_probe() < 60);
  }
}

void an_enclosing_borrowed_range_and_a_block_leave_each_other_alone(void**) {
  Registry registry;
  enter(registry, block(1000, 120, CADASTRE_BORROWED));
  enter(registry, block(1010, 100));
  assert_true(registry.at(address(1000))->borrowed());
  assert_int_equal(first(registry.around(address(1050))), 1010);
  assert_int_equal(first(registry.around(address(1005))), 1000);
  registry.remove(address(1010));
  assert_int_equal(first(registry.around(address(1050))), 1000);
  assert_int_equal(registry.account(CADASTRE_HOST).figures.borrowed_blocks, 1);
  assert_true(is_consistent(registry));
}

// As a call that resizes a block does it.
struct Resizing {
  Resizing(Registry& of, std::uintptr_t where) : registry(of), before(of.at(address(where)).value()) {
    assert_true(registry.reserve());
    registry.hide(address(where), hidden);
  }
  void end_at(std::uintptr_t where) {
    hidden.record.pointer = address(where);
    registry.show(hidden);
    if (hidden.record.pointer != before.pointer) registry.note_moved(before);
  }
  Registry& registry;
  const Record before;
  Hidden hidden;
};

void the_address_before_a_resize_is_remembered(void**) {
  Registry registry;
  enter(registry, block(4096, 100));
  Resizing(registry, 4096).end_at(8192);
  assert_int_equal(registry.freed_at(address(4096)).value().stride_or_freed, 0);
  assert_int_equal(first(registry.freed_around(address(4150))), 4096);
  assert_int_equal(registry.account(CADASTRE_HOST).figures.deallocations, 0);
  assert_true(is_consistent(registry));
  for (std::uintptr_t i = 1; i < Table::remembered; ++i) {
    enter(registry, block(i << 20, 100));
    registry.remove(address(i << 20));
  }
  assert_true(registry.freed_at(address(4096)).has_value());
}

void an_address_granted_again_during_a_resize_is_the_new_blocks(void**) {
  Registry registry;
  enter(registry, block(4096, 100));
  Resizing resizing(registry, 4096);
  enter(registry, block(4096, 50));
  resizing.end_at(8192);
  assert_int_equal(registry.at(address(4096))->size, 50);
  assert_false(registry.freed_at(address(4096)).has_value());
  assert_int_equal(count_live(registry), 2);
  assert_true(is_consistent(registry));
}

// Also where the table is made anew meanwhile, and where the address was another's meanwhile, who has freed it.
void a_block_that_its_backend_does_not_take_back_is_there_again(void**) {
  for (const bool was_anothers : {false, true}) {
    Registry registry;
    enter(registry, block(4096, 100));
    Hidden hidden;
    registry.hide(address(4096), hidden);
    assert_false(registry.at(address(4096)) || registry.freed_at(address(4096)));
    if (was_anothers) {
      enter(registry, block(4096, 50));
      registry.remove(address(4096));
    }
    for (std::uintptr_t i = 1; i <= 2 * Table::remembered; ++i) {
      enter(registry, block(i << 20, 100));
      registry.remove(address(i << 20));
    }
    registry.show_where_it_was(hidden);
    assert_int_equal(registry.at(address(4096)).value().serial, 1);
    assert_int_equal(registry.around(address(4195)).value().serial, 1);
    assert_int_equal(count_live(registry), 1);
    assert_true(is_consistent(registry));
  }
}

// Where there is no memory to make the table anew, its entry is there.
void a_hidden_block_keeps_its_entry(void**) {
  const pid_t child = fork();
  if (child == 0) {
    Registry registry;
    enter(registry, block(4096, 100));
    Hidden hidden;
    registry.hide(address(4096), hidden);
    for (std::uintptr_t i = 1; i <= 1000; ++i) enter(registry, block(i << 20, 100));  // the table is made anew several times
    arm(parse_fail_rules("internal:1+").value());
    for (std::uintptr_t i = 1001; registry.reserve(); ++i) {
      registry.accounts().reserve(CADASTRE_HOST, 100);
      registry.enter(block(i << 20, 100));
    }
    registry.show_where_it_was(hidden);
    const std::optional<Record> shown = registry.at(address(4096));
    _exit(shown && shown->serial == 1 && is_consistent(registry) ? 0 : 1);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

void what_was_freed_while_it_was_hidden_is_told(void**) {
  Registry registry;
  Hidden hidden[3];
  for (std::uintptr_t i = 0; i < 3; ++i) enter(registry, block(4096 * (i + 1), 100));
  for (std::uintptr_t i = 0; i < 3; ++i) registry.hide(address(4096 * (i + 1)), hidden[i]);
  assert_int_equal(count_live(registry), 3);
  assert_true(is_consistent(registry));
  for (const std::size_t i : {1u, 0u, 2u}) registry.remove_hidden(hidden[i]);
  registry.remove_hidden(hidden[1]);  // which is none any more
  assert_int_equal(registry.account(CADASTRE_HOST).figures.deallocations, 3);
  assert_int_equal(registry.freed_at(address(4096)).value().stride_or_freed, 2);
  assert_int_equal(registry.freed_at(address(8192)).value().stride_or_freed, 1);
  assert_int_equal(count_live(registry), 0);
  assert_true(is_consistent(registry));
}

void a_block_that_was_being_resized_at_a_fork_is_lost_not_kept(void**) {
  Registry registry;
  enter(registry, block(4096, 100));
  enter(registry, block(8192, 100));
  Hidden of_another, own;
  registry.hide(address(4096), of_another);
  registry.hide(address(8192), own);
  assert_true(registry.reserve() && registry.reserve());
  assert_false(registry.accounts().reserve(CADASTRE_HOST, 10).has_value());
  const Begun begun{.rooms = 1, .hidden = &own};
  registry.forget_other_threads(&begun);
  registry.accounts().shared().clear();
  registry.accounts().charge_anew();
  assert_int_equal(count_live(registry), 1);
  assert_int_equal(registry.account(CADASTRE_HOST).figures.untracked_deallocations, 1);
  assert_int_equal(registry.accounts().shared().of(CADASTRE_HOST).claimed(), 100);
  assert_true(is_consistent(registry));
  registry.remove_hidden(of_another);
  registry.show(own);
  assert_int_equal(registry.at(address(8192)).value().size, 100);
  assert_int_equal(registry.account(CADASTRE_HOST).figures.deallocations, 0);
  assert_true(is_consistent(registry));
}

// An entry that a thread was writing, which is not there in the child.
void an_address_that_was_being_filed_at_a_fork_can_be_filed(void**) {
  Registry registry;
  enter(registry, block(4096, 100));
  registry.heap().table().find(4096)->set(Entry::Is::none);
  registry.forget_other_threads();
  enter(registry, block(4096, 200));
  assert_int_equal(registry.at(address(4096)).value().size, 200);
}

void a_hidden_block_is_found_by_nobody_and_still_counted(void**) {
  Registry registry;
  enter(registry, block(4096, 100));
  Resizing resizing(registry, 4096);
  assert_false(registry.at(address(4096)) || registry.around(address(4100)));
  assert_int_equal(registry.account(CADASTRE_HOST).figures.live_blocks, 1);
  assert_int_equal(snapshot(registry).size(), 1);
  assert_false(registry.accounts().reserve(CADASTRE_HOST, 50).has_value());
  registry.resize(resizing.hidden.record, 150);
  resizing.end_at(8192);
  assert_int_equal(registry.at(address(8192)).value().size, 150);
  assert_int_equal(first(registry.around(address(8192 + 149))), 8192);
  const cadastre_statistics_struct& figures = registry.account(CADASTRE_HOST).figures;
  assert_int_equal(figures.live_bytes, 150);
  assert_int_equal(figures.reallocations, 1);
  assert_int_equal(registry.accounts().of(CADASTRE_HOST).reserved, 0);
  assert_true(is_consistent(registry));
}

constexpr std::uintptr_t heap = 0x7f0000000000;

Record plain(std::uintptr_t where, std::size_t size) {
  Record record = block(where, size);
  record.alignment_log2 = 4;
  return record;
}

// Of a caller's own backend.
Record of_own_backend(std::uintptr_t where, std::size_t size) {
  Record record = plain(where, size);
  record.backend = 100;
  return record;
}

void blocks_of_any_backend_are_found_alike(void**) {
  Registry registry;
  enter(registry, plain(heap, 100));
  enter(registry, of_own_backend(heap + 4096, 100));
  for (const std::uintptr_t base : {heap, heap + 4096}) {
    assert_int_equal(registry.at(address(base))->size, 100);
    assert_int_equal(registry.around(address(base + 99))->address(), base);
    assert_false(registry.at(address(base + 1)) || registry.around(address(base + 100)));
    registry.remove(address(base));
    assert_false(registry.at(address(base)) || registry.around(address(base + 99)));
    assert_int_equal(registry.freed_around(address(base + 99))->address(), base);
  }
  assert_int_equal(registry.freed_at(address(heap))->stride_or_freed, 1);
  assert_int_equal(registry.freed_at(address(heap + 4096))->stride_or_freed, 2);
  assert_int_equal(registry.account(CADASTRE_HOST).figures.deallocations, 2);
  assert_true(is_consistent(registry));
}

void blocks_of_two_backends_make_way_for_each_other(void**) {
  Registry registry;
  enter(registry, plain(heap, 100));
  enter(registry, of_own_backend(heap, 200));
  assert_int_equal(registry.at(address(heap))->size, 200);
  enter(registry, plain(heap, 300));
  assert_int_equal(registry.at(address(heap))->size, 300);
  assert_int_equal(registry.account(CADASTRE_HOST).figures.untracked_deallocations, 2);
  assert_int_equal(count_live(registry), 1);
  registry.remove(address(heap));
  enter(registry, of_own_backend(heap, 400));
  registry.remove(address(heap));
  assert_int_equal(registry.freed_at(address(heap))->size, 400);
  enter(registry, plain(heap, 500));
  assert_false(registry.freed_at(address(heap)).has_value());
  assert_true(is_consistent(registry));
}

// As a shard does it.
void file_in_shard(Registry& registry, const Record& wanted) {
  Record numbered = wanted;
  numbered.serial = 1000;
  Table& table = registry.heap().table();
  if (table.file(numbered)) return;
  assert_true(table.make_room(1, 1));
  assert_true(table.file(numbered));
}

void what_moved_away_is_told_and_not_what_was_freed_there_before(void**) {
  Registry registry;
  enter(registry, of_own_backend(heap, 100));
  registry.remove(address(heap));
  file_in_shard(registry, plain(heap, 100));
  Resizing(registry, heap).end_at(heap + 8192);
  assert_int_equal(registry.freed_at(address(heap))->serial, 1000);
  assert_int_equal(registry.freed_at(address(heap))->stride_or_freed, 0);
  assert_int_equal(registry.at(address(heap + 8192))->serial, 1000);
}

void a_block_that_stands_alone_keeps_its_number_through_a_resize(void**) {
  Registry registry;
  enter(registry, plain(heap, 100));
  enter(registry, plain(heap + 4096, 100));
  Resizing resizing(registry, heap);
  assert_false(registry.at(address(heap)).has_value());
  assert_int_equal(count_live(registry), 2);
  assert_int_equal(snapshot(registry).size(), 2);
  assert_false(registry.accounts().reserve(CADASTRE_HOST, 50).has_value());
  registry.resize(resizing.hidden.record, 150);
  resizing.end_at(heap + 8192);
  assert_int_equal(registry.at(address(heap + 8192))->serial, 1);
  assert_int_equal(registry.around(address(heap + 8192 + 149))->size, 150);
  assert_int_equal(registry.freed_at(address(heap))->stride_or_freed, 0);
  assert_int_equal(snapshot(registry)[0].size, 150);
  assert_true(is_consistent(registry));
}

void a_random_history_agrees_with_a_plain_map(void**) {
  Registry registry;
  std::map<std::uintptr_t, std::size_t> live;
  std::mt19937_64 random(20240607);
  const auto size_at_random = [&] { return random() % 8 == 0 ? random() % 3 : std::size_t{1} << (random() % 16) | random() % 64; };
  const auto free_at = [&](std::uintptr_t base, std::size_t size) {
    const auto next = live.lower_bound(base);
    if (next != live.end() && next->first < base + std::max<std::size_t>(size, 1)) return false;
    if (next == live.begin()) return true;
    const auto& [before, its_size] = *std::prev(next);
    return before + std::max<std::size_t>(its_size, 1) <= base;
  };
  for (int step = 0; step < 60000; ++step) {
    const std::uintptr_t base = 4096 + random() % (1 << 22);
    const auto next = live.upper_bound(base);
    if (random() % 2 == 0) {
      const std::size_t size = size_at_random();
      if (!free_at(base, size)) continue;
      enter(registry, block(base, size));
      live[base] = size;
    } else if (next != live.end()) {
      registry.remove(address(next->first));
      live.erase(next);
    }
    const std::uintptr_t probe = 4096 + random() % (1 << 22);
    const auto after = live.upper_bound(probe);
    const bool inside =
        after != live.begin() && (std::prev(after)->first == probe || probe - std::prev(after)->first < std::prev(after)->second);
    const std::optional<Record> found = registry.around(address(probe));
    assert_int_equal(found.has_value(), inside);
    if (inside) assert_int_equal(found->address(), std::prev(after)->first);
    if (step % 5000 == 0) assert_true(is_consistent(registry));
  }
  assert_int_equal(count_live(registry), live.size());
  assert_int_equal(registry.account(CADASTRE_HOST).figures.untracked_deallocations, 0);
  assert_true(is_consistent(registry));
}

void a_million_blocks_are_filed_found_and_freed(void**) {
  constexpr std::uintptr_t n = 1000000;
  Registry registry;
  for (std::uintptr_t i = 1; i <= n; ++i) enter(registry, block(i * 80, 64));
  assert_int_equal(count_live(registry), n);
  for (std::uintptr_t i = 1; i <= n; ++i) {
    assert_int_equal(registry.around(address(i * 80 + i % 64)).value().serial, i);
  }
  assert_true(is_consistent(registry));
  for (std::uintptr_t i = 1; i <= n; ++i) registry.remove(address(i * 80));
  assert_int_equal(count_live(registry), 0);
  assert_int_equal(registry.account(CADASTRE_HOST).figures.high_water_mark_bytes, n * 64);
  assert_true(is_consistent(registry));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_registry_finds_nothing),
      cmocka_unit_test(a_block_is_found_by_its_first_byte_and_located_by_every_byte),
      cmocka_unit_test(a_block_of_no_bytes_is_met_by_its_own_address_only),
      cmocka_unit_test(blocks_at_the_ends_of_the_address_space_are_located),
      cmocka_unit_test(the_innermost_block_answers),
      cmocka_unit_test(the_innermost_of_one_level_answers),
      cmocka_unit_test(a_freed_block_is_remembered_until_4096_others_were_freed),
      cmocka_unit_test(an_address_that_comes_back_is_alive_again),
      cmocka_unit_test(a_borrowed_range_that_meets_a_block_is_seen),
      cmocka_unit_test(a_range_may_enclose_others_and_meet_none),
      cmocka_unit_test(a_block_drops_the_borrowed_ranges_that_its_memory_was),
      cmocka_unit_test(a_block_that_moves_or_grows_drops_what_it_meets),
      cmocka_unit_test(many_ranges_cost_a_block_elsewhere_little),
      cmocka_unit_test(an_address_granted_twice_loses_the_old_block),
      cmocka_unit_test(overlapping_grants_of_about_one_size_lose_the_old_block),
      cmocka_unit_test(the_high_water_mark_ignores_what_is_only_reserved),
      cmocka_unit_test(room_that_is_reserved_is_there_however_many_wait),
      cmocka_unit_test(no_stride_makes_a_look_up_scan),
      cmocka_unit_test(an_enclosing_borrowed_range_and_a_block_leave_each_other_alone),
      cmocka_unit_test(the_address_before_a_resize_is_remembered),
      cmocka_unit_test(an_address_granted_again_during_a_resize_is_the_new_blocks),
      cmocka_unit_test(a_block_that_was_being_resized_at_a_fork_is_lost_not_kept),
      cmocka_unit_test(an_address_that_was_being_filed_at_a_fork_can_be_filed),
      cmocka_unit_test(a_block_that_its_backend_does_not_take_back_is_there_again),
      cmocka_unit_test(a_hidden_block_keeps_its_entry),
      cmocka_unit_test(ranges_are_returned_in_any_order),
      cmocka_unit_test(what_was_freed_while_it_was_hidden_is_told),
      cmocka_unit_test(a_hidden_block_is_found_by_nobody_and_still_counted),
      cmocka_unit_test(blocks_of_any_backend_are_found_alike),
      cmocka_unit_test(blocks_of_two_backends_make_way_for_each_other),
      cmocka_unit_test(a_block_that_stands_alone_keeps_its_number_through_a_resize),
      cmocka_unit_test(what_moved_away_is_told_and_not_what_was_freed_there_before),
      cmocka_unit_test(a_random_history_agrees_with_a_plain_map),
      cmocka_unit_test(a_million_blocks_are_filed_found_and_freed),
  };
  return cmocka_run_group_tests_name("registry", tests, nullptr, nullptr);
}
