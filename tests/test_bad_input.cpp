// Tangled from org/tests/bad_input.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Calls every function with arguments that are drawn from the bytes of an input. FUZZ_SEED and FUZZ_COUNT choose which inputs,
// FUZZ_SECONDS for how long; with -DCADASTRE_LIBFUZZER it is a target for libFuzzer.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cadastre.h"
#ifndef CADASTRE_LIBFUZZER
#include "cmocka.hpp"
#endif

namespace {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {}
  bool empty() const { return next_ == end_; }
  std::uint64_t bits(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes && next_ != end_; ++i) value |= std::uint64_t{*next_++} << (8 * i);
    return value;
  }
  std::size_t below(std::size_t bound) { return bits(bound <= 256 ? 1 : bound <= 65536 ? 2 : 8) % bound; }
  // The last values of a byte, so that what is rare does not happen when the bytes are used up.
  bool once_in(std::size_t times) { return below(times) == times - 1; }
  template <class List>
  auto of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

struct Picture {
  cadastre_context handle;
  std::array<cadastre_statistics_struct, CADASTRE_MEMORY_TYPE_COUNT> statistics, on_device;
  std::array<cadastre_pool_info_struct, CADASTRE_MEMORY_TYPE_COUNT> pools;
  std::array<cadastre_workspace_info_struct, CADASTRE_MEMORY_TYPE_COUNT> workspaces;
  cadastre_context_options_struct options;
  cadastre_queue queue;
  std::int32_t querying;
};

[[gnu::format(printf, 1, 2), noreturn]] void broken(const char* format, ...);

struct Block {
  unsigned char* pointer;
  std::size_t size;
  std::size_t stride;
  cadastre_memory_type type;
  bool zeroed;  // bytes by which it grows are zero
  std::vector<unsigned char> contents;
  bool leased = false;  // it has been the workspace, and may be it still
};

struct Lease {
  cadastre_lease handle;
  std::vector<std::pair<void*, std::size_t>> buffers;
  bool touchable;
};

struct Known {
  cadastre_context handle;
  cadastre_backend backend = 0;
  int locks = 0;
  std::vector<Block> blocks;
  std::set<const void*> borrowed;
  std::vector<Lease> leases;
  std::vector<const void*> freed;
};

// Of a registered backend, or of its clone for a context.
struct Content {
  struct Granted {
    void* base;
    std::size_t size;
  };
  unsigned fails = 0;  // bit n: operation n fails now and then
  unsigned calls = 0;
  bool destroyed = false;
  std::map<void*, Granted> granted;
};

struct Registered {
  cadastre_backend number;
  Content* content;
};

constexpr std::size_t arena_size = 64 << 10;
alignas(4096) unsigned char arena[arena_size];

struct Row;

struct World {
  explicit World(Input& bytes) : in(bytes) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Input& in;
  std::vector<Known> contexts;
  std::vector<cadastre_context> destroyed;
  std::vector<Registered> backends;
  std::vector<cadastre_backend> resources;  // of the host
  std::deque<Content> contents;
  bool faulty = false;  // a backend is registered whose operations fail
  bool verbose = false;

  // Of the call under way.
  const Row* row = nullptr;
  std::vector<Picture> before;
  cadastre_context handle = CADASTRE_NULL_CONTEXT;
  Known* known = nullptr;  // null for a handle that is none
  cadastre_exit_code code = CADASTRE_SUCCESS;
  std::string given_text;
  std::vector<std::string> given;
  bool valid = true, invalid = false;  // neither: the test does not know

  cadastre_context of_destroyed() { return destroyed[in.below(destroyed.size())]; }
  Known* find(cadastre_context handle) {
    for (Known& known : contexts) {
      if (known.handle == handle) return &known;
    }
    return nullptr;
  }
  void refuse_if(bool wrong) { invalid = invalid || wrong; }
  void unsure_if(bool unsure) { valid = valid && !unsure; }
};

struct Row {
  const char* name;
  void (*make)(World&);
  std::vector<cadastre_exit_code> refused, changing;
  bool takes_context, reads;
};

World* current = nullptr;

// How often each function was served and refused, in all children; null for libFuzzer.
struct Outcomes {
  std::uint64_t served, refused;
};
Outcomes* outcomes = nullptr;

void count_outcome(const World& w, bool served);

void broken(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::printf("\n# ");
  std::vprintf(format, arguments);
  va_end(arguments);
  if (current && current->row) std::printf("\n# in %s(%s)", current->row->name, current->given_text.c_str());
  std::printf("\n");
  std::fflush(stdout);
  std::abort();
}

// memcmp and memcpy take no null pointer, even for 0 bytes.
bool same(const void* a, const void* b, std::size_t size) { return size == 0 || std::memcmp(a, b, size) == 0; }

#define CHECK(holds, ...) ((holds) ? static_cast<void>(0) : broken(__VA_ARGS__))

Picture picture_of(cadastre_context handle) {
  Picture p{};
  p.handle = handle;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const auto t = static_cast<std::size_t>(type);
    p.statistics[t] = p.on_device[t] = cadastre_statistics_struct_zero;
    p.pools[t] = cadastre_pool_info_struct_zero;
    p.workspaces[t] = cadastre_workspace_info_struct_zero;
    CHECK(cadastre_get_statistics(handle, type, &p.statistics[t]) == CADASTRE_SUCCESS, "no statistics");
    CHECK(cadastre_get_device_statistics(handle, type, 0, &p.on_device[t]) == CADASTRE_SUCCESS, "no statistics");
    CHECK(cadastre_pool_get_info(handle, type, &p.pools[t]) == CADASTRE_SUCCESS, "no information on a pool");
    CHECK(cadastre_workspace_get_info(handle, type, &p.workspaces[t]) == CADASTRE_SUCCESS, "no information on a workspace");
    const cadastre_statistics_struct& s = p.statistics[t];
    CHECK(s.allocations == s.deallocations + s.failed_deallocations + s.untracked_deallocations + s.live_blocks,
          "the statistics of %s do not add up", cadastre_string_of_memory_type(type));
    CHECK(s.untracked_deallocations == 0, "a backend returned memory that was not free");
  }
  p.options = cadastre_context_options_struct_zero;
  CHECK(cadastre_context_get_options(handle, &p.options) == CADASTRE_SUCCESS, "no options");
  CHECK(cadastre_context_get_default_queue(handle, &p.queue) == CADASTRE_SUCCESS, "no default queue");
  p.querying = cadastre_workspace_is_size_query(handle);
  return p;
}

std::vector<Picture> pictures(const World& w) {
  std::vector<Picture> all;
  for (const Known& known : w.contexts) all.push_back(picture_of(known.handle));
  return all;
}

// What a refused call may change: the counters of failures, and, before it is refused by a limit, for want of memory, or by a
// backend that fails, what is kept for later.
void overlook_failures(Picture& p, cadastre_exit_code code) {
  const bool gives_up = code == CADASTRE_ALLOCATION_FAILED || code == CADASTRE_LIMIT_EXCEEDED || code == CADASTRE_FAILURE;
  for (std::size_t t = 0; t < p.statistics.size(); ++t) {
    p.workspaces[t].failed_acquisitions = 0;
    for (cadastre_statistics_struct* s : {&p.statistics[t], &p.on_device[t]}) {
      s->failed_allocations = 0;
      if (!gives_up) continue;
      s->live_bytes = s == &p.on_device[t] ? 0 : s->live_bytes - p.workspaces[t].reserved_bytes;
      s->live_blocks = s->allocations = s->deallocations = s->failed_deallocations = 0;
      s->total_bytes = s->zeroed_bytes = s->high_water_mark_bytes = 0;
      s->high_water_mark_blocks = 0;
    }
    if (!gives_up) continue;
    p.pools[t] = {};
    p.workspaces[t].reserved_bytes = 0;
    p.workspaces[t].workspace_count = 0;
  }
}

template <class Struct>
void compare(const char* what, std::size_t type, const Struct& before, const Struct& after) {
  std::array<std::uint64_t, sizeof(Struct) / 8> a, b;
  static_assert(sizeof a == sizeof(Struct));
  std::memcpy(a.data(), &before, sizeof a);
  std::memcpy(b.data(), &after, sizeof b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i] == b[i], "%s of memory type %zu changed at offset %zu: %llu, then %llu", what, type, i * 8,
          static_cast<unsigned long long>(a[i]), static_cast<unsigned long long>(b[i]));
  }
}

void assert_unchanged(std::vector<Picture> before, std::vector<Picture> after, cadastre_exit_code code) {
  CHECK(before.size() == after.size(), "there were %zu contexts, and now %zu", before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    overlook_failures(before[i], code);
    overlook_failures(after[i], code);
    for (std::size_t t = 0; t < before[i].statistics.size(); ++t) {
      compare("the statistics", t, before[i].statistics[t], after[i].statistics[t]);
      compare("the statistics on device 0", t, before[i].on_device[t], after[i].on_device[t]);
      compare("the pool", t, before[i].pools[t], after[i].pools[t]);
      compare("the workspace", t, before[i].workspaces[t], after[i].workspaces[t]);
    }
    compare("the options", 0, before[i].options, after[i].options);
    CHECK(before[i].queue == after[i].queue, "the default queue changed");
    CHECK(before[i].querying == after[i].querying, "the size query changed");
  }
}

void assert_contents(const World& w) {
  for (const Known& known : w.contexts) {
    for (const Block& block : known.blocks) {
      CHECK(block.contents.empty() || same(block.pointer, block.contents.data(), block.size), "the %zu bytes at %p changed", block.size,
            static_cast<void*>(block.pointer));
    }
  }
}

[[gnu::format(printf, 2, 3)]] void note(World& w, const char* format, ...) {
  char text[400];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!w.given_text.empty()) w.given_text += ", ";
  w.given_text += text;
}

template <class Number>
Number give(World& w, const char* name, Number number) {
  const auto wide = static_cast<long long>(number);
  note(w, "%s=%lld", name, wide);
  w.given.push_back(std::to_string(wide));
  w.given.push_back(std::to_string(static_cast<unsigned long long>(number)));
  char hexadecimal[32];
  std::snprintf(hexadecimal, sizeof hexadecimal, "0x%llx", wide);
  w.given.push_back(hexadecimal);
  return number;
}

template <class Pointee>
Pointee* give(World& w, const char* name, Pointee* pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", reinterpret_cast<const void*>(pointer));
  note(w, "%s=%s", name, text);
  w.given.push_back(pointer ? text : "NULL");
  return pointer;
}

void give_text(World& w, const char* name, const char* characters) {
  give(w, name, characters);
  if (characters) w.given.push_back('"' + std::string(characters) + '"');
}

bool is_served(cadastre_exit_code code) {
  return code == CADASTRE_SUCCESS || code == CADASTRE_SIZE_INCREASED || code == CADASTRE_SIZE_UNCHANGED;
}

bool contains(const std::vector<cadastre_exit_code>& codes, cadastre_exit_code code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

// These are about the state of the thread, of the machine or of a text, and have nothing to repeat.
bool repeats_nothing(cadastre_reason reason) {
  constexpr std::array of_a_state = {
      CADASTRE_REASON_OUT_OF_HOST_MEMORY,   CADASTRE_REASON_SIZE_QUERY_ACTIVE, CADASTRE_REASON_SIZE_QUERY_INACTIVE,
      CADASTRE_REASON_LABEL_TOO_LONG,       CADASTRE_REASON_LEASE_ALIVE,       CADASTRE_REASON_MISSING_OPERATION,
      CADASTRE_REASON_INVALID_REGISTRATION, CADASTRE_REASON_WRITE_FAILED,      CADASTRE_REASON_BACKEND_CALL_FAILED,
      CADASTRE_REASON_BACKEND_FREE_FAILED,  CADASTRE_REASON_INTERNAL_ERROR,    CADASTRE_REASON_TOO_MANY_CONTEXTS,
      CADASTRE_REASON_HEAP_IN_USE,          CADASTRE_REASON_INVALID_IPC_HANDLE};
  return std::find(of_a_state.begin(), of_a_state.end(), reason) != of_a_state.end();
}

void assert_message(World& w, cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  CHECK(cadastre_last_error(context, &error) == CADASTRE_SUCCESS, "the last error cannot be read");
  CHECK(error.exit_code == w.code, "exit code %d, and %d in the last error: %s", w.code, error.exit_code, error.message);
  const bool plain = w.row->name == std::string("cadastre_malloc_plain");  // which compilers call for the other
  const std::string message = error.message, name = plain ? "cadastre_malloc" : w.row->name;
  CHECK(name == error.function, "the last error is one of %s", error.function);
  CHECK(message.starts_with(name + ": "), "the message does not begin with the function: %s", error.message);
  const std::size_t advice = message.rfind("; ");
  CHECK(advice != std::string::npos && advice + 2 < message.size() && message.size() < sizeof error.message - 1,
        "the message does not end with what to do: %s", error.message);
  CHECK(std::all_of(message.begin(), message.end(), [](unsigned char c) { return c >= ' ' && c != 0x7f; }),
        "the message has characters that move a cursor: %s", error.message);
  const bool repeats = std::any_of(w.given.begin(), w.given.end(),
                                   [&](const std::string& one) { return message.find(one, name.size()) != std::string::npos; });
  CHECK(repeats || repeats_nothing(error.reason), "the message mentions nothing that was given: %s", error.message);
}

// context: for which the last error is remembered.
bool conclude(World& w, cadastre_context context, cadastre_exit_code code) {
  w.code = code;
  if (w.verbose) std::printf("# %s(%s): %d\n", w.row->name, w.given_text.c_str(), code);
  count_outcome(w, is_served(code));
  const bool live = !w.row->takes_context || w.known;
  if (!live) CHECK(code == CADASTRE_INVALID_CONTEXT, "exit code %d for a handle that is no context's", code);
  if (is_served(code)) {
    CHECK(!w.invalid, "an invalid argument was accepted");
    return true;
  }
  CHECK(live ? contains(w.row->refused, code) : code == CADASTRE_INVALID_CONTEXT, "exit code %d is not documented", code);
  if (w.valid && !w.invalid && !w.faulty) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    broken("refused, although valid: %s", error.message);
  }
  assert_message(w, context);
  return false;
}

bool conclude(World& w, cadastre_exit_code code) { return conclude(w, w.row->takes_context ? w.handle : CADASTRE_NULL_CONTEXT, code); }

// Where a function returns no exit code, the last error has it.
cadastre_exit_code code_of(World& w, bool served) {
  if (served) return CADASTRE_SUCCESS;
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(w.row->takes_context ? w.handle : CADASTRE_NULL_CONTEXT, &error);
  CHECK(error.exit_code != CADASTRE_SUCCESS, "refused without an error");
  return error.exit_code;
}

std::int32_t emulated_devices = 0;

constexpr std::size_t most_bytes = PTRDIFF_MAX;
constexpr bool is_limit(std::size_t bytes) { return bytes <= most_bytes || bytes == CADASTRE_UNLIMITED || bytes == CADASTRE_LIMIT_NOTHING; }
constexpr std::size_t some_bytes = std::size_t{2} << 20;  // less than this is there, unless a limit says otherwise

cadastre_context draw_context(World& w) {
  cadastre_context handle = CADASTRE_NULL_CONTEXT;
  if (!w.contexts.empty()) handle = w.contexts[w.in.below(w.contexts.size())].handle;
  switch (w.in.below(64)) {
    case 60: handle = CADASTRE_NULL_CONTEXT; break;
    case 61:
      if (!w.destroyed.empty()) handle = w.of_destroyed();
      break;
    case 62: handle ^= w.in.of(std::array<std::int64_t, 4>{1, -1, std::int64_t{1} << 32, INT64_MIN}); break;
    case 63: handle = static_cast<cadastre_context>(w.in.bits(8)); break;
    default: break;
  }
  if (handle == CADASTRE_PROCESS) handle = -2;  // which several functions take: the chapter parents has claims on it
  w.handle = give(w, "context", handle);
  if (handle == CADASTRE_NULL_CONTEXT) w.given.push_back("CADASTRE_NULL_CONTEXT");
  w.known = w.find(handle);
  if (w.row->takes_context) w.refuse_if(!w.known);
  return handle;
}

