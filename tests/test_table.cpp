// Tangled from org/tests/table_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "cmocka.hpp"
#include "core/table.hpp"

using namespace cadastre::internal;

namespace {

constexpr std::uintptr_t somewhere = 0x7f0000000000;

Record block(std::uintptr_t address, std::size_t size, std::uint64_t serial = 1) {
  Record record;
  record.pointer = reinterpret_cast<void*>(address);
  record.size = size;
  record.serial = serial;
  return record;
}

// As who is alone does it.
void file(Table& table, const Record& record, std::uint64_t next_deallocation = 1) {
  if (table.file(record)) return;
  assert_true(table.make_room(1, next_deallocation));
  assert_true(table.file(record));
}

void an_entry_says_all_that_was_filed(void**) {
  Table table;
  assert_null(table.find(somewhere));
  assert_false(table.file(block(somewhere, 1)));
  Record record = block(somewhere, 5000, 17);
  record.origin = 3;
  record.stride_or_freed = 40;
  record.alignment_log2 = 6;
  record.how = 2;
  record.type = CADASTRE_UVM;
  record.backend = 100;
  record.device = 7;
  record.flags = CADASTRE_UNINITIALIZED;
  file(table, record);
  const Entry* const entry = table.find_live(somewhere);
  assert_non_null(entry);
  for (const std::optional<Record>& found : {Table::read(*entry, Kind::live), table.around(Kind::live, somewhere + 4999)}) {
    assert_true(found.has_value());
    assert_ptr_equal(found->pointer, record.pointer);
    assert_int_equal(found->size, 5000);
    assert_int_equal(found->serial, 17);
    assert_int_equal(found->origin, 3);
    assert_int_equal(found->stride_or_freed, 40);
    assert_int_equal(found->alignment_log2, 6);
    assert_int_equal(found->how, 2);
    assert_int_equal(found->flags, CADASTRE_UNINITIALIZED);
    assert_int_equal(found->type, CADASTRE_UVM);
    assert_int_equal(found->backend, 100);
    assert_int_equal(found->device, 7);
    assert_true(found->state == State::live);
  }
  assert_false(table.file(record));
  assert_false(table.around(Kind::live, somewhere - 1) || table.around(Kind::live, somewhere + 5000));
}

void a_block_is_freed_once_and_remembered(void**) {
  Table table;
  file(table, block(somewhere, 100));
  Entry& entry = *table.find_live(somewhere);
  Table::set_leased(entry, true);
  assert_int_equal(Table::read(entry, Kind::live)->flags, CADASTRE_WORKSPACE_MEMORY);
  assert_false(entry.free(8));
  Table::set_leased(entry, false);
  assert_true(entry.free(9));
  assert_false(entry.free(10));
  assert_null(table.find_live(somewhere));
  assert_int_equal(table.around(Kind::freed, somewhere + 99)->stride_or_freed, 9);
  file(table, block(somewhere, 30, 2));
  assert_int_equal(table.around(Kind::live, somewhere + 29)->serial, 2);
  assert_false(table.around(Kind::freed, somewhere + 99).has_value());
  entry.set(Entry::Is::gone);
  assert_false(table.around(Kind::live, somewhere) || table.around(Kind::freed, somewhere));
}

// Whoever frees a block in a shard gives it to the C library.
void only_what_the_c_library_has_given_is_freed_in_shards(void**) {
  const auto is_on_a_heap = [](const Record& record) {
    Table table;
    file(table, record);
    return Table::is_on_a_heap(*table.find_live(record.address()));
  };
  Record record = block(somewhere, 100);
  record.alignment_log2 = 12;
  record.flags = CADASTRE_UNINITIALIZED;
  assert_true(is_on_a_heap(record));
  Record other = record;
  other.how = 1;
  assert_false(is_on_a_heap(other));
  other = record;
  other.type = CADASTRE_PINNED;
  assert_false(is_on_a_heap(other));
  other = record;
  other.backend = CADASTRE_BACKEND_OPENMP;
  assert_false(is_on_a_heap(other));
  other = record;
  other.flags |= CADASTRE_BORROWED;
  assert_false(is_on_a_heap(other));
}

// At once only where that suffices: elsewhere addresses inside the block would not lead to it.
void what_takes_the_place_of_a_freed_block_is_found_by_any_address_in_it(void**) {
  const auto contents = [](std::size_t size, std::uint64_t serial) {
    return Entry::Contents{.serial = serial,
                           .origin = 5,
                           .size = size,
                           .stride_or_freed = 0,
                           .traits = Table::traits_on_a_heap(4, CADASTRE_UNINITIALIZED),
                           .device = no_device_id};
  };
  Table table;
  assert_false(table.file_again(somewhere, contents(100, 1)));
  struct {
    std::size_t before, after;
    bool at_once;
  } const sizes[] = {{100, 100, true}, {100, 128, true},     {128, 65, true},     {128, 129, false},
                     {100, 64, false}, {100, 100000, false}, {100000, 100, false}};
  std::uint64_t number = 1;
  for (const auto& [before, after, at_once] : sizes) {
    const std::uintptr_t address = somewhere + number * 0x1000000 + 64;
    file(table, block(address, before, number), number);
    assert_false(table.file_again(address, contents(after, number)));
    assert_true(table.find_live(address)->free(number));
    assert_int_equal(table.file_again(address, contents(after, ++number)), at_once);
    if (!at_once) file(table, block(address, after, number), number);
    for (const std::size_t inside : {std::size_t{0}, after / 2, after - 1}) {
      const std::optional<Record> found = table.around(Kind::live, address + inside);
      assert_true(found && found->address() == address && found->size == after && found->serial == number);
    }
    assert_false(table.around(Kind::live, address + after).has_value());
    if (at_once) assert_int_equal(table.around(Kind::live, address)->flags, CADASTRE_UNINITIALIZED);
    if (at_once) assert_int_equal(table.around(Kind::live, address)->origin, 5);
    table.find_live(address)->set(Entry::Is::gone);
    assert_false(table.file_again(address, contents(after, number)));
  }
  assert_true(table.check_invariants());
}

// However many are filed without: threads do so at any time.
void room_that_is_reserved_is_not_for_others(void**) {
  Table table;
  assert_false(table.reserve());
  assert_true(table.make_room(1, 1));
  std::size_t reserved = 0, filed = 0;
  while (table.reserve()) ++reserved;
  assert_int_equal(reserved, table.capacity() / 4 * 3);
  assert_false(table.file(block(somewhere, 100)));
  for (std::size_t i = 0; i < 10; ++i) table.cancel();
  for (std::uintptr_t i = 0; table.file(block(somewhere + i * 64, 64)); ++i) ++filed;
  assert_int_equal(filed, 10);
  assert_true(table.make_room(1, 1));
  for (std::uintptr_t i = 10; table.file(block(somewhere + i * 64, 64)); ++i) ++filed;
  assert_int_equal(filed + reserved - 10, table.capacity() / 4 * 3);
  for (std::uintptr_t i = 0; i < reserved - 10; ++i) assert_true(table.file_in_room(block(somewhere + (1 << 20) + i * 64, 64)));
  assert_int_equal(table.live(), filed + reserved - 10);
  assert_true(table.check_invariants());
}

// A room that was not needed, since the address was there, is free again.
void an_address_that_was_known_gives_its_room_back(void**) {
  Table table;
  for (std::uint64_t turn = 1; turn <= 1000; ++turn) {
    assert_true(table.reserve() || (table.make_room(1, 1) && table.reserve()));
    assert_true(table.file_in_room(block(somewhere, 100, turn)));
    assert_false(table.file_in_room(block(somewhere, 100, turn)));
    assert_true(table.find(somewhere)->free(turn));
  }
  assert_int_equal(table.used(), 1);
  assert_int_equal(table.capacity(), 64);
  assert_true(table.check_invariants());
}

// Of those here the last 4,096 stay, though a thousand others of the context were freed between any two.
void what_was_freed_elsewhere_makes_nothing_forgotten(void**) {
  constexpr std::uint64_t others = 1000;
  Table table;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const std::uintptr_t address = somewhere + i * 64;
    file(table, block(address, 64), i * others + 1);
    assert_true(table.find(address)->free(i * others + 1));
    const std::uint64_t earlier = i < Table::remembered ? 0 : i - Table::remembered + 1;
    const std::optional<Record> freed = table.around(Kind::freed, somewhere + earlier * 64);
    assert_true(freed && freed->stride_or_freed == earlier * others + 1);
  }
  // Nothing but live ones comes for long.
  for (std::uint64_t i = 0; i < 100000; ++i) file(table, block(somewhere + (1 << 30) + i * 64, 64), (20000 + i) * others);
  assert_true(table.around(Kind::freed, somewhere + (20000 - Table::remembered) * 64).has_value());
  assert_false(table.around(Kind::freed, somewhere).has_value());
  assert_true(table.capacity() <= 4 * 2 * 100000);
  assert_true(table.check_invariants());
}

