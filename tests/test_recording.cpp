// Tangled from org/tests/recording_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cadastre_workspace.h"
#include "cmocka.hpp"
#include "failing_new.hpp"
#include "recorded_children.hpp"

namespace {

std::atomic<long> calls_until_failure = 0;  // 0: none fails

}  // namespace

bool allocation_fails() noexcept { return calls_until_failure > 0 && --calls_until_failure == 0; }

namespace {

char folder_template[] = "/tmp/cadastre-recording.XXXXXX";
const char* folder = nullptr;

std::string path_of(const char* name) { return std::string(folder) + "/" + name; }

// Runs a task in a child, which has to write these files; "" means none. Returns how the child ended.
int status_of(const std::string& trace, const std::string& report, const Task& task) {
  return status_of_child([&] {
    trace.empty() ? unsetenv("CADASTRE_TRACE") : setenv("CADASTRE_TRACE", trace.c_str(), 1);
    report.empty() ? unsetenv("CADASTRE_REPORT") : setenv("CADASTRE_REPORT", report.c_str(), 1);
    task();
  });
}

void in_child(const std::string& trace, const std::string& report, const Task& task) {
  const int status = status_of(trace, report, task);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The operations of a trace without the columns thread and time, and without the device of one that has none; labels must hold no commas.
std::string operations(const std::string& trace) {
  std::string result;
  bool headed = false;
  for (const std::string& line : lines_of(trace)) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    assert_int_equal(std::count(line.begin(), line.end(), ','), 10);
    if (headed) {
      for (const std::size_t column : {0u, 1u, 2u, 3u, 4u, 5u, 8u}) result += fields[column] + ",";
      result += fields[9] + (fields.size() > 10 ? ',' + fields[10] : "") + "\n";
    }
    headed = true;
  }
  return result;
}

const char* problem_of(const char* name) {
  cadastre_environment_info_struct info = cadastre_environment_info_struct_zero;
  for (std::int32_t i = 0; i < cadastre_environment_get_count(); ++i) {
    if (cadastre_environment_get_info(i, &info) == CADASTRE_SUCCESS && std::strcmp(info.name, name) == 0) {
      return info.problem;
    }
  }
  return nullptr;
}

// The output of a command.
std::string output_of(const std::string& command) {
  std::FILE* const stream = popen(command.c_str(), "r");
  assert_non_null(stream);
  std::string text;
  char part[4096];
  for (std::size_t got; (got = std::fread(part, 1, sizeof part, stream)) > 0;) text.append(part, got);
  assert_int_equal(pclose(stream), 0);
  return text;
}

void expect_lines(const Task& task, const char* expected) {
  const std::string lines = path_of("lines.csv");
  in_child(lines, "", task);
  assert_string_equal(operations(content(lines)).c_str(), expected);
}

// As lines, and as records where there is a command that reads them.
void expect_trace(const Task& task, const char* expected) {
  expect_lines(task, expected);
  const std::string records = path_of("records");
  const char* const command = std::getenv("CADASTRE");
  if (!command || access(command, X_OK) != 0) return;
  in_child(records, "", task);
  assert_string_equal(operations(output_of(std::string(command) + " convert '" + records + "'")).c_str(), expected);
}

void each_operation_is_a_line(void**) {
  expect_trace(
      [] {
        const cadastre_context context = cadastre_context_create();
        cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
        info.size = 100;
        info.stride = 10;
        info.label = "a \"label\"\n";
        void* block = cadastre_malloc_strided(context, info, CADASTRE_DEFAULT_QUEUE);
        cadastre_memory_info_struct found;
        CHECK(cadastre_get_malloc_info(context, block, &found) == CADASTRE_SUCCESS);
        block = cadastre_realloc(context, block, 70000);
        CHECK(!cadastre_realloc(context, block, SIZE_MAX));
        CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
        CHECK(cadastre_free(context, block) == CADASTRE_INVALID_ARG_2);
        CHECK(!allocate(context, SIZE_MAX));
        void* const other = cadastre_malloc_async(context, info, CADASTRE_DEFAULT_QUEUE);
        CHECK(cadastre_free_async(context, other, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS);
        allocate(context, 1);
        allocate(context, 0);
        CHECK(cadastre_free_all(context) == CADASTRE_SUCCESS);
        CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
        CHECK(!allocate(context, 1));
        CHECK(cadastre_context_destroy(context) == CADASTRE_INVALID_CONTEXT);
      },
      "create,1,,,,,,0\n"
      "malloc,1,1,,100,HOST,\"a \"\"label\"\"?\",0\n"
      "info,1,1,,100,,,0\n"
      "realloc,1,1,,70000,,,0\n"
      "realloc,1,1,,18446744073709551615,,,3\n"
      "free,1,1,,,,,0\n"
      "free,1,1,,,,,2\n"
      "malloc,1,,,18446744073709551615,HOST,,2\n"
      "malloc,1,2,,100,HOST,\"a \"\"label\"\"?\",0\n"
      "free,1,2,,,,,0\n"
      "malloc,1,3,,1,HOST,,0\n"
      "malloc,1,4,,0,HOST,,0\n"
      "free,1,3,,,,,0\n"
      "free,1,4,,,,,0\n"
      "destroy,1,,,,,,0\n"
      "malloc,0,,,1,HOST,,103\n"
      "destroy,0,,,,,,103\n");
}

cadastre_context context_on_a_rocket() {
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.memory_type_mask = 1u << CADASTRE_DEVICE;
  operations.device_count = 2;
  operations.allocate = [](void*, const cadastre_memory_info_struct* request, cadastre_queue, void** pointer) {
    return *pointer = std::aligned_alloc(4096, (request->size + 4096) / 4096 * 4096), *pointer ? 0 : 1;
  };
  operations.free = [](void*, const cadastre_memory_info_struct* block) { return std::free(block->pointer), 0; };
  operations.copy = [](void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                       std::size_t bytes, cadastre_queue) { return std::memcpy(to, from, bytes), 0; };
  operations.set = [](void*, void* to, const cadastre_memory_info_struct*, int value, std::size_t bytes, cadastre_queue) {
    return std::memset(to, value, bytes), 0;
  };
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = cadastre_backend_register("my \"rocket\"", &operations, nullptr);
  options.device = CADASTRE_DEVICE_BY_ID(1);
  const cadastre_context context = cadastre_context_create_with_options(&options);
  CHECK(context != CADASTRE_NULL_CONTEXT);
  return context;
}

void device_memory_has_the_name_of_its_device(void**) {
  expect_trace(
      [] {
        const cadastre_context context = context_on_a_rocket();
        cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
        info.type = CADASTRE_DEVICE;
        info.size = 64;
        void* const block = cadastre_malloc(context, info);
        CHECK(block);
        CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
        CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
      },
      "create,1,,,,,,0\n"
      "malloc,1,1,,64,DEVICE,,0,\"my \"\"rocket\"\" 1\"\n"
      "free,1,1,,,,,0\n"
      "destroy,1,,,,,,0\n");
}

void pointers_that_are_no_blocks_are_foreign(void**) {
  expect_trace(
      [] {
        const cadastre_context context = cadastre_context_create(), other = cadastre_context_create();
        char* const block = static_cast<char*>(allocate(context, 10));
        char here[2];
        cadastre_memory_info_struct info;
        CHECK(cadastre_get_malloc_info(context, here, &info) == CADASTRE_INVALID_ARG_2);
        CHECK(cadastre_free(context, here + 1) == CADASTRE_INVALID_ARG_2);
        CHECK(cadastre_free(other, here) == CADASTRE_INVALID_ARG_2);
        CHECK(cadastre_free(context, block + 1) == CADASTRE_INVALID_ARG_2);
        CHECK(cadastre_free(other, block) == CADASTRE_INVALID_ARG_2);
        CHECK(cadastre_free(context + 1, block) == CADASTRE_INVALID_CONTEXT);
        CHECK(cadastre_free(context, nullptr) == CADASTRE_INVALID_ARG_2);
        CHECK(cadastre_get_malloc_info(context, block, nullptr) == CADASTRE_INVALID_ARG_3);
        void* const neighbour = allocate(context, 10);
        void* const moved = cadastre_realloc(context, block, 1 << 24);
        CHECK(moved != block && neighbour);
        CHECK(cadastre_free(context, block) == CADASTRE_INVALID_ARG_2);
      },
      "create,1,,,,,,0\n"
      "create,2,,,,,,0\n"
      "malloc,1,1,,10,HOST,,0\n"
      "info,1,-1,,,,,2\n"
      "free,1,-2,,,,,2\n"
      "free,2,-1,,,,,2\n"
      "free,1,-3,,,,,2\n"
      "free,2,1,,,,,2\n"
      "free,0,1,,,,,103\n"
      "free,1,0,,,,,2\n"
      "malloc,1,2,,10,HOST,,0\n"
      "realloc,1,1,,16777216,,,0\n"
      "free,1,-4,,,,,2\n");
}

void copies_are_written_as_a_replay_can_do_them(void**) {
  expect_trace(
      [] {
        const cadastre_context context = cadastre_context_create();
        char* const a = static_cast<char*>(allocate(context, 100));
        char* const b = static_cast<char*>(allocate(context, 50));
        char here[200] = {};
        CHECK(cadastre_memcpy(context, a, b, 50) == CADASTRE_SUCCESS);
        CHECK(cadastre_memcpy(context, a + 10, b + 10, 40) == CADASTRE_SUCCESS);
        CHECK(cadastre_memcpy(context, a, here, 100) == CADASTRE_SUCCESS);
        CHECK(cadastre_memcpy_async(context, here, a, 100, CADASTRE_DEFAULT_QUEUE) == CADASTRE_SUCCESS);
        CHECK(cadastre_memcpy(context, a, a + 50, 50) == CADASTRE_SUCCESS);
        CHECK(cadastre_memcpy(context, a, a + 1, 50) == CADASTRE_INVALID_ARG_2);
        CHECK(cadastre_memcpy(context, nullptr, nullptr, 0) == CADASTRE_SUCCESS);
        CHECK(cadastre_memcpy(context, nullptr, a, 1) == CADASTRE_INVALID_ARG_2);
        CHECK(cadastre_memcpy(context, a, b + 20, 31) == CADASTRE_OUT_OF_BOUNDS);
        CHECK(cadastre_memcpy(context, a + 60, here, 150) == CADASTRE_OUT_OF_BOUNDS);
        CHECK(cadastre_memcpy(context, here, here + 1, 10) == CADASTRE_INVALID_ARG_2);
        CHECK(cadastre_memcpy(context, a, here, SIZE_MAX / 2) == CADASTRE_OUT_OF_BOUNDS);
        CHECK(cadastre_memcpy_strided(context, a, b, 5, 4) == CADASTRE_SUCCESS);
        CHECK(cadastre_free(context, b) == CADASTRE_SUCCESS);
        CHECK(cadastre_memcpy(context + 1, a, here, 1) == CADASTRE_INVALID_CONTEXT);
      },
      "create,1,,,,,,0\n"
      "malloc,1,1,,100,HOST,,0\n"
      "malloc,1,2,,50,HOST,,0\n"
      "copy,1,1,2,50,,,0\n"
      "copy,1,1,2,40,,,0\n"
      "copy,1,1,-1,100,,,0\n"
      "copy,1,-1,1,100,,,0\n"
      "copy,1,1,-2,50,,,0\n"
      "copy,1,0,1,1,,,2\n"
      "copy,1,1,2,51,,,107\n"
      "copy,1,1,-1,101,,,107\n"
      "copy,1,1,-1,101,,,107\n"
      "copy,1,1,2,20,,,0\n"
      "free,1,2,,,,,0\n"
      "copy,0,1,-1,1,,,103\n");
}

void what_is_leased_or_borrowed_is_omitted(void**) {
  expect_trace(
      [] {
        const cadastre_context context = cadastre_context_create();
        char here[100];
        cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
        info.pointer = here;
        info.size = sizeof here;
        CHECK(cadastre_wrap(context, info) == CADASTRE_SUCCESS);
        CHECK(cadastre_get_malloc_info(context, here, &info) == CADASTRE_SUCCESS);
        CHECK(cadastre_free(context, here) == CADASTRE_INVALID_ARG_2);
        const std::size_t size = 1000;
        void* scratch = nullptr;
        cadastre_lease lease;
        CHECK(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 1, &size, &scratch, &lease) ==
              CADASTRE_SUCCESS);
        CHECK(cadastre_get_malloc_info(context, scratch, &info) == CADASTRE_SUCCESS);
        CHECK(cadastre_free(context, scratch) == CADASTRE_INVALID_ARG_2);
        void* const block = allocate(context, 20);
        CHECK(cadastre_memcpy(context, scratch, block, 20) == CADASTRE_SUCCESS);
        CHECK(cadastre_workspace_release(context, lease) == CADASTRE_SUCCESS);
        CHECK(cadastre_workspace_set_size(context, CADASTRE_HOST, CADASTRE_WORKSPACE_PER_LEASE) == CADASTRE_SUCCESS);
        CHECK(cadastre_free(context, scratch) == CADASTRE_INVALID_ARG_2);  // a piece that was freed
        CHECK(cadastre_unwrap(context, here) == CADASTRE_SUCCESS);
        CHECK(cadastre_free(context, here) == CADASTRE_INVALID_ARG_2);
      },
      "create,1,,,,,,0\n"
      "free,1,-1,,,,,2\n"
      "free,1,-2,,,,,2\n"
      "malloc,1,3,,20,HOST,,0\n"
      "copy,1,-2,3,20,,,0\n"
      "free,1,-2,,,,,2\n"
      "free,1,-1,,,,,2\n");
}

// A record has the context beside the number, so that numbers of contexts may be the same.
void numbers_are_those_of_messages_and_never_clash(void**) {
  expect_lines(
      [] {
        const cadastre_context first = cadastre_context_create(), second = cadastre_context_create();
        allocate(first, 1);
        allocate(second, 1);
        allocate(first, 1);
        void* const block = allocate(second, 1);
        CHECK(cadastre_free(second, block) == CADASTRE_SUCCESS);
        CHECK(cadastre_free(second, block) == CADASTRE_INVALID_ARG_2);
        cadastre_error_struct error = cadastre_error_struct_zero;
        CHECK(cadastre_last_error(second, &error) == CADASTRE_SUCCESS);
        CHECK(std::strstr(error.message, "block 4") || std::strstr(error.message, "number 4"));
      },
      "create,1,,,,,,0\n"
      "create,2,,,,,,0\n"
      "malloc,1,1,,1,HOST,,0\n"
      "malloc,2,2,,1,HOST,,0\n"
      "malloc,1,3,,1,HOST,,0\n"
      "malloc,2,4,,1,HOST,,0\n"
      "free,2,4,,,,,0\n"
      "free,2,4,,,,,2\n");
}

void all_that_was_done_is_there_after_a_crash(void**) {
  const std::string path = path_of("crash.csv");
  for (const int signal : {SIGKILL, SIGABRT, SIGSEGV}) {
    const int status = status_of(path, "", [&] {
      const rlimit none{};
      setrlimit(RLIMIT_CORE, &none);
      std::signal(signal, SIG_DFL);
      const cadastre_context context = cadastre_context_create();
      for (int i = 0; i < 1000; ++i) cadastre_free(context, allocate(context, 8));
      kill(getpid(), signal);
      pause();
    });
    assert_true(WIFSIGNALED(status));
    const std::string trace = content(path);
    assert_int_equal(trace.back(), '\n');
    const std::vector<std::string> lines = lines_of(operations(trace));
    assert_int_equal(lines.size(), 2001);
    assert_string_equal(lines.back().c_str(), "free,1,1000,,,,,0");
  }
}

void a_label_is_no_formula(void**) {
  expect_trace(
      [] {
        const cadastre_context context = cadastre_context_create();
        for (const char* label : {"=cmd|' /C calc'!A0", "+1", "-xy", "@SUM", "\t=1", "'quoted", "a=b"}) CHECK(allocate(context, 1, label));
      },
      "create,1,,,,,,0\n"
      "malloc,1,1,,1,HOST,'=cmd|' /C calc'!A0,0\n"
      "malloc,1,2,,1,HOST,'+1,0\n"
      "malloc,1,3,,1,HOST,'-xy,0\n"
      "malloc,1,4,,1,HOST,'@SUM,0\n"
      "malloc,1,5,,1,HOST,?=1,0\n"
      "malloc,1,6,,1,HOST,''quoted,0\n"
      "malloc,1,7,,1,HOST,a=b,0\n");
}

void no_line_crosses_a_page(void**) {
  const std::string path = path_of("pages.csv");
  in_child(path, "", [] {
    const cadastre_context context = cadastre_context_create();
    const std::string quotes(255, '"');
    for (int i = 0; i < 3000; ++i) allocate(context, 8, quotes.c_str() + i % 256);
  });
  const std::string trace = content(path);
  assert_true(trace.size() > 100 * 4096);
  for (std::size_t at = 4096; at < trace.size(); at += 4096) assert_int_equal(trace[at - 1], '\n');
}

void a_file_that_cannot_be_opened_costs_the_trace_and_not_the_run(void**) {
  const std::string nowhere = path_of("nowhere/t.csv"), notes = path_of("notes");
  const auto works = [&](const char* variable, const char* why) {
    const cadastre_context context = cadastre_context_create();
    CHECK(context != CADASTRE_NULL_CONTEXT && allocate(context, 1));
    CHECK(std::strstr(problem_of(variable), why));
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  };
  in_child(nowhere, "", [&] {
    setenv("CADASTRE_LOG_FILE", notes.c_str(), 1);
    works("CADASTRE_TRACE", "the file cannot be written (No such file or directory)");
  });
  assert_true(content(notes).starts_with("failed\tCADASTRE_TRACE\t"));
  assert_non_null(std::strstr(content(notes).c_str(), nowhere.c_str()));
  in_child(path_of("next.csv"), nowhere, [&] { works("CADASTRE_REPORT", "No such file or directory"); });
  assert_string_equal(operations(content(path_of("next.csv"))).c_str(), "create,1,,,,,,0\nmalloc,1,1,,1,HOST,,0\ndestroy,1,,,,,,0\n");
  in_child("", folder, [&] { works("CADASTRE_REPORT", "Is a directory"); });
  in_child(std::string(5000, 'x'), "", [&] { works("CADASTRE_TRACE", "File name too long"); });
}

void a_pipe_without_a_reader_is_not_waited_for(void**) {
  const std::string path = path_of("unread");
  assert_int_equal(mkfifo(path.c_str(), 0600), 0);
  in_child(path, path, [] {
    alarm(20);
    CHECK(cadastre_context_destroy(cadastre_context_create()) == CADASTRE_SUCCESS);
    CHECK(std::strstr(problem_of("CADASTRE_TRACE"), "No such device or address"));
    CHECK(std::strstr(problem_of("CADASTRE_REPORT"), "No such device or address"));
  });
}

// The names in the folder that begin so, but for the first.
std::vector<std::string> others_of(const std::string& first) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(first.substr(0, first.find('.'))) && name != first) names.push_back(name);
  }
  return names;
}

