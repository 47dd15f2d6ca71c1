// Tangled from org/tests/ipc_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that one process exports and others import.
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "cuda_double.hpp"
#include "pooled_contexts.hpp"

namespace {

enum class What : int {
  import,
  close,
  read,
  write,
  info,
  destroy,
  free_all,
  unwrap,
  free,
  statistics,
  fail_next,
  make,
  drop_file,
  fork_and_close,
  quit
};

struct Question {
  What what;
  int context;  // of those that the partner has
  cadastre_ipc_handle_struct handle;
  void* pointer;
  std::size_t number;
};

struct Answer {
  cadastre_exit_code code;
  cadastre_reason reason;
  void* pointer;
  long numbers[4];
  cadastre_ipc_handle_struct handle;
  char message[768];
};

cadastre_context on_second_device() {
  const cadastre_context context = new_context(spoken().backend, CADASTRE_POOL_CACHING, CADASTRE_DEVICE_BY_ID(1));
  if (context == CADASTRE_NULL_CONTEXT) skip_because("there is no second device");
  return context;
}

cadastre_context context_of_partner(int number) {
  static cadastre_context contexts[4] = {};
  if (number < 0) contexts[-1 - number] = CADASTRE_NULL_CONTEXT;
  else if (contexts[number] == CADASTRE_NULL_CONTEXT)
    contexts[number] =
        number == 3 ? on_second_device() : new_context(number == 2 ? CADASTRE_BACKEND_HOST : spoken().backend, CADASTRE_POOL_CACHING);
  return number < 0 ? CADASTRE_NULL_CONTEXT : contexts[number];
}

// A device does not tell how many blocks it has.
std::size_t blocks() { return cuda_double() ? cuda_double().census().blocks : 0; }

// The file in which a process keeps who has its blocks open.
int file_of_exports() {
  for (int file = 3; file < 256; ++file) {
    char link[64] = {};
    if (readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), link, sizeof link - 1) < 0) continue;
    if (std::string(link).find("memfd:cadastre exports") != std::string::npos) return file;
  }
  return -1;
}

void answer_to(const Question& question, Answer& answer) {
  const cadastre_context context = context_of_partner(question.context);
  auto* const bytes = static_cast<unsigned char*>(question.pointer);
  switch (question.what) {
    case What::import: answer.code = cadastre_ipc_import(context, &question.handle, &answer.pointer); break;
    case What::close: answer.code = cadastre_ipc_close(context, question.pointer); break;
    case What::unwrap: answer.code = cadastre_unwrap(context, question.pointer); break;
    case What::free: answer.code = cadastre_free(context, question.pointer); break;
    case What::free_all: answer.code = cadastre_free_all(context); break;
    case What::read: {
      unsigned char byte = 0;
      answer.code = cadastre_memcpy(context, &byte, bytes + question.number, 1);
      answer.numbers[0] = byte;
      break;
    }
    case What::write: answer.code = cadastre_memset(context, bytes, static_cast<int>(question.number), 1); break;
    case What::info: {
      cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
      answer.code = cadastre_get_malloc_info(context, question.pointer, &info);
      answer.numbers[0] = static_cast<long>(info.size);
      answer.numbers[1] = info.type;
      answer.numbers[2] = info.flags;
      answer.numbers[3] = info.device_id;
      break;
    }
    case What::destroy: {
      cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
      answer.code = cadastre_context_destroy_with_summary(context, &summary);
      answer.numbers[0] = summary.borrowed_blocks;
      context_of_partner(-1 - question.context);
      break;
    }
    case What::statistics: {
      const cadastre_statistics_struct figures = statistics(context, CADASTRE_DEVICE);
      answer.numbers[0] = figures.borrowed_blocks;
      answer.numbers[1] = static_cast<long>(figures.live_bytes);
      answer.numbers[2] = static_cast<long>(blocks());
      break;
    }
    case What::fail_next: cuda_double().fail(question.number ? "cudaIpcCloseMemHandle" : "cudaIpcOpenMemHandle", 1, 1, 999); break;
    case What::make:
    case What::drop_file: {
      answer.pointer = cadastre_malloc(context, request(question.number, CADASTRE_DEVICE, CADASTRE_EXPORTABLE));
      answer.code = cadastre_ipc_export(context, answer.pointer, &answer.handle);
      if (question.what == What::make) break;
      ::close(file_of_exports());
      answer.numbers[0] = cadastre_ipc_export(context, answer.pointer, &answer.handle);
      answer.numbers[1] = cadastre_free(context, answer.pointer);
      answer.numbers[2] = static_cast<long>(blocks());
      break;
    }
    // The child lives on while its parent closes.
    case What::fork_and_close: {
      const pid_t child = fork();
      if (child == 0) {
        alarm(20);
        pause();
        _exit(0);
      }
      answer.code = cadastre_ipc_close(context, question.pointer);
      answer.numbers[0] = child;
      break;
    }
    case What::quit: break;
  }
  if (answer.code == CADASTRE_SUCCESS) return;
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  answer.reason = error.reason;
  std::memcpy(answer.message, error.message, sizeof answer.message);
}

int serve(int file) {
  Question question{};
  while (read(file, &question, sizeof question) == static_cast<ssize_t>(sizeof question) && question.what != What::quit) {
    Answer answer{};
    answer_to(question, answer);
    if (write(file, &answer, sizeof answer) != static_cast<ssize_t>(sizeof answer)) return 1;
  }
  return 0;
}

