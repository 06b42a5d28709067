// memfit - SPDX-License-Identifier: Apache-2.0
//
// The row of tabs, the panel of the chosen one; the notices and the rows side by side above them.
#include <algorithm>

#include "app/draw/widgets.h"
#include "app/platform/host.h"
#include "app/state.h"
#include "imgui.h"

namespace memfit::app {
namespace {

struct TabEntry {
  Tab tab;
  std::string_view name;  // for showTab
  Text title;
  void (*draw)(AppState&, Column&);
};
constexpr TabEntry kTabs[] = {{Tab::kDevices, "devices", Text::kTabDevices, drawDevices},
                              {Tab::kBreakdown, "breakdown", Text::kTabBreakdown, drawBreakdown},
                              {Tab::kMap, "map", Text::kTabMap, drawMap},
                              {Tab::kMethods, "methods", Text::kTabMethods, drawMethods},
                              {Tab::kAdvice, "advice", Text::kTabAdvice, drawAdvice},
                              {Tab::kModel, "model", Text::kTabModel, drawModel},
                              {Tab::kCompare, "compare", Text::kTabCompare, drawCompare}};

constexpr float kReadable = 1080;  // the widest that a line with numbers at its end should be

}  // namespace

void showTab(AppState& state, std::string_view name) {
  for (const TabEntry& entry : kTabs) {
    if (entry.name == name) state.look.tab = entry.tab;
  }
}

void drawTabs(AppState& state, Column& column) {
  if (state.answer() == nullptr) return;
  ImGui::PushID("tabs");
  column.gap(20);
  std::vector<std::string_view> titles;
  int chosen = 0;
  for (std::size_t i = 0; i < std::size(kTabs); ++i) {
    titles.push_back(say(kTabs[i].title));
    if (kTabs[i].tab == state.look.tab) chosen = static_cast<int>(i);
  }
  if (const auto pressed = tabs("tabs", column, titles, chosen)) {
    state.look.tab = kTabs[static_cast<std::size_t>(*pressed)].tab;
    chosen = *pressed;
  }
  ImGui::PushID(chosen);
  // Only the table with its map beside it gains from a very wide page.
  const TabEntry& entry = kTabs[static_cast<std::size_t>(chosen)];
  Column panel = column;
  if (entry.tab != Tab::kDevices) panel.w = std::min(panel.w, kReadable);
  entry.draw(state, panel);
  column.y = panel.y;
  ImGui::PopID();
  ImGui::PopID();
}

void drawNotices(AppState& state, Column& column) {
  const Notices& notices = state.notices();
  if (notices.empty()) return;
  ImGui::PushID("notices");
  const Palette& p = colors();
  column.gap(12);
  constexpr std::size_t kShown = 2;
  const bool all = state.look.allNotices || notices.size() <= kShown + 1;
  const std::size_t count = all ? notices.size() : kShown;
  for (std::size_t i = 0; i < count; ++i) {
    const Notice& notice = notices[i];
    const bool assumption = notice.code == NoticeCode::kAssumption;
    const std::string text = noticeText(notice);
    const float left = column.x + 20;
    const float height = paragraphHeight(column.w - 20, kLabel, text);
    if (assumption) {
      canvas()->AddCircleFilled(ImVec2(column.x + 6, column.y + 10), 2.5f, color(p.muted));
    } else {
      drawIcon(Icon::kWarning, column.x + 6, column.y + 9, 12, p.tight);
    }
    drawParagraph(left, column.y, column.w - 20, kLabel, assumption ? p.muted : p.tight, text);
    column.gap(height + 2);
  }
  if (!all || state.look.allNotices) {
    const std::string more =
        all ? std::string(say(Text::kNoticesLess))
            : say(Text::kNoticesMore, {std::to_string(notices.size() - kShown)});
    if (link("more", column.x + 20, column.y, more)) state.look.allNotices = !all;
    column.gap(lineHeight(kLabel));
  }
  ImGui::PopID();
}

namespace {

// What a row is called: serving by the bits of the weights, fine-tuning by its way.
std::string variantLabel(const Variant& variant, std::size_t index) {
  constexpr std::string_view kServingBits[] = {"16", "8", "4"};
  if (!variant.query.isTraining()) {
    return say(Text::kBits, {kServingBits[std::min<std::size_t>(index, 2)]});
  }
  if (variant.query.task() != Task::kQlora) {
    return std::string(wordOf(fieldOf(Key::kTask), static_cast<std::size_t>(variant.query.task())));
  }
  const bool eight = variant.query.choice<WeightFormat>(Key::kWeights) == WeightFormat::kInt8;
  return say(Text::kQloraBits, {eight ? "8" : "4"});
}

}  // namespace

void drawVariants(AppState& state, Column& column) {
  if (state.answer() == nullptr) return;
  const std::vector<Variant>& variants = state.variants();
  if (variants.empty()) return;
  ImGui::PushID("variants");
  column.gap(16);
  const Palette& p = colors();
  const int count = static_cast<int>(variants.size());
  const int across = column.w < 520 && count > 3 ? 2 : count;
  const int rows = (count + across - 1) / across;
  std::optional<Query> applied;
  for (int i = 0; i < count; ++i) {
    const Variant& variant = variants[static_cast<std::size_t>(i)];
    const int row = i / across;
    const Rect line{column.x, column.y + static_cast<float>(row) * 72, column.w, 64};
    const Rect rect = cell(line, i % across, across, 8);
    ImGui::PushID(i);
    const Touch touch = pressable("variant", rect);
    ImGui::PopID();
    fill(rect, variant.asked ? p.accentSoft : touch.hovered ? p.hover : p.surface, 8);
    stroke(rect, variant.asked ? p.accent : p.line, 8);
    const Rect inner = rect.inset(12, 8);
    drawTextIn({inner.x, inner.y, inner.w, 20}, kLabel, variant.asked ? p.accent : p.muted,
               variantLabel(variant, static_cast<std::size_t>(i)));
    const Answer& answer = variant.answer;
    const Band need = answer.fit ? answer.fit->need : answer.report.perDevice;
    const Quantity amount = formatBytes(need.expected, state.units(), state.numbers());
    const float after = drawText(inner.x, inner.bottom() - 6, kHeading, p.text, amount.value);
    drawText(after + 4, inner.bottom() - 6, kLabel, p.muted, amount.unit);
    if (answer.fit) {
      const Mood mood = moodOf(answer.fit->verdict);
      drawIcon(moodIcon(mood), inner.right() - 6, inner.bottom() - 11, 12, moodColor(mood));
    }
    if (touch.pressed && !variant.asked) applied = variant.query;
  }
  column.gap(static_cast<float>(rows) * 72 - 8);
  if (applied) state.apply(*applied);
  ImGui::PopID();
}

}  // namespace memfit::app
