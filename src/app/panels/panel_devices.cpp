// memfit - SPDX-License-Identifier: Apache-2.0
//
// Which devices hold it: the table, sortable, filtered and searched.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/draw/widgets.h"
#include "app/state.h"
#include "base/sort.h"
#include "base/text.h"
#include "imgui.h"

namespace memfit::app {
namespace {

constexpr std::size_t kFirstRows = 14;

constexpr Vendor kVendors[] = {Vendor::kNvidia, Vendor::kAmd, Vendor::kIntel, Vendor::kApple,
                               Vendor::kGoogle, Vendor::kAws, Vendor::kHuawei};
struct ClassEntry {
  DeviceClass deviceClass;
  Text title;
};
constexpr ClassEntry kClasses[] = {{DeviceClass::kConsumer, Text::kClassConsumer},
                                   {DeviceClass::kDatacentre, Text::kClassDatacentre},
                                   {DeviceClass::kWorkstation, Text::kClassWorkstation},
                                   {DeviceClass::kUnified, Text::kClassUnified},
                                   {DeviceClass::kLaptop, Text::kClassLaptop},
                                   {DeviceClass::kCloud, Text::kClassCloud}};

// Those that hold it come first, the smallest of them on top; then the ones that nearly do.
bool bestFirst(const FitRow& a, const FitRow& b) {
  if (a.holds() != b.holds()) return a.holds();
  return a.holds() ? a.headroom < b.headroom : a.headroom > b.headroom;
}

bool before(const FitRow& a, const FitRow& b, DeviceColumn column) {
  switch (column) {
    case DeviceColumn::kName: return toLower(a.device.name) < toLower(b.device.name);
    case DeviceColumn::kUsable: return a.usable.bytes < b.usable.bytes;
    case DeviceColumn::kNeed: return a.need.high < b.need.high;
    case DeviceColumn::kHeadroom: return a.headroom < b.headroom;
    case DeviceColumn::kNeeded: {
      // "None" is more than any number.
      const Count most = Count::overflow();
      const Count left = a.devicesNeeded == Count(0) ? most : a.devicesNeeded;
      const Count right = b.devicesNeeded == Count(0) ? most : b.devicesNeeded;
      return left < right;
    }
    case DeviceColumn::kBest: break;
  }
  return bestFirst(a, b);
}

std::vector<const FitRow*> chosenRows(AppState& state) {
  std::vector<const FitRow*> rows;
  const std::string wanted = toLower(trim(state.look.deviceSearch));
  for (const FitRow& row : state.fitRows()) {
    if (state.look.vendor && row.device.vendor != *state.look.vendor) continue;
    if (state.look.deviceClass && row.device.deviceClass != *state.look.deviceClass) continue;
    if (!wanted.empty() && toLower(row.device.name).find(wanted) == std::string::npos) continue;
    rows.push_back(&row);
  }
  const DeviceColumn column = state.look.sort;
  const bool ascending = state.look.ascending || column == DeviceColumn::kBest;
  sortStably(rows.begin(), rows.end(), [&](const FitRow* a, const FitRow* b) {
    return ascending ? before(*a, *b, column) : before(*b, *a, column);
  });
  if (column == DeviceColumn::kBest) {
    // The chosen device stays in sight.
    const auto chosen = std::find_if(rows.begin(), rows.end(), [&](const FitRow* row) {
      return row->device.id == state.query.text(Key::kDevice);
    });
    if (chosen != rows.end()) std::rotate(rows.begin(), chosen, chosen + 1);
  }
  return rows;
}

void drawFilters(AppState& state, Column& column) {
  Rect row = column.take(theme().control);
  float vendorWidth = 150;
  const bool narrow = column.w < 480;
  textField("##search", {row.x, row.y, row.w - (narrow ? 0 : vendorWidth + 8), row.h},
            state.look.deviceSearch, say(Text::kSearchDevices), true);
  if (narrow) {
    column.gap(8);
    row = column.take(theme().control);
    vendorWidth = row.w;
  }
  const std::string_view shown =
      state.look.vendor ? vendorName(*state.look.vendor) : say(Text::kAllVendors);
  if (beginSelect("vendor", {row.right() - vendorWidth, row.y, vendorWidth, row.h}, shown)) {
    if (option("all", say(Text::kAllVendors), !state.look.vendor)) state.look.vendor.reset();
    for (const Vendor vendor : kVendors) {
      const std::string id(vendorName(vendor));
      if (option(id.c_str(), vendorName(vendor), state.look.vendor == vendor)) {
        state.look.vendor = vendor;
      }
    }
    endSelect();
  }
  column.gap(8);
  std::vector<std::string_view> words{say(Text::kAllClasses)};
  int chosen = 0;
  for (const ClassEntry& entry : kClasses) {
    words.push_back(say(entry.title));
    if (state.look.deviceClass == entry.deviceClass) chosen = static_cast<int>(words.size()) - 1;
  }
  if (const auto pressed = chips("class", column, words, chosen)) {
    if (*pressed == 0) {
      state.look.deviceClass.reset();
    } else {
      state.look.deviceClass = kClasses[*pressed - 1].deviceClass;
    }
  }
}

// Where each column of the table lies.
struct Columns {
  Rect name, usable, need, headroom, bar, needs;
  bool hasNeed, hasBar, hasUsable;
};

Columns columnsOf(const Rect& row) {
  Columns c{};
  c.hasNeed = row.w >= 660;
  c.hasBar = row.w >= 520;
  c.hasUsable = row.w >= 420;
  float right = row.right() - 6;
  const auto take = [&](float width) {
    right -= width;
    return Rect{right, row.y, width, row.h};
  };
  const bool tight = row.w < 600;
  c.needs = take(tight ? 48 : 56);
  if (c.hasBar) {
    right -= 16;
    c.bar = take(tight ? 76 : 110);
  }
  right -= 12;
  c.headroom = take(tight ? 84 : 92);
  if (c.hasNeed) {
    right -= 8;
    c.need = take(88);
  }
  if (c.hasUsable) {
    right -= 8;
    c.usable = take(tight ? 76 : 88);
  }
  right -= 8;
  c.name = {row.x + 6, row.y, right - row.x - 6, row.h};
  return c;
}

void drawHead(AppState& state, const Rect& row) {
  const Columns c = columnsOf(row);
  const auto head = [&](const char* id, const Rect& rect, Text title, DeviceColumn column,
                        Align align) {
    const Touch touch = pressable(id, rect);
    const bool on = state.look.sort == column;
    const Rgb ink = on || touch.hovered ? colors().text : colors().muted;
    Rect place = rect;
    if (on) {
      const float width = textWidth(kSmallBold, say(title));
      const float x = align == Align::kRight ? rect.right() - width - 10 : rect.x + width + 10;
      drawIcon(state.look.ascending ? Icon::kChevronUp : Icon::kChevronDown, x, rect.middleY(), 8,
               ink);
    }
    drawTextIn(place, on ? kSmallBold : kSmall, ink, say(title), align);
    if (touch.pressed) {
      // Up, down, and back to the best first.
      if (!on) {
        state.look.sort = column;
        state.look.ascending = column == DeviceColumn::kName || column == DeviceColumn::kNeeded;
      } else {
        const bool first = column == DeviceColumn::kName || column == DeviceColumn::kNeeded;
        if (state.look.ascending == first) {
          state.look.ascending = !first;
        } else {
          state.look.sort = DeviceColumn::kBest;
        }
      }
    }
  };
  head("name", c.name, Text::kColumnDevice, DeviceColumn::kName, Align::kLeft);
  if (c.hasUsable)
    head("usable", c.usable, Text::kColumnUsable, DeviceColumn::kUsable, Align::kRight);
  if (c.hasNeed) head("need", c.need, Text::kColumnNeed, DeviceColumn::kNeed, Align::kRight);
  head("headroom", c.headroom, Text::kColumnHeadroom, DeviceColumn::kHeadroom, Align::kRight);
  head("needs", c.needs, Text::kColumnNeeds, DeviceColumn::kNeeded, Align::kRight);
  hairline(row.x, row.bottom() - 1, row.w);
}

std::string_view basisText(Basis basis) {
  switch (basis) {
    case Basis::kFramework: return say(Text::kBasisFramework);
    case Basis::kDriver: return say(Text::kBasisDriver);
    case Basis::kOlderMacos: return say(Text::kBasisOlderMacos);
    case Basis::kThreeQuarters: return say(Text::kBasisThreeQuarters);
    case Basis::kLabel: return say(Text::kBasisLabel);
    case Basis::kGiven:
    case Basis::kCount: break;
  }
  return say(Text::kBasisGiven);
}

void drawRow(AppState& state, const Rect& row, const FitRow& fit) {
  const std::string id(fit.device.id);
  const Touch touch = pressable(id.c_str(), row);
  if (touch.pressed) state.query.setText(Key::kDevice, fit.device.id);
  if (isHidden(row)) return;
  const Palette& p = colors();
  const bool chosen = state.query.text(Key::kDevice) == fit.device.id;
  if (chosen) {
    fill({row.x, row.y, row.w, row.h - 1}, p.accentSoft);
    fill({row.x, row.y, 2, row.h - 1}, p.accent);
  } else if (touch.hovered) {
    fill({row.x, row.y, row.w, row.h - 1}, p.surface);
  }
  const Columns c = columnsOf(row);
  const NumberStyle& numbers = state.numbers();
  const auto gigabytes = [&](Bytes bytes) {
    return cat(formatGigabytes(bytes, state.units(), numbers), "\u00a0",
               gigabyteName(state.units(), numbers));
  };
  drawTextIn(c.name, chosen ? kLabelBold : kLabel, p.text, deviceName(state, fit.device));
  if (c.hasUsable) drawTextIn(c.usable, kLabel, p.text, gigabytes(fit.usable.bytes), Align::kRight);
  if (c.hasNeed) drawTextIn(c.need, kLabel, p.muted, gigabytes(fit.need.high), Align::kRight);
  const bool known = fit.need.high > Bytes(0);
  if (known) {
    drawTextIn(c.headroom, kLabel, moodColor(moodOf(fit.verdict)),
               formatSigned(fit.headroom, state.units(), numbers), Align::kRight);
  } else {
    drawTextIn(c.headroom, kLabel, p.muted, "\u2013", Align::kRight);
  }
  if (c.hasBar && known) {
    const double share = fit.need.high.toDouble() / std::max(1.0, fit.usable.bytes.toDouble());
    headroomBar({c.bar.x, row.middleY() - 3, c.bar.w, 6}, share, moodOf(fit.verdict));
  }
  const Count needed = fit.holds() ? fit.count : fit.devicesNeeded;
  const std::string needs =
      needed == Count(0) ? std::string(say(Text::kNeedsNone))
                         : say(Text::kNeedsCount,
                               {formatWhole(static_cast<std::int64_t>(needed.value()), numbers)});
  drawTextIn(c.needs, kLabel, needed == Count(0) ? p.muted : p.text, needs, Align::kRight);
  if (c.hasUsable) tip(c.usable, basisText(fit.usable.basis));
  hairline(row.x, row.bottom() - 1, row.w);
}

}  // namespace

void drawDevices(AppState& state, Column& whole) {
  whole.gap(12);
  // Beside the table, where there is room, the map.
  const float mapWidth = std::round(std::clamp(whole.w * 0.38f, 330.0f, 560.0f));
  const bool aside = whole.w >= 860;
  Column map{whole.x + whole.w - mapWidth, whole.y, mapWidth};
  if (aside) drawMapIn(state, map, mapWidth * 0.9f);
  Column column{whole.x, whole.y, aside ? whole.w - mapWidth - 24 : whole.w};
  drawFilters(state, column);
  column.gap(4);
  drawHead(state, column.take(theme().row));
  const std::vector<const FitRow*> rows = chosenRows(state);
  const bool all = state.look.allDevices || rows.size() <= kFirstRows + 2;
  const std::size_t count = all ? rows.size() : kFirstRows;
  for (std::size_t i = 0; i < count; ++i) drawRow(state, column.take(theme().row), *rows[i]);
  if (rows.empty()) {
    drawTextIn(column.take(48), kLabel, colors().muted, say(Text::kNoDeviceFound));
  }
  if (rows.size() > kFirstRows + 2) {
    column.gap(10);
    const std::string label =
        all ? std::string(say(Text::kShowFewer))
            : say(Text::kShowAll,
                  {formatWhole(static_cast<std::int64_t>(rows.size()), state.numbers())});
    if (link("all", column.x + 6, column.y, label)) state.look.allDevices = !all;
    column.gap(lineHeight(kLabel));
  }
  whole.y = std::max(column.y, aside ? map.y : 0);
}

}  // namespace memfit::app
