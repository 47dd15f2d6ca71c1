// Tangled from org/tests/rank_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/ranks.hpp"
#include "cmocka.hpp"

using namespace cadastre::internal;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds long_time(20000), short_time(30), no_time(0);
constexpr uid_t another_user = 65534;
constexpr const char* gpu = "GPU-5f3c0a1e";
constexpr const char* other_gpu = "GPU-5f3c0a1e-b";

// A folder that goes with its owner.
struct Scratch {
  std::string path;

  Scratch() {
    char folder[] = "/tmp/cadastre-ranks-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    path = folder;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path); }
  std::string of_user(uid_t user) const { return path + "/cadastre-ranks-" + std::to_string(user); }
  std::string of_user() const { return of_user(geteuid()); }
  // The files of ranks.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(of_user(), error)) names.push_back(file.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
};

RankIdentity rank_of(const std::string& folder, int rank, int ranks, std::uint64_t job = 7) {
  RankIdentity me;
  me.launcher = "Imitation";
  me.local_ranks = ranks;
  me.local_rank = rank;
  me.job = job;
  me.folders[0] = folder.c_str();
  return me;
}

// A child that does something, says its result in one byte, and then does nothing until it is killed or told to end.
class Child {
 public:
  template <class Does>
  explicit Child(Does does) {
    int up[2], down[2];
    assert_int_equal(pipe2(up, O_CLOEXEC) | pipe2(down, O_CLOEXEC), 0);
    process_ = fork();
    if (process_ == 0) {
      constexpr unsigned long_enough = 120;
      alarm(long_enough);
      close(down[1]);
      const auto result = static_cast<unsigned char>(does());
      if (write(up[1], &result, 1) != 1) _exit(1);
      char end;
      if (read(down[0], &end, 1) == 1) leave_ranks();
      _exit(0);
    }
    close(up[1]);
    close(down[0]);
    up_ = up[0];
    down_ = down[1];
  }
  Child(Child&& other) noexcept : process_(std::exchange(other.process_, 0)), up_(other.up_), down_(other.down_) {}
  Child(const Child&) = delete;
  ~Child() { kill_it(); }

  // What it said; 255 if it ended before.
  int result() {
    unsigned char result = 255;
    return read(up_, &result, 1) == 1 ? result : 255;
  }
  void end() {
    assert_int_equal(write(down_, "", 1), 1);
    finish();
  }
  void kill_it() {
    if (process_ > 0) kill(process_, SIGKILL);
    finish();
  }
  pid_t process() const { return process_; }

