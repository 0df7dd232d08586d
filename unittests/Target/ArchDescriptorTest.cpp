//===- ArchDescriptorTest.cpp - Tests of architecture descriptors ---------===//
//
// Built-in descriptors load and make sense; the host is chosen by features;
// malformed descriptors are refused with the field's name.
//
//===----------------------------------------------------------------------===//

#include "nacre/Target/ArchDescriptor.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace nacre;

static StringMap<bool> makeFeatures(ArrayRef<StringRef> names) {
  StringMap<bool> features;
  for (StringRef name : names) {
    features[name] = true;
  }
  return features;
}

static std::string errorOf(Expected<ArchDescriptor> arch) {
  return arch ? "" : toString(arch.takeError());
}

TEST(ArchDescriptor, EveryBuiltIn_Loads_WithConsistentFields) {
  ASSERT_FALSE(getArchNames().empty());
  for (StringRef name : getArchNames()) {
    Expected<ArchDescriptor> arch = loadArch(name);
    ASSERT_TRUE(static_cast<bool>(arch)) << toString(arch.takeError());
    EXPECT_EQ(arch->name, name);
    EXPECT_GT(arch->cmxBytes, 0);
    EXPECT_FALSE(arch->target.triple.empty());
    EXPECT_EQ(arch->isNPU, !arch->blockedChannels);
    // Accumulators, one vector of weights per block and one of input fit.
    EXPECT_LE(arch->pixels * arch->blocks + arch->blocks, arch->registers);
  }
}

TEST(ArchDescriptor, Host_WithAvx2Only_IsV3) {
  Expected<ArchDescriptor> arch =
      resolveHostArch("x86_64", makeFeatures({"avx2", "fma", "bmi2", "f16c"}));
  ASSERT_TRUE(static_cast<bool>(arch));
  EXPECT_EQ(arch->name, "x86-64-v3");
}

TEST(ArchDescriptor, Host_WithAvx512_IsV4) {
  Expected<ArchDescriptor> arch =
      resolveHostArch("x86_64", makeFeatures({"avx2", "fma", "bmi2", "f16c",
                                              "avx512f", "avx512vl", "avx512dq",
                                              "avx512bw", "avx512vnni"}));
  ASSERT_TRUE(static_cast<bool>(arch));
  EXPECT_EQ(arch->name, "x86-64-v4");
}

TEST(ArchDescriptor, Host_WithDotProductsButNoAmx_IsZnver4) {
  Expected<ArchDescriptor> arch = resolveHostArch(
      "x86_64",
      makeFeatures({"avx2", "fma", "bmi2", "f16c", "avx512f", "avx512vl",
                    "avx512dq", "avx512bw", "avx512vnni", "avx512bf16"}));
  ASSERT_TRUE(static_cast<bool>(arch));
  EXPECT_EQ(arch->name, "znver4");
}

TEST(ArchDescriptor, Host_WithAmx_IsSapphireRapids) {
  Expected<ArchDescriptor> arch = resolveHostArch(
      "x86_64",
      makeFeatures({"avx2", "fma", "bmi2", "f16c", "avx512f", "avx512vl",
                    "avx512dq", "avx512bw", "avx512vnni", "avx512bf16",
                    "amx-tile", "amx-bf16", "amx-int8"}));
  ASSERT_TRUE(static_cast<bool>(arch));
  EXPECT_EQ(arch->name, "sapphirerapids");
}

TEST(ArchDescriptor, Host_WithoutVectors_IsRefused) {
  std::string error =
      errorOf(resolveHostArch("x86_64", makeFeatures({"sse2"})));
  EXPECT_NE(error.find("no architecture descriptor for this host"),
            std::string::npos);
}

TEST(ArchDescriptor, UnknownName_IsRefused_NamingTheKnown) {
  std::string error = errorOf(loadArch("pentium"));
  EXPECT_NE(error.find("unknown architecture 'pentium'"), std::string::npos);
  EXPECT_NE(error.find("NPU37XX"), std::string::npos);
}

TEST(ArchDescriptor, MissingFile_IsRefused) {
  EXPECT_NE(errorOf(loadArch("nowhere.json")).find("cannot read"),
            std::string::npos);
}

TEST(ArchDescriptor, MissingField_IsRefused_NamingIt) {
  EXPECT_EQ(errorOf(parseArch("{}", "test")),
            "test: missing field 'name': expected a string");
}

TEST(ArchDescriptor, MalformedJSON_IsRefused) {
  EXPECT_EQ(errorOf(parseArch("[", "test")).rfind("test: ", 0), 0u);
  EXPECT_EQ(errorOf(parseArch("3", "test")), "test: expected a JSON object");
}

static const char *const kSmallArch =
    R"({"name": "a", "kind": "cpu", "clusters": 1,
    "cmx_bytes": 1024, "clock_mhz": 1000, "activations": "NCHWc",
    "element_types": ["f32"],
    "dma": {"engines": 1, "gigabytes_per_second": 1},
    "mac_array": {"lanes": 4, "registers": 32, "pixels": 6, "blocks": 4,
                  "pack": {"i8": 1, "bf16": 1}},
    "llvm": {"triple": "t", "cpu": "c", "tune": "u", "features": ""},
    "host_features": []})";

