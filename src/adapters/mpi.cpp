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
#include "mpi_json.hpp"
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
  Target(std::FILE* file, cadastre_report_format format) noexcept : file_(file), format_(format) {}
  static Target named(const char* filename, cadastre_report_format format) noexcept {
    Target target(nullptr, format);
    target.is_named_ = true;
    target.filename_ = filename;
    return target;
  }
  // On the rank that writes. Nothing is opened for a format that is none.
  void open() {
    if (format_ != CADASTRE_REPORT_TEXT && format_ != CADASTRE_REPORT_JSON)
      throw failure(CADASTRE_INVALID_ARG_3, "the format on rank 0 is neither CADASTRE_REPORT_TEXT nor CADASTRE_REPORT_JSON");
    if (is_named_) {
      own_.reset(filename_ ? std::fopen(filename_, "w") : fdopen(dup(STDOUT_FILENO), "w"));
      if (!own_) throw failure(CADASTRE_ERRNO, "rank 0 cannot open the file for the report: ", std::strerror(errno));
      file_ = own_.get();
    }
    if (!file_) throw failure(CADASTRE_INVALID_ARG_2, "the file is NULL on rank 0 of the communicator; pass an open stream there");
    if (std::ferror(file_)) throw failure(CADASTRE_ERRNO, "the stream's error indicator was set before, on rank 0; clearerr clears it");
  }
  void write(const Figures& figures, const Extremes& extremes) {
    const std::string text = format_ == CADASTRE_REPORT_JSON ? json_of(figures, extremes) : table_of(figures, extremes);
    errno = 0;
    const bool is_whole = std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
    const bool is_closed = !own_ || std::fclose(own_.release()) == 0;
    if (!is_whole || !is_closed) throw failure(CADASTRE_ERRNO, "rank 0 could not write the whole report: ", std::strerror(errno));
  }

 private:
  std::FILE* file_;
  cadastre_report_format format_;
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
  std::array<std::uint64_t, kinds> bytes_of_an_outlier;
  std::array<std::int32_t, memory_types> rank_with_most;  // -1: nothing lives
  std::int32_t rank_with_peak;
};

std::int32_t rank_with_most(const Figure& figure) noexcept {
  const Entry& most = figure.bytes.maximum();
  return most.value > 0 ? most.place.rank : -1;
}

Question question_on(const Figures& figures) noexcept {
  Question question{};
  for (std::size_t kind = 0; kind < kinds; ++kind) question.bytes_of_an_outlier[kind] = bytes_of_an_outlier(figures.ranks.peak[kind]);
  for (std::size_t type = 0; type < memory_types; ++type) question.rank_with_most[type] = rank_with_most(figures.ranks.live[type]);
  question.rank_with_peak = rank_with_most(figures.ranks.peak[together]);
  return question;
}

// The result is on rank 0. holders_of: called on the rank that is asked.
template <class HoldersOf>
std::optional<Holders> fetch_holders(int from, int rank, MPI_Comm all, HoldersOf holders_of) {
  if (from < 0 || (rank != 0 && rank != from)) return {};
  Holders holders{};
  if (rank == from) holders = holders_of();
  if (from == 0) return holders;
  if (rank == 0) {
    check(MPI_Recv(&holders, sizeof holders, MPI_BYTE, from, 0, all, MPI_STATUS_IGNORE));
  } else {
    check(MPI_Send(&holders, sizeof holders, MPI_BYTE, 0, 0, all));
  }
  return holders;
}

// The result is on rank 0, and has no holders. own: of this rank.
Extremes count_outliers(const Members& own, const Question& question, MPI_Comm all) {
  Extremes extremes{};
  std::array<std::uint64_t, kinds> is_outlier{};
  for (std::size_t kind = 0; kind < kinds; ++kind) is_outlier[kind] = own.peak[kind].bytes.sum > question.bytes_of_an_outlier[kind];
  check(MPI_Reduce(is_outlier.data(), extremes.outliers.data(), kinds, MPI_UINT64_T, MPI_SUM, 0, all));
  return extremes;
}