 private:
  void finish() {
    if (process_ <= 0) return;
    waitpid(process_, nullptr, 0);
    close(up_);
    close(down_);
    process_ = 0;
  }
  pid_t process_;
  int up_, down_;
};

Child rank_child(const RankIdentity& me, const char* device, milliseconds patience = long_time) {
  return Child([&me, device, patience] { return ranks_on_device(me, device, patience).count; });
}

RankIdentity identity(std::vector<const char*> strings, bool trusted = true) {
  strings.push_back(nullptr);
  return read_rank_identity(strings.data(), trusted);
}

void each_launcher_says_which_rank_of_how_many_this_is(void**) {
  const std::vector<std::vector<const char*>> environments = {
      {"OMPI_COMM_WORLD_LOCAL_SIZE=4", "OMPI_COMM_WORLD_LOCAL_RANK=3", "PMIX_NAMESPACE=a@1"},
      {"OMPI_COMM_WORLD_LOCAL_SIZE=4", "OMPI_COMM_WORLD_LOCAL_RANK=3", "OMPI_MCA_ess_base_jobid=123"},
      {"JSM_NAMESPACE_LOCAL_SIZE=4", "JSM_NAMESPACE_LOCAL_RANK=3", "PMIX_NAMESPACE=a@1"},
      {"MV2_COMM_WORLD_LOCAL_SIZE=4", "MV2_COMM_WORLD_LOCAL_RANK=3"},
      {"MPI_LOCALNRANKS=4", "MPI_LOCALRANKID=3"},
      {"PALS_LOCAL_SIZE=4", "PALS_LOCAL_RANKID=3", "PALS_APID=x"},
      {"PMI_LOCAL_SIZE=4", "PMI_LOCAL_RANK=3", "SLURM_JOB_ID=1", "SLURM_STEP_ID=0"},
      {"FLUX_JOB_SIZE=4", "FLUX_TASK_LOCAL_ID=3", "FLUX_JOB_NNODES=1", "FLUX_JOB_ID=42"},
      {"SLURM_STEP_TASKS_PER_NODE=4", "SLURM_LOCALID=3", "SLURM_NODEID=0", "SLURM_JOB_ID=1", "SLURM_STEP_ID=0"}};
  std::vector<std::uint64_t> jobs;
  for (const auto& environment : environments) {
    const RankIdentity me = identity(environment);
    assert_string_equal(me.problem.characters, "");
    assert_true(me.local_ranks == 4 && me.local_rank == 3 && me.launcher && me.given == 0);
    assert_true(me.job == identity(environment).job && std::find(jobs.begin(), jobs.end(), me.job) == jobs.end());
    jobs.push_back(me.job);
  }
}

void the_launcher_that_is_nearest_to_the_ranks_counts(void**) {
  const std::vector<const char*> slurm = {"SLURM_STEP_TASKS_PER_NODE=1(x2)", "SLURM_LOCALID=0", "SLURM_NODEID=1", "SLURM_JOB_ID=1",
                                          "SLURM_STEP_ID=0"};
  assert_string_equal(identity(slurm).launcher, "SLURM");
  for (const auto& inner : {std::vector<const char*>{"OMPI_COMM_WORLD_LOCAL_SIZE=4", "OMPI_COMM_WORLD_LOCAL_RANK=3", "PMIX_NAMESPACE=a@1"},
                            std::vector<const char*>{"MPI_LOCALNRANKS=4", "MPI_LOCALRANKID=3"}}) {
    std::vector<const char*> all = slurm;
    all.insert(all.end(), inner.begin(), inner.end());
    assert_true(identity(all).local_ranks == 4 && identity(all).local_rank == 3);
  }
}

void slurm_counts_ranks_by_node(void**) {
  const auto on_node = [](const std::string& list, const std::string& node) {
    const std::string tasks = "SLURM_STEP_TASKS_PER_NODE=" + list, number = "SLURM_NODEID=" + node;
    return identity({tasks.c_str(), number.c_str(), "SLURM_LOCALID=0", "SLURM_JOB_ID=1", "SLURM_STEP_ID=0"}).local_ranks;
  };
  assert_int_equal(on_node("2(x3),1", "0"), 2);
  assert_int_equal(on_node("2(x3),1", "2"), 2);
  assert_int_equal(on_node("2(x3),1", "3"), 1);
  assert_int_equal(on_node("5,4(x3),16", "4"), 16);
  for (const char* wrong : {"2(x3),1", "", ",", "2(x3", "2(x)", "2(x0),3", "(x9)", "x", "2(x-1)", "2(x99999999999)"}) {
    assert_int_equal(on_node(wrong, "4"), 0);
    assert_int_equal(on_node(wrong, "x"), 0);
    assert_int_equal(on_node(wrong, "-1"), 0);
  }
}

void what_is_no_number_of_ranks_is_refused_with_a_reason(void**) {
  for (const char* wrong : {"", "0", "-1", "4x", " 4", "4097", "99999999999", "\x1b[2J", "4,4"}) {
    const std::string size = std::string("MPI_LOCALNRANKS=") + wrong;
    const RankIdentity me = identity({size.c_str(), "MPI_LOCALRANKID=0"});
    assert_int_equal(me.local_ranks, 0);
    assert_non_null(std::strstr(me.problem.characters, "MPI_LOCALNRANKS="));
    assert_null(std::strchr(me.problem.characters, '\x1b'));
    assert_string_equal(ranks_on_device(me, gpu, no_time).why.characters, me.problem.characters);
  }
  for (const char* wrong : {"", "4", "-1", "x", "1 "}) {
    const std::string rank = std::string("MPI_LOCALRANKID=") + wrong;
    const RankIdentity me = identity({"MPI_LOCALNRANKS=4", rank.c_str()});
    assert_int_equal(me.local_ranks, 0);
    assert_non_null(std::strstr(me.problem.characters, "MPI_LOCALRANKID="));
  }
  assert_int_equal(identity({"MPI_LOCALNRANKS=4"}).local_ranks, 0);
  assert_int_equal(identity({"FLUX_JOB_SIZE=4", "FLUX_TASK_LOCAL_ID=1", "FLUX_JOB_NNODES=2", "FLUX_JOB_ID=1"}).local_ranks, 0);
  assert_int_equal(identity({"FLUX_JOB_SIZE=4", "FLUX_TASK_LOCAL_ID=1", "FLUX_JOB_ID=1"}).local_ranks, 0);
}

void without_a_launcher_the_number_is_unknown(void**) {
  const RankIdentity me = identity({"HOME=/", "SLURM_JOB_ID=1", "SLURM_TASKS_PER_NODE=4", "SLURM_LOCALID=0", "PMI_RANK=1"});
  const RanksOnDevice ranks = ranks_on_device(me, gpu, long_time);
  assert_int_equal(ranks.count, 0);
  assert_string_equal(ranks.why.characters, "no launcher reports how many processes of this job run on this node");
}

void jobs_differ_by_what_launchers_call_them(void**) {
  const auto job = [](std::vector<const char*> strings) {
    strings.insert(strings.end(), {"SLURM_STEP_TASKS_PER_NODE=4", "SLURM_LOCALID=3", "SLURM_NODEID=0"});
    return identity(strings).job;
  };
  const std::uint64_t first = job({"SLURM_JOB_ID=1", "SLURM_STEP_ID=0"});
  assert_true(first == job({"SLURM_JOB_ID=1", "SLURM_STEP_ID=0", "SLURM_LOCALID=2"}));
  assert_true(first != job({"SLURM_JOB_ID=1", "SLURM_STEP_ID=1"}));
  assert_true(first != job({"SLURM_JOB_ID=2", "SLURM_STEP_ID=0"}));
  assert_true(first != job({"SLURM_JOB_ID=1", "SLURM_STEP_ID=0", "SLURM_RESTART_COUNT=1"}));
  assert_true(job({"SLURM_JOB_ID=11", "SLURM_STEP_ID=0"}) != job({"SLURM_JOB_ID=1", "SLURM_STEP_ID=10"}));
}

// The job of a Hydra rank in a child, one or two processes below this one; 0 if that fails.
std::uint64_t job_of_child(int below) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (below > 1) {
      const pid_t inner = fork();
      if (inner != 0) {
        waitpid(inner, nullptr, 0);
        _exit(0);
      }
    }
    const std::uint64_t job = identity({"MPI_LOCALNRANKS=4", "MPI_LOCALRANKID=3"}).job;
    _exit(write(ends[1], &job, sizeof job) == sizeof job ? 0 : 1);
  }
  close(ends[1]);
  std::uint64_t job = 0;
  if (read(ends[0], &job, sizeof job) != sizeof job) job = 0;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return job;
}