const Picture* picture_before(const World& w) {
  for (const Picture& picture : w.before) {
    if (picture.handle == w.handle) return &picture;
  }
  return nullptr;
}

bool is_type(cadastre_memory_type type) { return type >= 0 && type < CADASTRE_MEMORY_TYPE_COUNT; }
bool is_limited_type(cadastre_memory_type type) { return is_type(type) || type == CADASTRE_ALL_MEMORY_TYPES; }

cadastre_memory_type draw_type(World& w) {
  constexpr std::array<cadastre_memory_type, 18> types = {0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, -1, 4, 14, 15, 16, INT_MIN};
  const cadastre_memory_type type = give(w, "type", w.in.once_in(60) ? static_cast<cadastre_memory_type>(w.in.bits(4)) : w.in.of(types));
  w.given.push_back(cadastre_string_of_memory_type(type));
  return type;
}

std::size_t draw_small(World& w) {
  constexpr std::array<std::size_t, 20> sizes = {0,   1,   2,    7,    8,    15,   16,   17,    63,   64,
                                                 100, 255, 1024, 4095, 4096, 4097, 9000, 70000, 1000, 300000};
  return w.in.once_in(3) ? w.in.bits(2) % 5000 : w.in.of(sizes);
}

std::size_t draw_size(World& w, const char* name = "size") {
  constexpr std::array<std::size_t, 12> sizes = {
      most_bytes,   most_bytes + 1,  most_bytes - 1,       most_bytes - 4096,          SIZE_MAX,          SIZE_MAX - 1,
      SIZE_MAX - 2, SIZE_MAX - 4096, std::size_t{1} << 48, (std::size_t{1} << 63) + 8, SIZE_MAX / 2 - 16, 1 << 20};
  if (w.in.once_in(30)) return give(w, name, w.in.bits(8) | std::size_t{1} << 47);
  return give(w, name, w.in.once_in(8) ? w.in.of(sizes) : draw_small(w));
}

bool under_valgrind();

// Valgrind 3.19 ends a program that asks for more than 16 MiB.
std::size_t draw_alignment(World& w) {
  constexpr std::array<std::size_t, 20> alignments = {0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 4096, 65536, 3, 24, 63, SIZE_MAX};
  static const unsigned powers = under_valgrind() ? 25 : 64;
  if (w.in.once_in(20)) return give(w, "alignment", std::size_t{1} << w.in.below(powers));
  return give(w, "alignment", w.in.once_in(40) ? w.in.bits(8) : w.in.of(alignments));
}

std::int32_t draw_device(World& w) {
  constexpr std::array<std::int32_t, 16> devices = {0, 0, 0, 0, 0, 0, 1024, 1024, 1024, 1025, 1, -1, -2, 3, INT_MIN + 2000, INT_MAX};
  const std::int32_t device = give(w, "device", w.in.once_in(40) ? static_cast<std::int32_t>(w.in.bits(4)) : w.in.of(devices));
  w.given.push_back(std::to_string(static_cast<long long>(device) - 1024));
  return device;
}

bool is_device(std::int32_t device) { return device == CADASTRE_DEFAULT_DEVICE || (device >= 1024 && device - 1024 < emulated_devices); }

cadastre_backend give_backend(World& w, cadastre_backend number) {
  give(w, "backend", number);
  w.given.push_back(cadastre_string_of_backend(number));
  return number;
}

cadastre_backend draw_backend(World& w) {
  constexpr std::array<cadastre_backend, 8> numbers = {1, 2, 3, -1, 4, 63, INT_MIN, INT_MAX};
  cadastre_backend number = CADASTRE_DEFAULT_BACKEND;
  switch (w.in.below(8)) {
    case 4: number = CADASTRE_BACKEND_HOST; break;
    case 5:
      if (!w.backends.empty()) number = w.in.of(w.backends).number;
      break;
    case 6: number = w.in.of(numbers); break;
    case 7: number = w.in.once_in(3) ? static_cast<cadastre_backend>(w.in.bits(4)) : CADASTRE_DEFAULT_BACKEND; break;
    default: break;
  }
  return give_backend(w, number);
}

// More often than not, for what others do not have.
cadastre_backend draw_registered_backend(World& w) {
  if (w.backends.empty() || w.in.once_in(2)) return draw_backend(w);
  return give_backend(w, w.in.of(w.backends).number);
}

bool works_on_host(const World& w) { return w.known && w.known->backend == CADASTRE_BACKEND_HOST; }

bool is_registered(const World& w, cadastre_backend number) {
  return std::any_of(w.backends.begin(), w.backends.end(), [=](const Registered& one) { return one.number == number; });
}

cadastre_queue draw_queue(World& w) {
  constexpr std::array<std::uintptr_t, 8> queues = {0, 0, 0, 0, 1, 2, 64, UINTPTR_MAX};
  const std::uintptr_t queue = w.in.once_in(20) ? w.in.bits(8) : w.in.of(queues);
  return give(w, "queue", reinterpret_cast<cadastre_queue>(queue));
}

// Not terminated within the memory that is mapped, and as long as may be read.
const char* unterminated(std::size_t length) {
  static char* const end = [] {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && mprotect(static_cast<char*>(pages) + page, page, PROT_NONE) == 0, "no pages");
    std::memset(pages, 'x', page);
    return static_cast<char*>(pages) + page;
  }();
  return end - length;
}

const char* draw_label(World& w, bool& too_long) {
  static const std::string longest(255, 'l'), longer(256, 'l');
  static const char* const stored = cadastre_label("stored");
  const std::array<const char*, 12> labels = {
      nullptr,       nullptr,        nullptr,          "", "walkers", "orbitals", stored, longest.c_str(), "\xff\xfe\x1b[31m\n",
      "a; b: \"c\"", longer.c_str(), unterminated(256)};
  const std::size_t which = w.in.below(labels.size());
  too_long = which >= 10;
  note(w, "label=%zu", which);
  if (labels[which] && !too_long) w.given.push_back(labels[which]);
  return labels[which];
}

// An address to look up, which is never accessed.
const void* draw_address(World& w) {
  const void* address = nullptr;
  const Known* known = w.known;
  if (!w.contexts.empty() && (!known || w.in.once_in(10))) known = &w.contexts[w.in.below(w.contexts.size())];
  const auto inside = [&](const void* pointer, std::size_t size) {
    return static_cast<const char*>(pointer) + (w.in.once_in(4) ? w.in.below(size + 2) : 0);
  };
  const std::size_t kind = w.in.below(16);
  if (known && kind < 8 && !known->blocks.empty()) {
    const Block& block = known->blocks[w.in.below(known->blocks.size())];
    address = kind < 6 ? static_cast<const void*>(block.pointer) : inside(block.pointer, block.size);
  } else if (known && kind == 8 && !known->freed.empty()) {
    address = known->freed[w.in.below(known->freed.size())];
  } else if (known && kind <= 10 && !known->borrowed.empty()) {
    address = inside(*std::next(known->borrowed.begin(), static_cast<std::ptrdiff_t>(w.in.below(known->borrowed.size()))), 100);
  } else if (known && kind == 11 && !known->leases.empty() && !known->leases.back().buffers.empty()) {
    address = inside(known->leases.back().buffers[0].first, 100);
  } else if (kind == 12) {
    address = arena + w.in.below(arena_size);
  } else if (kind >= 13 && kind < 15) {
    address =
        reinterpret_cast<const void*>(w.in.of(std::array<std::uintptr_t, 6>{0, 1, 4096, UINTPTR_MAX, UINTPTR_MAX - 4095, 1ull << 63}));
  } else if (kind == 15) {
    address = reinterpret_cast<const void*>(w.in.bits(8));
  }
  return give(w, "address", address);
}

struct Place {
  unsigned char* address;
  std::size_t room;  // bytes that are there
  bool bounded;      // the library knows the end
  bool unsure;
};

Place draw_place(World& w, const char* name) {
  Place place{nullptr, 0, false, false};
  const std::size_t kind = w.in.below(12);
  const Known* known = w.known;
  if (!w.contexts.empty() && (!known || w.in.once_in(12))) known = &w.contexts[w.in.below(w.contexts.size())];
  if (known && kind < 7 && !known->blocks.empty()) {
    const Block& block = known->blocks[w.in.below(known->blocks.size())];
    const std::size_t offset = w.in.once_in(2) || block.size == 0 ? 0 : w.in.below(block.size);
    place = {block.pointer + offset, block.size - offset, true, known != w.known || block.size == 0};
  } else if (known && kind == 7 && !known->leases.empty() && known->leases.back().touchable && !known->leases.back().buffers.empty()) {
    const auto [pointer, size] = known->leases.back().buffers[0];
    place = {static_cast<unsigned char*>(pointer), size, false, true};
  } else if (kind < 11) {
    const std::size_t offset = w.in.below(arena_size);
    place = {arena + offset, arena_size - offset, false, true};
  } else {
    place.address = reinterpret_cast<unsigned char*>(w.in.below(3));
  }
  give(w, name, place.address);
  return place;
}

// The structure to which a call writes, or NULL; its size is one that a careless caller might leave there. before: the size that it had
// before it got more fields.
template <class Struct>
Struct* draw_struct(World& w, Struct& room, const Struct& zero, std::size_t before = sizeof(Struct)) {
  room = zero;
  const std::size_t kind = w.in.below(24);
  if (kind == 23) {
    w.refuse_if(true);
    return give(w, "struct", static_cast<Struct*>(nullptr));
  }
  if (kind >= 18) {
    const std::array<std::size_t, 5> sizes = {0, sizeof zero - 1, sizeof zero - 8, sizeof zero + 8, w.in.bits(8) | std::size_t{1} << 40};
    room.struct_size = sizes[kind - 18];
    w.refuse_if(room.struct_size != before);
  }
  give(w, "struct_size", room.struct_size);
  return &room;
}

template <class Struct, class Call>
bool write_struct(World& w, const Struct& zero, Call call, std::size_t earlier = sizeof(Struct)) {
  Struct room;
  Struct* const given = draw_struct(w, room, zero, earlier);
  const Struct before = room;
  const bool served = conclude(w, call(given));
  if (!served) CHECK(std::memcmp(&before, &room, sizeof room) == 0, "wrote to a structure that it refused");
  if (served) CHECK(room.struct_size == before.struct_size, "changed the size of a structure");
  if (served)
    CHECK(std::memcmp(reinterpret_cast<const char*>(&before) + before.struct_size,
                      reinterpret_cast<const char*>(&room) + before.struct_size, sizeof room - before.struct_size) == 0,
          "wrote behind a structure");
  return served;
}

template <class Name>
void try_name(World& w, Name name) {
  const auto number = give(w, "number", static_cast<std::int32_t>(w.in.once_in(4) ? w.in.bits(4) : w.in.below(300) - 20));
  const char* const text = name(number);
  CHECK(text && *text, "no text");
  conclude(w, CADASTRE_SUCCESS);
}

void try_cadastre_string_of_error(World& w) { try_name(w, cadastre_string_of_error); }
void try_cadastre_string_of_reason(World& w) { try_name(w, cadastre_string_of_reason); }
void try_cadastre_string_of_memory_type(World& w) { try_name(w, cadastre_string_of_memory_type); }
void try_cadastre_string_of_backend(World& w) { try_name(w, cadastre_string_of_backend); }
void try_cadastre_string_of_pool(World& w) { try_name(w, cadastre_string_of_pool); }
void try_cadastre_string_of_workspace_scheme(World& w) { try_name(w, cadastre_string_of_workspace_scheme); }
void try_cadastre_string_of_advice(World& w) { try_name(w, cadastre_string_of_advice); }
void try_cadastre_string_of_report_format(World& w) { try_name(w, cadastre_string_of_report_format); }

void try_cadastre_get_version(World& w) {
  CHECK(std::strchr(cadastre_get_version(), '.'), "no version");
  conclude(w, CADASTRE_SUCCESS);
}

void try_cadastre_get_build_options(World& w) {
  CHECK(std::strstr(cadastre_get_build_options(), "compiler: "), "no compiler");
  conclude(w, CADASTRE_SUCCESS);
}

void try_cadastre_get_backend_nanoseconds(World& w) {
  CHECK(cadastre_get_backend_nanoseconds() >= 0, "a negative time");
  conclude(w, CADASTRE_SUCCESS);
}

void try_cadastre_context_check(World& w) {
  const cadastre_context handle = draw_context(w);
  CHECK(cadastre_context_check(handle) == (w.known ? handle : CADASTRE_NULL_CONTEXT), "the handle is taken for what it is not");
  conclude(w, CADASTRE_SUCCESS);
}

// What is remembered stays when it cannot be written, so that there is no message to look at.
void try_cadastre_last_error(World& w) {
  const cadastre_context handle = draw_context(w);
  cadastre_error_struct room;
  cadastre_error_struct* const given = draw_struct(w, room, cadastre_error_struct_zero);
  cadastre_error_struct before = cadastre_error_struct_zero, after = cadastre_error_struct_zero;
  CHECK(cadastre_last_error(handle, &before) == CADASTRE_SUCCESS, "the last error cannot be read");
  w.code = cadastre_last_error(handle, given);
  count_outcome(w, is_served(w.code));
  CHECK(w.code == (w.invalid ? CADASTRE_INVALID_ARG_2 : CADASTRE_SUCCESS), "exit code %d", w.code);
  CHECK(cadastre_last_error(handle, &after) == CADASTRE_SUCCESS, "the last error cannot be read");
  CHECK(std::memcmp(&before, &after, sizeof before) == 0, "the last error has changed");
}

void try_cadastre_context_get_options(World& w) {
  const cadastre_context handle = draw_context(w);
  write_struct(w, cadastre_context_options_struct_zero, [=](auto* to) { return cadastre_context_get_options(handle, to); });
}

void try_cadastre_get_statistics(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  w.refuse_if(!is_limited_type(type));
  write_struct(w, cadastre_statistics_struct_zero, [=](auto* to) { return cadastre_get_statistics(handle, type, to); });
}

void try_cadastre_get_device_statistics(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  const std::int32_t device = draw_device(w);
  w.refuse_if(!is_type(type) || device < 0 || device >= CADASTRE_DEVICE_BY_ID(0));
  write_struct(w, cadastre_statistics_struct_zero, [=](auto* to) { return cadastre_get_device_statistics(handle, type, device, to); });
}

void try_cadastre_pool_get_info(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  w.refuse_if(!is_type(type));
  write_struct(w, cadastre_pool_info_struct_zero, [=](auto* to) { return cadastre_pool_get_info(handle, type, to); });
}

void try_cadastre_get_registry_info(World& w) {
  const cadastre_context handle = draw_context(w);
  write_struct(w, cadastre_registry_info_struct_zero, [=](auto* to) { return cadastre_get_registry_info(handle, to); });
}

void try_cadastre_workspace_get_info(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  w.refuse_if(!is_type(type) && type != CADASTRE_DEFAULT_WORKSPACE_TYPE);
  write_struct(w, cadastre_workspace_info_struct_zero, [=](auto* to) { return cadastre_workspace_get_info(handle, type, to); });
}

void try_cadastre_backend_get_count(World& w) {
  CHECK(cadastre_backend_get_count() >= CADASTRE_BACKEND_OPENMP, "too few backends");
  conclude(w, CADASTRE_SUCCESS);
}

