//===- RangeProfile.cpp - The ranges of a model's values ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of the file. Numbers have as many decimal places as it takes to read
// the same ones back.
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/RangeProfile.h"
#include "nacre/Quantization/Calibrators.h"
#include "nacre/Quantization/Distortion.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace llvm;
using namespace nacre::quantization;

static constexpr unsigned kVersion = 1;

namespace {

/// A number with the decimal places that make it whole again.
template <typename T> struct Exact {
  T value = 0;
};
using ExactFloat = Exact<float>;
using ExactDouble = Exact<double>;

/// What maps a number to one with all its decimal places, and back.
template <typename T> struct Normalized {
  Normalized(yaml::IO &) {}
  Normalized(yaml::IO &, T value) : exact{value} {}
  T denormalize(yaml::IO &) { return exact.value; }
  Exact<T> exact;
};

/// The same for lists of floats.
struct NormalizedFloats {
  NormalizedFloats(yaml::IO &) {}
  NormalizedFloats(yaml::IO &, const std::vector<float> &values) {
    for (float value : values) {
      exact.push_back({value});
    }
  }
  std::vector<float> denormalize(yaml::IO &) {
    std::vector<float> values;
    for (ExactFloat number : exact) {
      values.push_back(number.value);
    }
    return values;
  }
  std::vector<ExactFloat> exact;
};

/// Decibels of which tenths count.
struct Tenths {
  double value = 0;
};
struct NormalizedTenths {
  NormalizedTenths(yaml::IO &) {}
  NormalizedTenths(yaml::IO &, double decibels) : tenths{decibels} {}
  double denormalize(yaml::IO &) { return tenths.value; }
  Tenths tenths;
};

/// What reading a file knows of it.
struct ReadContext {
  /// Calibrators are a list, as earlier versions wrote them.
  bool isEarlier = false;
};

/// The name of the model and so on.
struct Header {
  RangeProfile &profile;
};

} // namespace

LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(ExactFloat)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(ExactDouble)
LLVM_YAML_IS_SEQUENCE_VECTOR(ValueProfile)
LLVM_YAML_IS_SEQUENCE_VECTOR(Override)
LLVM_YAML_IS_SEQUENCE_VECTOR(MeasuredCalibrator)
LLVM_YAML_IS_SEQUENCE_VECTOR(MeasuredRepair)
LLVM_YAML_IS_SEQUENCE_VECTOR(ProductSums)
LLVM_YAML_IS_SEQUENCE_VECTOR(CorrectedBias)

template <typename T>
static void mapNumber(yaml::IO &io, const char *key, T &value) {
  yaml::MappingNormalization<Normalized<T>, T> keys(io, value);
  io.mapRequired(key, keys->exact);
}

static void mapNumbers(yaml::IO &io, const char *key,
                       std::vector<float> &values, bool isOptional = false) {
  yaml::MappingNormalization<NormalizedFloats, std::vector<float>> keys(io,
                                                                        values);
  if (isOptional) {
    io.mapOptional(key, keys->exact);
  } else {
    io.mapRequired(key, keys->exact);
  }
}

/// A text that is left out where it is empty.
static void mapText(yaml::IO &io, const char *key, std::string &text) {
  io.mapOptional(key, text, std::string());
}