void a_file_that_another_process_writes_is_left_to_it(void**) {
  const std::string path = path_of("shared.csv");
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  in_child("", "", [&] {
    const pid_t writer = fork();
    if (writer == 0) {
      setenv("CADASTRE_TRACE", path.c_str(), 1);
      CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
      CHECK(write(ends[1], "x", 1) == 1);
      alarm(60);  // in case no process is left that ends it
      pause();
    }
    char ready;
    CHECK(read(ends[0], &ready, 1) == 1);
    setenv("CADASTRE_TRACE", path.c_str(), 1);
    setenv("CADASTRE_REPORT", path.c_str(), 1);
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 5));
    CHECK(std::strstr(problem_of("CADASTRE_TRACE"), "in use by another process, this one writes to "));
    CHECK(operations(content(path)) == "create,1,,,,,,0\n");
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
    const std::vector<std::string> own = others_of("shared.csv");
    CHECK(own.size() == 2 && own[0].ends_with(".csv") && own[1].ends_with(".csv"));
    std::string both = content(path_of(own[0].c_str())) + content(path_of(own[1].c_str()));
    CHECK(own[0].find("." + std::to_string(getpid())) != std::string::npos);
    CHECK(both.find("malloc,1,1,,5,HOST,") != std::string::npos && both.find("Cadastre ") != std::string::npos);
  });
  close(ends[0]);
  close(ends[1]);
}