class Partner {
 public:
  Partner() {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    process_ = fork();
    if (process_ == 0) {
      fcntl(ends[1], F_SETFD, 0);
      execl("/proc/self/exe", "test_ipc", std::to_string(ends[1]).c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    ::close(ends[1]);
    file_ = ends[0];
  }
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;
  ~Partner() { end(0); }

  Answer ask(What what, void* pointer = nullptr, std::size_t number = 0, int context = 0) {
    Question question{};
    question.what = what;
    question.context = context;
    question.pointer = pointer;
    question.number = number;
    return ask(question);
  }
  Answer import(const cadastre_ipc_handle_struct& handle, int context = 0) {
    Question question{};
    question.what = What::import;
    question.context = context;
    question.handle = handle;
    return ask(question);
  }
  void* imported(const cadastre_ipc_handle_struct& handle, int context = 0) {
    const Answer answer = import(handle, context);
    if (answer.code != CADASTRE_SUCCESS) std::printf("# %s\n", answer.message);
    assert_int_equal(answer.code, CADASTRE_SUCCESS);
    assert_non_null(answer.pointer);
    return answer.pointer;
  }
  void close(void* pointer, int context = 0) { assert_int_equal(ask(What::close, pointer, 0, context).code, CADASTRE_SUCCESS); }
  int byte_at(void* pointer, std::size_t offset = 0) {
    const Answer answer = ask(What::read, pointer, offset);
    assert_int_equal(answer.code, CADASTRE_SUCCESS);
    return static_cast<int>(answer.numbers[0]);
  }
  void kill() { end(SIGKILL); }

 private:
  Answer ask(const Question& question) {
    Answer answer{};
    assert_int_equal(write(file_, &question, sizeof question), sizeof question);
    std::size_t got = 0;
    while (got < sizeof answer) {
      const ssize_t more = read(file_, reinterpret_cast<char*>(&answer) + got, sizeof answer - got);
      assert_true(more > 0);
      got += static_cast<std::size_t>(more);
    }
    return answer;
  }
  void end(int by) {
    if (process_ <= 0) return;
    if (by != 0) ::kill(process_, by);
    ::close(file_);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }

  pid_t process_;
  int file_;
};

constexpr std::size_t segment = 2 * mebi;

cadastre_context on_a_device(cadastre_pool pool = CADASTRE_POOL_CACHING) {
  destroy(cuda_context());
  return context_on(spoken().backend, pool);
}
cadastre_context on_the_double(cadastre_pool pool = CADASTRE_POOL_CACHING) {
  if (!cuda_double()) skip_because(needs_the_double);
  return on_a_device(pool);
}

unsigned char* exportable(cadastre_context context, std::size_t size, cadastre_flags also = 0, std::size_t alignment = 0) {
  cadastre_memory_info_struct info = request(size, CADASTRE_DEVICE, CADASTRE_EXPORTABLE | also);
  info.alignment = alignment;
  info.label = "shared";
  void* const block = cadastre_malloc(context, info);
  assert_non_null(block);
  return static_cast<unsigned char*>(block);
}

cadastre_ipc_handle_struct exported(cadastre_context context, const void* block) {
  cadastre_ipc_handle_struct handle{};
  assert_int_equal(cadastre_ipc_export(context, block, &handle), CADASTRE_SUCCESS);
  return handle;
}

void refused(cadastre_context context, cadastre_exit_code code, cadastre_exit_code expected, cadastre_reason reason) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  if (code != expected || error.reason != reason) std::printf("# %d, %d: %s\n", code, error.reason, error.message);
  assert_int_equal(code, expected);
  assert_int_equal(error.reason, reason);
}

void assert_blocks(std::size_t expected) {
  if (cuda_double()) assert_int_equal(blocks(), expected);
}
void trim(cadastre_context context) { assert_int_equal(cadastre_pool_trim(context, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS); }
void nothing_was_freed_in_use() {
  if (cuda_double()) assert_int_equal(cuda_double().freed_in_use(), 0);
}

void another_process_reads_and_writes_an_exported_block(void**) {
  const cadastre_context context = on_a_device();
  const std::size_t before = blocks();
  unsigned char* const block = exportable(context, 3 * mebi + 7);
  assert_int_equal(cadastre_memset(context, block, 7, 3 * mebi + 7), CADASTRE_SUCCESS);
  Partner partner;
  void* const there = partner.imported(exported(context, block));
  const Answer info = partner.ask(What::info, there);
  assert_int_equal(info.code, CADASTRE_SUCCESS);
  assert_int_equal(info.numbers[0], 3 * mebi + 7);
  assert_int_equal(info.numbers[1], CADASTRE_DEVICE);
  assert_int_equal(info.numbers[2] & (CADASTRE_BORROWED | CADASTRE_IMPORTED), CADASTRE_BORROWED | CADASTRE_IMPORTED);
  assert_int_equal(info.numbers[3], 0);
  const Answer counted = partner.ask(What::statistics);
  assert_true(counted.numbers[0] == 1 && counted.numbers[1] == 0);
  assert_int_equal(partner.byte_at(there), 7);
  assert_int_equal(partner.byte_at(there, 3 * mebi + 6), 7);
  assert_int_equal(partner.ask(What::write, there, 9).code, CADASTRE_SUCCESS);
  unsigned char byte = 0;
  assert_int_equal(cadastre_memcpy(context, &byte, block, 1), CADASTRE_SUCCESS);
  assert_int_equal(byte, 9);
  partner.close(there);
  assert_int_equal(partner.ask(What::info, there).code, CADASTRE_INVALID_ARG_2);
  assert_int_equal(partner.ask(What::statistics).numbers[2], 0);
  release(context, block);
  assert_blocks(before);
  nothing_was_freed_in_use();
  destroy(context);
}

void an_aligned_block_begins_there_where_it_begins_here(void**) {
  const cadastre_context context = on_a_device();
  unsigned char *const first = exportable(context, 100), *const block = exportable(context, 100, 0, mebi);
  assert_int_equal(reinterpret_cast<std::uintptr_t>(block) % mebi, 0);
  assert_int_equal(cadastre_memset(context, block, 3, 1), CADASTRE_SUCCESS);
  Partner partner;
  void* const there = partner.imported(exported(context, block));
  assert_int_equal(partner.byte_at(there), 3);
  assert_int_equal(partner.byte_at(there, 99), 0);
  partner.close(there);
  release(context, block);
  release(context, first);
  destroy(context);
}

void a_handle_is_good_for_several_processes_and_times(void**) {
  const cadastre_context context = on_a_device();
  unsigned char* const block = exportable(context, 10);
  assert_int_equal(cadastre_memset(context, block, 4, 10), CADASTRE_SUCCESS);
  const cadastre_ipc_handle_struct handle = exported(context, block), again = exported(context, block);
  assert_memory_equal(&handle, &again, sizeof handle);
  Partner a, b;
  void *const in_a = a.imported(handle), *const in_b = b.imported(again);
  assert_true(a.byte_at(in_a) == 4 && b.byte_at(in_b) == 4);
  a.close(in_a);
  assert_int_equal(a.byte_at(a.imported(handle)), 4);
  b.close(in_b);
  a.kill();
  release(context, block);
  trim(context);
  assert_blocks(0);
  destroy(context);
}

void an_exportable_block_has_segments_of_its_own(void**) {
  const cadastre_context context = on_the_double();
  const auto taken = [&](std::size_t size, cadastre_flags also, std::size_t alignment) {
    const std::size_t before = cuda_double().census().bytes;
    const long exposed = cuda_double().exposed();
    unsigned char* const block = exportable(context, size, also, alignment);
    const std::size_t bytes = cuda_double().census().bytes - before;
    exported(context, block);
    assert_int_equal(cuda_double().exposed() - exposed, also != 0);
    release(context, block);
    return bytes;
  };
  assert_int_equal(taken(0, 0, 0), segment);
  assert_int_equal(taken(1000, 0, 0), segment);
  assert_int_equal(taken(segment, 0, 0), segment);
  assert_int_equal(taken(segment + 1, 0, 0), 2 * segment);
  assert_int_equal(taken(segment, 0, 4096), 2 * segment);
  assert_int_equal(taken(1000, CADASTRE_SHARED_SEGMENT, 0), 1000);
  destroy(context);
}

void an_exportable_block_comes_from_no_pool(void**) {
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING, CADASTRE_POOL_VENDOR}) {
    const cadastre_context context = on_a_device(pool);
    for (int i = 0; i < 3; ++i) {
      unsigned char* const plain = allocate(context, 3 * mebi, CADASTRE_DEVICE);
      release(context, plain);
      const std::size_t before = blocks();
      const std::size_t kept = pool_of(context, CADASTRE_DEVICE).reserved_bytes;
      unsigned char* const block = exportable(context, 3 * mebi);
      cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
      assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
      assert_int_equal(info.flags, CADASTRE_EXPORTABLE);
      assert_blocks(before + 1);
      exported(context, block);
      assert_int_equal(i == 0 ? cadastre_free(context, block) : cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE),
                       CADASTRE_SUCCESS);
      assert_blocks(before);
      assert_int_equal(pool_of(context, CADASTRE_DEVICE).reserved_bytes, kept);
    }
    cadastre_memory_info_struct info = request(10, CADASTRE_DEVICE, CADASTRE_EXPORTABLE);
    void* const block = cadastre_malloc_async(context, info, CADASTRE_DEFAULT_QUEUE);
    assert_non_null(block);
    exported(context, block);
    release(context, block);
    destroy(context);
  }
}

