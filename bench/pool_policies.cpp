// Tangled from org/bench/pool_policies.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// How much memory each policy of a pool holds for the blocks of a trace, and how often it calls the vendor:
//   pool_policies TRACE...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cadastre.h"
#include "steps.hpp"

namespace {

using bench::Step, bench::Steps;

constexpr std::size_t mebi = 1024 * 1024;

std::size_t rounded(std::size_t size, std::size_t to) { return (std::max<std::size_t>(size, 1) + to - 1) / to * to; }

// Counts memory that is not there: addresses are used once, and aligned as cudaMalloc aligns them.
struct Vendor {
  std::size_t held = 0, most_held = 0, calls = 0;

  std::uintptr_t take(std::size_t size) {
    const std::uintptr_t begin = next_;
    next_ += rounded(size, 2 * mebi);
    most_held = std::max(most_held, held += size);
    ++calls;
    return begin;
  }
  void give_back(std::size_t size) {
    held -= size;
    ++calls;
  }

 private:
  std::uintptr_t next_ = std::uintptr_t{1} << 44;
};

class Whole {
 public:
  static constexpr const char* name = "whole";
  explicit Whole(Vendor& vendor) {
    cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
    operations.memory_type_mask = 1u << CADASTRE_DEVICE;
    operations.allocate = [](void* content, const cadastre_memory_info_struct* request, cadastre_queue, void** pointer) {
      *pointer = reinterpret_cast<void*>(static_cast<Vendor*>(content)->take(request->size));
      return std::int32_t{0};
    };
    operations.free = [](void* content, const cadastre_memory_info_struct* block) {
      static_cast<Vendor*>(content)->give_back(block->size);
      return std::int32_t{0};
    };
    operations.copy = [](void*, void*, const cadastre_memory_info_struct*, const void*, const cadastre_memory_info_struct*, std::size_t,
                         cadastre_queue) { return std::int32_t{1}; };
    operations.set = [](void*, void*, const cadastre_memory_info_struct*, int, std::size_t, cadastre_queue) { return std::int32_t{1}; };
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = cadastre_backend_register(("counted " + std::to_string(++registered_)).c_str(), &operations, &vendor);
    options.pool = CADASTRE_POOL_CACHING;
    context_ = cadastre_context_create_with_options(&options);
    if (context_ == CADASTRE_NULL_CONTEXT) throw_why(CADASTRE_NULL_CONTEXT);
  }
  ~Whole() { cadastre_context_destroy(context_); }

  std::uintptr_t allocate(std::size_t size) {
    cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
    request.size = size;
    request.type = CADASTRE_DEVICE;
    request.flags = CADASTRE_UNINITIALIZED;
    void* const block = cadastre_malloc(context_, request);
    if (!block) throw_why(context_);
    return reinterpret_cast<std::uintptr_t>(block);
  }
  void deallocate(std::uintptr_t block, std::size_t) {
    if (cadastre_free(context_, reinterpret_cast<void*>(block)) != CADASTRE_SUCCESS) throw_why(context_);
  }

 private:
  static inline int registered_ = 0;
  cadastre_context context_;

  [[noreturn]] static void throw_why(cadastre_context context) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    throw std::runtime_error(error.message);
  }
};

// Ranges of segments, divided and merged.
class Ranges {
 public:
  Ranges(Vendor& vendor, std::size_t least_rest) : vendor_(vendor), least_rest_(least_rest) {}

  std::uintptr_t allocate(std::size_t size, std::size_t segment) {
    auto fit = free_.lower_bound({size, 0});
    if (fit == free_.end()) {
      const std::uintptr_t begin = vendor_.take(segment);
      ranges_[begin] = {segment, true, true};
      fit = free_.insert({segment, begin}).first;
    }
    const std::uintptr_t begin = fit->second;
    free_.erase(fit);
    Range& range = ranges_[begin];
    range.is_free = false;
    if (const std::size_t rest = range.size - size; rest >= least_rest_) {
      range.size = size;
      ranges_[begin + size] = {rest, true, false};
      free_.insert({rest, begin + size});
    }
    return begin;
  }
  void deallocate(std::uintptr_t begin) {
    auto range = ranges_.find(begin);
    range->second.is_free = true;
    free_.insert({range->second.size, begin});
    join(range, std::next(range));
    if (range != ranges_.begin()) join(std::prev(range), range);
  }

 private:
  struct Range {
    std::size_t size;
    bool is_free, begins_segment;
  };
  using Place = std::map<std::uintptr_t, Range>::iterator;
  Vendor& vendor_;
  const std::size_t least_rest_;
  std::map<std::uintptr_t, Range> ranges_;
  std::set<std::pair<std::size_t, std::uintptr_t>> free_;

