// memfit - SPDX-License-Identifier: Apache-2.0
//
// Overloaded{lambdas...}: one visitor for std::visit out of a lambda an alternative.
#pragma once

namespace memfit {

template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
// clang 14 does not deduce this for aggregates by itself.
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace memfit
