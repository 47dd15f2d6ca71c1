// Tangled from org/command/files.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "files.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "base/file_identity.hpp"
#include "trace.hpp"
#include "traces_of_file.hpp"

namespace cadastre::command {

void complain(const std::string& what) { std::fprintf(stderr, "cadastre: %s\n", what.c_str()); }

void write_standard_output(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0 || std::fclose(stdout) != 0) {
    throw std::runtime_error(std::string("cannot write to the standard output: ") + std::strerror(errno));
  }
}

InputFile::InputFile(const std::string& path, bool is_held)
    : name_(path == "-" ? "on the standard input" : printable(path, 4096)),
      descriptor_(path == "-" ? dup(STDIN_FILENO) : open(named_traces(path).file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  there_ = descriptor_ >= 0 && fstat(descriptor_, &status_) == 0;
  if (is_held && there_ && S_ISREG(status_.st_mode)) flock(descriptor_, LOCK_SH | LOCK_NB);
  if (!is_held && descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

bool InputFile::is(const std::string& path) const {
  struct stat its{};
  return there_ && S_ISREG(status_.st_mode) && stat(path.c_str(), &its) == 0 &&
         internal::identity_of(its) == internal::identity_of(status_);
}

OutputFile::OutputFile(const std::string& path) : name_(path), path_(path), compression_(compression_of(path)) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse(EISDIR);
    replaced_ = S_ISREG(status.st_mode);
    mode_ = status.st_mode & 07777;
    if (access(path.c_str(), W_OK) != 0) refuse(errno);
    // The file that a symbolic link leads to is replaced, not the link.
    if (char* real = realpath(path.c_str(), nullptr)) {
      path_ = real;
      std::free(real);
    }
  } else if (errno != ENOENT) {
    refuse(errno);
  } else if (struct stat link{}; lstat(path.c_str(), &link) == 0) {
    throw std::runtime_error("cannot write " + printable(name_, 4096) + ": it is a link to a file that is not there");
  } else {
    const mode_t mask = umask(0);
    umask(mask);
    mode_ = 0666 & ~mask;
  }
  if (replaced_ && access(folder().c_str(), W_OK | X_OK) != 0) refuse(errno);
}

std::string OutputFile::folder() const {
  const std::size_t slash = path_.find_last_of('/');
  return slash == std::string::npos ? "." : path_.substr(0, slash + 1);
}

void OutputFile::refuse(int error) const {
  throw std::runtime_error("cannot write " + printable(name_, 4096) + ": " + std::strerror(error));
}

void OutputFile::write(std::string plain) {
  const std::string text = compressed(std::move(plain), compression_);
  if (!replaced_) {
    const int descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) refuse(errno);
    if (!written(descriptor, text)) refuse(errno);
    return;
  }
  std::string temporary = path_ + ".XXXXXX";
  const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) refuse(errno);
  // What was written must be on the disk before the name points to it.
  if (fchmod(descriptor, mode_) != 0 || !written(descriptor, text) || rename(temporary.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    refuse(error);
  }
}

bool OutputFile::written(int descriptor, const std::string& text) {
  int error = 0;
  for (std::size_t done = 0; done < text.size() && !error;) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (!error && fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  if (close(descriptor) != 0 && !error) error = errno;
  errno = error;
  return error == 0;
}

}  // namespace cadastre::command