void where_a_launcher_has_no_name_for_a_job_it_is_the_parent(void**) {
  const std::uint64_t job = job_of_child(1);
  assert_true(job != 0 && job == job_of_child(1));
  const std::uint64_t below = job_of_child(2);
  assert_true(below != 0 && below != job && below != job_of_child(2));
}

void folders_of_the_environment_are_not_used_with_more_privileges(void**) {
  const std::vector<const char*> strings = {"XDG_RUNTIME_DIR=/run/user/7", "TMPDIR=/scratch"};
  RankIdentity me = identity(strings);
  assert_string_equal(me.folders[0].characters, "/run/user/7");
  assert_string_equal(me.folders[1].characters, "/dev/shm");
  assert_string_equal(me.folders[2].characters, "/scratch");
  me = identity(strings, false);
  assert_string_equal(me.folders[0].characters, "");
  assert_string_equal(me.folders[1].characters, "/dev/shm");
  assert_string_equal(me.folders[2].characters, "/tmp");
  const std::string endless = "TMPDIR=/" + std::string(5000, 't');
  me = identity({endless.c_str()});
  assert_string_equal(me.folders[0].characters, "");
  assert_string_equal(me.folders[2].characters, "");
}

void a_number_that_is_given_is_taken(void**) {
  const Scratch scratch;
  RankIdentity me = rank_of(scratch.path, 0, 8);
  me.given = 3;
  const RanksOnDevice ranks = ranks_on_device(me, gpu, no_time);
  assert_int_equal(ranks.count, 3);
  assert_string_equal(ranks.why.characters, "CADASTRE_RANKS_PER_DEVICE=3");
  assert_int_equal(scratch.files().size(), 0);
}

void a_device_without_a_uuid_is_refused(void**) {
  const Scratch scratch;
  const std::string endless(101, 'u');
  for (const char* wrong : {"", "a b", "a\nb", "\x7f", "\xff", static_cast<const char*>(nullptr), endless.c_str()}) {
    const RanksOnDevice ranks = ranks_on_device(rank_of(scratch.path, 0, 1), wrong, no_time);
    assert_int_equal(ranks.count, 0);
    assert_string_equal(ranks.why.characters, "the device has no UUID by which ranks can know it");
  }
}

void one_rank_alone_is_sure_at_once(void**) {
  const Scratch scratch;
  const RanksOnDevice ranks = ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time);
  assert_int_equal(ranks.count, 1);
  assert_string_equal(ranks.why.characters, "1 of the 1 ranks that Imitation reports on this node use the device");
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time).count, 1);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 0, 1), other_gpu, no_time).count, 1);
  assert_int_equal(scratch.files().size(), 1);
  leave_ranks();
  assert_int_equal(scratch.files().size(), 0);
  leave_ranks();
}

void sixteen_ranks_at_once_are_counted_by_device(void**) {
  const Scratch scratch;
  constexpr int ranks = 16, rounds = 6;
  const char* const devices[] = {"GPU-0", "GPU-00", "GPU-1", "GPU-2"};
  for (int round = 0; round < rounds; ++round) {
    std::vector<Child> children;
    // Seven on the first, then six, two and one.
    const auto device_of = [&](int rank) { return devices[rank < 7 ? 0 : rank < 13 ? 1 : rank < 15 ? 2 : 3]; };
    for (int rank = 0; rank < ranks; ++rank) {
      const RankIdentity me = rank_of(scratch.path, rank, ranks);
      children.push_back(Child([&] { return ranks_on_device(me, device_of(rank), long_time).count; }));
    }
    for (int rank = 0; rank < ranks; ++rank) {
      assert_int_equal(children[static_cast<std::size_t>(rank)].result(), rank < 7 ? 7 : rank < 13 ? 6 : rank < 15 ? 2 : 1);
    }
    assert_int_equal(scratch.files().size(), ranks);
    for (Child& child : children) {
      if (round % 2) child.end();
    }
    if (round % 2) assert_int_equal(scratch.files().size(), 0);
  }
}

void a_rank_that_is_missing_makes_the_number_unknown(void**) {
  const Scratch scratch;
  Child first = rank_child(rank_of(scratch.path, 0, 4), gpu, no_time);
  assert_int_equal(first.result(), 0);  // one after the other, since who has no time does not try again
  Child second = rank_child(rank_of(scratch.path, 2, 4), gpu, no_time);
  assert_int_equal(second.result(), 0);
  const auto begin = std::chrono::steady_clock::now();
  const RanksOnDevice ranks = ranks_on_device(rank_of(scratch.path, 1, 4), gpu, milliseconds(100));
  const auto took = std::chrono::steady_clock::now() - begin;
  assert_int_equal(ranks.count, 0);
  assert_string_equal(
      ranks.why.characters,
      "1 of the 4 ranks that Imitation reports on this node did not enter a device within 100 ms or have ended, rank 3 among them");
  assert_true(took >= milliseconds(100) && took < milliseconds(5000));
  Child last = rank_child(rank_of(scratch.path, 3, 4), other_gpu);
  assert_int_equal(last.result(), 1);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 1, 4), gpu, no_time).count, 3);
  leave_ranks();
}

