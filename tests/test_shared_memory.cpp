// Tangled from org/tests/shared_memory_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "backends/shared_memory.hpp"
#include "base/fail.hpp"
#include "base/huge_pages.hpp"
#include "cadastre.h"
#include "cmocka.hpp"

using namespace cadastre::internal;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
const char* this_program = nullptr;  // /proc/self/exe may be a checker's

cadastre_error_struct last(cadastre_context context = CADASTRE_NULL_CONTEXT) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  return error;
}

bool says(const char* text, const char* part) {
  if (std::strstr(text, part)) return true;
  std::fprintf(stderr, "# \"%s\" does not say \"%s\"\n", text, part);
  return false;
}

// Of this run alone, since processes of other runs may be there.
std::string name_for(const char* purpose) { return std::string(purpose) + " of " + std::to_string(getpid()); }

cadastre_backend registered(const std::string& name, auto change) {
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  resource.flags = CADASTRE_HOST_SHARED;
  change(resource);
  return cadastre_backend_register_host(name.c_str(), &resource);
}

// A resource and a context of one process. Claims of children are answered by numbers, so nothing here asserts.
struct Shared {
  explicit Shared(const std::string& called) : Shared(called, [](auto&) {}) {}
  Shared(const std::string& called, auto change) : name(called), backend(registered(called, change)), context(cadastre_context_create()) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  // Whether nothing is left.
  bool end() const {
    return cadastre_context_destroy(context) == CADASTRE_SUCCESS && info().live_blocks == 0 && info().mapped_bytes == 0 &&
           cadastre_backend_unregister(backend) == CADASTRE_SUCCESS;
  }
  char* block(const char* label, std::size_t size = mebibyte) const {
    cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
    request.size = size;
    request.backend = backend;
    request.label = label;
    return static_cast<char*>(cadastre_malloc(context, request));
  }
  bool free(void* block) const { return cadastre_free(context, block) == CADASTRE_SUCCESS; }
  bool was_there(const void* block) const {
    cadastre_memory_info_struct found = cadastre_memory_info_struct_zero;
    cadastre_get_malloc_info(context, block, &found);
    return (found.flags & CADASTRE_ATTACHED) != 0;
  }
  cadastre_host_resource_info_struct info() const {
    cadastre_host_resource_info_struct info = cadastre_host_resource_info_struct_zero;
    cadastre_backend_get_host_info(backend, &info);
    return info;
  }
  std::string file(const char* label) const { return folder() + "/" + SharedName(name.c_str(), label).characters; }
  static std::string folder() { return "/dev/shm/cadastre-shared-" + std::to_string(geteuid()); }
  const std::string name;
  const cadastre_backend backend;
  const cadastre_context context;
};

bool is_there(const std::string& file) {
  struct stat status{};
  return lstat(file.c_str(), &status) == 0;
}

// A file that was made and could not be locked may stay, without memory, until the next process comes.
bool has_memory(const std::string& file) {
  struct stat status{};
  return lstat(file.c_str(), &status) == 0 && status.st_blocks > 0;
}

bool is_zero(const char* block, std::size_t size) {
  return std::all_of(block, block + size, [](char byte) { return byte == 0; });
}

// Another /dev/shm for this process and its children: false, and nothing has changed for others, where that cannot be had.
bool have_own_shm(const char* options) {
  return unshare(CLONE_NEWNS) == 0 && mount("none", "/", "none", MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", "/dev/shm", "tmpfs", 0, options) == 0;
}

// What a child answers; 1000 and its signal where it was killed.
int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

template <class Action>
pid_t start(Action action) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) _exit(action());
  return child;
}

template <class Action>
int answer_of(Action action) {
  return wait_for(start(action));
}

// Two processes meet: each writes a byte, and waits for the other's.
struct Meeting {
  Meeting() {
    if (pipe(here) != 0 || pipe(there) != 0) std::abort();
  }
  ~Meeting() {
    for (const int end : {here[0], here[1], there[0], there[1]}) close(end);
  }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  void tell_child() const { put(here[1]); }
  void wait_for_child() const { get(there[0]); }
  void tell_parent() const { put(there[1]); }
  void wait_for_parent() const { get(here[0]); }
  static void put(int end) {
    if (write(end, "x", 1) != 1) std::abort();
  }
  static void get(int end) {
    char byte = 0;
    while (read(end, &byte, 1) < 0 && errno == EINTR) {
    }
  }
  int here[2], there[2];
};