// The last 4,096 that were freed stay; what is older makes room for others.
void what_was_freed_long_ago_is_forgotten(void**) {
  Table table;
  std::uint64_t number = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::uintptr_t address = somewhere + static_cast<std::uintptr_t>(i) * 64;
    file(table, block(address, 64), number + 1);
    assert_true(table.find(address)->free(++number));
    const int earlier = std::max(0, i - static_cast<int>(Table::remembered) + 1);
    const std::optional<Record> freed = table.around(Kind::freed, somewhere + static_cast<std::uintptr_t>(earlier) * 64 + 63);
    assert_true(freed && freed->stride_or_freed == static_cast<std::size_t>(earlier) + 1);
  }
  assert_true(table.capacity() <= 4 * Table::remembered);
  assert_int_equal(table.live(), 0);
  assert_true(table.check_invariants());
}

void the_array_doubles_and_no_more_often(void**) {
  Table table;
  for (std::uintptr_t i = 0; i < 100000; ++i) file(table, block(somewhere + i * 4096, 3000));
  assert_int_equal(table.live(), 100000);
  assert_int_equal(table.capacity(), std::size_t{64} << table.doublings());
  assert_true(table.capacity() <= 4 * 100000);
  assert_true(table.longest_probe() < 100);
  assert_true(table.check_invariants());
  table.clear();
  assert_int_equal(table.capacity(), 0);
  assert_null(table.find(somewhere));
}

