// Kinds of attributes and values, and the operators that are not simply what
// their ops say.

// RUN: nacre-translate --export-onnx %s -o %t.onnx
// RUN: %python %S/Inputs/print.py %t.onnx | FileCheck %s
// RUN: nacre-translate --import-onnx %t.onnx | FileCheck %s --check-prefix=AGAIN

// CHECK-DAG: opset ai.onnx.ml 1
// CHECK-DAG: opset com.microsoft 1
// CHECK-DAG: opset ai.onnx 21
// CHECK-DAG: output maps: sequence(map(int64, float[]))
// CHECK-DAG: output list: sequence(float[?,3])
// CHECK-DAG: output any: sequence(float[*])
// CHECK-DAG: output none: optional(float[2])

// AGAIN: -> (tensor<1x1x2x2xf32> {{{.*}}}, tensor<1x1x2x2xi64> {{{.*}}}, !IE.Sequence<!IE.Map<i64, f32>> {{{.*}}}
// AGAIN-DAG: IE.MaxPoolWithIndices
// AGAIN-DAG: IE.LayerNormalization({{.*}}) {epsilon = 5.000000e-01 : f32}
// AGAIN-DAG: IE.MatMulNBits
// AGAIN-DAG: IE.ZipMap
func.func @main(%image: tensor<1x1x3x3xf32> {nacre.name = "image"},
                %row: tensor<6xf32> {nacre.name = "row"},
                %x: tensor<1x64xf32> {nacre.name = "x"},
                %b: tensor<10x2x16xui8> {nacre.name = "b"},
                %s: tensor<10x2xf32> {nacre.name = "s"},
                %scores: tensor<?x3xf32> {nacre.name = "scores"},
                %u: tensor<1x1x3x3xui8> {nacre.name = "u"},
                %w: tensor<1x1x1x1xi8> {nacre.name = "w"},
                %m: tensor<2x3xf32> {nacre.name = "m"},
                %n: tensor<4x3xf32> {nacre.name = "n"},
                %v: tensor<4xf32> {nacre.name = "v"},
                %text: tensor<1x!IE.String> {nacre.name = "text"})
    -> (tensor<1x1x2x2xf32> {nacre.name = "pooled"},
        tensor<1x1x2x2xi64> {nacre.name = "indices"},
        !IE.Sequence<!IE.Map<i64, f32>> {nacre.name = "maps"},
        !IE.Sequence<tensor<?x3xf32>> {nacre.name = "list"},
        !IE.Sequence<tensor<*xf32>> {nacre.name = "any"},
        !IE.Optional<tensor<2xf32>> {nacre.name = "none"},
        tensor<3xf32> {nacre.name = "first"}, tensor<2xf32> {nacre.name = "part"},
        tensor<1x10xf32> {nacre.name = "y"}, tensor<1x1x3x3xi32> {nacre.name = "i"},
        tensor<6xf16> {nacre.name = "half"}, tensor<?x!IE.String> {nacre.name = "words"},
        tensor<6xf32> {nacre.name = "r"}, tensor<2x3xf32> {nacre.name = "ln"},
        tensor<2x1xf32> {nacre.name = "inverse"}) {
  // CHECK: node {{.*}}: MaxPool(image) -> pooled, indices {kernel_shape = [2, 2], storage_order = 1}
  %0:2 = IE.MaxPoolWithIndices(%image) {kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64}
      : (tensor<1x1x3x3xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>)
  // Labels are an attribute.
  // CHECK: node {{.*}}: ai.onnx.ml.ZipMap(scores) -> maps {classlabels_int64s = [1, 2, 3]}
  %labels = IE.Constant dense<[1, 2, 3]> : tensor<3xi64>
  %1 = IE.ZipMap(%scores, %labels)
      : (tensor<?x3xf32>, tensor<3xi64>) -> !IE.Sequence<!IE.Map<i64, f32>>
  // CHECK: node {{.*}}: SequenceConstruct(m, n) -> list
  %2 = IE.SequenceConstruct(%m, %n) : (tensor<2x3xf32>, tensor<4x3xf32>)
      -> !IE.Sequence<tensor<?x3xf32>>
  // CHECK: node {{.*}}: SequenceInsert(list, v) -> any
  %3 = IE.SequenceInsert(%2, %v) : (!IE.Sequence<tensor<?x3xf32>>, tensor<4xf32>)
      -> !IE.Sequence<tensor<*xf32>>
  // A type as an attribute.
  // CHECK: node {{.*}}: Optional() -> none {type = float[2]}
  %4 = IE.Optional() {type = tensor<2xf32>} : () -> !IE.Optional<tensor<2xf32>>
  // The number of parts or their sizes, but not both; a part that is not used.
  // CHECK: node {{.*}}: Split(row) -> first, {{.+}} {num_outputs = 2}
  %5:2 = IE.Split %row {num_outputs = 2 : i64} : tensor<6xf32> -> tensor<3xf32>, tensor<3xf32>
  // CHECK: node {{.*}}: Split(row, {{.*}}) -> part, {{[^{]+$}}
  %sizes = IE.Constant dense<[2, 4]> : tensor<2xi64>
  %6:2 = IE.Split %row split(%sizes : tensor<2xi64>) : tensor<6xf32> -> tensor<2xf32>, tensor<4xf32>
  // CHECK: node {{.*}}: com.microsoft.MatMulNBits(x, b, s) -> y {{{.*}}N = 10
  %7 = IE.MatMulNBits(%x, %b, %s) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64}
      : (tensor<1x64xf32>, tensor<10x2x16xui8>, tensor<10x2xf32>) -> tensor<1x10xf32>
  // Zeros for each channel are what is there without them.
  // CHECK: node {{.*}}: ConvInteger(u, w, {{[^,]*}}) -> i
  %one = IE.Constant dense<1> : tensor<ui8>
  %zeros = IE.Constant dense<0> : tensor<1xi8>
  %8 = IE.ConvInteger(%u, %w) zero(%one : tensor<ui8>) weightsZero(%zeros : tensor<1xi8>)
      : (tensor<1x1x3x3xui8>, tensor<1x1x1x1xi8>) -> tensor<1x1x3x3xi32>
  // An element type is a number.
  // CHECK: node {{.*}}: Cast(row) -> half {to = 10}
  %9 = IE.Cast %row to f16 : tensor<6xf32> -> tensor<6xf16>
  // Strings, one and several.
  // CHECK: node {{.*}}: StringNormalizer(text) -> words {case_change_action = b'LOWER', stopwords = [b'a', b'b']}
  %10 = IE.StringNormalizer %text {case_change_action = "LOWER", stopwords = ["a", "b"]}
      : tensor<1x!IE.String> -> tensor<?x!IE.String>
  // What is as by default is left out.
  // CHECK: node {{.*}}: LeakyRelu(row) -> r{{$}}
  %11 = IE.LeakyRelu %row {alpha = 0.01 : f32} : tensor<6xf32> -> tensor<6xf32>
  // Statistics that nobody reads are left out, or have a name if one is between.
  // CHECK: node {{.*}}: LayerNormalization(m, {{[^,]+}}, {{[^,]+}}) -> ln {epsilon = 0.5}
  // CHECK: node {{.*}}: LayerNormalization(m, {{[^,]+}}) -> {{[^,]+}}, {{[^,]*}}, inverse{{$}}
  %scale = IE.Constant dense<2.0> : tensor<3xf32>
  %12:3 = IE.LayerNormalization(%m, %scale, %scale) {epsilon = 0.5 : f32}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  %13:3 = IE.LayerNormalization(%m, %scale)
      : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return %0#0, %0#1, %1, %2, %3, %4, %5#0, %6#0, %7, %8, %9, %10, %11, %12#0, %13#2
      : tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, !IE.Sequence<!IE.Map<i64, f32>>,
        !IE.Sequence<tensor<?x3xf32>>, !IE.Sequence<tensor<*xf32>>,
        !IE.Optional<tensor<2xf32>>, tensor<3xf32>, tensor<2xf32>,
        tensor<1x10xf32>, tensor<1x1x3x3xi32>, tensor<6xf16>,
        tensor<?x!IE.String>, tensor<6xf32>, tensor<2x3xf32>, tensor<2x1xf32>
}