void what_was_not_asked_for_so_is_not_exported(void**) {
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING, CADASTRE_POOL_VENDOR}) {
    const cadastre_context context = on_a_device(pool);
    unsigned char *const block = allocate(context, 3 * mebi, CADASTRE_DEVICE), *const host = allocate(context, 10);
    cadastre_ipc_handle_struct handle{};
    const cadastre_ipc_handle_struct before = handle;
    refused(context, cadastre_ipc_export(context, block, &handle), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_EXPORTABLE);
    refused(context, cadastre_ipc_export(context, host, &handle), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_EXPORTABLE);
    assert_memory_equal(&handle, &before, sizeof handle);
    release(context, block);
    release(context, host);
    destroy(context);
  }
}

void what_another_process_has_open_is_not_used_again(void**) {
  const cadastre_context context = on_a_device();
  unsigned char* const block = exportable(context, 100);
  assert_int_equal(cadastre_memset(context, block, 5, 100), CADASTRE_SUCCESS);
  const cadastre_ipc_handle_struct handle = exported(context, block);
  Partner partner, late;
  void* const there = partner.imported(handle);
  release(context, block);
  assert_int_equal(statistics(context, CADASTRE_DEVICE).live_bytes, 0);
  assert_blocks(1);
  assert_int_equal(partner.byte_at(there), 5);
  unsigned char* const next = exportable(context, 100);
  assert_ptr_not_equal(next, block);
  assert_int_equal(cadastre_memset(context, next, 6, 100), CADASTRE_SUCCESS);
  assert_int_equal(partner.byte_at(there), 5);
  const Answer refusal = late.import(handle);
  assert_int_equal(refusal.code, CADASTRE_FAILURE);
  assert_int_equal(refusal.reason, CADASTRE_REASON_EXPORT_ENDED);
  trim(context);
  assert_blocks(2);
  partner.close(there);
  assert_blocks(2);
  release(context, next);
  assert_blocks(0);
  nothing_was_freed_in_use();
  destroy(context);
}