// Blocks of any size side by side, as a map knows them.
void every_address_is_told_its_block(void**) {
  std::mt19937_64 random(7);
  Table table;
  std::map<std::uintptr_t, std::size_t> model;
  std::uint64_t number = 0;
  for (int turn = 0; turn < 60000; ++turn) {
    const std::uintptr_t address = somewhere + random() % 4000 * 4096 * 16 + random() % 4 * 1024;
    const auto behind = model.upper_bound(address);
    const auto before = behind == model.begin() ? model.end() : std::prev(behind);
    if (random() % 3 != 0) {
      const std::size_t size = random() % 30 == 0 ? random() % (1 << 20) : random() % 900;
      const bool free_before = before == model.end() || before->first + std::max<std::size_t>(before->second, 1) <= address;
      const bool free_behind = behind == model.end() || address + std::max<std::size_t>(size, 1) <= behind->first;
      if (!free_before || !free_behind) continue;
      file(table, block(address, size), number + 1);
      model[address] = size;
    } else if (before != model.end()) {
      assert_true(table.find(before->first)->free(++number));
      model.erase(before);
    }
    const std::uintptr_t asked = somewhere + random() % (std::uintptr_t{4000} * 4096 * 16);
    const auto next = model.upper_bound(asked);
    const auto around = next == model.begin() ? model.end() : std::prev(next);
    const bool is_in = around != model.end() && (asked == around->first || asked - around->first < around->second);
    const std::optional<Record> found = table.around(Kind::live, asked);
    assert_int_equal(found.has_value(), is_in);
    if (found) assert_int_equal(found->address(), around->first);
  }
  assert_true(model.size() > 100);
  assert_int_equal(table.live(), model.size());
  assert_true(table.check_invariants());
}

