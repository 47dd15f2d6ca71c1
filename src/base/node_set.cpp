// Tangled from org/base/node_set.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/node_set.hpp"

#include <cstdio>
#include <cstring>

#include "base/small_files.hpp"

namespace cadastre::internal {

std::optional<std::size_t> NodeSet::first_outside(const NodeSet& other) const noexcept {
  for (std::size_t node = 0; node < most; ++node) {
    if (has(node) && !other.has(node)) return node;
  }
  return {};
}

std::optional<NodeSet> parse_nodes(const char* list) noexcept {
  NodeSet nodes;
  bool fit = std::strchr(list, '\n') == nullptr && *list != '\0' && list[std::strlen(list) - 1] != ',';
  fit = fit &&
        for_each_listed(list, NodeSet::most,
                        [&](unsigned node) {
                          fit = fit && node < NodeSet::most;
                          nodes.add(node);
                        }) &&
        fit;
  if (!fit) return {};
  return nodes;
}

Text text_of(const NodeSet& nodes) noexcept {
  Text list;
  for (std::size_t node = 0; node < NodeSet::most; ++node) {
    if (!nodes.has(node)) continue;
    std::size_t last = node;
    while (nodes.has(last + 1)) ++last;
    const char* const comma = *list.characters ? "," : "";
    list = last == node ? text("%s%s%zu", list.characters, comma, node) : text("%s%s%zu-%zu", list.characters, comma, node, last);
    node = last;
  }
  return list;
}

NodeSet nodes_with_memory(const char* root) noexcept {
  NodeSet nodes;
  const Contents list{root, "/sys/devices/system/node/has_memory"};
  if (!for_each_listed(list.text, NodeSet::most, [&](unsigned node) { nodes.add(node); })) return {};
  return nodes;
}

NodeSet nodes_of_process(const char* root) noexcept {
  constexpr const char* name = "\nMems_allowed_list:";
  const Contents status{root, "/proc/self/status"};
  const char* line = std::strstr(status.text, name);
  if (!line) return {};
  line += std::strlen(name);
  line += std::strspn(line, " \t");
  NodeSet allowed;
  if (!for_each_listed(line, NodeSet::most, [&](unsigned node) { allowed.add(node); })) return {};
  const NodeSet with_memory = nodes_with_memory(root);
  return with_memory.empty() ? allowed : allowed & with_memory;
}

namespace {

struct PciAddress {
  char characters[32] = "";  // empty for what is none
};

PciAddress read_address(const char* given) noexcept {
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  int length = 0;
  const auto is_read = [&](int numbers, int wanted) { return numbers == wanted && given[length] == '\0'; };
  PciAddress address;
  if (std::strpbrk(given, " +-xX\t\n\v\f\r")) return address;
  bool read = is_read(std::sscanf(given, "%8x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &length), 4);
  if (!read) {
    domain = 0, length = 0;
    read = is_read(std::sscanf(given, "%2x:%2x.%1x%n", &bus, &slot, &function, &length), 3);
  }
  if (!read || slot > 0x1f || function > 7) return address;
  std::snprintf(address.characters, sizeof address.characters, "%04x:%02x:%02x.%x", domain, bus, slot, function);
  return address;
}

}  // namespace

bool is_pci_address(const char* text) noexcept { return read_address(text).characters[0] != '\0'; }

NodeOfDevice node_of_device(const char* pci_address, const char* root) noexcept {
  const PciAddress address = read_address(pci_address);
  const char* const name = address.characters;
  const auto node = Contents({root, "/sys/bus/pci/devices/", name, "/numa_node"}).number();
  if (!*name || !node) return {};
  const bool known = *node >= 0 && *node < static_cast<long long>(NodeSet::most);
  return {true, known ? static_cast<int>(*node) : -1};
}

}  // namespace cadastre::internal
