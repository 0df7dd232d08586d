//===- CalibratorsTest.cpp - Tests of calibrators and parameters ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Calibrators.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace nacre::quantization;

static ValueProfile profile(llvm::ArrayRef<float> values) {
  Statistics statistics(2048, /*axis=*/-1);
  statistics.add(values, {static_cast<int64_t>(values.size())});
  ValueProfile result;
  result.take(statistics);
  return result;
}

/// Numbers of a normal distribution.
static std::vector<float> makeNormal() {
  std::mt19937 random(3);
  std::vector<float> values;
  for (int i = 0; i < 100000; ++i) {
    float sum = 0;
    for (int j = 0; j < 12; ++j) {
      sum += static_cast<float>(random() % 65536) / 65536;
    }
    values.push_back(sum - 6);
  }
  return values;
}

/// Fifty times the same numbers, and one far from all others.
static ValueProfile makeOutlier() {
  std::vector<float> values = makeNormal();
  Statistics statistics(2048, /*axis=*/-1);
  for (int i = 0; i < 50; ++i) {
    statistics.add(values, {static_cast<int64_t>(values.size())});
  }
  statistics.add({60}, {1});
  ValueProfile result;
  result.take(statistics);
  return result;
}

static Range calibrateBy(Calibrator calibrator, const ValueProfile &value,
                         Schema schema = Schema::Asymmetric) {
  CalibrationOptions options;
  options.calibrator = calibrator;
  options.schema = schema;
  return calibrate(value, options);
}

/// The mean squared error of the numbers themselves.
static double measure(llvm::ArrayRef<float> values,
                      const Parameters &parameters) {
  double sum = 0;
  for (float value : values) {
    sum += std::pow(value - parameters.roundTrip(value), 2);
  }
  return sum / static_cast<double>(values.size());
}

TEST(Calibrators, MinMax_IsWhatOccurredAndZero) {
  Range range = calibrateBy(Calibrator::MinMax, profile({2, 3, 5}));
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 5);
}

TEST(Calibrators, AllButMinMax_CutAnOutlierOff) {
  ValueProfile values = makeOutlier();
  EXPECT_EQ(calibrateBy(Calibrator::MinMax, values).high, 60);
  for (Calibrator calibrator :
       {Calibrator::Percentile, Calibrator::Entropy, Calibrator::MSE}) {
    Range range = calibrateBy(calibrator, values);
    EXPECT_LT(range.high, 30) << static_cast<int>(calibrator);
    EXPECT_GT(range.high, 2) << static_cast<int>(calibrator);
    EXPECT_LT(range.low, -2) << static_cast<int>(calibrator);
  }
}

TEST(Calibrators, MSE_HasLessErrorThanMinMax) {
  ValueProfile values = makeOutlier();
  for (Schema schema : {Schema::Asymmetric, Schema::Symmetric,
                        Schema::SymmetricWithUInt8, Schema::SymmetricPower2}) {
    auto errorOf = [&](Calibrator calibrator) {
      return getSquaredError(
          values.histogram,
          getParameters(calibrateBy(calibrator, values, schema), schema,
                        ActivationType::UInt8));
    };
    EXPECT_LT(errorOf(Calibrator::MSE), errorOf(Calibrator::MinMax) / 2)
        << static_cast<int>(schema);
  }
}

TEST(Calibrators, SquaredError_IsThatOfTheNumbers) {
  std::vector<float> values = makeNormal();
  Parameters parameters =
      getParameters({-4, 4}, Schema::Asymmetric, ActivationType::UInt8);
  double found = getSquaredError(profile(values).histogram, parameters);
  EXPECT_NEAR(found / measure(values, parameters), 1, 0.05);
}

TEST(Calibrators, NarrowerRange_LosesInformation) {
  Bins bins = profile(makeNormal()).histogram;
  EXPECT_GT(getDivergence(bins, {-1, 1}), getDivergence(bins, {-4, 4}));
}