void what_a_killed_process_had_open_is_used_again(void**) {
  const cadastre_context context = on_a_device();
  unsigned char* const block = exportable(context, 100);
  Partner partner;
  partner.imported(exported(context, block));
  release(context, block);
  trim(context);
  assert_blocks(1);
  partner.kill();
  unsigned char* const next = exportable(context, 100);
  assert_blocks(1);
  assert_ptr_equal(next, block);
  release(context, next);
  nothing_was_freed_in_use();
  destroy(context);
}

void a_block_waits_for_the_last_of_several_processes(void**) {
  const cadastre_context context = on_a_device();
  unsigned char *const block = exportable(context, 100), *const other = exportable(context, 100);
  Partner a, b;
  void *const in_a = a.imported(exported(context, block)), *const in_b = b.imported(exported(context, block));
  void* const other_in_a = a.imported(exported(context, other));
  release(context, block);
  a.close(in_a);
  trim(context);
  assert_blocks(2);
  release(context, other);
  trim(context);
  assert_blocks(2);
  b.close(in_b);
  trim(context);
  assert_blocks(1);
  a.close(other_in_a);
  trim(context);
  assert_blocks(0);
  nothing_was_freed_in_use();
  destroy(context);
}

void a_block_that_nobody_has_open_goes_at_once(void**) {
  const cadastre_context context = on_a_device();
  unsigned char* const block = exportable(context, 100);
  const cadastre_ipc_handle_struct handle = exported(context, block);
  Partner partner;
  partner.close(partner.imported(handle));
  release(context, block);
  assert_blocks(0);
  unsigned char* const next = exportable(context, 100);
  assert_ptr_equal(next, block);
  const cadastre_ipc_handle_struct another = exported(context, next);
  assert_int_equal(partner.import(handle).reason, CADASTRE_REASON_EXPORT_ENDED);
  partner.close(partner.imported(another));
  release(context, next);
  destroy(context);
}

void a_resized_block_leaves_its_old_memory_to_others(void**) {
  const cadastre_context context = on_a_device();
  auto* block = exportable(context, 100);
  assert_int_equal(cadastre_memset(context, block, 5, 100), CADASTRE_SUCCESS);
  const cadastre_ipc_handle_struct handle = exported(context, block);
  Partner partner, late;
  void* const there = partner.imported(handle);
  auto* const larger = static_cast<unsigned char*>(cadastre_realloc(context, block, 3 * mebi));
  assert_non_null(larger);
  assert_ptr_not_equal(larger, block);
  assert_blocks(2);
  assert_int_equal(cadastre_memset(context, larger, 6, 100), CADASTRE_SUCCESS);
  assert_int_equal(partner.byte_at(there), 5);
  assert_int_equal(late.import(handle).reason, CADASTRE_REASON_EXPORT_ENDED);
  assert_int_equal(late.byte_at(late.imported(exported(context, larger))), 6);
  late.kill();
  partner.close(there);
  release(context, larger);
  trim(context);
  assert_blocks(0);
  nothing_was_freed_in_use();
  destroy(context);
}

void a_destroyed_context_leaves_its_memory_to_others(void**) {
  for (const bool at_once : {false, true}) {
    const cadastre_context context = on_a_device(), other = on_a_device();
    unsigned char* const block = exportable(context, 100);
    assert_int_equal(cadastre_memset(context, block, 5, 100), CADASTRE_SUCCESS);
    Partner partner;
    void* const there = partner.imported(exported(context, block));
    if (at_once) assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
    destroy(context);
    assert_int_equal(partner.byte_at(there), 5);
    assert_blocks(1);
    partner.close(there);
    trim(other);
    assert_blocks(0);
    destroy(other);
  }
  nothing_was_freed_in_use();
}

void what_is_held_counts_in_the_process_only(void**) {
  const cadastre_context context = on_a_device();
  assert_int_equal(cadastre_set_limit(context, CADASTRE_DEVICE, 3 * mebi), CADASTRE_SUCCESS);
  unsigned char* const block = exportable(context, 2 * mebi);
  Partner partner;
  void* const there = partner.imported(exported(context, block));
  release(context, block);
  unsigned char* const next = exportable(context, 2 * mebi);
  release(context, next);
  partner.close(there);
  trim(context);
  assert_blocks(0);
  destroy(context);
}