void a_rank_waits_for_the_others(void**) {
  const Scratch scratch;
  Child early = rank_child(rank_of(scratch.path, 0, 2), gpu);
  std::this_thread::sleep_for(milliseconds(100));
  Child late = rank_child(rank_of(scratch.path, 1, 2), gpu);
  assert_int_equal(early.result(), 2);
  assert_int_equal(late.result(), 2);
}

void a_rank_may_use_several_devices(void**) {
  const Scratch scratch;
  Child other([&] {
    const RankIdentity me = rank_of(scratch.path, 0, 2);
    ranks_on_device(me, gpu, no_time);
    ranks_on_device(me, other_gpu, no_time);
    return ranks_on_device(me, gpu, no_time).count;
  });
  assert_int_equal(other.result(), 0);
  const RankIdentity me = rank_of(scratch.path, 1, 2);
  assert_int_equal(ranks_on_device(me, other_gpu, no_time).count, 2);
  assert_int_equal(ranks_on_device(me, "GPU-5f3c0a1", no_time).count, 1);
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 2);
  int count = 0;
  std::string why;
  for (int i = 0; i < 100; ++i) {
    const RanksOnDevice ranks = ranks_on_device(me, (std::string(90, 'u') + std::to_string(i)).c_str(), no_time);
    count += ranks.count;
    why = ranks.why.characters;
  }
  assert_true(count > 30 && count < 100 && why == "this process uses too many devices");
  leave_ranks();
}

void a_killed_rank_is_missed_and_its_file_is_removed(void**) {
  const Scratch scratch;
  Child killed = rank_child(rank_of(scratch.path, 0, 2), gpu, no_time);
  assert_int_equal(killed.result(), 0);  // one after the other, since who has no time does not try again
  Child of_another_job = rank_child(rank_of(scratch.path, 0, 2, 8), gpu, no_time);
  assert_int_equal(of_another_job.result(), 0);
  killed.kill_it();
  of_another_job.kill_it();
  assert_int_equal(scratch.files().size(), 2);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 1, 2), gpu, short_time).count, 0);
  assert_int_equal(scratch.files().size(), 1);
  leave_ranks();
}

void a_job_that_starts_again_with_its_id_is_counted_anew(void**) {
  const Scratch scratch;
  for (int start = 0; start < 5; ++start) {
    // All used one device before, and use two now; of the files some were left, some not.
    const bool first = start == 0;
    std::vector<Child> children;
    for (int rank = 0; rank < 4; ++rank) {
      const RankIdentity me = rank_of(scratch.path, rank, 4);
      children.push_back(Child([&] { return ranks_on_device(me, first || rank == start % 4 ? gpu : other_gpu, long_time).count; }));
    }
    for (int rank = 0; rank < 4; ++rank) {
      assert_int_equal(children[static_cast<std::size_t>(rank)].result(), first ? 4 : rank == start % 4 ? 1 : 3);
    }
    if (start % 2) children[1].end();
  }
}

void what_a_dead_rank_used_is_not_counted_for_its_successor(void**) {
  const Scratch scratch;
  Child killed([&] {
    const RankIdentity me = rank_of(scratch.path, 0, 2);
    ranks_on_device(me, gpu, no_time);
    return ranks_on_device(me, other_gpu, no_time).count;
  });
  assert_int_equal(killed.result(), 0);
  killed.kill_it();
  Child successor = rank_child(rank_of(scratch.path, 0, 2), gpu, no_time);
  assert_int_equal(successor.result(), 0);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 1, 2), other_gpu, no_time).count, 1);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 1, 2), gpu, no_time).count, 2);
  leave_ranks();
}

void of_processes_that_want_the_number_of_a_rank_one_gets_it(void**) {
  const Scratch scratch;
  for (int round = 0; round < 15; ++round) {
    // The file of a dead one is there, and the other rank cleans up.
    Child dead = rank_child(rank_of(scratch.path, 0, 2), other_gpu, no_time);
    assert_int_equal(dead.result(), 0);
    dead.kill_it();
    Child other = rank_child(rank_of(scratch.path, 1, 2), gpu);
    std::vector<Child> wanting;
    for (int i = 0; i < 4; ++i) wanting.push_back(rank_child(rank_of(scratch.path, 0, 2), gpu, milliseconds(60)));
    assert_int_equal(other.result(), 2);
    int with_number = 0;
    for (Child& child : wanting) with_number += child.result() == 2;
    assert_true(with_number <= 1);
  }
}

void a_second_process_with_the_number_of_a_rank_is_refused_while_that_lives(void**) {
  const Scratch scratch;
  Child first = rank_child(rank_of(scratch.path, 0, 1), gpu);
  assert_int_equal(first.result(), 1);
  const RanksOnDevice ranks = ranks_on_device(rank_of(scratch.path, 0, 1), gpu, short_time);
  assert_int_equal(ranks.count, 0);
  assert_string_equal(
      ranks.why.characters,
      "another process that runs is local rank 0 of this job already; only one process for each rank that Imitation starts is counted");
  Child waiting = rank_child(rank_of(scratch.path, 0, 1), gpu);
  std::this_thread::sleep_for(short_time);
  first.kill_it();
  assert_int_equal(waiting.result(), 1);
}

