// Tangled from org/command/compression.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "compression.hpp"

#include <zlib.h>
#ifdef CADASTRE_HAS_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <climits>
#include <memory>
#include <new>
#include <stdexcept>

#include "trace.hpp"

namespace cadastre::command {

namespace {
constexpr std::string_view end_of_gzip = ".gz", end_of_zstd = ".zst";
}

Compression compression_of(std::string_view path) {
  if (path.ends_with(end_of_gzip)) return Compression::gzip;
  if (!path.ends_with(end_of_zstd)) return Compression::none;
#ifdef CADASTRE_HAS_ZSTD
  return Compression::zstd;
#else
  throw std::runtime_error(
      printable(path, 4096) +
      " would be compressed by zstd, which this build does not have; name one that ends in .gz, or build where libzstd is found");
#endif
}

std::string_view expanded_name(std::string_view path) {
  for (const std::string_view end : {end_of_gzip, end_of_zstd}) {
    if (path.ends_with(end)) return path.substr(0, path.size() - end.size());
  }
  return path;
}

namespace {

class GzipEncoder {
 public:
  GzipEncoder() {
    constexpr int with_head_of_gzip = 16, memory_level = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + with_head_of_gzip, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~GzipEncoder() { deflateEnd(&stream_); }
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;

  void put(std::string_view bytes, bool is_last, std::string& out) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads there
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = buffer_;
      stream_.avail_out = sizeof buffer_;
      deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH);
      out.append(reinterpret_cast<const char*>(buffer_), sizeof buffer_ - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
  Bytef buffer_[1 << 16];
};

std::string by_gzip(std::string_view bytes) {
  const auto encoder = std::make_unique<GzipEncoder>();
  std::string out;
  do {
    const std::string_view piece = bytes.substr(0, INT_MAX);
    bytes.remove_prefix(piece.size());
    encoder->put(piece, bytes.empty(), out);
  } while (!bytes.empty());
  return out;
}

#ifdef CADASTRE_HAS_ZSTD
std::string by_zstd(std::string_view bytes) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> encoder(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (!encoder) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(encoder.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t used = ZSTD_compress2(encoder.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(used)) throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(used));
  out.resize(used);
  return out;
}
#else
std::string by_zstd(std::string_view) { throw std::runtime_error("this build does not have zstd"); }
#endif

}  // namespace

std::string compressed(std::string bytes, Compression compression) {
  switch (compression) {
    case Compression::gzip: return by_gzip(bytes);
    case Compression::zstd: return by_zstd(bytes);
    default: return bytes;
  }
}

}  // namespace cadastre::command
