// SPDX-License-Identifier: BSD-3-Clause
// Functions that LLVM's C++ library and cmocka call, as they are built for the GNU C library, and that musl lacks; for tools/try-musl.
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

// What checks the size of a buffer.

void* __memmove_chk(void* to, const void* from, size_t bytes, size_t room) { return bytes > room ? abort(), to : memmove(to, from, bytes); }
wchar_t* __wmemcpy_chk(wchar_t* to, const wchar_t* from, size_t count, size_t room) { return count > room ? abort(), to : wmemcpy(to, from, count); }
wchar_t* __wmemmove_chk(wchar_t* to, const wchar_t* from, size_t count, size_t room) { return count > room ? abort(), to : wmemmove(to, from, count); }
wchar_t* __wmemset_chk(wchar_t* to, wchar_t value, size_t count, size_t room) { return count > room ? abort(), to : wmemset(to, value, count); }
int __vsnprintf_chk(char* to, size_t most, int flag, size_t room, const char* format, va_list list) {
  (void)flag;
  return most > room ? abort(), -1 : vsnprintf(to, most, format, list);
}
int __vasprintf_chk(char** to, int flag, const char* format, va_list list) { return (void)flag, vasprintf(to, format, list); }
int __vfprintf_chk(FILE* to, int flag, const char* format, va_list list) { return (void)flag, vfprintf(to, format, list); }
int __fprintf_chk(FILE* to, int flag, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int length = __vfprintf_chk(to, flag, format, list);
  va_end(list);
  return length;
}
int __printf_chk(int flag, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int length = __vfprintf_chk(stdout, flag, format, list);
  va_end(list);
  return length;
}
int __snprintf_chk(char* to, size_t most, int flag, size_t room, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int length = __vsnprintf_chk(to, most, flag, room, format, list);
  va_end(list);
  return length;
}
_Noreturn void __longjmp_chk(jmp_buf to, int value) { longjmp(to, value); }

// Numbers of a locale, of which musl has one.

long long strtoll_l(const char* text, char** end, int base, locale_t locale) { return (void)locale, strtoll(text, end, base); }
unsigned long long strtoull_l(const char* text, char** end, int base, locale_t locale) { return (void)locale, strtoull(text, end, base); }

// Destructors of a thread's variables, the last one first.

struct destructor {
  void (*call)(void*);
  void* with;
  struct destructor* next;
};
static pthread_key_t destructors;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void run(void* list) {
  for (struct destructor* one = list; one;) {
    struct destructor* const next = one->next;
    one->call(one->with);
    free(one);
    one = next;
  }
}
static void run_at_exit(void) {
  void* const list = pthread_getspecific(destructors);
  pthread_setspecific(destructors, NULL);
  run(list);
}
static void begin(void) {
  if (pthread_key_create(&destructors, run) != 0 || atexit(run_at_exit) != 0) abort();
}
int __cxa_thread_atexit_impl(void (*call)(void*), void* with, void* object) {
  (void)object;
  pthread_once(&once, begin);
  struct destructor* const one = malloc(sizeof *one);
  if (!one) return -1;
  *one = (struct destructor){call, with, pthread_getspecific(destructors)};
  return pthread_setspecific(destructors, one);
}
