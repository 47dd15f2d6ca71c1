// Tangled from org/command/compression.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is written, compressed as the name of its file says.
#ifndef CADASTRE_SRC_COMMAND_COMPRESSION_HPP
#define CADASTRE_SRC_COMMAND_COMPRESSION_HPP

#include <cstdint>
#include <string>
#include <string_view>

namespace cadastre::command {

enum class Compression : std::uint8_t { none, gzip, zstd };

// Throws std::runtime_error where this build does not have it.
Compression compression_of(std::string_view path);
// The name that the file has when it is expanded.
std::string_view expanded_name(std::string_view path);

// Throws std::bad_alloc.
std::string compressed(std::string bytes, Compression compression);

}  // namespace cadastre::command
#endif
