//===- RangeProfileTest.cpp - Tests of range profiles ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/RangeProfile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

using namespace nacre::quantization;

static llvm::Expected<RangeProfile> parse(llvm::StringRef text) {
  int file;
  llvm::SmallString<64> path;
  EXPECT_FALSE(
      llvm::sys::fs::createTemporaryFile("ranges", "yaml", file, path));
  llvm::FileRemover remover(path);
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << text;
  return RangeProfile::read(path);
}

static std::string write(RangeProfile &profile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  profile.write(os);
  return text;
}

static std::string errorOf(llvm::StringRef text) {
  llvm::Expected<RangeProfile> profile = parse(text);
  return profile ? "" : llvm::toString(profile.takeError());
}

TEST(RangeProfile, WrittenAndRead_IsTheSame) {
  RangeProfile profile;
  profile.model = "net";
  profile.graph = "0123";
  profile.samples = 2;
  ValueProfile &value = profile.values.emplace_back();
  Statistics statistics(64, /*axis=*/1);
  statistics.add({0.1f, -1e-42f, 3.3333333f, 7}, {1, 2, 2});
  value.name = "a: \"name\"";
  value.node = "Conv_0";
  value.op = "Conv";
  value.take(statistics);
  profile.overrides.push_back({value.name, Range{-0.1, 5}, "", "", "why not"});
  profile.overrides.push_back({"", std::nullopt, "head/*", "f32", ""});
  std::string text = write(profile);
  llvm::Expected<RangeProfile> read = parse(text);
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(write(*read), text);
  EXPECT_EQ(read->values[0].name, value.name);
  EXPECT_EQ(read->values[0].low, value.low);
  EXPECT_EQ(read->values[0].mean, value.mean);
  EXPECT_EQ(read->values[0].channels->high, value.channels->high);
  EXPECT_EQ(read->values[0].histogram.counts, value.histogram.counts);
  EXPECT_EQ(read->overrides[0].range->low, -0.1);
  EXPECT_EQ(read->overrides[1].node, "head/*");
}

TEST(RangeProfile, NoRangeProfile_IsRefusedWithTheLine) {
  EXPECT_NE(errorOf(""), "");
  EXPECT_NE(errorOf("just text"), "");
  EXPECT_EQ(errorOf("range_profile: 2\nmodel: {}\nvalues: []\n"),
            "line 1: expected version 1 of range profiles, found 2");
  EXPECT_EQ(errorOf("range_profile: 1\nmodel: {}\nvalues:\n- {name: x}\n"),
            "line 4: missing required key 'count'");
  EXPECT_EQ(errorOf("range_profile: 1\nmodel: {}\nvalues: []\nfoo: 3\n"),
            "line 4: unknown key 'foo'");
}

TEST(RangeProfile, RangeUpsideDown_IsRefused) {
  EXPECT_EQ(errorOf("range_profile: 1\nmodel: {}\nvalues:\n"
                    "- {name: x, count: 1, min: 2, max: 1, mean: 1, std: 0}\n"),
            "line 4: expected 'min' not above 'max'");
}

TEST(RangeProfile, OverrideWithoutMeaning_IsRefused) {
  EXPECT_NE(errorOf("range_profile: 1\nmodel: {}\nvalues: []\n"
                    "overrides:\n- {value: x}\n"),
            "");
  EXPECT_NE(errorOf("range_profile: 1\nmodel: {}\nvalues: []\n"
                    "overrides:\n- {node: x, precision: f64}\n"),
            "");
}

TEST(RangeProfile, ChoiceOfCalibrator_IsReadAsWritten) {
  RangeProfile profile;
  profile.calibrators.emplace();
  profile.calibrators->integers = "symmetric, a scale for each channel";
  profile.calibrators->runs = 32;
  profile.calibrators->tried = {{"mse", 33.3}, {"entropy", -2}};
  std::string text = write(profile);
  llvm::Expected<RangeProfile> read = parse(text);
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(write(*read), text);
  EXPECT_EQ(read->calibrators->integers, profile.calibrators->integers);
  EXPECT_EQ(read->calibrators->runs, 32u);
  EXPECT_EQ(read->calibrators->findDecibels("mse"), 33.3);
}

TEST(RangeProfile, ChoiceOfCalibrator_IsWrittenInTenths) {
  RangeProfile profile;
  profile.calibrators.emplace();
  profile.calibrators->tried = {{"mse", 100.0 / 3}};
  EXPECT_NE(write(profile).find(" 33.3\n"), std::string::npos);
}

TEST(RangeProfile, GainOfARepair_IsWrittenInTenths) {
  RangeProfile profile;
  profile.repairs = {{"rounding", 3.1000000000000001, true, false, ""}};
  EXPECT_NE(write(profile).find(" 3.1\n"), std::string::npos);
}

