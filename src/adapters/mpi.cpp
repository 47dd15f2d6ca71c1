// Tangled from org/adapters/mpi.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// One report on the memory of all ranks.
#include "cadastre_mpi.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "mpi_figures.hpp"
#include "mpi_table.hpp"

namespace cadastre::adapter {
namespace {

constexpr std::size_t message_room = 512;

struct Failure {
  cadastre_exit_code code = CADASTRE_SUCCESS;
  char message[message_room] = "";
};

Failure failure(cadastre_exit_code code, const char* message, const char* detail = "") noexcept {
  Failure made{code, ""};
  std::snprintf(made.message, sizeof made.message, "%s%s", message, detail);
  return made;
}

// Throws the failure of a call of MPI.
void check(int result) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw failure(CADASTRE_FAILURE, "MPI reports an error: ", text);
}

// Does work that may throw.
template <class Work>
Failure attempt(Work work) noexcept {
  try {
    work();
    return {};
  } catch (const Failure& thrown) {
    return thrown;
  } catch (const std::bad_alloc&) {
    return failure(CADASTRE_ALLOCATION_FAILED, "there is no host memory for the report of all ranks");
  } catch (...) {
    return failure(CADASTRE_FAILURE, "an unexpected C++ exception was thrown");
  }
}

// What has a function that frees it.
template <class Handle, int (*release)(Handle*)>
class Owned {
 public:
  explicit Owned(Handle none) : handle_(none), none_(none) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle_ != none_) release(&handle_);
  }
  Handle* place() { return &handle_; }
  Handle get() const { return handle_; }
  bool is_none() const { return handle_ == none_; }

 private:
  Handle handle_, none_;
};

struct Communicator : Owned<MPI_Comm, MPI_Comm_free> {
  Communicator() : Owned(MPI_COMM_NULL) {}
};
struct Type : Owned<MPI_Datatype, MPI_Type_free> {
  Type() : Owned(MPI_DATATYPE_NULL) {}
};
struct Operation : Owned<MPI_Op, MPI_Op_free> {
  Operation() : Owned(MPI_OP_NULL) {}
};

bool may_call_from_here() {
  int level = MPI_THREAD_SINGLE, is_main = 0;
  check(MPI_Query_thread(&level));
  check(MPI_Is_thread_main(&is_main));
  return is_main || level == MPI_THREAD_SERIALIZED || level == MPI_THREAD_MULTIPLE;
}

void admit(MPI_Comm communicator) {
  int begun = 0, ended = 0, is_inter = 0;
  check(MPI_Initialized(&begun));
  check(MPI_Finalized(&ended));
  if (!begun) throw failure(CADASTRE_NOT_SUPPORTED, "MPI is not initialized; call this after MPI_Init");
  if (ended) throw failure(CADASTRE_NOT_SUPPORTED, "MPI was finalized; call this before MPI_Finalize");
  if (!may_call_from_here()) {
    throw failure(CADASTRE_NOT_SUPPORTED,
                  "MPI does not allow calls of this thread; call this from the thread that initialized MPI, or ask MPI_Init_thread for "
                  "MPI_THREAD_SERIALIZED");
  }
  if (communicator == MPI_COMM_NULL)
    throw failure(CADASTRE_INVALID_ARG_1, "the communicator is MPI_COMM_NULL; pass one that this rank is in");
  check(MPI_Comm_test_inter(communicator, &is_inter));
  if (is_inter)
    throw failure(CADASTRE_INVALID_ARG_1, "the communicator is an intercommunicator; pass an intracommunicator, as of MPI_Intercomm_merge");
}

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

