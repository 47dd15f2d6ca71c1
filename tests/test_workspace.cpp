// Tangled from org/lending.org; change the chapter, then run: make tangle
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <random>

#include "failing_new.hpp"
#include "lending_claims.hpp"

namespace {

thread_local long host_allocations_until_failure = 0;  // 0: none fails

}  // namespace

bool allocation_fails() noexcept {
  return host_allocations_until_failure > 0 && --host_allocations_until_failure == 0;
}

using namespace cadastre::internal;

namespace {

void automatic_a_lend_that_does_not_fit_grows_the_workspace(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(info_of(context, type).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(info_of(context, type).reserved_bytes, 0);
  Loan loan = lend(context, type, {1000});
  const void* const first = loan[0];
  write(context, loan[0], 1000, 1);
  assert_true(holds(context, loan[0], 1000, 1));
  assert_int_equal(info_of(context, type).growths, 1);
  assert_int_equal(info_of(context, type).reserved_bytes, rounded(1000, info_of(context, type)));
  give_back(context, loan);
  loan = lend(context, type, {500, 100});
  assert_ptr_equal(loan[0], first);
  give_back(context, loan);
  assert_int_equal(info_of(context, type).growths, 1);
  loan = lend(context, type, {5000});
  write(context, loan[0], 5000, 2);
  assert_true(holds(context, loan[0], 5000, 2));
  give_back(context, loan);
  const Books now = books_of(context, type);
  assert_int_equal(now.info.growths, 2);
  assert_int_equal(now.info.reserved_bytes, rounded(5000, now.info));
  assert_int_equal(now.info.used_bytes, 0);
  assert_int_equal(now.info.high_water_mark_bytes, rounded(5000, now.info));
  assert_int_equal(now.statistics.live_blocks, 1);
  assert_int_equal(now.statistics.live_bytes, now.info.reserved_bytes);
  destroy(context);
}

void automatic_under_a_live_lease_nothing_moves_and_afterwards_all_is_one_block(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan outer = lend(context, type, {1000});
  write(context, outer[0], 1000, 1);
  const Loan inner = lend(context, type, {8000});
  write(context, inner[0], 8000, 2);
  const Loan innermost = lend(context, type, {30});
  write(context, innermost[0], 30, 3);
  assert_true(holds(context, outer[0], 1000, 1) && holds(context, inner[0], 8000, 2));
  assert_true(holds(context, innermost[0], 30, 3));
  assert_int_equal(statistics_of(context, type).live_blocks, 3);
  const std::size_t together = info_of(context, type).used_bytes;
  give_back(context, innermost);
  give_back(context, inner);
  assert_true(holds(context, outer[0], 1000, 1));
  give_back(context, outer);
  give_back(context, lend(context, type, {together}));
  const Books now = books_of(context, type);
  assert_int_equal(now.statistics.live_blocks, 1);
  assert_int_equal(now.info.reserved_bytes, together);
  assert_int_equal(now.info.high_water_mark_bytes, together);
  assert_int_equal(now.info.growths, 4);
  destroy(context);
}

void automatic_a_shortage_is_met_by_what_is_there(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  give_back(context, lend(context, type, {4 * unit}));
  assert_int_equal(cadastre_set_limit(context, type, 7 * unit), CADASTRE_SUCCESS);
  give_back(context, lend(context, type, {6 * unit}));  // only when the old block has gone
  assert_int_equal(info_of(context, type).reserved_bytes, 6 * unit);
  assert_int_equal(try_lend(context, type, {8 * unit}).code, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(last(context).requested, 8 * unit);
  assert_int_equal(last(context).limit, 7 * unit);
  assert_int_equal(cadastre_set_limit(context, type, 2 * unit), CADASTRE_SUCCESS);
  give_back(context, lend(context, type, {unit}));  // less than it had before
  assert_int_equal(cadastre_set_limit(context, type, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  give_back(context, lend(context, type, {9 * unit}));
  destroy(context);
}

void automatic_what_fits_into_a_piece_allocates_nothing(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  const Loan outer = lend(context, type, {3 * unit}), inner = lend(context, type, {5 * unit});
  give_back(context, inner);
  give_back(context, outer);
  assert_int_equal(cadastre_set_limit(context, type, 8 * unit), CADASTRE_SUCCESS);
  const Loan again = lend(context, type, {4 * unit});
  write(context, again[0], 4 * unit, 4);
  assert_int_equal(info_of(context, type).reserved_bytes, 8 * unit);
  assert_int_equal(info_of(context, type).growths, 2);
  give_back(context, again);
  destroy(context);
}

void preallocated_an_explicit_size_is_a_limit(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, type, 1001), CADASTRE_SUCCESS);
  const cadastre_workspace_info_struct info = info_of(context, type);
  assert_int_equal(info.scheme, CADASTRE_WORKSPACE_SCHEME_PREALLOCATED);
  assert_int_equal(info.reserved_bytes, rounded(1001, info));
  const std::size_t unit = info.granularity, all = info.reserved_bytes;
  const Loan outer = lend(context, type, {all - unit}), inner = lend(context, type, {1});
  assert_ptr_equal(inner[0], static_cast<std::byte*>(outer[0]) + all - unit);
  const Books before = books_of(context, type);
  assert_int_equal(try_lend(context, type, {1}).code, CADASTRE_LIMIT_EXCEEDED);
  assert_unchanged(context, type, before);
  give_back(context, inner);
  give_back(context, outer);
  assert_int_equal(try_lend(context, type, {all + 1}).code, CADASTRE_LIMIT_EXCEEDED);
  give_back(context, lend(context, type, {all}));
  assert_int_equal(info_of(context, type).growths, 0);
  assert_int_equal(info_of(context, type).failed_acquisitions, 2);
  assert_int_equal(statistics_of(context, type).allocations, 1);
  assert_int_equal(cadastre_workspace_set_size(context, type, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 0);
  give_back(context, lend(context, type, {all + 1}));
  destroy(context);
}

void failure_tells_needed_have_in_use_and_limit(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  assert_int_equal(cadastre_workspace_set_size(context, type, 10 * unit), CADASTRE_SUCCESS);
  const Loan loan = lend(context, type, {3 * unit});
  const Loan refused = try_lend(context, type, {7 * unit, 1});
  assert_refused(context, refused.code, CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_WORKSPACE_TOO_SMALL);
  assert_int_equal(last(context).requested, 8 * unit);
  assert_int_equal(last(context).size, 10 * unit);
  assert_int_equal(last(context).in_use, 3 * unit);
  assert_int_equal(last(context).limit, 7 * unit);
  assert_string_equal(last(context).function, "cadastre_workspace_acquire_on_queue");
  for (const std::size_t number : {8 * unit, 10 * unit, 3 * unit, 7 * unit}) {
    assert_non_null(std::strstr(last(context).message, std::to_string(number).c_str()));
  }
  const Loan rest = lend(context, type, {last(context).limit});
  give_back(context, rest);
  give_back(context, loan);
  destroy(context);
}

void a_size_that_cannot_be_had_changes_nothing(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, type, 1000), CADASTRE_SUCCESS);
  const Loan loan = lend(context, type, {1000});
  const void* const where = loan[0];
  give_back(context, loan);
  const Books before = books_of(context, type);
  assert_refused(context, cadastre_workspace_set_size(context, type, SIZE_MAX - 3), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_SIZE_OVERFLOW);
  assert_unchanged(context, type, before);
  assert_int_equal(cadastre_workspace_set_size(context, type, largest_size / 2), CADASTRE_ALLOCATION_FAILED);
  assert_unchanged(context, type, before);
  assert_refused(context, cadastre_workspace_set_size(context, 4, 10), CADASTRE_INVALID_ARG_2,
                 CADASTRE_REASON_INVALID_MEMORY_TYPE);
  assert_refused(context, cadastre_workspace_set_size(context, -2, 10), CADASTRE_INVALID_ARG_2,
                 CADASTRE_REASON_INVALID_MEMORY_TYPE);
  assert_unchanged(context, type, before);
  const Loan again = lend(context, type, {1000});
  assert_ptr_equal(again[0], where);
  give_back(context, again);
  destroy(context);
}

void a_size_per_lease_allocates_on_each_lend(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    assert_int_equal(info_of(context, type).scheme, scheme == CADASTRE_WORKSPACE_PER_LEASE ? CADASTRE_WORKSPACE_SCHEME_PER_LEASE
                                                                : CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED);
    for (int round = 0; round < 3; ++round) {
      const Loan outer = lend(context, type, {1000}), none = lend(context, type, {0});
      const Loan inner = lend(context, type, {50, 60});
      write(context, outer[0], 1000, 1);
      write(context, inner[1], 60, 2);
      assert_int_equal(statistics_of(context, type).live_blocks, 2);
      give_back(context, inner);
      assert_int_equal(statistics_of(context, type).live_blocks, 1);
      give_back(context, none);
      assert_true(holds(context, outer[0], 1000, 1));
      give_back(context, outer);
      assert_int_equal(statistics_of(context, type).live_blocks, 0);
      assert_int_equal(info_of(context, type).reserved_bytes, 0);
    }
  }
  assert_int_equal(info_of(context, type).growths, 12);
  destroy(context);
}

void no_size_is_set_while_a_lease_is_alive(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::vector<std::size_t>& sizes : {std::vector<std::size_t>{100}, {0}, {}}) {
    const Loan loan = lend(context, type, sizes), another = lend(context, type, sizes);
    const Books before = books_of(context, type);
    alignas(4096) static unsigned char plain[4096];
    for (const std::size_t size : {CADASTRE_WORKSPACE_PER_LEASE, std::size_t{1000}, CADASTRE_WORKSPACE_AUTOMATIC}) {
      assert_refused(context, cadastre_workspace_set_size(context, type, size), CADASTRE_LEASE_ALIVE,
                     CADASTRE_REASON_LEASE_ALIVE);
      assert_int_equal(last(context).in_use, 2);
    }
    if (type == CADASTRE_HOST) {
      assert_refused(context, cadastre_workspace_set_buffer(context, type, plain, 4096), CADASTRE_LEASE_ALIVE,
                     CADASTRE_REASON_LEASE_ALIVE);
    }
    assert_unchanged(context, type, before);
    give_back(context, another);
    give_back(context, loan);
  }
  assert_int_equal(cadastre_workspace_set_size(context, type, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
  destroy(context);
}

// A block of the context, on a multiple of what lends are rounded to.
unsigned char* aligned_block(cadastre_context context, cadastre_memory_type type, std::size_t size) {
  cadastre_memory_info_struct info = request(type, size);
  info.alignment = info_of(context, type).granularity;
  return block(context, info);
}

void user_owned_a_block_is_lent_and_kept_from_being_freed(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  unsigned char* const own = aligned_block(context, type, 20 * unit);
  assert_int_equal(cadastre_workspace_set_buffer(context, type, own + unit, 10 * unit + 1), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, type).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  assert_int_equal(info_of(context, type).reserved_bytes, 10 * unit);
  const Loan loan = lend(context, type, {9 * unit, 1});
  assert_ptr_equal(loan[0], own + unit);
  assert_int_equal(try_lend(context, type, {1}).code, CADASTRE_LIMIT_EXCEEDED);
  assert_refused(context, cadastre_workspace_set_buffer(context, type, nullptr, 0), CADASTRE_LEASE_ALIVE,
      CADASTRE_REASON_LEASE_ALIVE);
  for (void* const pointer : {static_cast<void*>(own), loan[0], loan[1]}) {
    assert_refused(context, cadastre_free(context, pointer), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
    assert_null(cadastre_realloc(context, pointer, 10));
    assert_int_equal(last(context).reason, CADASTRE_REASON_WORKSPACE_MEMORY);
    assert_int_equal(cadastre_free_async(context, pointer, CADASTRE_DEFAULT_QUEUE), CADASTRE_INVALID_ARG_2);
  }
  assert_refused(context, cadastre_workspace_set_buffer(context, type, own, unit), CADASTRE_INVALID_ARG_3,
      CADASTRE_REASON_WORKSPACE_MEMORY);
  give_back(context, loan);
  assert_int_equal(cadastre_free(context, own), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 1);
  assert_int_equal(cadastre_workspace_set_buffer(context, type, nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(info_of(context, type).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
  destroy(context);
}

void user_owned_another_buffer_or_size_lets_the_first_one_go(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  unsigned char* const first = aligned_block(context, type, 4 * unit);
  unsigned char* const second = aligned_block(context, type, 4 * unit);
  assert_int_equal(cadastre_workspace_set_buffer(context, type, first, 4 * unit), CADASTRE_SUCCESS);
  give_back(context, lend(context, type, {unit}));
  assert_int_equal(cadastre_workspace_set_buffer(context, type, second, 4 * unit), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, first), CADASTRE_SUCCESS);
  const Loan loan = lend(context, type, {4 * unit});
  assert_ptr_equal(loan[0], second);
  give_back(context, loan);
  assert_int_equal(cadastre_workspace_set_size(context, type, unit), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, second), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 1);
  destroy(context);
}

void user_owned_a_buffer_is_checked(void** state) {
  const cadastre_context context = context_of(state), other = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  unsigned char* const own = aligned_block(context, type, 4 * unit);
  unsigned char* const theirs = aligned_block(other, type, 4 * unit);
  const Loan loan = lend(other, type, {4 * unit}), lent = lend(context, type, {2 * unit});
  const Books before = books_of(context, type);
  const auto set = [=](void* buffer, std::size_t bytes) {
    return cadastre_workspace_set_buffer(context, type, buffer, bytes);
  };
  assert_refused(context, set(own, 4 * unit + 1), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(last(context).limit, 4 * unit);
  assert_refused(context, set(own + unit, 4 * unit), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_refused(context, set(own + 1, unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_MISALIGNED);
  assert_refused(context, set(own, unit - 1), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_refused(context, set(own, 0), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_refused(context, set(nullptr, unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ARGUMENT);
  assert_int_equal(set(own, SIZE_MAX), CADASTRE_INVALID_ARG_4);
  assert_int_equal(set(reinterpret_cast<void*>(UINTPTR_MAX - 4095), 4096), CADASTRE_INVALID_ARG_4);
  assert_refused(context, set(lent[0], 2 * unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WORKSPACE_MEMORY);
  assert_refused(context, set(loan[0], 2 * unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_WORKSPACE_MEMORY);
  assert_refused(context, set(theirs, 5 * unit), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_refused(context, set(own, 4 * unit), CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE);
  const cadastre_memory_type another = type == CADASTRE_HOST ? CADASTRE_PINNED : CADASTRE_HOST;
  assert_refused(context, cadastre_workspace_set_buffer(context, another, own, 4 * unit), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "and the workspace is one of "));
  assert_int_equal(cadastre_workspace_set_buffer(context, 4, own, 4 * unit), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_workspace_set_buffer(context, another, nullptr, 0), CADASTRE_SUCCESS);
  assert_unchanged(context, type, before);
  give_back(context, lent);
  assert_int_equal(set(theirs, 4 * unit), CADASTRE_SUCCESS);
  const Loan of_theirs = lend(context, type, {3 * unit});
  assert_ptr_equal(of_theirs[0], theirs);
  write(context, of_theirs[0], 3 * unit, 1);
  assert_refused(context, cadastre_unwrap(context, theirs), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  give_back(context, of_theirs);
  assert_int_equal(set(nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).borrowed_blocks, 0);
  assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
  destroy(other);
  destroy(context);
}

// What was freed is somebody else's, and so is what another context keeps or has behind the first byte.
void user_owned_what_was_freed_is_refused_wherever_it_was_freed(void** state) {
  const cadastre_context context = context_of(state), other = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  const auto set = [=](void* buffer, std::size_t bytes) {
    return cadastre_workspace_set_buffer(context, type, buffer, bytes);
  };
  unsigned char* const own = aligned_block(context, type, 8 * unit);
  unsigned char* const theirs = aligned_block(other, type, 8 * unit);
  const Books before = books_of(context, type);
  assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
  assert_refused(context, set(own + unit, 7 * unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_ALREADY_FREED);
  assert_ptr_equal(last(context).base, own);
  assert_int_equal(last(context).size, 8 * unit);
  assert_int_equal(cadastre_free(other, theirs), CADASTRE_SUCCESS);
  assert_refused(context, set(theirs, 8 * unit), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "was freed by deallocation number"));
  assert_int_equal(info_of(context, type).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(info_of(context, CADASTRE_HOST).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  assert_int_equal(statistics_of(context, type).borrowed_blocks, before.statistics.borrowed_blocks);
  destroy(other);
  destroy(context);
}

void user_owned_memory_that_runs_into_a_block_is_refused(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const cadastre_context other = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  alignas(4096) static unsigned char plain[3 * 4096];
  cadastre_memory_info_struct info = request(CADASTRE_HOST, 4096);
  info.pointer = plain + 4096;
  assert_int_equal(cadastre_wrap(other, info), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, sizeof plain), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_UNSUITABLE_BUFFER);
  assert_non_null(std::strstr(last(context).message, "they overlap a block of another context"));
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, 4096), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unwrap(other, plain + 4096), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, sizeof plain), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_OVERLAPS_BLOCK);
  assert_ptr_equal(last(context).base, info.pointer);
  assert_int_equal(cadastre_unwrap(context, info.pointer), CADASTRE_SUCCESS);
  // Without a vendor who knows, memory is what the caller says.
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_PINNED, plain, 4096), CADASTRE_SUCCESS);
  assert_ptr_equal(lend(context, CADASTRE_PINNED, {4096})[0], plain);
  assert_int_equal(info_of(context, CADASTRE_HOST).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  // A range that is recorded no more was the caller's all along.
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain + 4096, 8192), CADASTRE_SUCCESS);
  destroy(other);
  destroy(context);
}

void user_owned_host_memory_is_the_workspace_of_a_context_whose_backend_has_none(void**) {
  const cadastre_context context = context_on(vendor_a());
  alignas(4096) static unsigned char plain[8192];
  assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain + 1, 4096), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_MISALIGNED);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, sizeof plain), CADASTRE_SUCCESS);
  const Loan loan = lend(context, CADASTRE_HOST, {4096});
  assert_ptr_equal(loan[0], plain);
  give_back(context, loan);
  destroy(context);
}

void user_owned_what_another_contexts_pool_keeps_is_refused(void**) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  options.pool = CADASTRE_POOL_CACHING;
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const cadastre_context other = cadastre_context_create_with_options(&options);
  unsigned char* const theirs = aligned_block(other, CADASTRE_HOST, std::size_t{1} << 20);
  cadastre_memory_info_struct small = request(CADASTRE_HOST, 300000);
  small.flags = CADASTRE_UNINITIALIZED;  // clearing takes so long here and there that the pool gives back what it keeps
  assert_int_equal(cadastre_free(other, block(other, small)), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(other, theirs), CADASTRE_SUCCESS);
  for (int i = 0; i < 20000; ++i) {  // until nobody remembers
    assert_int_equal(cadastre_free(other, block(other, small)), CADASTRE_SUCCESS);
  }
  for (unsigned char* const from : {theirs, theirs + 4096}) {
    assert_refused(context, cadastre_workspace_set_buffer(context, CADASTRE_HOST, from, 8192), CADASTRE_INVALID_ARG_3,
                   CADASTRE_REASON_UNSUITABLE_BUFFER);
    assert_non_null(std::strstr(last(context).message, "a pool of this process has cached"));
  }
  // The bytes before may be of the block of 300,000, which is remembered; then that is the reason.
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, theirs - 4096, 8192), CADASTRE_INVALID_ARG_3);
  assert_int_equal(cadastre_pool_trim(other, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
  destroy(other);
  destroy(context);
}

void user_owned_memory_of_another_backend_is_refused(void** state) {
  const cadastre_context context = context_of(state), other = context_on(vendor_a());
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM}) {
    unsigned char* const theirs = block(other, request(type, 100000));
    const std::uintptr_t unit = 4096, address = reinterpret_cast<std::uintptr_t>(theirs);
    assert_refused(context, cadastre_workspace_set_buffer(context, type, theirs + (unit - address % unit), 8192),
                   CADASTRE_INVALID_ARG_3, CADASTRE_REASON_UNSUITABLE_BUFFER);
    assert_non_null(std::strstr(last(context).message, "backend"));
  }
  destroy(other);
  destroy(context);
}

void without_events_another_queue_is_waited_for_on_the_host(void**) {
  const cadastre_context context = context_on(vendor_a());
  give_back(context, lend(context, CADASTRE_DEVICE, {100}, queue_number(3)));
  NotedVendor::noted.clear();
  give_back(context, lend(context, CADASTRE_DEVICE, {100}, queue_number(3)));
  assert_string_equal(NotedVendor::noted.c_str(), "");
  give_back(context, lend(context, CADASTRE_DEVICE, {100}, queue_number(4)));
  assert_string_equal(NotedVendor::noted.c_str(), "A waits for 0; ");  // for all queues of the device
  NotedVendor::refused_call = 1;
  assert_int_equal(try_lend(context, CADASTRE_DEVICE, {100}, queue_number(3)).code, CADASTRE_FAILURE);
  NotedVendor::noted.clear();
  give_back(context, lend(context, CADASTRE_DEVICE, {100}, queue_number(3)));
  assert_string_equal(NotedVendor::noted.c_str(), "A waits for 0; ");
  destroy(context);
}

void a_wait_that_fails_leaves_no_block_behind(void**) {
  const cadastre_context context = context_on(vendor_a());
  for (const std::size_t size : {CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    for (const cadastre_memory_type type : {CADASTRE_PINNED, CADASTRE_HOST}) {
      if (size == CADASTRE_WORKSPACE_PER_LEASE && type == CADASTRE_PINNED) continue;  // its free waits by itself
      assert_int_equal(cadastre_workspace_set_size(context, type, size), CADASTRE_SUCCESS);
      const std::int64_t before = statistics_of(context, type).failed_deallocations;
      const Loan loan = lend(context, type, {100}, queue_number(3));
      NotedVendor::refused_call = 1;
      assert_int_equal(cadastre_workspace_release(context, loan.lease), CADASTRE_FAILURE);
      assert_int_equal(info_of(context, type).live_leases, 0);
      assert_int_equal(statistics_of(context, type).live_blocks, 0);
      assert_int_equal(statistics_of(context, type).failed_deallocations - before, type == CADASTRE_HOST ? 1 : 0);
      if (type == CADASTRE_HOST) std::free(loan[0]);  // given up by the library; nobody works on it here
    }
  }
  destroy(context);
}

void user_owned_memory_that_nobody_knows_is_memory_of_the_host(void** state) {
  const cadastre_context context = context_of(state);
  alignas(4096) static unsigned char plain[8192];
  const std::size_t unit = info_of(context, CADASTRE_HOST).granularity;
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, sizeof plain), CADASTRE_SUCCESS);
  const Loan loan = lend(context, CADASTRE_HOST, {8192 - unit, 1});
  assert_ptr_equal(loan[1], plain + 8192 - unit);
  assert_refused(context, cadastre_free(context, loan[1]), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  assert_refused(context, cadastre_unwrap(context, plain), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  assert_int_equal(cadastre_memset(context, loan[1], 1, unit + 1), CADASTRE_OUT_OF_BOUNDS);
  give_back(context, loan);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, nullptr, 0), CADASTRE_SUCCESS);
  cadastre_memory_info_struct info = request(CADASTRE_HOST, 4096);
  info.pointer = plain + 4096;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain, 8192), CADASTRE_INVALID_ARG_3);  // runs into it
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, plain + 4096, 4096), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_unwrap(context, plain + 4096), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
  give_back(context, lend(context, CADASTRE_HOST, {4096}));
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, nullptr, 0), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unwrap(context, plain + 4096), CADASTRE_SUCCESS);
  destroy(context);
}

