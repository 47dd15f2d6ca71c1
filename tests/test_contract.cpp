// Tangled from org/tests/contract_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "cadastre.h"
#include "cmocka.hpp"

namespace {

// The first expectation that fails ends a child with its line.
void expect(bool holds, int line, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "# line %d: %s\n", line, what);
  _exit(line % 200 + 1);
}
#define EXPECT(what) expect(what, __LINE__, #what)

// The exit status of a child, or 128 and the number of the signal that ended it.
template <class Body>
int end_of_a_child(Body body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    body();
    _exit(0);
  }
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

template <class Body>
void in_a_child(Body body, int expected = 0) {
  assert_int_equal(end_of_a_child(body), expected);
}

cadastre_memory_info_struct request(std::size_t size, cadastre_memory_type type = CADASTRE_DEVICE) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  return info;
}

cadastre_error_struct last_error(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  return error;
}

struct Named {
  const char *place, *file, *claim;
};

constexpr Named named[] = {
    {"any thread", "tests/test_threads.cpp", "eight_threads_on_one_context_lose_nothing"},
    {"a thread that holds cadastre_lock", "tests/test_context.cpp", "a_call_without_the_context_lock_waits_for_the_owner_of_the_lock"},
    {"the callback of cadastre_foreach_block", "tests/test_contract.cpp", "a_callback_of_foreach_may_call_everything"},
    {"the callback of cadastre_set_out_of_memory_function", "tests/test_out_of_memory.cpp", "the_callback_may_call_everything_but_destroy_its_context"},
    {"the I/O functions of the stream given to cadastre_report", "tests/test_contract.cpp", "the_stream_of_a_report_may_call_everything"},
    {"an operation of a registered backend", "tests/test_contract.cpp", "an_operation_may_not_destroy_the_context_that_it_works_for"},
    {"an operation of a registered backend", "tests/test_contract.cpp", "an_operation_may_call_everything_else"},
    {"a signal handler", "tests/test_contract.cpp", "a_signal_handler_may_ask_for_the_version"},
    {"a signal handler", "tests/test_handlers.cpp", "handlers_that_interrupt_calls_are_served_or_refused"},
    {"a signal handler", "tests/test_handlers.cpp", "handlers_at_each_instruction_are_served_or_refused"},
    {"a signal handler", "tests/test_another_malloc.cpp", "a_handler_that_comes_while_malloc_is_called_finds_its_thread_inside"},
    {"a signal handler", "tests/test_forks.cpp", "a_handler_may_fork_and_parent_and_child_finish_the_call"},
    {"a signal handler", "tests/test_forks.cpp", "a_handler_may_fork_beside_other_threads"},
    {"a handler of pthread_atfork", "tests/test_contract.cpp", "handlers_of_a_fork_may_call"},
    {"the child of a fork", "tests/test_contract.cpp", "nothing_is_recorded_in_a_child"},
    {"the child of a fork", "tests/test_contract.cpp", "handlers_of_a_fork_find_no_vendor_in_the_child"},
    {"the child of a fork", "tests/test_ends.cpp", "a_fork_elsewhere_does_not_keep_what_others_began"},
    {"the child of a fork", "tests/test_context.cpp", "a_child_process_goes_on_with_the_contexts_it_inherits"},
    {"before main, and while the process exits", "tests/test_context.cpp", "static_objects_use_contexts_after_main"},
    {"before main, and while the process exits", "tests/test_contract.cpp", "a_process_may_end_from_inside_an_operation"},
    {"after dlclose", "tests/test_dlopen.c", "the_library_can_be_opened_and_closed_again_and_again"},
    {"a thread that ends or is cancelled", "tests/test_ends.cpp", "a_visitor_may_end_its_thread"},
    {"a thread that ends or is cancelled", "tests/test_ends.cpp", "an_exception_of_a_visitor_is_stopped_and_a_cancelled_thread_ends_later"},
    {"a thread that ends or is cancelled", "tests/test_context.cpp", "the_lock_of_a_thread_that_ended_is_nobody_elses"},
    {"during the capture of a queue", "tests/workspace_capture_claims.cpp", "a_free_in_a_capture_is_refused_and_changes_nothing"},
    {"during the capture of a queue", "tests/workspace_capture_claims.cpp", "what_waits_is_refused_in_a_capture_and_spoils_nothing"},
    {"during the capture of a queue", "tests/workspace_capture_claims.cpp", "an_allocation_is_allowed_in_every_capture"},
    {"after the program resets a device", "tests/test_pools.cpp", "memory_that_a_reset_took_is_handed_out_once"},
    {"a set-user-id or set-group-id program", "tests/test_set_id.sh", "it does not change the file that CADASTRE_TRACE names"},
    {"a set-user-id or set-group-id program", "tests/test_set_id.sh", "it runs no code that a variable names"},
};

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void each_place_has_its_claims(void**) {
  const char* const sources = std::getenv("srcdir");
  if (!sources) skip_because("there are no sources beside the program");
  for (const Named& one : named) {
    const std::string text = content(std::string(sources) + "/" + one.file), claim = one.claim;
    const bool script = std::string(one.file).ends_with(".sh");
    const bool runs = text.find(script ? "claim \"" + claim + "\"" : "cmocka_unit_test(" + claim + ")") != std::string::npos;
    if (!runs) print_message("%s: %s has no claim %s\n", one.place, one.file, one.claim);
    assert_true(runs);
  }
}