class Target {
 public:
  explicit Target(std::FILE* file) noexcept : file_(file) {}
  static Target named(const char* filename) noexcept {
    Target target(nullptr);
    target.is_named_ = true;
    target.filename_ = filename;
    return target;
  }
  // On the rank that writes.
  void open() {
    if (is_named_) {
      own_.reset(filename_ ? std::fopen(filename_, "w") : fdopen(dup(STDOUT_FILENO), "w"));
      if (!own_) throw failure(CADASTRE_ERRNO, "rank 0 cannot open the file for the report: ", std::strerror(errno));
      file_ = own_.get();
    }
    if (!file_) throw failure(CADASTRE_INVALID_ARG_2, "the file is NULL on rank 0 of the communicator; pass an open stream there");
    if (std::ferror(file_)) throw failure(CADASTRE_ERRNO, "the stream's error indicator was set before, on rank 0; clearerr clears it");
  }
  void write(const std::string& text) {
    errno = 0;
    const bool is_whole = std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
    const bool is_closed = !own_ || std::fclose(own_.release()) == 0;
    if (!is_whole || !is_closed) throw failure(CADASTRE_ERRNO, "rank 0 could not write the whole report: ", std::strerror(errno));
  }

 private:
  std::FILE* file_;
  bool is_named_ = false;
  const char* filename_ = nullptr;
  std::unique_ptr<std::FILE, Close> own_;
};

// Throws, on all ranks, the failure with the largest code that one of them has.
void agree(MPI_Comm all, int rank, Failure own) {
  struct {
    int code, rank;
  } mine{own.code, rank}, worst{};
  check(MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, all));
  if (worst.code == CADASTRE_SUCCESS) return;
  check(MPI_Bcast(own.message, message_room, MPI_CHAR, worst.rank, all));
  own.code = worst.code;
  throw own;
}

// As MPI calls it: there is always one element, which may not be aligned.
void merge_elements(void* from, void* into, int* number, MPI_Datatype*) {
  for (int i = 0; i < *number; ++i) {
    Figures one, other;
    const std::size_t at = static_cast<std::size_t>(i) * sizeof one;
    std::memcpy(&one, static_cast<char*>(from) + at, sizeof one);
    std::memcpy(&other, static_cast<char*>(into) + at, sizeof other);
    merge(one, other);
    std::memcpy(static_cast<char*>(into) + at, &other, sizeof other);
  }
}

struct Reduction {
  Type type;
  Operation operation;

  void make() {
    check(MPI_Type_contiguous(sizeof(Figures), MPI_BYTE, type.place()));
    check(MPI_Type_commit(type.place()));
    check(MPI_Op_create(merge_elements, 1, operation.place()));
  }
  // The result is on rank 0 of the communicator.
  void reduce(Figures& figures, MPI_Comm members) const {
    const auto mine = std::make_unique<Figures>(figures);
    check(MPI_Reduce(mine.get(), &figures, 1, type.get(), operation.get(), 0, members));
  }
};

void reduce(Figures& figures, const Reduction& reduction, const Place& place, MPI_Comm all) {
  Communicator node, first_ranks;
  int rank_on_node = 0;
  check(MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, place.rank, MPI_INFO_NULL, node.place()));
  check(MPI_Comm_rank(node.get(), &rank_on_node));
  reduction.reduce(figures, node.get());
  check(MPI_Comm_split(all, rank_on_node == 0 ? 0 : MPI_UNDEFINED, place.rank, first_ranks.place()));
  if (first_ranks.is_none()) return;
  close_node(figures, place);
  reduction.reduce(figures, first_ranks.get());
}

struct Question {
  std::array<std::uint64_t, memory_types> bytes_of_an_outlier;
  std::array<std::int32_t, memory_types> rank_with_most;  // -1: nothing lives
};

Question question_on(const Figures& figures) noexcept {
  Question question{};
  for (std::size_t type = 0; type < memory_types; ++type) {
    const Entry& most = figures.ranks.live[type].bytes.most[0];
    question.bytes_of_an_outlier[type] = bytes_of_an_outlier(figures.ranks.peak[type]);
    question.rank_with_most[type] = most.value > 0 ? most.place.rank : -1;
  }
  return question;
}

