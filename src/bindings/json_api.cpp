// memfit - SPDX-License-Identifier: Apache-2.0
#include "bindings/json_api.h"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <optional>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "bindings/json_model.h"
#include "bindings/json_report.h"
#include "model/catalogue.h"
#include "model/kept_models.h"
#include "model/read_model.h"
#include "query/matters.h"
#include "query/query_io.h"

namespace memfit {

namespace {

using Value = rapidjson::Value;

std::string asText(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

std::string_view viewOf(const Value& string) {
  return {string.GetString(), string.GetStringLength()};
}

std::string errorJson(const Error& error) {
  JsonWriter json;
  json.beginObject();
  json.key("error");
  writeError(json, error);
  json.endObject();
  return json.take();
}

// What a function is called with: its arguments, and where its answer goes.
struct Call {
  const Value& args;
  JsonWriter& json;

  // The n-th argument; nullptr when it is absent or null.
  const Value* arg(rapidjson::SizeType n) const {
    return n < args.Size() && !args[n].IsNull() ? &args[n] : nullptr;
  }
  const Value* option(const char* name) const {
    const Value* options = arg(1);
    if (options == nullptr || !options->IsObject()) return nullptr;
    const auto member = options->FindMember(name);
    return member == options->MemberEnd() || member->value.IsNull() ? nullptr : &member->value;
  }
  Result<DecodedQuery> query() const {
    const Value* query = arg(0);
    return decodeJson(query == nullptr ? std::string_view("{}") : std::string_view(asText(*query)));
  }
};

// Notices of reading the query come before those of answering it.
void addFront(Notices& notices, const Notices& first) {
  notices.insert(notices.begin(), first.begin(), first.end());
}

Status callEstimate(const Call& call) {
  const Result<DecodedQuery> decoded = call.query();
  if (!decoded) return decoded.error();
  Result<Answer> result = answer(decoded->query);
  if (!result) return result.error();
  addFront(result->report.notices, decoded->notices);
  writeAnswer(call.json, *result);
  return Done{};
}

Status callCompare(const Call& call) {
  const Result<DecodedQuery> decoded = call.query();
  if (!decoded) return decoded.error();
  const Result<Comparisons> comparisons = compare(decoded->query);
  if (!comparisons) return comparisons.error();
  writeComparisons(call.json, *comparisons);
  return Done{};
}

Status callFit(const Call& call) {
  const Result<DecodedQuery> decoded = call.query();
  if (!decoded) return decoded.error();
  std::vector<std::string_view> ids;
  if (const Value* given = call.option("devices")) {
    if (!given->IsArray()) {
      return Error{ErrorCode::kBadJson, "devices",
                   "\"devices\" is no list; a list of ids is accepted."};
    }
    for (const Value& id : given->GetArray()) {
      if (!id.IsString()) {
        return Error{ErrorCode::kUnknown, "devices",
                     cat("\"devices\" lists ", quoted(asText(id)), "; ids are accepted.")};
      }
      ids.push_back(viewOf(id));
    }
  }
  std::vector<Count> counts;
  if (const Value* given = call.option("counts")) {
    const Field& field = fieldOf(Key::kCount);
    const bool isList = given->IsArray();
    for (rapidjson::SizeType i = 0; isList && i < given->Size(); ++i) {
      const Value& count = (*given)[i];
      if (!count.IsInt64() || count.GetInt64() < field.min || count.GetInt64() > field.max) {
        return Error{ErrorCode::kOutOfRange, "counts",
                     cat("\"counts\" lists ", quoted(asText(count)), "; ", acceptedText(field),
                         " are accepted.")};
      }
      counts.emplace_back(count.GetInt64());
    }
    if (!isList) {
      return Error{ErrorCode::kBadJson, "counts",
                   "\"counts\" is no list; a list of numbers is accepted."};
    }
  }
  const Result<std::vector<FitRow>> rows = fit(decoded->query, ids, counts);
  if (!rows) return rows.error();
  call.json.beginList();
  for (const FitRow& row : *rows) writeFitRow(call.json, row);
  call.json.endList();
  return Done{};
}

Status callSolve(const Call& call) {
  const Result<DecodedQuery> decoded = call.query();
  if (!decoded) return decoded.error();
  const Value* vary = call.option("vary");
  const std::string_view name = vary != nullptr && vary->IsString() ? viewOf(*vary) : "seq";
  const Field* field = findField(name);
  if (field == nullptr || (vary != nullptr && !vary->IsString())) {
    return Error{ErrorCode::kUnknown, "vary",
                 cat("\"vary\" was given as ", quoted(vary ? asText(*vary) : ""),
                     "; seq, batch, concurrency or params is accepted.")};
  }
  const Result<Solution> solution = solve(decoded->query, field->key);
  if (!solution) return solution.error();
  writeSolution(call.json, *solution, field->key);
  return Done{};
}

Status callAdvise(const Call& call) {
  const Result<DecodedQuery> decoded = call.query();
  if (!decoded) return decoded.error();
  const Result<std::vector<Advice>> list = advise(decoded->query);
  if (!list) return list.error();
  writeAdvice(call.json, *list);
  return Done{};
}

// {"key":"seq","from":1024,"to":131072}: an axis with its number of points beside it.
Result<Axis> axisOf(const Call& call, const char* name, const char* pointsName) {
  const auto problem = [name](std::string_view what) {
    return Error{ErrorCode::kOutOfRange, name,
                 cat("The axis ", name, " ", what,
                     "; { key, from, to } of a numeric field and its number of points are "
                     "accepted.")};
  };
  const Value* given = call.option(name);
  if (given == nullptr || !given->IsObject()) return problem("is missing");
  const auto member = [given](const char* key) -> const Value* {
    const auto found = given->FindMember(key);
    return found == given->MemberEnd() ? nullptr : &found->value;
  };
  const Value* key = member("key");
  const Field* field = key != nullptr && key->IsString() ? findField(viewOf(*key)) : nullptr;
  if (field == nullptr) return problem("names no field");
  Axis axis{field->key, 0, 0, 0};
  for (const auto& [end, value] : {std::pair("from", &axis.from), std::pair("to", &axis.to)}) {
    const Value* number = member(end);
    const auto stored = number != nullptr && number->IsNumber()
                            ? parseScaled(asText(*number), field->scale)
                            : std::nullopt;
    if (!stored) return problem(cat("has no number \"", end, "\""));
    *value = *stored;
  }
  const Value* points = call.option(pointsName);
  if (points == nullptr || !points->IsInt()) return problem(cat("has no \"", pointsName, "\""));
  axis.n = points->GetInt();
  return axis;
}

Result<std::vector<float>> sweepOf(const Call& call) {
  const Result<DecodedQuery> decoded = call.query();
  if (!decoded) return decoded.error();
  const Result<Axis> x = axisOf(call, "x", "nx");
  if (!x) return x.error();
  const Result<Axis> y = axisOf(call, "y", "ny");
  if (!y) return y.error();
  return sweep(decoded->query, *x, *y);
}

Status callSweep(const Call& call) {
  const Result<std::vector<float>> totals = sweepOf(call);
  if (!totals) return totals.error();
  call.json.beginList();
  for (const float total : *totals) call.json.number(static_cast<double>(total));
  call.json.endList();
  return Done{};
}

Status callEncode(const Call& call) {
  const Result<DecodedQuery> decoded = call.query();
  if (!decoded) return decoded.error();
  call.json.text(encodeUrl(decoded->query));
  return Done{};
}

Status callDecode(const Call& call) {
  const Value* text = call.arg(0);
  if (text != nullptr && !text->IsString()) {
    return Error{ErrorCode::kBadJson, "text", "URL parameters are accepted, as one text."};
  }
  const DecodedQuery decoded = decodeUrl(text == nullptr ? std::string_view() : viewOf(*text));
  call.json.beginObject();
  call.json.key("query");
  call.json.raw(encodeJson(decoded.query));
  call.json.key("notices");
  writeNotices(call.json, decoded.notices);
  // What an absent field means here: some defaults depend on other fields (`weights` on the task).
  call.json.key("defaults");
  call.json.beginObject();
  for (const Field& field : fields()) {
    Query without = decoded.query;
    without.clear(field.key);
    const std::string value = valueText(without, field);
    if (value.empty()) continue;
    call.json.key(field.name);
    call.json.text(value);
  }
  call.json.endObject();
  // What would change nothing here, given or not, and which kind of thing is the reason.
  call.json.key("idle");
  call.json.beginObject();
  for (const Field& field : fields()) {
    const Idle idle = whyIdle(decoded.query, field.key);
    if (idle == Idle::kNot) continue;
    call.json.key(field.name);
    call.json.text(idleName(idle));
  }
  call.json.endObject();
  call.json.endObject();
  return Done{};
}

Status callModels(const Call& call) {
  writeCatalogue(call.json);
  return Done{};
}

// The text of models.json, handed over once by whoever loaded it; gives how many models there are.
Status callLoadCatalogue(const Call& call) {
  const Value* text = call.arg(0);
  if (text == nullptr || !text->IsString()) {
    return Error{ErrorCode::kBadJson, "models", "The text of models.json is accepted."};
  }
  const Result<std::size_t> entries = loadCatalogue(viewOf(*text));
  if (!entries) return entries.error();
  call.json.count(Count(*entries));
  return Done{};
}

Status callFields(const Call& call) {
  writeFields(call.json);
  return Done{};
}

Status callDevices(const Call& call) {
  writeDevices(call.json);
  return Done{};
}

Status callVersion(const Call& call) {
  call.json.text(MEMFIT_VERSION);
  return Done{};
}

struct Function {
  std::string_view name;
  Status (*run)(const Call&);
};
constexpr Function kFunctions[] = {
    {"estimate", callEstimate}, {"compare", callCompare},
    {"fit", callFit},           {"solve", callSolve},
    {"advise", callAdvise},     {"sweep", callSweep},
    {"encode", callEncode},     {"decode", callDecode},
    {"models", callModels},     {"loadCatalogue", callLoadCatalogue},
    {"devices", callDevices},   {"fields", callFields},
    {"version", callVersion},
};

struct Request {
  rapidjson::Document document;
  std::string_view function;
  const Value* args = nullptr;
};

Status readRequest(std::string_view text, Request& request) {
  const auto bad = [](std::string message) {
    return Error{ErrorCode::kBadJson, "request", std::move(message)};
  };
  if (jsonDepth(text) > kMaxJsonDepth) {
    return bad(cat("The request is nested more than ", kMaxJsonDepth, " levels deep."));
  }
  if (!parseJson(text, request.document)) {
    return bad(cat("The request is no JSON: it breaks off at byte ",
                   request.document.GetErrorOffset(), "."));
  }
  constexpr std::string_view kShape = "{\"fn\":\"estimate\",\"args\":[{...}]} is accepted.";
  if (!request.document.IsObject()) return bad(cat("The request is no object; ", kShape));
  const auto fn = request.document.FindMember("fn");
  if (fn == request.document.MemberEnd() || !fn->value.IsString()) {
    return bad(cat("The request names no function; ", kShape));
  }
  request.function = viewOf(fn->value);
  const auto args = request.document.FindMember("args");
  if (args == request.document.MemberEnd()) {
    static const Value kNoArgs(rapidjson::kArrayType);
    request.args = &kNoArgs;
  } else if (args->value.IsArray()) {
    request.args = &args->value;
  } else {
    return bad(cat("The request's \"args\" is no list; ", kShape));
  }
  return Done{};
}

}  // namespace

std::string callJson(std::string_view text) {
  Request request;
  if (const Status read = readRequest(text, request); !read) return errorJson(read.error());
  for (const Function& function : kFunctions) {
    if (function.name != request.function) continue;
    JsonWriter json;
    json.beginObject();
    json.key("ok");
    const Status done = function.run({*request.args, json});
    if (!done) return errorJson(done.error());
    json.endObject();
    return json.take();
  }
  std::vector<std::string_view> names;
  for (const Function& function : kFunctions) names.push_back(function.name);
  return errorJson({ErrorCode::kUnknown, "fn",
                    cat("There is no function ", quoted(request.function), "; ", listOf(names),
                        " is accepted.")});
}

std::string readModelJson(std::string_view bytes, std::string_view name) {
  Result<Model> model = readModel(bytes, name);
  if (!model) return errorJson(model.error());
  JsonWriter json;
  json.beginObject();
  json.key("ok");
  writeModelDetails(json, *keepModel(std::move(*model)));
  json.endObject();
  return json.take();
}

std::vector<float> sweepTotals(std::string_view text, std::string& error) {
  Request request;
  JsonWriter unused;
  const Status read = readRequest(text, request);
  if (!read) {
    error = errorJson(read.error());
    return {};
  }
  Result<std::vector<float>> totals = sweepOf({*request.args, unused});
  if (!totals) {
    error = errorJson(totals.error());
    return {};
  }
  return std::move(*totals);
}

}  // namespace memfit