namespace llvm::yaml {

template <typename T> struct ScalarTraits<Exact<T>> {
  static void output(const Exact<T> &number, void *, raw_ostream &os) {
    os << format("%.*g", std::numeric_limits<T>::max_digits10,
                 static_cast<double>(number.value));
  }
  static StringRef input(StringRef text, void *, Exact<T> &number) {
    double value;
    if (text.getAsDouble(value)) {
      return "expected a number";
    }
    number.value = static_cast<T>(value);
    return "";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<Tenths> {
  static void output(const Tenths &number, void *, raw_ostream &os) {
    os << format("%.1f", number.value);
  }
  static StringRef input(StringRef text, void *, Tenths &number) {
    return text.getAsDouble(number.value) ? "expected a number" : "";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct MappingTraits<ChannelRanges> {
  static void mapping(IO &io, ChannelRanges &channels) {
    io.mapRequired("axis", channels.axis);
    mapNumbers(io, "min", channels.low);
    mapNumbers(io, "max", channels.high);
    mapNumbers(io, "mean", channels.mean);
    mapNumbers(io, "std", channels.deviation, /*isOptional=*/true);
  }
  static std::string validate(IO &, ChannelRanges &channels) {
    size_t count = channels.low.size();
    bool fits =
        channels.high.size() == count && channels.mean.size() == count &&
        (channels.deviation.empty() || channels.deviation.size() == count);
    return fits ? ""
                : "expected as many numbers in 'min', 'max' and 'mean', "
                  "and in 'std' if there are any";
  }
};

template <> struct MappingTraits<Bins> {
  static void mapping(IO &io, Bins &bins) {
    io.mapRequired("exponent", bins.exponent);
    io.mapRequired("first", bins.first);
    io.mapRequired("counts", bins.counts);
  }
};

template <> struct MappingTraits<ValueProfile> {
  static void mapping(IO &io, ValueProfile &value) {
    io.mapRequired("name", value.name);
    mapText(io, "node", value.node);
    mapText(io, "op", value.op);
    io.mapRequired("count", value.count);
    mapNumber(io, "min", value.low);
    mapNumber(io, "max", value.high);
    mapNumber(io, "mean", value.mean);
    mapNumber(io, "std", value.deviation);
    io.mapOptional("nan", value.nans, uint64_t(0));
    io.mapOptional("inf", value.infinities, uint64_t(0));
    io.mapOptional("channels", value.channels);
    io.mapOptional("histogram", value.histogram);
  }
  static std::string validate(IO &, ValueProfile &value) {
    return value.low <= value.high ? "" : "expected 'min' not above 'max'";
  }
};

template <> struct MappingTraits<Override> {
  static void mapping(IO &io, Override &override) {
    std::vector<ExactDouble> bounds;
    if (override.range) {
      bounds = {{override.range->low}, {override.range->high}};
    }
    mapText(io, "value", override.value);
    if (!io.outputting() || !bounds.empty()) {
      io.mapOptional("range", bounds);
    }
    mapText(io, "node", override.node);
    mapText(io, "precision", override.precision);
    mapText(io, "why", override.why);
    if (!io.outputting() && bounds.size() == 2) {
      override.range = {bounds[0].value, bounds[1].value};
    }
  }
  static std::string validate(IO &, Override &override) {
    bool isRange = !override.value.empty() && override.range &&
                   override.range->low <= override.range->high;
    bool isPrecision =
        !override.node.empty() &&
        (override.precision == "f32" || override.precision == "int16" ||
         override.precision == "int8");
    return isRange != isPrecision
               ? ""
               : "expected 'value' and 'range: [LOW, HIGH]', or 'node' and "
                 "'precision', which is f32, int16 or int8";
  }
};

template <> struct MappingTraits<MeasuredCalibrator> {
  static void mapping(IO &io, MeasuredCalibrator &calibrator) {
    io.mapRequired("name", calibrator.name);
    yaml::MappingNormalization<NormalizedTenths, double> keys(
        io, calibrator.decibels);
    io.mapRequired("decibels", keys->tenths);
  }
  static std::string validate(IO &, MeasuredCalibrator &calibrator) {
    auto names = llvm::make_first_range(getCalibrators());
    if (!llvm::is_contained(names, calibrator.name)) {
      return "expected a calibrator, which is " + llvm::join(names, " or ") +
             ", found '" + calibrator.name + "'";
    }
    return std::isfinite(calibrator.decibels)
               ? ""
               : "expected a finite number in 'decibels'";
  }
};

template <> struct MappingTraits<CalibratorTrials> {
  static void mapping(IO &io, CalibratorTrials &trials) {
    io.mapRequired("integers", trials.integers);
    io.mapRequired("runs", trials.runs);
    io.mapRequired("tried", trials.tried);
  }
  static std::string validate(IO &, CalibratorTrials &trials) {
    return trials.tried.empty() ? "expected calibrators in 'tried'" : "";
  }
};

template <> struct MappingTraits<MeasuredRepair> {
  static void mapping(IO &io, MeasuredRepair &repair) {
    io.mapRequired("name", repair.name);
    yaml::MappingNormalization<NormalizedTenths, double> keys(io,
                                                              repair.decibels);
    io.mapRequired("decibels", keys->tenths);
    io.mapRequired("kept", repair.isKept);
    io.mapOptional("unseen", repair.isUnseen, false);
    mapText(io, "integers", repair.integers);
  }
};

template <> struct MappingTraits<ProductSums> {
  static void mapping(IO &io, ProductSums &sums) {
    io.mapRequired("result", sums.result);
    io.mapRequired("columns", sums.columns);
    io.mapRequired("groups", sums.groups);
    io.mapRequired("offset", sums.offset);
  }
};

template <> struct MappingTraits<InputSumsIndex> {
  static void mapping(IO &io, InputSumsIndex &index) {
    io.mapRequired("file", index.file);
    // A profile without them is of an earlier version, and of no file.
    io.mapOptional("size", index.size, uint64_t(0));
    mapText(io, "digest", index.digest);
    io.mapRequired("products", index.products);
  }
};

template <> struct MappingTraits<CorrectedBias> {
  static void mapping(IO &io, CorrectedBias &bias) {
    io.mapRequired("result", bias.result);
    mapNumbers(io, "addends", bias.addends);
  }
  static std::string validate(IO &, CorrectedBias &bias) {
    bool areFinite = llvm::all_of(
        bias.addends, [](float addend) { return std::isfinite(addend); });
    return areFinite ? "" : "expected finite numbers in 'addends'";
  }
};

template <> struct MappingTraits<BiasCorrections> {
  static void mapping(IO &io, BiasCorrections &biases) {
    io.mapRequired("plan", biases.plan);
    mapText(io, "weights", biases.weights);
    io.mapRequired("products", biases.products);
  }
};

template <> struct MappingTraits<Header> {
  static void mapping(IO &io, Header &header) {
    mapText(io, "name", header.profile.model);
    mapText(io, "graph", header.profile.graph);
    io.mapOptional("samples", header.profile.samples);
  }
};

template <> struct MappingTraits<RangeProfile> {
  static void mapping(IO &io, RangeProfile &profile) {
    unsigned version = kVersion;
    io.mapRequired("range_profile", version);
    if (version != kVersion) {
      io.setError("expected version " + Twine(kVersion) +
                  " of range profiles, found " + Twine(version));
      return;
    }
    Header header{profile};
    io.mapRequired("model", header);
    io.mapRequired("values", profile.values);
    io.mapOptional("overrides", profile.overrides);
    auto *context = static_cast<const ReadContext *>(io.getContext());
    if (context && context->isEarlier) {
      std::vector<MeasuredCalibrator> list;
      io.mapOptional("calibrators", list);
      profile.hasEarlierChoice = !list.empty();
    } else {
      io.mapOptional("calibrators", profile.calibrators);
    }
    io.mapOptional("repairs", profile.repairs);
    io.mapOptional("sums", profile.sums);
    io.mapOptional("biases", profile.biases);
  }
};

} // namespace llvm::yaml

void ValueProfile::take(const Statistics &statistics) {
  const Summary &summary = statistics.getSummary();
  count = summary.count;
  low = summary.low;
  high = summary.high;
  mean = summary.getMean();
  deviation = summary.getDeviation();
  nans = statistics.getNaNs();
  infinities = statistics.getInfinities();
  ChannelRanges found = statistics.getChannels();
  if (!found.low.empty()) {
    channels = std::move(found);
  }
  histogram = statistics.getHistogram().getBins();
}

static std::string computeDigest(StringRef bytes) {
  return utohexstr(xxh3_64bits(bytes), /*LowerCase=*/true);
}

void InputSumsIndex::identify(StringRef bytes) {
  size = bytes.size();
  digest = computeDigest(bytes);
}

bool InputSumsIndex::isOf(StringRef bytes) const {
  return size == bytes.size() && digest == computeDigest(bytes);
}

StringRef CalibratorTrials::findBest(bool needsWide) const {
  const MeasuredCalibrator *best = nullptr;
  for (const MeasuredCalibrator &calibrator : tried) {
    bool counts = !needsWide || calibrator.name != getName(Calibrator::Entropy);
    if (counts && (!best || roundDecibels(calibrator.decibels) >
                                roundDecibels(best->decibels))) {
      best = &calibrator;
    }
  }
  return best ? StringRef(best->name)
              : getName(CalibrationOptions().calibrator);
}

StringRef CalibratorTrials::findClearlyBest(bool needsWide) const {
  constexpr double kClearly = 1;
  StringRef best = findBest(needsWide);
  StringRef plain = getName(CalibrationOptions().calibrator);
  double gain =
      roundDecibels(findDecibels(best)) - roundDecibels(findDecibels(plain));
  // The difference of tenths is nearly one of tenths.
  return roundDecibels(gain) >= kClearly ? best : plain;
}

double CalibratorTrials::findDecibels(StringRef name) const {
  auto found = llvm::find_if(tried, [&](const MeasuredCalibrator &calibrator) {
    return calibrator.name == name;
  });
  return found == tried.end() ? -std::numeric_limits<double>::infinity()
                              : found->decibels;
}

bool RangeProfile::hasWideOverride() const {
  return llvm::any_of(overrides, [](const Override &override) {
    return override.precision == "int16";
  });
}

const MeasuredRepair *RangeProfile::findRepair(StringRef name) const {
  auto found = llvm::find_if(repairs, [&](const MeasuredRepair &repair) {
    return repair.name == name;
  });
  return found == repairs.end() ? nullptr : &*found;
}

void RangeProfile::write(raw_ostream &os) {
  yaml::Output output(os);
  output << *this;
}

static Expected<RangeProfile> parseProfile(StringRef text,
                                           ReadContext context) {
  std::string message;
  yaml::Input input(
      text, &context,
      [](const SMDiagnostic &diagnostic, void *context) {
        auto &text = *static_cast<std::string *>(context);
        if (text.empty()) {
          text = "line " + std::to_string(diagnostic.getLineNo()) + ": " +
                 diagnostic.getMessage().str();
        }
      },
      &message);
  RangeProfile profile;
  input >> profile;
  if (input.error()) {
    return createStringError(input.error(), message.empty()
                                                ? "no YAML of a range profile"
                                                : message.c_str());
  }
  return profile;
}

Expected<RangeProfile> RangeProfile::read(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    return createStringError(buffer.getError(),
                             buffer.getError().message().c_str());
  }
  StringRef text = (*buffer)->getBuffer();
  Expected<RangeProfile> profile = parseProfile(text, {});
  if (profile) {
    return profile;
  }
  Expected<RangeProfile> earlier = parseProfile(text, {/*isEarlier=*/true});
  if (earlier && earlier->hasEarlierChoice) {
    consumeError(profile.takeError());
    return earlier;
  }
  consumeError(earlier.takeError());
  return profile;
}
