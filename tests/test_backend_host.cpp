// Tangled from org/tests/host_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "backend_conformance.hpp"
#include "backends/host_heap.hpp"
#include "core/kept_runs.hpp"
#include "declared_noexcept.hpp"
#include "process_memory.hpp"

using namespace cadastre::internal;

namespace {

int refused_call = 0;  // counted down; the call that reaches 0 is refused
std::atomic<std::size_t> mapped_bytes = 0;

template <class Function>
Function* the_systems(const char* name, Function*) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool refuses() {
  if (refused_call == 0 || --refused_call > 0) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" void* mmap(void* address, size_t length, int protection, int flags, int file, off_t offset) noexcept(declared_noexcept) {
  static const auto real = the_systems("mmap", mmap);
  if (refuses()) return MAP_FAILED;
  void* const pages = real(address, length, protection, flags, file, offset);
  if (pages != MAP_FAILED) mapped_bytes += length;
  return pages;
}

extern "C" int munmap(void* address, size_t length) noexcept(declared_noexcept) {
  static const auto real = the_systems("munmap", munmap);
  if (refuses()) return -1;
  mapped_bytes -= length;  // before another thread gets the pages; tells a thread sanitizer who had them first
  const int result = real(address, length);
  if (result != 0) mapped_bytes += length;
  return result;
}

extern "C" void* mremap(void* address, size_t length, size_t wanted, int flags, ...) noexcept(declared_noexcept) {
  static const auto real = the_systems("mremap", mremap);
  if (refuses()) return MAP_FAILED;
  void* const pages = real(address, length, wanted, flags);
  if (pages != MAP_FAILED) mapped_bytes += wanted - length;
  return pages;
}

extern "C" int mlock(const void* address, size_t length) noexcept(declared_noexcept) {
  static const auto real = the_systems("mlock", mlock);
  return refuses() ? -1 : real(address, length);
}

namespace {

Backend& host() { return *find_backend(CADASTRE_BACKEND_HOST); }

struct Host {
  static Backend& backend() { return host(); }
  static constexpr cadastre_memory_type type = CADASTRE_HOST;
  static void fail_in(int k) { refused_call = k; }
  static std::size_t live() { return mapped_bytes; }
};

struct Pinned : Host {
  static constexpr cadastre_memory_type type = CADASTRE_PINNED;
  static std::size_t largest();
};

// That the system tells is asserted here.
ProcessMemory known_memory() {
  const ProcessMemory memory = process_memory();
  assert_true(memory.address_space > 0 && memory.resident > 0);
  return memory;
}

void a_large_zeroed_block_is_not_touched(void**) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  for (const std::size_t alignment : {std::size_t{0}, std::size_t{64}, std::size_t{1} << 24}) {
    const std::size_t before = known_memory().resident;
    Grant grant{};
    assert_int_equal(host().allocate({gibibyte, alignment, CADASTRE_HOST, -1, true}, grant), CADASTRE_SUCCESS);
    assert_true(known_memory().resident < before + gibibyte / 16);
    Record record;
    record.pointer = grant.pointer;
    record.size = gibibyte;
    record.how = grant.how;
    assert_int_equal(host().free(record), CADASTRE_SUCCESS);
  }
}

Record block_of(std::size_t size, std::size_t alignment, cadastre_memory_type type = CADASTRE_HOST) {
  Grant grant{};
  assert_int_equal(host().allocate({size, alignment, type, -1, true}, grant), CADASTRE_SUCCESS);
  Record record;
  record.pointer = grant.pointer;
  record.size = size;
  record.type = static_cast<std::uint8_t>(type);
  record.alignment_log2 = log2_of(grant.alignment);
  record.how = grant.how;
  return record;
}

bool all_are(const void* bytes, std::size_t count, int value) {
  const auto* const first = static_cast<const unsigned char*>(bytes);
  return count == 0 || (*first == value && std::memcmp(first, first + 1, count - 1) == 0);
}

// Leaves blocks of such a size on the heap that hold anything but zeros; answers where they were.
std::vector<void*> soil(std::size_t size) {
  std::vector<void*> places;
  for (int i = 0; i < 20; ++i) places.push_back(block_of(size, 0).pointer);
  for (void* const place : places) {
    std::memset(place, 0x5a, size);
    Record record;
    record.pointer = place;
    record.size = size;
    assert_int_equal(host().free(record), CADASTRE_SUCCESS);
  }
  return places;
}

void zeroed_blocks_are_zero_in_memory_that_was_used_before(void**) {
  std::vector<std::size_t> sizes = {1000, 1031, 1032, 1033, 1040, 5000, 100000};
  for (std::size_t size = 1; size <= 130; ++size) sizes.push_back(size);
  for (const std::size_t size : sizes) {
    soil(size);
    const Record record = block_of(size, 0);
    assert_true(all_are(record.pointer, size, 0));
    assert_int_equal(host().free(record), CADASTRE_SUCCESS);
  }
}

void blocks_that_need_no_zeros_are_not_cleared(void**) {
  int met_again = 0;  // a checker's heap takes care that none is
  for (const std::size_t size : {64u, 1000u, 1032u, 5000u, 100000u}) {
    const std::vector<void*> places = soil(size);
    Grant grant{};
    assert_int_equal(host().allocate({size, 0, CADASTRE_HOST, -1, false}, grant), CADASTRE_SUCCESS);
    if (std::find(places.begin(), places.end(), grant.pointer) != places.end()) {
      ++met_again;
      assert_int_equal(static_cast<unsigned char*>(grant.pointer)[size / 2], 0x5a);
    }
    give_to_heap(grant.pointer);
  }
  if (met_again == 0) skip_because("malloc gives no block the place of one that was freed");
}

void the_heap_gives_what_a_context_takes_without_the_backend(void**) {
  void* const a = take_from_heap(0, true);
  void* const b = take_from_heap(0, false);
  assert_non_null(a);
  assert_non_null(b);
  assert_ptr_not_equal(a, b);
  for (const bool zero : {false, true}) {
    void* const block = take_from_heap(mapped_from - 1, zero);
    assert_int_equal(reinterpret_cast<std::uintptr_t>(block) % heap_alignment, 0);
    give_to_heap(block);
  }
  give_to_heap(a);
  give_to_heap(b);
}

void a_fill_reaches_all_of_its_bytes_and_no_other(void**) {
  constexpr std::size_t large = std::size_t{32} << 20;  // from here on the caches are left alone
  constexpr std::size_t spare = 300;
  std::vector<unsigned char> bytes(large + spare);
  for (const std::size_t length : {std::size_t{0}, large - 1, large, large + 63}) {
    for (const std::size_t from : {64u, 79u}) {
      std::fill(bytes.begin(), bytes.end(), 0x11);
      unsigned char* const begin = bytes.data() + from;
      const int value = from % 2 == 0 ? 0 : 0xa5;
      assert_int_equal(host().set({reinterpret_cast<std::byte*>(begin), value, length, {}}), CADASTRE_SUCCESS);
      assert_true(all_are(bytes.data(), from, 0x11));
      assert_true(all_are(begin, length, value));
      assert_true(all_are(begin + length, bytes.size() - from - length, 0x11));
    }
  }
}

void the_spare_before_and_behind_an_aligned_mapping_is_given_back(void**) {
  constexpr std::size_t size = std::size_t{5} << 20, alignment = std::size_t{1} << 28;
  const std::size_t before = known_memory().address_space;
  std::vector<Record> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(block_of(size, alignment));
  assert_true(known_memory().address_space < before + 8 * size + (std::size_t{1} << 22));
  for (const Record& record : blocks) assert_int_equal(host().free(record), CADASTRE_SUCCESS);
  assert_true(known_memory().address_space < before + (std::size_t{1} << 22));
}

void growing_into_a_mapping_does_not_touch_the_new_tail(void**) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  for (const std::size_t from : {std::size_t{1} << 20, std::size_t{8} << 20}) {
    for (const std::size_t alignment : {std::size_t{0}, std::size_t{8192}}) {
      const Record record = block_of(from, alignment);
      const std::size_t before = known_memory().resident;
      Grant grant{};
      assert_int_equal(host().resize(record, gibibyte, grant), CADASTRE_SUCCESS);
      assert_true(known_memory().resident < before + gibibyte / 16);
      Record grown = record;
      grown.pointer = grant.pointer;
      grown.size = gibibyte;
      grown.how = grant.how;
      assert_int_equal(host().free(grown), CADASTRE_SUCCESS);
    }
  }
}