// The result is on rank 0.
void fetch_all_holders(Extremes& extremes, const Question& question, int rank, MPI_Comm all) {
  for (std::size_t type = 0; type < memory_types; ++type) {
    extremes.holders_of_most[type] =
        fetch_holders(question.rank_with_most[type], rank, all, [=] { return holders_of_process(type_of(type)); });
  }
  extremes.holders_at_peak = fetch_holders(question.rank_with_peak, rank, all, holders_at_peak_of_process);
}

Place place_of(int rank) {
  Place place{rank, {}};
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  check(MPI_Get_processor_name(name, &length));
  std::copy_n(name, std::min(static_cast<std::size_t>(length), sizeof place.host - 1), place.host);
  return place;
}

struct Steps {
  Communicator all;
  int rank = 0;
  Question question{};
  Extremes extremes;                 // on rank 0
  std::unique_ptr<Figures> figures;  // of all on rank 0
};

// begin: what a rank has to do that may fail.
template <class Begin>
void add_up(Steps& steps, MPI_Comm communicator, Begin begin) {
  admit(communicator);
  check(MPI_Comm_dup(communicator, steps.all.place()));
  const MPI_Comm all = steps.all.get();
  check(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(all, &steps.rank));

  Place place{};
  Reduction reduction;
  std::unique_ptr<Members> own;
  agree(all, steps.rank, attempt([&] {
          begin(steps.rank);
          reduction.make();
          place = place_of(steps.rank);
          steps.figures = std::make_unique<Figures>(figures_of_process(place));
          own = std::make_unique<Members>(steps.figures->ranks);
        }));
  reduce(*steps.figures, reduction, place, all);
  steps.question = question_on(*steps.figures);
  check(MPI_Bcast(&steps.question, sizeof steps.question, MPI_BYTE, 0, all));
  steps.extremes = count_outliers(*own, steps.question, all);
}

void report(MPI_Comm communicator, Target& target) {
  Steps steps;
  add_up(steps, communicator, [&](int rank) {
    if (rank == 0) target.open();
  });
  fetch_all_holders(steps.extremes, steps.question, steps.rank, steps.all.get());
  agree(steps.all.get(), steps.rank, attempt([&] {
          if (steps.rank == 0) target.write(*steps.figures, steps.extremes);
        }));
}

constexpr double unknown_share = -1;

cadastre_mpi_spread_struct spread_of(const Spread& from) noexcept {
  cadastre_mpi_spread_struct spread{};
  spread.minimum = from.minimum;
  spread.mean = from.mean();
  spread.maximum = from.maximum().value;
  spread.sum = from.sum;
  spread.minimum_share = spread.mean_share = spread.maximum_share = spread.sum_share = unknown_share;
  spread.minimum_rank = static_cast<std::int32_t>(from.rank_with_minimum);
  spread.maximum_rank = from.maximum().place.rank;
  return spread;
}

// memory: of all nodes together.
cadastre_mpi_spread_struct spread_of(const Figure& from, std::uint64_t memory) noexcept {
  cadastre_mpi_spread_struct spread = spread_of(from.bytes);
  if (from.share.members == from.bytes.members) {
    spread.minimum_share = from.share.minimum;
    spread.mean_share = from.share.sum / static_cast<double>(from.share.members);
    spread.maximum_share = from.share.maximum;
  }
  if (memory > 0) spread.sum_share = static_cast<double>(spread.sum) / static_cast<double>(memory);
  return spread;
}

void write_statistics(const Figures& figures, std::size_t kind, std::uint64_t outliers, cadastre_mpi_statistics_struct& to) noexcept {
  const Members &ranks = figures.ranks, &nodes = figures.nodes;
  const std::uint64_t memory = memory_for(kind, figures), host = memory_for(CADASTRE_HOST, figures);
  to.ranks = static_cast<std::int32_t>(ranks.resident.bytes.members);
  to.nodes = static_cast<std::int32_t>(nodes.resident.bytes.members);
  to.outliers = static_cast<std::int32_t>(outliers);
  to.unread_ranks = static_cast<std::int32_t>(figures.unread);
  to.memory_bytes = memory;
  to.live = spread_of(ranks.live[kind], memory);
  to.peak = spread_of(ranks.peak[kind], memory);
  to.refused = spread_of(ranks.refused[kind]);
  to.resident = spread_of(ranks.resident, host);
  to.most_resident = spread_of(ranks.most_resident, host);
  to.nodes_live = spread_of(nodes.live[kind], memory);
  to.nodes_peak = spread_of(nodes.peak[kind], memory);
  to.nodes_refused = spread_of(nodes.refused[kind]);
  to.nodes_resident = spread_of(nodes.resident, host);
  to.nodes_most_resident = spread_of(nodes.most_resident, host);
}