void user_owned_a_buffer_is_still_the_callers_when_the_context_ends(void** state) {
  const cadastre_context context = context_of(state), other = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  unsigned char* const theirs = aligned_block(other, type, 4 * unit);
  assert_int_equal(cadastre_workspace_set_buffer(context, type, theirs, 4 * unit), CADASTRE_SUCCESS);
  lend(context, type, {unit});
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_leases, 1);
  assert_int_equal(summary.live_blocks, 0);
  write(other, theirs, 4 * unit, 1);
  assert_int_equal(cadastre_free(other, theirs), CADASTRE_SUCCESS);
  destroy(other);
}

void size_query_answers_the_running_maximum(void** state) {
  const cadastre_context context = context_of(state);
  const std::size_t unit = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).granularity;
  const auto say = [=](const std::vector<std::size_t>& sizes) {
    return cadastre_workspace_set_optimal_size(context, sizes.size(), sizes.data());
  };
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_is_size_query(context), 1);
  assert_int_equal(say({1}), CADASTRE_SIZE_INCREASED);
  assert_int_equal(say({unit}), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(say({unit, 1, 0}), CADASTRE_SIZE_INCREASED);
  assert_int_equal(say({5}), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(say({}), CADASTRE_SIZE_UNCHANGED);
  assert_refused(context, say({SIZE_MAX, 1}), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_SIZE_OVERFLOW);
  assert_refused(context, cadastre_workspace_set_optimal_size(context, 1, nullptr), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, cadastre_workspace_stop_size_query(context, nullptr), CADASTRE_INVALID_ARG_2,
                 CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, cadastre_workspace_start_size_query(context), CADASTRE_SIZE_QUERY_MISMATCH,
                 CADASTRE_REASON_SIZE_QUERY_ACTIVE);
  std::size_t bytes = 7;
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, 2 * unit);
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, 0);
  destroy(context);
}