void what_is_held_leaves_the_process_that_much_less(void**) {
  const cadastre_context context = on_a_device();
  unsigned char* const block = exportable(context, 2 * mebi);
  Partner partner;
  void* const there = partner.imported(exported(context, block));
  release(context, block);
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, 3 * mebi), CADASTRE_SUCCESS);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 2 * mebi;
  info.type = CADASTRE_DEVICE;
  assert_null(cadastre_malloc(context, info));
  refused(context, CADASTRE_LIMIT_EXCEEDED, CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_LIMIT_EXCEEDED);
  partner.close(there);
  void* const next = cadastre_malloc(context, info);
  assert_non_null(next);
  release(context, next);
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  destroy(context);
  assert_blocks(0);
}

void a_free_waits_for_queues_though_another_process_has_the_block_open(void**) {
  const cadastre_context context = on_the_double();
  unsigned char* const block = exportable(context, 100);
  Partner partner;
  void* const there = partner.imported(exported(context, block));
  void* queue = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &queue, 1u), 0);
  assert_int_equal(cuda("cudaMemsetAsync", static_cast<void*>(block), 7, std::size_t{100}, queue), 0);
  assert_true(cuda_double().unordered(block, 100, nullptr) > 0);
  release(context, block);
  assert_int_equal(cuda_double().unordered(block, 100, nullptr), 0);
  assert_int_equal(partner.byte_at(there), 7);
  partner.close(there);
  trim(context);
  assert_int_equal(blocks(), 0);
  assert_int_equal(cuda("cudaStreamDestroy", queue), 0);
  destroy(context);
}

// The capture is one that nobody sees, and the block that stays behind has to be waited for; HIP can do so.
void a_context_stays_in_a_capture_that_its_exported_block_cannot_wait_in(void**) {
  const cadastre_context context = on_a_device();
  unsigned char* const block = exportable(context, 100);
  Partner partner;
  void* const there = partner.imported(exported(context, block));
  void *queue = nullptr, *graph = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &queue, 1u), 0);
  assert_int_equal(cuda("cudaStreamBeginCapture", queue, 0), 0);
  if (spoken().free_waits) {
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
    assert_int_equal(cuda("cudaStreamEndCapture", queue, &graph), 0);
  } else {
    refused(context, cadastre_context_destroy(context), CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE);
    assert_int_not_equal(cuda("cudaStreamEndCapture", queue, &graph), 0);
    cuda("cudaGetLastError");
    assert_int_equal(statistics(context, CADASTRE_DEVICE).live_blocks, 1);
    release(context, block);
    destroy(context);
  }
  if (graph) cuda("cudaGraphDestroy", graph);
  assert_int_equal(cuda("cudaStreamDestroy", queue), 0);
  partner.close(there);
  const cadastre_context next = on_a_device();
  trim(next);
  assert_blocks(0);
  destroy(next);
}

void blocks_of_two_devices_are_held_apart(void**) {
  const cadastre_context second = on_second_device(), first = on_a_device();
  unsigned char *const of_first = exportable(first, 100), *const of_second = exportable(second, 100);
  assert_int_equal(cadastre_memset(second, of_second, 5, 100), CADASTRE_SUCCESS);
  Partner partner;
  void *const first_there = partner.imported(exported(first, of_first)), *const second_there =
                                                                             partner.imported(exported(second, of_second), 3);
  release(first, of_first);
  release(second, of_second);
  assert_blocks(2);
  partner.close(first_there);
  trim(second);  // of a context that has nothing on the other device
  assert_blocks(1);
  destroy(first);
  assert_int_equal(cuda("cudaSetDevice", 0), 0);
  assert_int_equal(cuda("cudaDeviceReset"), 0);  // which takes nothing of the other device
  trim(second);
  assert_blocks(1);
  unsigned char* const next = exportable(second, 100);
  assert_ptr_not_equal(next, of_second);
  assert_int_equal(cadastre_memset(second, next, 6, 100), CADASTRE_SUCCESS);
  assert_int_equal(partner.ask(What::read, second_there, 0, 3).numbers[0], 5);
  partner.close(second_there, 3);
  release(second, next);
  assert_blocks(0);
  nothing_was_freed_in_use();
  destroy(second);
  assert_int_equal(cuda("cudaSetDevice", 0), 0);  // the reset has left a driver's thread without a context that is alive
}

void a_block_of_another_device_is_imported_where_the_devices_are_peers(void**) {
  const cadastre_context context = on_the_double();
  int peers = 0;
  assert_int_equal(cuda("cudaDeviceCanAccessPeer", &peers, 1, 0), 0);
  unsigned char* const block = exportable(context, 100);
  Partner partner;
  const Answer answer = partner.import(exported(context, block), 3);
  assert_int_equal(answer.code, peers ? CADASTRE_SUCCESS : CADASTRE_FAILURE);
  if (!peers) {
    assert_int_equal(answer.reason, CADASTRE_REASON_BACKEND_CALL_FAILED);
    assert_non_null(std::strstr(answer.message, "operation not supported"));
    assert_int_equal(partner.ask(What::statistics, nullptr, 0, 3).numbers[0], 0);
  } else {
    partner.close(answer.pointer, 3);
  }
  partner.close(partner.imported(exported(context, block)));
  release(context, block);
  assert_int_equal(blocks(), 0);
  destroy(context);
}