void try_cadastre_backend_get_info(World& w) {
  const cadastre_backend backend = draw_backend(w);
  w.refuse_if((backend < 1 || backend > cadastre_backend_get_count()) && !is_registered(w, backend));
  write_struct(w, cadastre_backend_info_struct_zero, [=](auto* to) { return cadastre_backend_get_info(backend, to); });
}

void try_cadastre_backend_get_host_info(World& w) {
  const bool any = !w.resources.empty() && !w.in.once_in(4);
  const cadastre_backend backend = any ? give_backend(w, w.in.of(w.resources)) : draw_backend(w);
  w.refuse_if(!any);
  write_struct(w, cadastre_host_resource_info_struct_zero, [=](auto* to) { return cadastre_backend_get_host_info(backend, to); });
}

void refuse_unless_device(World& w, cadastre_backend backend, std::int32_t device) {
  w.refuse_if(device < 0 || (backend != CADASTRE_BACKEND_HOST && !is_registered(w, backend)));
  w.refuse_if(backend == CADASTRE_BACKEND_HOST && device >= emulated_devices);
  w.unsure_if(backend != CADASTRE_BACKEND_HOST);
}

void try_cadastre_device_get_info(World& w) {
  const cadastre_backend backend = draw_registered_backend(w);
  const std::int32_t device = draw_device(w);
  refuse_unless_device(w, backend, device);
  write_struct(
      w, cadastre_device_info_struct_zero, [=](auto* to) { return cadastre_device_get_info(backend, device, to); },
      w.in.once_in(2) ? offsetof(cadastre_device_info_struct, integrated) : offsetof(cadastre_device_info_struct, host_access));
}

void try_cadastre_device_get_memory_usage(World& w) {
  const cadastre_backend backend = draw_registered_backend(w);
  const std::int32_t device = draw_device(w);
  refuse_unless_device(w, backend, device);
  write_struct(w, cadastre_memory_usage_struct_zero, [=](auto* to) { return cadastre_device_get_memory_usage(backend, device, to); });
}

void try_cadastre_host_get_memory_usage(World& w) {
  write_struct(w, cadastre_memory_usage_struct_zero, [](auto* to) { return cadastre_host_get_memory_usage(to); });
}

void try_cadastre_environment_get_count(World& w) {
  CHECK(cadastre_environment_get_count() > 5, "too few variables");
  conclude(w, CADASTRE_SUCCESS);
}

void try_cadastre_environment_get_info(World& w) {
  const std::int32_t index = give(w, "index", static_cast<std::int32_t>(w.in.once_in(4) ? w.in.bits(4) : w.in.below(30)));
  w.refuse_if(index < 0 || index >= cadastre_environment_get_count());
  write_struct(w, cadastre_environment_info_struct_zero, [=](auto* to) { return cadastre_environment_get_info(index, to); });
}

void try_cadastre_context_get_default_queue(World& w) {
  const cadastre_context handle = draw_context(w);
  cadastre_queue queue = nullptr;
  cadastre_queue* const to = give(w, "queue", w.in.once_in(8) ? nullptr : &queue);
  w.refuse_if(!to);
  if (conclude(w, cadastre_context_get_default_queue(handle, to))) CHECK(queue == picture_before(w)->queue, "another queue");
}

const Block* block_at(const World& w, const void* address) {
  if (!w.known) return nullptr;
  for (const Block& block : w.known->blocks) {
    if (block.pointer == address) return &block;
  }
  return nullptr;
}

void try_cadastre_get_malloc_info(World& w) {
  const cadastre_context handle = draw_context(w);
  const void* const address = draw_address(w);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  cadastre_memory_info_struct* const to = give(w, "info", w.in.once_in(12) ? nullptr : &info);
  const Block* const block = block_at(w, address);
  w.refuse_if(!to || !address);
  w.unsure_if(!block);
  if (!conclude(w, cadastre_get_malloc_info(handle, address, to)) || !block) return;
  CHECK(info.pointer == address && info.size == block->size && info.type == block->type, "another block is described");
}

void try_cadastre_get_allocated_size(World& w) {
  const cadastre_context handle = draw_context(w);
  const void* const address = draw_address(w);
  std::size_t size = 0;
  std::size_t* const to = give(w, "size", w.in.once_in(12) ? nullptr : &size);
  const Block* const block = block_at(w, address);
  w.refuse_if(!to || !address);
  w.unsure_if(!block);
  if (conclude(w, cadastre_get_allocated_size(handle, address, to)) && block)
    CHECK(size >= block->size, "%zu bytes were allocated for %zu", size, block->size);
}

void try_cadastre_find_block(World& w) {
  const cadastre_context handle = draw_context(w);
  const void* const address = draw_address(w);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  std::size_t offset = 0;
  cadastre_memory_info_struct* const to = w.in.once_in(4) ? nullptr : &info;
  std::size_t* const offset_to = w.in.once_in(4) ? nullptr : &offset;
  w.refuse_if(!address);
  w.unsure_if(!block_at(w, address));
  if (!conclude(w, cadastre_find_block(handle, address, to, offset_to)) || !to || !offset_to) return;
  CHECK(static_cast<const char*>(info.pointer) + offset == address && offset <= info.size, "%p is not %zu bytes inside %p", address, offset,
        info.pointer);
}

struct Seen {
  World& w;
  std::size_t blocks = 0;
  std::size_t left;  // until the callback ends the iteration
  cadastre_exit_code result;
};

cadastre_exit_code see(const cadastre_memory_info_struct* info, void* user_data) {
  Seen& seen = *static_cast<Seen*>(user_data);
  const bool borrowed = (info->flags & CADASTRE_BORROWED) != 0;
  const Block* const block = block_at(seen.w, info->pointer);
  if ((info->flags & CADASTRE_WORKSPACE_MEMORY) == 0 || (block && block->leased)) {
    CHECK(borrowed ? seen.w.known->borrowed.contains(info->pointer) : block != nullptr, "%p is listed, and is no block", info->pointer);
    seen.blocks += !borrowed;
  }
  return seen.left-- == 0 ? seen.result : CADASTRE_SUCCESS;
}

void try_cadastre_foreach_block(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_foreach_block_function callback = w.in.once_in(8) ? nullptr : see;
  give(w, "callback", callback ? w.row : nullptr);
  w.refuse_if(!callback);
  Seen seen{w, 0, w.in.once_in(3) ? w.in.below(4) : SIZE_MAX, static_cast<cadastre_exit_code>(w.in.bits(4))};
  const bool whole = seen.left == SIZE_MAX;
  const cadastre_exit_code code = cadastre_foreach_block(handle, callback, &seen);
  if (w.known && callback && !whole && seen.left == SIZE_MAX) {
    CHECK(code == seen.result, "exit code %d instead of the callback's, %d", code, seen.result);
    w.code = CADASTRE_SUCCESS;
    return;
  }
  if (conclude(w, code) && whole) CHECK(seen.blocks == w.known->blocks.size(), "%zu blocks of %zu", seen.blocks, w.known->blocks.size());
}

void try_cadastre_report(World& w) {
  static std::FILE* const nowhere = std::fopen("/dev/null", "w");
  static std::FILE* const read_only = std::fopen("/dev/null", "r");
  const cadastre_context handle = draw_context(w);
  const std::size_t kind = w.in.below(16);
  std::FILE* const stream = give(w, "stream", kind == 14 ? nullptr : kind == 15 ? read_only : nowhere);
  const auto format = give(w, "format",
                           w.in.once_in(4)   ? static_cast<cadastre_report_format>(w.in.bits(4))
                           : w.in.once_in(2) ? CADASTRE_REPORT_JSON
                                             : CADASTRE_REPORT_TEXT);
  w.refuse_if(kind >= 14 || format < CADASTRE_REPORT_TEXT || format > CADASTRE_REPORT_JSON);
  conclude(w, cadastre_report(handle, stream, format));
}

void try_cadastre_label(World& w) {
  bool too_long = false;
  const char* const text = draw_label(w, too_long);
  give(w, "text", text);
  w.refuse_if(!text || too_long);
  const char* const stored = cadastre_label(text);
  if (!conclude(w, code_of(w, stored))) return;
  CHECK(std::strcmp(stored, text) == 0 && cadastre_label(stored) == stored, "another text is stored");
}
void enter(World& w, cadastre_context handle) {
  CHECK(handle != CADASTRE_NULL_CONTEXT && !w.find(handle), "a handle was returned twice");
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  CHECK(cadastre_context_get_options(handle, &options) == CADASTRE_SUCCESS, "no options");
  w.contexts.push_back({});
  w.contexts.back().handle = handle;
  w.contexts.back().backend = options.backend;
}

void try_cadastre_context_create(World& w) {
  if (w.contexts.size() >= 3) return void(conclude(w, CADASTRE_SUCCESS));
  const cadastre_context handle = cadastre_context_create();
  if (conclude(w, code_of(w, handle != CADASTRE_NULL_CONTEXT))) enter(w, handle);
}

void try_cadastre_context_create_with_options(World& w) {
  if (w.contexts.size() >= 3) return void(conclude(w, CADASTRE_SUCCESS));
  cadastre_context_options_struct options;
  cadastre_context_options_struct* const given = draw_struct(w, options, cadastre_context_options_struct_zero);
  options.backend = draw_backend(w);
  options.device = draw_device(w);
  options.pool = give(w, "pool", w.in.of(std::array<cadastre_pool, 12>{0, 0, 0, 0, 1, 2, 3, 3, 3, 4, -1, INT_MAX}));
  const bool is_child = !w.contexts.empty() && w.in.once_in(4);
  options.parent = is_child ? w.contexts[w.in.below(w.contexts.size())].handle
                            : w.in.of(std::array<cadastre_context, 8>{0, 0, 0, CADASTRE_PROCESS, CADASTRE_PROCESS, -2, 4711, INT64_MIN});
  give(w, "parent", options.parent);
  options.reserved = give(w, "reserved", w.in.once_in(30) ? static_cast<std::int32_t>(w.in.bits(4)) : 0);
  for (std::size_t i = 0; i < CADASTRE_MAX_MEMORY_TYPES; ++i) {
    const bool is_one = is_limited_type(static_cast<cadastre_memory_type>(i));
    if (is_one ? w.in.once_in(4) : w.in.once_in(250)) options.limits[i] = draw_size(w, "limit");
    w.refuse_if(is_one ? !is_limit(options.limits[i]) : options.limits[i] != 0);
  }
  // Of its parent, where it names none.
  cadastre_context_options_struct above = cadastre_context_options_struct_zero;
  if (is_child) cadastre_context_get_options(options.parent, &above);
  const cadastre_backend backend = options.backend == CADASTRE_DEFAULT_BACKEND ? above.backend : options.backend;
  const bool own = backend == CADASTRE_DEFAULT_BACKEND || backend == CADASTRE_BACKEND_HOST;
  w.refuse_if(!own && !is_registered(w, backend));
  w.refuse_if(options.pool < CADASTRE_DEFAULT_POOL || options.pool > CADASTRE_POOL_CACHING || options.reserved != 0);
  w.refuse_if(own && !is_device(options.device));
  w.refuse_if(!is_child && options.parent != CADASTRE_NULL_CONTEXT && options.parent != CADASTRE_PROCESS);
  w.unsure_if(!own || is_child);
  const cadastre_context handle = cadastre_context_create_with_options(given);
  if (!conclude(w, code_of(w, handle != CADASTRE_NULL_CONTEXT))) return;
  // A child would change the pictures of its parent.
  if (is_child) {
    CHECK(cadastre_context_destroy(handle) == CADASTRE_SUCCESS, "a child cannot be destroyed");
    return;
  }
  enter(w, handle);
  const Picture now = picture_of(handle);
  for (std::size_t t = 0; t < CADASTRE_MEMORY_TYPE_COUNT; ++t) {
    if (options.limits[t] != 0) CHECK(now.statistics[t].limit == options.limits[t], "another limit");
  }
}

void forget(World& w, cadastre_context handle) {
  w.destroyed.push_back(handle);
  std::erase_if(w.contexts, [=](const Known& known) { return known.handle == handle; });
}

bool was_destroyed(cadastre_exit_code code) { return code == CADASTRE_SUCCESS || code == CADASTRE_DEALLOCATION_FAILED; }

template <class Destroy>
void destroy(World& w, cadastre_context handle, Destroy call) {
  cadastre_destroy_summary_struct summary;
  cadastre_destroy_summary_struct* const given = w.in.once_in(4) ? nullptr : draw_struct(w, summary, cadastre_destroy_summary_struct_zero);
  if (given) w.invalid = w.invalid || given->struct_size != sizeof summary;
  else w.invalid = !w.known;
  std::size_t blocks = 0, bytes = 0, leases = 0;
  bool leased = false;
  if (w.known) {
    leases = w.known->leases.size();
    for (const Block& block : w.known->blocks) ++blocks, bytes += block.size, leased = leased || block.leased;
  }
  const cadastre_exit_code code = call(handle, given);
  conclude(w, code);
  if (!w.known || !was_destroyed(code)) return;
  forget(w, handle);
  if (!given) return;
  CHECK(leased || (static_cast<std::size_t>(summary.live_blocks) == blocks && summary.live_bytes == bytes), "other blocks were alive");
  CHECK(static_cast<std::size_t>(summary.live_leases) == leases, "other leases were alive");
}

void try_cadastre_context_destroy_with_summary(World& w) { destroy(w, draw_context(w), cadastre_context_destroy_with_summary); }
void try_cadastre_context_destroy_with_children(World& w) { destroy(w, draw_context(w), cadastre_context_destroy_with_children); }

void try_cadastre_context_destroy(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_exit_code code = cadastre_context_destroy(handle);
  conclude(w, code);
  if (w.known && was_destroyed(code)) forget(w, handle);
}

void try_cadastre_lock(World& w) {
  if (conclude(w, cadastre_lock(draw_context(w)))) ++w.known->locks;
}

void try_cadastre_unlock(World& w) {
  const cadastre_context handle = draw_context(w);
  w.refuse_if(w.known && w.known->locks == 0);
  if (conclude(w, cadastre_unlock(handle))) --w.known->locks;
}

void try_cadastre_context_set_default_queue(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_queue queue = draw_queue(w);
  if (conclude(w, cadastre_context_set_default_queue(handle, queue))) CHECK(picture_of(handle).queue == queue, "another queue");
}

void try_cadastre_context_set_timing(World& w) {
  const cadastre_context handle = draw_context(w);
  conclude(w, cadastre_context_set_timing(handle, give(w, "on", static_cast<int>(w.in.bits(4)))));
}

void try_cadastre_context_set_plain_free(World& w) {
  const cadastre_context handle = draw_context(w);
  const int on = give(w, "on", static_cast<int>(w.in.bits(4)));
  w.unsure_if(on != 0);  // blocks may have been in slabs
  conclude(w, cadastre_context_set_plain_free(handle, on));
}

void try_cadastre_synchronize(World& w) {
  const cadastre_context handle = draw_context(w);
  conclude(w, cadastre_synchronize(handle, draw_queue(w)));
}

void try_cadastre_set_limit(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  const std::size_t bytes = w.in.once_in(3) ? give(w, "bytes", CADASTRE_UNLIMITED) : draw_size(w, "bytes");
  w.refuse_if(!is_limited_type(type) || !is_limit(bytes));
  if (!conclude(w, cadastre_set_limit(handle, type, bytes))) return;
  cadastre_statistics_struct now = cadastre_statistics_struct_zero;
  CHECK(cadastre_get_statistics(handle, type, &now) == CADASTRE_SUCCESS, "no statistics");
  CHECK(now.limit == (bytes == 0 ? CADASTRE_UNLIMITED : bytes), "another limit");
}