void it_is_refused_in_another_folder_too(void**) {
  const Scratch scratch, other;
  Child first = rank_child(rank_of(scratch.path, 0, 1), gpu);
  assert_int_equal(first.result(), 1);
  RankIdentity me = rank_of(other.path, 0, 1);
  me.folders[1] = scratch.path.c_str();
  assert_int_equal(ranks_on_device(me, gpu, short_time).count, 0);
}

void a_forked_child_is_no_rank_of_its_own(void**) {
  const Scratch scratch;
  const RankIdentity me = rank_of(scratch.path, 0, 2), other = rank_of(scratch.path, 1, 2);
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 0);
  Child second = rank_child(other, gpu);
  assert_int_equal(second.result(), 2);
  Child forked([&] {
    const int count = ranks_on_device(me, gpu, no_time).count;
    if (ranks_on_device(me, other_gpu, no_time).count != 0) return 99;
    leave_ranks();
    return count;
  });
  assert_int_equal(forked.result(), 2);
  assert_int_equal(std::filesystem::file_size(scratch.of_user() + "/" + scratch.files()[0]), std::strlen(gpu) + 1);
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 2);
  forked.end();
  assert_int_equal(scratch.files().size(), 2);
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 2);
  leave_ranks();
}

void a_forked_child_keeps_no_dead_rank_alive(void**) {
  const Scratch scratch;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  Child rank([&] {
    const int count = ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time).count;
    const pid_t forked = fork();
    if (forked == 0) {
      alarm(60);
      close(ends[1]);
      char nothing;
      _exit(read(ends[0], &nothing, 1) == 0 ? 0 : 1);  // lives until the test closes the other end
    }
    return count;
  });
  assert_int_equal(rank.result(), 1);
  rank.kill_it();
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time).count, 1);
  close(ends[0]);
  close(ends[1]);
  leave_ranks();
}

// argv of this program when a rank begins it anew.
constexpr const char* as_rank = "--as-rank";

void a_rank_that_execs_enters_again(void**) {
  const Scratch scratch;
  Child rank([&] {
    ranks_on_device(rank_of(scratch.path, 0, 2), gpu, no_time);
    execl("/proc/self/exe", "test_ranks", as_rank, scratch.path.c_str(), static_cast<char*>(nullptr));
    return 9;
  });
  // The program that is begun enters a second device, and no more the first.
  const auto until = std::chrono::steady_clock::now() + long_time;
  int count = 0;
  while (count == 0 && std::chrono::steady_clock::now() < until) {
    const int on_other = ranks_on_device(rank_of(scratch.path, 1, 2), other_gpu, short_time).count;
    if (on_other == 2) count = on_other;
  }
  assert_int_equal(count, 2);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 1, 2), gpu, no_time).count, 1);
  leave_ranks();
}

void ranks_are_found_in_each_of_the_folders(void**) {
  const Scratch one, two;
  RankIdentity me = rank_of(one.path, 0, 2), other = rank_of("/nowhere", 1, 2);
  me.folders[1] = other.folders[2] = two.path.c_str();
  other.folders[1] = "relative";
  Child second = rank_child(other, gpu, no_time);
  assert_int_equal(second.result(), 0);
  assert_int_equal(two.files().size(), 1);
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 2);
  leave_ranks();
}

void without_a_folder_the_number_is_unknown(void**) {
  const Scratch scratch;
  const std::string file = scratch.path + "/file";
  std::ofstream(file) << "x";
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.path);
  assert_non_null(std::strstr(ranks_on_device(rank_of(".", 0, 1), gpu, no_time).why.characters, ".: not an absolute path"));
  std::filesystem::current_path(before);
  for (const char* folder : {"/nowhere", "relative", "", "/proc", file.c_str()}) {
    const RanksOnDevice ranks = ranks_on_device(rank_of(folder, 0, 1), gpu, no_time);
    assert_int_equal(ranks.count, 0);
    assert_true(std::strstr(ranks.why.characters, *folder ? folder : "no folder is named") != nullptr);
  }
}

void a_folder_that_others_may_use_is_not_used(void**) {
  const Scratch scratch;
  for (const mode_t mode : {0755u, 0770u, 0701u, 0777u}) {
    assert_true(mkdir(scratch.of_user().c_str(), 0700) == 0 && chmod(scratch.of_user().c_str(), mode) == 0);
    const RanksOnDevice ranks = ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time);
    assert_int_equal(ranks.count, 0);
    assert_non_null(std::strstr(ranks.why.characters, "belongs to another user, or others may use it"));
    assert_int_equal(rmdir(scratch.of_user().c_str()), 0);
  }
}

void a_folder_that_is_made_has_mode_0700_whatever_the_umask(void**) {
  const Scratch scratch;
  const mode_t before = umask(0);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time).count, 1);
  umask(before);
  struct stat status{};
  assert_int_equal(stat(scratch.of_user().c_str(), &status), 0);
  assert_int_equal(status.st_mode & 07777, 0700);
  assert_int_equal(stat((scratch.of_user() + "/" + scratch.files()[0]).c_str(), &status), 0);
  assert_int_equal(status.st_mode & 07777, 0600);
  leave_ranks();
}