TEST(RangeProfile, JudgesOfARepair_AreReadAsWritten) {
  RangeProfile profile;
  profile.repairs = {
      {"rounding", -0.1, true, true, "asymmetric uint8, one scale"},
      {"smooth", 2, true, false, ""}};
  std::string text = write(profile);
  llvm::Expected<RangeProfile> read = parse(text);
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(write(*read), text);
  EXPECT_TRUE(read->repairs[0].isUnseen);
  EXPECT_EQ(read->repairs[0].integers, "asymmetric uint8, one scale");
  EXPECT_FALSE(read->repairs[1].isUnseen);
  EXPECT_EQ(read->repairs[1].integers, "");
}

TEST(RangeProfile, Sums_AreToldFromOthersOnceWrittenAndRead) {
  RangeProfile profile;
  profile.sums.emplace();
  profile.sums->file = "r.yaml.sums";
  profile.sums->identify("12345678");
  llvm::Expected<RangeProfile> read = parse(write(profile));
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_TRUE(read->sums->isOf("12345678"));
  EXPECT_FALSE(read->sums->isOf("12345679"));
  EXPECT_FALSE(read->sums->isOf("1234"));
  EXPECT_FALSE(InputSumsIndex().isOf(""));
}

TEST(RangeProfile, ChoiceOfAnEarlierVersion_IsKnownAndNotWrittenAgain) {
  llvm::Expected<RangeProfile> read =
      parse("range_profile: 1\nmodel: {}\nvalues: []\ncalibrators:\n"
            "- {name: mse, decibels: 1.25}\n- {name: entropy, decibels: 3}\n");
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_TRUE(read->hasEarlierChoice);
  EXPECT_FALSE(read->calibrators);
  EXPECT_EQ(write(*read).find("calibrators"), std::string::npos);
}

TEST(RangeProfile, ChoiceThatIsNeither_IsRefusedAsOneOfThisVersion) {
  std::string head = "range_profile: 1\nmodel: {}\nvalues: []\n";
  EXPECT_NE(errorOf(head + "calibrators: entropy\n"), "");
  EXPECT_NE(errorOf(head + "calibrators:\n- {name: best, decibels: 1}\n"), "");
}

TEST(RangeProfile, ChoiceOfNothing_IsRefused) {
  const char *head = "range_profile: 1\nmodel: {}\nvalues: []\n";
  EXPECT_EQ(errorOf(std::string(head) +
                    "calibrators: {integers: a, runs: 1, tried: []}\n"),
            "line 4: expected calibrators in 'tried'");
}

TEST(CalibratorTrials, BestOne_IsTheFirstOfEqualOnes) {
  CalibratorTrials trials;
  trials.tried = {{"mse", 30}, {"percentile", 31}, {"entropy", 31}};
  EXPECT_EQ(trials.findBest(), "percentile");
  trials.tried.back().decibels = 32;
  EXPECT_EQ(trials.findBest(), "entropy");
  EXPECT_EQ(trials.findBest(/*needsWide=*/true), "percentile");
}

TEST(CalibratorTrials, LittleGain_LeavesTheDefault) {
  CalibratorTrials trials;
  trials.tried = {{"mse", 30}, {"minmax", 30.9}, {"entropy", 30.5}};
  EXPECT_EQ(trials.findBest(), "minmax");
  EXPECT_EQ(trials.findClearlyBest(), "mse");
  trials.tried[1].decibels = 31;
  EXPECT_EQ(trials.findClearlyBest(), "minmax");
}

TEST(CalibratorTrials, DecibelsThatAreClose_CountInTenths) {
  CalibratorTrials trials;
  trials.tried = {{"mse", 30.04}, {"minmax", 30.96}, {"entropy", 31.04}};
  EXPECT_EQ(trials.findBest(), "minmax");
  EXPECT_EQ(trials.findClearlyBest(), "minmax");
  // Of all tenths, a decibel more is enough.
  for (int tenth = -3000; tenth < 2990; ++tenth) {
    trials.tried = {{"mse", tenth / 10.0}, {"entropy", (tenth + 10) / 10.0}};
    EXPECT_EQ(trials.findClearlyBest(), "entropy");
    trials.tried[1].decibels = (tenth + 9) / 10.0;
    EXPECT_EQ(trials.findClearlyBest(), "mse");
  }
}

TEST(CalibratorTrials, WithoutTheDefault_TheBestOneCounts) {
  CalibratorTrials trials;
  trials.tried = {{"minmax", 20}, {"entropy", 21}};
  EXPECT_EQ(trials.findClearlyBest(), "entropy");
  EXPECT_EQ(trials.findClearlyBest(/*needsWide=*/true), "minmax");
}