void size_query_mismatch_outside_of_a_query(void** state) {
  const cadastre_context context = context_of(state);
  std::size_t bytes = 7;
  assert_int_equal(cadastre_workspace_is_size_query(context), 0);
  assert_refused(context, cadastre_workspace_set_optimal_size(context, 1, &bytes), CADASTRE_SIZE_QUERY_MISMATCH,
                 CADASTRE_REASON_SIZE_QUERY_INACTIVE);
  assert_refused(context, cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SIZE_QUERY_MISMATCH,
                 CADASTRE_REASON_SIZE_QUERY_INACTIVE);
  assert_int_equal(bytes, 7);
  assert_int_equal(cadastre_workspace_is_size_query(CADASTRE_NULL_CONTEXT), 0);
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  const Books before = books_of(context, type_of(state));
  assert_refused(context, try_lend(context, type_of(state), {10}).code, CADASTRE_SIZE_QUERY_MISMATCH,
                 CADASTRE_REASON_SIZE_QUERY_ACTIVE);
  assert_unchanged(context, type_of(state), before);
  std::thread([&] {
    assert_int_equal(cadastre_workspace_is_size_query(context), 0);
    give_back(context, lend(context, type_of(state), {10}));
  }).join();
  destroy(context);
}

cadastre_exit_code needs_nothing(cadastre_context context, int* worked) {
  CADASTRE_RETURN_IF_SIZE_QUERY(context);
  ++*worked;
  return CADASTRE_SUCCESS;
}

void a_function_without_workspace_answers_a_query_in_one_line(void** state) {
  const cadastre_context context = context_of(state);
  int worked = 0;
  std::size_t bytes = 7;
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(needs_nothing(context, &worked), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(worked, 0);
  assert_int_equal(bytes, 0);
  assert_int_equal(needs_nothing(context, &worked), CADASTRE_SUCCESS);
  assert_int_equal(worked, 1);
  destroy(context);
}

void query_and_use_round_alike(void** state) {
  const cadastre_context context = context_of(state);
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::size_t> sizes(random() % 6);
    for (std::size_t& size : sizes) size = random() % 3 == 0 ? 0 : random() % 3000;
    std::size_t bytes = 0;
    assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
    cadastre_workspace_set_optimal_size(context, sizes.size(), sizes.data());
    assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
    if (bytes == 0) continue;
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes), CADASTRE_SUCCESS);
    assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).reserved_bytes, bytes);
    const Loan loan = lend(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, sizes);
    assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).used_bytes, bytes);
    assert_int_equal(try_lend(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, {1}).code, CADASTRE_LIMIT_EXCEEDED);
    give_back(context, loan);
  }
  destroy(context);
}

