// Tangled from org/tests/shared_file_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

#include "cmocka.hpp"
#include "out/shared_file.hpp"

using namespace cadastre::internal;

namespace {

using namespace std::chrono_literals;

std::string folder;

std::string new_name() {
  static int number = 0;
  return folder + "/file" + std::to_string(++number);
}

bool is_there(const std::string& name) { return access(name.c_str(), F_OK) == 0; }

// A process that does something and then waits until it is ended, or until the claim has failed.
class Other {
 public:
  template <class Does>
  explicit Other(Does does) {
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    std::fflush(nullptr);
    child_ = fork();
    if (child_ == 0) {
      alarm(60);
      does([&] { [[maybe_unused]] const ssize_t written = write(ready[1], "x", 1); });
      pause();
      _exit(0);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
  }
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;
  ~Other() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_;
};

// Locks a file, and calls for as long as this is to be: changes(descriptor) every 20 ms for so many times. Then the lock is let go.
template <class Changes>
void hold(const std::string& name, int times, const std::function<void()>& is_ready, Changes changes) {
  const int file = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || flock(file, LOCK_EX) != 0) _exit(1);
  is_ready();
  for (int time = 0; time < times; ++time) {
    changes(file);
    usleep(20'000);
  }
  close(file);
}

void a_file_is_made_and_one_that_stays_empty_is_removed(void**) {
  const std::string name = new_name();
  {
    const LockedFile file(name.c_str());
    assert_true(file >= 0 && is_there(name));
  }
  assert_false(is_there(name));
  {
    const LockedFile file(name.c_str());
    assert_int_equal(write(file, "x", 1), 1);
  }
  assert_true(is_there(name));
}

void an_empty_file_of_others_stays(void**) {
  const std::string name = new_name();
  close(open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  {
    const LockedFile file(name.c_str());
    assert_true(file >= 0);
  }
  assert_true(is_there(name));
}

void a_file_that_nobody_changes_is_waited_for_as_long_as_told(void**) {
  const std::string name = new_name();
  const Other other([&](auto is_ready) { hold(name, 1000, is_ready, [](int) {}); });
  const auto before = std::chrono::steady_clock::now();
  errno = 0;
  const LockedFile file(name.c_str(), 200ms);
  assert_int_equal(file, -1);
  assert_int_equal(errno, EWOULDBLOCK);
  assert_true(std::chrono::steady_clock::now() - before >= 190ms);
}

// As who appends does, where the file has its length and holes already.
void a_file_that_changes_in_its_place_is_waited_for(void**) {
  const std::string name = new_name();
  const Other other([&](auto is_ready) {
    hold(name, 100, is_ready, [](int file) { [[maybe_unused]] const ssize_t written = pwrite(file, "x", 1, 0); });
  });
  const LockedFile file(name.c_str(), 400ms);
  assert_true(file >= 0);
}

void a_file_that_was_removed_meanwhile_is_made_anew(void**) {
  const std::string name = new_name();
  const Other other([&](auto is_ready) {
    hold(name, 10, is_ready, [&, time = 0](int) mutable {
      if (++time == 9) unlink(name.c_str());
    });
  });
  const LockedFile file(name.c_str(), 10s);
  assert_true(file >= 0);
  assert_int_equal(write(file, "x", 1), 1);
  struct stat named{};
  assert_true(stat(name.c_str(), &named) == 0 && named.st_size == 1);
}

void a_child_that_was_forked_meanwhile_keeps_no_lock(void**) {
  const std::string name = new_name();
  std::optional<LockedFile> first;
  first.emplace(name.c_str());
  assert_int_equal(write(*first, "x", 1), 1);
  const Other other([](auto is_ready) { is_ready(); });
  first.reset();
  const LockedFile second(name.c_str(), 100ms);
  assert_true(second >= 0);
}

void a_link_is_not_followed(void**) {
  const std::string name = new_name(), target = new_name();
  assert_int_equal(symlink(target.c_str(), name.c_str()), 0);
  const LockedFile file(name.c_str());
  assert_int_equal(file, -1);
  assert_false(is_there(target));
}

void a_folder_that_takes_no_file_is_an_error(void**) {
  const std::string name = folder + "/none/file";
  errno = 0;
  const LockedFile file(name.c_str());
  assert_int_equal(file, -1);
  assert_int_equal(errno, ENOENT);
}

}  // namespace

int main() {
  const char* const temporary = std::getenv("TMPDIR");
  folder = std::string(temporary ? temporary : "/tmp") + "/cadastre-shared-XXXXXX";
  if (!mkdtemp(folder.data())) return 1;
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_file_is_made_and_one_that_stays_empty_is_removed),
      cmocka_unit_test(an_empty_file_of_others_stays),
      cmocka_unit_test(a_file_that_nobody_changes_is_waited_for_as_long_as_told),
      cmocka_unit_test(a_file_that_changes_in_its_place_is_waited_for),
      cmocka_unit_test(a_file_that_was_removed_meanwhile_is_made_anew),
      cmocka_unit_test(a_child_that_was_forked_meanwhile_keeps_no_lock),
      cmocka_unit_test(a_link_is_not_followed),
      cmocka_unit_test(a_folder_that_takes_no_file_is_an_error),
  };
  const int failed = cmocka_run_group_tests_name("files that processes share", tests, nullptr, nullptr);
  [[maybe_unused]] const int ignored = std::system(("rm -r " + folder).c_str());
  return failed;
}