std::size_t kind_of(cadastre_memory_type type) {
  if (type == CADASTRE_ALL_MEMORY_TYPES) return together;
  if (type < 0 || type >= CADASTRE_MEMORY_TYPE_COUNT)
    throw failure(CADASTRE_INVALID_ARG_2, "a rank asks for neither a memory type nor CADASTRE_ALL_MEMORY_TYPES");
  return static_cast<std::size_t>(type);
}

void statistics(MPI_Comm communicator, cadastre_memory_type type, cadastre_mpi_statistics_struct* to) {
  Steps steps;
  std::size_t kind = 0;
  add_up(steps, communicator, [&](int) {
    kind = kind_of(type);
    if (!to) throw failure(CADASTRE_INVALID_ARG_3, "a rank passes NULL for where to write the statistics");
    if (to->struct_size != sizeof *to)
      throw failure(CADASTRE_INVALID_ARG_3, "the struct_size on a rank is unknown; begin with cadastre_mpi_statistics_struct_zero");
  });
  check(MPI_Bcast(steps.figures.get(), sizeof *steps.figures, MPI_BYTE, 0, steps.all.get()));
  check(MPI_Bcast(steps.extremes.outliers.data(), kinds, MPI_UINT64_T, 0, steps.all.get()));
  write_statistics(*steps.figures, kind, steps.extremes.outliers[kind], *to);
}

thread_local char last_message[message_room];

template <class Work>
cadastre_exit_code keep_message(Work work) noexcept {
  const Failure failed = attempt(work);
  std::snprintf(last_message, sizeof last_message, "%s", failed.message);
  return failed.code;
}

MPI_Comm communicator_of(MPI_Fint handle) noexcept {
  int begun = 0, ended = 0;
  const bool may_convert = MPI_Initialized(&begun) == MPI_SUCCESS && MPI_Finalized(&ended) == MPI_SUCCESS && begun && !ended;
  return may_convert ? MPI_Comm_f2c(handle) : MPI_COMM_NULL;
}

}  // namespace
}  // namespace cadastre::adapter

cadastre_exit_code cadastre_report_mpi(MPI_Comm communicator, FILE* file) {
  return cadastre_report_mpi_format(communicator, file, CADASTRE_REPORT_TEXT);
}

cadastre_exit_code cadastre_report_mpi_format(MPI_Comm communicator, FILE* file, cadastre_report_format format) {
  using namespace cadastre::adapter;
  Target target(file, format);
  return keep_message([&] { report(communicator, target); });
}

cadastre_exit_code cadastre_get_statistics_mpi(MPI_Comm communicator, cadastre_memory_type type,
                                               cadastre_mpi_statistics_struct* statistics) {
  using namespace cadastre::adapter;
  return keep_message([&] { cadastre::adapter::statistics(communicator, type, statistics); });
}

cadastre_exit_code cadastre_report_mpi_to_file_f(MPI_Fint communicator, const char* filename) {
  return cadastre_report_mpi_format_to_file_f(communicator, filename, CADASTRE_REPORT_TEXT);
}

cadastre_exit_code cadastre_report_mpi_format_to_file_f(MPI_Fint communicator, const char* filename, cadastre_report_format format) {
  using namespace cadastre::adapter;
  Target target = Target::named(filename, format);
  return keep_message([&] { report(communicator_of(communicator), target); });
}

cadastre_exit_code cadastre_get_statistics_mpi_f(MPI_Fint communicator, cadastre_memory_type type,
                                                 cadastre_mpi_statistics_struct* statistics) {
  return cadastre_get_statistics_mpi(cadastre::adapter::communicator_of(communicator), type, statistics);
}

const char* cadastre_mpi_last_error_message(void) { return cadastre::adapter::last_message; }