void programs_that_are_started_have_files_of_their_own(void**) {
  const std::string path = path_of("started.csv");
  in_child(path, "", [&] {
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 1));
    const pid_t child = fork();
    if (child == 0) {
      setenv("RECORDING_CHILD", "1", 1);
      execl("/proc/self/exe", "test_recording", static_cast<char*>(nullptr));
      _exit(127);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(allocate(context, 2));
  });
  assert_string_equal(operations(content(path)).c_str(), "create,1,,,,,,0\nmalloc,1,1,,1,HOST,,0\nmalloc,1,2,,2,HOST,,0\n");
  assert_int_equal(others_of("started.csv").size(), 1);
  assert_string_equal(operations(content(path_of(others_of("started.csv")[0].c_str()))).c_str(),
                      "create,1,,,,,,0\nmalloc,1,1,,77,HOST,,0\n");
}

// What that program does.
int be_started() {
  const cadastre_context context = cadastre_context_create();
  return context != CADASTRE_NULL_CONTEXT && allocate(context, 77) ? 0 : 1;
}

void a_file_that_the_log_names_is_not_emptied(void**) {
  const std::string path = path_of("again.csv"), notes = path_of("notes-of-again");
  for (std::size_t i = 1; i <= 2; ++i) {
    in_child(path, "", [&] {
      setenv("CADASTRE_LOG_FILE", notes.c_str(), 1);
      CHECK(allocate(cadastre_context_create(), i));
    });
  }
  assert_string_equal(operations(content(path)).c_str(), "create,1,,,,,,0\nmalloc,1,1,,1,HOST,,0\n");
  assert_int_equal(others_of("again.csv").size(), 1);
  const std::vector<std::string> noted = lines_of(content(notes));
  assert_int_equal(noted.size(), 3);
  assert_true(noted[0].starts_with("opened\tCADASTRE_TRACE\t") && noted[0].ends_with(path));
  assert_true(noted[1].starts_with("renamed\tCADASTRE_TRACE\t"));
  assert_true(noted[2].ends_with(others_of("again.csv")[0]));
}