// Each address is one thread's at a time, as an allocator gives them; all look at all of them. What is read is of one life of an entry.
void threads_file_free_and_find_at_the_same_time(void**) {
  constexpr int threads = 4, turns = 50000;
  constexpr std::uintptr_t addresses = 500;
  Table table;
  assert_true(table.make_room(4096, 1));
  std::atomic<std::uint64_t> serials = 1, deallocations = 1, wrong = 0, found_at_all = 0;
  std::atomic<bool> taken[addresses] = {};
  bool lives[addresses] = {};  // of an address that is taken by who looks
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int turn = 0; turn < turns; ++turn) {
      const std::uintptr_t place = random() % addresses, address = somewhere + place * 256;
      if (random() % 2 == 0) {
        if (taken[place].exchange(true, std::memory_order_acquire)) continue;
        if (std::exchange(lives[place], !lives[place])) {
          Entry* const entry = table.find_live(address);
          wrong += !entry || !entry->free(deallocations.fetch_add(1, std::memory_order_relaxed));
        } else {
          const std::uint64_t serial = serials.fetch_add(1, std::memory_order_relaxed);
          Record record = block(address, 1 + serial % 200, serial);
          record.origin = static_cast<OriginNumber>(serial);
          wrong += !table.file(record);
          const Entry* const entry = table.find_live(address);
          const std::optional<Record> read = entry ? Table::read(*entry, Kind::live) : std::nullopt;
          wrong += !read || read->serial != serial;
        }
        taken[place].store(false, std::memory_order_release);
      } else {
        const std::optional<Record> record = table.around(Kind::live, address);
        if (!record) continue;
        ++found_at_all;
        wrong += record->address() != address || record->size != 1 + record->serial % 200 || record->origin != record->serial;
      }
    }
  };
  std::vector<std::thread> all;
  for (unsigned seed = 0; seed < threads; ++seed) all.emplace_back(work, seed);
  for (std::thread& thread : all) thread.join();
  assert_int_equal(wrong, 0);
  assert_true(found_at_all > 0);
  assert_int_equal(table.live(), std::count(std::begin(lives), std::end(lives), true));
  assert_true(table.used() <= addresses);
  assert_true(table.check_invariants());
}

// Of two that free one block one succeeds, however near they come to each other.
void one_of_several_frees(void**) {
  constexpr int turns = 20000;
  Table table;
  std::atomic<int> filed = 0, tried = 0, freed = 0;
  int wrong = 0;
  const auto wait_for = [](const std::atomic<int>& count, int least) {
    for (int spins = 0; count.load(std::memory_order_acquire) < least; ++spins) {
      if (spins > 1000) std::this_thread::yield();
    }
  };
  std::thread other([&] {
    for (int turn = 1; turn <= turns; ++turn) {
      wait_for(filed, turn);
      freed += table.find(somewhere)->free(1);
      ++tried;
    }
  });
  for (int turn = 1; turn <= turns; ++turn) {
    file(table, block(somewhere, 10), 1);
    ++filed;
    freed += table.find(somewhere)->free(1);
    wait_for(tried, turn);
    wrong += freed.exchange(0) != 1;
  }
  other.join();
  assert_int_equal(wrong, 0);
}

// Threads that meet in a full table are refused, and lose nothing.
void a_full_table_refuses(void**) {
  Table table;
  assert_true(table.make_room(1, 1));
  std::atomic<std::size_t> filed = 0;
  const auto work = [&](std::uintptr_t first) {
    for (std::uintptr_t i = 0; i < 100; ++i) filed += table.file(block(first + i * 64, 64));
  };
  std::thread other(work, somewhere);
  work(somewhere + (1 << 20));
  other.join();
  assert_int_equal(filed, table.capacity() / 4 * 3);
  assert_int_equal(table.live(), filed);
  assert_true(table.make_room(1, 1));
  assert_int_equal(table.live(), filed);
  assert_true(table.check_invariants());
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(an_entry_says_all_that_was_filed),
      cmocka_unit_test(a_block_is_freed_once_and_remembered),
      cmocka_unit_test(only_what_the_c_library_has_given_is_freed_in_shards),
      cmocka_unit_test(what_takes_the_place_of_a_freed_block_is_found_by_any_address_in_it),
      cmocka_unit_test(room_that_is_reserved_is_not_for_others),
      cmocka_unit_test(an_address_that_was_known_gives_its_room_back),
      cmocka_unit_test(what_was_freed_elsewhere_makes_nothing_forgotten),
      cmocka_unit_test(what_was_freed_long_ago_is_forgotten),
      cmocka_unit_test(the_array_doubles_and_no_more_often),
      cmocka_unit_test(every_address_is_told_its_block),
      cmocka_unit_test(threads_file_free_and_find_at_the_same_time),
      cmocka_unit_test(one_of_several_frees),
      cmocka_unit_test(a_full_table_refuses),
  };
  return cmocka_run_group_tests_name("table", tests, nullptr, nullptr);
}