void links_are_not_followed(void**) {
  const Scratch scratch, target, second;
  assert_int_equal(chmod(target.path.c_str(), 0700), 0);
  assert_int_equal(symlink(target.path.c_str(), scratch.of_user().c_str()), 0);
  RankIdentity me = rank_of(scratch.path, 0, 1);
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 0);
  assert_true(std::filesystem::is_empty(target.path));
  me.folders[1] = second.path.c_str();
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 1);
  assert_int_equal(second.files().size(), 1);
  const std::string name = second.files()[0];
  leave_ranks();
  // The file of a rank, its own or another's.
  const std::string precious = target.path + "/precious";
  std::ofstream(precious) << "not to be written\n";
  const std::string own = second.of_user() + "/" + name, of_other = own.substr(0, own.size() - 1) + "1";
  assert_int_equal(symlink(precious.c_str(), own.c_str()) | symlink(precious.c_str(), of_other.c_str()), 0);
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 0);
  assert_int_equal(unlink(own.c_str()), 0);
  assert_int_equal(mkdir(own.c_str(), 0700), 0);
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 0);
  assert_int_equal(rmdir(own.c_str()) | mkfifo(own.c_str(), 0600), 0);
  assert_int_equal(ranks_on_device(me, gpu, no_time).count, 0);
  assert_int_equal(unlink(own.c_str()), 0);
  me.local_ranks = 2;
  assert_int_equal(ranks_on_device(me, gpu, short_time).count, 0);
  leave_ranks();
  std::ifstream left(precious);
  std::string content;
  assert_true(std::getline(left, content) && content == "not to be written");
}

void other_files_in_the_folder_are_left_alone(void**) {
  const Scratch scratch;
  assert_int_equal(mkdir(scratch.of_user().c_str(), 0700), 0);
  const char* const others[] = {"0123456789abcdef",      "0123456789abcdef-", "0123456789abcdef-x", "0123456789abcdeg-1", "note",
                                "0123456789abcdef-99999"};
  for (const char* other : others) std::ofstream(scratch.of_user() + "/" + other) << "x";
  std::ofstream(scratch.of_user() + "/0123456789abcdef-15") << "x";
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time).count, 1);
  leave_ranks();
  assert_int_equal(scratch.files().size(), std::size(others));
}

void a_file_without_a_whole_line_is_no_entry(void**) {
  const Scratch scratch;
  Child other([&] {
    const RankIdentity me = rank_of(scratch.path, 1, 2);
    ranks_on_device(me, gpu, no_time);
    return truncate((scratch.of_user() + "/" + scratch.files()[0]).c_str(), 5) == 0;
  });
  assert_int_equal(other.result(), 1);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 0, 2), gpu, no_time).count, 0);
  leave_ranks();
}

void a_folder_that_another_user_made_first_is_not_used(void**) {
  if (geteuid() != 0) skip_because("only root may do this");
  const Scratch scratch, second;
  assert_int_equal(chmod(scratch.path.c_str(), 01777) | chmod(second.path.c_str(), 01777), 0);
  // Root squats for the other user, and the other user for root.
  assert_int_equal(mkdir(scratch.of_user(another_user).c_str(), 0700), 0);
  const auto as_other = [&](int folders) {
    return Child([&, folders] {
      if (setgid(another_user) != 0 || setuid(another_user) != 0) return 99;
      RankIdentity me = rank_of(scratch.path, 0, 1);
      if (folders > 1) me.folders[1] = second.path.c_str();
      return ranks_on_device(me, gpu, no_time).count;
    });
  };
  assert_int_equal(as_other(1).result(), 0);
  assert_int_equal(as_other(2).result(), 1);
  // A file of root in a folder of the other user.
  const std::string own = second.of_user(another_user) + "/0000000000000007-0";
  unlink(own.c_str());
  std::ofstream(own) << "";
  assert_int_equal(chmod(own.c_str(), 0666), 0);
  assert_int_equal(as_other(2).result(), 0);
  assert_int_equal(mkdir(scratch.of_user().c_str(), 0700) | chown(scratch.of_user().c_str(), another_user, another_user), 0);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time).count, 0);
}

void users_are_counted_apart(void**) {
  if (geteuid() != 0) skip_because("only root may do this");
  const Scratch scratch;
  assert_int_equal(chmod(scratch.path.c_str(), 01777), 0);
  std::vector<Child> children;
  for (int rank = 0; rank < 4; ++rank) {
    for (const uid_t user : {uid_t{0}, another_user}) {
      children.push_back(Child([&, user, rank] {
        if (user != 0 && (setgid(user) != 0 || setuid(user) != 0)) return 99;
        return ranks_on_device(rank_of(scratch.path, rank, 4), user != 0 && rank == 3 ? other_gpu : gpu, long_time).count;
      }));
    }
  }
  for (std::size_t i = 0; i < children.size(); i += 2) {
    assert_int_equal(children[i].result(), 4);
    assert_int_equal(children[i + 1].result(), i / 2 == 3 ? 1 : 3);
  }
}

