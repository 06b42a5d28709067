// memfit - SPDX-License-Identifier: Apache-2.0
//
// Recent: the answers to the last N questions, for who asks the same ones again and again. What was
// asked for longest ago makes room.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace memfit {

template <typename Key, typename Value, std::size_t N>
class Recent {
 public:
  // nullptr when it is not there. Valid until the next keep().
  const Value* find(const Key& key) {
    for (Slot& slot : slots_) {
      if (!slot.kept || slot.kept->first != key) continue;
      slot.used = ++clock_;
      return &slot.kept->second;
    }
    return nullptr;
  }

  const Value& keep(Key key, Value value) {
    Slot* oldest = &slots_.front();
    for (Slot& slot : slots_) {
      if (slot.used < oldest->used) oldest = &slot;
    }
    oldest->used = ++clock_;
    oldest->kept.emplace(std::move(key), std::move(value));
    return oldest->kept->second;
  }

 private:
  struct Slot {
    std::uint64_t used = 0;
    std::optional<std::pair<Key, Value>> kept;
  };
  std::array<Slot, N> slots_;
  std::uint64_t clock_ = 0;
};

}  // namespace memfit
