// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/estimate.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "memory/subject.h"
#include "query/matters.h"
#include "query/query_io.h"

namespace memfit {

namespace {

std::string_view word(Key key, std::size_t index) { return fieldOf(key).values[index]; }

template <typename Enum>
std::string_view word(Key key, Enum value) {
  return word(key, static_cast<std::size_t>(value));
}

// The method that the query asks for, or the default where that one is not offered for the task.
const MethodInfo& chooseMethod(const Query& query, Notices& notices) {
  const MethodInfo& info = methodInfo(methodOf(query));
  const auto wanted = query.choice<Method>(Key::kMethod);
  if (info.method == wanted) return info;

  std::string offered;
  for (const MethodInfo& other : methods()) {
    if (!covers(other.method, query.task())) continue;
    if (!offered.empty()) offered += ", ";
    offered += word(Key::kMethod, other.method);
  }
  const std::string_view instead = word(Key::kMethod, info.method);
  notices.push_back(
      {NoticeCode::kNotApplicable, "method", std::string(word(Key::kMethod, wanted)), offered,
       cat("The method ", word(Key::kMethod, wanted), " says nothing about the task ",
           word(Key::kTask, query.task()), "; ", instead, " is used. Offered: ", offered, ".")});
  return info;
}

// A notice for each given field that changes nothing here.
void noticeIdleFields(const Query& query, Notices& notices) {
  for (const Field& field : fields()) {
    if (!query.has(field.key) || matters(query, field.key)) continue;
    std::string reason = idleReason(query, field.key);
    std::string message = reason.empty()
                              ? cat("\"", field.name, "\" changes nothing for the method ",
                                    word(Key::kMethod, methodOf(query)), " and the task ",
                                    word(Key::kTask, query.task()), ".")
                              : cat("\"", field.name, "\" changes nothing: ", reason, ".");
    notices.push_back({NoticeCode::kNoEffect, std::string(field.name), valueText(query, field), "",
                       std::move(message), std::move(reason)});
  }
}

Result<Report> estimateBy(const MethodInfo& method, const Query& query, const Subject& subject,
                          Bytes deviceTotal, Notices notices) {
  Report report;
  report.query = query;
  report.notices = std::move(notices);
  report.model = subject.model;
  report.parameters = subject.parameters;
  report.activeParameters = subject.activeParameters;
  report.sizeOnly = subject.sizeOnly;
  report.method = method.method;
  report.engine = query.choice<Engine>(Key::kEngine);
  report.deviceTotal = deviceTotal;

  const Status run = method.run(report);
  if (!run) return run.error();
  if (const Entry* entry = report.ledger.overflowed()) {
    return Error{ErrorCode::kOverflow, std::string(componentName(entry->component)),
                 cat("The amount of ", componentName(entry->component),
                     " passes 2^53 - 1 bytes, which no device holds; smaller sizes, lengths and "
                     "batches are accepted.")};
  }
  report.perDevice = report.ledger.total(Where::kDevice);
  report.host = report.ledger.total(Where::kHost);
  const auto allDevices = [&report](Bytes bytes) { return bytes * report.devices; };
  report.total = {allDevices(report.perDevice.low), allDevices(report.perDevice.expected),
                  allDevices(report.perDevice.high)};
  if (report.perDevice.overflowed() || report.total.overflowed()) {
    return Error{ErrorCode::kOverflow, "total", "The total passes 2^53 - 1 bytes."};
  }
  return report;
}

}  // namespace

Result<Report> estimate(const Query& query, Bytes deviceTotal) {
  Notices notices;
  const Result<Subject> subject = subjectOf(query, notices);
  if (!subject) return subject.error();
  const MethodInfo& method = chooseMethod(query, notices);
  noticeIdleFields(query, notices);
  return estimateBy(method, query, *subject, deviceTotal, std::move(notices));
}

Result<MethodChoice> methodChoice(const Query& query) {
  Notices notices;
  const Result<Subject> subject = subjectOf(query, notices);
  if (!subject) return subject.error();
  return MethodChoice{subject->model, chooseMethod(query, notices).method};
}

Result<std::unique_ptr<LoadTotals>> LoadTotals::of(const Query& query, Bytes deviceTotal) {
  const Result<MethodChoice> choice = methodChoice(query);
  if (!choice) return choice.error();
  if (query.isTraining() || choice->method != Method::kArchitecture) {
    return std::unique_ptr<LoadTotals>();
  }
  return std::unique_ptr<LoadTotals>(
      new LoadTotals(inferencePlan(query, choice->model, deviceTotal)));
}

Band LoadTotals::perDevice(const Load& load) const {
  const Band sum = kept_->plan.perDevice(load);
  const Bytes all = sum.high * kept_->plan.parallelism().devices();
  return all.overflowed() ? Band::exact(Bytes::overflow()) : sum;
}

Result<Comparisons> compare(const Query& query, Bytes deviceTotal) {
  Notices notices;
  const Result<Subject> subject = subjectOf(query, notices);
  if (!subject) return subject.error();

  Comparisons comparisons;
  const Report* first = nullptr;
  comparisons.methods.reserve(methods().size());
  for (const MethodInfo& method : methods()) {
    Comparison comparison;
    comparison.method = &method;
    comparison.covers = covers(method.method, query.task());
    if (comparison.covers) {
      // Each as if it were chosen: some defaults depend on the method.
      Query asked = query;
      asked.set(Key::kMethod, method.method);
      Result<Report> report = estimateBy(method, asked, *subject, deviceTotal, notices);
      if (!report) return report.error();
      comparison.report = std::move(*report);
    }
    comparisons.methods.push_back(std::move(comparison));
    const Comparison& added = comparisons.methods.back();
    if (!added.covers) continue;
    if (first == nullptr) {
      first = &added.report;
    } else {
      addDifferences(added.report, *first, comparisons.differences);
    }
  }
  return comparisons;
}

}  // namespace memfit