// What the next call of one operation does first, and where.
std::function<void()> inside;
const char* in_operation = "";

void enter(const char* operation) {
  if (!inside || std::strcmp(operation, in_operation) != 0) return;
  std::exchange(inside, nullptr)();
}

cadastre_backend_operations_struct calling_back() {
  cadastre_backend_operations_struct o = cadastre_backend_operations_struct_zero;
  o.memory_type_mask = 1u << CADASTRE_DEVICE;
  o.device_count = 1;
  o.allocate = [](void*, const cadastre_memory_info_struct* info, cadastre_queue, void** pointer) {
    enter("allocate");
    *pointer = std::aligned_alloc(4096, (info->size + 8191) / 4096 * 4096);
    return *pointer ? 0 : 1;
  };
  o.free = [](void*, const cadastre_memory_info_struct* info) {
    enter("free");
    std::free(info->pointer);
    return 0;
  };
  o.copy = [](void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*, std::size_t bytes,
              cadastre_queue) {
    enter("copy");
    std::memcpy(to, from, bytes);
    return 0;
  };
  o.copy_async = [](void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                    std::size_t bytes, cadastre_queue) {
    enter("copy_async");
    std::memcpy(to, from, bytes);
    return 0;
  };
  o.set = [](void*, void* to, const cadastre_memory_info_struct*, int value, std::size_t bytes, cadastre_queue) {
    enter("set");
    std::memset(to, value, bytes);
    return 0;
  };
  o.synchronize = [](void*, std::int32_t, cadastre_queue) { return enter("synchronize"), 0; };
  o.prefetch = [](void*, const void*, std::size_t, std::int32_t, cadastre_queue, std::int32_t*) { return enter("prefetch"), 0; };
  o.advise = [](void*, const void*, std::size_t, cadastre_advice, std::int32_t, std::int32_t*) { return enter("advise"), 0; };
  o.max_alignment = [](void*, cadastre_memory_type) { return enter("max_alignment"), std::size_t{4096}; };
  o.clone = [](void* content, void** clone) { return enter("clone"), *clone = content, 0; };
  o.destroy = [](void*) { return enter("destroy"), 0; };
  return o;
}

struct Place {
  cadastre_backend backend;
  cadastre_context context;
};

cadastre_context context_on(cadastre_backend backend, cadastre_pool pool = CADASTRE_POOL_NONE) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend;
  options.pool = pool;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  EXPECT(context != CADASTRE_NULL_CONTEXT);
  return context;
}