// The device has taken it away; the vendor is not given what he does not have, nor what is another's by now.
void what_a_reset_has_taken_is_held_no_more(void**) {
  for (const bool given_again : {false, true}) {
    cadastre_context context = on_the_double();
    unsigned char* const block = exportable(context, 100);
    Partner partner;
    partner.imported(exported(context, block));
    release(context, block);
    destroy(context);
    assert_int_equal(cuda("cudaDeviceReset"), 0);
    context = on_the_double();
    unsigned char* const next = given_again ? exportable(context, 100) : nullptr;
    if (given_again) assert_ptr_equal(next, block);
    partner.kill();
    trim(context);
    assert_int_equal(blocks(), given_again);
    if (next) release(context, next);
    assert_int_equal(cuda_double().misuses(), 0);
    assert_int_equal(blocks(), 0);
    destroy(context);
  }
}

void what_is_imported_twice_is_closed_twice(void**) {
  const cadastre_context context = on_a_device();
  unsigned char* const block = exportable(context, 100);
  const cadastre_ipc_handle_struct handle = exported(context, block);
  Partner partner;
  void* const there = partner.imported(handle);
  assert_ptr_equal(partner.imported(handle), there);
  assert_int_equal(partner.ask(What::statistics).numbers[0], 1);
  partner.close(there);
  assert_int_equal(partner.byte_at(there), 0);
  release(context, block);
  assert_blocks(1);
  partner.close(there);
  assert_int_equal(partner.ask(What::close, there).code, CADASTRE_INVALID_ARG_2);
  assert_int_equal(partner.ask(What::statistics).numbers[2], 0);
  trim(context);
  assert_blocks(0);
  destroy(context);
}

void contexts_import_for_themselves(void**) {
  const cadastre_context context = on_a_device();
  unsigned char* const block = exportable(context, 100);
  const cadastre_ipc_handle_struct handle = exported(context, block);
  Partner partner;
  void *const first = partner.imported(handle, 0), *const second = partner.imported(handle, 1);
  partner.close(first, 0);
  release(context, block);
  assert_blocks(1);
  assert_int_equal(partner.ask(What::info, second, 0, 1).code, CADASTRE_SUCCESS);
  assert_int_equal(partner.ask(What::read, second, 0, 1).code, CADASTRE_SUCCESS);
  partner.close(second, 1);
  trim(context);
  assert_blocks(0);
  nothing_was_freed_in_use();
  destroy(context);
}

void the_end_of_a_context_closes_what_it_has_imported(void**) {
  const cadastre_context context = on_a_device();
  for (const What end : {What::destroy, What::free_all}) {
    unsigned char *const block = exportable(context, 100), *const other = exportable(context, 100);
    Partner partner;
    partner.imported(exported(context, block));
    partner.imported(exported(context, block));
    partner.imported(exported(context, other));
    const Answer answer = partner.ask(end);
    assert_int_equal(answer.code, CADASTRE_SUCCESS);
    assert_true(end != What::destroy || answer.numbers[0] == 2);
    release(context, block);
    release(context, other);
    assert_blocks(0);
    assert_int_equal(partner.ask(What::statistics).numbers[2], 0);
  }
  nothing_was_freed_in_use();
  destroy(context);
}

void an_imported_block_is_neither_freed_nor_unwrapped(void**) {
  const cadastre_context context = on_a_device();
  unsigned char* const block = exportable(context, 100);
  Partner partner;
  void* const there = partner.imported(exported(context, block));
  for (const What what : {What::free, What::unwrap}) {
    const Answer answer = partner.ask(what, there);
    assert_int_equal(answer.code, CADASTRE_INVALID_ARG_2);
    assert_int_equal(answer.reason, CADASTRE_REASON_IMPORTED);
  }
  assert_int_equal(partner.ask(What::close, static_cast<char*>(there) + 1).reason, CADASTRE_REASON_INSIDE_BLOCK);
  assert_int_equal(partner.byte_at(there), 0);
  partner.close(there);
  refused(context, cadastre_ipc_close(context, block), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NOT_IMPORTED);
  release(context, block);
  destroy(context);
}

void nothing_is_closed_while_a_queue_is_captured(void**) {
  const cadastre_context context = on_a_device();
  Partner partner;
  const Answer made = partner.ask(What::make, nullptr, 100);
  assert_int_equal(made.code, CADASTRE_SUCCESS);
  void* there = nullptr;
  assert_int_equal(cadastre_ipc_import(context, &made.handle, &there), CADASTRE_SUCCESS);
  void *stream = nullptr, *graph = nullptr;
  assert_int_equal(cuda("cudaStreamCreate", &stream), 0);
  assert_int_equal(cuda("cudaStreamBeginCapture", stream, int{2}), 0);
  refused(context, cadastre_ipc_close(context, there), CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE);
  refused(context, cadastre_free_all(context), CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE);
  assert_int_equal(cuda("cudaStreamEndCapture", stream, &graph), 0);
  assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
  assert_int_equal(cuda("cudaStreamDestroy", stream), 0);
  assert_int_equal(cadastre_ipc_close(context, there), CADASTRE_SUCCESS);
  assert_blocks(0);
  destroy(context);
}

