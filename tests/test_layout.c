/* Tangled from org/api/layout.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "layouts.h"

static const struct {
  const char* name;
  const void* zero;
  size_t size;
} structures[] = {
    {"cadastre_context_options_struct", &cadastre_context_options_struct_zero, sizeof(cadastre_context_options_struct)},
    {"cadastre_backend_operations_struct", &cadastre_backend_operations_struct_zero, sizeof(cadastre_backend_operations_struct)},
    {"cadastre_destroy_summary_struct", &cadastre_destroy_summary_struct_zero, sizeof(cadastre_destroy_summary_struct)},
    {"cadastre_statistics_struct", &cadastre_statistics_struct_zero, sizeof(cadastre_statistics_struct)},
    {"cadastre_out_of_memory_struct", &cadastre_out_of_memory_struct_zero, sizeof(cadastre_out_of_memory_struct)},
    {"cadastre_registry_info_struct", &cadastre_registry_info_struct_zero, sizeof(cadastre_registry_info_struct)},
    {"cadastre_pool_info_struct", &cadastre_pool_info_struct_zero, sizeof(cadastre_pool_info_struct)},
    {"cadastre_backend_info_struct", &cadastre_backend_info_struct_zero, sizeof(cadastre_backend_info_struct)},
    {"cadastre_device_info_struct", &cadastre_device_info_struct_zero, sizeof(cadastre_device_info_struct)},
    {"cadastre_memory_usage_struct", &cadastre_memory_usage_struct_zero, sizeof(cadastre_memory_usage_struct)},
    {"cadastre_environment_info_struct", &cadastre_environment_info_struct_zero, sizeof(cadastre_environment_info_struct)},
    {"cadastre_host_resource_struct", &cadastre_host_resource_struct_zero, sizeof(cadastre_host_resource_struct)},
    {"cadastre_host_resource_info_struct", &cadastre_host_resource_info_struct_zero, sizeof(cadastre_host_resource_info_struct)},
    {"cadastre_error_struct", &cadastre_error_struct_zero, sizeof(cadastre_error_struct)},
    {"cadastre_workspace_info_struct", &cadastre_workspace_info_struct_zero, sizeof(cadastre_workspace_info_struct)},
};

static void every_structure_begins_with_its_own_size(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof structures / sizeof *structures; ++i) {
    size_t struct_size = 0;
    memcpy(&struct_size, structures[i].zero, sizeof struct_size);
    if (struct_size != structures[i].size) fail_msg("%s begins with %zu", structures[i].name, struct_size);
  }
}

static void a_request_of_zeros_is_the_default(void** state) {
  (void)state;
  static const cadastre_memory_info_struct zeros;
  assert_memory_equal(&cadastre_memory_info_struct_zero, &zeros, sizeof zeros);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_structure_begins_with_its_own_size),
      cmocka_unit_test(a_request_of_zeros_is_the_default),
  };
  return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
