// Where LLVM would round element by element: f16 of x86 without AVX512-FP16, and bf16
// that instructions convert.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --expand-small-floats | FileCheck %s --check-prefixes=HALF,NOBF16
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --expand-small-floats | FileCheck %s --check-prefixes=HALF,BF16
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --expand-small-floats | FileCheck %s --check-prefixes=HALF,BF16
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64 threads=1" --expand-small-floats | FileCheck %s --check-prefixes=NOHALF,NOBF16
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=1" --expand-small-floats | FileCheck %s --check-prefixes=NOHALF,NOBF16

// LLVM does not look through a sign, which is there already.
// HALF-LABEL: func @floor_of_halves_stays_in_f32
// HALF: %[[X:.*]] = arith.extf %arg0
// HALF: %[[FLOOR:.*]] = math.floor %[[X]]
// HALF: %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
// HALF: %[[SIGN:.*]] = arith.andi %[[BITS]], %c-2147483648_i32
// HALF: %[[WHOLE:.*]] = arith.bitcast %[[FLOOR]] : f32 to i32
// HALF: %[[SIGNED:.*]] = arith.ori %[[WHOLE]], %[[SIGN]]
// HALF: %[[RESULT:.*]] = arith.bitcast %[[SIGNED]] : i32 to f32
// HALF: arith.truncf %[[RESULT]] : f32 to f16
// NOHALF-LABEL: func @floor_of_halves_stays_in_f32
// NOHALF-NOT: arith.ori
// NOHALF: return
func.func @floor_of_halves_stays_in_f32(%a: f16) -> f16 {
  %x = arith.extf %a : f16 to f32
  %0 = math.floor %x : f32
  %1 = arith.truncf %0 : f32 to f16
  return %1 : f16
}

// HALF-LABEL: func @roundeven_of_vectors_does
// HALF: math.roundeven
// HALF: arith.andi %{{.*}}, %{{.*}} : vector<4xi32>
// HALF: arith.ori %{{.*}}, %{{.*}} : vector<4xi32>
// NOHALF-LABEL: func @roundeven_of_vectors_does
// NOHALF-NOT: arith.ori
// NOHALF: return
func.func @roundeven_of_vectors_does(%a: vector<4xf16>) -> vector<4xf16> {
  %x = arith.extf %a : vector<4xf16> to vector<4xf32>
  %0 = math.roundeven %x : vector<4xf32>
  %1 = arith.truncf %0 : vector<4xf32> to vector<4xf16>
  return %1 : vector<4xf16>
}

// HALF-LABEL: func @ceil_round_and_trunc_do
// HALF: math.ceil
// HALF: math.round
// HALF: math.trunc
// HALF-COUNT-3: arith.ori
// NOHALF-LABEL: func @ceil_round_and_trunc_do
// NOHALF-NOT: arith.ori
// NOHALF: return
func.func @ceil_round_and_trunc_do(%a: f16) -> (f16, f16, f16) {
  %x = arith.extf %a : f16 to f32
  %0 = math.ceil %x : f32
  %1 = math.round %x : f32
  %2 = math.trunc %x : f32
  %3 = arith.truncf %0 : f32 to f16
  %4 = arith.truncf %1 : f32 to f16
  %5 = arith.truncf %2 : f32 to f16
  return %3, %4, %5 : f16, f16, f16
}

// Shifts hide from LLVM that a number was bf16.
// BF16-LABEL: func @floor_of_bfloat16
// BF16: math.floor
// BF16: arith.ori
// BF16: arith.truncf %{{.*}} : vector<4xf32> to vector<4xbf16>
// NOBF16-LABEL: func @floor_of_bfloat16
// NOBF16: math.floor
// NOBF16-NOT: arith.constant dense<-2147483648>
// NOBF16: return
func.func @floor_of_bfloat16(%a: vector<4xbf16>) -> vector<4xbf16> {
  %x = arith.extf %a : vector<4xbf16> to vector<4xf32>
  %0 = math.floor %x : vector<4xf32>
  %1 = arith.truncf %0 : vector<4xf32> to vector<4xbf16>
  return %1 : vector<4xbf16>
}

// HALF-LABEL: func @rounding_of_singles_has_its_sign
// HALF-NOT: arith.ori
// HALF: return
func.func @rounding_of_singles_has_its_sign(%x: f32) -> f16 {
  %0 = math.ceil %x : f32
  %1 = arith.truncf %0 : f32 to f16
  return %1 : f16
}

// HALF-LABEL: func @rounding_to_f32_has_its_sign
// HALF-NOT: arith.ori
// HALF: return
func.func @rounding_to_f32_has_its_sign(%a: f16) -> f32 {
  %x = arith.extf %a : f16 to f32
  %0 = math.ceil %x : f32
  return %0 : f32
}
