// memfit - SPDX-License-Identifier: Apache-2.0
#include "device/device.h"

#include "base/text.h"
#include "query/query_io.h"

namespace memfit {

namespace {

struct Total {
  Bytes bytes;
  Basis basis;
};

// Between what the driver's tool shows and what the framework calls total. NVIDIA on Linux: 250 MiB
// on cards of 12 GB, 300 to 500 on 24, 450 to 750 from 48 up; two percent within those bounds
// covers the 20 pairs of shared/facts/device_facts.md section 1 (read 2026-11-29) but for the
// smallest cards. AMD: 16 MiB at most (same source). Others print one figure.
Bytes driverGap(const Device& device, Bytes visible) {
  switch (device.vendor) {
    case Vendor::kNvidia: return min(max(visible.scaled(2, 100), kMiB * 250), kMiB * 750);
    case Vendor::kAmd: return kMiB * 16;
    default: return 0;
  }
}

// Inline error correction takes a sixteenth; the figures are those of the card's default state.
Bytes withEcc(const Device& device, Bytes bytes, EccPolicy policy) {
  if (device.ecc == Ecc::kOnByDefault && policy == EccPolicy::kOff) return bytes.scaled(16, 15);
  if (device.ecc == Ecc::kOffByDefault && policy == EccPolicy::kOn) return bytes.scaled(15, 16);
  return bytes;
}

Total totalOf(const Device& device, const Query& query) {
  const auto policy = query.choice<UnifiedPolicy>(Key::kUnified);
  if (device.deviceClass == DeviceClass::kCustom) {
    return {device.given, Basis::kGiven};
  }
  if (device.unified()) {
    if (policy == UnifiedPolicy::kOlder && device.olderMib != 0) {
      return {Bytes(device.olderMib) * kMiB, Basis::kOlderMacos};
    }
    // The plan of the published rule: three quarters of what the machine has (unified memory is
    // sold in GiB). It also stands in where no limit was measured.
    if (policy == UnifiedPolicy::kPlan || device.frameworkMib == 0) {
      return {(kGiB * device.labelGb).scaled(3, 4), Basis::kThreeQuarters};
    }
    return {Bytes(device.frameworkMib) * kMiB, Basis::kFramework};
  }
  const auto ecc = query.choice<EccPolicy>(Key::kEcc);
  if (device.frameworkMib != 0) {
    return {withEcc(device, Bytes(device.frameworkMib) * kMiB, ecc), Basis::kFramework};
  }
  if (device.visibleMib != 0) {
    const Bytes visible = withEcc(device, Bytes(device.visibleMib) * kMiB, ecc);
    return {visible - driverGap(device, visible), Basis::kDriver};
  }
  return {kGB * device.labelGb, Basis::kLabel};
}

}  // namespace

std::string_view vendorName(Vendor vendor) {
  constexpr std::string_view kNames[] = {"NVIDIA", "AMD", "Intel",  "Apple",
                                         "Google", "AWS", "Huawei", "custom"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Vendor::kCount));
  return kNames[static_cast<std::size_t>(vendor)];
}

std::string_view deviceClassName(DeviceClass deviceClass) {
  constexpr std::string_view kNames[] = {"datacentre", "workstation", "consumer", "laptop",
                                         "unified",    "cloud",       "custom"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(DeviceClass::kCount));
  return kNames[static_cast<std::size_t>(deviceClass)];
}

std::string_view basisName(Basis basis) {
  constexpr std::string_view kNames[] = {"framework",      "driver", "older-macos",
                                         "three-quarters", "label",  "given"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Basis::kCount));
  return kNames[static_cast<std::size_t>(basis)];
}

std::optional<Device> findDevice(std::string_view text) {
  const std::string id = toLower(trim(text));
  for (const Device& device : devices()) {
    if (device.id == id) return device;
  }
  // A size: what the field `reserve` accepts, bytes with a unit.
  if (id.ends_with("b") && !id.empty() && id.front() >= '0' && id.front() <= '9') {
    Query size;
    Notices notices;
    setFromText(size, fieldOf(Key::kReserve), id, notices);
    const Amount amount = size.amount(Key::kReserve);
    if (notices.empty() && !amount.isShare && amount.value > 0) {
      return Device{"custom",
                    "custom",
                    Vendor::kOther,
                    DeviceClass::kCustom,
                    0,
                    0,
                    0,
                    0,
                    Ecc::kNone,
                    false,
                    0,
                    {},
                    Bytes(amount.value)};
    }
  }
  return std::nullopt;
}

Usable usableOf(const Device& device, const Query& query) {
  const Total total = totalOf(device, query);
  return {total.bytes, total.bytes - query.amount(Key::kReserve).of(total.bytes), total.basis};
}

}  // namespace memfit
