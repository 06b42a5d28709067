// memfit - SPDX-License-Identifier: Apache-2.0
//
// The model: choosing it, and what is in it.
#include <algorithm>
#include <vector>

#include "app/draw/fields_ui.h"
#include "app/draw/widgets.h"
#include "app/platform/host.h"
#include "app/state.h"
#include "app/words/value_text.h"
#include "base/sort.h"
#include "base/text.h"
#include "imgui.h"
#include "model/catalogue.h"

namespace memfit::app {
namespace {

constexpr std::int64_t kBillion = 1000000000;
constexpr std::size_t kMostListed = 80;

// "8.03 B", "235 B, 22 B active": read from the entry only when its line can be seen.
std::string sizeOf(const AppState& state, const CatalogueEntry& entry) {
  const Result<std::shared_ptr<const Model>> model = catalogueModel(entry.id);
  if (!model) return {};
  const Count all = (*model)->parameters();
  const Count active = (*model)->activeParameters();
  std::string text = formatParameters(all, state.numbers());
  if (active * 10 < all * 9) {
    text = cat(text, " \u00b7 ", say(Text::kActiveOf, {formatParameters(active, state.numbers())}));
  }
  return text;
}

void chooseModel(AppState& state, std::string_view id) {
  forgetModel(state.query);
  state.modelFile.clear();
  if (id != kDefaultModel) state.query.setText(Key::kModel, id);
}

void chooseSize(AppState& state) {
  const Answer* answer = state.answer();
  const Count now = answer != nullptr ? answer->report.parameters : Count(7 * kBillion);
  chooseModel(state, kDefaultModel);
  state.query.set(Key::kParams, std::clamp<std::int64_t>(snapDecimal(now.toDouble()), kBillion / 10,
                                                         2000 * kBillion));
}

std::string shownModel(const AppState& state) {
  if (!state.modelFile.empty()) return state.modelFile;
  if (state.query.has(Key::kParams)) return std::string(say(Text::kBySize));
  const Answer* answer = state.answer();
  if (answer != nullptr && answer->report.model && !answer->report.model->name.empty()) {
    return answer->report.model->name;
  }
  return valueShown(fieldOf(Key::kModel), state.query.text(Key::kModel));
}

void drawPicker(AppState& state, const Rect& rect) {
  if (!beginSelect("model", rect, shownModel(state), 420, 420)) return;
  if (ImGui::IsWindowAppearing()) host::needModels();
  selectSearch(state.look.listSearch, say(Text::kSearchModels));
  const std::string_view wanted = trim(state.look.listSearch);
  if (wanted.empty()) {
    if (option("size", say(Text::kBySize), state.query.has(Key::kParams),
               say(Text::kBySizeDetail))) {
      chooseSize(state);
    }
    if (option("file", say(Text::kOpenFile), false, say(Text::kOpenFileDetail))) {
      host::pickModelFile();
    }
  }
  const Answer* answer = state.answer();
  const bool named = !state.query.has(Key::kParams) && !state.query.has(Key::kConfig);
  for (const CatalogueEntry* entry : searchModels(wanted, kMostListed)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool seen = ImGui::IsRectVisible(at, ImVec2(at.x + 1, at.y + 40));
    const bool chosen =
        named && answer != nullptr && answer->report.model && answer->report.model->id == entry->id;
    if (option(entry->id.c_str(), entry->name, chosen,
               seen ? sizeOf(state, *entry) : std::string())) {
      chooseModel(state, entry->id);
    }
  }
  endSelect();
}

// A model that is known by its size.
void drawSize(AppState& state, Column& column) {
  const bool moe = state.query.has(Key::kActive);
  const std::string_view types[] = {say(Text::kDense), say(Text::kMoe)};
  const auto chosen = segmented("type", column.take(theme().control), types, moe ? 1 : 0);
  const std::int64_t params = std::max(state.query.number(Key::kParams), kBillion / 10);
  if (chosen && *chosen == 0) state.query.clear(Key::kActive);
  if (chosen && *chosen == 1) {
    state.query.set(Key::kActive, std::max(snapDecimal(static_cast<double>(params) / 8),
                                           fieldOf(Key::kActive).min));
  }
  column.gap(12);
  drawSlider(state, column, Key::kParams, {kBillion / 10, 2000 * kBillion, snapDecimal});
  if (state.query.has(Key::kActive)) {
    column.gap(4);
    drawSlider(state, column, Key::kActive,
               {kBillion / 10, std::max(params, kBillion / 5), snapDecimal});
  }
}

// "8.03 B parameters . 32 layers . 8 of 32 heads in the cache"
std::string factsOf(const AppState& state) {
  const Report& report = state.answer()->report;
  const NumberStyle& n = state.numbers();
  std::string text = say(Text::kParametersOf, {formatParameters(report.parameters, n)});
  if (report.activeParameters * 10 < report.parameters * 9) {
    text += " \u00b7 " + say(Text::kActiveOf, {formatParameters(report.activeParameters, n)});
  }
  if (report.model && !report.sizeOnly) {
    const Count layers = report.model->architecture.layerCount();
    text += " \u00b7 " +
            say(Text::kLayersOf, {formatWhole(static_cast<std::int64_t>(layers.value()), n)});
  } else {
    text += cat(" \u00b7 ", say(Text::kTypicalShape));
  }
  return text;
}

std::string_view partText(Part part) {
  switch (part) {
    case Part::kVision: return say(Text::kPartVision);
    case Part::kAudio: return say(Text::kPartAudio);
    case Part::kNextTokens: return say(Text::kPartNextTokens);
    case Part::kMain: break;
  }
  return say(Text::kPartMain);
}

struct Line {
  const TensorGroup* group;
  Count tensors, parameters;
  Bytes bytes;
};

}  // namespace

void drawModelControl(AppState& state, Column& column) {
  drawLabel(column.take(22), Key::kModel);
  drawPicker(state, column.take(theme().control));
  column.gap(6);
  if (state.query.has(Key::kParams)) {
    column.gap(4);
    drawSize(state, column);
    return;
  }
  if (state.answer() != nullptr) {
    column.gap(drawParagraph(column.x, column.y, column.w, kSmall, colors().muted, factsOf(state)));
  }
  const std::string_view hint = say(Text::kFileHint);
  if (textWidth(kSmall, hint) <= column.w) {
    if (link("file", column.x, column.y, hint, kSmall)) host::pickModelFile();
    column.gap(lineHeight(kSmall));
  }
  column.gap(4);
}

void drawModel(AppState& state, Column& column) {
  const Report& report = state.answer()->report;
  if (!report.model) return;
  const Model& model = *report.model;
  const Palette& p = colors();
  const NumberStyle& n = state.numbers();
  column.gap(14);
  drawTextIn(column.take(26), kHeading, p.text,
             report.sizeOnly ? std::string(say(Text::kBySize)) : model.name);
  std::string facts = factsOf(state);
  if (!model.license.empty()) facts += " \u00b7 " + model.license;
  if (!model.release.empty()) facts += " \u00b7 " + model.release;
  column.gap(drawParagraph(column.x, column.y, column.w, kLabel, p.muted, facts));
  for (const std::string& notice : model.notices) {
    column.gap(drawParagraph(column.x, column.y, column.w, kLabel, p.muted, sentence(notice)));
  }
  column.gap(8);

  std::vector<Line> lines;
  Count most = 1;
  for (const TensorGroup& group : model.inventory.groups()) {
    Line line{&group, model.inventory.tensorsOf(group), model.inventory.parametersOf(group),
              model.inventory.bytesOf(group, model.checkpointFormat)};
    most = max(most, line.parameters);
    lines.push_back(line);
  }
  sortStably(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    if (a.group->part != b.group->part) return a.group->part < b.group->part;
    return a.parameters > b.parameters;
  });