TEST(Calibrators, Percentile_KeepsThatManyAtEachEnd) {
  std::vector<float> values;
  for (int i = -1000; i <= 1000; ++i) {
    values.push_back(static_cast<float>(i));
  }
  CalibrationOptions options;
  options.calibrator = Calibrator::Percentile;
  options.percentile = 90;
  Range range = calibrate(profile(values), options);
  EXPECT_NEAR(range.low, -800, 2);
  EXPECT_NEAR(range.high, 800, 2);
}

TEST(Calibrators, SixteenBits_HaveTwiceTheRangeToSpare) {
  for (Calibrator calibrator :
       {Calibrator::MinMax, Calibrator::MSE, Calibrator::Percentile}) {
    CalibrationOptions options;
    options.calibrator = calibrator;
    options.percentile = 100;
    options.type = ActivationType::Int16;
    Range range = calibrate(profile({-3, 2, 5}), options);
    EXPECT_EQ(range.low, -6) << static_cast<int>(calibrator);
    EXPECT_EQ(range.high, 10) << static_cast<int>(calibrator);
    options.type = ActivationType::Int8;
    EXPECT_LE(calibrate(profile({-3, 2, 5}), options).high, 5);
  }
}

TEST(Calibrators, WithoutHistogram_TheRangeIsWhole) {
  ValueProfile value;
  value.low = 1;
  value.high = 3;
  Range range = calibrate(value, CalibrationOptions());
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 3);
  CalibrationOptions wide;
  wide.type = ActivationType::Int16;
  EXPECT_EQ(calibrate(value, wide).high, 6);
}

TEST(Parameters, Asymmetric_UsesAllNumbersAndHoldsZero) {
  Parameters u8 =
      getParameters({-1, 1.55}, Schema::Asymmetric, ActivationType::UInt8);
  EXPECT_FALSE(u8.isSigned);
  EXPECT_FLOAT_EQ(u8.scale, 0.01f);
  EXPECT_EQ(u8.zeroPoint, 100);
  EXPECT_EQ(u8.roundTrip(0), 0);
  Parameters i8 =
      getParameters({-1, 1.55}, Schema::Asymmetric, ActivationType::Int8);
  EXPECT_TRUE(i8.isSigned);
  EXPECT_EQ(i8.zeroPoint, -28);
}

TEST(Parameters, OneSidedRange_IsWidenedToZero) {
  Parameters above =
      getParameters({1, 2.55}, Schema::Asymmetric, ActivationType::UInt8);
  EXPECT_FLOAT_EQ(above.scale, 0.01f);
  EXPECT_EQ(above.zeroPoint, 0);
  Parameters below =
      getParameters({-2.55, -1}, Schema::Asymmetric, ActivationType::UInt8);
  EXPECT_EQ(below.zeroPoint, 255);
}

TEST(Parameters, Symmetric_HasNoZeroPoint) {
  Parameters both =
      getParameters({-1.27, 1}, Schema::Symmetric, ActivationType::UInt8);
  EXPECT_TRUE(both.isSigned);
  EXPECT_EQ(both.zeroPoint, 0);
  EXPECT_FLOAT_EQ(both.scale, 0.01f);
  Parameters positive = getParameters({0, 2.55}, Schema::SymmetricWithUInt8,
                                      ActivationType::UInt8);
  EXPECT_FALSE(positive.isSigned);
  EXPECT_FLOAT_EQ(positive.scale, 0.01f);
  EXPECT_TRUE(getParameters({-0.1, 2.55}, Schema::SymmetricWithUInt8,
                            ActivationType::UInt8)
                  .isSigned);
}

TEST(Parameters, Power2_IsTheNextPowerOfTwo) {
  for (double largest : {0.3, 1.0, 127.0, 128.0, 1e-20}) {
    Parameters parameters = getParameters({0, largest}, Schema::SymmetricPower2,
                                          ActivationType::UInt8);
    int exponent;
    EXPECT_EQ(std::frexp(parameters.scale, &exponent), 0.5f) << largest;
    EXPECT_GE(parameters.scale * 127, largest * 0.999999);
    EXPECT_LT(parameters.scale * 63, largest);
  }
}