void a_name_has_no_character_that_a_file_name_lacks(void**) {
  assert_string_equal(SharedName("tables", "density").characters, "tables:density");
  assert_string_equal(SharedName("a:b", "c").characters, "a%3Ab:c");
  assert_string_equal(SharedName("a", "b:c").characters, "a:b%3Ac");
  assert_string_equal(SharedName("..", "/etc/passwd").characters, "..:%2Fetc%2Fpasswd");
  assert_string_equal(SharedName("x", "\xc3\xa4 %").characters, "x:%C3%A4%20%25");
  assert_string_equal(SharedName("Az09.-_", "").characters, "Az09.-_:");
  const SharedName longest("r", std::string(253, 'l').c_str()), longer("r", std::string(254, 'l').c_str());
  assert_int_equal(longest.length, SharedName::longest);
  assert_int_equal(longer.length, SharedName::longest + 1);
  assert_int_equal(std::strlen(longer.characters), SharedName::longest);
}

void a_process_that_allocates_the_same_label_has_the_same_memory(void**) {
  const Shared shared(name_for("same"));
  char* const block = shared.block("table");
  assert_non_null(block);
  assert_true(is_zero(block, mebibyte));
  assert_false(shared.was_there(block));
  assert_string_equal(shared.info().description, "pages of the system's choice, shared by label");
  std::strcpy(block + mebibyte - 8, "parent");
  assert_int_equal(answer_of([&] {
                     char* const same = shared.block("table");
                     if (!same || same == block) return 1;
                     if (!shared.was_there(same)) return 2;
                     if (std::strcmp(same + mebibyte - 8, "parent") != 0) return 3;
                     std::strcpy(same, "child");
                     if (!shared.free(same)) return 4;
                     char* const other = shared.block("another table");
                     if (!other || shared.was_there(other) || !is_zero(other, mebibyte)) return 5;
                     return shared.free(other) ? 0 : 6;
                   }),
                   0);
  assert_string_equal(block, "child");
  assert_true(shared.free(block));
  assert_true(shared.end());
}

// What main does with two arguments: 0 where the block is there and says so.
int read_as_a_program_of_its_own(const char* name, const char* label) {
  const Shared shared(name);
  char* const block = shared.block(label);
  if (!block) return 2;
  const bool right = shared.was_there(block) && std::strcmp(block, "from another program") == 0;
  return shared.free(block) && shared.end() && right ? 0 : 3;
}

void a_program_that_knows_the_name_alone_finds_the_block(void**) {
  const Shared shared(name_for("programs"));
  char* const block = shared.block("table: all/of it");
  assert_non_null(block);
  std::strcpy(block, "from another program");
  const int answer = answer_of([&] {
    execl(this_program, this_program, shared.name.c_str(), "table: all/of it", static_cast<char*>(nullptr));
    return 9;
  });
  assert_int_equal(answer, 0);
  assert_true(shared.free(block));
  assert_true(shared.end());
}

void equal_labels_in_one_process_are_one_memory(void**) {
  const Shared shared(name_for("twice"));
  char *const one = shared.block("table", 5000), *const other = shared.block("table", 5000);
  assert_true(one && other && one != other);
  assert_true(!shared.was_there(one) && shared.was_there(other));
  one[4999] = 'x';
  assert_int_equal(other[4999], 'x');
  assert_int_equal(shared.info().live_blocks, 2);
  assert_true(shared.free(one));
  assert_true(is_there(shared.file("table")));
  other[0] = 'y';
  assert_true(shared.free(other));
  assert_false(is_there(shared.file("table")));
  assert_true(shared.end());
}

