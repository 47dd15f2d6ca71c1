// Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// An imitation of SUNDIALS' generic functions, written for Cadastre's tests.
#include <sundials/sundials_memory.h>
#include <sundials/sundials_version.h>
#if SUNDIALS_VERSION_MAJOR >= 7
#include <sundials/priv/sundials_context_impl.h>
#include <sundials/priv/sundials_errors_impl.h>
#endif

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

namespace {

template <class Structure>
Structure* empty() {
  return static_cast<Structure*>(std::calloc(1, sizeof(Structure)));
}

template <class Memory = SUNMemory>
Memory memory_at(void* ptr, SUNMemoryType type) {
  auto* const memory = empty<std::remove_pointer_t<Memory>>();
  memory->ptr = ptr;
  memory->type = type;
  if constexpr (requires { memory->stride; }) memory->stride = 1;
  return memory;
}

SUNMemoryHelper empty_helper() {
  auto* const helper = empty<std::remove_pointer_t<SUNMemoryHelper>>();
  helper->ops = empty<std::remove_pointer_t<SUNMemoryHelper_Ops>>();
  return helper;
}

int major_version = SUNDIALS_VERSION_MAJOR, minor_version = SUNDIALS_VERSION_MINOR;

}  // namespace

imitated_result SUNDIALSGetVersionNumber(int* major, int* minor, int* patch, char* label, int) {
  *major = major_version;
  *minor = minor_version;
  *patch = 0;
  *label = '\0';
  return 0;
}
void sundials_imitation_pretend(int major, int minor) {
  major_version = major;
  minor_version = minor;
}

#if SUNDIALS_VERSION_MAJOR >= 6
#define AND_QUEUE , void* queue
#define QUEUE , queue

struct SUNLogger_ {};
static SUNLogger_ only_logger;
static std::string last_message, told_message;
static std::mutex one_message_at_a_time;

#if SUNDIALS_VERSION_MAJOR >= 7
// As SUNDIALS' own handler does, it takes the message for a format.
static void log_error(int line, const char* func, const char* file, const char* msg, SUNErrCode, void*, SUNContext sunctx) {
  const std::string place = std::string(file) + ":" + std::to_string(line);
  SUNLogger_QueueMsg(sunctx->logger, SUN_LOGLEVEL_ERROR, place.c_str(), func, msg);
}
imitated_result SUNContext_Create(SUNComm, SUNContext* sunctx) {
  *sunctx = new SUNContext_{};
  (*sunctx)->logger = &only_logger;
  return SUNContext_PushErrHandler(*sunctx, log_error, nullptr);
}
SUNErrCode SUNContext_PeekLastError(SUNContext sunctx) { return sunctx->last_err; }
SUNErrCode SUNContext_GetLastError(SUNContext sunctx) { return std::exchange(sunctx->last_err, 0); }
SUNErrCode SUNContext_PushErrHandler(SUNContext sunctx, SUNErrHandlerFn err_fn, void* err_user_data) {
  sunctx->err_handler = new SUNErrHandler_{sunctx->err_handler, err_fn, err_user_data};
  return 0;
}
SUNErrCode SUNContext_PopErrHandler(SUNContext sunctx) {
  const SUNErrHandler first = sunctx->err_handler;
  sunctx->err_handler = first->previous;
  delete first;
  return 0;
}
#else
struct SUNContext_ {
  SUNLogger logger;
};
imitated_result SUNContext_Create(void*, SUNContext* sunctx) { return *sunctx = new SUNContext_{&only_logger}, 0; }
#endif
imitated_result SUNContext_GetLogger(SUNContext sunctx, SUNLogger* logger) { return *logger = sunctx->logger, 0; }
imitated_result SUNContext_Free(SUNContext* sunctx) {
#if SUNDIALS_VERSION_MAJOR >= 7
  while ((*sunctx)->err_handler) SUNContext_PopErrHandler(*sunctx);
#endif
  delete *sunctx;
  *sunctx = nullptr;
  return 0;
}
imitated_result SUNLogger_QueueMsg(SUNLogger, SUNLogLevel lvl, const char* scope, const char* label, const char* msg_txt, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, msg_txt);
  std::vsnprintf(text, sizeof text, msg_txt, arguments);
  va_end(arguments);
  const std::lock_guard lock(one_message_at_a_time);
  last_message = std::to_string(lvl) + ": " + scope + ": " + label + ": " + text;
  return 0;
}
const char* sundials_imitation_log() {
  told_message.swap(last_message);
  last_message.clear();
  return told_message.c_str();
}
SUNMemoryHelper SUNMemoryHelper_NewEmpty(SUNContext sunctx) {
  const SUNMemoryHelper helper = empty_helper();
  helper->sunctx = sunctx;
  return helper;
}
imitated_result SUNMemoryHelper_GetAllocStats(SUNMemoryHelper helper, SUNMemoryType mem_type, unsigned long* num_allocations,
                                              unsigned long* num_deallocations, size_t* bytes_allocated, size_t* bytes_high_watermark) {
  return helper->ops->getallocstats(helper, mem_type, num_allocations, num_deallocations, bytes_allocated, bytes_high_watermark);
}
#else
#define AND_QUEUE
#define QUEUE
SUNMemoryHelper SUNMemoryHelper_NewEmpty() { return empty_helper(); }
#endif