void a_mapping_that_the_caller_has_divided_is_resized_all_the_same(void**) {
  const Record record = block_of(std::size_t{16} << 20, 0);
  auto* const bytes = static_cast<unsigned char*>(record.pointer);
  bytes[0] = 1;
  bytes[record.size - 1] = 2;
  assert_int_equal(madvise(bytes + (std::size_t{8} << 20), 4096, MADV_DONTFORK), 0);
  Grant grant{};
  assert_int_equal(host().resize(record, std::size_t{64} << 20, grant), CADASTRE_SUCCESS);
  const auto* const moved = static_cast<unsigned char*>(grant.pointer);
  assert_int_equal(moved[0], 1);
  assert_int_equal(moved[record.size - 1], 2);
  assert_int_equal(moved[record.size], 0);
  Record grown = record;
  grown.pointer = grant.pointer;
  grown.size = std::size_t{64} << 20;
  grown.how = grant.how;
  assert_int_equal(host().free(grown), CADASTRE_SUCCESS);
}

cadastre_error_struct last() {
  attribute(5, "test");
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell_last_failure(5, error);
  return error;
}

void a_free_that_the_system_refuses_is_reported_with_its_errno(void**) {
  Record record;
  record.pointer = reinterpret_cast<void*>(1);  // munmap wants a multiple of the page size
  record.size = std::size_t{64} << 20;
  record.how = 1;
  assert_int_equal(host().free(record), CADASTRE_DEALLOCATION_FAILED);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_FREE_FAILED);
  assert_int_equal(last().vendor_code, EINVAL);
}