  const bool narrow = column.w < 560;
  const float wide = narrow ? 84 : 96;
  const auto columnsAt = [&](const Rect& row) {
    struct {
      Rect name, shape, count, parameters, bytes;
    } c;
    float right = row.right() - 6;
    const auto take = [&](float width) {
      right -= width + 10;
      return Rect{right + 10, row.y, width, row.h};
    };
    c.bytes = take(wide);
    c.parameters = take(wide - 12);
    c.count = narrow ? Rect{} : take(64);
    c.shape = narrow ? Rect{} : take(150);
    c.name = {row.x + 6, row.y, right - row.x, row.h};
    return c;
  };
  const Rect head = column.take(theme().row);
  const auto h = columnsAt(head);
  drawTextIn(h.name, kSmall, p.muted, say(Text::kColumnTensor));
  if (!narrow) {
    drawTextIn(h.shape, kSmall, p.muted, say(Text::kColumnShape), Align::kRight);
    drawTextIn(h.count, kSmall, p.muted, say(Text::kColumnTimes), Align::kRight);
  }
  drawTextIn(h.parameters, kSmall, p.muted, say(Text::kColumnParameters), Align::kRight);
  drawTextIn(h.bytes, kSmall, p.muted, say(Text::kColumnStored), Align::kRight);
  hairline(head.x, head.bottom() - 1, head.w);

  std::optional<Part> part;
  for (const Line& line : lines) {
    if (part != line.group->part) {
      part = line.group->part;
      if (*part != Part::kMain) {
        drawTextIn(column.take(theme().row).inset(6, 0), kSmallBold, p.muted, partText(*part));
      }
    }
    const Rect row = column.take(28);
    if (isHidden(row)) continue;
    const auto c = columnsAt(row);
    // How much of the model it is, behind its name.
    const float share = static_cast<float>(line.parameters.toDouble() / most.toDouble());
    fill({row.x, row.y + 3, std::max(2.0f, c.name.w * share), row.h - 7}, p.accentSoft, 3);
    drawTextIn(c.name, kLabel, p.text, roleName(line.group->role));
    const auto whole = [&](Count count) {
      return formatWhole(static_cast<std::int64_t>(count.value()), n);
    };
    if (!narrow) {
      const std::string shape =
          line.group->oneDimensional()
              ? whole(line.group->cols)
              : cat(whole(line.group->rows), "\u00a0\u00d7\u00a0", whole(line.group->cols));
      drawTextIn(c.shape, kLabel, p.muted, shape, Align::kRight);
      drawTextIn(c.count, kLabel, p.muted, cat("\u00d7\u00a0", whole(line.tensors)), Align::kRight);
    }
    drawTextIn(c.parameters, kLabel, p.text, formatParameters(line.parameters, n), Align::kRight);
    drawTextIn(c.bytes, kLabel, p.text, state.amount(line.bytes), Align::kRight);
    hairline(row.x, row.bottom() - 1, row.w);
  }
}

}  // namespace memfit::app