void process_rank_and_host_go_where_the_name_has_them(void**) {
  in_child(path_of("%p-%p-r%r%%p%x.csv"), path_of("%h.txt"), [] {
    setenv("OMPI_COMM_WORLD_RANK", "41", 1);
    CHECK(cadastre_context_destroy(cadastre_context_create()) == CADASTRE_SUCCESS);
    const std::string id = std::to_string(getpid());
    const std::string trace = content(path_of((id + "-" + id + "-r41%p%x.csv").c_str()));
    CHECK(trace.starts_with("# cadastre ") && trace.find(", rank 41\n") != std::string::npos);
    utsname names;
    CHECK(uname(&names) == 0);
    CHECK(content(path_of((std::string(names.nodename) + ".txt").c_str())).starts_with("Cadastre "));
  });
}

void nothing_is_opened_before_the_first_context(void**) {
  const std::string path = path_of("early.csv");
  in_child(path, "", [&] {
    CHECK(!allocate(CADASTRE_NULL_CONTEXT, 1));
    CHECK(cadastre_environment_get_count() > 0);
    CHECK(access(path.c_str(), F_OK) != 0);
    unsetenv("CADASTRE_TRACE");  // which was read above
    CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
    CHECK(access(path.c_str(), F_OK) != 0);
  });
}

