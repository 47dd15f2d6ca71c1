// Tangled from org/command/trace_input.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a trace.
#ifndef CADASTRE_SRC_COMMAND_TRACE_INPUT_HPP
#define CADASTRE_SRC_COMMAND_TRACE_INPUT_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cadastre::command {

using WasRead = std::function<void(std::size_t bytes)>;

// A piece of a file.
struct Extent {
  std::uint64_t begin = 0, bytes = UINT64_MAX;
};

// The bytes of a file as they are.
class RawInput {
 public:
  // "-" is the standard input. was_read: is called when bytes were read, with how many. Throws TraceError, as the others do.
  RawInput(const std::string& path, WasRead was_read, const Extent& extent);
  ~RawInput();
  RawInput(const RawInput&) = delete;
  RawInput& operator=(const RawInput&) = delete;

  // What was read and not taken; at the end of the file nothing.
  std::string_view rest() const { return {buffer_.data() + taken_, filled_ - taken_}; }
  void take(std::size_t bytes) { taken_ += bytes; }
  // Reads on until so many bytes are at hand, or all.
  void fill(std::size_t bytes);

  const std::string& name() const noexcept { return name_; }
  int descriptor() const noexcept { return descriptor_; }

 private:
  std::string name_;
  int descriptor_;
  std::vector<char> buffer_;
  std::size_t taken_ = 0, filled_ = 0;
  WasRead was_read_;
  std::uint64_t left_;  // that may be read
};

// Makes plain bytes of those of a file.
class Decoder {
 public:
  virtual ~Decoder() = default;
  // As TraceInput::read.
  virtual std::size_t read(char* bytes, std::size_t most, const std::string& after) = 0;
};

class TraceInput {
 public:
  // "-" is the standard input. Throws TraceError, or std::bad_alloc, as the others do.
  explicit TraceInput(const std::string& path, WasRead was_read = {}, const Extent& extent = {});

  // So many of the next bytes, or all, before anything but what was given back is read.
  std::string_view peek(std::size_t bytes);
  // Reads at most so many bytes, and at least one but at the end of the file. after: what was read before, for a message.
  std::size_t read(char* bytes, std::size_t most, const std::string& after);
  // The same until there are so many, or the file ends.
  std::size_t read_all(char* bytes, std::size_t count, const std::string& after);
  // What was read last is read once more.
  void give_back(std::string_view bytes);
  void pass_over(std::size_t bytes);
  // How many bytes are before the next one, in the file as it is when it is expanded.
  std::uint64_t place() const noexcept { return place_; }
  // Whether a read has failed, as those behind it would.
  bool is_broken() const noexcept { return broken_; }
  const std::string& name() const noexcept { return raw_.name(); }
  // Whether somebody writes the file: who does has it locked.
  bool is_locked() const noexcept;

 private:
  RawInput raw_;
  std::unique_ptr<Decoder> decoder_;
  std::vector<char> peeked_;
  std::size_t given_ = 0;  // of these
  std::uint64_t place_;
  bool broken_ = false;
};

}  // namespace cadastre::command
#endif
