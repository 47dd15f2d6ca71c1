// Tangled from org/bench.org; change the chapter, then run: make tangle
// Blocks that are alive, taken in a random order: what the workloads are made of.
#ifndef CADASTRE_BENCH_BLOCKS_HPP
#define CADASTRE_BENCH_BLOCKS_HPP

#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace bench {

constexpr std::size_t block_size = 64;

// Places below count in a random order, 2^16 of them, over and over.
class Places {
 public:
  explicit Places(std::size_t count) : places_(std::size_t{1} << 16) {
    std::mt19937_64 random(12345);
    std::uniform_int_distribution<std::size_t> any(0, count - 1);
    for (std::size_t& place : places_) place = any(random);
  }
  std::size_t next() { return places_[at_++ & (places_.size() - 1)]; }

 private:
  std::vector<std::size_t> places_;
  std::size_t at_ = 0;
};

// What a way gives when nothing is said: zeroed memory where its name stands for that.
template <class Way>
void* given(Way& way, std::size_t size) {
  if constexpr (requires { Way::zeroes; }) {
    return way.allocate_zeroed(size);
  } else {
    return way.allocate(size);
  }
}

template <class Way>
void* zeroed(Way& way, std::size_t size) {
  if constexpr (requires { way.allocate_zeroed(size); }) {
    return way.allocate_zeroed(size);
  } else {
    void* const pointer = way.allocate(size);
    if (pointer) std::memset(pointer, 0, size);
    return pointer;
  }
}

// Blocks that are alive while a workload runs.
template <class Way>
class Live {
 public:
  Live(Way& way, std::size_t count) : way_(way), blocks_(count) {
    for (void*& block : blocks_) block = given(way_, block_size);
  }
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;
  ~Live() {
    for (void* const block : blocks_) way_.deallocate(block, block_size);
  }
  void*& operator[](std::size_t place) { return blocks_[place]; }
  std::span<void* const> all() const { return blocks_; }
  void forget() { blocks_.clear(); }

 private:
  Way& way_;
  std::vector<void*> blocks_;
};

template <class Way>
void replace(Way& way, void*& block) {
  way.deallocate(block, block_size);
  block = given(way, block_size);
}

}  // namespace bench
#endif