void ranks_with_process_ids_of_their_own_are_counted(void**) {
  const Scratch scratch;
  const auto in_container = [&](int rank) {
    return Child([&, rank] {
      if (unshare(CLONE_NEWPID) != 0) return 99;
      int ends[2];
      if (pipe(ends) != 0) return 99;
      const pid_t inner = fork();  // is process 1
      if (inner == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const auto count = static_cast<char>(ranks_on_device(rank_of(scratch.path, rank, 3), gpu, long_time).count);
        if (write(ends[1], &count, 1) != 1) _exit(1);
        pause();
      }
      char count = 99;
      return read(ends[0], &count, 1) == 1 ? static_cast<int>(count) : 99;
    });
  };
  Child first = in_container(0), second = in_container(1);
  const int count = ranks_on_device(rank_of(scratch.path, 2, 3), gpu, milliseconds(geteuid() == 0 ? 20000 : 500)).count;
  const int counts[] = {first.result(), second.result()};
  leave_ranks();
  if (counts[0] == 99 || counts[1] == 99) skip_because("this process may not do so");
  assert_true(count == 3 && counts[0] == 3 && counts[1] == 3);
}

void a_full_folder_is_followed_by_the_next(void**) {
  if (geteuid() != 0) skip_because("only root may do this");
  const Scratch full, next;
  Child child([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 99;
    if (mount("none", full.path.c_str(), "tmpfs", 0, "nr_inodes=2,mode=0700") != 0) return 99;
    RankIdentity me = rank_of(full.path, 0, 1);
    const RanksOnDevice refused = ranks_on_device(me, gpu, no_time);
    if (refused.count != 0 || !std::strstr(refused.why.characters, "No space left on device")) return 98;
    me.folders[1] = next.path.c_str();
    return ranks_on_device(me, gpu, no_time).count;
  });
  const int result = child.result();
  if (result == 99) skip_because("this process may not do so");
  assert_int_equal(result, 1);
  assert_int_equal(next.files().size(), 1);
}

void a_file_that_cannot_be_written_is_not_left(void**) {
  const Scratch full, next;
  RankIdentity me = rank_of(full.path, 0, 1);
  Child child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit no_bytes{0, 0};
    if (setrlimit(RLIMIT_FSIZE, &no_bytes) != 0) return 99;
    const RanksOnDevice ranks = ranks_on_device(me, gpu, no_time);
    return ranks.count == 0 && std::strstr(ranks.why.characters, "a file cannot be written: File too large") ? 42 : 98;
  });
  assert_int_equal(child.result(), 42);
  assert_int_equal(full.files().size(), 0);
}

void a_program_that_closes_what_it_does_not_know_is_missed(void**) {
  const Scratch scratch;
  const std::string own_file = scratch.path + "/of-the-program";
  Child closing([&] {
    const RankIdentity me = rank_of(scratch.path, 0, 2);
    ranks_on_device(me, gpu, no_time);
    std::vector<int> replaced;
    for (int i = 3; i < 256; ++i) {
      struct stat status{};
      if (fstat(i, &status) != 0 || !S_ISREG(status.st_mode)) continue;
      close(i);
      if (open(own_file.c_str(), O_RDWR | O_CREAT, 0600) != i) return 99;
      replaced.push_back(i);
    }
    const RanksOnDevice ranks = ranks_on_device(me, other_gpu, no_time);
    leave_ranks();
    for (const int of_program : replaced) {
      if (fcntl(of_program, F_GETFD) < 0) return 97;
    }
    return !replaced.empty() && ranks.count == 0 && std::strstr(ranks.why.characters, "this program closed the file") ? 42 : 98;
  });
  assert_int_equal(closing.result(), 42);
  assert_int_equal(std::filesystem::file_size(own_file), 0);
  const RanksOnDevice ranks = ranks_on_device(rank_of(scratch.path, 1, 2), gpu, short_time);
  assert_int_equal(ranks.count, 0);
  leave_ranks();
}

void no_descriptor_is_left_open(void**) {
  const Scratch scratch;
  const auto lowest = [] {
    const int descriptor = dup(0);
    close(descriptor);
    return descriptor;
  };
  const int before = lowest();
  errno = EDOM;
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 0, 2), gpu, short_time).count, 0);
  assert_int_equal(errno, EDOM);
  assert_int_equal(ranks_on_device(rank_of("/nowhere", 0, 2), gpu, short_time).count, 0);
  assert_int_equal(ranks_on_device(rank_of(scratch.path, 0, 1, 9), gpu, short_time).count, 1);
  assert_int_equal(fcntl(before, F_GETFD), FD_CLOEXEC);
  leave_ranks();
  assert_int_equal(errno, EDOM);
  assert_int_equal(lowest(), before);
}

void threads_enter_at_once(void**) {
  const Scratch scratch;
  Child other([&] {
    const RankIdentity me = rank_of(scratch.path, 0, 2);
    ranks_on_device(me, gpu, no_time);
    return ranks_on_device(me, other_gpu, no_time).count;
  });
  assert_int_equal(other.result(), 0);
  for (int round = 0; round < 10; ++round) {
    constexpr int many = 8;
    std::atomic<int> wrong{0}, ready{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < many; ++i) {
      threads.emplace_back([&, i] {
        for (++ready; ready < many;) {
        }
        if (ranks_on_device(rank_of(scratch.path, 1, 2), i % 2 ? gpu : other_gpu, long_time).count != 2) ++wrong;
      });
    }
    for (std::thread& thread : threads) thread.join();
    assert_int_equal(wrong, 0);
    assert_int_equal(scratch.files().size(), 2);
    // Others see it alive.
    Child third = rank_child(rank_of(scratch.path, 1, 2, 7), gpu, no_time);
    assert_int_equal(third.result(), 2);
    assert_int_equal(std::filesystem::file_size(scratch.of_user() + "/" + scratch.files()[1]),
                     std::strlen(gpu) + std::strlen(other_gpu) + 2);
    leave_ranks();
  }
}

