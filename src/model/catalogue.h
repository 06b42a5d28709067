// memfit - SPDX-License-Identifier: Apache-2.0
//
// The catalogue: models by name, each a config.json that the one reader reads.
//
// Its file is catalogue/models.jsonl: one model a line, popular ones first,
//   {"id": "llama-3.1-8b", "name": "Llama 3.1 8B", "aliases": ["meta-llama/Llama-3.1-8B", ...],
//    "licence": "llama3.1", "release": "2024-07-18", "config": {...}}
// "unlisted": true keeps a line out of lists and searches (shapes that only measurements use).
// To add a model, add its line.
//
// How it loads. CMake (catalogue.cmake) compiles the first lines, the popular models, into
// every binary, and all lines into native ones. On the web the whole file is deployed as
// models.json beside the page; whoever wants more than the popular models fetches it and hands its
// text to loadCatalogue(), once. Nothing is parsed before it is asked for, and a model's config
// only when that very model is.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/model.h"

namespace memfit {

inline constexpr std::string_view kDefaultModel = "llama-3.1-8b";

struct CatalogueEntry {
  std::string id;
  std::string name;
  std::vector<std::string> aliases;
  std::string license;
  std::string release;  // ISO date; empty when not known
  bool unlisted = false;
  std::string config;  // a config.json, minified
};

// All entries that this binary has or was given, popular ones first. References stay valid until
// loadCatalogue adds more.
std::span<const CatalogueEntry> catalogue();

// Whether the whole file is there, or the popular models alone.
bool catalogueIsComplete();

// Adds the lines of a models.jsonl (models.json of the site is the same text); lines whose id is
// there already are skipped. Gives the number of entries afterwards. Error::message says which line
// is bad; the lines before it are in. At most 8 MiB.
Result<std::size_t> loadCatalogue(std::string_view jsonLines);

// By id or alias: case, "-", "_", " ", ":" and an owner before "/" make no difference, and neither
// do endings that name a tuning or a packing ("-Instruct", "-it", "-GGUF", "-AWQ", ...), if nothing
// has the very name. nullptr when there is none.
const CatalogueEntry* findModel(std::string_view idOrAlias);

// Entries whose id, name or an alias contains every word of `text`; the earliest matches first: the
// whole name, its beginning, any part; popular ones first among equals. All listed entries for an
// empty text.
std::vector<const CatalogueEntry*> searchModels(std::string_view text, std::size_t limit);

// The model of an entry, read when first asked for and kept. Error::field is "model" for an unknown
// name; the message offers the nearest names.
Result<std::shared_ptr<const Model>> catalogueModel(std::string_view idOrAlias);

}  // namespace memfit
