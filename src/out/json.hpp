// Tangled from org/out/json.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// JSON that is written into a stream without a tree.
#ifndef CADASTRE_SRC_OUT_JSON_HPP
#define CADASTRE_SRC_OUT_JSON_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "base/text.hpp"

namespace cadastre::internal {

class Json {
 public:
  explicit Json(std::FILE* stream) noexcept : stream_(stream) {}

  // An element of the list or object that was begun last; name is null in a list.
  void begin(const char* name, char bracket) noexcept {
    lead(name);
    std::fputc(bracket, stream_);
    ++depth_;
    first_ = true;
  }
  void end(char bracket) noexcept {
    --depth_;
    if (!first_) std::fprintf(stream_, "\n%*s", 2 * depth_, "");
    std::fputc(bracket, stream_);
    first_ = false;
  }
  void string(const char* name, std::string_view value) noexcept {
    lead(name);
    quote(value);
  }
  void number(const char* name, std::int64_t value) noexcept {
    lead(name);
    std::fprintf(stream_, "%lld", static_cast<long long>(value));
  }
  void bytes(const char* name, std::size_t value) noexcept {
    lead(name);
    std::fprintf(stream_, "%zu", value);
  }
  void literal(const char* name, const char* value) noexcept {
    lead(name);
    std::fputs(value, stream_);
  }

  void text_or_null(const char* name, const char* value) noexcept { value ? string(name, value) : literal(name, "null"); }

 private:
  void quote(std::string_view value) noexcept {
    std::fputc('"', stream_);
    show_as_json(value, [this](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stream_); });
    std::fputc('"', stream_);
  }
  void lead(const char* name) noexcept {
    if (depth_ > 0) std::fprintf(stream_, "%s\n%*s", first_ ? "" : ",", 2 * depth_, "");
    first_ = false;
    if (!name) return;
    quote(name);
    std::fputs(": ", stream_);
  }

  std::FILE* stream_;
  int depth_ = 0;
  bool first_ = true;
};

}  // namespace cadastre::internal
#endif