void lend_zero_sizes_give_null_and_success(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan nothing = lend(context, type, {}), zeros = lend(context, type, {0, 0});
  assert_null(zeros[0]);
  assert_null(zeros[1]);
  assert_int_equal(info_of(context, type).reserved_bytes, 0);
  assert_int_equal(info_of(context, type).live_leases, 2);
  const Loan mixed = lend(context, type, {0, 10, 0, 20, 0});
  assert_null(mixed[0]);
  assert_null(mixed[2]);
  assert_null(mixed[4]);
  assert_ptr_equal(mixed[3], static_cast<std::byte*>(mixed[1]) + info_of(context, type).granularity);
  give_back(context, mixed);
  give_back(context, zeros);
  give_back(context, nothing);
  cadastre_lease lease = 0;
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 0, nullptr, nullptr, &lease), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  destroy(context);
}

void lend_wrapped_totals_are_refused(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Books before = books_of(context, type);
  const std::size_t half = SIZE_MAX / 2 + 1;
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{SIZE_MAX}, {half, half}, {half, half, 64}, {SIZE_MAX - 63, 64}, {1, SIZE_MAX},
        {largest_size, 1}, {SIZE_MAX - 300, 300, 2}}) {
    assert_refused(context, try_lend(context, type, sizes).code, CADASTRE_INVALID_ARG_5, CADASTRE_REASON_SIZE_OVERFLOW);
    assert_unchanged(context, type, before);
  }
  const std::size_t one = 1;
  void* pointer = nullptr;
  cadastre_lease lease = 0;
  const auto on = [&](const std::size_t* sizes, void** pointers, cadastre_lease* where) {
    return cadastre_workspace_acquire_on_queue(context, type, CADASTRE_DEFAULT_QUEUE, 1, sizes, pointers, where);
  };
  assert_refused(context, on(nullptr, &pointer, &lease), CADASTRE_INVALID_ARG_5, CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, on(&one, nullptr, &lease), CADASTRE_INVALID_ARG_6, CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, on(&one, &pointer, nullptr), CADASTRE_INVALID_ARG_7, CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &one, &pointer, nullptr), CADASTRE_INVALID_ARG_6,
                 CADASTRE_REASON_NULL_ARGUMENT);
  assert_refused(context, try_lend(context, 4, {1}).code, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE);
  assert_unchanged(context, type, before);
  destroy(context);
}

void lend_more_than_the_machine_has_is_refused_and_changes_nothing(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  Books before = books_of(context, type);
  assert_int_equal(try_lend(context, type, {largest_size / 2}).code, CADASTRE_ALLOCATION_FAILED);
  assert_unchanged(context, type, before);
  const Loan loan = lend(context, type, {100});
  before = books_of(context, type);
  assert_int_equal(try_lend(context, type, {largest_size / 2}).code, CADASTRE_ALLOCATION_FAILED);
  assert_unchanged(context, type, before);
  give_back(context, loan);
  give_back(context, lend(context, type, {100}));
  assert_int_equal(info_of(context, type).failed_acquisitions, 2);
  destroy(context);
}

void leases_nest_as_a_stack_and_out_of_order_harms_nothing(void** state) {
  const cadastre_context context = context_of(state), other = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t size : {std::size_t{1} << 20, CADASTRE_WORKSPACE_AUTOMATIC, CADASTRE_WORKSPACE_PER_LEASE}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, size), CADASTRE_SUCCESS);
    const Loan a = lend(context, type, {100}), b = lend(context, type, {0}), c = lend(context, type, {300});
    write(context, a[0], 100, 1);
    write(context, c[0], 300, 3);
    const Books before = books_of(context, type);
    const auto refused = [&](cadastre_lease lease, cadastre_exit_code code, cadastre_reason reason) {
      assert_refused(context, cadastre_workspace_release(context, lease), code, reason);
      assert_unchanged(context, type, before);
    };
    refused(a.lease, CADASTRE_LEASE_OUT_OF_ORDER, CADASTRE_REASON_LEASE_OUT_OF_ORDER);
    assert_int_equal(last(context).in_use, 2);
    assert_int_equal(last(context).limit, c.lease);
    refused(b.lease, CADASTRE_LEASE_OUT_OF_ORDER, CADASTRE_REASON_LEASE_OUT_OF_ORDER);
    const Loan theirs = lend(other, type, {5});
    for (const cadastre_lease stranger : {CADASTRE_NULL_LEASE, cadastre_lease{-1}, INT64_MAX, c.lease + 1,
        theirs.lease}) {
      refused(stranger, CADASTRE_INVALID_ARG_2, CADASTRE_REASON_UNKNOWN_LEASE);
    }
    give_back(other, theirs);
    assert_true(holds(context, a[0], 100, 1) && holds(context, c[0], 300, 3));
    give_back(context, c);
    assert_refused(context, cadastre_workspace_release(context, c.lease), CADASTRE_INVALID_ARG_2,
                   CADASTRE_REASON_LEASE_RELEASED);
    give_back(context, b);
    give_back(context, a);
    assert_int_equal(info_of(context, type).live_leases, 0);
  }
  destroy(other);
  destroy(context);
}

// A function as rocBLAS's document has it.
cadastre_exit_code solve(cadastre_context context, std::size_t optimal, std::size_t degraded) {
  if (cadastre_workspace_is_size_query(context)) return cadastre_workspace_set_optimal_size(context, 1, &optimal);
  void* memory = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &optimal, &memory, &lease) != CADASTRE_SUCCESS) {
    code = cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &degraded, &memory, &lease);
    if (code != CADASTRE_SUCCESS) return code;
    code = CADASTRE_PERFORMANCE_DEGRADED;
  }
  const std::size_t used = code == CADASTRE_SUCCESS ? optimal : degraded;
  if (cadastre_memset(context, memory, 1, used) != CADASTRE_SUCCESS) code = CADASTRE_FAILURE;
  const cadastre_exit_code given_back = cadastre_workspace_release(context, lease);
  return given_back == CADASTRE_SUCCESS ? code : given_back;
}

void a_function_goes_from_optimal_to_degraded_to_failed(void** state) {
  const cadastre_context context = context_of(state);
  const std::size_t unit = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).granularity;
  const auto with = [=](std::size_t bytes) {
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes), CADASTRE_SUCCESS);
    return solve(context, 10 * unit, 2 * unit);
  };
  assert_int_equal(with(10 * unit), CADASTRE_SUCCESS);
  assert_int_equal(with(9 * unit), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(with(2 * unit), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(with(unit), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(last(context).requested, 2 * unit);
  assert_int_equal(with(CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_set_limit(context, info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).type, 5 * unit),
      CADASTRE_SUCCESS);
  assert_int_equal(with(CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(with(CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).live_leases, 0);
  destroy(context);
}

void the_natural_type_is_that_of_the_devices_memory(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_workspace_info_struct info = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE);
  assert_int_equal(info.type, type_of(state));
  assert_int_equal(info.device_id == no_device_id, type_of(state) == CADASTRE_HOST);
  const std::size_t size = 10;
  void* pointer = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &pointer, &lease), CADASTRE_SUCCESS);
  cadastre_memory_info_struct block;
  assert_int_equal(cadastre_find_block(context, pointer, &block, nullptr), CADASTRE_SUCCESS);
  assert_int_equal(block.type, type_of(state));
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  destroy(context);
}

void buffers_lie_on_multiples_of_the_granularity(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{1} << 20, CADASTRE_WORKSPACE_PER_LEASE}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    std::vector<Loan> loans;
    for (const std::size_t size : {1u, 63u, 64u, 65u, 257u, 5000u}) {
      loans.push_back(lend(context, type, {size, 0, size, 3}));
    }
    for (; !loans.empty(); loans.pop_back()) {
      for (const void* const pointer : loans.back().at) {
        assert_int_equal(reinterpret_cast<std::uintptr_t>(pointer) % info_of(context, type).granularity, 0);
      }
      give_back(context, loans.back());
    }
  }
  destroy(context);
}

cadastre_exit_code count_workspaces(const cadastre_memory_info_struct* info, void* count) {
  const bool is_one = info->flags & CADASTRE_WORKSPACE_MEMORY && info->label && std::strcmp(info->label, "workspace") == 0;
  *static_cast<int*>(count) += is_one;
  return CADASTRE_SUCCESS;
}

void registry_the_workspace_is_one_labelled_block(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan loan = lend(context, type, {1000, 2000});
  int count = 0;
  assert_int_equal(cadastre_foreach_block(context, count_workspaces, &count), CADASTRE_SUCCESS);
  assert_int_equal(count, 1);
  cadastre_memory_info_struct info;
  std::size_t offset = 0;
  assert_int_equal(cadastre_find_block(context, static_cast<std::byte*>(loan[1]) + 5, &info, &offset), CADASTRE_SUCCESS);
  assert_ptr_equal(info.pointer, loan[0]);
  assert_int_equal(info.size, info_of(context, type).reserved_bytes);
  assert_string_equal(info.label, "workspace");
  assert_true(info.flags & CADASTRE_WORKSPACE_MEMORY);
  assert_int_equal(cadastre_memset(context, loan[1], 1, 5000), CADASTRE_OUT_OF_BOUNDS);
  give_back(context, loan);
  destroy(context);
}

void registry_free_realloc_and_unwrap_of_what_is_lent_are_refused(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{10000}, CADASTRE_WORKSPACE_PER_LEASE}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    const Loan loan = lend(context, type, {1000, 2000});
    const Books before = books_of(context, type);
    for (void* const pointer : loan.at) {
      assert_refused(context, cadastre_free(context, pointer), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY);
      assert_non_null(std::strstr(last(context).message, "cadastre_workspace_release"));
      assert_null(cadastre_realloc(context, pointer, 10));
      assert_int_equal(last(context).reason, CADASTRE_REASON_WORKSPACE_MEMORY);
      assert_int_equal(cadastre_unwrap(context, pointer), CADASTRE_INVALID_ARG_2);
      assert_refused(context, cadastre_free_async(context, pointer, CADASTRE_DEFAULT_QUEUE), CADASTRE_INVALID_ARG_2,
                     CADASTRE_REASON_WORKSPACE_MEMORY);
      assert_unchanged(context, type, before);
    }
    give_back(context, loan);
  }
  destroy(context);
}

