// Tangled from org/tests/surrounding_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/checkers.hpp"
#include "base/fail.hpp"
#include "cadastre.h"
#include "children.hpp"
#include "cmocka.hpp"
#include "context/lock.hpp"
#include "core/calls.hpp"
#include "core/kept_runs.hpp"
#include "declared_noexcept.hpp"
#include "refuse_membarrier.hpp"

using namespace cadastre::internal;

namespace {

const char* own_path = nullptr;     // of this program
std::atomic<int> rights_taken = 0;  // how often the right to write was taken from a page that was in memory

// How the system takes pages back.
enum class Returns { zeroed, refused, unchanged };
std::atomic<Returns> returns = Returns::zeroed;
std::atomic<long> returns_asked = 0;

}  // namespace

#ifdef SYS_mprotect
extern "C" [[gnu::visibility("default")]] int mprotect(void* begin, std::size_t bytes, int protection) noexcept(declared_noexcept) {
  unsigned char there = 0;
  if (protection == PROT_READ && mincore(begin, bytes, &there) == 0 && (there & 1)) ++rights_taken;
  return static_cast<int>(syscall(SYS_mprotect, begin, bytes, protection));
}

extern "C" [[gnu::visibility("default")]] int madvise(void* begin, std::size_t bytes, int advice) noexcept(declared_noexcept) {
  if (advice == MADV_DONTNEED) {
    ++returns_asked;
    if (returns == Returns::refused) return errno = EINVAL, -1;
    if (returns == Returns::unchanged) return 0;
  }
  return static_cast<int>(syscall(SYS_madvise, begin, bytes, advice));
}
#endif

namespace {

struct Work {
  static constexpr int staying = 2, all = 4, threads = 2;
  std::atomic<cadastre_context> contexts[all];
  std::atomic<int> begun = 0, done = 0, wrong = 0;
  std::atomic<std::int64_t> live[staying] = {};

  Work() {
    for (auto& context : contexts) context = cadastre_context_create();
  }
  void check(bool holds, int line) {
    if (holds) return;
    std::fprintf(stderr, "# line %d does not hold\n", line);
    ++wrong;
  }
#define CHECK(what) check(what, __LINE__)

  void work(unsigned seed, int turns) {
    struct Mine {
      unsigned char* block;
      std::size_t size;
      int context;
    };
    std::mt19937 random(seed);
    std::vector<Mine> mine;
    std::vector<std::pair<cadastre_context, void*>> passing;
    for (int turn = 0; turn < turns; ++turn) {
      if (turn == turns / 10) ++begun;
      const int number = static_cast<int>(random() % all);
      const cadastre_context context = contexts[number];
      const std::size_t size = random() % (random() % 16 == 0 ? 20000 : 300);
      if (number >= staying) {  // the context may go at any moment, and its memory with it
        if (passing.size() < 20) {
          if (void* const block = cadastre_malloc_plain(context, size, 0, CADASTRE_UNINITIALIZED, nullptr))
            passing.emplace_back(context, block);
        } else {
          cadastre_free(passing.back().first, passing.back().second);
          passing.pop_back();
        }
        continue;
      }
      if (mine.size() < 50 + static_cast<unsigned>(turn) % 400) {
        auto* const block = static_cast<unsigned char*>(cadastre_malloc_plain(context, size, 0, 0, nullptr));
        CHECK(block != nullptr && is_filled(block, 0, size));
        std::memset(block, static_cast<int>(seed), size);
        mine.push_back({block, size, number});
        ++live[number];
        continue;
      }
      const std::size_t place = random() % mine.size();
      const Mine one = mine[place];
      cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
      CHECK(cadastre_get_malloc_info(contexts[one.context], one.block, &info) == CADASTRE_SUCCESS && info.size == one.size);
      CHECK(is_filled(one.block, static_cast<int>(seed), one.size));
      CHECK(cadastre_free(contexts[one.context], one.block) == CADASTRE_SUCCESS);
      --live[one.context];
      mine[place] = mine.back();
      mine.pop_back();
    }
    for (const Mine& one : mine) CHECK(is_filled(one.block, static_cast<int>(seed), one.size));
    ++done;
  }