void try_cadastre_pool_trim(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  w.refuse_if(!is_type(type));
  conclude(w, cadastre_pool_trim(handle, type, draw_size(w)));
}

int refuse_again(const cadastre_out_of_memory_struct* request, void*) {
  CHECK(request->struct_size == sizeof *request && request->retries == 0, "asked for the %lldth time",
        static_cast<long long>(request->retries));
  return 0;
}

void try_cadastre_set_out_of_memory_function(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_out_of_memory_function callback = w.in.once_in(3) ? nullptr : refuse_again;
  give(w, "callback", callback ? w.row : nullptr);
  conclude(w, cadastre_set_out_of_memory_function(handle, callback, w.in.once_in(2) ? nullptr : &w));
}

void try_cadastre_reset_high_water_mark(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  w.refuse_if(!is_type(type));
  if (!conclude(w, cadastre_reset_high_water_mark(handle, type))) return;
  const cadastre_statistics_struct now = picture_of(handle).statistics[static_cast<std::size_t>(type)];
  CHECK(now.high_water_mark_bytes == now.live_bytes && now.high_water_mark_blocks == now.live_blocks, "the mark is elsewhere");
}
cadastre_memory_info_struct draw_request(World& w) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  bool too_long = false;
  info.size = draw_size(w);
  info.type = draw_type(w);
  info.device = draw_device(w);
  info.alignment = draw_alignment(w);
  info.flags = give(w, "flags", w.in.of(std::array<cadastre_flags, 12>{0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 16, 1u << 31}));
  if (w.in.once_in(30)) info.flags = give(w, "flags", static_cast<cadastre_flags>(w.in.bits(4)));
  info.stride = w.in.once_in(3) ? draw_size(w, "stride") : 0;
  info.backend = draw_backend(w);
  info.label = draw_label(w, too_long);
  info.device_id = w.in.once_in(8) ? give(w, "device_id", static_cast<std::int32_t>(w.in.bits(1))) : 0;
  if (w.in.once_in(40)) give(w, "reserved", info.reserved[w.in.below(9)] = static_cast<std::uint32_t>(w.in.bits(4)));
  info.pointer = arena;
  const bool reserved = std::any_of(std::begin(info.reserved), std::end(info.reserved), [](std::uint32_t r) { return r != 0; });
  const std::int32_t named = info.device == CADASTRE_DEFAULT_DEVICE ? -1 : info.device - CADASTRE_DEVICE_BY_ID(0);
  w.refuse_if(info.type != CADASTRE_HOST && info.device_id != 0 && info.device_id != named);
  w.refuse_if(!is_type(info.type) || too_long || reserved || (info.alignment != 0 && !std::has_single_bit(info.alignment)));
  return info;
}

bool is_from_host(const World& w, const cadastre_memory_info_struct& info) {
  return info.backend == CADASTRE_BACKEND_HOST || (info.backend == CADASTRE_DEFAULT_BACKEND && works_on_host(w));
}

// What is left below a limit; what idle workspaces hold is given up first.
void foresee_limit(World& w, cadastre_memory_type type, std::size_t more) {
  const Picture* const before = picture_before(w);
  if (!before || !is_type(type) || more == 0) return;
  for (const cadastre_memory_type of : {type, CADASTRE_ALL_MEMORY_TYPES}) {
    const std::size_t limit = before->options.limits[of];
    if (limit == CADASTRE_UNLIMITED) continue;
    std::size_t live = 0, reserved = 0;
    for (cadastre_memory_type each = 0; each < CADASTRE_MEMORY_TYPE_COUNT; ++each) {
      if (of != each && of != CADASTRE_ALL_MEMORY_TYPES) continue;
      live += before->statistics[static_cast<std::size_t>(each)].live_bytes;
      reserved += before->workspaces[static_cast<std::size_t>(each)].reserved_bytes;
    }
    const std::size_t allowed = limit == CADASTRE_LIMIT_NOTHING ? 0 : limit;
    if (live <= allowed && more <= allowed - live) continue;
    w.unsure_if(true);
    w.refuse_if(reserved == 0);
  }
}

void assert_apart(const World& w, const unsigned char* pointer, std::size_t size) {
  const auto apart = [=](const void* other, std::size_t length) {
    const auto* const begin = static_cast<const unsigned char*>(other);
    CHECK(pointer + std::max<std::size_t>(size, 1) <= begin || begin + std::max<std::size_t>(length, 1) <= pointer,
          "the %zu bytes at %p overlap the %zu bytes at %p", size, static_cast<const void*>(pointer), length, other);
  };
  apart(arena, arena_size);
  for (const Known& known : w.contexts) {
    for (const Block& block : known.blocks) apart(block.pointer, block.size);
    for (const Lease& lease : known.leases) {
      for (const auto& [buffer, length] : lease.buffers) apart(buffer, length);
    }
  }
}

void fill(World& w, Block& block) {
  block.contents.resize(block.size);
  const auto value = static_cast<unsigned char>(w.in.bits(1));
  for (std::size_t i = 0; i < block.size; ++i) block.contents[i] = static_cast<unsigned char>(value + 7 * i);
  if (block.size) std::memcpy(block.pointer, block.contents.data(), block.size);
}

// A cached or idle borrowed record is dropped when a block gets its memory.
void adopt(World& w, const cadastre_memory_info_struct& asked, void* pointer) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  CHECK(cadastre_get_malloc_info(w.handle, pointer, &info) == CADASTRE_SUCCESS, "the new block is in no registry");
  CHECK(info.pointer == pointer && info.size == asked.size && info.type == asked.type && info.stride == asked.stride,
        "the record is of another block");
  CHECK((info.flags & ~CADASTRE_STREAM_ORDERED) == asked.flags && info.reserved[0] == 0, "the record has other flags");
  CHECK(std::has_single_bit(info.alignment) && info.alignment >= asked.alignment &&
            reinterpret_cast<std::uintptr_t>(pointer) % info.alignment == 0,
        "%p is not aligned to %zu", pointer, info.alignment);
  CHECK(std::string_view(info.label ? info.label : "") == (asked.label ? asked.label : ""), "the record has another label");
  if (is_from_host(w, asked)) CHECK(info.backend == CADASTRE_BACKEND_HOST, "the record has another backend");
  if (info.type == CADASTRE_HOST) CHECK(info.device == CADASTRE_DEFAULT_DEVICE && info.device_id == -1, "HOST memory of a device");
  Block block{static_cast<unsigned char*>(pointer), asked.size, asked.stride, asked.type, (asked.flags & CADASTRE_UNINITIALIZED) == 0, {}};
  CHECK(block.size < some_bytes, "more memory than there is");
  assert_apart(w, block.pointer, block.size);
  if (block.zeroed)
    CHECK(std::all_of(block.pointer, block.pointer + block.size, [](unsigned char c) { return c == 0; }), "memory that is not zero");
  fill(w, block);
  const auto t = static_cast<std::size_t>(asked.type);
  const cadastre_statistics_struct &before = picture_before(w)->statistics[t], now = picture_of(w.handle).statistics[t];
  CHECK(now.allocations == before.allocations + 1 && now.total_bytes == before.total_bytes + asked.size &&
            now.zeroed_bytes == before.zeroed_bytes + (block.zeroed ? asked.size : 0),
        "the block is not counted");
  w.known->blocks.push_back(std::move(block));
}

// What is no more than a size, an alignment, flags and a label.
cadastre_memory_info_struct draw_plain_request(World& w) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  bool too_long = false;
  info.size = draw_size(w);
  info.alignment = draw_alignment(w);
  info.flags = give(w, "flags", w.in.of(std::array<cadastre_flags, 5>{0, 0, 1, 2, 1u << 31}));
  info.label = draw_label(w, too_long);
  w.refuse_if(too_long || (info.alignment != 0 && !std::has_single_bit(info.alignment)));
  return info;
}

template <class Allocate>
void allocate(World& w, bool strided, Allocate call, cadastre_memory_info_struct (*draw)(World&) = draw_request) {
  draw_context(w);
  const cadastre_memory_info_struct info = draw(w);
  const bool from_host = is_from_host(w, info);
  w.refuse_if(info.size > most_bytes || (info.flags & ~CADASTRE_UNINITIALIZED) != 0);
  w.refuse_if(strided && (info.stride == 0 || info.stride > info.size));
  if (from_host && info.type == CADASTRE_DEVICE) w.refuse_if(emulated_devices == 0 || !is_device(info.device));
  if (from_host && info.type == CADASTRE_UVM) w.refuse_if(emulated_devices == 0);
  w.refuse_if(info.type != CADASTRE_HOST && w.known && info.backend != CADASTRE_DEFAULT_BACKEND && info.backend != CADASTRE_BACKEND_HOST &&
              !is_registered(w, info.backend));
  w.unsure_if(!from_host || info.type == CADASTRE_PINNED || info.alignment > 4096 || info.size >= some_bytes);
  w.unsure_if(info.type != CADASTRE_HOST && !is_device(info.device));
  foresee_limit(w, info.type, info.size);
  void* const pointer = call(info);
  if (conclude(w, code_of(w, pointer))) adopt(w, info, pointer);
}

void try_cadastre_malloc(World& w) {
  allocate(w, false, [&](const auto& info) { return cadastre_malloc(w.handle, info); });
}

void try_cadastre_malloc_plain(World& w) {
  const auto call = [&](const auto& info) { return cadastre_malloc_plain(w.handle, info.size, info.alignment, info.flags, info.label); };
  allocate(w, false, call, draw_plain_request);
}

void try_cadastre_malloc_async(World& w) {
  const cadastre_queue queue = draw_queue(w);
  allocate(w, false, [&](const auto& info) { return cadastre_malloc_async(w.handle, info, queue); });
}

void try_cadastre_malloc_strided(World& w) {
  const cadastre_queue queue = draw_queue(w);
  allocate(w, true, [&](const auto& info) { return cadastre_malloc_strided(w.handle, info, queue); });
}

void remove(World& w, const void* address) {
  std::erase_if(w.known->blocks, [=](const Block& block) { return block.pointer == address; });
  w.known->freed.push_back(address);
}

template <class Free>
void release(World& w, Free call) {
  const cadastre_context handle = draw_context(w);
  void* const address = const_cast<void*>(draw_address(w));
  const Block* const block = block_at(w, address);
  const bool known = block != nullptr;
  w.refuse_if(!known);
  w.unsure_if(known && block->leased);
  const cadastre_exit_code code = call(handle, address);
  conclude(w, code);
  if (known && was_destroyed(code)) remove(w, address);
}

void try_cadastre_free(World& w) { release(w, cadastre_free); }

void try_cadastre_free_async(World& w) {
  const cadastre_queue queue = draw_queue(w);
  release(w, [=](cadastre_context handle, void* address) { return cadastre_free_async(handle, address, queue); });
}

void try_cadastre_realloc(World& w) {
  const cadastre_context handle = draw_context(w);
  void* const address = const_cast<void*>(draw_address(w));
  const std::size_t size = draw_size(w);
  const Block* const block = block_at(w, address);
  w.refuse_if(!block || size > most_bytes);
  w.unsure_if(size >= some_bytes || !works_on_host(w));
  w.unsure_if(block && (block->type == CADASTRE_PINNED || block->leased));
  if (block && size > block->size) foresee_limit(w, block->type, size - block->size);
  void* const resized = cadastre_realloc(handle, address, size);
  if (!conclude(w, code_of(w, resized))) return;
  Block now = *block;
  remove(w, address);
  CHECK(size < some_bytes, "more memory than there is");
  now.pointer = static_cast<unsigned char*>(resized);
  assert_apart(w, now.pointer, size);
  CHECK(same(resized, now.contents.data(), std::min(size, now.size)), "the contents were not kept");
  for (std::size_t i = now.size; now.zeroed && i < size; ++i) CHECK(now.pointer[i] == 0, "memory that is not zero");
  now.size = size;
  fill(w, now);
  w.known->blocks.push_back(std::move(now));
}

void try_cadastre_free_all(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_exit_code code = cadastre_free_all(handle);
  conclude(w, code);
  if (!w.known || !was_destroyed(code)) return;
  std::erase_if(w.known->blocks, [&](const Block& block) {
    std::size_t size = 0;
    const bool kept = block.leased && cadastre_get_allocated_size(handle, block.pointer, &size) == CADASTRE_SUCCESS;
    if (!kept) w.known->freed.push_back(block.pointer);
    return !kept;
  });
  w.known->borrowed.clear();
}

// In the arena, in a block, or where no program has memory, and never partly there.
void try_cadastre_wrap(World& w) {
  const cadastre_context handle = draw_context(w);
  cadastre_memory_info_struct info = draw_request(w);
  constexpr std::uintptr_t nowhere = std::uintptr_t{0xffff8000} << 32;
  switch (w.in.below(8)) {
    case 0:
      info.pointer = const_cast<void*>(draw_address(w));
      w.refuse_if(info.size <= most_bytes);
      give(w, "flags", info.flags = 1u << 30);
      break;
    case 1: info.pointer = nullptr; break;
    case 2:
    case 3: {
      info.pointer = reinterpret_cast<void*>(nowhere + w.in.bits(4));
      break;
    }
    default: {
      const std::size_t offset = w.in.below(arena_size);
      info.pointer = arena + offset;
      if (info.size <= most_bytes) info.size = std::min(info.size, arena_size - offset);
    }
  }
  give(w, "pointer", info.pointer);
  give(w, "size", info.size);
  const auto address = reinterpret_cast<std::uintptr_t>(info.pointer);
  w.refuse_if(!info.pointer || info.size > most_bytes || address + info.size < address || (info.flags & ~127u) != 0);
  w.refuse_if(info.alignment != 0 && address % info.alignment != 0);
  w.unsure_if(true);
  if (conclude(w, cadastre_wrap(handle, info))) w.known->borrowed.insert(info.pointer);
}

void try_cadastre_unwrap(World& w) {
  const cadastre_context handle = draw_context(w);
  const void* const address = draw_address(w);
  const bool known = w.known && w.known->borrowed.contains(address);
  w.refuse_if(!known);
  w.unsure_if(true);
  if (conclude(w, cadastre_unwrap(handle, address))) w.known->borrowed.erase(address);
}

// No backend here has what other processes could open.
void try_cadastre_ipc_export(World& w) {
  const cadastre_context handle = draw_context(w);
  const void* const address = draw_address(w);
  cadastre_ipc_handle_struct written{};
  cadastre_ipc_handle_struct* const to = w.in.once_in(8) ? nullptr : &written;
  w.refuse_if(true);
  give(w, "handle", to);
  conclude(w, cadastre_ipc_export(handle, address, to));
}

void try_cadastre_ipc_import(World& w) {
  const cadastre_context handle = draw_context(w);
  cadastre_ipc_handle_struct given{};
  for (unsigned char& byte : given.bytes) byte = static_cast<unsigned char>(w.in.below(256));
  if (w.in.once_in(2))
    std::memcpy(given.bytes,
                "CADIPC\0"
                "1",
                8);
  void* opened = nullptr;
  const cadastre_ipc_handle_struct* const from = w.in.once_in(8) ? nullptr : &given;
  void** const to = w.in.once_in(8) ? nullptr : &opened;
  w.refuse_if(true);
  give(w, "handle", from);
  give(w, "ptr", to);
  conclude(w, cadastre_ipc_import(handle, from, to));
}

void try_cadastre_ipc_close(World& w) {
  const cadastre_context handle = draw_context(w);
  const void* const address = draw_address(w);
  w.refuse_if(true);
  conclude(w, cadastre_ipc_close(handle, address));
}
// Brings the copies of what the range overlaps up to date.
void rewrite(World& w, const unsigned char* begin, std::size_t size) {
  for (Known& known : w.contexts) {
    for (Block& block : known.blocks) {
      const unsigned char *const from = std::max<const unsigned char*>(begin, block.pointer), *const to = std::min<const unsigned char*>(
                                                                                                  begin + size, block.pointer + block.size);
      if (from < to) std::memcpy(block.contents.data() + (from - block.pointer), from, static_cast<std::size_t>(to - from));
    }
  }
}