void the_last_who_has_it_removes_it(void**) {
  const Shared shared(name_for("last"));
  const Meeting meeting;
  char* const block = shared.block("table");
  const pid_t child = start([&] {
    char* const same = shared.block("table");
    meeting.tell_parent();
    meeting.wait_for_parent();
    return same && shared.free(same) && !is_there(shared.file("table")) ? 0 : 1;
  });
  meeting.wait_for_child();
  assert_true(shared.free(block));
  assert_true(is_there(shared.file("table")));
  meeting.tell_child();
  assert_int_equal(wait_for(child), 0);
  assert_false(is_there(shared.file("table")));
  char* const again = shared.block("table", 2 * mebibyte);  // another block, of any size
  assert_true(again && !shared.was_there(again));
  assert_true(shared.free(again));
  assert_true(shared.end());
}

// Leaves a file of a block that nobody has.
void leave_one(const std::string& name, const char* label) {
  const int answer = answer_of([&] {
    const Shared shared(name);
    char* const block = shared.block(label);
    if (!block) return 1;
    std::memset(block, 'x', mebibyte);
    std::raise(SIGKILL);
    return 2;
  });
  assert_int_equal(answer, 1000 + SIGKILL);
}

void what_a_killed_process_left_is_made_anew(void**) {
  const Shared shared(name_for("killed"));
  leave_one(shared.name + "!", "table");  // it is registered in this process, and so would be refused by its name
  const Shared again(shared.name + "!");
  assert_false(is_there(again.file("table")));  // by the registration
  char* const block = again.block("table", 3 * mebibyte);
  assert_true(block && !again.was_there(block) && is_zero(block, 3 * mebibyte));
  assert_int_equal(answer_of([&] {
                     char* const other = again.block("left");
                     if (!other) return 1;
                     std::memset(other, 'x', mebibyte);
                     std::raise(SIGKILL);
                     return 2;
                   }),
                   1000 + SIGKILL);
  assert_true(is_there(again.file("left")));
  char* const left = again.block("left", 5 * mebibyte);
  assert_true(left && !again.was_there(left) && is_zero(left, 5 * mebibyte));
  assert_true(again.free(left) && again.free(block));
  assert_true(again.end() && shared.end());
}

void a_registration_removes_what_nobody_has(void**) {
  const Shared shared(name_for("registered"));
  char* const kept = shared.block("kept");
  kept[0] = 'k';
  leave_one(name_for("dead"), "one");
  leave_one(name_for("dead"), "two");
  assert_true(is_there(Shared::folder() + "/" + SharedName(name_for("dead").c_str(), "two").characters));
  const Shared later(name_for("later"));
  for (const char* label : {"one", "two"}) {
    assert_false(is_there(Shared::folder() + "/" + SharedName(name_for("dead").c_str(), label).characters));
  }
  assert_true(is_there(shared.file("kept")));
  assert_int_equal(kept[0], 'k');
  assert_true(shared.free(kept));
  assert_true(later.end() && shared.end());
}

// What processes that have a block at the same time agree on: its tag, which the first to come writes.
struct Agreed {
  template <class Action>
  void locked(Action action) {
    while (lock.exchange(1) != 0) std::this_thread::yield();
    action();
    lock = 0;
  }
  std::atomic<int> lock;
  std::uint64_t tag, users, differed;
  std::atomic<std::uint64_t> made, attached;
};

int come_and_go(const Shared& shared, Agreed& agreed, std::uint64_t number, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    char* const block = shared.block("contended", 4096);
    if (!block) return 1;
    ++(shared.was_there(block) ? agreed.attached : agreed.made);
    std::uint64_t found = 0;
    const std::uint64_t own = number << 32 | static_cast<std::uint64_t>(round + 1);
    if (reinterpret_cast<std::atomic<std::uint64_t>*>(block)->compare_exchange_strong(found, own)) found = own;
    agreed.locked([&] {
      if (agreed.users == 0) agreed.tag = found;
      if (agreed.tag != found) ++agreed.differed;
      ++agreed.users;
    });
    if (round % 3 == 0) std::this_thread::yield();
    agreed.locked([&] { --agreed.users; });
    if (!shared.free(block)) return 2;
  }
  return 0;
}

