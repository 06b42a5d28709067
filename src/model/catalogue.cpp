// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/catalogue.h"

#include <algorithm>
#include <map>

#include "base/sort.h"
#include "base/text.h"
#include "model/catalogue_data.h"
#include "model/config_view.h"

namespace memfit {
namespace {

// Lower case, and one separator for all.
std::string normalized(std::string_view name) {
  std::string out = toLower(trim(name));
  for (char& c : out) {
    if (c == '_' || c == ' ' || c == ':') c = '-';
  }
  return out;
}

std::string_view withoutOwner(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

// Endings that name a tuning or a packing of the same architecture.
constexpr std::string_view kEndings[] = {
    "-instruct", "-it",  "-chat",      "-base",      "-hf",    "-pt",     "-gguf", "-awq",
    "-gptq",     "-fp8", "-int4",      "-int8",      "-bf16",  "-4bit",   "-8bit", "-bnb-4bit",
    "-nvfp4",    "-mlx", "-gptq-int4", "-gptq-int8", "-w4a16", "-latest", "-qat",
};

std::string_view withoutEnding(std::string_view name) {
  for (const std::string_view ending : kEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      return name.substr(0, name.size() - ending.size());
    }
  }
  return name;
}

class Store {
 public:
  std::span<const CatalogueEntry> all() {
    loadRest();
    return entries_;
  }
  bool complete() { return complete_ || !kCatalogueRest.empty(); }

  Result<std::size_t> add(std::string_view lines) {
    constexpr std::size_t kMaxText = std::size_t{8} << 20;
    if (lines.size() > kMaxText) {
      return Error{ErrorCode::kBadFile, "",
                   cat("The catalogue is ", lines.size(), " bytes long; 8 MiB are accepted.")};
    }
    loadRest();
    const std::optional<Error> error = addLines(lines);
    models_.clear();
    if (error) return *error;
    complete_ = true;
    return entries_.size();
  }

  const CatalogueEntry* find(std::string_view name) {
    loadPopular();
    const std::string wanted = normalized(name);
    if (const CatalogueEntry* entry = lookup(wanted)) return entry;
    loadRest();
    if (const CatalogueEntry* entry = lookup(wanted)) return entry;
    if (const CatalogueEntry* entry = lookup(withoutOwner(wanted))) return entry;
    std::string_view shorter = withoutOwner(wanted);
    for (int i = 0; i < 4; ++i) {
      const std::string_view next = withoutEnding(shorter);
      if (next.size() == shorter.size()) break;
      shorter = next;
      if (const CatalogueEntry* entry = lookup(shorter)) return entry;
    }
    return nullptr;
  }

  std::map<std::string, std::shared_ptr<const Model>>& models() { return models_; }

 private:
  void loadPopular() {
    if (!entries_.empty()) return;
    addLines(kCataloguePopular);
  }
  void loadRest() {
    loadPopular();
    if (restLoaded_) return;
    restLoaded_ = true;
    addLines(kCatalogueRest);
  }

  const CatalogueEntry* lookup(std::string_view name) const {
    const auto found = byName_.find(name);
    return found == byName_.end() ? nullptr : &entries_[found->second];
  }

  // A name that two entries claim stays with the first.
  void index(std::size_t entry, std::string_view name) {
    const std::string key = normalized(name);
    byName_.emplace(key, entry);
    byName_.emplace(std::string(withoutOwner(key)), entry);
  }

