// Tangled from org/tests/device_model_threads.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "device_model_book.hpp"
#include "model_runner.hpp"

namespace device_model {
namespace {

struct Owned {
  std::size_t context = 0;
  Range range;
  int value = -1;
  void* event = nullptr;  // of one that is handed over: behind its last use
};

struct Crowd {
  std::vector<cadastre_context> contexts{};
  std::mutex mutex{};
  std::map<char*, std::size_t> taken{};  // guarded, as what follows
  std::vector<Owned> handed_over{};
  std::atomic<std::int64_t> allocations[3] = {}, deallocations[3] = {};

  void take(const Range& range) {
    const std::lock_guard lock(mutex);
    const auto after = taken.lower_bound(range.begin + range.size);
    if (after != taken.begin()) {
      const auto& [begin, size] = *std::prev(after);
      EXPECT(begin + size <= range.begin, "%zu bytes at %p overlap %zu bytes at %p", range.size, static_cast<void*>(range.begin), size,
             static_cast<void*>(begin));
    }
    taken[range.begin] = range.size;
  }
  void let_go(const Range& range) {
    const std::lock_guard lock(mutex);
    taken.erase(range.begin);
  }
};

class Worker {
 public:
  Worker(Crowd& crowd, std::uint64_t seed, unsigned number) : crowd_(crowd), seed_(seed * 64 + number) {}

  void run(std::uint64_t steps) {
    be_on(0);
    for (int i = 0; i < 3; ++i) vendor("cudaStreamCreateWithFlags", &queues_[i], i == 0 ? 0u : 1u);
    for (Id step = 1; step <= steps; ++step) {
      chance_.begin(seed_, step);
      make(chance_.below(100));
    }
    while (!blocks_.empty()) free_last(blocks_.back().queue);
    for (void* const queue : queues_) {
      vendor("cudaStreamSynchronize", queue);
      vendor("cudaStreamDestroy", queue);
    }
  }

 private:
  struct Mine : Owned {
    void* queue = nullptr;  // of its last use
  };

  void expect_ordered(const Range& range, void* queue) const {
    const long count = cuda_double().unordered(range.begin, range.size, queue ? &queue : nullptr);
    EXPECT(count == 0, "%zu bytes at %p are handed out while %ld pieces of earlier work may use them", range.size,
           static_cast<void*>(range.begin), count);
  }
  std::size_t draw_size() { return chance_.once_in(3) ? 1 + chance_.below(100000) : std::size_t{256} << chance_.below(6); }

  void make(std::size_t kind) {
    void* const queue = queues_[chance_.below(3)];
    if (kind < 35 && blocks_.size() < 30) return allocate(queue);
    if (blocks_.empty()) return;
    std::swap(blocks_[chance_.below(blocks_.size())], blocks_.back());
    if (kind < 55) return fill(queue);
    if (kind < 78) return free_last(queue);
    if (kind < 84) return verify();
    if (kind < 92) return acquire(queue);
    if (kind < 96) return hand_over();
    if (kind < 97) {
      const cadastre_exit_code code = cadastre_pool_trim(crowd_.contexts[0], CADASTRE_DEVICE, 0);
      return EXPECT(code == CADASTRE_SUCCESS, "a trim gives %d", code);
    }
    replace_queue();
  }

  void allocate(void* queue) {
    Mine b;
    b.context = chance_.below(crowd_.contexts.size());
    const cadastre_context context = crowd_.contexts[b.context];
    cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
    request.size = draw_size();
    request.type = CADASTRE_DEVICE;
    request.flags = chance_.once_in(2) ? CADASTRE_UNINITIALIZED : 0;
    const bool plain = chance_.once_in(4);
    b.range = {static_cast<char*>(plain ? cadastre_malloc(context, request) : cadastre_malloc_async(context, request, queue)),
               request.size};
    EXPECT(b.range.begin, "%zu bytes are not allocated: %s", request.size, error_of(context).message);
    crowd_.take(b.range);
    expect_ordered(b.range, plain ? nullptr : queue);
    ++crowd_.allocations[b.context];
    b.queue = queue;
    b.value = request.flags ? -1 : 0;
    blocks_.push_back(b);
  }

  void order(void* queue, void* after) {
    if (queue == after) return;
    void* event = nullptr;
    vendor("cudaEventCreateWithFlags", &event, 2u);
    vendor("cudaEventRecord", event, after);
    vendor("cudaStreamWaitEvent", queue, event, 0u);
    vendor("cudaEventDestroy", event);
  }

  void fill(void* queue) {
    Mine& b = blocks_.back();
    order(queue, std::exchange(b.queue, queue));
    b.value = static_cast<int>(1 + chance_.below(255));
    vendor("cudaMemsetAsync", static_cast<void*>(b.range.begin), b.value, b.range.size, queue);
  }

