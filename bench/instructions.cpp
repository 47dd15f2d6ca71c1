// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Performs workloads for a counter of instructions, each in a process of its own:
//   instructions ways|calls [BLOCKS [OPERATIONS [SUBJECT]]]
// tools/bench-instructions starts it, and puts together what it prints and what callgrind does.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "blocks.hpp"
#include "devices.hpp"
#include "ways.hpp"
#ifdef CADASTRE_BENCH_SUNDIALS_HELPER
#include <cadastre_sundials.h>
#endif

// Not inlined, not a tail call, and under a name that callgrind is told.
extern "C" [[gnu::noinline]] void measured(void (*body)(void*), void* state) {
  body(state);
  asm volatile("");
}

namespace {

using bench::Contents, bench::Live, bench::Places, bench::replace;

std::size_t blocks = 10000, most_operations = 10000;
std::string only;         // the subject that is counted; empty: all
std::string recorded_in;  // a folder; empty: nothing is recorded
bool all_went_well = true;

// Performs the step as often as is counted, and then counts; the step answers whether it went well.
template <class Step>
bool repeat(std::size_t operations, Step step) {
  std::size_t wrong = 0;
  auto loop = [&] {
    for (std::size_t number = 0; number < operations; ++number) wrong += !step();
  };
  loop();
  measured([](void* state) { (*static_cast<decltype(loop)*>(state))(); }, &loop);
  return wrong == 0;
}

// Has a child call the work, which answers whether it went well.
template <class Work>
void in_a_child(const std::string& subject, const std::string& way, const char* kind, std::size_t operations, Work work) {
  if (!only.empty() && only != subject) return;
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    std::printf("%d\t%s\t%s\t%s\t%zu\n", getpid(), subject.c_str(), way.c_str(), kind, operations);
    std::fflush(stdout);
    const bool well = work();
    if (!recorded_in.empty()) std::filesystem::remove_all(recorded_in);
    _exit(well ? 0 : 1);
  }
  int status = 1;
  if (child > 0 && waitpid(child, &status, 0) == child && status == 0) return;
  std::fprintf(stderr, "instructions: %s by %s failed\n", subject.c_str(), way.c_str());
  all_went_well = false;
}

template <class Way, class Body>
void add(const std::string& subject, Body body) {
  in_a_child(subject, Way::name, "all", most_operations, [&] {
    Way way;
    Live<Way> live(way, blocks);
    Places places(blocks);
    return live.complete() && repeat(most_operations, [&] { return body(way, live[places.next()]); });
  });
}

template <class Way>
void add_pair(const std::string& subject) {
  add<Way>(subject, [](Way& way, void*& block) {
    replace<Contents::zeros>(way, block);
    return block != nullptr;
  });
}

template <class Way>
void rows_of() {
  if constexpr (std::is_same_v<Way, bench::Scan>) return;  // a minute for each row
  add<Way>("W1", [](Way& way, void*& block) {
    replace(way, block);
    return block != nullptr;
  });
  add_pair<Way>("W1 zeroed");
  if constexpr (requires(Way way) { way.size_of(nullptr); }) {
    add<Way>("W2", [](Way& way, void*& block) { return way.size_of(block) >= bench::block_size; });
  }
  if constexpr (requires(Way way) { way.around(nullptr); }) {
    add<Way>("W2i", [](Way& way, void*& block) { return way.around(static_cast<const char*>(block) + 27) != 0; });
  }
  for (const std::size_t kibibytes : {64u, 1024u}) {
    in_a_child(std::to_string(kibibytes) + "KiB", Way::name, "all", 1000, [&] {
      Way way;
      return repeat(1000, [&] {
        void* const block = bench::filled(way, kibibytes << 10, Contents::any);
        if (block) way.deallocate(block, kibibytes << 10);
        return block != nullptr;
      });
    });
  }
}

template <class Result, class... Arguments>
constexpr auto at_once(Result (*)(Arguments...)) -> Result (*)(Arguments...) {
  return [](Arguments...) { return Result(); };
}

