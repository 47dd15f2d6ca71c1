// Tangled from org/tests/heap_surroundings.org; change the chapter, then run: make tangle
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) && __has_include(<linux/seccomp.h>)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#endif

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

#include "cadastre.h"
#include "cmocka.hpp"
#include "core/calls.hpp"
#include "fail.hpp"

using namespace cadastre::internal;

namespace {

const char* own_path = nullptr;  // of this program
std::atomic<int> rights_taken = 0;  // how often the right to write was taken from a page that was in memory

}  // namespace

#ifdef SYS_mprotect
extern "C" [[gnu::visibility("default")]] int mprotect(void* begin, std::size_t bytes, int protection) noexcept {
  unsigned char there = 0;
  if (protection == PROT_READ && mincore(begin, bytes, &there) == 0 && (there & 1)) ++rights_taken;
  return static_cast<int>(syscall(SYS_mprotect, begin, bytes, protection));
}
#endif

namespace {

constexpr int cannot = 77;  // the exit status of a child that cannot make its surroundings

void expect(bool holds, int line) {
  if (holds) return;
  std::fprintf(stderr, "# line %d does not hold\n", line);
  _exit(line % 70 + 1);
}
#define EXPECT(what) expect(what, __LINE__)

// Does something in a child, which must end well; the claim is skipped where the child cannot make its surroundings.
template <class Deed>
void in_child(Deed deed) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    deed();
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status)) print_message("the child was ended by signal %d\n", WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) == cannot) skip();
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

bool is_filled(const void* memory, int value, std::size_t bytes) {
  const auto* const begin = static_cast<const unsigned char*>(memory);
  return std::all_of(begin, begin + bytes, [value](unsigned char byte) { return byte == value; });
}

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
          if (void* const block = cadastre_malloc_plain(context, size, 0, CADASTRE_UNINITIALIZED, nullptr)) passing.emplace_back(context, block);
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

#if defined(SYS_seccomp) && defined(SYS_membarrier)
// False where it cannot be done here.
bool refuse_membarrier(int error, unsigned flags) {
  sock_filter lines[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{sizeof lines / sizeof *lines, lines};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter) == 0 &&
         syscall(SYS_membarrier, 0, 0, 0) == -1 && errno == error;
}
constexpr unsigned for_all_threads = SECCOMP_FILTER_FLAG_TSYNC;
#else
bool refuse_membarrier(int, unsigned) { return false; }
constexpr unsigned for_all_threads = 1;
#endif
constexpr unsigned for_this_thread = 0;

// What this program does when it is called with an argument.
int again(const char* what) {
  if (std::strcmp(what, "without membarrier") != 0) return 1;
  EXPECT(!fences_are_light);
  Work().run(sanitized ? 20000 : 100000);
  EXPECT(!fences_are_light);
  return 0;
}

void doors_that_were_open_for_light_fences_are_closed_safely_when_membarrier_is_refused(void**) {
  in_child([] {
    constexpr std::int64_t handle = 42;
    constexpr int doors = 400;
    const bool light = fences_are_light;
    static std::array<Door, doors> all;
    for (Door& door : all) {
      door.renew(handle);
      door.open(handle);
    }
    static long inside[doors] = {};
    std::atomic<int> working_at = -1, closed = 0;
    std::thread worker([&] {
      for (int number = 0; number < doors; ++number) {
        while (closed <= number) {
          if (!(light ? all[number].enter_at_once(handle) : all[number].enter(handle))) continue;
          inside[number] = inside[number] + 1;
          all[number].leave(handle);
          if (working_at != number) working_at = number;
        }
      }
    });
    if (!refuse_membarrier(EPERM, for_this_thread)) _exit(cannot);
    for (int number = 0; number < doors; ++number) {
      Door& door = all[number];
      while (working_at < number) std::this_thread::yield();
      for (int moment = 0; moment < 100 + number; ++moment) std::atomic_signal_fence(std::memory_order_seq_cst);
      const bool among_light = door.is_open_for_light();
      EXPECT(among_light == light);
      door.close(handle);
      const int taken_before = rights_taken;
      const auto begin = std::chrono::steady_clock::now();
      heavy_fence(among_light);
      EXPECT(!fences_are_light);
      EXPECT(rights_taken - taken_before == light);
      if (light) EXPECT(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(1));
      while (!door.is_left()) std::this_thread::yield();
      const long before = inside[number];
      for (int moment = 0; moment < 2000; ++moment) EXPECT(*const_cast<volatile long*>(&inside[number]) == before);
      door.open(handle);
      EXPECT(!door.enter_at_once(handle));  // by nobody any more
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

}  // namespace

int main(int arguments, char** argument) {
  setenv("CADASTRE_HEAP", "on", 1);
  own_path = "/proc/self/exe";
  if (arguments > 1) return again(argument[1]);
  const CMUnitTest tests[] = {
      cmocka_unit_test(doors_that_were_open_for_light_fences_are_closed_safely_when_membarrier_is_refused),
      cmocka_unit_test(threads_work_where_membarrier_is_refused_from_the_start),
      cmocka_unit_test(threads_work_where_membarrier_is_refused_later),
      cmocka_unit_test(threads_work_where_membarrier_is_refused_to_one_thread),
      cmocka_unit_test(a_process_that_has_to_register_again_does_so),
  };
  return cmocka_run_group_tests_name("heaps in hostile surroundings", tests, nullptr, nullptr);
}
