//===- ArchDescriptorTest.cpp - Tests of architecture descriptors ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

TEST(ArchDescriptor, NameWithCPU_IsCompiledForThat) {
  Expected<ArchDescriptor> arch = loadArch("aarch64@cortex-a76");
  ASSERT_TRUE(static_cast<bool>(arch)) << toString(arch.takeError());
  EXPECT_EQ(arch->name, "aarch64");
  EXPECT_EQ(arch->target.cpu, "cortex-a76");
  EXPECT_EQ(arch->target.tune, "");
  EXPECT_EQ(arch->target.features, "+neon");
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

TEST(ArchDescriptor, Host_WithSse2Only_IsTheBaseline) {
  Expected<ArchDescriptor> arch =
      resolveHostArch("x86_64", makeFeatures({"sse2", "avx2"}));
  ASSERT_TRUE(static_cast<bool>(arch));
  EXPECT_EQ(arch->name, "x86-64");
}

TEST(ArchDescriptor, Host_WithoutVectors_IsRefused) {
  std::string error = errorOf(resolveHostArch("x86_64", makeFeatures({"x87"})));
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
    "llvm": {"triple": "aarch64-linux-gnu", "cpu": "generic",
             "tune": "neoverse-n1", "features": "+neon"},
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

TEST(ArchDescriptor, VectorsOfOneDouble_AreRefused) {
  std::string json = kSmallArch;
  replaceOnce(json, "\"lanes\": 4", "\"lanes\": 2");
  EXPECT_EQ(errorOf(parseArch(json, "test")), "");
  replaceOnce(json, "[\"f32\"", "[\"f32\", \"f64\"");
  EXPECT_EQ(errorOf(parseArch(json, "test")),
            "test: expected 4 or more for mac_array.lanes with f64 among "
            "element_types, found 2");
}

static std::string getPackedArch() {
  std::string json = kSmallArch;
  replaceOnce(json, "\"i8\": 1, \"bf16\": 1", "\"i8\": 4, \"bf16\": 2");
  replaceOnce(json, "\"lanes\": 4", "\"lanes\": 16");
  replaceOnce(json, "aarch64-linux-gnu", "x86_64-linux-gnu");
  replaceOnce(json, "neoverse-n1", "haswell");
  replaceOnce(json, "+neon", "");
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
            "test: missing field 'mac_array.pack.i8': expected a whole "
            "number from 1 to 64");
}

TEST(ArchDescriptor, FieldThatNoMachineHas_IsRefused_NamingIt) {
  const std::tuple<StringRef, StringRef, StringRef> changes[] = {
      {"\"clusters\": 1", "\"clusters\": 0",
       "field 'clusters': expected a whole number from 1 to 65536, found 0"},
      {"\"cmx_bytes\": 1024", "\"cmx_bytes\": -1",
       "field 'cmx_bytes': expected a whole number from 1 to 4294967296, found "
       "-1"},
      {"\"engines\": 1", "\"engines\": 1e30",
       "field 'dma.engines': expected a whole number from 1 to 65536, found "
       "1e+30"},
      {"\"registers\": 32", "\"registers\": \"32\"",
       "field 'mac_array.registers': expected a whole number from 1 to 256, "
       "found \"32\""},
      {"\"pixels\": 6", "\"pixels\": 9",
       "expected mac_array.pixels times mac_array.blocks of at most "
       "mac_array.registers, found 36 of 32"},
      {"[\"f32\"]", "[\"f33\"]",
       "field 'element_types': expected only f32, f64, bf16 and i8, found "
       "[\"f33\"]"},
      {"[\"f32\"]", "3",
       "field 'element_types': expected an array of strings, found 3"},
      {"\"kind\": \"cpu\"", "\"kind\": \"gpu\"",
       "field 'kind': expected \"cpu\" or \"npu\", found \"gpu\""},
      {"aarch64-linux-gnu", "x",
       "field 'llvm.triple': expected host, or a triple such as "
       "x86_64-unknown-linux-gnu, found 'x'"},
      {"aarch64-linux-gnu", "aarch64-apple-macosx",
       "field 'llvm.triple': expected a target whose objects are ELF, found "
       "MACHO of 'aarch64-apple-macosx'"},
      {"aarch64-linux-gnu", "x86_64-pc-windows-msvc",
       "field 'llvm.triple': expected a target whose objects are ELF, found "
       "COFF of 'x86_64-pc-windows-msvc'"},
      {"aarch64-linux-gnu", "wasm32-unknown-unknown",
       "field 'llvm.triple': expected a target whose objects are ELF, found "
       "WASM of 'wasm32-unknown-unknown'"},
      {"aarch64-linux-gnu", "aarch64_be-linux-gnu",
       "field 'llvm.triple': expected a little-endian machine of 64 or 32 "
       "bits, found 'aarch64_be-unknown-linux-gnu'"},
      {"aarch64-linux-gnu", "x86_64-linux-gnux32",
       "field 'llvm.triple': expected addresses as wide as the machine's "
       "registers, found 'x86_64-unknown-linux-gnux32'"},
      {"\"cpu\": \"generic\"", "\"cpu\": \"pentium\"",
       "field 'llvm.cpu': LLVM knows no CPU 'pentium' of aarch64; nacre "
       "info --target=aarch64-unknown-linux-gnu lists all"},
      {"neoverse-n1", "haswell",
       "field 'llvm.tune': LLVM knows no CPU 'haswell' of aarch64; nacre "
       "info --target=aarch64-unknown-linux-gnu lists all"},
      {"+neon", "+avx2",
       "field 'llvm.features': LLVM knows no feature 'avx2' of aarch64; "
       "nacre info --target=aarch64-unknown-linux-gnu lists all"},
      {"+neon", "neon",
       "field 'llvm.features': expected '+' or '-' before 'neon'"},
      {"\"host_features\": []", "\"host_features\": [\"avx2\"]",
       "field 'host_features': LLVM knows no feature 'avx2' of aarch64; "
       "nacre info --target=aarch64-unknown-linux-gnu lists all"}};
  for (auto [from, to, message] : changes) {
    std::string json = kSmallArch;
    replaceOnce(json, from, to);
    EXPECT_EQ(errorOf(parseArch(json, "test")), "test: " + message.str());
  }
}

TEST(ArchDescriptor, CPUOfAnotherWidth_IsRefused) {
  std::string json = getPackedArch();
  replaceOnce(json, "\"cpu\": \"generic\"", "\"cpu\": \"i386\"");
  EXPECT_EQ(errorOf(parseArch(json, "test")),
            "test: field 'llvm.cpu': 'i386' with these features is no CPU of "
            "x86_64");
}
