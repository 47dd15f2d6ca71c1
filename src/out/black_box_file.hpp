// Tangled from org/out/black_box_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The file of a black box. Nothing throws.
#ifndef CADASTRE_SRC_OUT_BLACK_BOX_FILE_HPP
#define CADASTRE_SRC_OUT_BLACK_BOX_FILE_HPP

#include "base/file_identity.hpp"
#include "base/non_copyable.hpp"
#include "out/black_box_format.hpp"

namespace cadastre::internal {

class BlackBoxFile : NonCopyable {
 public:
  // Makes the file in a folder, or for "auto", in the user's. Null, with a problem of the variable noted, where it cannot. The pages stay where they are, whatever
  // becomes of the file.
  BlackBoxPages* make(const char* folder) noexcept;
  void remove() noexcept;
  // In the child of a fork: it is its parent's.
  void leave_to_the_parent() noexcept;

 private:
  BlackBoxPages* make_in(int folder, int& error) noexcept;
  BlackBoxPages* make_named(int folder, const char* name, int& error) noexcept;

  int descriptor_ = -1, folder_ = -1;
  FileIdentity file_, inside_;  // the file, and the folder that it is in
  char name_[320] = "";
  char problem_[512] = "";
};

}  // namespace cadastre::internal
#endif
