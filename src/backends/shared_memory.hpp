// Tangled from org/backends/shared_memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory that the processes of a user find by a name on a node, for as long as one of them has it. Nothing throws.
#ifndef CADASTRE_SRC_BACKENDS_SHARED_MEMORY_HPP
#define CADASTRE_SRC_BACKENDS_SHARED_MEMORY_HPP

#include <cstddef>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"

namespace cadastre::internal {

// Under which name processes find a block. What is no letter, digit, period, hyphen or underscore is written as %XX.
struct SharedName {
  static constexpr std::size_t longest = 255;  // NAME_MAX
  SharedName(const char* resource, const char* label) noexcept;
  std::size_t length = 0;  // longer than the longest: it is cut here
  char characters[longest + 1];
};

// What a process has open for a block.
struct SharedFile {
  const void* block = nullptr;
  int descriptor = -1;
  FileIdentity identity;
  SharedFile* next = nullptr;
};

// An object that is being opened. Others wait for as long as this is there, or until it is kept.
class SharedOpening : NonCopyable {
 public:
  SharedOpening(const SharedName& name, std::size_t size) noexcept;
  // One that was made and is not kept is removed.
  ~SharedOpening();

  explicit operator bool() const noexcept { return static_cast<bool>(file_); }
  // Why it is not open; whether the request cannot be right, or the system refuses.
  const Text& trouble() const noexcept { return trouble_; }
  bool is_mistake() const noexcept { return is_mistake_; }
  int error() const noexcept { return error_; }

  int descriptor() const noexcept { return file_.number(); }
  bool is_new() const noexcept { return is_new_; }
  // This process has it from now on, until it leaves the block.
  void keep(const void* block) noexcept;

 private:
  enum class Found : unsigned char { opened, refused, gone };
  Found look_for(std::size_t size) noexcept;
  Found join(std::size_t size, std::size_t there) noexcept;
  Found make(std::size_t size, bool was_left) noexcept;
  Found refuse(const char* what) noexcept;
  Found refuse_mistake(const Text& trouble) noexcept;
  Found give_up() noexcept;
  void close() noexcept;

  const NotCancelled not_cancelled_;
  const InsideLibrary inside_;
  const SharedName& name_;
  SharedFile* kept_;
  Folder folder_;
  Descriptor file_;
  bool is_new_ = false, is_mistake_ = false;
  int error_ = 0;
  Text trouble_;
};

// A block has ended: the last process that has the object removes it. In the child of a fork, which has none, nothing happens.
void leave_shared(const void* block, const SharedName& name) noexcept;
// The same of a block whose memory has become another's; calls nobody who may wait. What is left is removed by who comes next.
void lose_shared(const void* block) noexcept;

// Around a fork; and in the child, which leaves nothing that its parent has, when all locks are free.
void lock_shared_for_fork() noexcept;
void unlock_shared_after_fork() noexcept;
void leave_shared_to_parent() noexcept;

// Removes what processes of this user have left. Empty; or why this process can have no shared memory.
Text remove_left_shared() noexcept;

}  // namespace cadastre::internal
#endif
