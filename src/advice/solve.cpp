// memfit - SPDX-License-Identifier: Apache-2.0
#include "advice/solve.h"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/text.h"
#include "memory/estimate.h"
#include "memory/subject.h"
#include "memory/training.h"

namespace memfit {

namespace {

constexpr Key kVaried[] = {Key::kSeq, Key::kBatch, Key::kConcurrency, Key::kParams};

bool canVary(Key key) {
  for (const Key varied : kVaried) {
    if (varied == key) return true;
  }
  return false;
}

// What changes the load alone, not the plan for it.
bool isLoad(Key key) { return key == Key::kSeq || key == Key::kBatch || key == Key::kConcurrency; }
void setLoad(Load& load, Key key, std::int64_t value) {
  (key == Key::kSeq ? load.seq : key == Key::kBatch ? load.batch : load.concurrency) = Count(value);
}

// The verdict at one value.
Result<FitRow> rowAt(Query query, Key vary, std::int64_t value) {
  query.set(vary, value);
  return ownRow(query);
}

}  // namespace

Result<Solution> solve(const Query& query, Key vary) {
  if (!canVary(vary)) {
    return Error{ErrorCode::kUnknown, "vary",
                 cat("\"", fieldOf(vary).name,
                     "\" cannot be solved for; seq, batch, concurrency or params is accepted.")};
  }
  if (!findDevice(query.text(Key::kDevice))) {
    return Error{ErrorCode::kMissing, "device",
                 cat("\"device\" was given as ", quoted(query.text(Key::kDevice)),
                     "; an id of memfit.devices() or a size such as 24GB is needed.")};
  }

  Query asked = query;
  // A size is asked about, not a model.
  if (vary == Key::kParams) asked.clear(Key::kModel);

  const Field& field = fieldOf(vary);
  Solution solution;
  std::int64_t fitting = field.min;
  Result<FitRow> row = rowAt(asked, vary, fitting);
  if (!row) return row.error();
  solution.value = fitting;
  solution.fit = *row;
  if (!row->holds()) {
    asked.set(vary, fitting);
    Result<Answer> whole = answer(asked);
    if (whole && whole->fit) solution.fit = *whole->fit;
    return solution;
  }
  solution.any = true;

  // Doubling finds a value that does not fit, halving the border.
  std::int64_t failing = field.max;
  for (std::int64_t probe = fitting; probe < field.max;) {
    probe = probe > field.max / 2 ? field.max : probe * 2;
    row = rowAt(asked, vary, probe);
    if (!row) return row.error();
    if (!row->holds()) {
      failing = probe;
      break;
    }
    fitting = probe;
    solution.fit = *row;
    if (probe == field.max) {
      solution.unbounded = true;
      solution.value = probe;
      return solution;
    }
  }
  const std::int64_t grain = vary == Key::kParams ? fitting / 1000000 + 1 : 1;
  while (failing - fitting > grain) {
    const std::int64_t middle = fitting + (failing - fitting) / 2;
    row = rowAt(asked, vary, middle);
    if (!row) return row.error();
    if (row->holds()) {
      fitting = middle;
      solution.fit = *row;
    } else {
      failing = middle;
    }
  }
  solution.value = fitting;
  return solution;
}

std::vector<std::int64_t> axisValues(const Axis& axis) {
  std::vector<std::int64_t> values;
  values.reserve(static_cast<std::size_t>(axis.n));
  const double from = static_cast<double>(axis.from);
  const double ratio = static_cast<double>(axis.to) / from;
  for (int i = 0; i < axis.n; ++i) {
    const double along = axis.n == 1 ? 0.0 : static_cast<double>(i) / (axis.n - 1);
    values.push_back(std::llround(from * std::pow(ratio, along)));
  }
  if (axis.n > 1) values.back() = axis.to;
  return values;
}

namespace {

// A training query over lengths and batches: prepared once. nullopt for any other sweep.
std::optional<std::vector<float>> sweepTraining(const Query& query, Key x, Key y,
                                                const std::vector<std::int64_t>& columns,
                                                const std::vector<std::int64_t>& rows) {
  const bool lengthsAndBatches =
      (x == Key::kSeq && y == Key::kBatch) || (x == Key::kBatch && y == Key::kSeq);
  const bool ours =
      !query.has(Key::kMethod) || query.choice<Method>(Key::kMethod) == Method::kArchitecture;
  if (!query.isTraining() || !lengthsAndBatches || !ours) return std::nullopt;
  Notices notices;
  const Result<Subject> subject = subjectOf(query, notices);
  if (!subject) return std::nullopt;
  const PreparedTraining prepared(query, subject->model);
  std::vector<float> totals;
  totals.reserve(columns.size() * rows.size());
  for (const std::int64_t row : rows) {
    for (const std::int64_t column : columns) {
      const Count seq = x == Key::kSeq ? column : row;
      const Count batch = x == Key::kSeq ? row : column;
      const Bytes high = prepared.perDevice(batch, seq).high;
      totals.push_back(high.overflowed() ? std::numeric_limits<float>::infinity()
                                         : static_cast<float>(high.toDouble()));
    }
  }
  return totals;
}

}  // namespace

Result<std::vector<float>> sweep(const Query& query, const Axis& x, const Axis& y) {
  for (const auto& [axis, name] : {std::pair(&x, "x"), std::pair(&y, "y")}) {
    const Field& field = fieldOf(axis->key);
    const bool numeric = field.kind == Kind::kInteger || field.kind == Kind::kReal;
    if (!numeric || axis->from < field.min || axis->to > field.max || axis->from > axis->to ||
        axis->from < 1 || axis->n < 1 || axis->n > kMaxSweep) {
      return Error{ErrorCode::kOutOfRange, name,
                   cat("The axis ", name, " was given as ", axis->n, " points of \"", field.name,
                       "\" from ", axis->from, " to ", axis->to, "; 1 to ", kMaxSweep,
                       " points of a numeric field, ascending within its range, are accepted.")};
    }
  }
  const std::vector<std::int64_t> columns = axisValues(x);
  const std::vector<std::int64_t> rows = axisValues(y);

  if (const auto totals = sweepTraining(query, x.key, y.key, columns, rows)) return *totals;

  // Engines have other defaults on small devices than on large ones.
  const std::optional<Device> device = findDevice(query.text(Key::kDevice));
  const Bytes deviceTotal = device ? usableOf(*device, query).total : Bytes(0);
  Query asked = query;
  std::vector<float> totals;
  const auto inBytes = [](Bytes bytes) {
    return bytes.overflowed() ? std::numeric_limits<float>::infinity()
                              : static_cast<float>(bytes.toDouble());
  };
  if (isLoad(x.key) && isLoad(y.key)) {
    const Result<std::unique_ptr<LoadTotals>> fast = LoadTotals::of(query, deviceTotal);
    if (!fast) return fast.error();
    if (*fast != nullptr) {
      totals.reserve(columns.size() * rows.size());
      Load load = loadOf(query);
      for (const std::int64_t row : rows) {
        setLoad(load, y.key, row);
        for (const std::int64_t column : columns) {
          setLoad(load, x.key, column);
          totals.push_back(inBytes((*fast)->perDevice(load).high));
        }
      }
      return totals;
    }
  }
  totals.reserve(columns.size() * rows.size());
  for (const std::int64_t row : rows) {
    asked.set(y.key, row);
    for (const std::int64_t column : columns) {
      asked.set(x.key, column);
      const Result<Report> report = estimate(asked, deviceTotal);
      if (report) {
        totals.push_back(inBytes(report->perDevice.high));
      } else if (report.error().code == ErrorCode::kOverflow) {
        totals.push_back(std::numeric_limits<float>::infinity());
      } else {
        return report.error();
      }
    }
  }
  return totals;
}

}  // namespace memfit