std::size_t locked_bytes() {
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  assert_non_null(file);
  char line[256];
  unsigned long kibibytes = 0;
  while (std::fgets(line, sizeof line, file) && std::sscanf(line, "VmLck: %lu", &kibibytes) != 1) {
  }
  std::fclose(file);
  return kibibytes << 10;
}

bool can_lock(std::size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool locked = mlock(pages, bytes) == 0;
  munmap(pages, bytes);
  return locked;
}

bool locks_are_seen() {
  const std::size_t before = locked_bytes();
  const Record record = block_of(1, 0, CADASTRE_PINNED);
  const bool seen = locked_bytes() > before;
  assert_int_equal(host().free(record), CADASTRE_SUCCESS);
  return seen;
}

// While it lives, the process may lock so many bytes and is not exempt.
class LockLimit {
 public:
  explicit LockLimit(std::size_t bytes) {
    getrlimit(RLIMIT_MEMLOCK, &before_);
    rlimit limit = before_;
    limit.rlim_cur = std::min<rlim_t>(bytes, before_.rlim_max);
    set_ = setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && exempt(false) && limit.rlim_cur == bytes;
  }
  LockLimit(const LockLimit&) = delete;
  LockLimit& operator=(const LockLimit&) = delete;
  ~LockLimit() {
    exempt(true);
    setrlimit(RLIMIT_MEMLOCK, &before_);
  }
  explicit operator bool() const { return set_; }

 private:
  static bool exempt(bool wanted) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &header, sets) != 0) return false;
    const unsigned bit = 1u << CAP_IPC_LOCK;
    sets[0].effective = wanted ? sets[0].effective | (sets[0].permitted & bit) : sets[0].effective & ~bit;
    return syscall(SYS_capset, &header, sets) == 0;
  }
  rlimit before_{};
  bool set_;
};