void a_vendor_who_refuses_leaves_all_as_it_was(void**) {
  const cadastre_context context = on_the_double();
  unsigned char* const block = exportable(context, 100);
  cadastre_ipc_handle_struct handle{};
  cuda_double().fail("cudaIpcGetMemHandle", 1, 1, 999);
  refused(context, cadastre_ipc_export(context, block, &handle), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED);
  handle = exported(context, block);
  Partner partner;
  partner.ask(What::fail_next);
  const Answer refusal = partner.import(handle);
  assert_int_equal(refusal.code, CADASTRE_FAILURE);
  assert_int_equal(refusal.reason, CADASTRE_REASON_BACKEND_CALL_FAILED);
  assert_int_equal(partner.ask(What::statistics).numbers[0], 0);
  void* const there = partner.imported(handle);
  partner.ask(What::fail_next, nullptr, 1);
  assert_int_equal(partner.ask(What::close, there).code, CADASTRE_FAILURE);
  assert_int_equal(partner.ask(What::close, there).code, CADASTRE_INVALID_ARG_2);
  release(context, block);
  assert_int_equal(blocks(), 1);
  partner.kill();
  trim(context);
  assert_int_equal(blocks(), 0);
  destroy(context);
}

void a_handle_of_a_process_that_has_ended_is_refused(void**) {
  const cadastre_context context = on_a_device();
  Partner partner;
  const Answer made = partner.ask(What::make, nullptr, 100);
  assert_int_equal(made.code, CADASTRE_SUCCESS);
  void* there = nullptr;
  assert_int_equal(cadastre_ipc_import(context, &made.handle, &there), CADASTRE_SUCCESS);
  partner.kill();
  void* untouched = &there;
  refused(context, cadastre_ipc_import(context, &made.handle, &untouched), CADASTRE_FAILURE, CADASTRE_REASON_EXPORT_ENDED);
  assert_ptr_equal(untouched, &there);
  assert_int_equal(cadastre_ipc_close(context, there), CADASTRE_SUCCESS);
  assert_blocks(0);
  destroy(context);
}

void what_is_no_handle_is_refused(void**) {
  const cadastre_context context = on_a_device(), host = context_on(CADASTRE_BACKEND_HOST);
  unsigned char* const block = exportable(context, 100);
  const cadastre_ipc_handle_struct handle = exported(context, block);
  void* there = nullptr;
  refused(context, cadastre_ipc_import(context, &handle, &there), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_IPC_HANDLE);
  refused(context, cadastre_ipc_import(context, nullptr, &there), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT);
  refused(context, cadastre_ipc_import(context, &handle, nullptr), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ARGUMENT);
  refused(context, cadastre_ipc_export(context, block, nullptr), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ARGUMENT);
  cadastre_ipc_handle_struct other{};
  refused(context, cadastre_ipc_export(context, block + 1, &other), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INSIDE_BLOCK);
  refused(context, cadastre_ipc_export(context, nullptr, &other), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT);
  refused(context, cadastre_ipc_close(context, nullptr), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT);
  assert_int_equal(cadastre_ipc_import(CADASTRE_PROCESS, &handle, &there), CADASTRE_INVALID_CONTEXT);
  Partner partner;
  assert_int_equal(partner.import(other).reason, CADASTRE_REASON_INVALID_IPC_HANDLE);
  assert_int_equal(partner.import(handle, 2).reason, CADASTRE_REASON_INVALID_IPC_HANDLE);
  // Each byte counts, but for the version's, which says so.
  for (std::size_t place = 0; place < sizeof handle; ++place) {
    cadastre_ipc_handle_struct changed = handle;
    changed.bytes[place] ^= 0x10;
    const Answer answer = partner.import(changed);
    assert_int_equal(answer.code, CADASTRE_INVALID_ARG_2);
    assert_int_equal(answer.reason, CADASTRE_REASON_INVALID_IPC_HANDLE);
    assert_int_equal(place == 7, std::strstr(answer.message, "version") != nullptr);
  }
  partner.close(partner.imported(handle));
  release(context, block);
  destroy(context);
  destroy(host);
}

void backends_that_cannot_export_say_so(void**) {
  const cadastre_context host = context_on(CADASTRE_BACKEND_HOST);
  assert_null(cadastre_malloc(host, request(10, CADASTRE_HOST, CADASTRE_EXPORTABLE)));
  refused(host, CADASTRE_NOT_SUPPORTED, CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_EXPORT_NOT_SUPPORTED);
  assert_null(cadastre_malloc(host, request(10, CADASTRE_HOST, CADASTRE_SHARED_SEGMENT)));
  refused(host, CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_FLAGS);
  assert_null(cadastre_malloc(host, request(10, CADASTRE_HOST, CADASTRE_IMPORTED)));
  refused(host, CADASTRE_INVALID_ARG_2, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_FLAGS);
  destroy(host);
  const cadastre_context context = on_a_device();
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_UVM}) {
    assert_null(cadastre_malloc(context, request(10, type, CADASTRE_EXPORTABLE)));
    refused(context, CADASTRE_NOT_SUPPORTED, CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_EXPORT_NOT_SUPPORTED);
  }
  destroy(context);
}

