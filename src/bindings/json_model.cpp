// memfit - SPDX-License-Identifier: Apache-2.0
#include "bindings/json_model.h"

#include "model/catalogue.h"

namespace memfit {

namespace {

void writeGroup(JsonWriter& json, const Model& model, const TensorGroup& group) {
  const TensorInventory& inventory = model.inventory;
  json.beginObject();
  json.key("role");
  json.text(roleName(group.role));
  json.key("part");
  json.text(partName(group.part));
  json.key("shape");
  json.beginList();
  if (!group.oneDimensional()) json.count(group.rows);
  json.count(group.cols);
  json.endList();
  json.key("layers");
  json.count(group.layerSet == 0 ? Count(0) : inventory.layerCountOf(group));
  json.key("count");
  json.count(inventory.tensorsOf(group));
  json.key("parameters");
  json.count(inventory.parametersOf(group));
  json.key("bytes");
  json.count(inventory.bytesOf(group, model.checkpointFormat));
  json.endObject();
}

}  // namespace

void writeModelDetails(JsonWriter& json, const Model& model) {
  json.beginObject();
  json.key("id");
  json.text(model.id);
  json.key("name");
  json.text(model.name);
  json.key("family");
  json.text(model.architecture.family);
  json.key("parameters");
  json.count(model.parameters());
  json.key("activeParameters");
  json.count(model.activeParameters());
  json.key("layers");
  json.count(model.architecture.layerCount());
  json.key("hidden");
  json.count(model.architecture.hidden);
  json.key("vocab");
  json.count(model.architecture.vocab);
  json.key("maxContext");
  json.count(model.architecture.maxContext);
  json.key("kvElementsPerToken");
  json.count(kvElementsPerToken(model.architecture));
  json.key("recurrentElementsPerSequence");
  json.count(recurrentElementsPerSequence(model.architecture));
  json.key("checkpoint");
  json.beginObject();
  json.key("format");
  json.text(formatName(model.checkpointFormat));
  json.key("quantization");
  json.text(model.quantization.method == QuantMethod::kNone
                ? std::string_view()
                : quantMethodName(model.quantization.method));
  json.key("fileType");
  json.text(model.fileType);
  if (model.stored) {
    json.key("bytes");
    json.count(model.stored->bytes);
    json.key("storedParameters");
    json.count(model.stored->parameters);
    json.key("complete");
    json.flag(model.stored->complete);
  }
  json.endObject();
  json.key("inventory");
  json.beginList();
  for (const TensorGroup& group : model.inventory.groups()) writeGroup(json, model, group);
  json.endList();
  json.key("notices");
  json.beginList();
  for (const std::string& notice : model.notices) json.text(notice);
  json.endList();
  json.key("config");
  json.text(model.config);
  json.endObject();
}

void writeCatalogue(JsonWriter& json) {
  json.beginList();
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.unlisted) continue;
    const auto model = catalogueModel(entry.id);
    json.beginObject();
    json.key("id");
    json.text(entry.id);
    json.key("name");
    json.text(entry.name);
    json.key("aliases");
    json.beginList();
    for (const std::string& alias : entry.aliases) json.text(alias);
    json.endList();
    json.key("licence");
    json.text(entry.license);
    json.key("release");
    json.text(entry.release);
    if (model) {
      json.key("parameters");
      json.count((*model)->parameters());
      json.key("activeParameters");
      json.count((*model)->activeParameters());
    }
    json.endObject();
  }
  json.endList();
}

}  // namespace memfit