  std::optional<Error> addLines(std::string_view lines) {
    std::size_t number = 0;
    while (!lines.empty()) {
      ++number;
      const std::size_t end = lines.find('\n');
      const std::string_view line = trim(lines.substr(0, end));
      lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
      if (line.empty()) continue;
      const std::string what = cat("Line ", number, " of the catalogue");
      Result<ConfigDocument> document = ConfigDocument::parse(line, what);
      if (!document) return document.error();
      const ConfigView row = document->root();
      CatalogueEntry entry;
      entry.id = std::string(row.text({"id"}).value_or(""));
      entry.name = std::string(row.text({"name"}).value_or(entry.id));
      for (const std::string_view alias : row.texts("aliases")) entry.aliases.emplace_back(alias);
      entry.license = std::string(row.text({"licence"}).value_or(""));
      entry.release = std::string(row.text({"release"}).value_or(""));
      entry.unlisted = row.flag({"unlisted"}).value_or(false);
      entry.config = row.child("config").json();
      if (!document->errors().found.empty()) {
        const Error& first = document->errors().found.front();
        return Error{ErrorCode::kBadJson, first.field, cat(what, ": ", first.message)};
      }
      if (entry.id.empty() || entry.config.empty()) {
        return Error{ErrorCode::kMissing, entry.id.empty() ? "id" : "config",
                     cat(what, " has no ", entry.id.empty() ? "id." : "config.")};
      }
      if (const CatalogueEntry* same = lookup(normalized(entry.id));
          same != nullptr && same->id == entry.id) {
        continue;
      }
      const std::size_t at = entries_.size();
      // An entry's own id is its, whoever has it as an alias.
      byName_[normalized(entry.id)] = at;
      index(at, entry.name);
      for (const std::string& alias : entry.aliases) index(at, alias);
      entries_.push_back(std::move(entry));
    }
    return std::nullopt;
  }

  std::vector<CatalogueEntry> entries_;
  std::map<std::string, std::size_t, std::less<>> byName_;
  std::map<std::string, std::shared_ptr<const Model>> models_;
  bool restLoaded_ = false;
  bool complete_ = false;
};

// One for the process: the page and the tools have one thread each.
Store& store() {
  static Store theStore;
  return theStore;
}

// 0: no match; else the larger the better.
int rank(const CatalogueEntry& entry, std::span<const std::string> words, std::string_view whole) {
  int best = 0;
  const auto consider = [&](std::string_view name) {
    const std::string text = normalized(name);
    for (const std::string& word : words) {
      if (text.find(word) == std::string::npos) return;
    }
    const std::string_view tail = withoutOwner(text);
    const int score = text == whole || tail == whole                       ? 3
                      : text.starts_with(whole) || tail.starts_with(whole) ? 2
                                                                           : 1;
    best = std::max(best, score);
  };
  consider(entry.id);
  consider(entry.name);
  for (const std::string& alias : entry.aliases) consider(alias);
  return best;
}

}  // namespace

std::span<const CatalogueEntry> catalogue() { return store().all(); }
bool catalogueIsComplete() { return store().complete(); }
Result<std::size_t> loadCatalogue(std::string_view jsonLines) { return store().add(jsonLines); }
const CatalogueEntry* findModel(std::string_view idOrAlias) { return store().find(idOrAlias); }

std::vector<const CatalogueEntry*> searchModels(std::string_view text, std::size_t limit) {
  const std::string whole = normalized(text.substr(0, 200));
  std::vector<std::string> words;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = std::min(whole.find('-', at), whole.size());
    if (end > at) words.push_back(whole.substr(at, end - at));
    at = end + 1;
  }
  std::vector<std::pair<int, const CatalogueEntry*>> found;
  for (const CatalogueEntry& entry : store().all()) {
    if (entry.unlisted) continue;
    const int score = words.empty() ? 1 : rank(entry, words, whole);
    if (score > 0) found.emplace_back(score, &entry);
  }
  sortStably(found.begin(), found.end(),
             [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const CatalogueEntry*> result;
  for (const auto& [score, entry] : found) {
    if (result.size() == limit) break;
    result.push_back(entry);
  }
  return result;
}

Result<std::shared_ptr<const Model>> catalogueModel(std::string_view idOrAlias) {
  const CatalogueEntry* entry = findModel(idOrAlias);
  if (entry == nullptr) {
    std::string message = cat("The catalogue has no model ", quoted(idOrAlias), ".");
    const std::vector<const CatalogueEntry*> near = searchModels(idOrAlias, 3);
    for (std::size_t i = 0; i < near.size(); ++i) {
      message += cat(i == 0 ? " Near it: " : ", ", near[i]->id);
    }
    if (!near.empty()) message += ".";
    return Error{ErrorCode::kUnknown, "model", std::move(message)};
  }
  auto& models = store().models();
  if (const auto kept = models.find(entry->id); kept != models.end()) return kept->second;
  Result<Model> model = modelFromConfig(entry->config, entry->name);
  if (!model) return model.error();
  model->id = entry->id;
  model->aliases = entry->aliases;
  model->license = entry->license;
  model->release = entry->release;
  auto shared = std::make_shared<const Model>(*std::move(model));
  models.emplace(entry->id, shared);
  return shared;
}

}  // namespace memfit