// What a workload calls.
class Caller {
 public:
  explicit Caller(bool real) : real_(real) {}
  template <class Result, class... Arguments>
  auto operator()(Result (*function)(Arguments...)) const {
    auto* chosen = real_ ? function : at_once(function);
    asm volatile("" : "+r"(chosen));
    return chosen;
  }

 private:
  bool real_;
};

template <class Workload>
void count(const std::string& subject, const std::string& way, std::size_t operations, Workload workload) {
  operations = std::min(operations, most_operations);
  in_a_child(subject, way, "without", operations, [&] { return workload(Caller(false), operations), true; });
  in_a_child(subject, way, "with", operations, [&] { return workload(Caller(true), operations); });
}

using Text = std::array<char, 64>;

Text text_of(std::string_view characters) {
  Text text{};
  std::copy(characters.begin(), characters.end(), text.begin());
  return text;
}

const std::vector<Text> up_to_16 = {text_of("x"),          text_of("psi"),          text_of("density"),        text_of("gradient"),
                                    text_of("overlap_ij"), text_of("coefficients"), text_of("jastrow factor"), text_of("electron density")};
const std::vector<Text> up_to_48 = {text_of("molecular orbitals"),
                                    text_of("atomic orbitals, spin up"),
                                    text_of("gradients of the Jastrow factor"),
                                    text_of("inverse of the Slater matrix, spin up"),
                                    text_of("inverse of the Slater matrix, spin down"),
                                    text_of("distances of electrons and nuclei, rescaled"),
                                    text_of("derivatives of electron-electron distances, 2nd"),
                                    text_of("coefficients of the expansion, in order of atoms")};
const std::vector<Text> of_40 = {text_of("two-electron integrals of the first tile")};

std::vector<Text> a_thousand() {
  std::vector<Text> labels;
  for (int number = 1000; number < 2000; ++number) labels.push_back(text_of("walker " + std::to_string(number)));
  return labels;
}

// What is asked for in turn.
struct Asked {
  std::size_t size = bench::block_size;
  cadastre_flags flags = 0;
  std::size_t alignment = 0;
  bool limited = false, interned = false;
  std::vector<Text> labels = {};
  cadastre_pool pool = CADASTRE_POOL_NONE;
  const char* recorded_by = nullptr;  // a variable
};

// The child's own folder, for what it records.
void record_by(const char* variable) {
  static char folder[] = "/tmp/cadastre-instructions-XXXXXX";
  if (!mkdtemp(folder)) return;
  setenv(variable, std::string(variable) == "CADASTRE_TRACE" ? (std::string(folder) + "/trace").c_str() : folder, 1);
  recorded_in = folder;
}

bool perform_pairs(Caller call, std::size_t operations, const Asked& asked, std::size_t live) {
  auto* const allocate = call(cadastre_malloc);
  auto* const deallocate = call(cadastre_free);
  if (asked.recorded_by) record_by(asked.recorded_by);
  const bench::InContext owner(CADASTRE_BACKEND_HOST, asked.pool);
  if (asked.limited) cadastre_set_limit(owner.context, CADASTRE_HOST, std::size_t{1} << 40);
  cadastre_memory_info_struct request = owner.request(CADASTRE_HOST, asked.size, asked.flags);
  request.alignment = asked.alignment;
  std::vector<const char*> interned;
  for (const Text& label : asked.labels) interned.push_back(asked.interned ? cadastre_label(label.data()) : nullptr);
  std::size_t turn = 0;
  Text buffer{};
  const auto get = [&](auto* function) {
    if (!interned.empty()) {
      turn = turn + 1 < interned.size() ? turn + 1 : 0;
      buffer = asked.labels[turn];
      request.label = interned[turn] ? interned[turn] : buffer.data();
    }
    return function(owner.context, request);
  };
  std::vector<void*> blocks_(live);
  for (void*& block : blocks_) block = get(cadastre_malloc);
  Places places(live);
  return repeat(operations, [&] {
    void*& block = blocks_[places.next()];
    const cadastre_exit_code freed = deallocate(owner.context, block);
    block = get(allocate);
    return freed == CADASTRE_SUCCESS && block;
  });
}

void pairs(const std::string& subject, const Asked& asked) {
  const bool small = asked.size == bench::block_size;
  count(subject, "cadastre", small ? most_operations : 1000,
        [&](Caller call, std::size_t operations) { return perform_pairs(call, operations, asked, small ? blocks : 10); });
}

