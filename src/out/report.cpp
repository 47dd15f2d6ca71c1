// Tangled from org/out/report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/report.hpp"

#include <cerrno>

#include "base/error.hpp"
#include "base/lock.hpp"
#include "out/failed_creations.hpp"
#include "out/report_json.hpp"
#include "out/report_text.hpp"

namespace cadastre::internal {

cadastre_exit_code admit_format(cadastre_report_format format) noexcept {
  if (format == CADASTRE_REPORT_TEXT || format == CADASTRE_REPORT_JSON) return CADASTRE_SUCCESS;
  return fail(
      {.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_INVALID_FORMAT, .requested = static_cast<std::size_t>(format)});
}

cadastre_exit_code write_report(const Holdings* holdings, const Environment& environment, std::FILE* stream,
                                cadastre_report_format format) {
  const KeptCreations creations = kept_creations();
  assert_no_lock_held("the stream of a report");
  if (std::ferror(stream)) {
    return fail({.exit_code = CADASTRE_ERRNO,
                 .reason = CADASTRE_REASON_WRITE_FAILED,
                 .vendor = "the stream's error indicator was set before; clearerr clears it"});
  }
  errno = 0;
  (format == CADASTRE_REPORT_JSON ? write_json : write_text)(holdings, creations, environment, stream);
  if (std::fflush(stream) == 0 && !std::ferror(stream)) return CADASTRE_SUCCESS;
  const int error = errno;
  return fail({.exit_code = CADASTRE_ERRNO, .reason = CADASTRE_REASON_WRITE_FAILED, .vendor_code = error, .vendor = text_of_errno(error)});
}

}  // namespace cadastre::internal
