// Tangled from org/tests/pool_claims_of_backends.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "pool_parts.hpp"

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#endif

namespace {

void a_block_stays_where_it_is_while_little_is_wasted(void**) {
  OfHost of;
  std::vector<Record> much;
  for (int i = 0; i < 8; ++i) much.push_back(block(of.pool, mebi));
  Record record = block(of.pool, mebi - 1, true);
  fill(record, 0xee);
  const void* const place = record.pointer;
  record = resized(of.pool, record, mebi - 200000);
  assert_ptr_equal(record.pointer, place);
  assert_true(of.account.waste >= 190000);
  assert_true(of.pool.check_invariants());
  record = resized(of.pool, record, mebi - 1);
  assert_ptr_equal(record.pointer, place);
  assert_int_equal(of.account.waste, 0);
  Record part = record;
  part.size = mebi - 200000;
  assert_true(all_are(part, 0xee));
  part.pointer = static_cast<char*>(record.pointer) + part.size;
  part.size = 199999;
  assert_true(all_are(part, 0));
  record = resized(of.pool, record, 4096);  // most of it would be wasted
  assert_ptr_not_equal(record.pointer, place);
  assert_true(of.pool.actual_size(record) <= 8192);
  record = resized(of.pool, record, 4 * mebi);
  assert_int_equal(static_cast<unsigned char*>(record.pointer)[4095], 0xee);
  assert_int_equal(static_cast<unsigned char*>(record.pointer)[4096], 0);
  assert_true(of.pool.check_invariants());
  free(of.pool, record);
  for (const Record& other : much) free(of.pool, other);
  assert_int_equal(of.pool.figures().used, 0);
}

void a_resize_that_fails_leaves_the_pool_as_it_was(void**) {
  for (const std::size_t size : {std::size_t{100}, 2 * mebi, 3 * mebi}) {
    OfHost of;
    const Record used[] = {block(of.pool, 3 * mebi), block(of.pool, 2 * mebi), block(of.pool, mebi)};
    for (const Record& each : used) {
      fill(each, 0xff);
      free(of.pool, each);
    }
    const Record record = block(of.pool, mebi, true);
    fill(record, 0xee);
    int failures = 0;
    for (int k = 1; k < 6; ++k) {
      const std::size_t before = of.pool.figures().used;
      Grant grant{};
      of.backend.refuse_in(k);
      const cadastre_exit_code code = of.pool.resize(record, size, grant);
      of.backend.refuse_in(0);
      assert_true(of.pool.check_invariants());
      if (code == CADASTRE_SUCCESS) break;
      ++failures;
      assert_null(grant.pointer);
      assert_int_equal(of.pool.figures().used, before);
      assert_true(all_are(record, 0xee));
    }
    assert_true(failures > 0);
  }
}

void a_block_moves_between_the_heap_and_the_pool(void**) {
  Between backend(host());
  KeepAccount account;
  OwnPool pool(backend, CADASTRE_HOST, no_device_id, account);
  Record record = block(pool, 1000, true);
  fill(record, 0x55);
  record = resized(pool, record, 5 * mebi);
  assert_true(pool.figures().used >= 5 * mebi);
  Record part = record;
  part.size = 1000;
  assert_true(all_are(part, 0x55));
  part.pointer = static_cast<char*>(record.pointer) + 1000;
  part.size = 5 * mebi - 1000;
  assert_true(all_are(part, 0));
  record = resized(pool, record, 999);
  assert_int_equal(pool.figures().used, 0);
  assert_true(all_are(record, 0x55));
  free(pool, record);
}

bool under_valgrind() {
#ifdef HAVE_VALGRIND_MEMCHECK_H
  return RUNNING_ON_VALGRIND != 0;
#else
  return false;
#endif
}

bool valgrind_saw() {
#ifdef HAVE_VALGRIND_MEMCHECK_H
  return VALGRIND_COUNT_ERRORS != 0;
#else
  return false;
#endif
}

bool addresses_are_watched() {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#endif
#endif
  return under_valgrind();
}

template <class Action>
bool is_caught(Action action) {
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    action();
    _exit(valgrind_saw() ? 1 : 0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

void touch(const Record& record, std::size_t offset, int value = 1) {
  static_cast<volatile char*>(record.pointer)[offset] = static_cast<char>(value);
}

void a_use_after_free_inside_a_pool_is_caught(void**) {
  if (!addresses_are_watched()) skip_because("no checker of memory watches addresses");
  OfHost of;
  const Record before = block(of.pool, 5000), record = block(of.pool, 5000, true), behind = block(of.pool, 5000);
  assert_false(is_caught([&] { touch(record, 4999); }));
  free(of.pool, record);
  for (const std::size_t offset : {0U, 100U, 4999U}) assert_true(is_caught([&] { touch(record, offset); }));
  assert_false(is_caught([&] {
    touch(before, 4999);
    touch(behind, 0);
  }));
  Record again = block(of.pool, 5000, true);
  assert_false(is_caught([&] { touch(again, 0); }));
  again = resized(of.pool, again, 3000);
  assert_true(is_caught([&] { touch(again, 4000); }));
  again = resized(of.pool, again, 4500);
  assert_false(is_caught([&] { touch(again, 4499); }));
  assert_true(is_caught([&] { touch(again, 4500); }));
  free(of.pool, again);
  free(of.pool, before);
  free(of.pool, behind);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
}

bool is_odd(const Record& record, std::size_t offset) { return static_cast<volatile char*>(record.pointer)[offset] % 2 != 0; }

// What nobody wrote may be read, but nothing may depend on it.
void a_use_of_what_nobody_wrote_is_caught(void**) {
  if (!under_valgrind()) skip_because("valgrind does not watch");
  OfHost of;
  for (const bool recycled : {false, true}) {
    Record raw = block(of.pool, 5000), clean = block(of.pool, 5000, true);
    const auto depend_on = [](const Record& record, std::size_t offset) {
      return [&record, offset] { touch(record, is_odd(record, offset) ? 0 : 1); };
    };
    assert_true(is_caught(depend_on(raw, 4999)));
    assert_false(is_caught(depend_on(clean, 4999)));
    raw = resized(of.pool, raw, recycled ? 8000 : 7000);
    clean = resized(of.pool, clean, recycled ? 8000 : 7000);
    assert_true(is_caught(depend_on(raw, 6999)));
    assert_false(is_caught(depend_on(clean, 6999)));
    free(of.pool, raw);
    free(of.pool, clean);
  }
}

void a_write_behind_a_block_inside_a_pool_is_caught(void**) {
  if (!addresses_are_watched()) skip_because("no checker of memory watches addresses");
  Between backend(host());
  KeepAccount account;
  OwnPool pool(backend, CADASTRE_UVM, 0, account, also_small);
  const Record record = block(pool, 4096, false, 0, CADASTRE_UVM), behind = block(pool, 4096, false, 0, CADASTRE_UVM);
  assert_true(is_caught([&] { touch(record, 4096); }));
  free(pool, record);
  free(pool, behind);
}

void a_child_process_goes_on_with_the_pool(void**) {
  OfHost of;
  const Record record = block(of.pool, mebi);
  of.account.pool_lock.lock();
  const pid_t child = fork();
  if (child == 0) {
    of.pool.in_child();
    of.account.pool_lock.unlock();
    Grant grant{};
    const Request request = request_of(of.pool, CADASTRE_HOST, 2 * mebi, true);
    const bool good = of.pool.free(record) == CADASTRE_SUCCESS && of.pool.allocate(request, grant) == CADASTRE_SUCCESS &&
                      of.pool.close() == CADASTRE_SUCCESS;
    _exit(good ? 0 : 1);
  }
  of.account.pool_lock.unlock();
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  free(of.pool, record);
}

void a_child_process_gets_nothing_of_a_runtime_that_it_does_not_have(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  free(of.pool, of.get(mebi, std::nullopt));
  of.account.pool_lock.lock();
  const pid_t child = fork();
  if (child == 0) {
    of.pool.in_child();
    of.account.pool_lock.unlock();
    Grant grant{};
    const Request request{mebi, 0, CADASTRE_DEVICE, 0, false};
    _exit(of.pool.allocate(request, grant) == CADASTRE_ALLOCATION_FAILED && of.pool.close() == CADASTRE_SUCCESS ? 0 : 1);
  }
  of.account.pool_lock.unlock();
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  free(of.pool, of.get(mebi, std::nullopt));
}

// Takes, writes and lets go on two queues, now and then without an order; how often a block was another's too.
int share_lanes(Backend& backend, OwnPool& pool, const Stream (&streams)[2], unsigned number) {
  std::mt19937 random(number);
  int wrong = 0;
  for (int i = 0; i < 200; ++i) {
    const Stream& on = streams[random() % 2];
    const std::size_t size = mebi / 4 * (1 + random() % 3);
    const bool ordered = random() % 4 != 0;
    Grant grant{};
    const Request request{size, 0, CADASTRE_DEVICE, 0, false, ordered, on.stream};
    if (pool.allocate(request, grant) != CADASTRE_SUCCESS) return 1000;
    const Record record = record_of(request, grant, spoken().backend);
    wrong += start_to_write(backend, record, static_cast<int>(number), on.stream) != CADASTRE_SUCCESS;
    if (random() % 4 == 0) {
      on.synchronize();
      wrong += first_byte(record) != static_cast<int>(number);
    }
    wrong += pool.free(record, random() % 4 ? Order(on.stream) : std::nullopt) != CADASTRE_SUCCESS;
    if (i % 50 == 0) wrong += pool.trim(0) != CADASTRE_SUCCESS;
  }
  return wrong;
}

void threads_share_lanes(void**) {
  ON_THE_DOUBLE;
  const Stream streams[2];
  Backend& backend = *find_backend(spoken().backend);
  KeepAccount account;
  OwnPool pool(backend, CADASTRE_DEVICE, 0, account);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned number = 1; number <= 4; ++number) {
    threads.emplace_back([&, number] { wrong += share_lanes(backend, pool, streams, number); });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  assert_true(pool.check_invariants());
  assert_int_equal(pool.figures().used, 0);
  assert_int_equal(pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(pool.figures().reserved, 0);
}

void threads_share_a_pool(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE}) {
    KeepAccount account;
    OwnPool pool(host(), type, type == CADASTRE_HOST ? no_device_id : 0, account, also_small);
    std::array<std::unique_ptr<Stress>, 4> stress;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < stress.size(); ++t) stress[t] = std::make_unique<Stress>(pool, type, t);
    for (const auto& one : stress) {
      threads.emplace_back([&one, &pool] {
        for (int i = 0; i < 500; ++i) {
          one->step();
          if (i % 100 == 0) pool.trim(0);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    assert_true(pool.check_invariants());
    for (const auto& one : stress) one->free_all();
    for (const auto& one : stress) assert_true(one->good());
    assert_int_equal(pool.figures().used, 0);
    assert_true(pool.check_invariants());
  }
}

class Pooled final : public Backend {
 public:
  explicit Pooled(Backend& behind) : behind_(behind) {}

  cadastre_backend number() const noexcept override { return behind_.number(); }
  Presence presence() const noexcept override { return behind_.presence(); }
  bool serves(cadastre_memory_type type) const noexcept override { return behind_.serves(type); }
  std::size_t largest_alignment(cadastre_memory_type type) const noexcept override { return behind_.largest_alignment(type); }
  std::size_t natural_alignment(cadastre_memory_type type) const noexcept override { return behind_.natural_alignment(type); }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    return pool(request.type, request.device).allocate(request, grant);
  }
  cadastre_exit_code free(const Record& record) noexcept override { return pool(record.type, record.device).free(record); }
  cadastre_exit_code free_ordered(const Record& record, cadastre_queue queue) noexcept override {
    return pool(record.type, record.device).free(record, queue);
  }
  cadastre_exit_code resize(const Record& record, std::size_t size, Grant& grant) noexcept override {
    return pool(record.type, record.device).resize(record, size, grant);
  }

  cadastre_exit_code copy(const Copy& copy) noexcept override { return behind_.copy(copy); }
  cadastre_exit_code copy_rows(const Copy& copy) noexcept override { return behind_.copy_rows(copy); }
  cadastre_exit_code set(const Fill& fill) noexcept override { return behind_.set(fill); }
  cadastre_exit_code synchronize(std::int32_t device, cadastre_queue queue) noexcept override { return behind_.synchronize(device, queue); }
  bool has_events() const noexcept override { return behind_.has_events(); }
  cadastre_queue queue_of_each_thread() const noexcept override { return behind_.queue_of_each_thread(); }
  cadastre_exit_code record_event(std::int32_t device, cadastre_queue queue, Event& event) noexcept override {
    return behind_.record_event(device, queue, event);
  }
  cadastre_exit_code wait_event(std::int32_t device, cadastre_queue queue, Event event) noexcept override {
    return behind_.wait_event(device, queue, event);
  }
  cadastre_exit_code synchronize_event(std::int32_t device, Event event) noexcept override {
    return behind_.synchronize_event(device, event);
  }
  void destroy_event(std::int32_t device, Event event) noexcept override { behind_.destroy_event(device, event); }
  cadastre_exit_code settle(const Record& record) noexcept override { return behind_.settle(record); }
  cadastre_exit_code prefetch(const Hint& hint, bool& taken) noexcept override { return behind_.prefetch(hint, taken); }
  cadastre_exit_code advise(const Hint& hint, bool& taken) noexcept override { return behind_.advise(hint, taken); }
  cadastre_exit_code describe(std::int32_t device, DeviceDescription& description) noexcept override {
    return behind_.describe(device, description);
  }
  cadastre_exit_code memory_of(std::int32_t device, DeviceMemory& memory) noexcept override { return behind_.memory_of(device, memory); }
  bool claims(const void* address, Place& place) noexcept override { return behind_.claims(address, place); }
  std::int32_t current_device() noexcept override { return behind_.current_device(); }

  std::size_t used() {
    std::size_t sum = 0;
    for (const auto& [place, one] : pools_) {
      assert_true(one->pool.check_invariants());
      sum += one->pool.figures().used;
    }
    return sum;
  }
  void close() { pools_.clear(); }

 private:
  struct One {
    One(Backend& backend, cadastre_memory_type type, std::int32_t device) : pool(backend, type, device, account, also_small) {}
    KeepAccount account;
    OwnPool pool;
  };
  OwnPool& pool(cadastre_memory_type type, std::int32_t device) {
    const std::lock_guard lock(mutex_);
    auto& found = pools_[{type, device}];
    if (!found) found = std::make_unique<One>(behind_, type, device);
    return found->pool;
  }
  Backend& behind_;
  std::mutex mutex_;
  std::map<std::pair<cadastre_memory_type, std::int32_t>, std::unique_ptr<One>> pools_;
};

Pooled& pooled(cadastre_backend number) {
  static std::map<cadastre_backend, std::unique_ptr<Pooled>> all;
  auto& found = all[number];
  if (!found) found = std::make_unique<Pooled>(*find_backend(number));
  return *found;
}

template <cadastre_memory_type served>
struct Subject {
  static Backend& backend() { return pooled(CADASTRE_BACKEND_HOST); }
  static constexpr cadastre_memory_type type = served;
};

template <cadastre_memory_type served>
struct OnCuda {
  static Backend& backend() { return pooled(spoken().backend); }
  static constexpr cadastre_memory_type type = served;
  static void fail_in(long k) { cuda_double().fail(nullptr, k, k > 0 ? 1 : 0, 700); }
  static std::size_t live() { return pooled(spoken().backend).used(); }
};

int run_all(std::vector<CMUnitTest> tests) {
  Claims<Subject<CADASTRE_HOST>>::add_to(tests);
  Claims<Subject<CADASTRE_DEVICE>>::add_to(tests);
  if (on_the_double()) {
    Claims<OnCuda<CADASTRE_PINNED>>::add_to(tests);
    Claims<OnCuda<CADASTRE_DEVICE>>::add_to(tests);
    Claims<OnCuda<CADASTRE_UVM>>::add_to(tests);
  }
  const int failed = _cmocka_run_group_tests("pool", tests.data(), tests.size(), nullptr, nullptr);
  pooled(CADASTRE_BACKEND_HOST).close();
  if (on_the_double()) pooled(spoken().backend).close();
  return failed;
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  std::vector<CMUnitTest> tests = {
      cmocka_unit_test(a_block_stays_where_it_is_while_little_is_wasted),
      cmocka_unit_test(a_resize_that_fails_leaves_the_pool_as_it_was),
      cmocka_unit_test(a_block_moves_between_the_heap_and_the_pool),
      cmocka_unit_test(a_use_after_free_inside_a_pool_is_caught),
      cmocka_unit_test(a_use_of_what_nobody_wrote_is_caught),
      cmocka_unit_test(a_write_behind_a_block_inside_a_pool_is_caught),
      cmocka_unit_test(a_child_process_goes_on_with_the_pool),
      cmocka_unit_test(a_child_process_gets_nothing_of_a_runtime_that_it_does_not_have),
      cmocka_unit_test(threads_share_a_pool),
      cmocka_unit_test(threads_share_lanes),
  };
  return run_all(std::move(tests));
}
