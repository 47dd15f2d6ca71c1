// Tangled from org/base/non_copyable.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A base of what is neither copied nor moved.
#ifndef CADASTRE_SRC_BASE_NON_COPYABLE_HPP
#define CADASTRE_SRC_BASE_NON_COPYABLE_HPP

namespace cadastre::internal {

class NonCopyable {
 protected:
  constexpr NonCopyable() noexcept = default;
  ~NonCopyable() = default;

 public:
  NonCopyable(const NonCopyable&) = delete;
  NonCopyable& operator=(const NonCopyable&) = delete;
};

}  // namespace cadastre::internal
#endif