// The same of the library alone, without what a vendor's double does that it calls.
template <class Workload>
void count_in_library(const std::string& subject, std::size_t operations, Workload workload) {
  operations = std::min(operations, most_operations);
  in_a_child(subject, "cadastre", "library", operations, [&] { return workload(operations); });
}

// The double of CUDA's runtime, which a build has beside the program.
std::string cuda_double;

// Who asks for memory of a device, and gives it back.
struct OfADevice {
  const char* label = nullptr;
  bool limited = false;
  std::size_t size = 4096;
};

// body: gets contexts with a pool of a device, and what to ask them for.
template <class Body>
void on_a_device(const char* subject, const OfADevice& asked, Body body) {
  if (access(cuda_double.c_str(), R_OK) != 0) return;
  count_in_library(subject, most_operations, [&](std::size_t operations) {
    setenv("CADASTRE_CUDA_LIBRARY", cuda_double.c_str(), 1);
    const bench::InContext owner(CADASTRE_BACKEND_CUDA, CADASTRE_POOL_CACHING), other(CADASTRE_BACKEND_CUDA, CADASTRE_POOL_CACHING);
    if (asked.limited) cadastre_set_limit(owner.context, CADASTRE_DEVICE, std::size_t{1} << 40);
    cadastre_memory_info_struct request = owner.request(CADASTRE_DEVICE, asked.size, CADASTRE_UNINITIALIZED);
    request.label = asked.label;
    return body(std::array{owner.context, other.context}, request, operations);
  });
}

// The default queue, or a stream of its own for each other number; in the process that counts.
cadastre_queue queue_of_number(unsigned number) {
  static std::array<void*, 3> streams = {};
  auto* const create = bench::function_in<int(void**)>(bench::cuda_runtime(), "cudaStreamCreate");
  if (number > 0 && !streams[number] && create) create(&streams[number]);
  return number > 0 ? streams[number] : CADASTRE_DEFAULT_QUEUE;
}

// How many contexts have pairs by turns, and numbers of the queues in whose order they are.
struct Turns {
  unsigned contexts = 1, allocates = 0, frees = 0;
};

void pair_of_a_device(const char* subject, const OfADevice& asked, const Turns& turns = {}) {
  on_a_device(subject, asked, [&](const auto& contexts, const auto& request, std::size_t operations) {
    const cadastre_queue from = queue_of_number(turns.allocates), to = queue_of_number(turns.frees);
    return repeat(operations, [&, turn = 0u]() mutable {
      const cadastre_context context = contexts[turn++ % turns.contexts];
      void* const block = cadastre_malloc_async(context, request, from);
      const cadastre_exit_code freed = cadastre_free_async(context, block, to);
      return freed == CADASTRE_SUCCESS && block;
    });
  });
}

// What one thread has freed on a queue another one allocates there.
void malloc_of_what_another_thread_freed() {
  on_a_device("malloc of a device, freed by another thread", {}, [](const auto& contexts, const auto& request, std::size_t operations) {
    const cadastre_queue queue = queue_of_number(1);
    std::thread([&] {
      std::vector<void*> all(2 * operations);
      for (void*& block : all) block = cadastre_malloc_async(contexts[0], request, queue);
      for (void* const block : all) cadastre_free_async(contexts[0], block, queue);
    }).join();
    return repeat(operations, [&] { return cadastre_malloc_async(contexts[0], request, queue) != nullptr; });
  });
}

// A hundred blocks that live at once, freed as they were allocated.
void a_hundred_of_a_device(const char* subject, unsigned queue_number) {
  on_a_device(subject, {}, [&](const auto& contexts, const auto& request, std::size_t operations) {
    const cadastre_queue queue = queue_of_number(queue_number);
    std::array<void*, 100> all = {};
    return repeat(operations / all.size(), [&] {
      bool is_right = true;
      for (void*& block : all) is_right &= (block = cadastre_malloc_async(contexts[0], request, queue)) != nullptr;
      for (void* const block : all) is_right &= cadastre_free_async(contexts[0], block, queue) == CADASTRE_SUCCESS;
      return is_right;
    });
  });
}