void a_full_disk_ends_the_trace_and_nothing_else(void**) {
  in_child("/dev/full", "", [] {
    const cadastre_context context = cadastre_context_create();
    void* const block = allocate(context, 100);
    CHECK(block && cadastre_free(context, block) == CADASTRE_SUCCESS);
    CHECK(std::strstr(problem_of("CADASTRE_TRACE"), "No space left on device"));
    char* text = nullptr;
    std::size_t length = 0;
    std::FILE* const stream = open_memstream(&text, &length);
    CHECK(cadastre_report(context, stream, CADASTRE_REPORT_TEXT) == CADASTRE_SUCCESS);
    std::fclose(stream);
    CHECK(std::strstr(text, "environment: CADASTRE_TRACE"));
    std::free(text);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
}

void limit_files(rlim_t bytes) {
  rlimit most{};
  CHECK(getrlimit(RLIMIT_FSIZE, &most) == 0);
  most.rlim_cur = bytes;
  CHECK(setrlimit(RLIMIT_FSIZE, &most) == 0);
}

void a_limit_on_files_ends_the_trace_after_whole_lines(void**) {
  const std::string path = path_of("limit.csv");
  for (const bool late : {false, true}) {
    in_child(path, "", [=] {
      if (!late) limit_files(5000);
      const cadastre_context context = cadastre_context_create();
      if (late) limit_files(5000);
      for (int i = 0; i < 1000; ++i) CHECK(cadastre_free(context, allocate(context, 8)) == CADASTRE_SUCCESS);
      CHECK(std::strstr(problem_of("CADASTRE_TRACE"), "the trace ends before the program: File too large"));
    });
    const std::string trace = content(path);
    assert_true(trace.size() <= 5000 && trace.size() > 4800);
    assert_true(trace.ends_with("\n# the trace ends before the program: File too large\n"));
    operations(trace);
  }
}

// A write is a point at which a thread may be cancelled.
void a_thread_is_not_cancelled_while_it_records(void**) {
  static bool worked = false;
  const auto work = [](void*) -> void* {
    pthread_cancel(pthread_self());
    const cadastre_context context = cadastre_context_create();
    worked = cadastre_free(context, allocate(context, 8)) == CADASTRE_SUCCESS && cadastre_context_destroy(context) == CADASTRE_SUCCESS;
    pthread_testcancel();
    return nullptr;
  };
  in_child(path_of("cancelled.csv"), path_of("cancelled.txt"), [&] {
    pthread_t thread;
    void* result = nullptr;
    CHECK(pthread_create(&thread, nullptr, work, nullptr) == 0 && pthread_join(thread, &result) == 0);
    CHECK(worked && result == PTHREAD_CANCELED);
    CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
    pthread_cancel(pthread_self());  // what is left is reported at the end all the same
  });
  assert_int_equal(lines_of(operations(content(path_of("cancelled.csv")))).size(), 5);
}

void a_pipe_that_nobody_reads_raises_no_signal(void**) {
  const std::string path = path_of("pipe");
  assert_int_equal(mkfifo(path.c_str(), 0600), 0);
  in_child(path, "", [&] {
    std::signal(SIGPIPE, SIG_DFL);
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
    const cadastre_context context = cadastre_context_create();
    char head[8192] = "";
    CHECK(read(reader, head, sizeof head - 1) > 0 && std::strstr(head, "create,1,"));
    close(reader);
    CHECK(allocate(context, 1) && allocate(context, 1));
    CHECK(std::strstr(problem_of("CADASTRE_TRACE"), "Broken pipe"));
    sigset_t signals;
    CHECK(sigpending(&signals) == 0 && sigismember(&signals, SIGPIPE) == 0);
    CHECK(pthread_sigmask(SIG_BLOCK, nullptr, &signals) == 0 && sigismember(&signals, SIGPIPE) == 0);
  });
}

// Makes a descriptor that of a file.
void lead(int descriptor, const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CREAT, 0600);
  CHECK(file >= 0 && dup2(file, descriptor) == descriptor && close(file) == 0);
}

// What the program opens in the place of its standard error is not what that was; nor is any other file.
// For a program that was started without standard error.
int work_on_a_file_of_its_own(const char* path) {
  if (open(path, O_WRONLY | O_APPEND) != STDERR_FILENO) return 2;
  const cadastre_context context = cadastre_context_create();
  if (write(STDERR_FILENO, "mine\n", 5) != 5) return 3;
  if (cadastre_context_destroy(context) != CADASTRE_SUCCESS) return 4;
  return std::strstr(problem_of("CADASTRE_REPORT"), "closed when the program started") ? 0 : 5;
}

void standard_error_is_what_it_was_at_first(void**) {
  const std::string log = path_of("first.log"), own = path_of("own.bin");
  const std::pair<std::string, std::string> both[] = {
      {"", "stderr"}, {"", "/dev/stderr"}, {"/dev/stderr", ""}, {"/dev/fd/2", ""}, {"", "/proc/self/fd/2"}};
  for (const auto& [trace, report] : both) {
    for (const bool all : {false, true}) {
      std::remove(log.c_str());
      std::ofstream(own, std::ios::trunc).flush();
      in_child(trace, report, [&, for_a_trace = !trace.empty()] {
        lead(STDERR_FILENO, log, O_WRONLY);
        const cadastre_context context = cadastre_context_create();
        const int last = all ? 1000 : STDERR_FILENO;
        for (int number = STDERR_FILENO; number <= last; ++number) close(number);
        for (int number = STDERR_FILENO; number <= last; ++number) {
          if (open(own.c_str(), O_WRONLY | O_APPEND) != number) _exit(2);
        }
        if (!allocate(context, 10, nullptr)) _exit(3);
        if (cadastre_context_destroy(context) != CADASTRE_SUCCESS) _exit(4);
        const std::string problem = problem_of(for_a_trace ? "CADASTRE_TRACE" : "CADASTRE_REPORT");
        if (problem.empty() == all) _exit(5);
      });
      assert_string_equal(content(own).c_str(), "");
      const std::string word = report.empty() ? "destroy,1," : "Cadastre ";
      assert_int_equal(content(log).find(word) != std::string::npos, !all);
    }
  }
  in_child("", "stderr", [] {
    close(STDERR_FILENO);
    if (cadastre_context_destroy(cadastre_context_create()) != CADASTRE_SUCCESS) _exit(2);
    if (!*problem_of("CADASTRE_REPORT")) _exit(3);
  });
  in_child("", "stderr", [&] {
    close(STDERR_FILENO);
    execl("/proc/self/exe", "test_recording", own.c_str(), nullptr);
    _exit(127);
  });
  assert_string_equal(content(own).c_str(), "mine\n");
}

void standard_error_is_appended_to_and_not_emptied(void**) {
  const std::string log = path_of("job.log");
  for (const std::string& name : {std::string("/dev/stderr"), log}) {
    std::remove(log.c_str());
    in_child(name, "stderr", [&] {
      lead(STDERR_FILENO, log, O_WRONLY);
      std::fprintf(stderr, "before\n");
      const cadastre_context context = cadastre_context_create();
      std::fprintf(stderr, "between\n");
      CHECK(allocate(context, 1) && cadastre_context_destroy(context) == CADASTRE_SUCCESS);
      std::fprintf(stderr, "after\n");
    });
    const std::string text = content(log);
    std::size_t at = 0;
    for (const char* part : {"before\n# cadastre ", "create,1,", "between\nmalloc,1,1,,1,", "Cadastre ", "destroy,1,", "\nafter\n"}) {
      at = text.find(part, at);
      assert_true(at != std::string::npos);
    }
  }
}

void standard_input_is_not_emptied(void**) {
  const std::string input = path_of("input.csv");
  std::ofstream(input) << "what the program reads\n";
  in_child(input, "", [&] {
    lead(STDIN_FILENO, input, O_RDONLY);
    CHECK(allocate(cadastre_context_create(), 1));
  });
  assert_string_equal(content(input).c_str(), "what the program reads\n");
  assert_int_equal(others_of("input.csv").size(), 1);
}

// Opens files of the program until all numbers that a trace could have had are theirs.
std::vector<int> many_files(const std::string& path) {
  for (int i = 3; i < 1024; ++i) close(i);
  std::vector<int> files;
  while (files.size() < 300) files.push_back(open(path.c_str(), O_RDWR | O_CREAT, 0600));
  CHECK(files.back() > 250);
  return files;
}

void a_file_of_the_program_is_not_written_to(void**) {
  const std::string path = path_of("closed.csv"), report = path_of("closed.txt"), own = path_of("own");
  in_child(path, report, [&] {
    const cadastre_context context = cadastre_context_create();
    many_files(own);
    errno = 4711;
    CHECK(allocate(context, 1) && errno == 4711);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
    CHECK(!*problem_of("CADASTRE_TRACE") && !*problem_of("CADASTRE_REPORT"));
  });
  assert_int_equal(content(own).size(), 0);
  assert_string_equal(operations(content(path)).c_str(), "create,1,,,,,,0\nmalloc,1,1,,1,HOST,,0\ndestroy,1,,,,,,0\n");
  assert_true(content(report).starts_with("Cadastre "));
}

void a_trace_whose_file_is_gone_ends(void**) {
  const std::string path = path_of("moved.csv"), own = path_of("own2");
  in_child(path, "", [&] {
    const cadastre_context context = cadastre_context_create();
    many_files(own);
    CHECK(rename(path.c_str(), path_of("moved").c_str()) == 0);
    std::ofstream(path) << "another's\n";
    CHECK(allocate(context, 1));
    CHECK(std::strstr(problem_of("CADASTRE_TRACE"), "the trace ends before the program: Bad file descriptor"));
  });
  assert_int_equal(content(own).size(), 0);
  assert_string_equal(content(path).c_str(), "another's\n");
  assert_string_equal(operations(content(path_of("moved"))).c_str(), "create,1,,,,,,0\n");
}

void a_child_closes_no_file_of_the_program(void**) {
  in_child(path_of("parents.csv"), path_of("parents.txt"), [] {
    CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
    const std::vector<int> files = many_files(path_of("own3"));
    const pid_t child = fork();
    if (child == 0) {
      for (const int file : files) CHECK(fcntl(file, F_GETFD) >= 0);
      _exit(0);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  });
}

void a_child_is_silent_and_works(void**) {
  const std::string path = path_of("fork.csv"), report = path_of("fork.txt");
  in_child(path, report, [] {
    const cadastre_context context = cadastre_context_create();
    void* const block = allocate(context, 1);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
      const cadastre_context own = cadastre_context_create();
      CHECK(own && allocate(own, 5) && cadastre_context_destroy(own) == CADASTRE_SUCCESS);
      CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
      cadastre_context_create();
      CHECK(!*problem_of("CADASTRE_TRACE") && !*problem_of("CADASTRE_REPORT"));
      std::exit(0);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  assert_string_equal(operations(content(path)).c_str(), "create,1,,,,,,0\nmalloc,1,1,,1,HOST,,0\nfree,1,1,,,,,0\ndestroy,1,,,,,,0\n");
  const std::string text = content(report);
  assert_int_equal(text.find("Cadastre "), 0);
  assert_true(text.find("Cadastre ", 1) == std::string::npos);
}

void errors_are_left_as_they_are(void**) {
  in_child("/dev/full", "/dev/full", [] {
    const cadastre_context context = cadastre_context_create(), other = cadastre_context_create();
    CHECK(cadastre_free(context, nullptr) == CADASTRE_INVALID_ARG_2);
    errno = 4711;
    void* const block = allocate(context, 10);
    CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS && cadastre_context_destroy(other) == CADASTRE_SUCCESS);
    CHECK(errno == 4711);
    cadastre_error_struct error = cadastre_error_struct_zero;
    CHECK(cadastre_last_error(context, &error) == CADASTRE_SUCCESS);
    CHECK(error.exit_code == CADASTRE_INVALID_ARG_2 && error.reason == CADASTRE_REASON_NULL_ARGUMENT);
  });
}

void memory_that_runs_out_leaves_a_trace_in_order(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  const std::string path = path_of("faults.csv");
  in_child(path, path_of("faults.json"), [] {
    cadastre_context_destroy(cadastre_context_create());
    bool failed = true;
    for (long k = 1; failed; ++k) {
      calls_until_failure = k;
      const cadastre_context context = cadastre_context_create();
      char here[3];
      for (int i = 0; i < 70; ++i) {
        void* const block = allocate(context, 8, i % 2 ? "label" : nullptr);
        cadastre_memory_info_struct info;
        cadastre_get_malloc_info(context, here + i % 3 + 3 * k, &info);
        if (i % 3 && block) CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
      }
      cadastre_free_all(context);
      const cadastre_exit_code code = cadastre_context_destroy(context);
      CHECK(code == (context ? CADASTRE_SUCCESS : CADASTRE_INVALID_CONTEXT));
      failed = calls_until_failure == 0;
      calls_until_failure = 0;
    }
  });
  // A block is freed when it was allocated and not before; the reader's rules, as far as they are about blocks.
  std::vector<bool> alive;
  std::size_t failures = 0;
  for (const std::string& line : lines_of(operations(content(path)))) {
    char operation[16] = "";
    long context = 0, block = 0;
    std::sscanf(line.c_str(), "%15[^,],%ld,%ld", operation, &context, &block);
    const bool well = line.ends_with(",0");
    failures += !well;
    if (block <= 0) continue;
    if (alive.size() <= static_cast<std::size_t>(block)) alive.resize(static_cast<std::size_t>(block) + 1);
    if (std::strcmp(operation, "malloc") == 0) {
      assert_true(well && !alive[static_cast<std::size_t>(block)]);
      alive[static_cast<std::size_t>(block)] = true;
    } else if (well) {
      assert_true(alive[static_cast<std::size_t>(block)]);
      if (std::strcmp(operation, "free") == 0) alive[static_cast<std::size_t>(block)] = false;
    }
  }
  assert_true(failures > 100);
}

void a_report_shows_what_is_alive_at_the_end(void**) {
  const std::string path = path_of("report.txt");
  std::ofstream(path) << "what was there before\n";
  in_child("", path, [] {
    for (const char* label : {"first array", "second array"}) {
      const cadastre_context context = cadastre_context_create();
      CHECK(allocate(context, 3000, label));
      cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
      CHECK(cadastre_context_destroy_with_summary(context, &summary) == CADASTRE_SUCCESS && summary.live_blocks == 1);
    }
  });
  const std::string text = content(path);
  assert_int_equal(text.find("Cadastre "), 0);
  const std::size_t second = text.find("Cadastre ", 1);
  assert_true(text.find("2.93 KiB          1 HOST      first array") < second);
  assert_true(second < text.find("2.93 KiB          1 HOST      second array"));
  assert_true(text.find("second array") != std::string::npos);
}

void what_failed_to_create_a_context_is_reported(void**) {
  const std::string path = path_of("creations.txt"), json = path_of("creations.json");
  in_child("", path, [] {
    setenv("CADASTRE_LIMIT", "HOST=much", 1);
    for (int i = 0; i < 3; ++i) CHECK(cadastre_context_create() == CADASTRE_NULL_CONTEXT);
  });
  const std::string text = content(path);
  assert_int_equal(text.find("Cadastre "), 0);
  assert_true(text.find(", no context\n") != std::string::npos);
  assert_true(text.find("\n         3  cadastre_context_create, 2") != std::string::npos);
  assert_true(text.find("\n            CADASTRE_LIMIT") != std::string::npos);
  in_child("", json, [] {
    for (int i = 0; i < 2; ++i) CHECK(cadastre_context_create_with_options(nullptr) == CADASTRE_NULL_CONTEXT);
    CHECK(cadastre_context_destroy(cadastre_context_create()) == CADASTRE_SUCCESS);
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_context_create_with_options(nullptr) == CADASTRE_NULL_CONTEXT);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  std::vector<std::string> lines = lines_of(content(json));
  assert_int_equal(lines.size(), 2);
  const std::string failed = "\"failed_creations\": [{\"function\": \"cadastre_context_create_with_options\",";
  for (const std::string& line : lines) assert_true(line.find(failed) != std::string::npos);
  assert_true(lines[0].find("\"count\": 2,") != std::string::npos && lines[1].find("\"count\": 3,") != std::string::npos);
  in_child("", json, [] {
    CHECK(cadastre_context_destroy(cadastre_context_create()) == CADASTRE_SUCCESS);
    CHECK(cadastre_context_create_with_options(nullptr) == CADASTRE_NULL_CONTEXT);
  });
  lines = lines_of(content(json));
  assert_int_equal(lines.size(), 2);
  assert_true(lines[0].find(failed) == std::string::npos);
  assert_true(lines[1].find("\"context\": null") != std::string::npos && lines[1].find(failed) != std::string::npos);
}

void reports_in_json_are_one_line_each(void**) {
  const std::string path = path_of("report.json");
  in_child("", path, [] {
    for (int i = 0; i < 2; ++i) {
      const cadastre_context context = cadastre_context_create();
      CHECK(allocate(context, 10, "two  blanks\n  and a line break"));
      CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
    }
  });
  const std::vector<std::string> lines = lines_of(content(path));
  assert_int_equal(lines.size(), 2);
  for (const std::string& line : lines) {
    assert_true(line.starts_with("{\"cadastre\"") && line.ends_with("}"));
    assert_true(line.find("\"two  blanks\\u000a  and a line break\"") != std::string::npos);
  }
}

void what_is_left_is_reported_when_the_process_ends(void**) {
  const std::string path = path_of("left.txt");
  in_child("", path, [] {
    const cadastre_context ended = cadastre_context_create(), left = cadastre_context_create();
    CHECK(allocate(left, 3000, "left") && cadastre_context_destroy(ended) == CADASTRE_SUCCESS);
    static const cadastre_context locked = cadastre_context_create();
    CHECK(allocate(locked, 10, "locked by a thread that ended"));
    std::thread([] { cadastre_lock(locked); }).join();
    std::exit(0);
  });
  const std::string text = content(path);
  assert_true(text.find("  left\n") != std::string::npos);
  assert_true(text.find("  locked by a thread that ended\n") != std::string::npos);
  std::size_t reports = 0;
  for (std::size_t at = 0; (at = text.find("Cadastre ", at)) != std::string::npos; ++at) ++reports;
  assert_int_equal(reports, 3);
  in_child("", path, [] {
    CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
    _exit(0);
  });
  assert_int_equal(content(path).size(), 0);
}

void a_report_that_cannot_be_written_fails_nothing(void**) {
  in_child("", "/dev/full", [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 10));
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
    CHECK(std::strstr(problem_of("CADASTRE_REPORT"), "a report could not be written: No space left on device"));
  });
  in_child("", "stderr", [] {
    const int file = open(path_of("stderr.txt").c_str(), O_WRONLY | O_CREAT, 0600);
    CHECK(dup2(file, STDERR_FILENO) == STDERR_FILENO);
    CHECK(cadastre_context_destroy(cadastre_context_create()) == CADASTRE_SUCCESS);
  });
  assert_int_equal(content(path_of("stderr.txt")).find("Cadastre "), 0);
}

}  // namespace

int main(int arguments, char** argument) {
  if (arguments == 2) return work_on_a_file_of_its_own(argument[1]);
  if (std::getenv("RECORDING_CHILD")) return be_started();
  folder = mkdtemp(folder_template);
  const CMUnitTest tests[] = {
      cmocka_unit_test(each_operation_is_a_line),
      cmocka_unit_test(device_memory_has_the_name_of_its_device),
      cmocka_unit_test(pointers_that_are_no_blocks_are_foreign),
      cmocka_unit_test(copies_are_written_as_a_replay_can_do_them),
      cmocka_unit_test(what_is_leased_or_borrowed_is_omitted),
      cmocka_unit_test(numbers_are_those_of_messages_and_never_clash),
      cmocka_unit_test(all_that_was_done_is_there_after_a_crash),
      cmocka_unit_test(a_label_is_no_formula),
      cmocka_unit_test(no_line_crosses_a_page),
      cmocka_unit_test(a_file_that_cannot_be_opened_costs_the_trace_and_not_the_run),
      cmocka_unit_test(a_pipe_without_a_reader_is_not_waited_for),
      cmocka_unit_test(a_file_that_another_process_writes_is_left_to_it),
      cmocka_unit_test(programs_that_are_started_have_files_of_their_own),
      cmocka_unit_test(a_file_that_the_log_names_is_not_emptied),
      cmocka_unit_test(process_rank_and_host_go_where_the_name_has_them),
      cmocka_unit_test(standard_error_is_appended_to_and_not_emptied),
      cmocka_unit_test(standard_error_is_what_it_was_at_first),
      cmocka_unit_test(standard_input_is_not_emptied),
      cmocka_unit_test(nothing_is_opened_before_the_first_context),
      cmocka_unit_test(a_full_disk_ends_the_trace_and_nothing_else),
      cmocka_unit_test(a_limit_on_files_ends_the_trace_after_whole_lines),
      cmocka_unit_test(a_thread_is_not_cancelled_while_it_records),
      cmocka_unit_test(a_pipe_that_nobody_reads_raises_no_signal),
      cmocka_unit_test(a_file_of_the_program_is_not_written_to),
      cmocka_unit_test(a_trace_whose_file_is_gone_ends),
      cmocka_unit_test(a_child_closes_no_file_of_the_program),
      cmocka_unit_test(a_child_is_silent_and_works),
      cmocka_unit_test(errors_are_left_as_they_are),
      cmocka_unit_test(memory_that_runs_out_leaves_a_trace_in_order),
      cmocka_unit_test(a_report_shows_what_is_alive_at_the_end),
      cmocka_unit_test(reports_in_json_are_one_line_each),
      cmocka_unit_test(what_failed_to_create_a_context_is_reported),
      cmocka_unit_test(what_is_left_is_reported_when_the_process_ends),
      cmocka_unit_test(a_report_that_cannot_be_written_fails_nothing),
  };
  const int failed = cmocka_run_group_tests_name("recording", tests, nullptr, nullptr);
  const std::string remove = "rm -rf '" + std::string(folder) + "'";
  return std::system(remove.c_str()) == 0 ? failed : 1;
}
