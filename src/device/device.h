// memfit - SPDX-License-Identifier: Apache-2.0
//
// Devices, and how much memory each really has for a model.
//
// The number on the box is not it. What counts is what CUDA, HIP or Metal call the total: on Linux
// a little below what the driver's tool shows, on unified memory a share of the machine's. Both are
// kept as they were read, in MiB, with their source.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/count.h"
#include "query/query.h"

namespace memfit {

enum class Vendor : std::uint8_t {
  kNvidia,
  kAmd,
  kIntel,
  kApple,
  kGoogle,
  kAws,
  kHuawei,
  kOther,
  kCount
};
std::string_view vendorName(Vendor vendor);  // "NVIDIA", ...

enum class DeviceClass : std::uint8_t {
  kDatacentre,
  kWorkstation,
  kConsumer,
  kLaptop,
  kUnified,
  kCloud,
  kCustom,
  kCount
};
std::string_view deviceClassName(DeviceClass deviceClass);  // "datacentre", ...

// Cards with GDDR and inline error correction lose a sixteenth of their memory while it is on. HBM
// has it always and visibly loses nothing; GeForce has none.
enum class Ecc : std::uint8_t { kNone, kOnByDefault, kOffByDefault };

struct Device {
  std::string_view id;
  std::string_view name;
  Vendor vendor;
  DeviceClass deviceClass;
  std::uint32_t labelGb;       // on the box
  std::uint32_t visibleMib;    // nvidia-smi, rocm-smi, ...; 0: not seen
  std::uint32_t frameworkMib;  // CUDA, HIP, Metal total; 0: not seen
  std::uint32_t olderMib;      // Metal limit of macOS up to 15; 0: not an Apple device
  Ecc ecc;
  bool measured;  // a figure was seen for this very device
  std::uint16_t year;
  std::string_view source;
  Bytes given = 0;  // kCustom: the size itself

  bool unified() const { return deviceClass == DeviceClass::kUnified; }
};

// The catalogue (device_table.cpp), by vendor and class.
std::span<const Device> devices();
// By id, ASCII case ignored. A size such as "24GB" or "40GiB" gives a device of just that much,
// with the id "custom". nullopt for anything else.
std::optional<Device> findDevice(std::string_view text);

// What a usable figure rests on; said beside it.
enum class Basis : std::uint8_t {
  kFramework,      // what CUDA, HIP or Metal call the total
  kDriver,         // what the driver's tool shows, less the gap seen on its kind
  kOlderMacos,     // the limit of macOS up to 15
  kThreeQuarters,  // three quarters of unified memory
  kLabel,          // the number on the box, read as 10^9 bytes a gigabyte: nothing was measured
  kGiven,          // a size that the user gave
  kCount
};
std::string_view basisName(Basis basis);  // "framework", "driver", ...

struct Usable {
  Bytes total;  // before the reserve
  Bytes bytes;  // after it
  Basis basis = Basis::kFramework;
};

// Usable memory of one device under the query's `reserve`, `unified` and `ecc`.
Usable usableOf(const Device& device, const Query& query);

}  // namespace memfit