bool is_null(const Place& place) { return reinterpret_cast<std::uintptr_t>(place.address) <= 4096; }

// As much as is there, where the library does not know the end; but sizes that no memory has stay.
std::size_t limited(std::size_t size, const Place& place) {
  return place.bounded || is_null(place) || size > most_bytes ? size : std::min(size, place.room);
}

bool exceeds(std::size_t size, const Place& place) { return size > most_bytes || is_null(place) || (place.bounded && size > place.room); }

template <class Copy>
void copy(World& w, Copy call) {
  draw_context(w);
  const Place dest = draw_place(w, "dest"), src = draw_place(w, "src");
  std::size_t size = limited(limited(draw_size(w), dest), src);
  if (w.in.once_in(12)) size = 0;
  give(w, "bytes", size);
  const auto to = reinterpret_cast<std::uintptr_t>(dest.address), from = reinterpret_cast<std::uintptr_t>(src.address);
  const bool overlap = to < from ? size > from - to : from < to && size > to - from;
  w.refuse_if(size > 0 && (exceeds(size, dest) || exceeds(size, src) || overlap));
  w.unsure_if(size > 0 && (dest.unsure || src.unsure || !works_on_host(w)));
  std::vector<unsigned char> expected;
  if (!w.invalid && size > 0) expected.assign(src.address, src.address + size);
  if (conclude(w, call(w.handle, dest.address, src.address, size)) && size > 0)
    CHECK(same(dest.address, expected.data(), size), "other bytes were copied");
  if (!w.invalid && (is_served(w.code) || w.faulty)) rewrite(w, dest.address, size);
}

void try_cadastre_memcpy(World& w) { copy(w, cadastre_memcpy); }

void try_cadastre_memcpy_async(World& w) {
  const cadastre_queue queue = draw_queue(w);
  copy(w, [=](cadastre_context handle, void* dest, const void* src, std::size_t size) {
    return cadastre_memcpy_async(handle, dest, src, size, queue);
  });
}

// The stride of the block in which an address lies, else that of contiguous elements.
std::size_t stride_at(World& w, const void* address, std::size_t width) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  if (!w.known || cadastre_find_block(w.handle, address, &info, nullptr) != CADASTRE_SUCCESS) return width;
  return info.stride ? info.stride : width;
}

template <class Copy>
void copy_elements(World& w, Copy call) {
  draw_context(w);
  const Place dest = draw_place(w, "dest"), src = draw_place(w, "src");
  std::size_t width = w.in.once_in(8) ? draw_size(w, "width") : w.in.below(40);
  std::size_t count = w.in.once_in(8) ? draw_size(w, "count") : w.in.below(20);
  std::size_t product = 0;
  const bool huge = __builtin_mul_overflow(width, count, &product) || product > most_bytes;
  for (const Place& place : {dest, src}) {
    if (!place.bounded && !is_null(place) && !huge && product > place.room) count = 1, width = std::min(width, place.room);
  }
  if (!huge) product = width * count;
  give(w, "width", width);
  give(w, "count", count);
  w.unsure_if(true);
  w.refuse_if(product > 0 && (huge || is_null(dest) || is_null(src)));
  if (width == 0 || count == 0) w.invalid = !w.known;
  const std::size_t there = stride_at(w, dest.address, width), here = stride_at(w, src.address, width);
  std::vector<unsigned char> expected;
  std::size_t written = 0;
  const bool fits = product > 0 && !huge && w.known && !__builtin_mul_overflow(count - 1, there, &written) && written <= dest.room &&
                    width <= dest.room - written;
  if (product > 0 && !huge && w.known && here <= src.room && count * here <= src.room + here) {
    for (std::size_t i = 0; i < count && i * here + width <= src.room; ++i)
      expected.insert(expected.end(), src.address + i * here, src.address + i * here + width);
  }
  if (!conclude(w, call(w.handle, dest.address, src.address, width, count)) && !w.faulty) return;
  if (!fits) return;
  if (is_served(w.code) && expected.size() == product) {
    for (std::size_t i = 0; i < count; ++i)
      CHECK(same(dest.address + i * there, expected.data() + i * width, width), "element %zu was not copied", i);
  }
  for (std::size_t i = 0; i < count; ++i) rewrite(w, dest.address + i * there, width);
}

void try_cadastre_memcpy_strided(World& w) { copy_elements(w, cadastre_memcpy_strided); }

void try_cadastre_memcpy_strided_async(World& w) {
  const cadastre_queue queue = draw_queue(w);
  copy_elements(w, [=](cadastre_context handle, void* dest, const void* src, std::size_t width, std::size_t count) {
    return cadastre_memcpy_strided_async(handle, dest, src, width, count, queue);
  });
}

template <class Set>
void set(World& w, Set call) {
  draw_context(w);
  const Place dest = draw_place(w, "dest");
  std::size_t size = limited(draw_size(w), dest);
  if (w.in.once_in(12)) size = 0;
  give(w, "bytes", size);
  const int value = static_cast<int>(w.in.bits(4));
  w.refuse_if(size > 0 && exceeds(size, dest));
  w.unsure_if(size > 0 && (dest.unsure || !works_on_host(w)));
  if (conclude(w, call(w.handle, dest.address, value, size)) && size > 0)
    CHECK(std::all_of(dest.address, dest.address + size, [=](unsigned char c) { return c == static_cast<unsigned char>(value); }),
          "other bytes were set");
  if (!w.invalid && (is_served(w.code) || w.faulty)) rewrite(w, dest.address, size);
}

void try_cadastre_memset(World& w) { set(w, cadastre_memset); }

void try_cadastre_memset_async(World& w) {
  const cadastre_queue queue = draw_queue(w);
  set(w, [=](cadastre_context handle, void* dest, int value, std::size_t size) {
    return cadastre_memset_async(handle, dest, value, size, queue);
  });
}

template <class Hint>
void hint(World& w, bool advises, Hint call) {
  draw_context(w);
  const void* const address = draw_address(w);
  const std::size_t bytes = draw_size(w, "bytes");
  const std::int32_t device = draw_device(w);
  const auto advice = give(w, "advice", static_cast<cadastre_advice>(w.in.once_in(8) ? w.in.bits(4) : 1 + w.in.below(6)));
  std::int32_t applied = -1;
  std::int32_t* const to = w.in.once_in(4) ? nullptr : &applied;
  const Block* const block = block_at(w, address);
  // The device is that of the memory, which may have been recorded with one that is not there.
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  if (w.known && cadastre_find_block(w.handle, address, &info, nullptr) == CADASTRE_SUCCESS)
    w.given.push_back(std::to_string(info.device_id));
  w.refuse_if((bytes > 0 && (!address || (block && bytes > block->size))) || (advises && (advice < 1 || advice > 6)));
  w.unsure_if(bytes > 0 && (!block || (device != CADASTRE_HOST_DEVICE && !is_device(device)) || !works_on_host(w)));
  if (conclude(w, call(w.handle, address, bytes, advice, device, to)) && to) CHECK(applied == 0 || applied == 1, "applied is %d", applied);
}

void try_cadastre_prefetch(World& w) {
  const cadastre_queue queue = draw_queue(w);
  hint(w, false,
       [=](cadastre_context handle, const void* address, std::size_t bytes, cadastre_advice, std::int32_t device, std::int32_t* applied) {
         return cadastre_prefetch(handle, address, bytes, device, queue, applied);
       });
}

void try_cadastre_advise(World& w) { hint(w, true, cadastre_advise); }
bool is_workspace_type(cadastre_memory_type type) { return is_type(type) || type == CADASTRE_DEFAULT_WORKSPACE_TYPE; }

// A message may have the sizes as an acquisition rounds them.
void give_rounded(World& w, const std::vector<std::size_t>& sizes) {
  const Picture* const before = picture_before(w);
  if (!before) return;
  for (const cadastre_workspace_info_struct& workspace : before->workspaces) {
    std::size_t rounded = 0;
    for (const std::size_t size : sizes) rounded += (size + workspace.granularity - 1) / workspace.granularity * workspace.granularity;
    w.given.push_back(std::to_string(rounded));
  }
}

void try_cadastre_workspace_set_size(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  constexpr std::array<std::size_t, 4> schemes = {0, CADASTRE_WORKSPACE_AUTOMATIC, CADASTRE_WORKSPACE_STREAM_ORDERED,
                                                  CADASTRE_WORKSPACE_PER_LEASE};
  const std::size_t bytes = w.in.once_in(2) ? give(w, "bytes", w.in.of(schemes)) : draw_size(w, "bytes");
  give_rounded(w, {bytes});
  w.refuse_if(!is_workspace_type(type) || (bytes > most_bytes && std::find(schemes.begin(), schemes.end(), bytes) == schemes.end()));
  w.unsure_if(true);
  conclude(w, cadastre_workspace_set_size(handle, type, bytes));
}

void try_cadastre_workspace_set_buffer(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  void* buffer = nullptr;
  std::size_t bytes = 0;
  switch (w.in.below(6)) {
    case 0: break;
    case 1:
      bytes = draw_size(w);
      w.refuse_if(bytes != 0);
      break;
    case 2: {
      buffer = const_cast<void*>(draw_address(w));
      bytes = draw_size(w);
      const Block* const block = block_at(w, buffer);
      // Where it is not known what is there, nothing may be accepted that the test would write to.
      if (!block) bytes = 0;
      w.refuse_if(bytes == 0 || (block && bytes > block->size) || bytes > most_bytes);
      if (!block && !buffer) w.invalid = !w.known;
      break;
    }
    default: {
      const std::size_t offset = w.in.below(16) * 4096;
      buffer = arena + offset + (w.in.once_in(6) ? w.in.below(300) : 0);
      bytes = std::min(draw_small(w), arena_size - offset - 300);
    }
  }
  give(w, "buffer", buffer);
  give(w, "bytes", bytes);
  w.refuse_if(!is_workspace_type(type));
  w.unsure_if(true);
  if (!conclude(w, cadastre_workspace_set_buffer(handle, type, buffer, bytes)) || !w.known) return;
  for (Block& block : w.known->blocks) block.leased = block.leased || block.pointer == buffer;
}

struct Wish {
  std::vector<std::size_t> sizes;
  std::vector<void*> pointers;
  std::size_t n = 0;
  const std::size_t* given_sizes = nullptr;
  void** given_pointers = nullptr;
  cadastre_lease lease = -7;
  cadastre_lease* given_lease = nullptr;
};

void draw_wish(World& w, Wish& wish) {
  wish.n = w.in.below(5);
  for (std::size_t i = 0; i < wish.n; ++i)
    wish.sizes.push_back(w.in.once_in(12) ? draw_size(w, "buffer") : give(w, "buffer", draw_small(w)));
  wish.pointers.assign(wish.n, arena);
  give(w, "n", wish.n);
  wish.given_sizes = give(w, "sizes", w.in.once_in(16) ? nullptr : wish.sizes.data());
  wish.given_pointers = give(w, "pointers", w.in.once_in(16) ? nullptr : wish.pointers.data());
  wish.given_lease = give(w, "lease", w.in.once_in(16) ? nullptr : &wish.lease);
  std::size_t total = 0;
  for (const std::size_t size : wish.sizes) {
    if (__builtin_add_overflow(total, size, &total)) total = SIZE_MAX;
    w.refuse_if(total > most_bytes);
    w.given.push_back(std::to_string(total));
  }
  give_rounded(w, wish.sizes);
  w.refuse_if((wish.n > 0 && (!wish.given_sizes || !wish.given_pointers)) || !wish.given_lease);
  w.unsure_if(true);
}

void record_lease(World& w, const Wish& wish) {
  CHECK(wish.lease > 0, "the lease %lld", static_cast<long long>(wish.lease));
  Lease lease{wish.lease, {}, true};
  for (std::size_t i = 0; i < wish.n; ++i) {
    CHECK((wish.pointers[i] == nullptr) == (wish.sizes[i] == 0), "%zu bytes at %p", wish.sizes[i], wish.pointers[i]);
    if (!wish.pointers[i]) continue;
    auto* const begin = static_cast<unsigned char*>(wish.pointers[i]);
    const bool in_arena = begin >= arena && begin < arena + arena_size;
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    std::size_t offset = 0;
    CHECK(cadastre_find_block(w.handle, begin, &info, &offset) == CADASTRE_SUCCESS && wish.sizes[i] <= info.size - offset,
          "%zu bytes at %p are in no block", wish.sizes[i], wish.pointers[i]);
    const Block* const own = block_at(w, info.pointer);  // a buffer of the caller
    for (const auto& [other, size] : lease.buffers)
      CHECK(begin + wish.sizes[i] <= other || begin >= static_cast<unsigned char*>(other) + size, "two buffers overlap");
    if (!in_arena && !own) assert_apart(w, begin, wish.sizes[i]);
    std::memset(begin, 0x5a, wish.sizes[i]);
    rewrite(w, begin, wish.sizes[i]);
    if (!own) lease.buffers.emplace_back(begin, wish.sizes[i]);
  }
  w.known->leases.push_back(std::move(lease));
}

template <class Acquire>
void acquire(World& w, Acquire call) {
  Wish wish;
  draw_wish(w, wish);
  w.refuse_if(w.known && picture_before(w)->querying);
  const std::vector<void*> before = wish.pointers;
  if (conclude(w, call(wish))) return record_lease(w, wish);
  CHECK(wish.pointers == before && wish.lease == -7, "wrote what was not acquired");
}

void try_cadastre_workspace_release_captured(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  const cadastre_queue queue = draw_queue(w);
  w.refuse_if(!is_workspace_type(type));
  conclude(w, cadastre_workspace_release_captured(handle, type, queue));
}

void try_cadastre_workspace_acquire(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  w.refuse_if(!is_workspace_type(type));
  acquire(w, [=](Wish& wish) {
    return cadastre_workspace_acquire(handle, type, wish.n, wish.given_sizes, wish.given_pointers, wish.given_lease);
  });
}

void try_cadastre_workspace_acquire_on_queue(World& w) {
  const cadastre_context handle = draw_context(w);
  const cadastre_memory_type type = draw_type(w);
  const cadastre_queue queue = draw_queue(w);
  w.refuse_if(!is_workspace_type(type));
  acquire(w, [=](Wish& wish) {
    return cadastre_workspace_acquire_on_queue(handle, type, queue, wish.n, wish.given_sizes, wish.given_pointers, wish.given_lease);
  });
}

void try_cadastre_workspace_release(World& w) {
  const cadastre_context handle = draw_context(w);
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  if (w.known && !w.known->leases.empty() && !w.in.once_in(6)) {
    lease = w.in.once_in(4) ? w.known->leases[w.in.below(w.known->leases.size())].handle : w.known->leases.back().handle;
  } else if (w.in.once_in(2)) {
    lease = w.in.once_in(2) ? static_cast<cadastre_lease>(w.in.bits(8)) : static_cast<cadastre_lease>(w.in.below(9)) - 2;
  }
  give(w, "lease", lease);
  const bool known =
      w.known && std::any_of(w.known->leases.begin(), w.known->leases.end(), [=](const Lease& one) { return one.handle == lease; });
  w.refuse_if(!known);
  w.unsure_if(known && w.known->leases.back().handle != lease);
  const cadastre_exit_code code = cadastre_workspace_release(handle, lease);
  conclude(w, code);
  if (known && (was_destroyed(code) || code == CADASTRE_FAILURE))
    std::erase_if(w.known->leases, [=](const Lease& one) { return one.handle == lease; });
}