void registry_free_all_leaves_the_workspace(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan loan = lend(context, type, {1000});
  block(context, request(type, 100));
  write(context, loan[0], 1000, 1);
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 1);
  assert_true(holds(context, loan[0], 1000, 1));
  give_back(context, loan);
  destroy(context);
}

void destroy_with_live_leases_is_reported(void** state) {
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{10000}, CADASTRE_WORKSPACE_PER_LEASE,
      CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    const cadastre_context context = context_of(state);
    const cadastre_memory_type type = type_of(state);
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    lend(context, type, {1000});
    lend(context, type, {0});
    std::thread([&] { try_lend(context, type, {3000}); }).join();
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
    assert_int_equal(summary.live_leases, scheme == 10000 ? 2 : 3);
    assert_int_equal(summary.live_blocks, 0);
    assert_int_equal(summary.live_bytes, 0);
    assert_int_equal(summary.failed_deallocations, 0);
  }
}

// Runs a call with each host allocation failing in turn; answers how often it failed.
template <class Call>
int fail_host_allocations(cadastre_context context, cadastre_memory_type type, Call call) {
  int failures = 0;
  for (long k = 1; k < 50; ++k) {
    const Books before = books_of(context, type);
    host_allocations_until_failure = k;
    const cadastre_exit_code code = call();
    const bool struck = host_allocations_until_failure == 0;
    host_allocations_until_failure = 0;
    if (code == CADASTRE_SUCCESS && !struck) return failures;
    if (code == CADASTRE_SUCCESS) continue;
    ++failures;
    assert_int_equal(code, CADASTRE_ALLOCATION_FAILED);
    assert_int_equal(last(context).exit_code, CADASTRE_ALLOCATION_FAILED);
    assert_int_equal(last(context).reason, CADASTRE_REASON_OUT_OF_HOST_MEMORY);
    assert_unchanged(context, type, before);
  }
  return -1;
}

void without_host_memory_a_lend_changes_nothing(void** state) {
  if (subject_of(state).backend != CADASTRE_BACKEND_HOST) skip_because("its runtime would be without it as well");
  const cadastre_memory_type type = type_of(state);
  int failures = 0;
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{100000}, CADASTRE_WORKSPACE_PER_LEASE}) {
    const cadastre_context context = context_of(state);
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    std::vector<cadastre_lease> leases;
    leases.reserve(100);
    for (int depth = 0; depth < 9; ++depth) {  // the lists grow
      const int failed = fail_host_allocations(context, type, [&] {
        const std::size_t size = 1000;
        void* pointer = nullptr;
        cadastre_lease lease = CADASTRE_NULL_LEASE;
        const cadastre_exit_code code =
            cadastre_workspace_acquire_on_queue(context, type, CADASTRE_DEFAULT_QUEUE, 1, &size, &pointer, &lease);
        if (code == CADASTRE_SUCCESS) leases.push_back(lease);
        return code;
      });
      assert_true(failed >= 0);
      failures += failed;
    }
    for (; !leases.empty(); leases.pop_back()) {
      assert_int_equal(cadastre_workspace_release(context, leases.back()), CADASTRE_SUCCESS);
    }
    destroy(context);
  }
  assert_true(failures > 5);
}

void without_host_memory_no_size_buffer_or_query_is_set(void** state) {
  if (subject_of(state).backend != CADASTRE_BACKEND_HOST) skip_because("its runtime would be without it as well");
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  give_back(context, lend(context, type, {1000}));
  int failures = fail_host_allocations(context, type, [=] { return cadastre_workspace_set_size(context, type, 500); });
  assert_true(failures > 0);
  unsigned char* const own = aligned_block(context, type, 8192);
  failures = fail_host_allocations(context, type, [=] { return cadastre_workspace_set_buffer(context, type, own, 8192); });
  assert_true(failures > 0);
  alignas(4096) static unsigned char plain[8192];
  assert_int_equal(cadastre_workspace_set_buffer(context, type, nullptr, 0), CADASTRE_SUCCESS);
  failures = fail_host_allocations(context, type, [=] { return cadastre_workspace_set_buffer(context, type, plain, 8192); });
  assert_true(failures > 0);
  failures = fail_host_allocations(context, type, [=] { return cadastre_workspace_start_size_query(context); });
  assert_true(failures > 0);
  destroy(context);
}

void two_threads_lending_from_one_context_get_memory_of_their_own(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    const Loan mine = lend(context, type, {1000});
    write(context, mine[0], 1000, 1);
    bool fine = false;
    std::thread([&] {
      const Loan theirs = try_lend(context, type, {1000});
      if (theirs.code != CADASTRE_SUCCESS || theirs[0] == mine[0]) return;
      fine = cadastre_memset(context, theirs[0], 5, 1000) == CADASTRE_SUCCESS && holds(context, mine[0], 1000, 1) &&
             cadastre_workspace_release(context, theirs.lease) == CADASTRE_SUCCESS;
    }).join();
    assert_true(fine);
    assert_true(holds(context, mine[0], 1000, 1));
    assert_int_equal(info_of(context, type).workspace_count, 2);
    give_back(context, mine);
  }
  destroy(context);
}

void two_threads_and_an_explicit_size_the_second_one_is_refused(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, type, 10000), CADASTRE_SUCCESS);
  for (const std::size_t bytes : {100u, 0u}) {
    const Loan mine = lend(context, type, {bytes});
    const Books before = books_of(context, type);
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_exit_code code = CADASTRE_SUCCESS;
    std::thread([&] {
      code = try_lend(context, type, {100}).code;
      cadastre_last_error(context, &error);
    }).join();
    assert_int_equal(code, CADASTRE_LIMIT_EXCEEDED);
    assert_int_equal(error.reason, CADASTRE_REASON_WORKSPACE_BUSY);
    assert_int_equal(error.in_use, before.info.used_bytes);
    assert_int_equal(error.size, before.info.reserved_bytes);
    assert_unchanged(context, type, before);
    give_back(context, mine);
  }
  cadastre_exit_code code = CADASTRE_FAILURE;
  std::thread([&] { code = try_lend(context, type, {100}).code; }).join();
  assert_int_equal(code, CADASTRE_SUCCESS);
  destroy(context);
}

void another_thread_may_give_back(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan outer = lend(context, type, {100}), inner = lend(context, type, {5000});
  cadastre_exit_code codes[3] = {};
  std::thread([&] {
    codes[0] = cadastre_workspace_release(context, outer.lease);
    codes[1] = cadastre_workspace_release(context, inner.lease);
    codes[2] = cadastre_workspace_release(context, outer.lease);
  }).join();
  assert_int_equal(codes[0], CADASTRE_LEASE_OUT_OF_ORDER);
  assert_int_equal(codes[1] | codes[2], CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_set_size(context, type, 100), CADASTRE_SUCCESS);
  destroy(context);
}

// Buffers that are lent at this moment, of all threads.
class Land {
 public:
  bool take(const void* begin, std::size_t size) {
    if (size == 0) return begin == nullptr;
    const std::lock_guard lock(mutex_);
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    const auto next = taken_.lower_bound(first);
    if (next != taken_.end() && next->first < first + size) return false;
    if (next != taken_.begin() && std::prev(next)->second > first) return false;
    taken_[first] = first + size;
    return true;
  }
  void leave(const void* begin) {
    const std::lock_guard lock(mutex_);
    taken_.erase(reinterpret_cast<std::uintptr_t>(begin));
  }

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, std::uintptr_t> taken_;
};

struct Held {
  Loan loan;
  std::vector<std::size_t> sizes;
  int value;
};

// One thread of many, which lends, nests and gives back by chance, and now and then lets another thread give back.
class Tenant {
 public:
  struct Shared {
    cadastre_context context;
    cadastre_memory_type type;
    Land land{};
    std::mutex mutex{};
    std::vector<Held> to_give_back{};
    std::atomic<int> wrong = 0;
    bool refusals_are_fine = false;
  };

  Tenant(Shared& shared, unsigned number) : shared_(shared), number_(number), random_(number) {}