void pairs_of_a_device() {
  pair_of_a_device("pair, pool of a device", {});
  pair_of_a_device("pair, pool of a device, label of 40, limit", {.label = of_40[0].data(), .limited = true});
  pair_of_a_device("pair, pool of a device, a caller's queue", {}, {.allocates = 1, .frees = 1});
  pair_of_a_device("pair, pool of a device, freed on another queue", {}, {.allocates = 1, .frees = 2});
  pair_of_a_device("pair, pool of a device, freed on the default queue", {}, {.allocates = 1, .frees = 0});
  pair_of_a_device("pair, pool of a device, contexts by turns", {}, {.contexts = 2});
  pair_of_a_device("pair of 2 MiB, pool of a device", {.size = std::size_t{2} << 20});
  malloc_of_what_another_thread_freed();
  a_hundred_of_a_device("pair, pool of a device, 100 live", 0);
  a_hundred_of_a_device("pair, pool of a device, 100 live, a caller's queue", 1);
}

void all_pairs() {
  pairs("pair", {});
  pairs("pair, limit", {.limited = true});
  pairs("pair, alignment 64", {.alignment = 64});
  pairs("pair, 8 labels up to 16", {.labels = up_to_16});
  pairs("pair, 8 labels up to 48", {.labels = up_to_48});
  pairs("pair, 8 labels interned", {.interned = true, .labels = up_to_16});
  pairs("pair, 1000 labels", {.labels = a_thousand()});
  pairs("pair, label of 40, limit, alignment 64", {.alignment = 64, .limited = true, .labels = of_40});
  pairs("pair, label of 40, limit, alignment 64, traced",
        {.alignment = 64, .limited = true, .labels = of_40, .recorded_by = "CADASTRE_TRACE"});
  pairs("pair, label of 40, limit, alignment 64, black box",
        {.alignment = 64, .limited = true, .labels = of_40, .recorded_by = "CADASTRE_BLACKBOX"});
  pairs("pair, uninitialised", {.flags = CADASTRE_UNINITIALIZED});
  pairs("pair, pool", {.pool = CADASTRE_POOL_CACHING});
  pairs_of_a_device();
  for (const std::size_t kibibytes : {64u, 1024u}) {
    pairs("pair of " + std::to_string(kibibytes) + " KiB, uninitialised", {.size = kibibytes << 10, .flags = CADASTRE_UNINITIALIZED});
  }
}