void try_cadastre_workspace_start_size_query(World& w) {
  const cadastre_context handle = draw_context(w);
  w.refuse_if(w.known && picture_before(w)->querying);
  conclude(w, cadastre_workspace_start_size_query(handle));
}

void try_cadastre_workspace_stop_size_query(World& w) {
  const cadastre_context handle = draw_context(w);
  std::size_t bytes = 0;
  std::size_t* const to = give(w, "bytes", w.in.once_in(6) ? nullptr : &bytes);
  w.refuse_if(!to || (w.known && !picture_before(w)->querying));
  conclude(w, cadastre_workspace_stop_size_query(handle, to));
}

void try_cadastre_workspace_is_size_query(World& w) {
  const cadastre_context handle = draw_context(w);
  const std::int32_t expected = w.known ? picture_before(w)->querying : 0;
  CHECK(cadastre_workspace_is_size_query(handle) == expected, "not what it was");
  conclude(w, CADASTRE_SUCCESS);
}

void try_cadastre_workspace_set_optimal_size(World& w) {
  const cadastre_context handle = draw_context(w);
  Wish wish;
  draw_wish(w, wish);
  w.invalid = !w.known || !picture_before(w)->querying || (wish.n > 0 && !wish.given_sizes);
  conclude(w, cadastre_workspace_set_optimal_size(handle, wish.n, wish.given_sizes));
}
enum Operation : unsigned { op_allocate, op_free, op_copy, op_set, op_synchronize, op_clone, op_destroy, op_null, op_misaligned };

Content& content_of(void* content) {
  Content& c = *static_cast<Content*>(content);
  CHECK(!c.destroyed, "an operation was called with what was destroyed");
  return c;
}

bool fails(Content& c, Operation operation) { return (c.fails >> operation & 1) != 0 && ++c.calls % 3 == 0; }

std::int32_t operate_allocate(void* content, const cadastre_memory_info_struct* request, cadastre_queue, void** pointer) {
  Content& c = content_of(content);
  if (fails(c, op_allocate)) return 7;
  if (fails(c, op_null)) return *pointer = nullptr, 0;
  const std::size_t alignment = std::max<std::size_t>(request->alignment, 16);
  const std::size_t misplaced = fails(c, op_misaligned) ? 1 : 0;
  if (request->size > some_bytes || alignment > some_bytes) return 12;
  void* base = nullptr;
  if (posix_memalign(&base, alignment, request->size + 16) != 0) return 12;
  *pointer = static_cast<char*>(base) + misplaced;
  c.granted[*pointer] = {base, request->size};
  return 0;
}

std::int32_t operate_free(void* content, const cadastre_memory_info_struct* block) {
  Content& c = content_of(content);
  const auto found = c.granted.find(block->pointer);
  CHECK(found != c.granted.end(), "a backend is to free %p, which it did not allocate", block->pointer);
  CHECK(found->second.size == block->size, "a backend is to free %zu bytes of %zu", block->size, found->second.size);
  if (fails(c, op_free)) return 9;
  std::free(found->second.base);
  c.granted.erase(found);
  return 0;
}

std::int32_t operate_copy(void* content, void* dest, const cadastre_memory_info_struct*, const void* src,
                          const cadastre_memory_info_struct*, std::size_t size, cadastre_queue) {
  if (fails(content_of(content), op_copy)) return 5;
  std::memcpy(dest, src, size);
  return 0;
}

std::int32_t operate_set(void* content, void* dest, const cadastre_memory_info_struct*, int value, std::size_t size, cadastre_queue) {
  if (fails(content_of(content), op_set)) return 5;
  std::memset(dest, value, size);
  return 0;
}

std::int32_t operate_synchronize(void* content, std::int32_t, cadastre_queue) { return fails(content_of(content), op_synchronize) ? 3 : 0; }

std::int32_t operate_clone(void* content, void** clone) {
  Content& c = content_of(content);
  if (fails(c, op_clone)) return 2;
  current->contents.push_back({});
  current->contents.back().fails = c.fails;
  *clone = &current->contents.back();
  return 0;
}

std::int32_t operate_destroy(void* content) {
  Content& c = content_of(content);
  c.destroyed = true;
  return fails(c, op_destroy) ? 8 : 0;
}

void try_cadastre_backend_register(World& w) {
  static int registered = 0;
  // A number is never used again; so few are used by one input.
  const bool one_more = w.backends.size() < 2;
  std::string name = "fuzz-" + std::to_string(++registered);
  const char* given = name.c_str();
  switch (w.in.below(16)) {
    case 12: given = nullptr; break;
    case 13: given = "openmp"; break;
    case 14: given = unterminated(64); break;
    case 15: given = ""; break;
    default: break;
  }
  w.refuse_if(given != name.c_str());
  // Longer than this version of the library knows, and with room for the longest that it accepts.
  alignas(std::max_align_t) std::array<unsigned char, 2048> bytes = {};
  cadastre_backend_operations_struct table = cadastre_backend_operations_struct_zero;
  table.memory_type_mask = 15;
  table.device_count = 1;
  table.allocate = operate_allocate;
  table.free = operate_free;
  table.copy = operate_copy;
  table.set = operate_set;
  if (w.in.once_in(2)) table.copy_async = operate_copy;
  if (w.in.once_in(2)) table.synchronize = operate_synchronize;
  if (w.in.once_in(2)) table.clone = operate_clone, table.destroy = operate_destroy;
  Content content;
  if (w.in.once_in(3)) content.fails = static_cast<unsigned>(w.in.bits(2));
  const std::size_t spoiled = one_more ? w.in.below(24) : 8 + w.in.below(10);
  switch (spoiled) {
    case 8: table.struct_size = w.in.of(std::array<std::size_t, 8>{0, 8, 40, 44, 47, 1032, SIZE_MAX, sizeof table + 4}); break;
    case 9: table.memory_type_mask = 0; break;
    case 10: table.memory_type_mask = static_cast<std::uint32_t>(w.in.bits(4)) | 16; break;
    case 11: table.device_count = w.in.of(std::array<std::int32_t, 3>{-1, INT_MIN, -1024}); break;
    case 12: table.allocate = nullptr; break;
    case 13: table.free = nullptr; break;
    case 14: table.copy = nullptr; break;
    case 15: table.set = nullptr; break;
    case 16:
    case 17:
      table.struct_size = sizeof table + 8;
      bytes[sizeof table] = 1;
      break;
    case 18: table.struct_size = sizeof table + 8 * w.in.below(100); break;
    case 19: table.memory_type_mask = 1 + static_cast<std::uint32_t>(w.in.below(15)); break;
    case 20: table.device_count = w.in.of(std::array<std::int32_t, 5>{0, 2, 64, 1000, INT_MAX}); break;
    case 21: table.struct_size = offsetof(cadastre_backend_operations_struct, copy_async); break;
    default: break;
  }
  w.refuse_if(spoiled >= 8 && spoiled <= 17);
  w.unsure_if(true);  // at some time all numbers are used
  std::memcpy(bytes.data(), &table, sizeof table);
  give(w, "struct_size", table.struct_size);
  give(w, "name", given);
  w.contents.push_back(content);
  const auto* const operations =
      give(w, "operations", w.in.once_in(40) ? nullptr : reinterpret_cast<const cadastre_backend_operations_struct*>(bytes.data()));
  w.refuse_if(!operations);
  const cadastre_backend number = cadastre_backend_register(given, operations, &w.contents.back());
  if (!conclude(w, code_of(w, number != CADASTRE_INVALID_BACKEND))) return;
  CHECK(number >= CADASTRE_FIRST_REGISTERED_BACKEND && cadastre_string_of_backend(number) == name, "another name");
  w.backends.push_back({number, &w.contents.back()});
  w.faulty = w.faulty || content.fails != 0;
}

void try_cadastre_backend_register_host(World& w) {
  static int registered = 0;
  const bool one_more = w.resources.size() < 2;
  const std::string name = "fuzz-host-" + std::to_string(++registered);
  const char* const given = give(w, "name", w.in.once_in(8) ? nullptr : name.c_str());
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  constexpr std::size_t page = 4096, huge = std::size_t{2} << 20;
  resource.page_size = w.in.of(std::array<std::size_t, 8>{0, CADASTRE_TRANSPARENT_HUGE_PAGES, page, huge, huge << 9, 2, 1000, SIZE_MAX});
  resource.flags = static_cast<cadastre_host_flags>(w.in.below(8));
  resource.numa_policy = w.in.of(std::array<std::int32_t, 6>{0, 0, 1, 2, 3, 4});
  resource.nodes = w.in.of(std::array<const char*, 6>{nullptr, nullptr, "0", "0-1,4", "5-3", "0,"});
  resource.near_device = w.in.of(std::array<const char*, 5>{nullptr, nullptr, "0000:41:00.0", "41", "../../etc/passwd"});
  const bool plain = w.in.once_in(2);  // as every machine has it
  if (plain) resource = cadastre_host_resource_struct_zero;
  const std::size_t spoiled = one_more ? w.in.below(12) : w.in.below(4);
  if (spoiled == 0) resource.struct_size = w.in.of(std::array<std::size_t, 4>{0, 8, 41, SIZE_MAX});
  if (spoiled == 1) resource.flags = 8 + static_cast<cadastre_host_flags>(w.in.bits(4)) % 1000;
  if (spoiled == 2) resource.numa_policy = w.in.of(std::array<std::int32_t, 3>{-1, 5, INT_MAX});
  if (spoiled == 3) resource.page_size = 3;
  give(w, "struct_size", resource.struct_size);
  give(w, "page_size", resource.page_size);
  if (resource.page_size == CADASTRE_TRANSPARENT_HUGE_PAGES) w.given.push_back("CADASTRE_TRANSPARENT_HUGE_PAGES");
  give(w, "flags", resource.flags);
  give(w, "numa_policy", resource.numa_policy);
  give_text(w, "nodes", resource.nodes);
  give_text(w, "near_device", resource.near_device);
  const auto* const resource_given = give(w, "resource", w.in.once_in(20) ? nullptr : &resource);
  w.refuse_if(!given || !resource_given || spoiled < 4);
  w.refuse_if(resource.page_size == 2 || resource.page_size == 1000 || resource.page_size == SIZE_MAX);
  const bool may_have_nodes = resource.numa_policy == CADASTRE_NUMA_BIND || resource.numa_policy == CADASTRE_NUMA_INTERLEAVE;
  w.refuse_if((resource.nodes != nullptr && !may_have_nodes) ||
              (resource.near_device != nullptr) != (resource.numa_policy == CADASTRE_NUMA_NEAR_DEVICE));
  w.unsure_if(true);  // what the machine has
  const cadastre_backend number = cadastre_backend_register_host(given, resource_given);
  if (!conclude(w, code_of(w, number != CADASTRE_INVALID_BACKEND))) return;
  CHECK(number >= CADASTRE_FIRST_REGISTERED_BACKEND && cadastre_string_of_backend(number) == name, "another name");
  w.resources.push_back(number);
}

// What a backend failed to free uses it for ever.
void try_cadastre_backend_unregister(World& w) {
  const cadastre_backend number = draw_registered_backend(w);
  w.refuse_if(!is_registered(w, number));
  w.unsure_if(true);
  conclude(w, cadastre_backend_unregister(number));
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  if (cadastre_backend_get_info(number, &info) == CADASTRE_SUCCESS) return;
  std::erase_if(w.backends, [=](const Registered& one) { return one.number == number; });
}

