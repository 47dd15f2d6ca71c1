// Tangled from org/tests/another_malloc.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A random history of a context, and of the program's own blocks, beside a plain map: another_malloc_model STEPS SEED
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "cadastre.h"

namespace {

struct Block {
  std::size_t size;
  unsigned char value;
};

struct Own {
  unsigned char* begin;
  std::size_t size;
  unsigned char value;
};

struct Model {
  explicit Model(unsigned seed) : random(seed) {}

  std::mt19937 random;
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  std::map<unsigned char*, Block> blocks;
  std::vector<Own> owns;
  long mistakes = 0, steps = 0;

  void expect(bool holds, const char* what) {
    if (holds) return;
    if (++mistakes <= 10) std::printf("# step %ld: %s\n", steps, what);
  }

  std::size_t any_size() {
    switch (random() % 8) {
      case 0: return random() % 3;
      case 1:
      case 2:
      case 3: return random() % 40;
      case 4:
      case 5: return random() % 1500;
      case 6: return random() % 70000;
      default: return random() % 200 == 0 ? random() % (6u << 20) : random() % 300;
    }
  }

  static bool holds(const unsigned char* begin, std::size_t size, unsigned char value) {
    return size == 0 || (begin[0] == value && begin[size - 1] == value && begin[size / 2] == value);
  }

  auto any_block() {
    auto found = blocks.lower_bound(reinterpret_cast<unsigned char*>(
        reinterpret_cast<std::uintptr_t>(blocks.begin()->first) +
        (random() * (std::uintptr_t{1} << 32) + random()) %
            (reinterpret_cast<std::uintptr_t>(blocks.rbegin()->first) - reinterpret_cast<std::uintptr_t>(blocks.begin()->first) + 1)));
    for (auto skip = random() % 8; skip > 0 && found != blocks.end(); --skip) ++found;
    return found == blocks.end() ? blocks.begin() : found;
  }

  bool meets_another(const unsigned char* begin, std::size_t size) {
    const auto next = blocks.lower_bound(const_cast<unsigned char*>(begin));
    if (next != blocks.end() && next->first < begin + (size ? size : 1)) return true;
    if (next == blocks.begin()) return false;
    const auto before = std::prev(next);
    return before->first + before->second.size > begin;
  }

  void fill(unsigned char* begin, std::size_t size) {
    const auto value = static_cast<unsigned char>(random());
    std::memset(begin, value, size);
    blocks[begin] = {size, value};
  }

  void allocate() {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = any_size();
    if (random() % 3 == 0) info.flags = CADASTRE_UNINITIALIZED;
    if (random() % 5 == 0) info.alignment = std::size_t{1} << random() % 13;
    if (random() % 4 == 0) info.label = random() % 2 ? "one" : "two";
    auto* const begin = static_cast<unsigned char*>(cadastre_malloc(context, info));
    if (!begin) {
      cadastre_error_struct error = cadastre_error_struct_zero;
      cadastre_last_error(context, &error);
      expect(error.reason == CADASTRE_REASON_MISALIGNED_ALLOCATION && info.alignment > 16, error.message);
      return;
    }
    const std::size_t alignment = info.alignment > 16 ? info.alignment : 16;
    expect(reinterpret_cast<std::uintptr_t>(begin) % alignment == 0, "a block is misaligned");
    expect(!meets_another(begin, info.size), "a block overlaps another");
    if (!(info.flags & CADASTRE_UNINITIALIZED)) expect(holds(begin, info.size, 0), "a block is not zero");
    fill(begin, info.size);
  }

  void release() {
    const auto block = any_block();
    expect(holds(block->first, block->second.size, block->second.value), "a block was overwritten");
    expect(cadastre_free(context, block->first) == CADASTRE_SUCCESS, "a block could not be freed");
    blocks.erase(block);
  }

  void resize() {
    const auto block = any_block();
    const auto [size, value] = block->second;
    const std::size_t wanted = any_size();
    auto* const begin = static_cast<unsigned char*>(cadastre_realloc(context, block->first, wanted));
    if (!begin) return expect(false, "a block could not be resized");
    expect(holds(begin, size < wanted ? size : wanted, value), "a resized block lost its contents");
    blocks.erase(block);
    expect(!meets_another(begin, wanted), "a resized block overlaps another");
    fill(begin, wanted);
  }

  void look() {
    const auto block = any_block();
    const std::size_t size = block->second.size, offset = size ? random() % size : 0;
    cadastre_memory_info_struct info;
    std::size_t found = 1;
    const bool located = cadastre_find_block(context, block->first + offset, &info, &found) == CADASTRE_SUCCESS;
    expect(located && info.pointer == block->first && found == offset && info.size == size, "a block was not located");
    expect(cadastre_get_malloc_info(context, block->first, &info) == CADASTRE_SUCCESS && info.size == size, "a block was not described");
    if (owns.empty()) return;
    const Own& own = owns[random() % owns.size()];
    expect(cadastre_find_block(context, own.begin, nullptr, nullptr) != CADASTRE_SUCCESS, "the program's own was located");
    expect(cadastre_free(context, own.begin) != CADASTRE_SUCCESS, "the program's own was freed");
  }

  void keep_own() {
    if (owns.size() > 3000 || (!owns.empty() && random() % 2)) {
      Own& own = owns[random() % owns.size()];
      expect(holds(own.begin, own.size, own.value), "the program's own was overwritten");
      std::free(own.begin);
      own = owns.back();
      owns.pop_back();
      return;
    }
    const std::size_t size = 1 + random() % (random() % 4 ? 8 : 64);
    const auto value = static_cast<unsigned char>(random());
    auto* const begin = static_cast<unsigned char*>(std::malloc(size));
    std::memset(begin, value, size);
    expect(!meets_another(begin, size), "the program was given what is a block's");
    owns.push_back({begin, size, value});
  }

  void begin_anew() {
    if (context != CADASTRE_NULL_CONTEXT) {
      expect(cadastre_context_destroy(context) == CADASTRE_SUCCESS, "the context could not be destroyed");
    }
    blocks.clear();
    for (const Own& own : owns) expect(holds(own.begin, own.size, own.value), "the program's own went with a context");
    context = cadastre_context_create();
    if (random() % 4 == 0) cadastre_set_limit(context, CADASTRE_HOST, std::size_t{1} << 40);
  }

  void run(long most) {
    for (steps = 0; steps < most; ++steps) {
      if (steps % 20000 == 0) begin_anew();
      if (blocks.empty() || (blocks.size() < 4000 && random() % 100 < 30)) {
        allocate();
      } else {
        switch (random() % 8) {
          case 0:
          case 1: release(); break;
          case 2: resize(); break;
          case 3:
          case 4: look(); break;
          default: keep_own();
        }
      }
    }
    begin_anew();
    cadastre_context_destroy(context);
    for (const Own& own : owns) std::free(own.begin);
  }
};

}  // namespace

int main(int argc, char** argv) {
  Model model(argc > 2 ? static_cast<unsigned>(std::atol(argv[2])) : 1);
  model.run(argc > 1 ? std::atol(argv[1]) : 60000);
  if (model.mistakes > 0) std::printf("# %ld mistakes\n", model.mistakes);
  return model.mistakes == 0 ? 0 : 1;
}