  // Alone in the contexts again and again.
  void disturb() {
    for (unsigned turn = 0; done < threads; ++turn) {
      const cadastre_context context = contexts[turn % all];
      CHECK(cadastre_lock(context) == CADASTRE_SUCCESS);
      cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
      CHECK(cadastre_get_statistics(context, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
      std::int64_t blocks = 0;
      const auto count = [](const cadastre_memory_info_struct*, void* sum) -> cadastre_exit_code {
        ++*static_cast<std::int64_t*>(sum);
        return CADASTRE_SUCCESS;
      };
      CHECK(cadastre_foreach_block(context, count, &blocks) == CADASTRE_SUCCESS);
      CHECK(blocks == figures.live_blocks);
      CHECK(cadastre_unlock(context) == CADASTRE_SUCCESS);
      if (turn % 8 == 0) {
        const cadastre_context fresh = cadastre_context_create();
        CHECK(fresh != CADASTRE_NULL_CONTEXT);
        CHECK(cadastre_context_destroy(contexts[staying + turn / 8 % (all - staying)].exchange(fresh)) == CADASTRE_SUCCESS);
      }
      if (turn % 4 == 0) std::this_thread::yield();
    }
  }

  void end() {
    for (int number = 0; number < staying; ++number) {
      cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
      CHECK(cadastre_get_statistics(contexts[number], CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
      CHECK(figures.live_blocks == live[number]);
      CHECK(figures.allocations - figures.deallocations == live[number]);
    }
    for (auto& context : contexts) CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
    EXPECT(wrong == 0);
  }

  // before: in the thread that disturbs the others, when they have begun.
  template <class Before>
  void run(int turns, Before before) {
    std::thread one([&] { work(1, turns); }), other([&] { work(2, turns); }), third([&] {
      while (begun < threads) std::this_thread::yield();
      before();
      disturb();
    });
    one.join();
    other.join();
    third.join();
    end();
  }
  void run(int turns) {
    run(turns, [] {});
  }
};

void work_in_little_space();

// What this program does when it is called with an argument.
int again(const char* what) {
  if (std::strcmp(what, "in little space") == 0) return work_in_little_space(), 0;
  if (std::strcmp(what, "without membarrier") != 0) return 1;
  EXPECT(!fences_are_light);
  Work().run(sanitized ? 20000 : 100000);
  EXPECT(!fences_are_light);
  return 0;
}

void shard_locks_that_were_open_for_light_fences_are_closed_safely_when_membarrier_is_refused(void**) {
  in_child([] {
    constexpr std::int64_t handle = 42;
    constexpr int shard_locks = 400;
    const bool light = fences_are_light;
    static ShardLock all[shard_locks];
    for (ShardLock& lock : all) {
      lock.renew(handle);
      lock.open(handle);
    }
    static long inside[shard_locks] = {};
    std::atomic<int> working_at = -1, closed = 0;
    std::thread worker([&] {
      for (int number = 0; number < shard_locks; ++number) {
        while (closed <= number) {
          if (!(light ? all[number].enter_at_once(handle) : all[number].enter(handle))) continue;
          inside[number] = inside[number] + 1;
          all[number].leave(handle);
          if (working_at != number) working_at = number;
        }
      }
    });
    if (!refuse_membarrier(EPERM, for_this_thread)) _exit(cannot);
    for (int number = 0; number < shard_locks; ++number) {
      ShardLock& lock = all[number];
      while (working_at < number) std::this_thread::yield();
      for (int moment = 0; moment < 100 + number; ++moment) std::atomic_signal_fence(std::memory_order_seq_cst);
      const bool among_light = lock.is_open_for_light();
      EXPECT(among_light == light);
      lock.close(handle);
      const int taken_before = rights_taken;
      const auto begin = std::chrono::steady_clock::now();
      heavy_fence(among_light);
      EXPECT(!fences_are_light);
      EXPECT(rights_taken - taken_before == light);
      if (light) EXPECT(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(1));
      while (!lock.is_left()) std::this_thread::yield();
      const long before = inside[number];
      for (int moment = 0; moment < 2000; ++moment) EXPECT(*const_cast<volatile long*>(&inside[number]) == before);
      lock.open(handle);
      EXPECT(!lock.enter_at_once(handle));  // by nobody any more
      closed = number + 1;
    }
    worker.join();
  });
}

void threads_work_where_membarrier_is_refused_from_the_start(void**) {
  for (const int error : {EPERM, ENOSYS}) {
    in_child([&] {
      if (!refuse_membarrier(error, for_all_threads)) _exit(cannot);
      execl(own_path, own_path, "without membarrier", nullptr);
      _exit(1);
    });
  }
}

void threads_work_where_membarrier_is_refused_later(void**) {
  for (const int error : {EPERM, ENOSYS}) {
    in_child([&] {
      Work().run(sanitized ? 20000 : 100000, [&] {
        if (!refuse_membarrier(error, for_all_threads)) _exit(cannot);
      });
      EXPECT(!fences_are_light);
    });
  }
}

void threads_work_where_membarrier_is_refused_to_one_thread(void**) {
  in_child([] {
    Work().run(sanitized ? 20000 : 100000, [] {
      if (!refuse_membarrier(EPERM, for_this_thread)) _exit(cannot);
    });
    EXPECT(!fences_are_light);
  });
}

// As one that was restored from a checkpoint: the first heavy fence is refused, since the process is not registered.
void a_process_that_has_to_register_again_does_so(void**) {
  in_child([] {
    if (!fences_are_light) _exit(cannot);
    arm(*parse_fail_rules("system:1"));
    heavy_fence();
    EXPECT(fences_are_light);
    EXPECT(is_armed(Point::system) && std::strstr(fail_effect(), "has made a call fail"));
  });
}

template <class Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

// How many copies of the module were loaded until one was refused.
int use_up_static_storage() {
  std::ifstream module(STATIC_TLS_MODULE, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(module), {}};
  if (content.empty()) _exit(cannot);
  char folder[] = "/tmp/cadastre-static-tls-XXXXXX";
  EXPECT(mkdtemp(folder) != nullptr);
  int loaded = 0;
  for (; loaded < 1000; ++loaded) {
    const std::string path = std::string(folder) + "/" + std::to_string(loaded) + ".so";
    std::ofstream(path, std::ios::binary) << content;
    void* const module_here = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* const problem = module_here ? nullptr : dlerror();
    unlink(path.c_str());
    if (problem && !std::strstr(problem, "static TLS")) std::fprintf(stderr, "# %s\n", problem);
    if (problem) EXPECT(std::strstr(problem, "static TLS") != nullptr);
    if (problem) break;
  }
  rmdir(folder);
  return loaded;
}

void use_library(void* library) {
  auto* const create = function_of<cadastre_context()>(library, "cadastre_context_create");
  auto* const destroy = function_of<cadastre_exit_code(cadastre_context)>(library, "cadastre_context_destroy");
  auto* const allocate = function_of<decltype(cadastre_malloc)>(library, "cadastre_malloc");
  auto* const release = function_of<decltype(cadastre_free)>(library, "cadastre_free");
  EXPECT(create && destroy && allocate && release);
  const cadastre_context context = create();
  for (int turn = 0; turn < 1000; ++turn) {
    void* const block = allocate(context, sized(static_cast<std::size_t>(turn)));
    EXPECT(block && is_filled(block, 0, static_cast<std::size_t>(turn)));
    EXPECT(turn % 2 == 0 || release(context, block) == CADASTRE_SUCCESS);
    int on_the_stack = 0;
    EXPECT(release(context, &on_the_stack) == CADASTRE_INVALID_ARG_2);
  }
  EXPECT(destroy(context) == CADASTRE_SUCCESS);
}

void the_library_is_loaded_when_static_storage_of_threads_is_used_up(void**) {
  const char* const path = std::getenv("TEST_LIBRARY");
  if (!path || access(path, R_OK) != 0) skip_because("there is no shared library to open");
  in_child([path] {
    std::atomic<void*> loaded = nullptr;
    std::thread before([&] {  // a thread that was there before the library
      while (!loaded) std::this_thread::yield();
      use_library(loaded);
    });
    const int modules = use_up_static_storage();
    if (modules == 1000) _exit(cannot);  // not the C library that this is about
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) std::fprintf(stderr, "# %s\n", dlerror());
    EXPECT(library != nullptr);
    use_library(library);
    loaded = library;
    before.join();
    std::thread([&] { use_library(library); }).join();
  });
}

std::size_t address_space_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void limit_address_space(std::size_t more) {
  rlimit limit{};
  EXPECT(getrlimit(RLIMIT_AS, &limit) == 0);
  limit.rlim_cur = address_space_bytes() + more;
  if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(cannot);
}

// What blocks may have: what nobody has mapped, and what the heaps keep.
std::size_t room_for_blocks() {
  rlimit limit{};
  EXPECT(getrlimit(RLIMIT_AS, &limit) == 0);
  const std::size_t used = address_space_bytes() - mapped_chunk_bytes() - kept_run_bytes();
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

// Allocates until there is no memory, and frees it, twice: half the room is blocks' each time, but for a chunk.
void fill_and_empty(cadastre_context context, std::size_t size) {
  cadastre_statistics_struct before = cadastre_statistics_struct_zero;
  EXPECT(cadastre_get_statistics(context, CADASTRE_HOST, &before) == CADASTRE_SUCCESS);
  for (int turn = 0; turn < 2; ++turn) {
    const std::size_t room = room_for_blocks();
    unsigned char* chain = nullptr;  // each block holds where the one before it is
    std::int64_t blocks = 0;
    while (auto* const block = static_cast<unsigned char*>(cadastre_malloc(context, sized(size)))) {
      EXPECT(is_filled(block, 0, size));
      std::memset(block, 0x77, size);
      std::memcpy(block, &chain, sizeof chain);
      chain = block;
      ++blocks;
    }
    cadastre_error_struct error = cadastre_error_struct_zero;
    EXPECT(cadastre_last_error(context, &error) == CADASTRE_SUCCESS);
    EXPECT(error.exit_code == CADASTRE_ALLOCATION_FAILED);
    EXPECT(std::strstr(error.message, "memory") != nullptr);
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    EXPECT(cadastre_get_statistics(context, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
    EXPECT(figures.live_blocks - before.live_blocks == blocks);
    EXPECT(figures.live_bytes - before.live_bytes == static_cast<std::size_t>(blocks) * size);
    while (chain) {
      unsigned char* const block = chain;
      std::memcpy(&chain, block, sizeof chain);
      EXPECT(is_filled(block + sizeof chain, 0x77, size - sizeof chain));
      EXPECT(cadastre_free(context, block) == CADASTRE_SUCCESS);
    }
    EXPECT(static_cast<std::size_t>(blocks) * size + chunk_bytes >= room / 2);
  }
}

void address_space_may_be_short(void**) {
  if (sanitized) skip_because("the shadow memory of a sanitizer is what would be limited");
  for (const std::size_t more : {std::size_t{64} << 20, std::size_t{6} << 20, std::size_t{1} << 20, std::size_t{0}}) {
    in_child([more] {
      const cadastre_context context = cadastre_context_create();
      void* const before = cadastre_malloc(context, sized(40));
      std::memset(before, 0x33, 40);
      limit_address_space(more);
      for (const std::size_t size : {std::size_t{100}, std::size_t{3000}, std::size_t{70000}, std::size_t{1} << 20})
        fill_and_empty(context, size);
      EXPECT(is_filled(before, 0x33, 40) && cadastre_free(context, before) == CADASTRE_SUCCESS);
      nothing_lives_in(context);
    });
  }
}

void work_in_little_space() {
  Work().run(20000);
  const cadastre_context context = cadastre_context_create();
  fill_and_empty(context, 1000);
  nothing_lives_in(context);
}

void a_program_starts_in_little_address_space(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  in_child([] {
    const rlimit limit{std::size_t{256} << 20, std::size_t{256} << 20};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(cannot);
    execl(own_path, own_path, "in little space", nullptr);
    _exit(cannot);
  });
}

void blocks_read_as_zero_again_and_again() {
  const cadastre_context context = cadastre_context_create();
  std::vector<unsigned char*> blocks;
  for (const std::size_t size :
       {std::size_t{64}, std::size_t{5000}, std::size_t{200000}, std::size_t{900}, std::size_t{200000}, std::size_t{64}}) {
    for (std::size_t bytes = 0; bytes < std::size_t{24} << 20; bytes += size) {
      auto* const block = static_cast<unsigned char*>(cadastre_malloc(context, sized(size)));
      EXPECT(block && is_filled(block, 0, size));
      std::memset(block, 0xee, size);
      blocks.push_back(block);
    }
    for (unsigned char* const block : blocks) EXPECT(cadastre_free(context, block) == CADASTRE_SUCCESS);
    blocks.clear();
    cadastre_pool_trim(context, CADASTRE_HOST, 0);
    Arena::purge_all();
  }
  nothing_lives_in(context);
}

void locked_memory_that_is_returned_is_cleared_when_it_is_used_again(void**) {
  if (sanitized) skip_because("the malloc of a sanitizer locks nothing");
  in_child([] {
    if (!returned_pages_read_as_zero()) _exit(cannot);  // is known before it is true no more
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) _exit(cannot);
    blocks_read_as_zero_again_and_again();
    EXPECT(kept_page_bytes() > 0);
  });
}

void pages_that_the_system_does_not_take_are_cleared_when_they_are_used_again(void**) {
  in_child([] {
    if (!returned_pages_read_as_zero()) _exit(cannot);
    returns = Returns::refused;
    blocks_read_as_zero_again_and_again();
    EXPECT(returns_asked > 0 && kept_page_bytes() > 0);
    returns = Returns::zeroed;
    Arena::purge_all();
    EXPECT(kept_page_bytes() == 0);
  });
}

void pages_that_come_back_as_they_were_are_cleared_when_they_are_used_again(void**) {
  in_child([] {
    returns = Returns::unchanged;
    EXPECT(!returned_pages_read_as_zero());
    blocks_read_as_zero_again_and_again();
    EXPECT(returns_asked > 0);
  });
}

// 256 MiB of which nothing is taken back: not a call for each slab that is freed.
void who_keeps_what_the_system_does_not_take_asks_seldom(void**) {
  in_child([] {
    returns = Returns::refused;
    const cadastre_context context = cadastre_context_create();
    std::vector<void*> blocks;
    for (int number = 0; number < 4096; ++number)
      blocks.push_back(cadastre_malloc_plain(context, std::size_t{64} << 10, 0, CADASTRE_UNINITIALIZED, nullptr));
    for (void* const block : blocks) EXPECT(block && cadastre_free(context, block) == CADASTRE_SUCCESS);
    const long before = returns_asked;
    EXPECT(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
    EXPECT(kept_page_bytes() > std::size_t{128} << 20);
    EXPECT(returns_asked - before < 20);
  });
}

// The flags of the mapping around an address; empty where the system does not tell.
std::string flags_of_mapping(std::uintptr_t address) {
  std::ifstream file("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(file, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) here = begin <= address && address < end;
    if (here && line.starts_with("VmFlags:")) return line + " ";
  }
  return "";
}

void pages_of_slabs_are_no_huge_ones_and_read_as_zero_where_a_program_makes_them_so(void**) {
  in_child([] {
    const cadastre_context context = cadastre_context_create();
    void* const block = cadastre_malloc(context, sized(100));
    const std::uintptr_t chunk = address_of(block) / chunk_bytes * chunk_bytes;
    if (madvise(reinterpret_cast<void*>(chunk), chunk_bytes, MADV_HUGEPAGE) != 0) _exit(cannot);
    if (flags_of_mapping(chunk).find(" hg ") == std::string::npos) _exit(cannot);
    blocks_read_as_zero_again_and_again();
    std::thread([] {  // of an arena of its own
      const cadastre_context other = cadastre_context_create();
      EXPECT(flags_of_mapping(address_of(cadastre_malloc(other, sized(100)))).find(" nh ") != std::string::npos);
    })
        .join();
  });
}

std::string told_of_heaps() {
  cadastre_context_destroy(cadastre_context_create());
  for (std::int32_t number = 0; number < cadastre_environment_get_count(); ++number) {
    cadastre_environment_info_struct info = cadastre_environment_info_struct_zero;
    if (cadastre_environment_get_info(number, &info) == CADASTRE_SUCCESS && std::strcmp(info.name, "CADASTRE_HEAP") == 0)
      return info.resolved;
  }
  return "no such variable";
}

void fallbacks_are_told(void**) {
  in_child([] {
    if (fences_are_full()) _exit(cannot);
    EXPECT(told_of_heaps().empty());
    if (refuse_membarrier(EPERM, for_this_thread)) {
      heavy_fence();
      const bool full_in_any_case = watches_threads || is_memory_checked();
      EXPECT(told_of_heaps() == (full_in_any_case ? "" : "fences are full, since the system has no membarrier"));
    }
  });
  in_child([] {
    const std::string before = told_of_heaps();
    returns = Returns::unchanged;
    EXPECT(before.empty() || before.starts_with("fences"));
    EXPECT(told_of_heaps() == before);  // it was found out before
  });
  in_child([] {
    returns = Returns::refused;
    EXPECT(told_of_heaps().ends_with("returned pages are cleared, since the system does not take them or returns them as they were"));
  });
}

struct Generations {
  static constexpr int threads = 3, all = 80;
  cadastre_context inherited = cadastre_context_create();
  cadastre_context of_threads[threads] = {};
  std::size_t own_at_first = 0, space_at_first = 0;

  void work(int number, std::atomic<int>& ready) {
    of_threads[number] = cadastre_context_create();
    for (const cadastre_context context : {inherited, of_threads[number]}) {
      std::array<void*, 300> blocks;
      for (std::size_t one = 0; one < blocks.size(); ++one) EXPECT(blocks[one] = cadastre_malloc(context, sized(one * 8)));
      if (context == inherited) {
        for (void* const block : blocks) EXPECT(cadastre_free(context, block) == CADASTRE_SUCCESS);
      }
    }
    ++ready;
    pause();
  }

  // Of this generation and those after it; the process ends.
  [[noreturn]] void run(int number) {
    if (number == all) _exit(0);
    for (cadastre_context& context : of_threads) {
      EXPECT(context == CADASTRE_NULL_CONTEXT ||
             cadastre_context_destroy(std::exchange(context, CADASTRE_NULL_CONTEXT)) == CADASTRE_SUCCESS);
    }
    std::atomic<int> ready = 0;
    for (int thread = 0; thread < threads; ++thread) std::thread([this, thread, &ready] { work(thread, ready); }).detach();
    while (ready < threads) std::this_thread::yield();
    if (number == 3) {
      own_at_first = own_bytes().taken;
      space_at_first = address_space_bytes();
    }
    if (number > 3) {
      EXPECT(own_bytes().taken <= own_at_first + (32u << 10));  // how many slabs there are is up to chance
      EXPECT(sanitized || address_space_bytes() <= space_at_first + (std::size_t{16} << 20));
    }
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) run(number + 1);
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
};

void generations_of_forks_need_what_the_first_needs(void**) {
  if (watches_threads) skip_because("ThreadSanitizer starts no threads in a child of a fork");
  in_child([] {
    Generations generations;
    generations.run(0);
  });
}

}  // namespace

int main(int arguments, char** argument) {
  setenv("CADASTRE_HEAP", "on", 1);
  own_path = "/proc/self/exe";
  if (arguments > 1) return again(argument[1]);
  const CMUnitTest tests[] = {
      cmocka_unit_test(shard_locks_that_were_open_for_light_fences_are_closed_safely_when_membarrier_is_refused),
      cmocka_unit_test(threads_work_where_membarrier_is_refused_from_the_start),
      cmocka_unit_test(threads_work_where_membarrier_is_refused_later),
      cmocka_unit_test(threads_work_where_membarrier_is_refused_to_one_thread),
      cmocka_unit_test(a_process_that_has_to_register_again_does_so),
      cmocka_unit_test(the_library_is_loaded_when_static_storage_of_threads_is_used_up),
      cmocka_unit_test(address_space_may_be_short),
      cmocka_unit_test(a_program_starts_in_little_address_space),
      cmocka_unit_test(locked_memory_that_is_returned_is_cleared_when_it_is_used_again),
      cmocka_unit_test(pages_that_the_system_does_not_take_are_cleared_when_they_are_used_again),
      cmocka_unit_test(pages_that_come_back_as_they_were_are_cleared_when_they_are_used_again),
      cmocka_unit_test(who_keeps_what_the_system_does_not_take_asks_seldom),
      cmocka_unit_test(pages_of_slabs_are_no_huge_ones_and_read_as_zero_where_a_program_makes_them_so),
      cmocka_unit_test(fallbacks_are_told),
      cmocka_unit_test(generations_of_forks_need_what_the_first_needs),
  };
  return cmocka_run_group_tests_name("heaps in hostile surroundings", tests, nullptr, nullptr);
}