  void work(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      const unsigned chance = random_() % 16;
      if (chance < 7 && held_.size() < 5) lend();
      else if (chance < 13) end_youngest();
      else if (chance == 13) hand_over();
      else give_back_for_others();
      if (number_ == 0 && chance == 3) try_to_set_a_size();
    }
    while (!held_.empty()) end_youngest();
  }
  void give_all_back() {
    for (int turn = 0; turn < 1000000 && !shared_.to_give_back.empty(); ++turn) give_back_for_others();
  }

 private:
  void lend() {
    Held held{{}, {}, static_cast<int>(random_() % 256)};
    for (unsigned n = random_() % 4; n > 0; --n) held.sizes.push_back(random_() % 5 == 0 ? 0 : random_() % 3000);
    held.loan = try_lend(shared_.context, shared_.type, held.sizes);
    if (held.loan.code == CADASTRE_LIMIT_EXCEEDED && shared_.refusals_are_fine) return;
    if (held.loan.code != CADASTRE_SUCCESS) {
      ++shared_.wrong;
      return;
    }
    for (std::size_t i = 0; i < held.sizes.size(); ++i) {
      const bool mine = shared_.land.take(held.loan[i], held.sizes[i]);
      const cadastre_exit_code code = cadastre_memset(shared_.context, held.loan[i], held.value, held.sizes[i]);
      if (!mine || code != CADASTRE_SUCCESS) ++shared_.wrong;
    }
    held_.push_back(held);
  }
  // Whether it could be given back now.
  bool end(const Held& held) {
    for (std::size_t i = 0; i < held.sizes.size(); ++i) {
      Bytes found(held.sizes[i]);
      const cadastre_exit_code code = cadastre_memcpy(shared_.context, found.data(), held.loan[i], held.sizes[i]);
      const Bytes expected(held.sizes[i], static_cast<unsigned char>(held.value));
      if (code != CADASTRE_SUCCESS || found != expected) ++shared_.wrong;
      if (held.sizes[i] > 0) shared_.land.leave(held.loan[i]);
    }
    const cadastre_exit_code code = cadastre_workspace_release(shared_.context, held.loan.lease);
    if (code != CADASTRE_SUCCESS && code != CADASTRE_LEASE_OUT_OF_ORDER) ++shared_.wrong;
    if (code != CADASTRE_LEASE_OUT_OF_ORDER) return true;
    for (std::size_t i = 0; i < held.sizes.size(); ++i) {
      if (!shared_.land.take(held.loan[i], held.sizes[i])) ++shared_.wrong;
    }
    return false;
  }
  void end_youngest() {
    if (held_.empty() || !end(held_.back())) {
      if (held_.empty()) return;
      give_back_for_others();  // a younger one is there
      std::this_thread::yield();
      return;
    }
    held_.pop_back();
  }
  void hand_over() {
    if (held_.empty()) return;
    const std::lock_guard lock(shared_.mutex);
    shared_.to_give_back.push_back(held_.back());
    held_.pop_back();
  }
  void give_back_for_others() {
    Held held;
    {
      const std::lock_guard lock(shared_.mutex);
      if (shared_.to_give_back.empty()) return;
      held = shared_.to_give_back.back();
      shared_.to_give_back.pop_back();
    }
    if (end(held)) return;
    const std::lock_guard lock(shared_.mutex);
    shared_.to_give_back.insert(shared_.to_give_back.begin(), held);
  }
  void try_to_set_a_size() {
    const std::size_t size = shared_.refusals_are_fine ? 20000 : CADASTRE_WORKSPACE_AUTOMATIC;
    const cadastre_exit_code code = cadastre_workspace_set_size(shared_.context, shared_.type, size);
    if (code != CADASTRE_SUCCESS && code != CADASTRE_LEASE_ALIVE) ++shared_.wrong;
  }

  Shared& shared_;
  const unsigned number_;
  std::mt19937 random_;
  std::vector<Held> held_;
};

void many_threads_lend_at_once(void** state, std::size_t scheme) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
  Tenant::Shared shared{context, type};
  shared.refusals_are_fine = scheme == 20000;
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 8; ++number) {
    threads.emplace_back([&shared, number] { Tenant(shared, number).work(sanitized ? 1000 : 3000); });
  }
  for (std::thread& thread : threads) thread.join();
  Tenant(shared, 8).give_all_back();
  assert_int_equal(shared.wrong, 0);
  assert_int_equal(info_of(context, type).live_leases, 0);
  assert_int_equal(info_of(context, type).used_bytes, 0);
  assert_true(info_of(context, type).workspace_count <= 16);
  assert_int_equal(cadastre_workspace_set_size(context, type, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 0);
  destroy(context);
}

void no_two_live_buffers_of_eight_threads_overlap(void** state) {
  many_threads_lend_at_once(state, CADASTRE_WORKSPACE_AUTOMATIC);
}
void no_two_live_buffers_overlap_where_each_lend_allocates(void** state) { many_threads_lend_at_once(state, 0); }
void no_two_live_buffers_overlap_in_an_explicit_size(void** state) { many_threads_lend_at_once(state, 20000); }

void a_lend_waits_while_another_thread_has_the_lock_and_the_holder_lends(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  std::atomic<bool> lent = false;
  std::thread other([&] {
    const Loan loan = try_lend(context, type, {1000});
    lent = true;
    cadastre_workspace_release(context, loan.lease);
  });
  const Loan loan = lend(context, type, {3000}), nested = lend(context, type, {9000});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  assert_false(lent);
  give_back(context, nested);
  give_back(context, loan);
  assert_int_equal(cadastre_workspace_set_size(context, type, 10000), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  other.join();
  assert_true(lent);
  destroy(context);
}

void a_context_is_destroyed_while_other_threads_lend(void** state) {
  for (int round = 0; round < 20; ++round) {
    const cadastre_context context = context_of(state);
    const cadastre_memory_type type = type_of(state);
    std::atomic<int> started = 0, wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, size = 1000u << t] {
        for (std::size_t i = 1;; ++i) {
          const Loan outer = try_lend(context, type, {size * (1 + i % 7)});
          if (i == 3) ++started;
          const cadastre_exit_code code =
              outer.code == CADASTRE_SUCCESS ? cadastre_workspace_release(context, outer.lease) : outer.code;
          if (code == CADASTRE_INVALID_CONTEXT) return;
          if (code != CADASTRE_SUCCESS) ++wrong;
        }
      });
    }
    while (started < 3) std::this_thread::yield();
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
    for (std::thread& thread : threads) thread.join();
    assert_int_equal(wrong, 0);
    assert_int_equal(summary.live_blocks, 0);
    assert_in_range(summary.live_leases, 0, 3);
  }
}

// The host's heap as devices' memory, with events or without. The next call of a kind waits at the gate.
class Gated final : public Backend {
 public:
  enum Call { none, allocating, freeing, recording, awaiting };

  cadastre_backend number() const noexcept override { return CADASTRE_BACKEND_HOST; }
  Presence presence() const noexcept override { return {true, 1, ""}; }
  bool serves(cadastre_memory_type) const noexcept override { return true; }
  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return 64; }
  std::int32_t current_device() noexcept override { return 0; }
  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    pass(allocating);
    if (refuses_allocations) {
      return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_OUT_OF_MEMORY});
    }
    grant = {std::aligned_alloc(64, request.size + 64 - request.size % 64), 64, 0};
    ++live;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    pass(freeing);
    std::free(record.pointer);
    --live;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code copy(const Copy& copy) noexcept override {
    std::memcpy(copy.to, copy.from, copy.bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code set(const Fill& fill) noexcept override {
    std::memset(fill.to, fill.value, fill.bytes);
    return CADASTRE_SUCCESS;
  }
  bool has_events() const noexcept override { return true; }
  cadastre_exit_code record_event(std::int32_t, cadastre_queue, Event& event) noexcept override {
    pass(recording);
    if (!event) {
      event = this;
      ++events;
    }
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code wait_event(std::int32_t, cadastre_queue, Event) noexcept override { return CADASTRE_SUCCESS; }
  cadastre_exit_code synchronize_event(std::int32_t, Event) noexcept override {
    pass(awaiting);
    return CADASTRE_SUCCESS;
  }
  void destroy_event(std::int32_t, Event event) noexcept override { events -= event != nullptr; }

  // While a call of this kind waits, does something else.
  template <class Something>
  void during(Call call, Something something) {
    while (kept == none) std::this_thread::yield();
    assert_int_equal(kept, call);
    something();
    kept = none;
  }

  std::atomic<Call> next = none, kept = none;
  std::atomic<bool> refuses_allocations = false;
  std::atomic<int> live = 0, events = 0;

 private:
  void pass(Call call) noexcept {
    Call expected = call;
    if (!next.compare_exchange_strong(expected, none)) return;
    kept = call;
    while (kept != none) std::this_thread::yield();
  }
};

cadastre_context context_on_gated(Gated& backend) {
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  create_context(backend, {}, ChildOf(process_account()), context);
  return context;
}

constexpr cadastre_memory_type gated_type = CADASTRE_DEVICE;


// The one who lends goes on although his older lease is given back by somebody else at this moment.
void a_nested_lend_survives_that_its_outer_lease_is_given_back_meanwhile(void**) {
  for (const bool succeeds : {true, false}) {
    Gated backend;
    const cadastre_context context = context_on_gated(backend);
    const cadastre_queue queue = queue_number(5);
    Loan outer, nested;
    std::thread lender([&] {
      outer = try_lend(context, gated_type, {100}, queue);
      backend.next = Gated::allocating;
      nested = try_lend(context, gated_type, {5000}, queue);
    });
    backend.during(Gated::allocating, [&] {
      give_back(context, outer);
      assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_LEASE_ALIVE);
      const Loan mine = lend(context, gated_type, {100}, queue);
      assert_true(mine[0] != outer[0]);
      give_back(context, mine);
      backend.refuses_allocations = !succeeds;
    });
    lender.join();
    backend.refuses_allocations = false;
    assert_int_equal(nested.code, succeeds ? CADASTRE_SUCCESS : CADASTRE_ALLOCATION_FAILED);
    assert_int_equal(info_of(context, gated_type).live_leases, succeeds);
    if (succeeds) {
      assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_LEASE_ALIVE);
      const Loan mine = lend(context, gated_type, {5000}, queue);
      assert_true(mine[0] != nested[0]);
      give_back(context, mine);
      give_back(context, nested);
    }
    assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_SUCCESS);
    assert_int_equal(backend.live, 1);
    destroy(context);
    assert_int_equal(backend.live + backend.events, 0);
  }
}