void a_fork_at_any_moment_does_no_harm(void**) {
  if (watches_threads) skip_because("ThreadSanitizer allows no threads in a child of a fork");
  const Scratch scratch;
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) {
      ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time);
      leave_ranks();
    }
  });
  int wrong = 0;
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      const int count = ranks_on_device(rank_of(scratch.path, 0, 1), gpu, no_time).count;
      leave_ranks();
      _exit(count);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) ++wrong;
  }
  stop = true;
  busy.join();
  assert_int_equal(wrong, 0);
}

// Ranks come, are killed and come again; what any of them counts is right or unknown.
void no_wrong_number_is_reported_while_ranks_are_killed(void**) {
  const Scratch scratch;
  constexpr int ranks = 8;
  std::mt19937 random(42);
  int sure = 0;
  const auto start = [&](int rank) {
    const RankIdentity me = rank_of(scratch.path, rank, ranks);
    return Child([&me, rank] { return ranks_on_device(me, rank < 5 ? gpu : other_gpu, milliseconds(200)).count; });
  };
  std::vector<std::unique_ptr<Child>> running(ranks);
  for (int step = 0; step < 120; ++step) {
    const auto rank = static_cast<std::size_t>(random() % ranks);
    running[rank].reset();  // killed, wherever it is
    running[rank] = std::make_unique<Child>(start(static_cast<int>(rank)));
    if (step % 4) continue;
    for (std::size_t other = 0; other < ranks; ++other) {
      if (!running[other]) running[other] = std::make_unique<Child>(start(static_cast<int>(other)));
    }
    const int count = running[rank]->result(), right = rank < 5 ? 5 : 3;
    assert_true(count == 0 || count == right);
    sure += count == right;
  }
  assert_true(sure > 0);
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::strcmp(arguments[1], as_rank) == 0) {
    ranks_on_device(rank_of(arguments[2], 0, 2), other_gpu, no_time);
    pause();
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(each_launcher_says_which_rank_of_how_many_this_is),
      cmocka_unit_test(the_launcher_that_is_nearest_to_the_ranks_counts),
      cmocka_unit_test(slurm_counts_ranks_by_node),
      cmocka_unit_test(what_is_no_number_of_ranks_is_refused_with_a_reason),
      cmocka_unit_test(without_a_launcher_the_number_is_unknown),
      cmocka_unit_test(jobs_differ_by_what_launchers_call_them),
      cmocka_unit_test(where_a_launcher_has_no_name_for_a_job_it_is_the_parent),
      cmocka_unit_test(folders_of_the_environment_are_not_used_with_more_privileges),
      cmocka_unit_test(a_number_that_is_given_is_taken),
      cmocka_unit_test(a_device_without_a_uuid_is_refused),
      cmocka_unit_test(one_rank_alone_is_sure_at_once),
      cmocka_unit_test(sixteen_ranks_at_once_are_counted_by_device),
      cmocka_unit_test(a_rank_that_is_missing_makes_the_number_unknown),
      cmocka_unit_test(a_rank_waits_for_the_others),
      cmocka_unit_test(a_rank_may_use_several_devices),
      cmocka_unit_test(a_killed_rank_is_missed_and_its_file_is_removed),
      cmocka_unit_test(a_job_that_starts_again_with_its_id_is_counted_anew),
      cmocka_unit_test(what_a_dead_rank_used_is_not_counted_for_its_successor),
      cmocka_unit_test(of_processes_that_want_the_number_of_a_rank_one_gets_it),
      cmocka_unit_test(a_second_process_with_the_number_of_a_rank_is_refused_while_that_lives),
      cmocka_unit_test(it_is_refused_in_another_folder_too),
      cmocka_unit_test(a_forked_child_is_no_rank_of_its_own),
      cmocka_unit_test(a_forked_child_keeps_no_dead_rank_alive),
      cmocka_unit_test(a_rank_that_execs_enters_again),
      cmocka_unit_test(ranks_are_found_in_each_of_the_folders),
      cmocka_unit_test(without_a_folder_the_number_is_unknown),
      cmocka_unit_test(a_folder_that_others_may_use_is_not_used),
      cmocka_unit_test(a_folder_that_is_made_has_mode_0700_whatever_the_umask),
      cmocka_unit_test(links_are_not_followed),
      cmocka_unit_test(other_files_in_the_folder_are_left_alone),
      cmocka_unit_test(a_file_without_a_whole_line_is_no_entry),
      cmocka_unit_test(a_folder_that_another_user_made_first_is_not_used),
      cmocka_unit_test(users_are_counted_apart),
      cmocka_unit_test(ranks_with_process_ids_of_their_own_are_counted),
      cmocka_unit_test(a_full_folder_is_followed_by_the_next),
      cmocka_unit_test(a_file_that_cannot_be_written_is_not_left),
      cmocka_unit_test(a_program_that_closes_what_it_does_not_know_is_missed),
      cmocka_unit_test(no_descriptor_is_left_open),
      cmocka_unit_test(threads_enter_at_once),
      cmocka_unit_test(a_fork_at_any_moment_does_no_harm),
      cmocka_unit_test(no_wrong_number_is_reported_while_ranks_are_killed),
  };
  return cmocka_run_group_tests_name("ranks", tests, nullptr, nullptr);
}