#if SUNDIALS_VERSION_MAJOR >= 7
SUNMemory SUNMemoryNewEmpty(SUNContext) { return memory_at(nullptr, SUNMEMTYPE_HOST); }
// As in a build with SUNDIALS_ENABLE_ERROR_CHECKS, which Debian's is: not while an error is on the SUNContext.
SUNMemory SUNMemoryHelper_Alias(SUNMemoryHelper helper, SUNMemory mem) {
  return helper->sunctx->last_err ? nullptr : memory_at(mem->ptr, mem->type);
}
SUNMemory SUNMemoryHelper_Wrap(SUNMemoryHelper helper, void* ptr, SUNMemoryType type) {
  return helper->sunctx->last_err ? nullptr : memory_at(ptr, type);
}
#else
SUNMemory SUNMemoryNewEmpty() { return memory_at(nullptr, SUNMEMTYPE_HOST); }
SUNMemory SUNMemoryHelper_Alias(SUNMemory mem) { return memory_at(mem->ptr, mem->type); }
SUNMemory SUNMemoryHelper_Wrap(void* ptr, SUNMemoryType type) { return memory_at(ptr, type); }
#endif

#if SUNDIALS_VERSION_MAJOR > 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR >= 3)
imitated_result SUNMemoryHelper_AllocStrided(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size, size_t stride,
                                             SUNMemoryType mem_type, void* queue) {
  return helper->ops->allocstrided(helper, memptr, mem_size, stride, mem_type, queue);
}
imitated_result SUNMemoryHelper_SetDefaultQueue(SUNMemoryHelper helper, void* queue) {
  helper->queue = queue;
  return 0;
}
#endif

imitated_result SUNMemoryHelper_Alloc(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size, SUNMemoryType mem_type AND_QUEUE) {
  return helper->ops->alloc(helper, memptr, mem_size, mem_type QUEUE);
}
imitated_result SUNMemoryHelper_Dealloc(SUNMemoryHelper helper, SUNMemory mem AND_QUEUE) {
  return mem ? helper->ops->dealloc(helper, mem QUEUE) : 0;
}
imitated_result SUNMemoryHelper_Copy(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src, size_t mem_size AND_QUEUE) {
  return helper->ops->copy(helper, dst, src, mem_size QUEUE);
}
imitated_result SUNMemoryHelper_CopyAsync(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src, size_t mem_size, void* place) {
  return helper->ops->copyasync(helper, dst, src, mem_size, place);
}
SUNMemoryHelper SUNMemoryHelper_Clone(SUNMemoryHelper helper) { return helper->ops->clone(helper); }
imitated_result SUNMemoryHelper_Destroy(SUNMemoryHelper helper) { return helper ? helper->ops->destroy(helper) : 0; }
imitated_result SUNMemoryHelper_CopyOps(SUNMemoryHelper src, SUNMemoryHelper dst) {
  *dst->ops = *src->ops;
  return 0;
}