void while_an_event_is_recorded_nobody_is_lent_the_memory(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  const cadastre_queue queue = queue_number(5);
  const Loan loan = lend(context, gated_type, {100}, queue);
  backend.next = Gated::recording;
  std::thread giver([&] { give_back(context, loan); });
  backend.during(Gated::recording, [&] {
    const Loan mine = lend(context, gated_type, {100}, queue);
    assert_true(mine[0] != loan[0]);
    give_back(context, mine);
    assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_LEASE_ALIVE);
  });
  giver.join();
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_SUCCESS);
  destroy(context);
  assert_int_equal(backend.live + backend.events, 0);
}

void while_memory_of_its_own_is_freed_the_workspace_may_go(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
  const Loan loan = lend(context, gated_type, {100});
  backend.next = Gated::freeing;
  std::thread giver([&] { give_back(context, loan); });
  backend.during(Gated::freeing, [&] {
    give_back(context, lend(context, gated_type, {100}));
    assert_int_equal(cadastre_workspace_set_size(context, gated_type, 64), CADASTRE_SUCCESS);
  });
  giver.join();
  destroy(context);
  assert_int_equal(backend.live + backend.events, 0);
}

void while_a_size_is_set_others_lend_and_the_size_is_refused(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  backend.next = Gated::allocating;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  std::thread setter([&] { code = cadastre_workspace_set_size(context, gated_type, 6400); });
  Loan loan;
  backend.during(Gated::allocating, [&] { loan = lend(context, gated_type, {100}); });
  setter.join();
  assert_int_equal(code, CADASTRE_LEASE_ALIVE);
  assert_int_equal(backend.live, 1);
  assert_int_equal(info_of(context, gated_type).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  give_back(context, loan);
  destroy(context);
  assert_int_equal(backend.live, 0);
}

void no_lock_is_held_while_a_lend_waits_and_destroy_waits_for_it(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  Loan loan = lend(context, gated_type, {100}, queue_number(5));
  give_back(context, loan);
  backend.next = Gated::awaiting;
  std::thread lender([&] { loan = try_lend(context, gated_type, {5000}, queue_number(6)); });
  std::thread destroyer;
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  backend.during(Gated::awaiting, [&] {
    assert_int_equal(backend.live, 2);  // the old block is there until its queue is done
    assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
    give_back(context, lend(context, gated_type, {50}));
    assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
    destroyer = std::thread([&] { cadastre_context_destroy_with_summary(context, &summary); });
    while (cadastre_context_check(context) != CADASTRE_NULL_CONTEXT) std::this_thread::yield();
  });
  lender.join();
  destroyer.join();
  assert_int_equal(loan.code, CADASTRE_SUCCESS);
  assert_int_equal(summary.live_leases, 1);
  assert_int_equal(backend.live + backend.events, 0);
}

int status_of_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body());
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void a_child_inherits_live_leases_and_goes_on(void** state) {
  const cadastre_memory_type type = type_of(state);
  if (subject_of(state).backend != CADASTRE_BACKEND_HOST) skip_because("no vendor serves the child of a fork");
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, std::size_t{100000}, CADASTRE_WORKSPACE_PER_LEASE}) {
    const cadastre_context context = context_of(state);
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    const Loan outer = lend(context, type, {1000});
    write(context, outer[0], 1000, 1);
    const int status = status_of_child([&] {
      const Loan inner = try_lend(context, type, {2000});
      if (inner.code != CADASTRE_SUCCESS) return 1;
      if (!holds(context, outer[0], 1000, 1)) return 2;
      if (cadastre_workspace_release(context, outer.lease) != CADASTRE_LEASE_OUT_OF_ORDER) return 3;
      if (cadastre_workspace_release(context, inner.lease) != CADASTRE_SUCCESS) return 4;
      if (cadastre_workspace_release(context, outer.lease) != CADASTRE_SUCCESS) return 5;
      if (cadastre_workspace_set_size(context, type, 500) != CADASTRE_SUCCESS) return 6;
      return cadastre_context_destroy(context) == CADASTRE_SUCCESS ? 0 : 7;
    });
    assert_int_equal(status, 0);
    assert_true(holds(context, outer[0], 1000, 1));
    give_back(context, outer);
    destroy(context);
  }
}

void a_lend_in_progress_at_a_fork_leaves_the_child_a_workspace(void**) {
  Gated backend;
  const cadastre_context context = context_on_gated(backend);
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, 6400), CADASTRE_SUCCESS);
  Loan loan = lend(context, gated_type, {100}, queue_number(5));
  backend.next = Gated::recording;
  std::thread giver([&] { give_back(context, loan); });
  int status = -1;
  backend.during(Gated::recording, [&] {
    status = status_of_child([&] {
      const Loan mine = try_lend(context, gated_type, {6400}, queue_number(5));
      if (mine.code != CADASTRE_SUCCESS) return 1;
      if (cadastre_workspace_release(context, mine.lease) != CADASTRE_SUCCESS) return 2;
      return cadastre_workspace_set_size(context, gated_type, 64) == CADASTRE_SUCCESS ? 0 : 3;
    });
  });
  giver.join();
  assert_int_equal(status, 0);
  assert_int_equal(cadastre_workspace_set_size(context, gated_type, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  backend.next = Gated::allocating;
  std::thread lender([&] { loan = try_lend(context, gated_type, {500}); });
  backend.during(Gated::allocating, [&] {
    status = status_of_child([&] {
      return cadastre_workspace_set_size(context, gated_type, 64) == CADASTRE_SUCCESS ? 0 : 1;
    });
  });
  lender.join();
  assert_int_equal(status, 0);
  give_back(context, loan);
  destroy(context);
}

std::int64_t allocations(cadastre_context context) {
  return statistics_of(context, info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).type).allocations;
}

void rocblas_default_scheme_memory_is_allocated_automatically_and_recycled(void** state) {
  const cadastre_context context = context_of(state);
  assert_int_equal(solve(context, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 500, 10), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 1);
  assert_int_equal(solve(context, 9000, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 2);
  assert_int_equal(solve(context, 1000, 10), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 2);
  destroy(context);
}

void rocblas_preallocate_scheme_all_functions_are_asked_and_nothing_is_allocated_afterwards(void** state) {
  const cadastre_context context = context_of(state);
  int worked = 0;
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 1000, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(solve(context, 9000, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(solve(context, 500, 10), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(needs_nothing(context, &worked), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 0);
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes), CADASTRE_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    assert_int_equal(solve(context, 1000, 10), CADASTRE_SUCCESS);
    assert_int_equal(solve(context, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(needs_nothing(context, &worked), CADASTRE_SUCCESS);
  }
  assert_int_equal(allocations(context), 1);
  assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).growths, 0);
  destroy(context);
}

void rocblas_manual_scheme_the_user_allocates_before_and_frees_after(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).type;
  for (int round = 0; round < 3; ++round) {
    std::size_t bytes = 0;
    assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
    assert_int_equal(solve(context, 9000, 10), CADASTRE_SIZE_INCREASED);
    assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
    unsigned char* const own = aligned_block(context, type, bytes);
    const std::int64_t before = allocations(context);
    assert_int_equal(cadastre_workspace_set_buffer(context, type, own, bytes), CADASTRE_SUCCESS);
    assert_int_equal(solve(context, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_workspace_set_buffer(context, type, nullptr, 0), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
    assert_int_equal(allocations(context), before);
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, bytes), CADASTRE_SUCCESS);
    assert_int_equal(solve(context, 9000, 10), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, CADASTRE_WORKSPACE_PER_LEASE), CADASTRE_SUCCESS);
    assert_int_equal(statistics_of(context, type).live_blocks, 0);
  }
  destroy(context);
}

void rocblas_multiple_buffers_come_from_one_lend(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_workspace_info_struct info = info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE);
  const std::size_t m = 31, n = 17, k = 5, sizes[2] = {m * n, m * k};
  void* buffers[2];
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 2, sizes, buffers, &lease), CADASTRE_SUCCESS);
  assert_ptr_equal(buffers[1], static_cast<std::byte*>(buffers[0]) + rounded(m * n, info));
  write(context, buffers[0], m * n, 1);
  write(context, buffers[1], m * k, 2);
  assert_true(holds(context, buffers[0], m * n, 1) && holds(context, buffers[1], m * k, 2));
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  assert_int_equal(allocations(context), 1);
  destroy(context);
}

void rocblas_size_query_collects_and_does_no_work(void** state) {
  const cadastre_context context = context_of(state);
  std::size_t bytes = 0;
  assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 1001, 10), CADASTRE_SIZE_INCREASED);
  assert_int_equal(solve(context, 1001, 10), CADASTRE_SIZE_UNCHANGED);
  assert_int_equal(cadastre_workspace_stop_size_query(context, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, rounded(1001, info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE)));
  assert_int_equal(bytes % 64, 0);
  assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).acquisitions, 0);
  destroy(context);
}

void rocblas_only_what_was_explicitly_sized_is_used(void** state) {
  const cadastre_context context = context_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 2000), CADASTRE_SUCCESS);
  assert_int_equal(solve(context, 9000, 1500), CADASTRE_PERFORMANCE_DEGRADED);
  assert_int_equal(solve(context, 9000, 5000), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(allocations(context), 1);
  assert_int_equal(info_of(context, CADASTRE_DEFAULT_WORKSPACE_TYPE).growths, 0);
  destroy(context);
}

