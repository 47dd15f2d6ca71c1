// Tangled from org/tests/host_memory_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "backends/host_resources.hpp"
#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "base/node_set.hpp"
#include "base/process.hpp"
#include "cadastre.h"
#include "cmocka.hpp"
#include "machine_files.hpp"

using namespace cadastre::internal;

namespace {

using Machine = MachineFiles;
constexpr const char *status = "/proc/self/status", *has_memory = "/sys/devices/system/node/has_memory",
                     *transparent = "/sys/kernel/mm/transparent_hugepage/enabled",
                     *of_2m = "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
                     *free_of_2m = "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages",
                     *of_1g = "/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages",
                     *device = "/sys/bus/pci/devices/0000:41:00.0/numa_node";
constexpr std::size_t mebibyte = std::size_t{1} << 20, gibibyte = std::size_t{1} << 30;

void reserved_pages_are_those_of_the_size(void**) {
  const Machine machine({{of_2m, "12\n"}, {free_of_2m, "5\n"}, {of_1g, "0\n"}});
  const ReservedPages small = reserved_pages(2 * mebibyte, machine.root.c_str()), large = reserved_pages(gibibyte, machine.root.c_str());
  assert_true(small.known && small.total == 12 && small.free == 5);
  assert_true(large.known && large.total == 0 && large.free == 0);
  assert_false(reserved_pages(64 * mebibyte, machine.root.c_str()).known);
  assert_string_equal(sizes_of_reserved_pages(machine.root.c_str()).characters, "2 MiB, 1 GiB");
  assert_string_equal(sizes_of_reserved_pages(Machine({{"/file", ""}}).root.c_str()).characters, "");
  assert_false(reserved_pages(2 * mebibyte, Machine({{of_2m, "many\n"}}).root.c_str()).known);
  assert_false(reserved_pages(2 * mebibyte, Machine({{of_2m, "-1\n"}}).root.c_str()).known);
}

void whether_transparent_pages_come_is_what_stands_in_brackets(void**) {
  const auto of = [](const char* text) { return transparent_huge_pages(Machine({{transparent, text}}).root.c_str()); };
  assert_true(of("[always] madvise never\n") == Transparent::always);
  assert_true(of("always [madvise] never\n") == Transparent::on_request);
  assert_true(of("always madvise [never]\n") == Transparent::never);
  assert_true(of("") == Transparent::unknown);
  const auto shared = [](const char* text) {
    return transparent_shared_pages(Machine({{"/sys/kernel/mm/transparent_hugepage/shmem_enabled", text}}).root.c_str());
  };
  assert_true(shared("always within_size advise [never] deny force\n") == Transparent::never);
  assert_true(shared("always within_size advise never [deny] force\n") == Transparent::never);
  assert_true(shared("always within_size [advise] never deny force\n") == Transparent::on_request);
  for (const char* on : {"[always] within_size", "always [within_size]", "deny [force]"}) assert_true(shared(on) == Transparent::always);
  assert_true(shared("") == Transparent::unknown);
  const auto size = [](const char* text) {
    return transparent_page_size(Machine({{"/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", text}}).root.c_str());
  };
  assert_int_equal(size("33554432\n"), 32 * mebibyte);
  for (const char* wrong : {"", "0\n", "-2097152\n", "2097153\n", "x\n"}) assert_int_equal(size(wrong), 2 * mebibyte);
}

void a_size_is_written_as_people_do(void**) {
  assert_string_equal(size_text(2 * mebibyte).characters, "2 MiB");
  assert_string_equal(size_text(gibibyte).characters, "1 GiB");
  assert_string_equal(size_text(65536).characters, "64 KiB");
  assert_string_equal(size_text(1025).characters, "1025 bytes");
}

void a_list_of_nodes_is_read_and_written(void**) {
  for (const char* list : {"0", "0-1", "0-1,4", "1,3,5", "63-65", "0-1023", "1023"}) {
    const auto nodes = parse_nodes(list);
    assert_true(nodes.has_value());
    assert_string_equal(text_of(*nodes).characters, list);
  }
  const auto nodes = parse_nodes("4,0-1,1");
  assert_true(nodes && nodes->count() == 3 && nodes->has(0) && nodes->has(1) && nodes->has(4) && !nodes->has(2));
  assert_int_equal(nodes->mask()[0], 0x13);
  assert_true(parse_nodes("64")->mask()[1] == 1);
  assert_string_equal(text_of(NodeSet()).characters, "");
  assert_true(nodes->first_outside(*parse_nodes("0,4")) == 1);
  assert_false(nodes->first_outside(*nodes).has_value());
}

void what_is_no_list_of_nodes_is_refused(void**) {
  for (const char* wrong : {"", ",", "0,", ",0", "1-0", "0-", "-1", "0 1", " 0", "all", "0;1", "1024", "0-1024", "0\n", "0-1\n2", "0x1",
                            "99999999999999999999"}) {
    assert_false(parse_nodes(wrong).has_value());
  }
}

void a_process_may_use_nodes_that_it_is_allowed_and_that_have_memory(void**) {
  const auto of = [](const char* allowed, const char* with_memory) {
    const Machine machine(
        {{status, std::string("Name:\tx\nMems_allowed:\tf\nMems_allowed_list:\t") + allowed + "\n"}, {has_memory, with_memory}});
    return std::string(text_of(nodes_of_process(machine.root.c_str())).characters);
  };
  assert_string_equal(of("0-3", "0-1\n").c_str(), "0-1");
  assert_string_equal(of("1", "0-1\n").c_str(), "1");
  assert_string_equal(of("0-3", "").c_str(), "0-3");
  assert_string_equal(of("x", "0-1\n").c_str(), "");
  assert_true(nodes_of_process(Machine({{"/file", ""}}).root.c_str()).empty());
}

void the_node_of_a_device_is_found_however_its_address_is_written(void**) {
  const Machine machine({{device, "3\n"}, {"/sys/bus/pci/devices/0000:c1:00.0/numa_node", "-1\n"}});
  for (const char* address : {"0000:41:00.0", "00000000:41:00.0", "41:00.0"}) {
    const NodeOfDevice near = node_of_device(address, machine.root.c_str());
    assert_true(near.there && near.node == 3);
  }
  const NodeOfDevice unknown = node_of_device("0000:C1:00.0", machine.root.c_str());
  assert_true(unknown.there && unknown.node == -1);
  assert_false(node_of_device("0000:42:00.0", machine.root.c_str()).there);
  for (const char* wrong : {"", "41", "0000:41:00", "0000:41:00.0x", "0x00:41:00.0", "0000:41:00.8", "0000:41:20.0", "../41:00.0",
                            "-1:41:00.0", " 41:00.0", "000000000:41:00.0", "GPU-8f2c"}) {
    assert_false(is_pci_address(wrong));
  }
}

const Machine& two_nodes() {
  static const Machine machine({{status, "Name:\tx\nMems_allowed_list:\t0-1\n"},
                                {has_memory, "0-1\n"},
                                {transparent, "always madvise [never]\n"},
                                {of_2m, "8\n"},
                                {free_of_2m, "8\n"},
                                {device, "1\n"},
                                {"/sys/bus/pci/devices/0000:c1:00.0/numa_node", "-1\n"}});
  return machine;
}

cadastre_host_resource_struct with(auto change) {
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  change(resource);
  return resource;
}

// Reads it; the sentence of the refusal.
std::string refusal(cadastre_exit_code code, const cadastre_host_resource_struct& resource, const Machine& machine) {
  HostPages pages;
  pages.page = 77;
  assert_int_equal(read_resource(resource, pages, machine.root.c_str()), code);
  assert_int_equal(pages.page, 77);
  return failed_last().detail.characters;
}

void assert_contains(const std::string& text, const char* part) {
  if (text.find(part) == std::string::npos) print_message("\"%s\" does not say \"%s\"\n", text.c_str(), part);
  assert_true(text.find(part) != std::string::npos);
}

void a_description_that_no_machine_has_is_refused_with_what_is_wrong(void**) {
  const struct {
    cadastre_host_resource_struct resource;
    const char* said;
  } cases[] = {
      {with([](auto& r) { r.flags = 9; }),
       "flags is 0x9; it must be a sum of CADASTRE_HOST_STRICT (1), CADASTRE_HOST_LOCKED (2) and CADASTRE_HOST_SHARED (4)"},
      {with([](auto& r) { r.page_size = 3; }), "page_size is 3; it must be 0, CADASTRE_TRANSPARENT_HUGE_PAGES, or the bytes of a page"},
      {with([](auto& r) { r.page_size = 2048; }), "page_size is 2048;"},
      {with([](auto& r) { r.page_size = 3 << 20; }), "page_size is 3145728;"},
      {with([](auto& r) { r.page_size = std::size_t{1} << 63; }), "page_size is 9223372036854775808;"},
      {with([](auto& r) { r.numa_policy = -1; }),
       "numa_policy is -1; it must be one of CADASTRE_NUMA_DEFAULT (0) to CADASTRE_NUMA_NEAR_DEVICE (4)"},
      {with([](auto& r) { r.numa_policy = 5; }), "numa_policy is 5;"},
      {with([](auto& r) { r.nodes = "0"; }), "nodes is set, and only CADASTRE_NUMA_BIND and CADASTRE_NUMA_INTERLEAVE take it"},
      {with([](auto& r) { r.numa_policy = CADASTRE_NUMA_BIND, r.nodes = "1-0"; }),
       "nodes is \"1-0\"; it must be a list of NUMA nodes such as 0-1,4"},
      {with([](auto& r) { r.near_device = "0000:41:00.0"; }), "near_device is set, and only CADASTRE_NUMA_NEAR_DEVICE takes it"},
      {with([](auto& r) { r.numa_policy = CADASTRE_NUMA_NEAR_DEVICE; }), "near_device is NULL; it must be the address of a PCI device"},
      {with([](auto& r) { r.numa_policy = CADASTRE_NUMA_NEAR_DEVICE, r.near_device = "gpu0"; }),
       "near_device is \"gpu0\"; it must be the address"},
  };
  for (const auto& one : cases) {
    assert_contains(refusal(CADASTRE_INVALID_ARG_2, one.resource, two_nodes()), one.said);
    assert_int_equal(failed_last().reason, CADASTRE_REASON_INVALID_REGISTRATION);
  }
}

void a_description_that_this_machine_cannot_fulfil_names_what_it_has(void**) {
  const Machine confined({{status, "Name:\tx\nMems_allowed_list:\t1\n"}, {has_memory, "0-1\n"}, {device, "0\n"}}), silent({{"/file", ""}});
  const auto bind = [](const char* nodes) { return with([=](auto& r) { r.numa_policy = CADASTRE_NUMA_BIND, r.nodes = nodes; }); };
  const auto near = [](const char* address) {
    return with([=](auto& r) { r.numa_policy = CADASTRE_NUMA_NEAR_DEVICE, r.near_device = address; });
  };
  const struct {
    const Machine& machine;
    cadastre_host_resource_struct resource;
    const char* said;
  } cases[] = {
      {two_nodes(), bind("0,7"), "nodes is \"0,7\": there is no NUMA node 7 with memory; those with memory are 0-1"},
      {confined, bind("0-1"), "nodes is \"0-1\": this process may not use NUMA node 0, but 1 (Mems_allowed_list"},
      {two_nodes(), near("0000:99:00.0"), "near_device is \"0000:99:00.0\": there is no such PCI device"},
      {two_nodes(), near("c1:00.0"), "near_device is \"c1:00.0\": the firmware does not say which NUMA node it is near"},
      {confined, near("41:00.0"), "near_device is \"41:00.0\": it is near NUMA node 0, and this process may use 1"},
      {silent, bind(nullptr), "nodes is NULL: which NUMA nodes this process may use is not known here; name them"},
  };
  for (const auto& one : cases) {
    assert_contains(refusal(CADASTRE_NOT_SUPPORTED, one.resource, one.machine), one.said);
    assert_int_equal(failed_last().reason, CADASTRE_REASON_HOST_MEMORY_UNAVAILABLE);
  }
}

void a_strict_resource_needs_its_pages_and_another_one_does_not(void**) {
  const char* const root = two_nodes().root.c_str();
  for (const std::size_t page : {CADASTRE_TRANSPARENT_HUGE_PAGES, gibibyte}) {
    HostPages pages;
    assert_int_equal(read_resource(with([=](auto& r) { r.page_size = page; }), pages, root), CADASTRE_SUCCESS);
    assert_false(pages.strict);
    const std::string said =
        refusal(CADASTRE_NOT_SUPPORTED, with([=](auto& r) { r.page_size = page, r.flags = CADASTRE_HOST_STRICT; }), two_nodes());
    assert_contains(said, page == gibibyte ? "page_size is 1073741824: there are no pages of 1 GiB; this system has pages of: 2 MiB"
                                           : "page_size is CADASTRE_TRANSPARENT_HUGE_PAGES: transparent huge pages are off");
  }
  HostPages pages;
  assert_int_equal(read_resource(with([](auto& r) { r.page_size = 2 * mebibyte, r.flags = CADASTRE_HOST_STRICT; }), pages, root),
                   CADASTRE_SUCCESS);
  assert_true(pages.strict && pages.kind == PageKind::reserved && pages.page == 2 * mebibyte);
  assert_int_equal(read_resource(with([](auto& r) { r.page_size = page_size(); }), pages, root), CADASTRE_SUCCESS);
  assert_true(!pages.strict && pages.kind == PageKind::base && !pages.leave_to_system);
  assert_int_equal(read_resource(with([](auto& r) { r.flags = CADASTRE_HOST_LOCKED; }), pages, root), CADASTRE_SUCCESS);
  assert_true(pages.locked && pages.kind == PageKind::base && pages.leave_to_system);
}

void nodes_are_told_to_the_system_only_where_there_is_a_choice(void**) {
  const Machine one_node(
      {{status, "Name:\tx\nMems_allowed_list:\t0\n"}, {has_memory, "0\n"}, {"/sys/bus/pci/devices/0000:41:00.0/numa_node", "-1\n"}});
  HostPages pages;
  const auto read = [&](const Machine& machine, auto change) {
    assert_int_equal(read_resource(with(change), pages, machine.root.c_str()), CADASTRE_SUCCESS);
    return std::string(text_of(pages.nodes).characters);
  };
  assert_string_equal(read(two_nodes(), [](auto& r) { r.numa_policy = CADASTRE_NUMA_INTERLEAVE; }).c_str(), "0-1");
  assert_true(pages.place);
  assert_string_equal(read(two_nodes(), [](auto& r) { r.numa_policy = CADASTRE_NUMA_BIND, r.nodes = "1"; }).c_str(), "1");
  assert_true(pages.place);
  assert_string_equal(read(two_nodes(), [](auto& r) { r.numa_policy = CADASTRE_NUMA_NEAR_DEVICE, r.near_device = "41:00.0"; }).c_str(),
                      "1");
  assert_true(pages.place);
  read(two_nodes(), [](auto& r) { r.numa_policy = CADASTRE_NUMA_FIRST_TOUCH; });
  assert_true(pages.place);
  read(two_nodes(), [](auto&) {});
  assert_false(pages.place);
  assert_string_equal(read(one_node, [](auto& r) { r.numa_policy = CADASTRE_NUMA_INTERLEAVE; }).c_str(), "0");
  assert_false(pages.place);
  assert_string_equal(read(one_node, [](auto& r) { r.numa_policy = CADASTRE_NUMA_NEAR_DEVICE, r.near_device = "41:00.0"; }).c_str(), "0");
  assert_false(pages.place);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(reserved_pages_are_those_of_the_size),
      cmocka_unit_test(whether_transparent_pages_come_is_what_stands_in_brackets),
      cmocka_unit_test(a_size_is_written_as_people_do),
      cmocka_unit_test(a_list_of_nodes_is_read_and_written),
      cmocka_unit_test(what_is_no_list_of_nodes_is_refused),
      cmocka_unit_test(a_process_may_use_nodes_that_it_is_allowed_and_that_have_memory),
      cmocka_unit_test(the_node_of_a_device_is_found_however_its_address_is_written),
      cmocka_unit_test(a_description_that_no_machine_has_is_refused_with_what_is_wrong),
      cmocka_unit_test(a_description_that_this_machine_cannot_fulfil_names_what_it_has),
      cmocka_unit_test(a_strict_resource_needs_its_pages_and_another_one_does_not),
      cmocka_unit_test(nodes_are_told_to_the_system_only_where_there_is_a_choice),
  };
  return cmocka_run_group_tests_name("host memory", tests, nullptr, nullptr);
}