void children_of_forks_hold_nothing(void**) {
  const cadastre_context context = on_a_device();
  unsigned char *const block = exportable(context, 100), *const other = exportable(context, 100);
  Partner partner;
  void* const there = partner.imported(exported(context, block));
  exported(context, other);
  // A child of the exporting process has no file, and takes nothing from its parent.
  assert_true(holds_in_a_child([&] {
    cadastre_ipc_handle_struct handle{};
    return file_of_exports() < 0 && cadastre_ipc_export(context, block, &handle) != CADASTRE_SUCCESS &&
           cadastre_free(context, block) == CADASTRE_SUCCESS && cadastre_context_destroy(context) == CADASTRE_SUCCESS;
  }));
  assert_int_equal(partner.byte_at(there), 0);
  release(context, other);
  assert_blocks(1);
  // A child of the importing process lives on.
  const Answer closed = partner.ask(What::fork_and_close, there);
  assert_int_equal(closed.code, CADASTRE_SUCCESS);
  release(context, block);
  for (int time = 0; time < 500 && blocks() > 0; ++time) {  // until the child has come so far
    usleep(10000);
    trim(context);
  }
  assert_blocks(0);
  assert_int_equal(::kill(static_cast<pid_t>(closed.numbers[0]), SIGKILL), 0);
  nothing_was_freed_in_use();
  destroy(context);
}

void a_process_whose_file_was_closed_frees_nothing_that_is_exported(void**) {
  destroy(on_the_double());
  Partner partner;
  const Answer answer = partner.ask(What::drop_file, nullptr, 100);
  assert_int_equal(answer.code, CADASTRE_SUCCESS);
  assert_int_equal(answer.numbers[1], CADASTRE_SUCCESS);
  assert_int_equal(answer.numbers[2], 1);
}

void threads_export_and_free_at_the_same_time(void**) {
  const cadastre_context shared = on_a_device();
  unsigned char* const block = exportable(shared, 100);
  Partner partner;
  partner.imported(exported(shared, block));
  release(shared, block);
  std::array<std::thread, 4> threads;
  std::array<int, 4> failed{};
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&, i] {
      const cadastre_context own = context_on(spoken().backend);
      for (int time = 0; time < 100; ++time) {
        const cadastre_context context = time % 2 ? own : shared;
        void* const mine = cadastre_malloc(context, request(100, CADASTRE_DEVICE, CADASTRE_EXPORTABLE));
        cadastre_ipc_handle_struct handle{};
        failed[i] += !mine || cadastre_ipc_export(context, mine, &handle) != CADASTRE_SUCCESS;
        failed[i] += cadastre_free(context, mine) != CADASTRE_SUCCESS;
      }
      failed[i] += cadastre_context_destroy(own) != CADASTRE_SUCCESS;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : failed) assert_int_equal(count, 0);
  assert_blocks(1);
  partner.kill();
  trim(shared);
  assert_blocks(0);
  nothing_was_freed_in_use();
  destroy(shared);
}

}  // namespace

int main(int count, char** arguments) {
  unsetenv("CADASTRE_POOL");
  setenv("CUDA_DOUBLE_DEVICES", "2", 0);
  if (count > 1) return serve(std::atoi(arguments[1]));
  signal(SIGPIPE, SIG_IGN);
  const CMUnitTest tests[] = {
      cmocka_unit_test(another_process_reads_and_writes_an_exported_block),
      cmocka_unit_test(an_aligned_block_begins_there_where_it_begins_here),
      cmocka_unit_test(a_handle_is_good_for_several_processes_and_times),
      cmocka_unit_test(an_exportable_block_has_segments_of_its_own),
      cmocka_unit_test(an_exportable_block_comes_from_no_pool),
      cmocka_unit_test(what_was_not_asked_for_so_is_not_exported),
      cmocka_unit_test(what_another_process_has_open_is_not_used_again),
      cmocka_unit_test(what_a_killed_process_had_open_is_used_again),
      cmocka_unit_test(a_block_waits_for_the_last_of_several_processes),
      cmocka_unit_test(a_block_that_nobody_has_open_goes_at_once),
      cmocka_unit_test(a_resized_block_leaves_its_old_memory_to_others),
      cmocka_unit_test(a_destroyed_context_leaves_its_memory_to_others),
      cmocka_unit_test(what_is_held_counts_in_the_process_only),
      cmocka_unit_test(what_is_held_leaves_the_process_that_much_less),
      cmocka_unit_test(a_free_waits_for_queues_though_another_process_has_the_block_open),
      cmocka_unit_test(a_context_stays_in_a_capture_that_its_exported_block_cannot_wait_in),
      cmocka_unit_test(blocks_of_two_devices_are_held_apart),
      cmocka_unit_test(a_block_of_another_device_is_imported_where_the_devices_are_peers),
      cmocka_unit_test(what_a_reset_has_taken_is_held_no_more),
      cmocka_unit_test(what_is_imported_twice_is_closed_twice),
      cmocka_unit_test(contexts_import_for_themselves),
      cmocka_unit_test(the_end_of_a_context_closes_what_it_has_imported),
      cmocka_unit_test(an_imported_block_is_neither_freed_nor_unwrapped),
      cmocka_unit_test(nothing_is_closed_while_a_queue_is_captured),
      cmocka_unit_test(a_vendor_who_refuses_leaves_all_as_it_was),
      cmocka_unit_test(a_handle_of_a_process_that_has_ended_is_refused),
      cmocka_unit_test(what_is_no_handle_is_refused),
      cmocka_unit_test(backends_that_cannot_export_say_so),
      cmocka_unit_test(children_of_forks_hold_nothing),
      cmocka_unit_test(a_process_whose_file_was_closed_frees_nothing_that_is_exported),
      cmocka_unit_test(threads_export_and_free_at_the_same_time),
  };
  return cmocka_run_group_tests_name("ipc", tests, nullptr, nullptr);
}