void fill() {
  count("malloc that fills", "cadastre", most_operations, [](Caller call, std::size_t operations) {
    auto* const allocate = call(cadastre_malloc);
    const bench::InContext owner(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
    const cadastre_memory_info_struct request = owner.request(CADASTRE_HOST, bench::block_size, 0);
    return repeat(operations, [&] { return allocate(owner.context, request) != nullptr; });
  });
}

void free_in_another_thread() {
  count("free by another thread", "cadastre", most_operations, [](Caller call, std::size_t operations) {
    auto* const deallocate = call(cadastre_free);
    const bench::InContext owner(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
    std::vector<void*> all(2 * operations);
    for (void*& block : all) block = cadastre_malloc(owner.context, owner.request(CADASTRE_HOST, bench::block_size, 0));
    auto next = all.begin();
    bool well = false;
    std::thread([&] { well = repeat(operations, [&] { return deallocate(owner.context, *next++) == CADASTRE_SUCCESS; }); }).join();
    return well;
  });
}

// A context with as many blocks as are wanted, and one that is plain memory of the C library.
struct Filled {
  Filled() : live(way, blocks), places(blocks), plain(bench::block_size) {}
  char* next() { return static_cast<char*>(live[places.next()]); }

  bench::Cadastre way;
  Live<bench::Cadastre> live;
  Places places;
  std::vector<char> plain;
};

// body: gets Filled and what is called, and answers a step.
template <class Body, class Function>
void on_blocks(const std::string& subject, Function* function, Body body) {
  count(subject, "cadastre", most_operations, [&](Caller call, std::size_t operations) {
    Filled filled;
    return filled.live.complete() && repeat(operations, body(filled, call(function)));
  });
}

void look_ups_and_copies() {
  on_blocks("exact look-up", cadastre_get_malloc_info, [](Filled& filled, auto* look_up) {
    return [&filled, look_up, info = cadastre_memory_info_struct()]() mutable {
      return look_up(filled.way.context, filled.next(), &info) == CADASTRE_SUCCESS;
    };
  });
  on_blocks("interior look-up", cadastre_find_block, [](Filled& filled, auto* look_up) {
    return [&filled, look_up, info = cadastre_memory_info_struct()]() mutable {
      return look_up(filled.way.context, filled.next() + 27, &info, nullptr) == CADASTRE_SUCCESS;
    };
  });
  const auto in_no_block = [](bool stack) {
    return [stack](Filled& filled, auto* look_up) {
      return [&filled, look_up, stack, info = cadastre_memory_info_struct()]() mutable {
        char here = 0;
        return look_up(filled.way.context, stack ? &here : filled.plain.data(), &info) != CADASTRE_SUCCESS;
      };
    };
  };
  on_blocks("look-up of a stack address", cadastre_get_malloc_info, in_no_block(true));
  on_blocks("look-up of a malloc address", cadastre_get_malloc_info, in_no_block(false));
  on_blocks("copy, block to block", cadastre_memcpy, [](Filled& filled, auto* copy) {
    return [&filled, copy] {
      char* const to = filled.next();
      return copy(filled.way.context, to, filled.next(), bench::block_size) == CADASTRE_SUCCESS;
    };
  });
  on_blocks("copy from plain memory", cadastre_memcpy, [](Filled& filled, auto* copy) {
    return [&filled, copy] { return copy(filled.way.context, filled.next(), filled.plain.data(), bench::block_size) == CADASTRE_SUCCESS; };
  });
  // From one end of a block that stands alone to the other, by addresses inside it.
  on_blocks("copy within a block of 1 MiB", cadastre_memcpy, [](Filled& filled, auto* copy) {
    constexpr std::size_t size = 1 << 20;
    return [&filled, copy, block = static_cast<char*>(filled.way.allocate_zeroed(size))] {
      return copy(filled.way.context, block + 64, block + size / 2, bench::block_size) == CADASTRE_SUCCESS;
    };
  });
  // 60 and 64 bytes are of one size class, here and in the C library.
  on_blocks("realloc in place", cadastre_realloc, [](Filled& filled, auto* resize) {
    return [&filled, resize, block = static_cast<void*>(nullptr), grows = false]() mutable {
      if (!grows) block = filled.next();
      const std::size_t size = grows ? 64 : 60;
      grows = !grows;
      return resize(filled.way.context, block, size) == block;
    };
  });
}

// body: gets a context and the caller, and answers a step.
template <class Body>
void on_context(const std::string& subject, std::size_t operations, Body body) {
  count(subject, "cadastre", operations, [&](Caller call, std::size_t number) {
    const bench::Cadastre way;
    return repeat(number, body(way.context, call));
  });
}

void other_calls() {
  on_context("lease", 5000, [](cadastre_context context, Caller call) {
    return [context, acquire = call(cadastre_workspace_acquire), release = call(cadastre_workspace_release)] {
      const std::size_t size = 4096;
      void* buffer = nullptr;
      cadastre_lease lease = CADASTRE_NULL_LEASE;
      const cadastre_exit_code acquired = acquire(context, CADASTRE_HOST, 1, &size, &buffer, &lease);
      return acquired == CADASTRE_SUCCESS && release(context, lease) == CADASTRE_SUCCESS;
    };
  });
  on_context("context", 2000, [](cadastre_context, Caller call) {
    return [create = call(cadastre_context_create_with_options), destroy = call(cadastre_context_destroy)] {
      cadastre_context_options_struct options = cadastre_context_options_struct_zero;
      options.backend = CADASTRE_BACKEND_HOST;
      return destroy(create(&options)) == CADASTRE_SUCCESS;
    };
  });
  on_context("lock and unlock", 5000, [](cadastre_context context, Caller call) {
    return [context, lock = call(cadastre_lock), unlock = call(cadastre_unlock)] {
      const cadastre_exit_code locked = lock(context), unlocked = unlock(context);
      return locked == CADASTRE_SUCCESS && unlocked == CADASTRE_SUCCESS;
    };
  });
  on_blocks("statistics", cadastre_get_statistics, [](Filled& filled, auto* get) {
    return [&filled, get, statistics = cadastre_statistics_struct_zero]() mutable {
      return get(filled.way.context, CADASTRE_HOST, &statistics) == CADASTRE_SUCCESS;
    };
  });
}

// What the C library has for some of them.
void calls_of_the_c_library() {
  count("pair, alignment 64", "glibc", most_operations, [](Caller call, std::size_t operations) {
    std::vector<void*> live(blocks);
    for (void*& block : live) block = bench::AlignedGlibc().allocate_zeroed(bench::block_size);
    Places places(blocks);
    return repeat(operations, [&, align = call(posix_memalign), put = call(std::free)] {
      void*& block = live[places.next()];
      put(block);
      if (align(&block, 64, bench::block_size) != 0) return false;
      std::memset(block, 0, bench::block_size);
      return true;
    });
  });
  count("realloc in place", "glibc", most_operations, [](Caller call, std::size_t operations) {
    void* const block = std::malloc(bench::block_size);
    bool grows = false;
    const bool well = repeat(operations, [&, resize = call(std::realloc)] {
      grows = !grows;
      return resize(block, grows ? 60 : 64) == block;
    });
    std::free(block);
    return well;
  });
}

#ifdef CADASTRE_BENCH_SUNDIALS
// makes: from a context of SUNDIALS a helper.
template <class Makes>
void pairs_of_helper(const std::string& way, Makes makes) {
  count("SUNDIALS' helper, pair", way, most_operations, [&](Caller call, std::size_t operations) {
    bench::Sundials sundials;
    SUNMemoryHelper const helper = makes(sundials);
    if (!helper) return false;
    std::vector<SUNMemory> live(blocks);
    const auto get = [&](SUNMemory& memory, auto* function) {
      return function(helper, &memory, bench::block_size, SUNMEMTYPE_HOST, nullptr) == 0;
    };
    for (SUNMemory& memory : live) {
      if (!get(memory, SUNMemoryHelper_Alloc)) return false;
    }
    Places places(blocks);
    return repeat(operations, [&, allocate = call(SUNMemoryHelper_Alloc), deallocate = call(SUNMemoryHelper_Dealloc)] {
      SUNMemory& memory = live[places.next()];
      return deallocate(helper, memory, nullptr) == 0 && get(memory, allocate);
    });
  });
}
#endif

void all_calls() {
  all_pairs();
  fill();
  free_in_another_thread();
  look_ups_and_copies();
  other_calls();
  calls_of_the_c_library();
#ifdef CADASTRE_BENCH_SUNDIALS
  pairs_of_helper("sundials", [](bench::Sundials& sundials) { return sundials.helper; });
#ifdef CADASTRE_BENCH_SUNDIALS_HELPER
  const bench::Cadastre ours;
  pairs_of_helper("cadastre", [&](bench::Sundials& sundials) { return SUNMemoryHelper_Cadastre(ours.context, sundials.context); });
#endif
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view which = argc > 1 ? argv[1] : "";
  if ((which != "ways" && which != "calls") || argc > 5) {
    std::fprintf(stderr, "instructions: say whether ways or calls, how many blocks and operations, and of which subject\n");
    return 2;
  }
  if (argc > 2) blocks = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) most_operations = std::strtoull(argv[3], nullptr, 10);
  if (argc > 4) only = argv[4];
  const std::string program = argv[0], folder = program.substr(0, program.rfind('/') + 1);
  cuda_double = folder + (folder.ends_with(".libs/") ? "../" : "") + "../tests/.libs/libcuda_double.so";
  bench::random_numbers();
  if (which == "calls") {
    all_calls();
  } else {
    bench::for_all_ways([]<class Way>() { rows_of<Way>(); });
    bench::for_ways<bench::AlignedGlibc, bench::Aligned<bench::Mimalloc>, bench::Demanding>(
        []<class Way>() { add_pair<Way>("W1 demanding"); });
  }
  return all_went_well ? 0 : 1;
}
