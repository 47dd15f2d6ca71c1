// Tangled from org/backends/runtime_refusals.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Which runtime a backend works with, and what is told of each refusal of it.
#ifndef CADASTRE_SRC_BACKENDS_RUNTIME_REFUSALS_HPP
#define CADASTRE_SRC_BACKENDS_RUNTIME_REFUSALS_HPP

#include "backends/backend.hpp"
#include "backends/runtime.hpp"
#include "backends/runtime_session.hpp"

namespace cadastre::internal::dialects {

using namespace cuda_api;

class RuntimeRefusals : public Backend {
 public:
  cadastre_backend number() const noexcept final { return vendor_.dialect.backend; }

 protected:
  // The runtime is opened by a function, which does so once, when it is called first.
  constexpr RuntimeRefusals(const RuntimeVendor& vendor, const Runtime& (*opened)() noexcept) noexcept
      : vendor_(vendor), bits_of_vendor_(bits_of_vendor(vendor.dialect.backend)), runtime_(opened) {}
  ~RuntimeRefusals() = default;

  const Runtime& runtime() const noexcept { return runtime_(); }
  bool gone() const noexcept { return is_vendor_gone(bits_of_vendor_); }

  static constexpr const char* allocate_before = "allocate in the order of that queue before its capture begins";
  static constexpr const char* free_after = "free after the capture has ended, or in the order of a queue that is not being captured";
  static constexpr const char* wait_after = "wait after the capture has ended";

  // Whether it was a capture that forbade a call, which has done nothing then.
  static bool is_of_a_capture(const Refusal& refusal) noexcept {
    return refusal.error == cudaErrorStreamCaptureUnsupported || refusal.error == cudaErrorStreamCaptureInvalidated ||
           refusal.error == cudaErrorStreamCaptureImplicit;
  }

  cadastre_exit_code refused_by_capture(cadastre_memory_type type, std::int32_t device, const Refusal& refusal,
                                        const char* what) const noexcept {
    return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE,
                 .reason = CADASTRE_REASON_CAPTURE_ACTIVE,
                 .type = type,
                 .backend = number(),
                 .device = device,
                 .vendor_code = refusal.error,
                 .vendor = refusal.message,
                 .detail = what});
  }

  cadastre_exit_code refused_to_allocate(const Request& request, const Refusal& refusal) const noexcept {
    if (is_of_a_capture(refusal)) return refused_by_capture(request.type, request.device, refusal, allocate_before);
    const bool too_much = refusal.error == cudaErrorMemoryAllocation || refusal.error == cudaErrorInvalidValue;
    Failure failure = not_allocated(request, number(), refusal.error, refusal.message);
    if (!too_much) failure.reason = CADASTRE_REASON_BACKEND_CALL_FAILED;
    failure.detail = too_much ? text(" from %s", refusal.routine) : refusal.routine;
    return fail(failure);
  }

  cadastre_exit_code refused_to_free(const Record& record, const Refusal& refusal) const noexcept {
    if (is_of_a_capture(refusal)) return refused_by_capture(record.type, record.device, refusal, free_after);
    Failure failure = not_freed(record, number(), refusal.error, refusal.message);
    failure.detail = refusal.routine;
    return fail(failure);
  }

  cadastre_exit_code refused(std::int32_t device, const Refusal& refusal) const noexcept {
    return fail({.exit_code = CADASTRE_FAILURE,
                 .reason = CADASTRE_REASON_BACKEND_CALL_FAILED,
                 .backend = number(),
                 .device = device,
                 .vendor_code = refusal.error,
                 .vendor = refusal.message,
                 .detail = refusal.routine});
  }

  cadastre_exit_code refused_to_wait(std::int32_t device, const Refusal& refusal) const noexcept {
    if (is_of_a_capture(refusal)) return refused_by_capture(CADASTRE_DEVICE, device, refusal, wait_after);
    return refused(device, refusal);
  }

  const RuntimeVendor& vendor_;

 private:
  const std::uint32_t bits_of_vendor_;
  const Runtime& (*runtime_)() noexcept;
};

}  // namespace cadastre::internal::dialects

#endif
