// Tangled from org/tests/trace_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "command/trace.hpp"

// cmocka expects these to be included before it, and leaves the linkage to its user.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

using namespace cadastre::command;

namespace {

struct File {
  std::string path;
  File(const std::string& content, bool compressed = false) {
    const char* directory = std::getenv("TMPDIR");
    path = std::string(directory ? directory : "/tmp") + "/cadastre-trace-XXXXXX";
    const int descriptor = mkstemp(path.data());
    assert_true(descriptor >= 0);
    close(descriptor);
    if (compressed) {
      gzFile file = gzopen(path.c_str(), "wb");
      assert_int_equal(gzwrite(file, content.data(), static_cast<unsigned>(content.size())), content.size());
      assert_int_equal(gzclose(file), Z_OK);
    } else {
      std::ofstream(path, std::ios::binary) << content;
    }
  }
  ~File() { std::remove(path.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

Trace read(const std::string& content) {
  Trace trace;
  std::string refused;
  try {
    trace = read_trace(File(content).path);
  } catch (const TraceError& error) {
    refused = error.what();
  }
  assert_string_equal(refused.c_str(), "");
  return trace;
}

// The error in a trace, without the name of the file.
std::string fault_of(const std::string& path) {
  try {
    read_trace(path);
  } catch (const TraceError& error) {
    const std::string text = error.what();
    return text.starts_with(path + ":") ? text.substr(path.size() + 1) : "another file: " + text;
  }
  return "nothing";
}

std::string fault(const std::string& content) { return fault_of(File(content).path); }

void assert_fault(const std::string& content, const std::string& beginning) {
  const std::string found = fault(content);
  assert_string_equal(found.substr(0, beginning.size()).c_str(), beginning.c_str());
  // What was found, and what would be right.
  assert_true(found.find(';') != std::string::npos);
}

const std::string begun = "op,block,size,result\ncreate,,,\nmalloc,1,8,\n";

void every_column_and_every_operation_is_read(void**) {
  const Trace trace = read("op,context,block,source,size,type,thread,time,label,result\n"
                           "create,7,,,,,,10,,\n"
                           "malloc,7,5,,4096,PINNED,2,20,walkers,\n"
                           "malloc,7,6,,0,UVM,2,30,walkers,0\n"
                           "copy,7,5,6,128,,,,,\n"
                           "realloc,7,5,,8192,,3,,,\n"
                           "info,7,5,,8192,,,,,\n"
                           "free,7,5,,,,,,,\n"
                           "destroy,7,,,,,,9223372036854775807,,\n");
  assert_int_equal(trace.operations.size(), 8);
  const Operation& malloc = trace.operations[1];
  assert_true(malloc.kind == Kind::malloc);
  assert_int_equal(malloc.size, 4096);
  assert_int_equal(malloc.type, CADASTRE_PINNED);
  assert_int_equal(malloc.time, 20);
  assert_int_equal(malloc.line, 3);
  assert_string_equal(trace.labels[malloc.label].c_str(), "walkers");
  assert_int_equal(trace.operations[2].label, malloc.label);
  assert_int_equal(trace.operations[2].type, CADASTRE_UVM);
  assert_true(trace.operations[2].has_size);
  assert_false(trace.operations[6].has_size);
  assert_int_equal(trace.contexts[malloc.context], 7);
  assert_int_equal(trace.threads[malloc.thread], 2);
  assert_int_equal(trace.threads.size(), 3);
  assert_int_equal(trace.blocks[static_cast<std::size_t>(malloc.block)], 5);
  assert_int_equal(trace.operations[3].source, trace.operations[2].block);
  assert_int_equal(trace.operations[7].time, INT64_MAX);
  for (std::size_t i = 0; i < 8; ++i) {
    const Kind expected[] = {Kind::create, Kind::malloc, Kind::malloc, Kind::copy, Kind::realloc, Kind::info, Kind::free, Kind::destroy};
    assert_true(trace.operations[i].kind == expected[i]);
  }
}

void columns_come_in_any_order_and_unknown_ones_are_ignored(void**) {
  const Trace trace = read("colour,size,op,block,mood\nred,,create,,\nblue,8,malloc,1,\"x,y\"\n");
  assert_int_equal(trace.operations.size(), 2);
  assert_int_equal(trace.operations[1].size, 8);
}

void defaults_hold_for_missing_columns(void**) {
  const Trace trace = read("op\ncreate\ndestroy\n");
  assert_int_equal(trace.contexts[trace.operations[0].context], 1);
  assert_int_equal(trace.threads[trace.operations[1].thread], 1);
  assert_int_equal(trace.operations[0].type, CADASTRE_HOST);
}

void comments_empty_lines_crlf_a_byte_order_mark_and_no_last_newline_are_fine(void**) {
  const Trace trace = read("\xef\xbb\xbf# by hand\r\n\r\nop,block,size\r\n# first\r\ncreate,,\r\n\nmalloc,1,8");
  assert_int_equal(trace.operations.size(), 2);
  assert_int_equal(trace.operations[1].line, 7);
  assert_int_equal(read("\xef\xbb\xbfop\ncreate\n").operations.size(), 1);
}

void quoted_fields_are_those_of_rfc_4180(void**) {
  const Trace trace = read("\"op\",block,size,label\ncreate,,,\nmalloc,1,\"8\",\"real, \"\"part\"\"\"\nmalloc,2,8,\"\"\n"
                           "malloc,3,8,\"\"\"\"\nmalloc,4,8,\"a\"\n");
  assert_string_equal(trace.labels[trace.operations[1].label].c_str(), "real, \"part\"");
  assert_int_equal(trace.operations[2].label, 0);
  assert_string_equal(trace.labels[trace.operations[3].label].c_str(), "\"");
  assert_string_equal(trace.labels[trace.operations[4].label].c_str(), "a");
}

void a_malformed_quote_is_named_with_its_place(void**) {
  assert_fault("op,label\ncreate,\"a\n", "2:8: a quoted field that does not end");
  assert_fault("op,label\ncreate,\"a\"b\n", "2:11: 'b' after the quote");
  assert_fault("op,label\ncreate,a\"b\n", "2:9: a quote inside a field");
}

void a_compressed_trace_reads_like_a_plain_one(void**) {
  const File file(begun, true);
  const Trace trace = read_trace(file.path);
  assert_int_equal(trace.operations.size(), 2);
  assert_string_equal(trace.name.c_str(), file.path.c_str());
}

void a_cut_off_or_damaged_compressed_file_is_detected(void**) {
  std::string content = "op,block,size\ncreate,,\n";
  for (int i = 1; i < 20000; ++i) content += "malloc," + std::to_string(i) + "," + std::to_string(i * 7919) + "\n";
  const File whole(content, true);
  std::ifstream stream(whole.path, std::ios::binary);
  const std::string packed((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const std::string cut = fault(packed.substr(0, packed.size() / 2));
  assert_non_null(std::strstr(cut.c_str(), "ends too early"));
  // Without its last four bytes, the length.
  assert_non_null(std::strstr(fault(packed.substr(0, packed.size() - 4)).c_str(), "ends too early"));
  std::string damaged = packed;
  for (std::size_t i = damaged.size() / 2; i < damaged.size() / 2 + 64; ++i) damaged[i] = '\x55';
  assert_string_not_equal(fault(damaged).c_str(), "nothing");
}

void a_file_that_is_not_there_and_a_directory_are_named(void**) {
  assert_string_equal(fault_of("/nonexistent/trace.csv").c_str(), " No such file or directory");
  assert_string_equal(fault_of("/").c_str(), " Is a directory");
}

void a_file_without_a_header_is_refused(void**) {
  assert_fault("", "1:1: the file ends without a header");
  assert_fault("# only\n\n", "3:1: the file ends without a header");
  assert_fault("malloc,1,8\n", "1:1: the header 'malloc,1,8' names no column 'op'");
  assert_fault("op;block;size\ncreate;;\n", "1:1: the header 'op;block;size' names no column 'op'");
}

void a_column_named_twice_is_refused(void**) { assert_fault("op,size,block,size\n", "1:15: the column 'size' is named twice"); }

void a_header_alone_is_a_trace_of_nothing(void**) { assert_int_equal(read("op\n").operations.size(), 0); }

void a_line_has_as_many_fields_as_the_header(void**) {
  assert_fault("op,size\ncreate\n", "2:7: the line has 1 fields, the header 2");
  assert_fault("op,size\ncreate,,\n", "2:9: the line has 3 fields, the header 2");
}

void a_malformed_number_is_named_by_line_and_column(void**) {
  assert_fault(begun + "malloc,2,12x,\n", "4:10: size '12x' is not a number of bytes");
  assert_fault(begun + "malloc,2,-1,\n", "4:10: size '-1' is not a number of bytes");
  assert_fault(begun + "malloc,2, 8,\n", "4:10: size ' 8' is not a number of bytes");
  assert_fault(begun + "malloc,2,0x10,\n", "4:10: size '0x10' is not");
  assert_fault(begun + "malloc,2,1e3,\n", "4:10: size '1e3' is not");
  assert_fault(begun + "malloc,+2,1,\n", "4:8: block '+2' is not the number of a block");
  assert_fault(begun + "malloc,-,1,\n", "4:8: block '-' is not the number of a block");
  assert_fault(begun + "free,1,,zero\n", "4:9: result 'zero' is not an exit code");
}

void a_number_that_does_not_fit_is_named_with_the_largest_that_does(void**) {
  assert_int_equal(read(begun + "malloc,2,18446744073709551615,\n").operations[2].size, UINT64_MAX);
  assert_fault(begun + "malloc,2,18446744073709551616,\n", "4:10: size '18446744073709551616' is out of range; the least is 0, the largest "
                                                           "18446744073709551615");
  assert_fault(begun + "malloc,9223372036854775808,1,\n", "4:8: block '9223372036854775808' is out of range");
  assert_fault(begun + "info,-9223372036854775808,,2\n", "4:6: block '-9223372036854775808' is out of range");
  assert_fault(begun + "free,1,,2147483648\n", "4:9: result '2147483648' is out of range");
  assert_fault("op,thread\ncreate,0\n", "2:8: thread '0' is out of range; the least is 1");
  assert_fault("op,time\ncreate,-5\n", "2:8: time '-5' is out of range");
}

void an_unknown_word_is_named_with_the_known_ones(void**) {
  assert_fault("op\ncalloc\n", "2:1: 'calloc' is not an operation; it is one of create, destroy, malloc");
  assert_fault("op\nMALLOC\n", "2:1: 'MALLOC' is not an operation");
  assert_fault("op,type\ncreate,GPU\n", "2:8: type 'GPU' is not a memory type; it is one of HOST, PINNED, DEVICE, UVM");
}

void bytes_that_are_no_text_are_refused_and_not_printed(void**) {
  assert_fault(std::string("op,label\ncreate,a\0b\n", 20), "2:9: a NUL byte");
  assert_fault("op,label\ncreate,\x1b[31m\n", "2:8: a control character (byte 27)");
  assert_fault("op,label\ncreate,a\tb\n", "2:9: a control character (byte 9)");
  for (int byte = 1; byte < 256; ++byte) {
    const std::string found = fault(std::string("op\ncreate\n") + static_cast<char>(byte) + "\x01\n");
    assert_true(found.find('\x01') == std::string::npos);
  }
}

void a_line_of_a_megabyte_is_refused_and_one_of_64_kib_is_not(void**) {
  assert_fault("op\n" + std::string(1u << 20, 'x') + "\n", "2:65537: the line is longer than 65536 bytes");
  assert_fault(std::string(5u << 20, 'x'), "1:65537: the line is longer than 65536 bytes");
  assert_fault("op\n" + std::string(65537, 'x') + "\n", "2:65537: the line is longer");
  assert_int_equal(read("op,x\ncreate," + std::string(65536 - 7, 'x') + "\n").operations.size(), 1);
}

void a_label_longer_than_a_block_can_have_is_refused(void**) {
  assert_fault("op,label\ncreate," + std::string(256, 'x') + "\n", "2:8: a label of 256 bytes");
  assert_int_equal(read("op,label\ncreate," + std::string(255, 'x') + "\n").operations.size(), 1);
}

void an_operation_without_what_it_needs_is_refused(void**) {
  assert_fault("op,block\ncreate,\nmalloc,1\n", "3:1: malloc without a size");
  assert_fault("op,size\ncreate,\nmalloc,1\n", "3:1: malloc without a block");
  assert_fault(begun + "malloc,,8,\n", "4:8: malloc without a block");
  assert_fault(begun + "malloc,2,,\n", "4:10: malloc without a size");
  assert_fault(begun + "realloc,1,,\n", "4:11: realloc without a size");
  assert_fault(begun + "free,,,\n", "4:6: free of NULL");
  assert_fault("op,block,source,size\ncreate,,,\nmalloc,1,,8\ncopy,1,,8\n", "4:8: copy of NULL");
  assert_fault("op,block,source,size\ncreate,,,\nmalloc,1,,8\ncopy,,1,8\n", "4:6: copy of NULL");
}

void what_cannot_have_happened_is_refused(void**) {
  assert_fault("op,block,size\nmalloc,1,8\n", "2:1: context 1 has not been created");
  assert_fault("op,context\ncreate,2\ndestroy,3\n", "3:9: context 3 has not been created");
  assert_fault("op,context\ncreate,0\n", "2:8: context 0 is never valid");
  assert_fault("op,context\ncreate,1\ncreate,1\n", "3:8: context 1 is alive since line 2");
  assert_fault(begun + "free,2,,\n", "4:6: block 2 has not been allocated");
  assert_fault(begun + "free,2,,2\n", "4:6: block 2 has not been allocated");
  assert_fault(begun + "malloc,1,8,\n", "4:8: block 1 is alive since line 3");
  assert_fault(begun + "malloc,-1,8,\n", "4:8: block -1 is a foreign pointer");
  assert_fault(begun + "malloc,2,8,104\n", "4:8: block 2 of a malloc that failed");
}

void what_must_fail_needs_a_result_that_says_so(void**) {
  const std::string freed = begun + "free,1,,\n";
  assert_fault(freed + "free,1,,\n", "5:6: block 1 was freed on line 4");
  assert_fault(freed + "realloc,1,9,0\n", "5:9: block 1 was freed on line 4");
  assert_fault(begun + "info,-1,,\n", "4:6: info of a foreign pointer");
  assert_fault(begun + "destroy,,,\ninfo,1,,\n", "5:1: context 1 was destroyed on line 4");
  assert_fault(begun + "destroy,,,\ncreate,,,\ninfo,1,,\n", "6:6: block 1 ended when its context was destroyed");
  assert_fault("op,context,block,size\ncreate,1,,\ncreate,2,,\nmalloc,1,1,8\nfree,2,1,\n", "5:8: block 1 is alive in context 1");
  assert_fault("op,context,block\ncreate,1,\nfree,0,\n", "3:6: context 0 is never valid");
  assert_fault("op,result\ncreate,104\ndestroy,\n", "3:1: context 1 could not be created");
}

void every_failure_of_a_program_can_be_written_down(void**) {
  const Trace trace = read("op,context,block,size,result\n"
                           "create,1,,,\n"
                           "malloc,1,1,8,\n"
                           "malloc,1,,99999999999,104\n"
                           "free,1,0,,2\n"
                           "free,0,1,,103\n"
                           "info,1,-1,,2\n"
                           "info,1,-2,,2\n"
                           "info,1,-1,,2\n"
                           "free,1,1,,\n"
                           "free,1,1,,2\n"
                           "destroy,0,,,103\n"
                           "destroy,1,,,\n"
                           "destroy,1,,,103\n"
                           "free,1,1,,103\n");
  assert_int_equal(trace.operations.size(), 14);
  assert_int_equal(trace.operations[2].block, 0);
  assert_int_equal(trace.operations[4].context, 0);
  assert_true(trace.operations[5].block < 0);
  assert_int_equal(trace.operations[5].block, trace.operations[7].block);
  assert_int_not_equal(trace.operations[5].block, trace.operations[6].block);
}

void an_operation_that_failed_has_changed_nothing(void**) {
  assert_int_equal(read(begun + "free,1,,101\nfree,1,,\n").operations.size(), 4);
  assert_int_equal(read(begun + "destroy,,,101\nfree,1,,\n").operations.size(), 4);
  assert_fault(begun + "free,1,,105\nfree,1,,\n", "5:6: block 1 was freed on line 4");
  assert_fault(begun + "destroy,,,105\nfree,1,,\n", "5:1: context 1 was destroyed on line 4");
}

void numbers_may_be_used_again_after_their_end(void**) {
  assert_int_equal(read(begun + "free,1,,\nmalloc,1,9,\n").operations.size(), 4);
  assert_int_equal(read(begun + "destroy,,,\ncreate,,,\nmalloc,1,9,\nfree,1,,\n").operations.size(), 6);
}

void serial_numbers_may_be_as_large_as_they_fit(void**) {
  std::string content = "op,block,size\ncreate,,\n";
  for (const char* serial : {"9223372036854775807", "1", "5000000000", "70000", "2000"}) {
    content += "malloc," + std::string(serial) + ",8\n";
  }
  for (int i = 10000; i < 60000; ++i) content += "malloc," + std::to_string(i) + ",8\n";
  for (const char* serial : {"2000", "5000000000", "1", "9223372036854775807", "70000", "10000", "59999"}) {
    content += "free," + std::string(serial) + ",\n";
  }
  const Trace trace = read(content);
  const auto serial = [&](std::size_t i) { return trace.blocks[static_cast<std::size_t>(trace.operations[i].block)]; };
  const std::size_t last = trace.operations.size() - 1;
  assert_true(serial(1) == 9223372036854775807u);
  assert_true(serial(last) == 59999u);
  assert_true(serial(last - 1) == 10000u);
  assert_true(serial(last - 2) == 70000u);
  assert_true(serial(last - 3) == 9223372036854775807u);
  assert_true(serial(last - 6) == 2000u);
}

void foreign_pointers_know_how_much_is_copied_from_them(void**) {
  const Trace trace = read("op,block,source,size\ncreate,,,\nmalloc,1,,64\ncopy,1,-9,32\ncopy,1,-9,16\ncopy,-3,1,64\n");
  assert_int_equal(trace.foreign_sizes.size(), 3);
  assert_int_equal(trace.foreign_sizes[1], 32);
  assert_int_equal(trace.foreign_sizes[2], 64);
}

// And the CPU time that it took, in seconds.
std::pair<Trace, double> read_timed(const File& file) {
  const std::clock_t start = std::clock();
  Trace trace = read_trace(file.path);
  return {std::move(trace), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

// CPU time to read so many pairs of lines, in seconds.
double time_to_read_pairs(int pairs) {
  std::string content = "op,context,block,size,time,result,label\ncreate,1,,,,,\n";
  for (int i = 1; i <= pairs; ++i) {
    const std::string serial = std::to_string(i);
    content += "malloc,1," + serial + ",4096," + serial + "000,0,function_" + std::to_string(i % 97) + "@file.c:100\n";
    content += "free,1," + serial + ",," + serial + "500,0,\n";
  }
  const auto [trace, seconds] = read_timed(File(content, true));
  assert_int_equal(trace.operations.size(), 2 * pairs + 1);
  assert_int_equal(trace.labels.size(), 98);
  return seconds;
}

void many_lines_are_read_in_linear_time(void**) {
  const double few = time_to_read_pairs(25000);
  const double many = time_to_read_pairs(250000);
  print_message("# half a million lines in %.2f s, a tenth of them in %.3f s\n", many, few);
  assert_true(many < 30 * few + 0.02);
}

// CPU time to read blocks with these numbers, in seconds.
double time_to_read(std::uint64_t stride, std::size_t count) {
  std::string text = "op,block,size\ncreate,,\n";
  for (std::uint64_t i = 1; i <= count; ++i) text += "malloc," + std::to_string(i * stride) + ",8\n";
  const auto [trace, seconds] = read_timed(File(text));
  assert_int_equal(trace.operations.size(), count + 1);
  return seconds;
}

// All numbers are multiples of what the standard library takes for as many.
void numbers_that_collide_are_read_in_linear_time(void**) {
  constexpr std::size_t count = 40000;
  std::unordered_map<std::uint64_t, int> table;
  for (std::uint64_t i = 0; i < count; ++i) table.emplace(i, 0);
  const double spread = time_to_read(table.bucket_count() + 2, count);
  assert_true(time_to_read(table.bucket_count(), count) < 8 * spread + 0.02);
}

void more_operations_labels_or_threads_than_there_may_be_are_refused(void**) {
  const File few("op,block\ncreate,\ninfo,-1\ninfo,-1\n");
  try {
    read_trace(few.path, 1);
    fail();
  } catch (const TraceError& error) {
    assert_non_null(std::strstr(error.what(), ":3:1: the trace has more than 1 operations"));
    assert_non_null(std::strstr(error.what(), "--max-operations"));
  }
  std::string threads = "op,block,thread,result\ncreate,,,\n";
  for (int i = 1; i <= 4097; ++i) threads += "info,0," + std::to_string(i) + ",2\n";
  assert_fault(threads, "4099:8: the trace has more than 4096 threads");
}

// A file of a few KiB holds 32 MiB of comments.
void what_is_not_kept_costs_no_memory(void**) {
  const File file(begun, true);
  const gzFile more = gzopen(file.path.c_str(), "ab");
  const std::string empty(std::size_t{1} << 20, '\n');
  for (int i = 0; i < 32; ++i) assert_true(gzwrite(more, empty.data(), static_cast<unsigned>(empty.size())) > 0);
  assert_int_equal(gzclose(more), Z_OK);
  rusage before{}, after{};
  assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
  assert_int_equal(read_trace(file.path).operations.size(), 2);
  assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
  assert_true(after.ru_maxrss - before.ru_maxrss < 16 << 10);
}

void labels_that_are_formulas_have_an_apostrophe(void**) {
  const Trace trace = read(
      "op,block,size,label\ncreate,,,\nmalloc,1,8,'=1+1\nmalloc,2,8,'@x\nmalloc,3,8,''\nmalloc,4,8,'tis\nmalloc,5,8,'\nmalloc,6,8,=1\n");
  const std::vector<std::string> expected = {"", "=1+1", "@x", "'", "'tis", "=1"};
  assert_true(trace.labels == expected && trace.operations[5].label == 3);
}

void what_controls_a_terminal_is_shown_as_an_escape(void**) {
  assert_string_equal(printable("a\x1b[2J\xc2\x9b\u202e\xff\u00e9").c_str(), "a\\x1b[2J\\u009b\\u202e\\xff\u00e9");
  assert_string_equal(printable("abcdef", 3).c_str(), "abc...");
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_column_and_every_operation_is_read),
      cmocka_unit_test(columns_come_in_any_order_and_unknown_ones_are_ignored),
      cmocka_unit_test(defaults_hold_for_missing_columns),
      cmocka_unit_test(comments_empty_lines_crlf_a_byte_order_mark_and_no_last_newline_are_fine),
      cmocka_unit_test(quoted_fields_are_those_of_rfc_4180),
      cmocka_unit_test(a_malformed_quote_is_named_with_its_place),
      cmocka_unit_test(a_compressed_trace_reads_like_a_plain_one),
      cmocka_unit_test(a_cut_off_or_damaged_compressed_file_is_detected),
      cmocka_unit_test(a_file_that_is_not_there_and_a_directory_are_named),
      cmocka_unit_test(a_file_without_a_header_is_refused),
      cmocka_unit_test(a_column_named_twice_is_refused),
      cmocka_unit_test(a_header_alone_is_a_trace_of_nothing),
      cmocka_unit_test(a_line_has_as_many_fields_as_the_header),
      cmocka_unit_test(a_malformed_number_is_named_by_line_and_column),
      cmocka_unit_test(a_number_that_does_not_fit_is_named_with_the_largest_that_does),
      cmocka_unit_test(an_unknown_word_is_named_with_the_known_ones),
      cmocka_unit_test(bytes_that_are_no_text_are_refused_and_not_printed),
      cmocka_unit_test(a_line_of_a_megabyte_is_refused_and_one_of_64_kib_is_not),
      cmocka_unit_test(a_label_longer_than_a_block_can_have_is_refused),
      cmocka_unit_test(an_operation_without_what_it_needs_is_refused),
      cmocka_unit_test(what_cannot_have_happened_is_refused),
      cmocka_unit_test(what_must_fail_needs_a_result_that_says_so),
      cmocka_unit_test(every_failure_of_a_program_can_be_written_down),
      cmocka_unit_test(an_operation_that_failed_has_changed_nothing),
      cmocka_unit_test(numbers_may_be_used_again_after_their_end),
      cmocka_unit_test(serial_numbers_may_be_as_large_as_they_fit),
      cmocka_unit_test(foreign_pointers_know_how_much_is_copied_from_them),
      cmocka_unit_test(many_lines_are_read_in_linear_time),
      cmocka_unit_test(numbers_that_collide_are_read_in_linear_time),
      cmocka_unit_test(more_operations_labels_or_threads_than_there_may_be_are_refused),
      cmocka_unit_test(what_is_not_kept_costs_no_memory),
      cmocka_unit_test(labels_that_are_formulas_have_an_apostrophe),
      cmocka_unit_test(what_controls_a_terminal_is_shown_as_an_escape),
  };
  return cmocka_run_group_tests_name("trace", tests, nullptr, nullptr);
}
