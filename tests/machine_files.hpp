// Tangled from org/tests/places_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A machine as a folder with the files that its kernel would show.
#ifndef CADASTRE_TESTS_MACHINE_FILES_HPP
#define CADASTRE_TESTS_MACHINE_FILES_HPP

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "cmocka.hpp"

struct MachineFiles {
  using Files = std::initializer_list<std::pair<const char*, std::string>>;
  explicit MachineFiles(Files files) {
    char name[] = "/tmp/cadastre-places-XXXXXX";
    assert_non_null(mkdtemp(name));
    root = name;
    for (const auto& [path, contents] : files) {
      std::filesystem::create_directories(std::filesystem::path(root + path).parent_path());
      std::ofstream(root + path) << contents;
    }
  }
  MachineFiles(const MachineFiles&) = delete;
  MachineFiles& operator=(const MachineFiles&) = delete;
  ~MachineFiles() { std::filesystem::remove_all(root); }

  std::string root;
};

#endif