void pinned_pages_are_locked_until_they_are_freed(void**) {
  if (!can_lock(65536) || !locks_are_seen()) skip_because("no memory may be locked here, or it is not seen what is");
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), before = locked_bytes();
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, page, page + 1, 5 * page}) {
    const std::size_t pages = std::max<std::size_t>(round_up(size, page), page);
    Record record = block_of(size, 0, CADASTRE_PINNED);
    assert_int_equal(locked_bytes() - before, pages);
    Grant grant{};
    assert_int_equal(host().resize(record, size + 2 * page, grant), CADASTRE_SUCCESS);
    assert_int_equal(locked_bytes() - before, round_up(size + 2 * page, page));
    record.pointer = grant.pointer;
    record.size = size + 2 * page;
    record.how = grant.how;
    assert_int_equal(host().free(record), CADASTRE_SUCCESS);
    assert_int_equal(locked_bytes(), before);
  }
}

void a_pinned_block_shares_no_page(void**) {
  if (!can_lock(65536)) skip_because("no memory may be locked here, or it is not seen what is");
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const Record a = block_of(1, 0, CADASTRE_PINNED), b = block_of(1, 0, CADASTRE_PINNED);
  assert_int_equal(a.address() % page, 0);
  assert_int_equal(b.address() % page, 0);
  assert_int_equal(host().free(a), CADASTRE_SUCCESS);
  unsigned char resident = 0;
  assert_int_equal(mincore(b.pointer, 1, &resident), 0);
  assert_int_equal(host().free(b), CADASTRE_SUCCESS);
}