  // Where both are free. A range that begins no segment begins where the one before it ends.
  void join(Place range, Place behind) {
    if (behind == ranges_.end() || behind->second.begins_segment || !range->second.is_free || !behind->second.is_free) return;
    free_.erase({range->second.size, range->first});
    free_.erase({behind->second.size, behind->first});
    range->second.size += behind->second.size;
    free_.insert({range->second.size, range->first});
    ranges_.erase(behind);
  }
};

class Divided {
 public:
  static constexpr const char* name = "divided";
  explicit Divided(Vendor& vendor) : small_(vendor, 512), large_(vendor, mebi + 1) {}
  std::uintptr_t allocate(std::size_t asked) {
    const std::size_t size = rounded(asked, 512);
    if (size <= mebi) return small_.allocate(size, 2 * mebi);
    return large_.allocate(size, size < 10 * mebi ? 20 * mebi : rounded(size, 2 * mebi));
  }
  void deallocate(std::uintptr_t block, std::size_t asked) { (rounded(asked, 512) <= mebi ? small_ : large_).deallocate(block); }

 private:
  Ranges small_, large_;
};

class BestFit {
 public:
  static constexpr const char* name = "best fit";
  explicit BestFit(Vendor& vendor) : ranges_(vendor, 256) {}
  std::uintptr_t allocate(std::size_t size) { return ranges_.allocate(rounded(size, 256), rounded(size, 2 * mebi)); }
  void deallocate(std::uintptr_t block, std::size_t) { ranges_.deallocate(block); }

 private:
  Ranges ranges_;
};

class Powers {
 public:
  static constexpr const char* name = "powers";
  explicit Powers(Vendor& vendor) : vendor_(vendor) {}
  std::uintptr_t allocate(std::size_t asked) {
    const std::size_t size = served(asked);
    std::vector<std::uintptr_t>& blocks = kept_[size];
    if (blocks.empty()) return vendor_.take(size);
    const std::uintptr_t block = blocks.back();
    blocks.pop_back();
    bytes_ -= size;
    return block;
  }
  void deallocate(std::uintptr_t block, std::size_t asked) {
    const std::size_t size = served(asked);
    if (size > largest || bytes_ + size > most) return vendor_.give_back(size);
    kept_[size].push_back(block);
    bytes_ += size;
  }

 private:
  static constexpr std::size_t largest = 2 * mebi, most = 6 * mebi - 1;
  Vendor& vendor_;
  std::map<std::size_t, std::vector<std::uintptr_t>> kept_;
  std::size_t bytes_ = 0;

  static std::size_t served(std::size_t asked) {
    std::size_t size = 512;
    while (size < asked && size < largest) size *= 8;
    return std::max(size, asked);
  }
};

struct Cost {
  double held, calls;
};

template <class Policy>
Cost perform(const Steps& steps) {
  Vendor vendor;
  Policy policy(vendor);
  std::vector<std::uintptr_t> blocks(steps.blocks);
  std::size_t filled = 0;
  for (const Step& step : steps.all) {
    std::uintptr_t& block = blocks[step.block];
    if (step.fills) {
      block = policy.allocate(step.size);
      ++filled;
    } else {
      policy.deallocate(block, step.size);
    }
  }
  return {static_cast<double>(vendor.most_held) / steps.most_alive,
          static_cast<double>(vendor.calls) / (2.0 * static_cast<double>(filled))};
}

template <class... Policies>
void print_table(const std::vector<std::string>& traces) {
  std::printf("%-32s %8s %10s", "trace", "blocks", "mark, MiB");
  (std::printf("  %8s %6s", Policies::name, "calls"), ...);
  std::printf("\n");
  for (const std::string& trace : traces) {
    const Steps steps = bench::steps_of(cadastre::command::read_trace(trace));
    std::printf("%-32s %8zu %10.1f", bench::name_of_file(trace).c_str(), steps.blocks - 1, steps.most_alive / mebi);
    if (steps.most_alive == 0) {
      std::printf("  nothing is allocated\n");
      continue;
    }
    const auto print = [](const Cost& cost) { std::printf("  %8.2f %6.3f", cost.held, cost.calls); };
    (print(perform<Policies>(steps)), ...);
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) throw std::runtime_error("name a trace or several; tools/draw-trace draws some");
  print_table<Whole, Divided, BestFit, Powers>({argv + 1, argv + argc});
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw std::runtime_error("the table cannot be written");
} catch (const std::exception& error) {
  std::fprintf(stderr, "pool_policies: %s\n", error.what());
  return 1;
}