Place a_place(cadastre_pool pool) {
  const cadastre_backend_operations_struct operations = calling_back();
  const cadastre_backend backend = cadastre_backend_register("calls back", &operations, nullptr);
  EXPECT(backend != CADASTRE_INVALID_BACKEND);
  return {backend, context_on(backend, pool)};
}

struct Way {
  const char* name;
  const char* operation;
  void (*call)(cadastre_context context, void* block);
};

constexpr Way ways[] = {
    {"malloc", "allocate", [](cadastre_context c, void*) { EXPECT(cadastre_malloc(c, request(100000))); }},
    {"malloc, zeroed", "set", [](cadastre_context c, void*) { EXPECT(cadastre_malloc(c, request(100000))); }},
    {"free", "free", [](cadastre_context c, void* block) { EXPECT(cadastre_free(c, block) == CADASTRE_SUCCESS); }},
    {"free_async", "synchronize",
     [](cadastre_context c, void* block) { EXPECT(cadastre_free_async(c, block, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS); }},
    {"free_all", "free", [](cadastre_context c, void*) { EXPECT(cadastre_free_all(c) == CADASTRE_SUCCESS); }},
    {"realloc", "allocate", [](cadastre_context c, void* block) { EXPECT(cadastre_realloc(c, block, 100000)); }},
    {"realloc, copying", "copy", [](cadastre_context c, void* block) { EXPECT(cadastre_realloc(c, block, 100000)); }},
    {"memcpy", "copy",
     [](cadastre_context c, void* block) {
       char there[10];
       EXPECT(cadastre_memcpy(c, there, block, 10) == CADASTRE_SUCCESS);
     }},
    {"memcpy_async", "copy_async",
     [](cadastre_context c, void* block) {
       char there[10];
       EXPECT(cadastre_memcpy_async(c, there, block, 10, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS);
     }},
    {"memset", "set", [](cadastre_context c, void* block) { EXPECT(cadastre_memset(c, block, 1, 10) == CADASTRE_SUCCESS); }},
    {"synchronize", "synchronize",
     [](cadastre_context c, void*) { EXPECT(cadastre_synchronize(c, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS); }},
    {"lend", "allocate",
     [](cadastre_context c, void*) {
       const std::size_t size = 100;
       void* buffer = nullptr;
       cadastre_lease lease = CADASTRE_NULL_LEASE;
       EXPECT(cadastre_workspace_acquire(c, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &buffer, &lease) == CADASTRE_SUCCESS && buffer);
       EXPECT(cadastre_workspace_release(c, lease) == CADASTRE_SUCCESS);
     }},
    {"set_size", "allocate",
     [](cadastre_context c, void*) { EXPECT(cadastre_workspace_set_size(c, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1000) == CADASTRE_SUCCESS); }},
};

bool ran = false;

void perform(const Way& way, const Place& place, void* block, std::function<void()> what) {
  in_operation = way.operation;
  ran = false;
  inside = [&] { ran = true, what(); };
  way.call(place.context, block);
  EXPECT(ran);
}

void refuses_to_destroy(cadastre_context context) {
  cadastre_statistics_struct before = cadastre_statistics_struct_zero, after = cadastre_statistics_struct_zero;
  EXPECT(cadastre_get_statistics(context, CADASTRE_DEVICE, &before) == CADASTRE_SUCCESS);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  summary.live_blocks = -7;
  for (const cadastre_exit_code code : {cadastre_context_destroy(context), cadastre_context_destroy_with_summary(context, &summary)}) {
    EXPECT(code == CADASTRE_FAILURE);
    const cadastre_error_struct error = last_error(context);
    EXPECT(error.reason == CADASTRE_REASON_CALLED_FROM_OPERATION);
    EXPECT(std::strstr(error.message, "destroy it when"));
  }
  EXPECT(summary.live_blocks == -7);
  EXPECT(cadastre_get_statistics(context, CADASTRE_DEVICE, &after) == CADASTRE_SUCCESS);
  EXPECT(std::memcmp(&before, &after, sizeof before) == 0);
}

// The same of a call inside a call inside a call, on contexts that are in turn.
void a_chain_of_operations_may_destroy_none_of_their_contexts(void**) {
  in_a_child([] {
    const Place place = a_place(CADASTRE_POOL_NONE);
    const cadastre_context other = context_on(place.backend), third = context_on(place.backend);
    in_operation = "allocate";
    bool both = false;
    inside = [&] {
      inside = [&] {
        refuses_to_destroy(place.context);
        refuses_to_destroy(other);
        EXPECT(cadastre_context_destroy(third) == CADASTRE_SUCCESS);
        both = true;
      };
      EXPECT(cadastre_malloc(other, request(10)));
      EXPECT(cadastre_context_destroy(other) == CADASTRE_SUCCESS);
    };
    EXPECT(cadastre_malloc(place.context, request(10)));
    EXPECT(both);
    EXPECT(cadastre_context_destroy(place.context) == CADASTRE_SUCCESS);
  });
}

void an_operation_may_not_destroy_the_context_that_it_works_for(void**) {
  for (const Way& way : ways) {
    in_a_child([&] {
      const Place place = a_place(CADASTRE_POOL_NONE);
      void* const block = cadastre_malloc(place.context, request(50));
      perform(way, place, block, [&] { refuses_to_destroy(place.context); });
      EXPECT(cadastre_malloc(place.context, request(50)));
      EXPECT(cadastre_context_destroy(place.context) == CADASTRE_SUCCESS);
      EXPECT(cadastre_backend_unregister(place.backend) == CADASTRE_SUCCESS);
    });
  }
}

// What needs no block of its own, and no result that depends on the call around.
void calls_everything(const Place& place) {
  const cadastre_context c = place.context;
  void* block = cadastre_malloc(c, request(20));
  EXPECT(block);
  EXPECT((block = cadastre_realloc(c, block, 200)));
  void* const ordered = cadastre_malloc_async(c, request(20), CADASTRE_DEFAULT_QUEUE);
  EXPECT(ordered && cadastre_free_async(c, ordered, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS);
  char there[10] = "";
  EXPECT(cadastre_memcpy(c, block, there, 10) == CADASTRE_SUCCESS);
  EXPECT(cadastre_memcpy_async(c, there, block, 10, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS);
  EXPECT(cadastre_memset(c, block, 0, 10) == CADASTRE_SUCCESS);
  EXPECT(cadastre_synchronize(c, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS);
  EXPECT(cadastre_find_block(c, static_cast<char*>(block) + 7, nullptr, nullptr) == CADASTRE_SUCCESS);
  void* const plain = cadastre_malloc(c, request(20, CADASTRE_HOST));
  EXPECT(plain && cadastre_free(c, plain) == CADASTRE_SUCCESS);
  cadastre_memory_info_struct info = request(sizeof there, CADASTRE_HOST);
  info.pointer = there;
  EXPECT(cadastre_wrap(c, info) == CADASTRE_SUCCESS && cadastre_unwrap(c, there) == CADASTRE_SUCCESS);
  EXPECT(cadastre_lock(c) == CADASTRE_SUCCESS);
  EXPECT(cadastre_pool_trim(c, CADASTRE_DEVICE, 0) == CADASTRE_SUCCESS);
  EXPECT(cadastre_unlock(c) == CADASTRE_SUCCESS);
  const auto look = [](const cadastre_memory_info_struct* seen, void* in) -> cadastre_exit_code {
    cadastre_find_block(*static_cast<const cadastre_context*>(in), seen->pointer, nullptr, nullptr);  // not what is being freed
    return CADASTRE_SUCCESS;
  };
  cadastre_context of_visits = c;
  EXPECT(cadastre_foreach_block(c, look, &of_visits) == CADASTRE_SUCCESS);
  std::FILE* const nowhere = std::fopen("/dev/null", "w");
  EXPECT(cadastre_report(c, nowhere, CADASTRE_REPORT_TEXT) == CADASTRE_SUCCESS);
  EXPECT(cadastre_report(c, nowhere, CADASTRE_REPORT_JSON) == CADASTRE_SUCCESS);
  std::fclose(nowhere);
  const std::size_t size = 100;
  void* buffer = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  EXPECT(cadastre_workspace_acquire(c, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &buffer, &lease) == CADASTRE_SUCCESS && buffer);
  EXPECT(cadastre_workspace_release(c, lease) == CADASTRE_SUCCESS);
  EXPECT(cadastre_free(c, block) == CADASTRE_SUCCESS);
  EXPECT(cadastre_context_destroy(context_on(place.backend)) == CADASTRE_SUCCESS);
  EXPECT(cadastre_backend_unregister(place.backend) == CADASTRE_FAILURE);
  EXPECT(last_error(CADASTRE_NULL_CONTEXT).reason == CADASTRE_REASON_BACKEND_IN_USE);
  const cadastre_backend_operations_struct operations = calling_back();
  const cadastre_backend another = cadastre_backend_register("another", &operations, nullptr);
  EXPECT(another != CADASTRE_INVALID_BACKEND && cadastre_backend_unregister(another) == CADASTRE_SUCCESS);
  std::thread([&] { EXPECT(cadastre_free(c, cadastre_malloc(c, request(20))) == CADASTRE_SUCCESS); }).join();
  EXPECT(end_of_a_child([&] { EXPECT(cadastre_malloc(c, request(20))); }) == 0);
}

void an_operation_may_call_everything_else(void**) {
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING}) {
    for (const Way& way : ways) {
      in_a_child([&] {
        const Place place = a_place(pool);
        void* const block = cadastre_malloc(place.context, request(50));
        const auto everything = [&] { calls_everything(place); };
        if (pool == CADASTRE_POOL_NONE) {
          perform(way, place, block, everything);
        } else {  // the pool decides which call reaches the backend
          in_operation = way.operation;
          inside = everything;
          way.call(place.context, block);
          inside = nullptr;
        }
        EXPECT(cadastre_malloc(place.context, request(50)));
        EXPECT(cadastre_context_destroy(place.context) == CADASTRE_SUCCESS);
        EXPECT(cadastre_backend_unregister(place.backend) == CADASTRE_SUCCESS);
      });
    }
  }
}

void a_context_that_is_going_is_gone_for_its_operations(void**) {
  for (const char* const operation : {"free", "destroy"}) {
    in_a_child([&] {
      const Place place = a_place(CADASTRE_POOL_NONE);
      EXPECT(cadastre_malloc(place.context, request(50)));
      in_operation = operation;
      bool asked = false;
      inside = [&] {
        asked = true;
        EXPECT(cadastre_context_destroy(place.context) == CADASTRE_INVALID_CONTEXT);
        EXPECT(!cadastre_malloc(place.context, request(50)));
        EXPECT(last_error(place.context).reason == CADASTRE_REASON_DESTROYED_CONTEXT);
        EXPECT(cadastre_context_destroy(context_on(place.backend)) == CADASTRE_SUCCESS);
      };
      EXPECT(cadastre_context_destroy(place.context) == CADASTRE_SUCCESS);
      EXPECT(asked);
      EXPECT(cadastre_backend_unregister(place.backend) == CADASTRE_SUCCESS);
    });
  }
}

void operations_of_registering_and_creating_may_call(void**) {
  in_a_child([] {
    const cadastre_context before = cadastre_context_create();
    const auto everyday = [&] {
      EXPECT(cadastre_free(before, cadastre_malloc(before, request(20, CADASTRE_HOST))) == CADASTRE_SUCCESS);
      const cadastre_backend_operations_struct operations = calling_back();
      const cadastre_backend inner = cadastre_backend_register("inner", &operations, nullptr);
      EXPECT(inner != CADASTRE_INVALID_BACKEND && cadastre_context_destroy(context_on(inner)) == CADASTRE_SUCCESS);
      EXPECT(cadastre_backend_unregister(inner) == CADASTRE_SUCCESS);
    };
    in_operation = "max_alignment";
    inside = everyday;
    const Place place = a_place(CADASTRE_POOL_NONE);
    EXPECT(!inside);
    in_operation = "clone";
    inside = everyday;
    EXPECT(cadastre_context_destroy(context_on(place.backend)) == CADASTRE_SUCCESS);
    EXPECT(!inside);
    EXPECT(cadastre_context_destroy(place.context) == CADASTRE_SUCCESS);
    in_operation = "destroy";
    inside = [&] {
      everyday();
      EXPECT(cadastre_backend_unregister(place.backend) == CADASTRE_INVALID_ARG_1);
    };
    EXPECT(cadastre_backend_unregister(place.backend) == CADASTRE_SUCCESS);
    EXPECT(!inside);
    EXPECT(cadastre_context_destroy(before) == CADASTRE_SUCCESS);
  });
}

// Another thread acquires a workspace while the first is still being made ready, in which the operation acquired and released.
void what_an_operation_is_leased_is_not_what_it_serves(void**) {
  in_a_child([] {
    const Place place = a_place(CADASTRE_POOL_NONE);
    const std::size_t size = 100;
    void* buffers[3] = {};
    cadastre_lease leases[3] = {};
    const auto acquire = [&](int which) {
      EXPECT(cadastre_workspace_acquire(place.context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &buffers[which], &leases[which]) ==
             CADASTRE_SUCCESS);
    };
    in_operation = "allocate";
    inside = [&] {
      acquire(0);
      EXPECT(cadastre_workspace_release(place.context, leases[0]) == CADASTRE_SUCCESS);
      std::thread([&] { acquire(1); }).join();
    };
    acquire(2);
    std::memset(buffers[1], 1, size);
    std::memset(buffers[2], 2, size);
    EXPECT(static_cast<char*>(buffers[1])[size - 1] == 1);
    EXPECT(cadastre_workspace_release(place.context, leases[1]) == CADASTRE_SUCCESS);  // in no order with the other thread's
    EXPECT(cadastre_workspace_release(place.context, leases[2]) == CADASTRE_SUCCESS);
    EXPECT(cadastre_context_destroy(place.context) == CADASTRE_SUCCESS);
  });
}

void a_process_may_end_from_inside_an_operation(void**) {
  static cadastre_context at_exit = CADASTRE_NULL_CONTEXT;
  in_a_child(
      [] {
        const Place place = a_place(CADASTRE_POOL_NONE);
        at_exit = place.context;
        std::atexit([] { refuses_to_destroy(at_exit); });
        in_operation = "allocate";
        inside = [] { std::exit(7); };
        cadastre_malloc(place.context, request(50));
      },
      7);
}

// Everything else, and then destroys the context.
void calls_everything_and_destroys(const Place& place) {
  calls_everything(place);
  EXPECT(cadastre_free_all(place.context) == CADASTRE_SUCCESS);
  EXPECT(cadastre_context_destroy(place.context) == CADASTRE_SUCCESS);
}

void a_callback_of_foreach_may_call_everything(void**) {
  in_a_child([] {
    const Place place = a_place(CADASTRE_POOL_NONE);
    for (int i = 0; i < 3; ++i) {
      cadastre_memory_info_struct info = request(10);
      info.label = "kept for the visit";
      EXPECT(cadastre_malloc(place.context, info));
    }
    static int visits = 0;
    static const Place* where = &place;
    const auto lock = [](const cadastre_memory_info_struct* info, void*) -> cadastre_exit_code {
      if (++visits == 1) calls_everything_and_destroys(*where);
      EXPECT(std::strcmp(info->label, "kept for the visit") == 0);
      return CADASTRE_SUCCESS;
    };
    EXPECT(cadastre_foreach_block(place.context, lock, nullptr) == CADASTRE_SUCCESS);
    EXPECT(visits == 3);
    EXPECT(cadastre_backend_unregister(place.backend) == CADASTRE_SUCCESS);
  });
}

void the_stream_of_a_report_may_call_everything(void**) {
  in_a_child([] {
    const Place place = a_place(CADASTRE_POOL_NONE);
    EXPECT(cadastre_malloc(place.context, request(10)));
    const auto write = [](void* where, const char*, std::size_t bytes) -> ssize_t {
      static bool once = false;
      if (!std::exchange(once, true)) calls_everything_and_destroys(*static_cast<const Place*>(where));
      return static_cast<ssize_t>(bytes);
    };
    std::FILE* const stream = fopencookie(const_cast<Place*>(&place), "w", {nullptr, write, nullptr, nullptr});
    EXPECT(cadastre_report(place.context, stream, CADASTRE_REPORT_TEXT) == CADASTRE_SUCCESS);
    EXPECT(cadastre_context_check(place.context) == CADASTRE_NULL_CONTEXT);
    EXPECT(cadastre_backend_unregister(place.backend) == CADASTRE_SUCCESS);
  });
}

volatile sig_atomic_t interrupted = 0;

void a_signal_handler_may_ask_for_the_version(void**) {
  in_a_child([] {
    struct sigaction action = {};
    action.sa_handler = [](int) {
      if (!*cadastre_get_version() || !*cadastre_get_build_options()) _exit(1);
      interrupted = interrupted + 1;
    };
    EXPECT(sigaction(SIGVTALRM, &action, nullptr) == 0);
    const itimerval often = {{0, 200}, {0, 200}};
    EXPECT(setitimer(ITIMER_VIRTUAL, &often, nullptr) == 0);
    const cadastre_context context = cadastre_context_create();
    while (interrupted < 5) EXPECT(cadastre_free(context, cadastre_malloc(context, request(100, CADASTRE_HOST))) == CADASTRE_SUCCESS);
    EXPECT(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
}

cadastre_context of_handlers = CADASTRE_NULL_CONTEXT;
std::atomic<int> handled = 0;

void handle() {
  if (of_handlers == CADASTRE_NULL_CONTEXT) return;
  EXPECT(cadastre_free(of_handlers, cadastre_malloc(of_handlers, request(20, CADASTRE_HOST))) == CADASTRE_SUCCESS);
  const cadastre_backend_operations_struct operations = calling_back();
  const cadastre_backend backend = cadastre_backend_register("of a handler", &operations, nullptr);
  EXPECT(backend != CADASTRE_INVALID_BACKEND && cadastre_context_destroy(context_on(backend)) == CADASTRE_SUCCESS);
  EXPECT(cadastre_backend_unregister(backend) == CADASTRE_SUCCESS);
  ++handled;
}

void handlers_of_a_fork_may_call(void**) {
  in_a_child([] {
    EXPECT(pthread_atfork(handle, handle, handle) == 0);
    const Place place = a_place(CADASTRE_POOL_NONE);
    of_handlers = place.context;
    EXPECT(end_of_a_child([] { EXPECT(handled == 2); }) == 0);
    EXPECT(handled == 2);
    EXPECT(cadastre_context_destroy(place.context) == CADASTRE_SUCCESS);
  });
}

// On a double of the CUDA runtime, where the tests have one.
void handlers_of_a_fork_find_no_vendor_in_the_child(void**) {
  in_a_child([] {
    static cadastre_context context = CADASTRE_NULL_CONTEXT;
    static void* block = nullptr;
    static pid_t parent = getpid();
    EXPECT(pthread_atfork(nullptr, nullptr, [] {
             EXPECT(!cadastre_malloc(context, request(10)));
             EXPECT(std::strstr(last_error(context).vendor_message, "child process after fork"));
             EXPECT(cadastre_free(context, block) == CADASTRE_SUCCESS);
             parent = 0;
           }) == 0);
    cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
    EXPECT(cadastre_backend_get_info(CADASTRE_BACKEND_CUDA, &info) == CADASTRE_SUCCESS);
    if (!info.available) return;
    context = context_on(CADASTRE_BACKEND_CUDA);
    block = cadastre_malloc(context, request(10));
    EXPECT(block);
    EXPECT(end_of_a_child([] { EXPECT(parent == 0 && cadastre_context_destroy(context) == CADASTRE_SUCCESS); }) == 0);
    EXPECT(cadastre_free(context, block) == CADASTRE_SUCCESS);
    EXPECT(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
}

int lines_with(const char* file, const char* begin) {
  int lines = 0;
  char line[1000];
  std::FILE* const stream = std::fopen(file, "r");
  EXPECT(stream);
  while (std::fgets(line, sizeof line, stream)) lines += std::strncmp(line, begin, std::strlen(begin)) == 0;
  std::fclose(stream);
  return lines;
}

// Of the threads that write at the fork, the child has none.
void fork_in_an_operation_that_is_traced(const char* ending) {
  const std::string trace = "/tmp/cadastre-contract-" + std::to_string(getpid()) + ending;
  in_a_child([&] {
    setenv("CADASTRE_TRACE", trace.c_str(), 1);
    const Place place = a_place(CADASTRE_POOL_NONE);
    std::atomic<bool> stop = false;
    std::thread other([&] {
      while (!stop) cadastre_free(CADASTRE_NULL_CONTEXT, &stop);
    });
    in_operation = "allocate";
    for (int round = 0; round < 50; ++round) {
      pid_t child = -1;
      inside = [&] {
        if ((child = fork()) == 0) alarm(60);
      };
      EXPECT(cadastre_malloc(place.context, request(20)));
      if (child == 0) _exit(0);
      int status = -1;
      EXPECT(waitpid(child, &status, 0) == child && status == 0);
    }
    stop = true;
    other.join();
  });
  unlink(trace.c_str());
}

void an_operation_that_forks_may_be_traced(void**) {
  fork_in_an_operation_that_is_traced(".csv");
  fork_in_an_operation_that_is_traced(".trace");
}

void nothing_is_recorded_in_a_child(void**) {
  char trace[] = "/tmp/cadastre-contract-XXXXXX.csv";
  close(mkstemps(trace, 4));
  in_a_child([&] {
    setenv("CADASTRE_TRACE", trace, 1);
    EXPECT(pthread_atfork(nullptr, nullptr, [] { cadastre_malloc(of_handlers, request(20, CADASTRE_HOST)); }) == 0);
    of_handlers = cadastre_context_create();
    EXPECT(end_of_a_child([] { EXPECT(cadastre_malloc(of_handlers, request(20, CADASTRE_HOST))); }) == 0);
    EXPECT(lines_with(trace, "create,") == 1);
    EXPECT(lines_with(trace, "malloc,") == 0);
  });
  unlink(trace);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(each_place_has_its_claims),
      cmocka_unit_test(an_operation_may_not_destroy_the_context_that_it_works_for),
      cmocka_unit_test(a_chain_of_operations_may_destroy_none_of_their_contexts),
      cmocka_unit_test(an_operation_may_call_everything_else),
      cmocka_unit_test(a_context_that_is_going_is_gone_for_its_operations),
      cmocka_unit_test(operations_of_registering_and_creating_may_call),
      cmocka_unit_test(what_an_operation_is_leased_is_not_what_it_serves),
      cmocka_unit_test(a_process_may_end_from_inside_an_operation),
      cmocka_unit_test(a_callback_of_foreach_may_call_everything),
      cmocka_unit_test(the_stream_of_a_report_may_call_everything),
      cmocka_unit_test(a_signal_handler_may_ask_for_the_version),
      cmocka_unit_test(handlers_of_a_fork_may_call),
      cmocka_unit_test(handlers_of_a_fork_find_no_vendor_in_the_child),
      cmocka_unit_test(an_operation_that_forks_may_be_traced),
      cmocka_unit_test(nothing_is_recorded_in_a_child),
  };
  return cmocka_run_group_tests_name("contract", tests, nullptr, nullptr);
}