// The result is on rank 0.
std::optional<Holders> fetch_holders(std::size_t type, int from, int rank, MPI_Comm all) {
  if (from < 0 || (rank != 0 && rank != from)) return {};
  Holders holders{};
  if (rank == from) holders = holders_of_process(static_cast<cadastre_memory_type>(type));
  if (from == 0) return holders;
  if (rank == 0) {
    check(MPI_Recv(&holders, sizeof holders, MPI_BYTE, from, 0, all, MPI_STATUS_IGNORE));
  } else {
    check(MPI_Send(&holders, sizeof holders, MPI_BYTE, 0, 0, all));
  }
  return holders;
}

// The result is on rank 0. own: of this rank; figures: of all, on rank 0.
Extremes extremes_of(const Members& own, const Figures& figures, int rank, MPI_Comm all) {
  Question question = question_on(figures);
  check(MPI_Bcast(&question, sizeof question, MPI_BYTE, 0, all));
  Extremes extremes{};
  std::array<std::uint64_t, memory_types> is_outlier{};
  for (std::size_t type = 0; type < memory_types; ++type) {
    is_outlier[type] = own.peak[type].bytes.sum > question.bytes_of_an_outlier[type];
  }
  check(MPI_Reduce(is_outlier.data(), extremes.outliers.data(), memory_types, MPI_UINT64_T, MPI_SUM, 0, all));
  for (std::size_t type = 0; type < memory_types; ++type) {
    extremes.holders_of_most[type] = fetch_holders(type, question.rank_with_most[type], rank, all);
  }
  return extremes;
}

Place place_of(int rank) {
  Place place{rank, {}};
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  check(MPI_Get_processor_name(name, &length));
  std::copy_n(name, std::min(static_cast<std::size_t>(length), sizeof place.host - 1), place.host);
  return place;
}

void report(MPI_Comm communicator, Target& target) {
  admit(communicator);
  Communicator all;
  int rank = 0;
  check(MPI_Comm_dup(communicator, all.place()));
  check(MPI_Comm_set_errhandler(all.get(), MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(all.get(), &rank));

  Place place{};
  Reduction reduction;
  std::unique_ptr<Figures> figures;
  std::unique_ptr<Members> own;
  agree(all.get(), rank, attempt([&] {
          if (rank == 0) target.open();
          reduction.make();
          place = place_of(rank);
          figures = std::make_unique<Figures>(figures_of_process(place));
          own = std::make_unique<Members>(figures->ranks);
        }));
  reduce(*figures, reduction, place, all.get());
  const Extremes extremes = extremes_of(*own, *figures, rank, all.get());
  agree(all.get(), rank, attempt([&] {
          if (rank == 0) target.write(table_of(*figures, extremes));
        }));
}

thread_local char last_message[message_room];

cadastre_exit_code report_and_keep(MPI_Comm communicator, Target target) noexcept {
  const Failure failed = attempt([&] { report(communicator, target); });
  std::snprintf(last_message, sizeof last_message, "%s", failed.message);
  return failed.code;
}

}  // namespace
}  // namespace cadastre::adapter

cadastre_exit_code cadastre_report_mpi(MPI_Comm communicator, FILE* file) {
  using namespace cadastre::adapter;
  return report_and_keep(communicator, Target(file));
}

cadastre_exit_code cadastre_report_mpi_to_file_f(MPI_Fint communicator, const char* filename) {
  using namespace cadastre::adapter;
  int begun = 0, ended = 0;
  const bool may_convert = MPI_Initialized(&begun) == MPI_SUCCESS && MPI_Finalized(&ended) == MPI_SUCCESS && begun && !ended;
  return report_and_keep(may_convert ? MPI_Comm_f2c(communicator) : MPI_COMM_NULL, Target::named(filename));
}

const char* cadastre_mpi_last_error_message(void) { return cadastre::adapter::last_message; }
