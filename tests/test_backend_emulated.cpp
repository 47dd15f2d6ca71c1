// Tangled from org/tests/host_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>

#include "backend_conformance.hpp"

using namespace cadastre::internal;

namespace {

struct Device {
  static Backend& backend() { return *find_backend(CADASTRE_BACKEND_HOST); }
  static constexpr cadastre_memory_type type = CADASTRE_DEVICE;
};

struct Managed : Device {
  static constexpr cadastre_memory_type type = CADASTRE_UVM;
};

void devices_are_as_many_as_were_asked_for(void**) {
  const Presence presence = Device::backend().presence();
  assert_true(presence.usable);
  assert_int_equal(presence.devices, 2);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) assert_true(Device::backend().serves(type));
  assert_int_equal(admit(Device::backend(), {8, 0, CADASTRE_DEVICE, 2, true}), CADASTRE_INVALID_ARG_2);
}

void an_emulated_device_accelerates_nothing(void**) { assert_false(Device::backend().presence().accelerates); }

void an_emulated_device_has_a_number_and_the_memory_of_the_machine(void**) {
  const char* const names[] = {"emulated device 0", "emulated device 1"};
  for (std::int32_t device = 0; device < 2; ++device) {
    DeviceDescription description{};
    assert_int_equal(Device::backend().describe(device, description), CADASTRE_SUCCESS);
    assert_string_equal(description.name, names[device]);
    assert_true(description.total > std::size_t{64} << 20);
    assert_true(description.free > 0 && description.free < description.total);
  }
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  return Conformance<Device, Managed>::run("emulated devices",
                                           {
                                               cmocka_unit_test(devices_are_as_many_as_were_asked_for),
                                               cmocka_unit_test(an_emulated_device_accelerates_nothing),
                                               cmocka_unit_test(an_emulated_device_has_a_number_and_the_memory_of_the_machine),
                                           });
}
