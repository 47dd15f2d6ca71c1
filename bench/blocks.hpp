// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that are alive, taken in a random order: what the workloads are made of.
#ifndef CADASTRE_BENCH_BLOCKS_HPP
#define CADASTRE_BENCH_BLOCKS_HPP

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace bench {

constexpr std::size_t block_size = 64;

inline const std::vector<std::uint32_t>& random_numbers() {
  static const std::vector<std::uint32_t> numbers = [] {
    std::vector<std::uint32_t> drawn(std::size_t{1} << 20);
    std::mt19937 random(12345);
    std::generate(drawn.begin(), drawn.end(), [&] { return static_cast<std::uint32_t>(random()); });
    return drawn;
  }();
  return numbers;
}

// Places below count in a random order, 2^20 of them, over and over.
class Places {
 public:
  explicit Places(std::size_t count) : count_(count), numbers_(random_numbers().data()) {}
  std::size_t next() {
    const std::uint64_t number = numbers_[at_];
    at_ = (at_ + 1) % (std::size_t{1} << 20);
    return (number * count_) >> 32;
  }

 private:
  std::uint64_t count_;
  const std::uint32_t* numbers_;
  std::size_t at_ = 0;
};

// Where the bytes of a block are.
template <class Way>
void* data_of([[maybe_unused]] Way& way, void* block) {
  if constexpr (requires { way.data(block); }) {
    return way.data(block);
  } else {
    return block;
  }
}

template <class Way>
void* zeroed(Way& way, std::size_t size) {
  if constexpr (requires { way.allocate_zeroed(size); }) {
    return way.allocate_zeroed(size);
  } else {
    void* block = way.allocate(size);
    if (!block) return nullptr;
    asm volatile("" : "+r"(block));  // else a compiler may make one calloc of both
    std::memset(data_of(way, block), 0, size);
    return block;
  }
}

enum class Contents { any, zeros, written };  // written: zeros, and then something else

// Of a way that has zeroed memory only, any is zeros.
template <class Way>
void* filled(Way& way, std::size_t size, Contents contents) {
  if constexpr (requires { way.allocate(size); }) {
    if (contents == Contents::any) return way.allocate(size);
  }
  void* const block = zeroed(way, size);
  if (block && contents == Contents::written) std::memset(data_of(way, block), 1, size);
  return block;
}

// What the process and the kernel for it have spent; other processes do not disturb it.
inline double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Blocks that are alive while a workload runs.
template <class Way>
class Live {
 public:
  Live(Way& way, std::size_t count) : way_(way), blocks_(count) {
    malloc_trim(0);
    for (void*& block : blocks_) block = filled(way_, block_size, Contents::any);
  }
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;
  ~Live() {
    for (void* const block : blocks_) {
      if (block) way_.deallocate(block, block_size);
    }
  }
  bool complete() const { return std::find(blocks_.begin(), blocks_.end(), nullptr) == blocks_.end(); }
  void*& operator[](std::size_t place) { return blocks_[place]; }
  std::span<void* const> all() const { return blocks_; }
  void forget() { blocks_.clear(); }

 private:
  Way& way_;
  std::vector<void*> blocks_;
};

template <Contents contents = Contents::any, class Way>
void replace(Way& way, void*& block) {
  way.deallocate(block, block_size);
  block = filled(way, block_size, contents);
}

}  // namespace bench
#endif