int size_in_the_environment(const Subject& subject, const char* value, std::size_t bytes,
    cadastre_workspace_scheme scheme) {
  char program[4096] = "";  // read, since valgrind answers that, and does not run what the link leads to
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return -1;
  setenv("CADASTRE_WORKSPACE_SIZE", value, 1);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    execl(program, program, subject.name, std::to_string(bytes).c_str(),
        std::to_string(scheme).c_str(), nullptr);
    _exit(99);
  }
  unsetenv("CADASTRE_WORKSPACE_SIZE");
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// In a process of its own, whose environment says a size.
int judge_the_environment(const Subject& subject, std::size_t bytes, cadastre_workspace_scheme scheme) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = subject.backend;
  const long most = subject.backend == CADASTRE_BACKEND_HOST ? 30 : 1;  // others have a runtime that asks here as well
  for (long k = 0; k < most; ++k) {  // a context without what was asked for is none
    host_allocations_until_failure = k;
    const cadastre_context context = cadastre_context_create_with_options(&options);
    host_allocations_until_failure = 0;
    if (context == CADASTRE_NULL_CONTEXT && k > 0) continue;
    cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
    if (cadastre_workspace_get_info(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, &info) != CADASTRE_SUCCESS) return 2;
    if (info.scheme != scheme || info.reserved_bytes != rounded(bytes, info)) return 3;
    // 0 restores it.
    for (const std::size_t size : {CADASTRE_WORKSPACE_STREAM_ORDERED, std::size_t{0}}) {
      if (cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, size) != CADASTRE_SUCCESS) return 5;
    }
    if (cadastre_workspace_get_info(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, &info) != CADASTRE_SUCCESS) return 6;
    if (info.scheme != scheme || info.reserved_bytes != rounded(bytes, info)) return 7;
    if (cadastre_context_destroy(context) != CADASTRE_SUCCESS) return 4;
  }
  return 0;
}

void rocblas_preallocate_scheme_the_environment_says_the_size(void** state) {
  destroy(context_of(state));
  const Subject& subject = subject_of(state);
  const auto says = [&](const char* value, std::size_t bytes, cadastre_workspace_scheme scheme) {
    assert_int_equal(size_in_the_environment(subject, value, bytes, scheme), 0);
  };
  says("1000", 1000, CADASTRE_WORKSPACE_SCHEME_PREALLOCATED);
  says("3K", 3072, CADASTRE_WORKSPACE_SCHEME_PREALLOCATED);
  says("2M", std::size_t{2} << 20, CADASTRE_WORKSPACE_SCHEME_PREALLOCATED);
  says("0", 0, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  says("per-lease", 0, CADASTRE_WORKSPACE_SCHEME_PER_LEASE);
  says("automatic", 0, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  says("stream-ordered", 0, CADASTRE_WORKSPACE_SCHEME_STREAM_ORDERED);
}

}  // namespace

namespace {

const Subject natural[] = {
#ifdef CADASTRE_TEST_EMULATES
    {"emulated", CADASTRE_BACKEND_HOST, CADASTRE_DEVICE},
#else
    {"host", CADASTRE_BACKEND_HOST, CADASTRE_HOST},
    {"openmp", CADASTRE_BACKEND_OPENMP, CADASTRE_DEVICE},
    {"cuda", CADASTRE_BACKEND_CUDA, CADASTRE_DEVICE},
    {"hip", CADASTRE_BACKEND_HIP, CADASTRE_DEVICE},
#endif
};

const Subject further[] = {
#ifdef CADASTRE_TEST_EMULATES
    {"emulated, UVM", CADASTRE_BACKEND_HOST, CADASTRE_UVM},
#else
    {"cuda, HOST", CADASTRE_BACKEND_CUDA, CADASTRE_HOST},
    {"cuda, PINNED", CADASTRE_BACKEND_CUDA, CADASTRE_PINNED},
#endif
};

const CMUnitTest of_every_type[] = {
    cmocka_unit_test(automatic_a_lend_that_does_not_fit_grows_the_workspace),
    cmocka_unit_test(automatic_under_a_live_lease_nothing_moves_and_afterwards_all_is_one_block),
    cmocka_unit_test(automatic_a_shortage_is_met_by_what_is_there),
    cmocka_unit_test(automatic_what_fits_into_a_piece_allocates_nothing),
    cmocka_unit_test(preallocated_an_explicit_size_is_a_limit),
    cmocka_unit_test(failure_tells_needed_have_in_use_and_limit),
    cmocka_unit_test(a_size_that_cannot_be_had_changes_nothing),
    cmocka_unit_test(a_size_per_lease_allocates_on_each_lend),
    cmocka_unit_test(no_size_is_set_while_a_lease_is_alive),
    cmocka_unit_test(user_owned_a_block_is_lent_and_kept_from_being_freed),
    cmocka_unit_test(user_owned_another_buffer_or_size_lets_the_first_one_go),
    cmocka_unit_test(user_owned_a_buffer_is_checked),
    cmocka_unit_test(user_owned_what_was_freed_is_refused_wherever_it_was_freed),
    cmocka_unit_test(user_owned_memory_of_another_backend_is_refused),
    cmocka_unit_test(user_owned_memory_that_nobody_knows_is_memory_of_the_host),
    cmocka_unit_test(user_owned_a_buffer_is_still_the_callers_when_the_context_ends),
    cmocka_unit_test(lend_zero_sizes_give_null_and_success),
    cmocka_unit_test(lend_wrapped_totals_are_refused),
    cmocka_unit_test(lend_more_than_the_machine_has_is_refused_and_changes_nothing),
    cmocka_unit_test(leases_nest_as_a_stack_and_out_of_order_harms_nothing),
    cmocka_unit_test(buffers_lie_on_multiples_of_the_granularity),
    cmocka_unit_test(registry_the_workspace_is_one_labelled_block),
    cmocka_unit_test(registry_free_realloc_and_unwrap_of_what_is_lent_are_refused),
    cmocka_unit_test(registry_free_all_leaves_the_workspace),
    cmocka_unit_test(destroy_with_live_leases_is_reported),
    cmocka_unit_test(without_host_memory_a_lend_changes_nothing),
    cmocka_unit_test(without_host_memory_no_size_buffer_or_query_is_set),
    cmocka_unit_test(two_threads_lending_from_one_context_get_memory_of_their_own),
    cmocka_unit_test(two_threads_and_an_explicit_size_the_second_one_is_refused),
    cmocka_unit_test(another_thread_may_give_back),
    cmocka_unit_test(no_two_live_buffers_of_eight_threads_overlap),
    cmocka_unit_test(no_two_live_buffers_overlap_where_each_lend_allocates),
    cmocka_unit_test(no_two_live_buffers_overlap_in_an_explicit_size),
    cmocka_unit_test(a_lend_waits_while_another_thread_has_the_lock_and_the_holder_lends),
    cmocka_unit_test(a_context_is_destroyed_while_other_threads_lend),
    cmocka_unit_test(a_child_inherits_live_leases_and_goes_on),
};

const CMUnitTest of_natural_types[] = {
    cmocka_unit_test(the_natural_type_is_that_of_the_devices_memory),
    cmocka_unit_test(size_query_answers_the_running_maximum),
    cmocka_unit_test(size_query_mismatch_outside_of_a_query),
    cmocka_unit_test(a_function_without_workspace_answers_a_query_in_one_line),
    cmocka_unit_test(query_and_use_round_alike),
    cmocka_unit_test(a_function_goes_from_optimal_to_degraded_to_failed),
    cmocka_unit_test(rocblas_default_scheme_memory_is_allocated_automatically_and_recycled),
    cmocka_unit_test(rocblas_preallocate_scheme_all_functions_are_asked_and_nothing_is_allocated_afterwards),
    cmocka_unit_test(rocblas_preallocate_scheme_the_environment_says_the_size),
    cmocka_unit_test(rocblas_manual_scheme_the_user_allocates_before_and_frees_after),
    cmocka_unit_test(rocblas_multiple_buffers_come_from_one_lend),
    cmocka_unit_test(rocblas_size_query_collects_and_does_no_work),
    cmocka_unit_test(rocblas_only_what_was_explicitly_sized_is_used),
};

}  // namespace

int main(int count, char** words) {
#ifdef CADASTRE_TEST_EMULATES
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
#endif
  for (const Subject& subject : natural) {
    if (count == 4 && std::strcmp(words[1], subject.name) == 0) {
      return judge_the_environment(subject, std::stoul(words[2]), std::stoi(words[3]));
    }
  }
  std::vector<CMUnitTest> tests = {
      cmocka_unit_test(a_nested_lend_survives_that_its_outer_lease_is_given_back_meanwhile),
      cmocka_unit_test(while_an_event_is_recorded_nobody_is_lent_the_memory),
      cmocka_unit_test(while_memory_of_its_own_is_freed_the_workspace_may_go),
      cmocka_unit_test(while_a_size_is_set_others_lend_and_the_size_is_refused),
      cmocka_unit_test(no_lock_is_held_while_a_lend_waits_and_destroy_waits_for_it),
      cmocka_unit_test(user_owned_memory_that_runs_into_a_block_is_refused),
      cmocka_unit_test(user_owned_host_memory_is_the_workspace_of_a_context_whose_backend_has_none),
      cmocka_unit_test(user_owned_what_another_contexts_pool_keeps_is_refused),
      cmocka_unit_test(without_events_another_queue_is_waited_for_on_the_host),
      cmocka_unit_test(a_wait_that_fails_leaves_no_block_behind),
      cmocka_unit_test(a_lend_in_progress_at_a_fork_leaves_the_child_a_workspace),
  };
  add_claims(tests, of_every_type, natural);
  add_claims(tests, of_every_type, further);
  add_claims(tests, of_natural_types, natural);
  return _cmocka_run_group_tests("workspace", tests.data(), tests.size(), nullptr, nullptr);
}
