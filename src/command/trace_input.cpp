// Tangled from org/command/trace_input.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_input.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>
#ifdef CADASTRE_HAS_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <new>
#include <utility>

#include "trace.hpp"

namespace cadastre::command {

RawInput::RawInput(const std::string& path, WasRead was_read, const Extent& extent)
    : name_(path == "-" ? "standard input" : printable(path, 4096)),
      descriptor_(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      buffer_(std::size_t{1} << 17),
      was_read_(std::move(was_read)),
      left_(extent.bytes) {
  const bool is_there = descriptor_ >= 0 && (extent.begin == 0 || lseek(descriptor_, static_cast<off_t>(extent.begin), SEEK_SET) >= 0);
  if (is_there) return;
  const int error = errno;
  if (descriptor_ >= 0) close(descriptor_);
  throw TraceError(name_ + ": " + std::strerror(error));
}

RawInput::~RawInput() {
  if (descriptor_ >= 0) close(descriptor_);
}

void RawInput::fill(std::size_t bytes) {
  if (filled_ - taken_ >= bytes) return;
  std::memmove(buffer_.data(), buffer_.data() + taken_, filled_ - taken_);
  filled_ -= taken_;
  taken_ = 0;
  while (filled_ < bytes) {
    const ssize_t got = ::read(descriptor_, buffer_.data() + filled_, std::min<std::uint64_t>(buffer_.size() - filled_, left_));
    if (got == 0) return;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw TraceError(name_ + ": " + std::strerror(errno));
    filled_ += static_cast<std::size_t>(got);
    left_ -= static_cast<std::uint64_t>(got);
    if (was_read_) was_read_(static_cast<std::size_t>(got));
  }
}

namespace {

[[noreturn]] void refuse_cut(const RawInput& raw, const std::string& after) {
  throw TraceError(raw.name() + ": the compressed file ends too early, after " + after + "; it was cut off: write it or copy it again");
}

[[noreturn]] void refuse_damaged(const RawInput& raw, const std::string& after, const char* what) {
  throw TraceError(raw.name() + ": the compressed file is damaged after " + after + " (" + printable(what) +
                   "); write it or copy it again");
}

class PlainDecoder final : public Decoder {
 public:
  explicit PlainDecoder(RawInput& raw) : raw_(raw) {}

  std::size_t read(char* bytes, std::size_t most, const std::string&) override {
    raw_.fill(1);
    const std::size_t count = std::min(most, raw_.rest().size());
    std::memcpy(bytes, raw_.rest().data(), count);
    raw_.take(count);
    return count;
  }

 private:
  RawInput& raw_;
};

constexpr std::string_view gzip_magic = "\x1f\x8b";

class GzipDecoder final : public Decoder {
 public:
  explicit GzipDecoder(RawInput& raw) : raw_(raw) {
    constexpr int only_gzip = 16;
    if (inflateInit2(&stream_, MAX_WBITS + only_gzip) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  std::size_t read(char* bytes, std::size_t most, const std::string& after) override {
    const std::size_t room = std::min<std::size_t>(most, UINT_MAX);
    stream_.next_out = reinterpret_cast<Bytef*>(bytes);
    stream_.avail_out = static_cast<uInt>(room);
    while (stream_.avail_out == room && begins_or_goes_on()) {
      raw_.fill(1);
      const std::string_view rest = raw_.rest();
      if (rest.empty()) refuse_cut(raw_, after);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));  // zlib only reads there
      stream_.avail_in = static_cast<uInt>(rest.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      raw_.take(rest.size() - stream_.avail_in);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      is_at_end_ = status == Z_STREAM_END;
      if (status != Z_OK && !is_at_end_) refuse_damaged(raw_, after, stream_.msg ? stream_.msg : zError(status));
    }
    return room - stream_.avail_out;
  }

 private:
  // False where one has ended, and no other one follows.
  bool begins_or_goes_on() {
    if (!is_at_end_) return true;
    raw_.fill(gzip_magic.size());
    if (!raw_.rest().starts_with(gzip_magic)) return false;
    is_at_end_ = false;
    return inflateReset(&stream_) == Z_OK;
  }

  RawInput& raw_;
  z_stream stream_{};
  bool is_at_end_ = false;
};

constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";

#ifdef CADASTRE_HAS_ZSTD
class ZstdDecoder final : public Decoder {
 public:
  explicit ZstdDecoder(RawInput& raw) : raw_(raw), stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }
  ~ZstdDecoder() override { ZSTD_freeDStream(stream_); }
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;

  std::size_t read(char* bytes, std::size_t most, const std::string& after) override {
    ZSTD_outBuffer out = {bytes, most, 0};
    while (out.pos == 0) {
      raw_.fill(1);
      const std::string_view rest = raw_.rest();
      if (rest.empty() && is_at_end_) return 0;
      ZSTD_inBuffer in = {rest.data(), rest.size(), 0};
      const std::size_t wanted = ZSTD_decompressStream(stream_, &out, &in);
      raw_.take(in.pos);
      if (ZSTD_isError(wanted)) refuse_damaged(raw_, after, ZSTD_getErrorName(wanted));
      is_at_end_ = wanted == 0;
      if (rest.empty() && out.pos == 0 && !is_at_end_) refuse_cut(raw_, after);
    }
    return out.pos;
  }

 private:
  RawInput& raw_;
  ZSTD_DStream* stream_;
  bool is_at_end_ = false;
};
#endif

std::unique_ptr<Decoder> decoder_of(RawInput& raw) {
  raw.fill(zstd_magic.size());
  if (raw.rest().starts_with(gzip_magic)) return std::make_unique<GzipDecoder>(raw);
  if (!raw.rest().starts_with(zstd_magic)) return std::make_unique<PlainDecoder>(raw);
#ifdef CADASTRE_HAS_ZSTD
  return std::make_unique<ZstdDecoder>(raw);
#else
  throw TraceError(
      raw.name() +
      ": the file is compressed by zstd, which this build does not read; decompress it by zstd -d, or build where libzstd is found");
#endif
}

}  // namespace

TraceInput::TraceInput(const std::string& path, WasRead was_read, const Extent& extent)
    : raw_(path, std::move(was_read), extent), decoder_(decoder_of(raw_)), place_(extent.begin) {}

bool TraceInput::is_locked() const noexcept { return flock(raw_.descriptor(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

std::string_view TraceInput::peek(std::size_t bytes) {
  const std::size_t before = peeked_.size();
  if (before < bytes) {
    peeked_.resize(bytes);
    std::size_t used = before;
    while (used < bytes) {
      const std::size_t got = decoder_->read(peeked_.data() + used, bytes - used, "line 0");
      if (got == 0) break;
      used += got;
    }
    peeked_.resize(used);
  }
  return {peeked_.data(), peeked_.size()};
}

std::size_t TraceInput::read(char* bytes, std::size_t most, const std::string& after) {
  std::size_t count = std::min(most, peeked_.size() - given_);
  if (count > 0) {
    std::memcpy(bytes, peeked_.data() + given_, count);
    given_ += count;
  } else {
    broken_ = true;
    count = decoder_->read(bytes, most, after);
    broken_ = false;
  }
  place_ += count;
  return count;
}

std::size_t TraceInput::read_all(char* bytes, std::size_t count, const std::string& after) {
  std::size_t used = 0;
  while (used < count) {
    const std::size_t got = read(bytes + used, count - used, after);
    if (got == 0) break;
    used += got;
  }
  return used;
}

void TraceInput::give_back(std::string_view bytes) {
  peeked_.erase(peeked_.begin(), peeked_.begin() + static_cast<std::ptrdiff_t>(given_));
  peeked_.insert(peeked_.begin(), bytes.begin(), bytes.end());
  given_ = 0;
  place_ -= bytes.size();
}

void TraceInput::pass_over(std::size_t bytes) {
  std::vector<char> passed(bytes);
  read_all(passed.data(), passed.size(), "a trace");
}

}  // namespace cadastre::command