const Row rows[] = {
    {"cadastre_get_version", try_cadastre_get_version, {},
     {}, false, true},
    {"cadastre_get_build_options", try_cadastre_get_build_options, {},
     {}, false, true},
    {"cadastre_string_of_error", try_cadastre_string_of_error, {},
     {}, false, true},
    {"cadastre_string_of_reason", try_cadastre_string_of_reason, {},
     {}, false, true},
    {"cadastre_string_of_memory_type", try_cadastre_string_of_memory_type, {},
     {}, false, true},
    {"cadastre_string_of_backend", try_cadastre_string_of_backend, {},
     {}, false, true},
    {"cadastre_string_of_pool", try_cadastre_string_of_pool, {},
     {}, false, true},
    {"cadastre_string_of_workspace_scheme", try_cadastre_string_of_workspace_scheme, {},
     {}, false, true},
    {"cadastre_string_of_advice", try_cadastre_string_of_advice, {},
     {}, false, true},
    {"cadastre_string_of_report_format", try_cadastre_string_of_report_format, {},
     {}, false, true},
    {"cadastre_context_create", try_cadastre_context_create, {CADASTRE_ALLOCATION_FAILED, CADASTRE_INVALID_ENVIRONMENT, CADASTRE_NOT_SUPPORTED},
     {}, false, false},
    {"cadastre_context_create_with_options", try_cadastre_context_create_with_options, {CADASTRE_ALLOCATION_FAILED, CADASTRE_INVALID_ARG_1, CADASTRE_INVALID_CONTEXT, CADASTRE_INVALID_ENVIRONMENT, CADASTRE_NOT_SUPPORTED, CADASTRE_FAILURE},
     {}, false, false},
    {"cadastre_context_get_options", try_cadastre_context_get_options, {CADASTRE_INVALID_ARG_2},
     {}, true, true},
    {"cadastre_context_check", try_cadastre_context_check, {},
     {}, false, true},
    {"cadastre_context_destroy", try_cadastre_context_destroy, {CADASTRE_CAPTURE_ACTIVE, CADASTRE_FAILURE, CADASTRE_DEALLOCATION_FAILED},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_context_destroy_with_summary", try_cadastre_context_destroy_with_summary, {CADASTRE_INVALID_ARG_2, CADASTRE_CAPTURE_ACTIVE, CADASTRE_FAILURE, CADASTRE_DEALLOCATION_FAILED},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_context_destroy_with_children", try_cadastre_context_destroy_with_children, {CADASTRE_INVALID_ARG_2, CADASTRE_CAPTURE_ACTIVE, CADASTRE_FAILURE, CADASTRE_DEALLOCATION_FAILED},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_lock", try_cadastre_lock, {CADASTRE_FAILURE},
     {}, true, false},
    {"cadastre_unlock", try_cadastre_unlock, {CADASTRE_FAILURE},
     {}, true, false},
    {"cadastre_last_error", try_cadastre_last_error, {CADASTRE_INVALID_ARG_2},
     {}, false, true},
    {"cadastre_malloc", try_cadastre_malloc, {CADASTRE_INVALID_ARG_2, CADASTRE_NOT_SUPPORTED, CADASTRE_LIMIT_EXCEEDED, CADASTRE_ALLOCATION_FAILED},
     {}, true, false},
    {"cadastre_malloc_plain", try_cadastre_malloc_plain, {CADASTRE_INVALID_ARG_2, CADASTRE_NOT_SUPPORTED, CADASTRE_LIMIT_EXCEEDED, CADASTRE_ALLOCATION_FAILED},
     {}, true, false},
    {"cadastre_malloc_async", try_cadastre_malloc_async, {CADASTRE_INVALID_ARG_2, CADASTRE_NOT_SUPPORTED, CADASTRE_LIMIT_EXCEEDED, CADASTRE_ALLOCATION_FAILED, CADASTRE_CAPTURE_ACTIVE},
     {}, true, false},
    {"cadastre_malloc_strided", try_cadastre_malloc_strided, {CADASTRE_INVALID_ARG_2, CADASTRE_NOT_SUPPORTED, CADASTRE_LIMIT_EXCEEDED, CADASTRE_ALLOCATION_FAILED, CADASTRE_CAPTURE_ACTIVE},
     {}, true, false},
    {"cadastre_free", try_cadastre_free, {CADASTRE_INVALID_ARG_2, CADASTRE_CAPTURE_ACTIVE, CADASTRE_DEALLOCATION_FAILED},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_free_async", try_cadastre_free_async, {CADASTRE_INVALID_ARG_2, CADASTRE_CAPTURE_ACTIVE, CADASTRE_DEALLOCATION_FAILED, CADASTRE_FAILURE},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_label", try_cadastre_label, {CADASTRE_INVALID_ARG_1, CADASTRE_ALLOCATION_FAILED},
     {}, false, true},
    {"cadastre_realloc", try_cadastre_realloc, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_LIMIT_EXCEEDED, CADASTRE_ALLOCATION_FAILED, CADASTRE_FAILURE, CADASTRE_CAPTURE_ACTIVE, CADASTRE_DEALLOCATION_FAILED},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_get_malloc_info", try_cadastre_get_malloc_info, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3},
     {}, true, true},
    {"cadastre_get_allocated_size", try_cadastre_get_allocated_size, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3},
     {}, true, true},
    {"cadastre_find_block", try_cadastre_find_block, {CADASTRE_INVALID_ARG_2},
     {}, true, true},
    {"cadastre_memcpy", try_cadastre_memcpy, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_INVALID_ARG_4, CADASTRE_OUT_OF_BOUNDS, CADASTRE_NOT_SUPPORTED, CADASTRE_ALLOCATION_FAILED, CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_memcpy_async", try_cadastre_memcpy_async, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_INVALID_ARG_4, CADASTRE_OUT_OF_BOUNDS, CADASTRE_NOT_SUPPORTED, CADASTRE_ALLOCATION_FAILED, CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_memcpy_strided", try_cadastre_memcpy_strided, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_INVALID_ARG_4, CADASTRE_INVALID_ARG_5, CADASTRE_OUT_OF_BOUNDS, CADASTRE_NOT_SUPPORTED, CADASTRE_ALLOCATION_FAILED, CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_memcpy_strided_async", try_cadastre_memcpy_strided_async, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_INVALID_ARG_4, CADASTRE_INVALID_ARG_5, CADASTRE_OUT_OF_BOUNDS, CADASTRE_NOT_SUPPORTED, CADASTRE_ALLOCATION_FAILED, CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_memset", try_cadastre_memset, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_4, CADASTRE_OUT_OF_BOUNDS, CADASTRE_NOT_SUPPORTED, CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_memset_async", try_cadastre_memset_async, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_4, CADASTRE_OUT_OF_BOUNDS, CADASTRE_NOT_SUPPORTED, CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_context_set_default_queue", try_cadastre_context_set_default_queue, {},
     {}, true, false},
    {"cadastre_context_get_default_queue", try_cadastre_context_get_default_queue, {CADASTRE_INVALID_ARG_2},
     {}, true, true},
    {"cadastre_synchronize", try_cadastre_synchronize, {CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_prefetch", try_cadastre_prefetch, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_4, CADASTRE_OUT_OF_BOUNDS, CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_advise", try_cadastre_advise, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_4, CADASTRE_INVALID_ARG_5, CADASTRE_OUT_OF_BOUNDS, CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_wrap", try_cadastre_wrap, {CADASTRE_INVALID_ARG_2, CADASTRE_NOT_SUPPORTED, CADASTRE_ALLOCATION_FAILED},
     {}, true, false},
    {"cadastre_unwrap", try_cadastre_unwrap, {CADASTRE_INVALID_ARG_2},
     {}, true, false},
    {"cadastre_ipc_export", try_cadastre_ipc_export, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3},
     {}, true, true},
    {"cadastre_ipc_import", try_cadastre_ipc_import, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3},
     {}, true, true},
    {"cadastre_ipc_close", try_cadastre_ipc_close, {CADASTRE_INVALID_ARG_2},
     {}, true, true},
    {"cadastre_foreach_block", try_cadastre_foreach_block, {CADASTRE_INVALID_ARG_2, CADASTRE_ALLOCATION_FAILED, CADASTRE_FAILURE},
     {}, true, true},
    {"cadastre_free_all", try_cadastre_free_all, {CADASTRE_ALLOCATION_FAILED, CADASTRE_CAPTURE_ACTIVE, CADASTRE_DEALLOCATION_FAILED},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_get_statistics", try_cadastre_get_statistics, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3},
     {}, true, true},
    {"cadastre_get_device_statistics", try_cadastre_get_device_statistics, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_INVALID_ARG_4},
     {}, true, true},
    {"cadastre_pool_get_info", try_cadastre_pool_get_info, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3},
     {}, true, true},
    {"cadastre_get_registry_info", try_cadastre_get_registry_info, {CADASTRE_INVALID_ARG_2},
     {}, true, true},
    {"cadastre_pool_trim", try_cadastre_pool_trim, {CADASTRE_INVALID_ARG_2, CADASTRE_DEALLOCATION_FAILED, CADASTRE_CAPTURE_ACTIVE},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_reset_high_water_mark", try_cadastre_reset_high_water_mark, {CADASTRE_INVALID_ARG_2},
     {}, true, false},
    {"cadastre_set_out_of_memory_function", try_cadastre_set_out_of_memory_function, {CADASTRE_ALLOCATION_FAILED},
     {}, true, false},
    {"cadastre_set_limit", try_cadastre_set_limit, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_INVALID_ENVIRONMENT},
     {}, true, false},
    {"cadastre_context_set_timing", try_cadastre_context_set_timing, {},
     {}, true, true},
    {"cadastre_context_set_plain_free", try_cadastre_context_set_plain_free, {CADASTRE_FAILURE},
     {}, true, false},
    {"cadastre_get_backend_nanoseconds", try_cadastre_get_backend_nanoseconds, {},
     {}, false, true},
    {"cadastre_report", try_cadastre_report, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_ERRNO, CADASTRE_ALLOCATION_FAILED},
     {}, true, true},
    {"cadastre_backend_get_count", try_cadastre_backend_get_count, {},
     {}, false, true},
    {"cadastre_backend_get_info", try_cadastre_backend_get_info, {CADASTRE_INVALID_ARG_1, CADASTRE_INVALID_ARG_2},
     {}, false, true},
    {"cadastre_device_get_info", try_cadastre_device_get_info, {CADASTRE_INVALID_ARG_1, CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_NOT_SUPPORTED, CADASTRE_FAILURE},
     {}, false, true},
    {"cadastre_device_get_memory_usage", try_cadastre_device_get_memory_usage, {CADASTRE_INVALID_ARG_1, CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_NOT_SUPPORTED, CADASTRE_FAILURE},
     {}, false, true},
    {"cadastre_host_get_memory_usage", try_cadastre_host_get_memory_usage, {CADASTRE_INVALID_ARG_1},
     {}, false, true},
    {"cadastre_environment_get_count", try_cadastre_environment_get_count, {},
     {}, false, true},
    {"cadastre_environment_get_info", try_cadastre_environment_get_info, {CADASTRE_INVALID_ARG_1, CADASTRE_INVALID_ARG_2},
     {}, false, true},
    {"cadastre_backend_register", try_cadastre_backend_register, {CADASTRE_INVALID_ARG_1, CADASTRE_INVALID_ARG_2, CADASTRE_ALLOCATION_FAILED},
     {}, false, true},
    {"cadastre_backend_register_host", try_cadastre_backend_register_host, {CADASTRE_INVALID_ARG_1, CADASTRE_INVALID_ARG_2, CADASTRE_NOT_SUPPORTED, CADASTRE_ALLOCATION_FAILED},
     {}, false, true},
    {"cadastre_backend_get_host_info", try_cadastre_backend_get_host_info, {CADASTRE_INVALID_ARG_1, CADASTRE_INVALID_ARG_2},
     {}, false, true},
    {"cadastre_backend_unregister", try_cadastre_backend_unregister, {CADASTRE_INVALID_ARG_1, CADASTRE_FAILURE},
     {}, false, true},
    {"cadastre_workspace_set_size", try_cadastre_workspace_set_size, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_LEASE_ALIVE, CADASTRE_NOT_SUPPORTED, CADASTRE_LIMIT_EXCEEDED, CADASTRE_ALLOCATION_FAILED, CADASTRE_CAPTURE_ACTIVE, CADASTRE_FAILURE, CADASTRE_DEALLOCATION_FAILED},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_workspace_set_buffer", try_cadastre_workspace_set_buffer, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_INVALID_ARG_4, CADASTRE_NOT_SUPPORTED, CADASTRE_OUT_OF_BOUNDS, CADASTRE_LEASE_ALIVE, CADASTRE_CAPTURE_ACTIVE, CADASTRE_ALLOCATION_FAILED, CADASTRE_FAILURE, CADASTRE_DEALLOCATION_FAILED},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_workspace_release_captured", try_cadastre_workspace_release_captured, {CADASTRE_INVALID_ARG_2, CADASTRE_CAPTURE_ACTIVE, CADASTRE_ALLOCATION_FAILED, CADASTRE_FAILURE, CADASTRE_DEALLOCATION_FAILED},
     {CADASTRE_DEALLOCATION_FAILED}, true, false},
    {"cadastre_workspace_acquire", try_cadastre_workspace_acquire, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_4, CADASTRE_INVALID_ARG_5, CADASTRE_INVALID_ARG_6, CADASTRE_LIMIT_EXCEEDED, CADASTRE_NOT_SUPPORTED, CADASTRE_ALLOCATION_FAILED, CADASTRE_CAPTURE_ACTIVE, CADASTRE_SIZE_QUERY_MISMATCH, CADASTRE_FAILURE},
     {}, true, false},
    {"cadastre_workspace_acquire_on_queue", try_cadastre_workspace_acquire_on_queue, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3, CADASTRE_INVALID_ARG_4, CADASTRE_INVALID_ARG_5, CADASTRE_INVALID_ARG_6, CADASTRE_INVALID_ARG_7, CADASTRE_LIMIT_EXCEEDED, CADASTRE_NOT_SUPPORTED, CADASTRE_ALLOCATION_FAILED, CADASTRE_CAPTURE_ACTIVE, CADASTRE_SIZE_QUERY_MISMATCH, CADASTRE_FAILURE},
     {}, true, false},
    {"cadastre_workspace_release", try_cadastre_workspace_release, {CADASTRE_INVALID_ARG_2, CADASTRE_DEALLOCATION_FAILED, CADASTRE_FAILURE},
     {CADASTRE_DEALLOCATION_FAILED, CADASTRE_FAILURE}, true, false},
    {"cadastre_workspace_start_size_query", try_cadastre_workspace_start_size_query, {CADASTRE_SIZE_QUERY_MISMATCH, CADASTRE_ALLOCATION_FAILED},
     {}, true, false},
    {"cadastre_workspace_stop_size_query", try_cadastre_workspace_stop_size_query, {CADASTRE_SIZE_QUERY_MISMATCH, CADASTRE_INVALID_ARG_2},
     {}, true, false},
    {"cadastre_workspace_is_size_query", try_cadastre_workspace_is_size_query, {},
     {}, false, true},
    {"cadastre_workspace_set_optimal_size", try_cadastre_workspace_set_optimal_size, {CADASTRE_INVALID_ARG_3, CADASTRE_SIZE_QUERY_MISMATCH},
     {}, true, true},
    {"cadastre_workspace_get_info", try_cadastre_workspace_get_info, {CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_3},
     {}, true, true},
};

void count_outcome(const World& w, bool served) {
  if (!outcomes) return;
  Outcomes& own = outcomes[w.row - rows];
  ++(served ? own.served : own.refused);
}

void make_call(World& w, const Row& row) {
  w.before = pictures(w);
  w.row = &row;
  w.handle = CADASTRE_NULL_CONTEXT;
  w.known = nullptr;
  w.given.clear();
  w.given_text.clear();
  w.valid = true;
  w.invalid = false;
  w.code = -1;
  row.make(w);
  CHECK(w.code != -1, "nothing was concluded");
  if (row.reads || (!is_served(w.code) && !contains(row.changing, w.code))) assert_unchanged(w.before, pictures(w), w.code);
  assert_contents(w);
}

const Row& row_of(std::string_view name) {
  for (const Row& row : rows) {
    if (name == row.name) return row;
  }
  broken("no row of %s", name.data());
}

void end_context(World& w, Known& known) {
  const cadastre_context handle = known.handle;
  std::size_t bytes = 0;
  if (cadastre_workspace_is_size_query(handle))
    CHECK(cadastre_workspace_stop_size_query(handle, &bytes) == CADASTRE_SUCCESS, "the size query cannot be stopped");
  for (; known.locks > 0; --known.locks) CHECK(cadastre_unlock(handle) == CADASTRE_SUCCESS, "the lock was lost");
  CHECK(cadastre_unlock(handle) == CADASTRE_FAILURE, "the context is still locked");
  w.handle = handle;
  w.known = &known;
  Seen seen{w, 0, SIZE_MAX, CADASTRE_SUCCESS};
  CHECK(cadastre_foreach_block(handle, see, &seen) == CADASTRE_SUCCESS && seen.blocks == known.blocks.size(), "a block was lost");
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  const bool leased = std::any_of(known.blocks.begin(), known.blocks.end(), [](const Block& block) { return block.leased; });
  const cadastre_exit_code code = cadastre_context_destroy_with_summary(handle, &summary);
  CHECK(code == CADASTRE_SUCCESS || (w.faulty && code == CADASTRE_DEALLOCATION_FAILED), "destroying ended with %d", code);
  CHECK(leased || static_cast<std::size_t>(summary.live_blocks) == known.blocks.size(), "%lld blocks were alive, and not %zu",
        static_cast<long long>(summary.live_blocks), known.blocks.size());
  CHECK(cadastre_context_check(handle) == CADASTRE_NULL_CONTEXT, "the context is still there");
}

void end(World& w) {
  w.row = nullptr;
  for (Known& known : w.contexts) end_context(w, known);
  for (const Registered& one : w.backends) {
    const cadastre_exit_code code = cadastre_backend_unregister(one.number);
    CHECK(code == CADASTRE_SUCCESS || w.faulty, "a backend is in use after all contexts were destroyed");
  }
  for (const cadastre_backend one : w.resources) CHECK(cadastre_backend_unregister(one) == CADASTRE_SUCCESS, "a resource is in use");
  for (Content& content : w.contents) {
    CHECK(content.granted.empty() || content.fails, "a backend did not get back %zu blocks", content.granted.size());
    for (const auto& [pointer, granted] : content.granted) std::free(granted.base);
  }
}

void run(const std::uint8_t* data, std::size_t size, bool verbose) {
  Input in(data, size);
  World w(in);
  current = &w;
  w.verbose = verbose;
  make_call(w, row_of("cadastre_context_create"));
  while (!in.empty()) {
    // Half of all calls are of the functions that give the others something to do.
    static const std::array busy = {&row_of("cadastre_malloc"),
                                    &row_of("cadastre_malloc"),
                                    &row_of("cadastre_malloc_async"),
                                    &row_of("cadastre_free"),
                                    &row_of("cadastre_realloc"),
                                    &row_of("cadastre_memcpy"),
                                    &row_of("cadastre_wrap"),
                                    &row_of("cadastre_workspace_acquire_on_queue"),
                                    &row_of("cadastre_workspace_release"),
                                    &row_of("cadastre_context_create_with_options")};
    make_call(w, in.once_in(2) ? *in.of(busy) : rows[in.below(std::size(rows))]);
  }
  end(w);
  current = nullptr;
}

void settle_environment(const char* devices) {
  for (const char* name : {"CADASTRE_TRACE", "CADASTRE_REPORT", "CADASTRE_LIMIT", "CADASTRE_POOL", "CADASTRE_WORKSPACE_SIZE"})
    unsetenv(name);
  setenv("CADASTRE_BACKEND", "host", 1);
  setenv("CADASTRE_CUDA_LIBRARY", "/nowhere/libcudart.so", 1);
  setenv("CADASTRE_HIP_LIBRARY", "/nowhere/libamdhip64.so", 1);
  setenv("CADASTRE_OPENMP_MODULE", "/nowhere/module.so", 1);
  setenv("CADASTRE_EMULATED_DEVICES", devices, 1);
  emulated_devices = std::atoi(devices);
}

}  // namespace