  void free_last(void* queue) {
    const Mine b = blocks_.back();
    blocks_.pop_back();
    order(queue, b.queue);
    crowd_.let_go(b.range);
    const cadastre_context context = crowd_.contexts[b.context];
    const bool plain = chance_.once_in(8);
    const cadastre_exit_code code = plain ? cadastre_free(context, b.range.begin) : cadastre_free_async(context, b.range.begin, queue);
    EXPECT(code == CADASTRE_SUCCESS, "a free gives %d: %s", code, error_of(context).message);
    ++crowd_.deallocations[b.context];
  }

  void verify() const {
    const Mine& b = blocks_.back();
    vendor("cudaStreamSynchronize", b.queue);
    if (b.value < 0) return;
    for (const std::size_t at : {std::size_t{0}, b.range.size / 2, b.range.size - 1}) {
      const auto* const found = static_cast<const unsigned char*>(cuda_double().bytes(b.range.begin + at, 1));
      EXPECT(found && *found == b.value, "byte %zu of %zu at %p is not %d", at, b.range.size, static_cast<void*>(b.range.begin), b.value);
    }
  }

  void acquire(void* queue) {
    const cadastre_context context = crowd_.contexts[chance_.below(crowd_.contexts.size())];
    const std::size_t size = draw_size();
    void* pointer = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    const cadastre_exit_code code = cadastre_workspace_acquire_on_queue(context, CADASTRE_DEVICE, queue, 1, &size, &pointer, &lease);
    EXPECT(code == CADASTRE_SUCCESS, "a lease of %zu bytes gives %d: %s", size, code, error_of(context).message);
    const Range range{static_cast<char*>(pointer), size};
    crowd_.take(range);
    expect_ordered(range, queue);
    vendor("cudaMemsetAsync", pointer, 7, size, queue);
    crowd_.let_go(range);
    EXPECT(cadastre_workspace_release(context, lease) == CADASTRE_SUCCESS, "a lease is not released");
  }

  // One of mine goes to all, and one of theirs comes to me.
  void hand_over() {
    Mine& b = blocks_.back();
    vendor("cudaEventCreateWithFlags", &b.event, 2u);
    vendor("cudaEventRecord", b.event, b.queue);
    {
      const std::lock_guard lock(crowd_.mutex);
      crowd_.handed_over.push_back(b);
      std::swap(crowd_.handed_over.front(), crowd_.handed_over.back());
      static_cast<Owned&>(b) = crowd_.handed_over.back();
      crowd_.handed_over.pop_back();
    }
    b.queue = queues_[chance_.below(3)];
    vendor("cudaStreamWaitEvent", b.queue, b.event, 0u);
    vendor("cudaEventDestroy", std::exchange(b.event, nullptr));
  }

  // Its work is still to be done; the next one has its handle.
  void replace_queue() {
    for (Mine& b : blocks_) order(queues_[1], std::exchange(b.queue, queues_[1]));
    vendor("cudaStreamDestroy", queues_[2]);
    vendor("cudaStreamCreateWithFlags", &queues_[2], 1u);
  }

  Crowd& crowd_;
  const std::uint64_t seed_;
  model::Chance chance_;
  void* queues_[3] = {};
  std::vector<Mine> blocks_{};
};

}  // namespace

void run_threads(std::uint64_t seed, std::uint64_t steps, unsigned count) {
  Crowd crowd;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = spoken().backend;
  options.device = CADASTRE_DEVICE_BY_ID(0);
  for (const cadastre_pool pool : {CADASTRE_POOL_CACHING, CADASTRE_POOL_CACHING, CADASTRE_POOL_NONE}) {
    options.pool = pool;
    crowd.contexts.push_back(cadastre_context_create_with_options(&options));
    EXPECT(crowd.contexts.back() != CADASTRE_NULL_CONTEXT, "no context: %s", error_of(CADASTRE_NULL_CONTEXT).message);
  }
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < count; ++number) {
    threads.emplace_back([&crowd, seed, number, steps, count] { Worker(crowd, seed, number).run(steps / count); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < crowd.contexts.size(); ++i) {
    EXPECT(crowd.allocations[i] ==
               crowd.deallocations[i] + (std::int64_t{0} + std::count_if(crowd.handed_over.begin(), crowd.handed_over.end(),
                                                                         [&](const Owned& b) { return b.context == i; })),
           "blocks of context %zu are lost", i);
    const cadastre_exit_code code = cadastre_context_destroy(crowd.contexts[i]);
    EXPECT(code == CADASTRE_SUCCESS, "a context is destroyed with %d", code);
  }
  for (const Owned& b : crowd.handed_over) {
    if (b.event) vendor("cudaEventDestroy", b.event);
  }
  vendor("cudaDeviceSynchronize");
  const cuda_double_census left = cuda_double().census();
  EXPECT(left.blocks + left.streams + left.events == 0, "%zu blocks, %zu streams and %zu events are left", left.blocks, left.streams,
         left.events);
  EXPECT(cuda_double().misuses() == 0, "%ld calls of the vendor named what was not there", cuda_double().misuses());
}

}  // namespace device_model
