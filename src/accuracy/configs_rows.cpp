// memfit - SPDX-License-Identifier: Apache-2.0
//
// Rows of model_configs.jsonl: a config.json with the parameters, cache elements and checkpoint
// bytes that are known of its model.
#include "accuracy/section.h"
#include "base/text.h"
#include "model/checkpoint.h"
#include "model/model.h"

namespace memfit::accuracy {

Result<Section> configsRows(std::string_view jsonLines) {
  Section section;
  const Result<std::size_t> rows = forEachRow(jsonLines, "The configs", [&](const ConfigView& row) {
    const std::string id(row.text({"id"}).value_or("?"));
    const ConfigView config = row.child("config");
    if (!config.valid()) {
      section.unmapped.push_back({id, "The row has no config."});
      return;
    }
    const Result<Model> model =
        modelFromConfig(config.json(), row.child("hf_quant_config").json(), id);
    if (!model) {
      section.unmapped.push_back({id, model.error().message});
      return;
    }
    ++section.mapped;
    const auto compare = [&](std::string_view component, Count predicted, std::string_view key) {
      if (!row.has(key)) return;
      const std::optional<double> measured = row.number({key});
      if (!measured) return;
      const double value = predicted.toDouble();
      section.add(component, {id, value, value, *measured});
      if (value != *measured) {
        section.inexact.push_back(
            {id, cat(component, ": ", predicted.value(), " is read from the config, ",
                     formatFixed(*measured, 0), " is in the row (",
                     row.text({cat(key, "_source")}).value_or("no source given"), ").")});
      }
    };
    compare("params_total", model->parameters(), "params_total");
    compare("kv_elems_per_token", kvElementsPerToken(model->architecture), "kv_elems_per_token");
    compare("checkpoint_bytes", checkpointBytes(*model), "checkpoint_bytes");
  });
  if (!rows) return rows.error();
  section.rows = *rows;
  return section;
}

}  // namespace memfit::accuracy