void processes_that_come_and_go_at_once_never_have_two(void**) {
  const Shared shared(name_for("contended"));
  auto* const agreed = static_cast<Agreed*>(mmap(nullptr, sizeof(Agreed), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  assert_ptr_not_equal(agreed, MAP_FAILED);
  std::vector<pid_t> children;
  for (std::uint64_t number = 1; number <= 4; ++number)
    children.push_back(start([&] { return come_and_go(shared, *agreed, number, 200); }));
  for (const pid_t child : children) assert_int_equal(wait_for(child), 0);
  assert_int_equal(agreed->differed, 0);
  assert_int_equal(agreed->made + agreed->attached, 800);
  assert_true(agreed->made > 0 && agreed->attached > 0);
  assert_false(is_there(shared.file("contended")));
  munmap(agreed, sizeof(Agreed));
  assert_true(shared.end());
}

void a_process_that_is_killed_at_any_time_is_in_nobodys_way(void**) {
  const Shared shared(name_for("at any time"));
  unsigned seed = 1;
  for (std::size_t round = 1; round <= 40; ++round) {
    const Meeting meeting;
    const pid_t child = start([&] {
      meeting.tell_parent();
      for (;;) {
        char* const block = shared.block("table", 64 * 1024);
        if (!block) return 1;
        block[0] = 'x';
        shared.free(block);
      }
    });
    meeting.wait_for_child();
    usleep(static_cast<useconds_t>(rand_r(&seed) % 3000));
    kill(child, SIGKILL);
    assert_int_equal(wait_for(child), 1000 + SIGKILL);
    char* const block = shared.block("table", round * 4096);
    assert_non_null(block);
    assert_true(!shared.was_there(block) && is_zero(block, round * 4096));
    assert_true(shared.free(block));
    assert_false(is_there(shared.file("table")));
  }
  assert_true(shared.end());
}

void threads_that_come_and_go_at_once_leave_nothing(void**) {
  const Shared shared(name_for("threads"));
  Agreed agreed{};
  std::atomic<int> worst = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t number = 1; number <= 4; ++number) {
    threads.emplace_back([&, number] {
      if (const int answer = come_and_go(shared, agreed, number, 100); answer != 0) worst = answer;
    });
  }
  int worst_child = 0;
  for (int child = 0; child < 20 && !watches_threads; ++child) {
    const int answer = answer_of([&] {
      char* const block = shared.block("contended", 4096);
      return block && shared.free(block) ? 0 : 1;
    });
    worst_child = std::max(worst_child, answer);
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(worst, 0);
  assert_int_equal(worst_child, 0);
  assert_int_equal(agreed.differed, 0);
  assert_false(is_there(shared.file("contended")));
  assert_true(shared.end());
}

void another_size_is_refused_and_both_are_told(void**) {
  const Shared shared(name_for("sizes"));
  char* const block = shared.block("table", 5000);
  block[4999] = 'x';
  assert_null(shared.block("table", 5001));
  assert_int_equal(last(shared.context).exit_code, CADASTRE_INVALID_ARG_2);
  assert_int_equal(last(shared.context).reason, CADASTRE_REASON_NOT_SHARED);
  const std::string said =
      "cadastre_malloc: the " + shared.name +
      " backend cannot share 5001 bytes, labelled \"table\": processes that have it share 5000 bytes; allocate them in all processes with the same label, and with the same size";
  assert_string_equal(last(shared.context).message, said.c_str());
  assert_int_equal(shared.info().live_blocks, 1);
  assert_int_equal(block[4999], 'x');
  assert_true(shared.free(block));
  assert_true(shared.end());
}

void what_has_no_label_is_refused(void**) {
  const Shared shared(name_for("no label"));
  assert_null(shared.block(nullptr));
  assert_int_equal(last(shared.context).exit_code, CADASTRE_INVALID_ARG_2);
  assert_true(
      says(last(shared.context).message, "backend cannot share 1048576 bytes: it has no label, by which other processes find the memory"));
  char* const block = shared.block("");  // which is one
  assert_non_null(block);
  assert_true(shared.free(block));
  assert_true(shared.end());
}

void a_name_that_is_too_long_is_refused(void**) {
  const Shared shared(name_for("long"));
  const std::string label(255, 'l');
  assert_null(shared.block(label.c_str()));
  assert_int_equal(last(shared.context).exit_code, CADASTRE_INVALID_ARG_2);
  assert_int_equal(last(shared.context).reason, CADASTRE_REASON_NOT_SHARED);
  assert_true(says(last(shared.context).message, "characters, and may have 255"));
  assert_true(shared.end());
}

void a_shared_block_keeps_its_size(void**) {
  const Shared shared(name_for("resized"));
  char* const block = shared.block("table", 5000);
  block[0] = 'x';
  assert_null(cadastre_realloc(shared.context, block, 6000));
  assert_int_equal(last(shared.context).exit_code, CADASTRE_INVALID_ARG_3);
  assert_true(says(last(shared.context).message,
                   "backend cannot share 6000 bytes, labelled \"table\": the block has 5000 bytes, in all processes"));
  assert_ptr_equal(cadastre_realloc(shared.context, block, 5000), block);
  assert_int_equal(block[0], 'x');
  assert_int_equal(shared.info().live_bytes, 5000);
  assert_true(shared.free(block));
  assert_true(shared.end());
}

void no_context_has_it_as_its_own(void**) {
  const Shared shared(name_for("own"));
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = shared.backend;
  assert_true(cadastre_context_create_with_options(&options) == CADASTRE_NULL_CONTEXT);
  assert_int_equal(last().exit_code, CADASTRE_NOT_SUPPORTED);
  assert_true(says(last().message, "name it in requests"));
  assert_true(shared.end());
}

void pages_that_cannot_be_shared_fall_back_and_are_told(void**) {
  const Shared reserved(name_for("reserved"), [](auto& r) { r.page_size = 2 * mebibyte; });
  char* const block = reserved.block("table");
  assert_non_null(block);
  assert_int_equal(reserved.info().fallback_bytes, reserved.info().mapped_bytes);
  assert_true(says(reserved.info().fallback_message, "reserved pages of 2 MiB are of one process alone"));
  assert_true(reserved.free(block) && reserved.end());
  assert_int_equal(registered(name_for("strict"), [](auto& r) { r.page_size = 2 * mebibyte, r.flags |= CADASTRE_HOST_STRICT; }),
                   CADASTRE_INVALID_BACKEND);
  assert_int_equal(last().exit_code, CADASTRE_NOT_SUPPORTED);
  assert_true(says(last().message, "page_size is 2097152: reserved pages of 2 MiB are of one process alone"));
  const Shared transparent(name_for("transparent"), [](auto& r) { r.page_size = CADASTRE_TRANSPARENT_HUGE_PAGES; });
  char* const large = transparent.block("table", 3 * mebibyte);
  assert_true(large && is_zero(large, 3 * mebibyte));
  if (transparent_shared_pages() == Transparent::never) {
    assert_int_equal(transparent.info().fallback_bytes, transparent.info().mapped_bytes);
    assert_true(says(transparent.info().fallback_message, "/sys/kernel/mm/transparent_hugepage/shmem_enabled"));
  } else {
    assert_int_equal(transparent.info().fallback_bytes, 0);
  }
  assert_true(transparent.free(large) && transparent.end());
}

// The first call fails, then the second, and so on, until none is left that could.
void each_call_of_the_system_that_fails_leaves_nothing(void**) {
  const Shared shared(name_for("failing"));
  for (const bool there : {false, true}) {
    char* const first = there ? shared.block("table", 5000) : nullptr;
    int failures = 0, answer = 0;
    for (int call = 1; answer == 0 || answer == 1; ++call) {
      assert_true(call < 100);
      answer = answer_of([&] {
        arm(*parse_fail_rules("system:" + std::to_string(call)));
        char* const block = shared.block("table", 5000);
        const int error = last(shared.context).exit_code;
        if (block && !shared.free(block)) return 1;  // freeing it failed, and the process ends with it
        if (shared.info().live_blocks != (there ? 1 : 0)) return 2;
        if (!block && error != CADASTRE_ALLOCATION_FAILED) return 3;
        if (!block && has_memory(shared.file("table")) != there) return 4;
        return block ? 10 : 0;
      });
      failures += answer == 0;
      // Whatever failed, the next process finds its way.
      assert_int_equal(answer_of([&] {
                         char* const block = shared.block("table", 5000);
                         return block && shared.was_there(block) == there && shared.free(block) ? 0 : 1;
                       }),
                       0);
      assert_int_equal(is_there(shared.file("table")), there);
    }
    assert_int_equal(answer, 10);
    assert_true(failures >= 6);
    if (first) assert_true(shared.free(first));
  }
  assert_true(shared.end());
}

void a_child_has_the_memory_and_does_not_keep_it(void**) {
  const Shared shared(name_for("forked"));
  const Meeting meeting;
  char* const block = shared.block("table");
  std::strcpy(block, "parent");
  assert_int_equal(answer_of([&] { return shared.free(block) && is_there(shared.file("table")) ? 0 : 1; }), 0);
  assert_int_equal(answer_of([&] {
                     char* const same = shared.block("table");
                     return same && shared.was_there(same) && shared.free(same) ? 0 : 1;
                   }),
                   0);
  const pid_t child = start([&] {
    meeting.wait_for_parent();
    if (std::strcmp(block, "again") != 0) return 1;
    std::strcpy(block, "child");
    if (!shared.free(block) || shared.info().live_blocks != 0) return 2;
    return is_there(shared.file("table")) ? 0 : 3;  // which is that of a block that was made later
  });
  std::strcpy(block, "again");
  assert_true(shared.free(block));
  assert_false(is_there(shared.file("table")));
  char* const later = shared.block("table");
  assert_true(later && !shared.was_there(later));
  meeting.tell_child();
  assert_int_equal(wait_for(child), 0);
  assert_true(is_zero(later, mebibyte));
  assert_true(shared.free(later) && shared.end());
}

void a_program_that_closes_all_files_keeps_its_memory(void**) {
  const Shared shared(name_for("closed"));
  assert_int_equal(answer_of([&] {
                     char* const block = shared.block("table");
                     std::strcpy(block, "mine");
                     for (int file = 3; file < 1000; ++file) close(file);
                     const int other = open("/dev/null", O_RDWR);  // with the number of one that is gone
                     const int found = answer_of([&] {
                       char* const same = shared.block("table");
                       return same && shared.was_there(same) && std::strcmp(same, "mine") == 0 && shared.free(same) ? 0 : 1;
                     });
                     if (found != 0 || !shared.free(block)) return 2;
                     return fcntl(other, F_GETFD) >= 0 ? 0 : 3;
                   }),
                   0);
  char* const anew = shared.block("table", 4096);
  assert_true(anew && !shared.was_there(anew) && is_zero(anew, 4096));
  assert_true(shared.free(anew) && shared.end());
}

void a_child_has_what_its_killed_parent_had(void**) {
  const Shared shared(name_for("orphan"));
  const Meeting meeting;
  const int answer = answer_of([&] {
    char* const block = shared.block("table");
    std::strcpy(block, "kept");
    start([&] {
      meeting.tell_parent();
      meeting.wait_for_parent();
      const bool kept = std::strcmp(block, "kept") == 0 && shared.free(block);
      if (kept) meeting.tell_parent();
      return 0;
    });
    meeting.wait_for_child();
    std::raise(SIGKILL);
    return 1;
  });
  assert_int_equal(answer, 1000 + SIGKILL);
  char* const same = shared.block("table");
  assert_true(same && shared.was_there(same) && std::strcmp(same, "kept") == 0);
  meeting.tell_child();
  meeting.wait_for_child();
  assert_true(shared.free(same));
  assert_true(shared.end());
}

const Shared* of_the_handler = nullptr;
std::atomic<int> served = 0, refused = 0, wrong = 0;

void ask_in_a_handler(int) {
  const int kept = errno;
  char* const block = of_the_handler->block("table", 4096);
  if (block) {
    ++served;
    if (!of_the_handler->free(block)) ++wrong;
  } else {
    ++refused;
    if (last(of_the_handler->context).reason != CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER) ++wrong;
  }
  errno = kept;
}

void a_handler_of_signals_never_waits_for_its_own_thread(void**) {
  const Shared shared(name_for("handled"));
  const int answer = answer_of([&] {
    alarm(sanitized ? 120 : 60);
    const Shared handled(name_for("handled in a child"));
    of_the_handler = &handled;
    struct sigaction action{};
    action.sa_handler = ask_in_a_handler;
    sigaction(SIGUSR1, &action, nullptr);
    std::atomic<bool> stop = false;
    const pthread_t self = pthread_self();
    std::thread sender([&] {
      while (!stop) {
        const int before = served + refused;
        pthread_kill(self, SIGUSR1);
        while (!stop && served + refused == before) usleep(20);  // on a slow machine the handler must not have all of the time
        usleep(100);
      }
    });
    int failed = 0;
    for (int round = 0; round < 20000 && (round < 300 || served == 0 || refused == 0); ++round) {
      char* const block = handled.block("table", 4096);
      if (!block || !handled.free(block)) ++failed;
    }
    stop = true;
    sender.join();
    std::fprintf(stderr, "# %d served, %d refused\n", served.load(), refused.load());
    if (failed != 0) return 1;
    if (wrong != 0) return 2;
    if (served == 0 || refused == 0) return 3;
    return handled.end() ? 0 : 4;
  });
  assert_int_equal(answer, 0);
  assert_true(shared.end());
}

// The child closes the file, where a thread that is to be cancelled would end.
void a_thread_that_is_to_be_cancelled_forks(void**) {
  const Shared shared(name_for("cancelled"));
  int answer = -1;
  std::thread([&] {
    int ignored = 0;
    char* const block = shared.block("table");
    pthread_cancel(pthread_self());
    const pid_t child = fork();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &ignored);
    if (child == 0) _exit(block ? 0 : 1);
    int status = 0;
    if (waitpid(child, &status, 0) == child) answer = status;
    if (block) shared.free(block);
  }).join();
  assert_int_equal(answer, 0);
  assert_true(shared.end());
}

void a_limit_on_files_refuses_and_kills_nobody(void**) {
  const Shared shared(name_for("limited"));
  assert_int_equal(answer_of([&] {
                     const rlimit limit = {mebibyte, mebibyte};
                     if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
                     if (shared.block("table", mebibyte + 1)) return 2;
                     if (!says(last(shared.context).message, "RLIMIT_FSIZE (ulimit -f): File too large")) return 3;
                     char* const block = shared.block("table", mebibyte);
                     if (!block || !shared.free(block)) return 4;
                     return is_there(shared.file("table")) ? 5 : 0;
                   }),
                   0);
  assert_true(shared.end());
}

// Runs in a child whose /dev/shm is another one; 77 where that cannot be had.
template <class Action>
int answer_with_shm(const char* options, Action action) {
  return answer_of([&] { return have_own_shm(options) ? action() : 77; });
}

void a_full_file_system_refuses_and_first_touch_does_not_ask(void**) {
  const int answer = answer_with_shm("size=4m", [] {
    const Shared shared(name_for("full"));
    if (shared.block("table", 8 * mebibyte)) return 1;
    if (last(shared.context).exit_code != CADASTRE_ALLOCATION_FAILED) return 2;
    if (!says(last(shared.context).message, "/dev/shm has too little room: ") ||
        !says(last(shared.context).message, "of its 4194304 bytes are free"))
      return 3;
    if (is_there(shared.file("table")) || shared.info().live_blocks != 0) return 4;
    char* const block = shared.block("table", 3 * mebibyte);
    if (!block || !shared.free(block)) return 5;
    const Shared touched(name_for("touched"), [](auto& r) { r.numa_policy = CADASTRE_NUMA_FIRST_TOUCH; });
    char* const sparse = touched.block("table", 8 * mebibyte);
    if (!sparse) return 6;
    sparse[0] = sparse[8 * mebibyte - 1] = 'x';
    return touched.free(sparse) && touched.end() && shared.end() ? 0 : 7;
  });
  if (answer == 77) skip_because("no file system can be mounted here");
  assert_int_equal(answer, 0);
}

bool is_refused(const std::string& name, const char* why) {
  return registered(name, [](auto&) {}) == CADASTRE_INVALID_BACKEND && last().exit_code == CADASTRE_NOT_SUPPORTED &&
         last().reason == CADASTRE_REASON_HOST_MEMORY_UNAVAILABLE && says(last().message, why);
}

void a_folder_that_cannot_be_used_refuses_the_registration(void**) {
  const int answer = answer_with_shm("size=4m", [] {
    const std::string folder = Shared::folder();
    if (mkdir(folder.c_str(), 0755) != 0) return 1;
    if (!is_refused(name_for("open to others"), "flags has CADASTRE_HOST_SHARED: /dev/shm: cadastre-shared-")) return 2;
    if (!says(last().message, "in it belongs to another user, or others may use it")) return 3;
    if (rmdir(folder.c_str()) != 0 || symlink("/tmp", folder.c_str()) != 0) return 4;
    if (!is_refused(name_for("a link"), "in it is not a folder that can be used")) return 5;
    if (unlink(folder.c_str()) != 0 || mount("none", "/dev/shm", "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) != 0) return 6;
    return is_refused(name_for("read-only"), "Read-only file system") ? 0 : 7;
  });
  if (answer == 77) skip_because("no file system can be mounted here");
  assert_int_equal(answer, 0);
}

void a_link_in_the_place_of_a_block_is_not_followed(void**) {
  const Shared shared(name_for("linked"));
  char name[] = "/tmp/cadastre-shared-XXXXXX";
  const int target = mkstemp(name);
  assert_true(target >= 0);
  assert_int_equal(write(target, "precious", 8), 8);
  assert_int_equal(symlink(name, shared.file("table").c_str()), 0);
  assert_null(shared.block("table", 5000));
  assert_int_equal(last(shared.context).exit_code, CADASTRE_ALLOCATION_FAILED);
  assert_true(says(last(shared.context).message, "opening its file in /dev/shm: Too many levels of symbolic links"));
  struct stat status{};
  assert_int_equal(fstat(target, &status), 0);
  assert_int_equal(status.st_size, 8);
  close(target);
  unlink(name);
  unlink(shared.file("table").c_str());
  assert_true(shared.end());
}

}  // namespace

int main(int count, char** arguments) {
  this_program = arguments[0];
  if (count == 3) return read_as_a_program_of_its_own(arguments[1], arguments[2]);
  have_own_shm("size=50%");  // or else another run of this test may remove what this one has left
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_name_has_no_character_that_a_file_name_lacks),
      cmocka_unit_test(a_process_that_allocates_the_same_label_has_the_same_memory),
      cmocka_unit_test(a_program_that_knows_the_name_alone_finds_the_block),
      cmocka_unit_test(equal_labels_in_one_process_are_one_memory),
      cmocka_unit_test(the_last_who_has_it_removes_it),
      cmocka_unit_test(what_a_killed_process_left_is_made_anew),
      cmocka_unit_test(a_registration_removes_what_nobody_has),
      cmocka_unit_test(processes_that_come_and_go_at_once_never_have_two),
      cmocka_unit_test(a_process_that_is_killed_at_any_time_is_in_nobodys_way),
      cmocka_unit_test(threads_that_come_and_go_at_once_leave_nothing),
      cmocka_unit_test(another_size_is_refused_and_both_are_told),
      cmocka_unit_test(what_has_no_label_is_refused),
      cmocka_unit_test(a_name_that_is_too_long_is_refused),
      cmocka_unit_test(a_shared_block_keeps_its_size),
      cmocka_unit_test(no_context_has_it_as_its_own),
      cmocka_unit_test(pages_that_cannot_be_shared_fall_back_and_are_told),
      cmocka_unit_test(each_call_of_the_system_that_fails_leaves_nothing),
      cmocka_unit_test(a_child_has_the_memory_and_does_not_keep_it),
      cmocka_unit_test(a_program_that_closes_all_files_keeps_its_memory),
      cmocka_unit_test(a_child_has_what_its_killed_parent_had),
      cmocka_unit_test(a_handler_of_signals_never_waits_for_its_own_thread),
      cmocka_unit_test(a_thread_that_is_to_be_cancelled_forks),
      cmocka_unit_test(a_limit_on_files_refuses_and_kills_nobody),
      cmocka_unit_test(a_full_file_system_refuses_and_first_touch_does_not_ask),
      cmocka_unit_test(a_folder_that_cannot_be_used_refuses_the_registration),
      cmocka_unit_test(a_link_in_the_place_of_a_block_is_not_followed),
  };
  return cmocka_run_group_tests_name("shared memory", tests, nullptr, nullptr);
}
