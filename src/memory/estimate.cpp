// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/estimate.h"

#include <algorithm>
#include <utility>

#include "base/sort.h"
#include "base/text.h"
#include "memory/subject.h"
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
  if (!query.has(Key::kMethod)) return methodInfo(defaultMethod(query.task()));
  const auto wanted = query.choice<Method>(Key::kMethod);
  const MethodInfo& info = methodInfo(wanted);
  if (info.method == wanted && info.covers(query.task())) return info;

  std::string offered;
  for (const MethodInfo& other : methods()) {
    if (!other.covers(query.task())) continue;
    if (!offered.empty()) offered += ", ";
    offered += word(Key::kMethod, other.method);
  }
  const std::string_view instead = word(Key::kMethod, defaultMethod(query.task()));
  notices.push_back(
      {NoticeCode::kNotApplicable, "method", std::string(word(Key::kMethod, wanted)), offered,
       cat("The method ", word(Key::kMethod, wanted), " says nothing about the task ",
           word(Key::kTask, query.task()), "; ", instead, " is used. Offered: ", offered, ".")});
  return methodInfo(defaultMethod(query.task()));
}

// A notice for each given field that changes nothing here.
void noticeIdleFields(const Query& query, const MethodInfo& method, Notices& notices) {
  const std::uint16_t effects =
      kAlways | (query.isTraining() ? method.trainingEffect : method.inferenceEffect);
  for (const Field& field : fields()) {
    if (!query.has(field.key) || (field.effect & effects) != 0) continue;
    notices.push_back({NoticeCode::kNoEffect, std::string(field.name), valueText(query, field), "",
                       cat("\"", field.name, "\" changes nothing for the method ",
                           word(Key::kMethod, method.method), " and the task ",
                           word(Key::kTask, query.task()), ".")});
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

  const Result<bool> run = method.run(report);
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

// Where two methods part, and why. Read from the top, the first row that applies is the reason.
struct Reason {
  Method method;
  Component component;
  std::string_view text;
};
constexpr Reason kReasons[] = {
    {Method::kKarakuri, Component::kKvCache,
     "karakuri takes the hidden size for keys and values: right for multi-head attention, too much "
     "by the ratio of heads to KV heads where heads are grouped."},
    {Method::kKarakuri, Component::kOptimizer,
     "karakuri counts one moment of 2 bytes and no 32-bit optimizer state."},
    {Method::kKarakuri, Component::kActivations,
     "karakuri keeps two hidden vectors a layer and the logits, each with its gradient, and no "
     "checkpointing."},
    {Method::kKarakuri, Component::kLogits,
     "karakuri keeps the logits of every token of the sequence in 16 bits."},
    {Method::kKarakuri, Component::kWeights, "karakuri holds all weights in 16 bits."},
    {Method::kKarakuri, Component::kFramework, "karakuri leaves context and framework out."},
    {Method::kPerBillion, Component::kFramework,
     "per-billion puts activations and framework into one constant, whatever length and batch."},
    {Method::kPerBillion, Component::kActivations,
     "per-billion has no activations of its own: they are in its constant."},
    {Method::kPerBillion, Component::kLogits,
     "per-billion has no logits: they are in its constant."},
    {Method::kPerBillion, Component::kOptimizer,
     "per-billion counts two Adam moments of 4 bytes, whatever the optimizer."},
    {Method::kPerBillion, Component::kMasterWeights,
     "per-billion counts a 32-bit master copy only where the recipe says mixed."},
    {Method::kPerBillion, Component::kWeights,
     "per-billion counts bytes a parameter, with no look at what stays in 16 bits."},
    {Method::kPai, Component::kKvCache,
     "pai takes a tenth of the weights for the KV cache of 2,048 tokens, blind to layers, KV heads "
     "and windows."},
    {Method::kPai, Component::kActivations,
     "pai takes a tenth of the weights for the activations of 2,048 tokens, blind to hidden size, "
     "vocabulary and checkpointing."},
    {Method::kPai, Component::kLogits, "pai has no logits of its own."},
    {Method::kPai, Component::kOptimizer,
     "pai counts 4-byte optimizer values for 1 % of the parameters, or for all."},
    {Method::kPai, Component::kGradients,
     "pai counts 2-byte gradients for 1 % of the parameters, or for all."},
    {Method::kPai, Component::kWeights,
     "pai counts nominal bits a parameter, with no scales and nothing left in 16 bits."},
    {Method::kPai, Component::kMasterWeights,
     "pai counts no 32-bit copy of the weights; under the recipe mixed trainers keep one."},
    {Method::kPai, Component::kAdapters,
     "pai counts 1 % of the parameters as trained, with no weights of their own for adapters."},
    {Method::kPai, Component::kCommunication,
     "pai knows one device: nothing is gathered or reduced."},
    {Method::kPerBillion, Component::kGradients,
     "per-billion counts 2-byte gradients of all weights, alive at every moment."},
    {Method::kPerBillion, Component::kAdapters,
     "per-billion has adapters and their optimizer in its constant."},
    {Method::kPerBillion, Component::kCommunication,
     "per-billion knows one device: nothing is gathered or reduced."},
    {Method::kKarakuri, Component::kGradients,
     "karakuri counts 2-byte gradients of all weights, alive at every moment."},
    {Method::kKarakuri, Component::kMasterWeights,
     "karakuri counts no 32-bit copy of the weights; under the recipe mixed trainers keep one."},
    {Method::kPai, Component::kFramework,
     "pai counts 2 GB for context, input and framework, and no memory that the allocator keeps "
     "between the phases of a step."},
};
constexpr std::string_view kOtherReason = "The two count this component in different ways.";

std::string_view reasonOf(Method method, Method first, Component component) {
  for (const Method side : {method, first}) {
    for (const Reason& reason : kReasons) {
      if (reason.method == side && reason.component == component) return reason.text;
    }
  }
  return kOtherReason;
}

// The component that differs most, and after it each that both count, but one at least twice as
// high: a small part of a total may be where a rule goes wrong.
void addDifferences(const Report& report, const Report& first, std::vector<Difference>& all) {
  std::vector<Difference> found;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Component::kCount); ++i) {
    const auto component = static_cast<Component>(i);
    const Bytes here = report.ledger.total(component).expected;
    const Bytes there = first.ledger.total(component).expected;
    if (here == there) continue;
    found.push_back(
        {report.method, component, here, there, reasonOf(report.method, first.method, component)});
  }
  sortStably(found.begin(), found.end(),
             [](const Difference& a, const Difference& b) { return a.apart() > b.apart(); });
  for (const Difference& difference : found) {
    const Bytes less = min(difference.here, difference.there);
    const bool twice = less > Bytes(0) && max(difference.here, difference.there) >= less * 2;
    if (&difference == &found.front() || twice) all.push_back(difference);
  }
}

}  // namespace

Result<Report> estimate(const Query& query, Bytes deviceTotal) {
  Notices notices;
  const Result<Subject> subject = subjectOf(query, notices);
  if (!subject) return subject.error();
  const MethodInfo& method = chooseMethod(query, notices);
  noticeIdleFields(query, method, notices);
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
    comparison.covers = method.covers(query.task());
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