#ifdef CADASTRE_LIBFUZZER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool settled = (settle_environment(std::getenv("FUZZ_HOST") ? "0" : "1"), true);
  if (settled && size > 0) run(data, size, false);
  return 0;
}

#else

namespace {

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* const value = std::getenv(variable);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

std::vector<std::uint8_t> drawn(std::uint64_t seed) {
  std::uint64_t state = seed;
  const auto next = [&] {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  };
  std::vector<std::uint8_t> bytes(20 + next() % (next() % 8 == 0 ? 4000 : 800));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(next() >> 56);
  return bytes;
}

constexpr std::uint64_t inputs_of_a_child = 64;

void name_the_call(int signal) {
  std::signal(signal, SIG_DFL);
  if (current && current->row) std::printf("\n# in %s(%s)\n", current->row->name, current->given_text.c_str());
  std::fflush(stdout);
  std::raise(signal);
}

bool under_valgrind() {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  return preloaded && std::strstr(preloaded, "vgpreload");
}

template <class Element>
Element* share(std::size_t count) {
  void* const pages = mmap(nullptr, count * sizeof(Element), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(pages != MAP_FAILED);
  return static_cast<Element*>(pages);
}

// Arguments that are all refused, or never, would prove little.
void assert_both_happen() {
  constexpr std::string_view cannot_fail_here = "cadastre_context_create";
  constexpr std::string_view seldom_served = "cadastre_device_get_memory_usage";  // where no device is emulated
  constexpr std::string_view of_processes = "cadastre_ipc_";                      // no backend here can; test_ipc has some that do
  int missing = 0;
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const Row& row = rows[i];
    const bool may_be_never = row.name == seldom_served || std::string_view(row.name).starts_with(of_processes);
    if (outcomes[i].served == 0 && !may_be_never) print_error("%s was never served\n", row.name), ++missing;
    if (outcomes[i].refused == 0 && (row.takes_context || !row.refused.empty()) && row.name != cannot_fail_here)
      print_error("%s was never refused\n", row.name), ++missing;
  }
  assert_int_equal(missing, 0);
}

void run_in_child(std::uint64_t first, std::uint64_t count, const char* devices, volatile std::uint64_t* at) {
  std::fflush(nullptr);
  *at = first;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
      std::signal(signal, sanitized || signal == SIGABRT ? SIG_DFL : name_the_call);
    std::signal(SIGALRM, name_the_call);
    alarm(static_cast<unsigned>(number_in("FUZZ_PATIENCE", 300)));
    settle_environment(devices);
    for (std::uint64_t i = 0; i < count; ++i) {
      *at = first + i;
      const std::vector<std::uint8_t> bytes = drawn(first + i);
      run(bytes.data(), bytes.size(), number_in("FUZZ_COUNT", 0) == 1);
    }
    *at = first + count;
    std::exit(0);  // where LeakSanitizer looks for leaks
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (status == 0) return;
  const std::uint64_t seed = *at;
  if (WIFSIGNALED(status))
    std::printf("# ended by signal %d%s\n", WTERMSIG(status), WTERMSIG(status) == SIGALRM ? ", after the time limit" : "");
  std::printf("# to repeat: FUZZ_SEED=%llu FUZZ_COUNT=%llu tests/test_bad_input\n",
              static_cast<unsigned long long>(seed < first + count ? seed : first),
              static_cast<unsigned long long>(seed < first + count ? 1 : count));
  std::fflush(stdout);
  assert_int_equal(status, 0);
}

void run_all(const char* devices) {
  using Clock = std::chrono::steady_clock;
  const auto stop = Clock::now() + std::chrono::milliseconds(500 * number_in("FUZZ_SECONDS", 0));
  const std::uint64_t seed = number_in("FUZZ_SEED", 1);
  const std::uint64_t few = number_in("FUZZ_COUNT", under_valgrind() ? 100 : sanitized ? 2500 : 5000);
  auto* const at = share<std::uint64_t>(1);
  outcomes = share<Outcomes>(std::size(rows));
  std::uint64_t done = 0;
  while (done < few || Clock::now() < stop) {
    const std::uint64_t count = std::min(inputs_of_a_child, done < few ? few - done : inputs_of_a_child);
    run_in_child(seed + done, count, devices, at);
    done += count;
  }
  std::printf("# %llu inputs\n", static_cast<unsigned long long>(done));
  if (done >= 2500) assert_both_happen();
}

void every_call_on_host_memory_is_served_or_refused(void**) { run_all("0"); }

void every_call_on_an_emulated_device_is_served_or_refused(void**) { run_all("1"); }

// What the inputs found, each by itself. In a child, since the library reads the environment once.
template <class Claim>
void claim_in_child(const char* devices, Claim claim) {
  std::fflush(nullptr);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    settle_environment(devices);
    claim();
    std::exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

cadastre_error_struct error_of(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  return error;
}

void a_size_that_exceeds_every_allocation_is_named_as_it_was_given(void**) {
  claim_in_child("0", [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_workspace_set_buffer(context, CADASTRE_HOST, arena, SIZE_MAX - 2) == CADASTRE_INVALID_ARG_4, "accepted");
    CHECK(std::strstr(error_of(context).message, "18446744073709551613"), "%s", error_of(context).message);
    const std::size_t size = SIZE_MAX - 4;
    void* pointer = nullptr;
    cadastre_lease lease = 0;
    CHECK(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &pointer, &lease) == CADASTRE_INVALID_ARG_4,
          "accepted");
    CHECK(error_of(context).requested == size, "%s", error_of(context).message);
    cadastre_context_destroy(context);
  });
}

void a_request_that_is_refused_in_any_case_takes_no_idle_workspace(void**) {
  claim_in_child("0", [] {
    const cadastre_context context = cadastre_context_create();
    std::size_t size = 1000;
    void* pointer = nullptr;
    cadastre_lease lease = 0;
    CHECK(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &pointer, &lease) == CADASTRE_SUCCESS,
          "not acquired");
    CHECK(cadastre_workspace_release(context, lease) == CADASTRE_SUCCESS, "not released");
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 1100) == CADASTRE_SUCCESS, "no limit");
    const std::string longer(256, 'x');
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 500;
    info.label = longer.c_str();
    CHECK(!cadastre_malloc(context, info) && error_of(context).reason == CADASTRE_REASON_LABEL_TOO_LONG, "accepted");
    cadastre_workspace_info_struct workspace = cadastre_workspace_info_struct_zero;
    cadastre_workspace_get_info(context, CADASTRE_HOST, &workspace);
    CHECK(workspace.reserved_bytes >= size, "the workspace has gone");
    info.label = nullptr;
    CHECK(cadastre_malloc(context, info), "%s", error_of(context).message);
    cadastre_context_destroy(context);
  });
}

void a_context_that_was_destroyed_is_never_reported_as_unchanged(void**) {
  claim_in_child("0", [] {
    Content content;
    cadastre_backend_operations_struct table = cadastre_backend_operations_struct_zero;
    table.memory_type_mask = 15;
    table.device_count = 1;
    table.allocate = operate_allocate;
    table.free = operate_free;
    table.copy = operate_copy;
    table.set = operate_set;
    table.synchronize = [](void*, std::int32_t, cadastre_queue) -> std::int32_t { return 3; };
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = cadastre_backend_register("never done", &table, &content);
    const cadastre_context context = cadastre_context_create_with_options(&options);
    const std::size_t size = 1000;
    void* pointer = nullptr;
    cadastre_lease lease = 0;
    CHECK(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, nullptr, 1, &size, &pointer, &lease) == CADASTRE_SUCCESS,
          "not acquired");
    CHECK(cadastre_context_destroy(context) == CADASTRE_DEALLOCATION_FAILED, "not DEALLOCATION_FAILED");
    const cadastre_error_struct error = error_of(context);
    CHECK(error.exit_code == CADASTRE_DEALLOCATION_FAILED, "%s", error.message);
    CHECK(cadastre_context_check(context) == CADASTRE_NULL_CONTEXT, "the context is still there");
    for (const auto& [address, granted] : content.granted) std::free(granted.base);
  });
}

// A block cannot be freed, and then a queue that held nothing cannot be waited for.
void the_last_error_of_a_destruction_has_its_exit_code(void**) {
  claim_in_child("0", [] {
    static void* left = nullptr;
    Content content;
    cadastre_backend_operations_struct table = cadastre_backend_operations_struct_zero;
    table.memory_type_mask = 15;
    table.device_count = 1;
    table.allocate = operate_allocate;
    table.copy = operate_copy;
    table.set = operate_set;
    table.free = [](void* of, const cadastre_memory_info_struct* block) {
      return block->type == CADASTRE_HOST ? (left = block->pointer, 9) : operate_free(of, block);
    };
    table.synchronize = [](void*, std::int32_t, cadastre_queue) -> std::int32_t { return left ? 3 : 0; };
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = cadastre_backend_register("fails", &table, &content);
    const cadastre_context context = cadastre_context_create_with_options(&options);
    const std::size_t size = 1000, none = 0;
    void* pointer = nullptr;
    cadastre_lease lease = 0;
    CHECK(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, nullptr, 1, &size, &pointer, &lease) == CADASTRE_SUCCESS,
          "not acquired");
    CHECK(cadastre_workspace_acquire_on_queue(context, CADASTRE_UVM, nullptr, 1, &none, &pointer, &lease) == CADASTRE_SUCCESS,
          "not acquired");
    CHECK(cadastre_context_destroy(context) == CADASTRE_DEALLOCATION_FAILED, "not DEALLOCATION_FAILED");
    const cadastre_error_struct error = error_of(context);
    CHECK(error.exit_code == CADASTRE_DEALLOCATION_FAILED, "%s", error.message);
    CHECK(left && content.granted.contains(left), "the block of HOST memory was freed");
    std::free(content.granted[left].base);
  });
}

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* const pipe = popen(command.c_str(), "r");
  for (int c; pipe && (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  if (pipe) pclose(pipe);
  return text;
}

void every_function_of_the_library_is_called(void**) {
  const char *const library = std::getenv("TEST_LIBRARY"), *const nm = std::getenv("NM");
  if (!library || access(library, R_OK) != 0) skip_because("there is no double of a runtime");
  std::istringstream lines(output_of(std::string(nm ? nm : "nm") + " -D --defined-only '" + library + "'"));
  std::set<std::string> exported, called;
  for (std::string address, kind, name; lines >> address >> kind >> name;) {
    const bool for_adapters = name.ends_with("@CADASTRE_PRIVATE");
    if (kind == "T" && !for_adapters) exported.insert(name.substr(0, name.find('@')));
  }
  assert_true(exported.size() > 40);
  for (const Row& row : rows) called.insert(row.name);
  for (const std::string& name : exported) {
    if (!called.contains(name)) print_error("%s has no row in org/tests/bad_input.org\n", name.c_str());
  }
  for (const std::string& name : called) {
    if (!exported.contains(name)) print_error("%s is not exported\n", name.c_str());
  }
  assert_true(exported == called);
}

// The comment above the declaration of a function.
std::string comment_of(const std::string& header, const std::string& name) {
  for (std::size_t at = header.find(name + "("); at != std::string::npos; at = header.find(name + "(", at + 1)) {
    const std::size_t end = header.rfind("*/", at), begin = header.rfind("/*", at);
    const std::size_t declares = header.rfind("CADASTRE_API", at);
    if (begin < end && declares != std::string::npos && declares > end) return header.substr(begin, end - begin);
  }
  return "";
}

std::string code_name(cadastre_exit_code code) {
  const std::map<cadastre_exit_code, std::string> names = {{CADASTRE_INVALID_CONTEXT, "INVALID_CONTEXT"},
                                                           {CADASTRE_FAILURE, "FAILURE"},
                                                           {CADASTRE_ERRNO, "ERRNO"},
                                                           {CADASTRE_ALLOCATION_FAILED, "ALLOCATION_FAILED"},
                                                           {CADASTRE_DEALLOCATION_FAILED, "DEALLOCATION_FAILED"},
                                                           {CADASTRE_OUT_OF_BOUNDS, "OUT_OF_BOUNDS"},
                                                           {CADASTRE_LIMIT_EXCEEDED, "LIMIT_EXCEEDED"},
                                                           {CADASTRE_NOT_SUPPORTED, "NOT_SUPPORTED"},
                                                           {CADASTRE_INVALID_ENVIRONMENT, "INVALID_ENVIRONMENT"},
                                                           {CADASTRE_SIZE_QUERY_MISMATCH, "SIZE_QUERY_MISMATCH"},
                                                           {CADASTRE_CAPTURE_ACTIVE, "CAPTURE_ACTIVE"},
                                                           {CADASTRE_LEASE_ALIVE, "LEASE_ALIVE"},
                                                           {CADASTRE_LEASE_OUT_OF_ORDER, "LEASE_OUT_OF_ORDER"}};
  if (code >= CADASTRE_INVALID_ARG_1 && code <= CADASTRE_INVALID_ARG_20) return "INVALID_ARG_" + std::to_string(code);
  return names.at(code);
}

bool is_documented(const std::string& comment, cadastre_exit_code code) {
  if (comment.find(code_name(code)) != std::string::npos) return true;
  int from = 0, to = 0;  // as in "INVALID_ARG_4 to INVALID_ARG_7"
  for (std::size_t at = comment.find("INVALID_ARG_"); at != std::string::npos; at = comment.find("INVALID_ARG_", at + 1)) {
    if (std::sscanf(comment.c_str() + at, "INVALID_ARG_%d to INVALID_ARG_%d", &from, &to) == 2 && from <= code && code <= to) return true;
  }
  return false;
}

void the_headers_document_each_exit_code(void**) {
  const char* const source = std::getenv("srcdir");
  std::string header;
  for (const char* name : {"/include/cadastre_vocabulary.h", "/include/cadastre.h", "/include/cadastre_workspace.h"}) {
    std::ifstream file((source ? source : ".") + std::string(name));
    if (!file) skip_because("there are no sources beside the program");
    header.append(std::istreambuf_iterator<char>(file), {});
  }
  int missing = 0;
  for (const Row& row : rows) {
    std::string comment = comment_of(header, row.name);
    if (comment.empty()) print_error("%s is in no header\n", row.name), ++missing;
    // "as cadastre_malloc": what is said there holds too.
    const std::string own = comment;
    for (const Row& other : rows) {
      if (own.find(other.name) != std::string::npos) comment += comment_of(header, other.name);
    }
    for (const cadastre_exit_code code : row.refused) {
      if (is_documented(comment, code)) continue;
      print_error("the headers do not document %s of %s\n", code_name(code).c_str(), row.name);
      ++missing;
    }
  }
  assert_int_equal(missing, 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_function_of_the_library_is_called),
      cmocka_unit_test(the_headers_document_each_exit_code),
      cmocka_unit_test(every_call_on_host_memory_is_served_or_refused),
      cmocka_unit_test(every_call_on_an_emulated_device_is_served_or_refused),
      cmocka_unit_test(a_size_that_exceeds_every_allocation_is_named_as_it_was_given),
      cmocka_unit_test(a_request_that_is_refused_in_any_case_takes_no_idle_workspace),
      cmocka_unit_test(a_context_that_was_destroyed_is_never_reported_as_unchanged),
      cmocka_unit_test(the_last_error_of_a_destruction_has_its_exit_code),
  };
  return cmocka_run_group_tests_name("bad_input", tests, nullptr, nullptr);
}

#endif