TEST(ArchDescriptor, UnknownField_IsRefused_NamingIt) {
  std::string json = kSmallArch;
  EXPECT_EQ(errorOf(parseArch(json, "test")), "");
  json.insert(1, "\"clock\": 3, ");
  EXPECT_EQ(errorOf(parseArch(json, "test")), "test: unknown field 'clock'");
}

TEST(ArchDescriptor, LanesThatAreNoPowerOfTwo_AreRefused) {
  std::string json = kSmallArch;
  json.replace(json.find("\"lanes\": 4"), 10, "\"lanes\": 12");
  EXPECT_EQ(errorOf(parseArch(json, "test")),
            "test: expected a power of two above 1 for mac_array.lanes, found "
            "12");
}

static void replaceOnce(std::string &text, StringRef from, StringRef to) {
  size_t at = text.find(from.str());
  ASSERT_NE(at, std::string::npos);
  text.replace(at, from.size(), to.str());
}

static std::string getPackedArch() {
  std::string json = kSmallArch;
  replaceOnce(json, "\"i8\": 1, \"bf16\": 1", "\"i8\": 4, \"bf16\": 2");
  replaceOnce(json, "\"lanes\": 4", "\"lanes\": 16");
  replaceOnce(json, "\"triple\": \"t\"", "\"triple\": \"x86_64-linux-gnu\"");
  return json;
}

TEST(ArchDescriptor, Pack_IsRead_ForEveryElementType) {
  Expected<ArchDescriptor> arch = parseArch(getPackedArch(), "test");
  ASSERT_TRUE(static_cast<bool>(arch));
  EXPECT_EQ(arch->packI8, 4);
  EXPECT_EQ(arch->packBF16, 2);
}

TEST(ArchDescriptor, PackWithoutInstruction_IsRefused) {
  const char *message =
      "test: expected 1 for both of mac_array.pack, or, on an x86-64 CPU, 2 or "
      "4 for i8 with 8 or 16 lanes and 2 for bf16 with 16";
  std::pair<StringRef, StringRef> changes[] = {
      {"\"lanes\": 16", "\"lanes\": 8"},
      {"\"i8\": 4", "\"i8\": 3"},
      {"x86_64-linux-gnu", "aarch64-linux-gnu"}};
  for (auto [from, to] : changes) {
    std::string json = getPackedArch();
    replaceOnce(json, from, to);
    EXPECT_EQ(errorOf(parseArch(json, "test")), message);
  }
}

static std::string getMatrixArch() {
  std::string json = getPackedArch();
  json.insert(1, R"("matrix_unit": {"tiles": 8, "rows": 16, "row_bytes": 64,
      "element_types": ["bf16", "i8"]}, )");
  return json;
}

TEST(ArchDescriptor, MatrixUnit_IsRead_WhereItIs) {
  Expected<ArchDescriptor> arch = parseArch(getMatrixArch(), "test");
  ASSERT_TRUE(static_cast<bool>(arch));
  ASSERT_TRUE(arch->matrixUnit.has_value());
  EXPECT_EQ(arch->matrixUnit->tiles, 8);
  EXPECT_EQ(arch->matrixUnit->rows, 16);
  EXPECT_EQ(arch->matrixUnit->rowBytes, 64);
  EXPECT_EQ(arch->matrixUnit->elementTypes,
            std::vector<std::string>({"bf16", "i8"}));
  Expected<ArchDescriptor> without = parseArch(getPackedArch(), "test");
  ASSERT_TRUE(static_cast<bool>(without));
  EXPECT_FALSE(without->matrixUnit.has_value());
}

TEST(ArchDescriptor, MatrixUnitWithoutInstruction_IsRefused) {
  const char *message =
      "test: expected a matrix_unit only of an x86-64 CPU with 16 lanes, with "
      "at least 8 tiles of 64 row_bytes and at most 16 rows, of bf16 with a "
      "pack of 2 or i8 with one of 4";
  std::pair<StringRef, StringRef> changes[] = {
      {"\"tiles\": 8", "\"tiles\": 4"},
      {"\"row_bytes\": 64", "\"row_bytes\": 32"},
      {"\"rows\": 16", "\"rows\": 32"},
      {"\"i8\": 4", "\"i8\": 2"},
      {"[\"bf16\", \"i8\"]", "[\"f32\"]"}};
  for (auto [from, to] : changes) {
    std::string json = getMatrixArch();
    replaceOnce(json, from, to);
    EXPECT_EQ(errorOf(parseArch(json, "test")), message);
  }
}

TEST(ArchDescriptor, MissingPack_IsRefused_NamingIt) {
  std::string json = kSmallArch;
  size_t begin = json.find(",\n                  \"pack\"");
  ASSERT_NE(begin, std::string::npos);
  json.erase(begin, json.find("}}", begin) + 1 - begin);
  EXPECT_EQ(errorOf(parseArch(json, "test")),
            "test: missing field 'mac_array.pack': expected an object");
}

TEST(ArchDescriptor, MissingPackOfAType_IsRefused_NamingIt) {
  std::string json = kSmallArch;
  json.replace(json.find("\"i8\": 1, "), 9, "");
  EXPECT_EQ(errorOf(parseArch(json, "test")),
            "test: missing field 'mac_array.pack.i8': expected a positive "
            "integer");
}