TEST(Parameters, ConstantsAndZeros_AreExact) {
  for (Schema schema :
       {Schema::Asymmetric, Schema::Symmetric, Schema::SymmetricWithUInt8}) {
    Parameters parameters =
        getParameters({0, 3.7}, schema, ActivationType::UInt8);
    EXPECT_NEAR(parameters.roundTrip(3.7), 3.7, 1e-6);
    Parameters zeros = getParameters({0, 0}, schema, ActivationType::UInt8);
    EXPECT_EQ(zeros.scale, 1);
    EXPECT_EQ(zeros.roundTrip(0), 0);
    EXPECT_TRUE(std::isnormal(
        getParameters({0, 1e-45}, schema, ActivationType::UInt8).scale));
  }
}

TEST(Parameters, TiesRoundToEven) {
  Parameters parameters =
      getParameters({0, 255}, Schema::Asymmetric, ActivationType::UInt8);
  EXPECT_EQ(parameters.quantize(2.5), 2);
  EXPECT_EQ(parameters.quantize(3.5), 4);
  EXPECT_EQ(parameters.quantize(-9), 0);
  EXPECT_EQ(parameters.quantize(999), 255);
}

TEST(Parameters, Weights_HaveAScalePerChannel) {
  std::vector<float> weights = {1.27f, -0.5f, 0, 0, 254, 127};
  std::vector<float> rows = getWeightScales(weights, {3, 2}, /*axis=*/0);
  EXPECT_FLOAT_EQ(rows[0], 0.01f);
  EXPECT_EQ(rows[1], 1);
  EXPECT_EQ(rows[2], 2);
  EXPECT_EQ(quantizeWeights(weights, {3, 2}, 0, rows),
            (std::vector<int16_t>{127, -50, 0, 0, 127, 64}));
  EXPECT_EQ(getWeightScales(weights, {3, 2}, /*axis=*/1),
            (std::vector<float>{2, 1}));
  EXPECT_EQ(getWeightScales(weights, {3, 2}, /*axis=*/-1),
            std::vector<float>{2});
}

TEST(Parameters, WeightScales_ShrinkWhereThatIsNearer) {
  // Next to one large weight, many smaller ones are between two steps.
  std::vector<float> weights(64, 31.5f);
  weights[0] = 63;
  std::vector<float> scales = {1, 1};
  weights.resize(128, 63);
  shrinkWeightScales(weights, {2, 64}, /*axis=*/0, scales, /*bits=*/7);
  EXPECT_LT(scales[0], 1);
  EXPECT_EQ(scales[1], 1);
  std::vector<float> zeros = {0, 0}, one = {1};
  shrinkWeightScales(zeros, {1, 2}, /*axis=*/-1, one);
  EXPECT_EQ(one[0], 1);
}

TEST(Parameters, SixteenBits_AreSymmetricWhateverTheSchema) {
  for (Schema schema : {Schema::Asymmetric, Schema::Symmetric}) {
    Parameters parameters =
        getParameters({0, 3.2767}, schema, ActivationType::Int16);
    EXPECT_EQ(parameters.getTypeName(), "int16");
    EXPECT_EQ(parameters.zeroPoint, 0);
    EXPECT_FLOAT_EQ(parameters.scale, 1e-4f);
    EXPECT_EQ(parameters.quantize(9), 32767);
    EXPECT_EQ(parameters.quantize(-9), -32768);
    EXPECT_NEAR(parameters.getRange().low, -3.2767, 1e-6);
  }
}

TEST(Parameters, Weights_MayHaveSixteenBits) {
  std::vector<float> weights = {3.2767f, -0.5f};
  std::vector<float> scales =
      getWeightScales(weights, {1, 2}, /*axis=*/-1, /*bits=*/16);
  EXPECT_FLOAT_EQ(scales[0], 1e-4f);
  EXPECT_EQ(quantizeWeights(weights, {1, 2}, -1, scales, /*bits=*/16),
            (std::vector<int16_t>{32767, -5000}));
}

TEST(Parameters, Bias_NeverNeedsMoreThan30Bits) {
  EXPECT_EQ(fitBias(0.1f, 0.1f, 1000), 0.1f);
  float raised = fitBias(1e-9f, 1e-3f, 5);
  EXPECT_LE(5 / (raised * 1e-3), (1 << 30) * 1.000001);
  EXPECT_GT(raised, 1e-9f);
}