void a_limit_on_locked_memory_is_named_with_what_would_be_right(void**) {
  if (!can_lock(65536) || !locks_are_seen() || locked_bytes() != 0) skip_because("no memory may be locked here, or it is not seen what is");
  const LockLimit limit(65536);
  if (!limit) skip_because("the system refuses this limit");
  const Record record = block_of(20480, 0, CADASTRE_PINNED);
  const std::size_t mapped = mapped_bytes;
  Grant grant{};
  assert_int_equal(host().allocate({45057, 0, CADASTRE_PINNED, -1, true}, grant), CADASTRE_ALLOCATION_FAILED);
  const cadastre_error_struct error = last();
  assert_int_equal(error.reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_int_equal(error.vendor_code, ENOMEM);
  assert_string_equal(error.vendor_message, "locking 49152 bytes: RLIMIT_MEMLOCK is 65536 bytes, 20480 in use; "
                                            "ulimit -l 68 or more would allow it");
  assert_string_equal(error.message, "test: the host backend could not allocate 45057 bytes of PINNED: locking 49152 bytes: "
                                     "RLIMIT_MEMLOCK is 65536 bytes, 20480 in use; ulimit -l 68 or more would allow "
                                     "it (12); free memory, or request less");
  assert_null(grant.pointer);
  assert_int_equal(mapped_bytes, mapped);
  assert_int_equal(locked_bytes(), 20480);
  assert_int_equal(host().resize(record, 100000, grant), CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(locked_bytes(), 20480);
  const Record fits = block_of(45056, 0, CADASTRE_PINNED);
  assert_int_equal(host().free(fits), CADASTRE_SUCCESS);
  assert_int_equal(host().free(record), CADASTRE_SUCCESS);
}

void a_user_who_may_lock_nothing_is_told_so(void**) {
  if (!can_lock(65536) || !locks_are_seen() || locked_bytes() != 0) skip_because("no memory may be locked here, or it is not seen what is");
  const LockLimit limit(0);
  if (!limit) skip_because("the system refuses this limit");
  Grant grant{};
  assert_int_equal(host().allocate({1, 0, CADASTRE_PINNED, -1, true}, grant), CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(last().vendor_code, EPERM);
  assert_string_equal(last().vendor_message, "locking 4096 bytes: RLIMIT_MEMLOCK is 0 bytes, 0 in use; "
                                             "ulimit -l 4 or more would allow it");
}

void a_refusal_that_no_limit_explains_tells_the_systems_words(void**) {
  if (!can_lock(65536)) skip_because("no memory may be locked here, or it is not seen what is");
  Grant grant{};
  refused_call = 2;  // mmap, mlock
  assert_int_equal(host().allocate({1, 0, CADASTRE_PINNED, -1, true}, grant), CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(refused_call, 0);
  assert_string_equal(last().vendor_message, std::strerror(ENOMEM));
}

void more_than_the_machine_has_is_not_locked_page_by_page(void**) {
  const auto all = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  Grant grant{};
  refused_call = 1;  // there is nothing to map
  assert_int_equal(host().allocate({all, 0, CADASTRE_PINNED, -1, true}, grant), CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(refused_call, 1);
  refused_call = 0;
  assert_non_null(std::strstr(last().vendor_message, "are available"));
}

// A quarter of what the process may lock, because claims hold several blocks at once.
std::size_t Pinned::largest() {
  constexpr std::size_t plenty = std::size_t{128} << 20;
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  return can_lock(plenty) ? plenty : static_cast<std::size_t>(limit.rlim_cur) / 4;
}

constexpr std::size_t enough = 200000;

void the_process_may_lock_enough_for_pinned_blocks_to_be_tested(void**) {
  if (Pinned::largest() < enough) skip_because("the limit of locked memory is too small");
}

void devices_are_not_emulated_unless_asked_for_and_the_sentence_says_how(void**) {
  assert_int_equal(host().presence().devices, 0);
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_UVM}) {
    assert_false(host().serves(type));
    assert_int_equal(admit(host(), {8, 0, type, -1, true}), CADASTRE_NOT_SUPPORTED);
    assert_int_equal(last().reason, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED);
    for (const char* const word : {"CADASTRE_EMULATED_DEVICES=1", "cuda", "hip", "openmp", "cadastre info"}) {
      assert_non_null(std::strstr(last().message, word));
    }
  }
}

}  // namespace

int main() {
  unsetenv("CADASTRE_EMULATED_DEVICES");
  assume_places(Places::several);  // so that each block comes from the kernel, and goes back
  const auto run = Pinned::largest() < enough ? Conformance<Host>::run : Conformance<Host, Pinned>::run;
  return run("host backend", {
                                 cmocka_unit_test(the_process_may_lock_enough_for_pinned_blocks_to_be_tested),
                                 cmocka_unit_test(zeroed_blocks_are_zero_in_memory_that_was_used_before),
                                 cmocka_unit_test(blocks_that_need_no_zeros_are_not_cleared),
                                 cmocka_unit_test(the_heap_gives_what_a_context_takes_without_the_backend),
                                 cmocka_unit_test(a_fill_reaches_all_of_its_bytes_and_no_other),
                                 cmocka_unit_test(a_large_zeroed_block_is_not_touched),
                                 cmocka_unit_test(the_spare_before_and_behind_an_aligned_mapping_is_given_back),
                                 cmocka_unit_test(growing_into_a_mapping_does_not_touch_the_new_tail),
                                 cmocka_unit_test(a_mapping_that_the_caller_has_divided_is_resized_all_the_same),
                                 cmocka_unit_test(a_free_that_the_system_refuses_is_reported_with_its_errno),
                                 cmocka_unit_test(pinned_pages_are_locked_until_they_are_freed),
                                 cmocka_unit_test(a_pinned_block_shares_no_page),
                                 cmocka_unit_test(a_limit_on_locked_memory_is_named_with_what_would_be_right),
                                 cmocka_unit_test(a_user_who_may_lock_nothing_is_told_so),
                                 cmocka_unit_test(a_refusal_that_no_limit_explains_tells_the_systems_words),
                                 cmocka_unit_test(more_than_the_machine_has_is_not_locked_page_by_page),
                                 cmocka_unit_test(devices_are_not_emulated_unless_asked_for_and_the_sentence_says_how),
                             });
}
