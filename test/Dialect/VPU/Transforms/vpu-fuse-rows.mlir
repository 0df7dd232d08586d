// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-trace-sizes --vpu-choose-strategies=decide=groups --vpu-fuse-rows --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-trace-sizes --vpu-choose-strategies="decide=groups min-cycles=1000" --vpu-fuse-rows --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-trace-sizes --vpu-choose-strategies=decide=groups --vpu-fuse-rows --split-input-file | FileCheck %s --check-prefix=NPU

// An NPU's software kernels share no cache.
// NPU-NOT: scf.for

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Every step is in the loop, once, although two use the exponentials.
// CHECK-LABEL: @softmax_is_one_loop
// CHECK-NOT: linalg
// CHECK: scf.for
// CHECK: linalg.fill {{.*}} -> tensor<32xf32>
// CHECK: arith.maximumf
// CHECK: } -> tensor<32xf32>
// CHECK: math.exp
// CHECK: } -> tensor<32x128xf32>
// CHECK: arith.addf
// CHECK: } -> tensor<32xf32>
// CHECK: arith.divf
// CHECK: } -> tensor<32x128xf32>
// CHECK: scf.yield
// CHECK-NOT: linalg
// CHECK: return

// TWO-LABEL: @softmax_is_one_loop
// TWO: scf.forall (%{{.*}}) = (0) to (64) step (32)
// TWO: scf.for
// TWO-COUNT-4: linalg.generic
// TWO: scf.yield
// TWO: parallel_insert_slice {{.*}} : tensor<32x128xf32> into tensor<64x128xf32>
// TWO: mapping = [#VPU.cluster<SplitOverHeight>]
func.func @softmax_is_one_loop(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %rows = tensor.empty() : tensor<64xf32>
  %whole = tensor.empty() : tensor<64x128xf32>
  %start = linalg.fill ins(%lowest : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%a: f32, %m: f32):
    %0 = arith.maximumf %m, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<64x128xf32>, tensor<64xf32>) outs(%whole : tensor<64x128xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x128xf32>) outs(%none : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<64x128xf32>, tensor<64xf32>) outs(%whole : tensor<64x128xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// The last two go by columns, whose sum must be complete before any row of
// the result; the first one stays by itself.
// CHECK-LABEL: @reductions_along_different_axes_stay_apart
// CHECK: math.sqrt
// CHECK: } -> tensor<64xf32>
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: } -> tensor<[[COLUMNS:[0-9]+]]xf32>
// CHECK: arith.divf
// CHECK: } -> tensor<64x[[COLUMNS]]xf32>
func.func @reductions_along_different_axes_stay_apart(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64xf32>
  %columns = tensor.empty() : tensor<4096xf32>
  %whole = tensor.empty() : tensor<64x4096xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %norm = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x4096xf32>) outs(%none : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = math.sqrt %a : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %no = linalg.fill ins(%zero : f32) outs(%columns : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x4096xf32>) outs(%no : tensor<4096xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %norm : tensor<64x4096xf32>, tensor<4096xf32>, tensor<64xf32>) outs(%whole : tensor<64x4096xf32>) {
  ^bb0(%a: f32, %s: f32, %n: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    %1 = arith.mulf %0, %n : f32
    linalg.yield %1 : f32
  } -> tensor<64x4096xf32>
  return %y : tensor<64x4096xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The caller wants all of the sums.
// CHECK-LABEL: @result_with_another_user_stays_outside
// CHECK-NOT: scf.for
// CHECK: return
func.func @result_with_another_user_stays_outside(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64xf32>
  %whole = tensor.empty() : tensor<64x128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%none : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x128xf32>, tensor<64xf32>) outs(%whole : tensor<64x128xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  return %sum, %y : tensor<64xf32>, tensor<64x128xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: @one_row_needs_no_loop
// CHECK-NOT: scf.for
// CHECK: return
func.func @one_row_needs_no_loop(%x: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<1xf32>
  %whole = tensor.empty() : tensor<1x128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<1xf32>) -> tensor<1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<1x128xf32>) outs(%none : tensor<1xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<1x128xf32>, tensor<1xf32>) outs(%whole : tensor<1x128xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<1x128xf32>
  return %y : tensor<1x128xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(j) -> (j)>
#last = affine_map<(i, j) -> (j)>

// What all rows share is computed before them.
// CHECK-LABEL: @value_per_column_stays_outside
// CHECK: math.exp
// CHECK: } -> tensor<128xf32>
// CHECK: scf.for
// CHECK-COUNT-2: linalg.generic
func.func @value_per_column_stays_outside(%x: tensor<64x128xf32>, %w: tensor<128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64xf32>
  %columns = tensor.empty() : tensor<128xf32>
  %whole = tensor.empty() : tensor<64x128xf32>
  %scale = linalg.generic {indexing_maps = [#column, #column], iterator_types = ["parallel"]} ins(%w : tensor<128xf32>) outs(%columns : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%none : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #last, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %scale : tensor<64x128xf32>, tensor<64xf32>, tensor<128xf32>) outs(%whole : tensor<64x128xf32>) {
  ^bb0(%a: f32, %s: f32, %w0: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    %1 = arith.mulf %0, %w0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>

// Images and heads are one dimension to the products and two to the software
// kernels. A block of 64 rows of scores is what half of CMX holds.
// CHECK-LABEL: @attention_keeps_a_block_of_scores
// CHECK: scf.for %[[HEAD:[a-z0-9]+]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args
// CHECK: scf.for %[[ROW:[a-z0-9]+]] =
// CHECK-DAG: %[[Q:.*]] = tensor.extract_slice %arg0[%[[HEAD]], %[[ROW]], 0] [1, 64, 64]
// CHECK-DAG: %[[K:.*]] = tensor.extract_slice %arg1[%[[HEAD]], 0, 0, 0] [1, 32, 64, 16]
// CHECK-DAG: %[[V:.*]] = tensor.extract_slice %arg2[%[[HEAD]], 0, 0, 0] [1, 4, 512, 16]
// CHECK: %[[S:.*]] = VPU.NCE.MatMul ins(%[[Q]], %[[K]] {{.*}} -> tensor<1x64x512xf32>
// CHECK: tensor.expand_shape %[[S]] {{.*}} into tensor<1x1x64x512xf32>
// CHECK: math.exp
// CHECK: } -> tensor<1x1x64x512xf32>
// CHECK: arith.addf
// CHECK: } -> tensor<1x1x64xf32>
// CHECK: arith.divf
// CHECK: %[[P:.*]] = tensor.collapse_shape {{.*}} into tensor<1x64x512xf32>
// CHECK: VPU.NCE.MatMul ins(%[[P]], %[[V]]
// CHECK-NOT: tensor<8x512x512xf32>
func.func @attention_keeps_a_block_of_scores(%q: tensor<8x512x64xf32>, %k: tensor<8x32x64x16xf32>, %v: tensor<8x4x512x16xf32>) -> tensor<8x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<8x512x512xf32>
  %ey = tensor.empty() : tensor<8x512x64xf32>
  %rows = tensor.empty() : tensor<2x4x512xf32>
  %whole = tensor.empty() : tensor<2x4x512x512xf32>
  %s = VPU.NCE.MatMul ins(%q, %k : tensor<8x512x64xf32>, tensor<8x32x64x16xf32>) outs(%es : tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %heads = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 4, 512, 512] : tensor<8x512x512xf32> into tensor<2x4x512x512xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%heads : tensor<2x4x512x512xf32>) outs(%whole : tensor<2x4x512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x512x512xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<2x4x512xf32>) -> tensor<2x4x512xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x512x512xf32>) outs(%none : tensor<2x4x512xf32>) {
  ^bb0(%a: f32, %t: f32):
    %0 = arith.addf %t, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x512xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x4x512x512xf32>, tensor<2x4x512xf32>) outs(%whole : tensor<2x4x512x512xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %0 = arith.divf %a, %t : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x512x512xf32>
  %joined = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x4x512x512xf32> into tensor<8x512x512xf32>
  %y = VPU.NCE.MatMul ins(%joined, %v : tensor<8x512x512xf32>, tensor<8x4x512x16xf32>) outs(%ey : tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %y : tensor<8x512x64xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>

// Of three matrices, each of the rows of two heads that share keys, clusters
// compute heads: half of the rows of each would be none.
// CHECK-LABEL: @odd_number_of_matrices_of_two_heads
// CHECK: VPU.NCE.MatMul {{.*}} -> tensor<1x{{[0-9]+}}x256xf32>
// CHECK-NOT: tensor<3x512x256xf32>
// TWO-LABEL: @odd_number_of_matrices_of_two_heads
// TWO: scf.forall (%[[PAIR:.*]], %[[ROW:.*]]) = (0, 0) to (3, 512) step (1, 256)
// TWO-DAG: %[[A:.*]] = affine.apply #{{.*}}(%[[PAIR]], %[[ROW]])
// TWO-DAG: %[[B:.*]] = affine.apply #{{.*}}(%[[ROW]])
// TWO: tensor.extract_slice %arg0[%[[A]], %[[B]], 0] [1, 256, 64]
// TWO: VPU.NCE.MatMul {{.*}} -> tensor<1x{{[0-9]+}}x256xf32>
// TWO-NOT: tensor<3x512x256xf32>
// TWO: mapping = [#VPU.cluster<SplitOverBatch>, #VPU.cluster<SplitOverHeight>]
func.func @odd_number_of_matrices_of_two_heads(%q: tensor<3x512x64xf32>, %k: tensor<3x16x64x16xf32>, %v: tensor<3x4x256x16xf32>) -> tensor<3x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<3x512x256xf32>
  %ey = tensor.empty() : tensor<3x512x64xf32>
  %rows = tensor.empty() : tensor<1x6x256xf32>
  %whole = tensor.empty() : tensor<1x6x256x256xf32>
  %s = VPU.NCE.MatMul ins(%q, %k : tensor<3x512x64xf32>, tensor<3x16x64x16xf32>) outs(%es : tensor<3x512x256xf32>) -> tensor<3x512x256xf32>
  %pairs = tensor.expand_shape %s [[0], [1, 2], [3]] output_shape [3, 2, 256, 256] : tensor<3x512x256xf32> into tensor<3x2x256x256xf32>
  %all = tensor.collapse_shape %pairs [[0, 1], [2], [3]] : tensor<3x2x256x256xf32> into tensor<6x256x256xf32>
  %heads = tensor.expand_shape %all [[0, 1], [2], [3]] output_shape [1, 6, 256, 256] : tensor<6x256x256xf32> into tensor<1x6x256x256xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%heads : tensor<1x6x256x256xf32>) outs(%whole : tensor<1x6x256x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x256x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<1x6x256xf32>) -> tensor<1x6x256xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<1x6x256x256xf32>) outs(%none : tensor<1x6x256xf32>) {
  ^bb0(%a: f32, %t: f32):
    %0 = arith.addf %t, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<1x6x256x256xf32>, tensor<1x6x256xf32>) outs(%whole : tensor<1x6x256x256xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %0 = arith.divf %a, %t : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x256x256xf32>
  %apart = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<1x6x256x256xf32> into tensor<6x256x256xf32>
  %again = tensor.expand_shape %apart [[0, 1], [2], [3]] output_shape [3, 2, 256, 256] : tensor<6x256x256xf32> into tensor<3x2x256x256xf32>
  %joined = tensor.collapse_shape %again [[0], [1, 2], [3]] : tensor<3x2x256x256xf32> into tensor<3x512x256xf32>
  %y = VPU.NCE.MatMul ins(%joined, %v : tensor<3x512x256xf32>, tensor<3x4x256x16xf32>) outs(%ey : tensor<3x512x64xf32>) -> tensor<3x512x64xf32>
  return %y : tensor<3x512x64xf32>
}

// -----

#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>

// Weights would be read once per block of rows: the normalisation is a loop, the
// product is not.
// CHECK-LABEL: @product_with_weights_stays_whole
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK: scf.yield
// CHECK: }
// CHECK: VPU.NCE.MatMul
// CHECK-NOT: scf.for
func.func @product_with_weights_stays_whole(%x: tensor<1x512x128xf32>) -> tensor<1x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<1.0> : tensor<1x4x128x16xf32>
  %rows = tensor.empty() : tensor<1x512xf32>
  %whole = tensor.empty() : tensor<1x512x128xf32>
  %ey = tensor.empty() : tensor<1x512x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<1x512xf32>) -> tensor<1x512xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x512x128xf32>) outs(%none : tensor<1x512xf32>) {
  ^bb0(%a: f32, %t: f32):
    %0 = arith.addf %t, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x512xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %sum : tensor<1x512x128xf32>, tensor<1x512xf32>) outs(%whole : tensor<1x512x128xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %0 = arith.divf %a, %t : f32
    linalg.yield %0 : f32
  } -> tensor<1x512x128xf32>
  %y = VPU.NCE.MatMul ins(%p, %w : tensor<1x512x128xf32>, tensor<1x4x128x16xf32>) outs(%ey : tensor<1x512x64xf32>) -> tensor<1x512x64xf32>
  return %y : tensor<1x512x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// There are no tiles of nothing.
// CHECK-LABEL: @rows_without_elements_stay
// CHECK-NOT: scf.for
// CHECK: return
func.func @rows_without_elements_stay(%x: tensor<64x0xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x0xf32>) outs(%none : tensor<64xf32>) {
  ^bb0(%a: f32, %t: f32):
    %0 = arith.addf %t, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %root = linalg.sqrt ins(%sum : tensor<64xf32>) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  return %root : tensor<64xf32>
}

// -----

// CHECK-LABEL: func private @function_without_a_body_stays
func.func private @function_without_a_body_stays(index)

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// No parts of one size make a prime number of rows: one cluster has a row less.
// TWO-LABEL: @prime_rows_are_shared_in_parts_that_differ
// TWO: scf.forall (%[[PART:.*]]) in (2)
// TWO: arith.minui
// TWO: scf.for
// TWO-COUNT-2: linalg.generic
// TWO: scf.yield
// TWO: mapping = [#VPU.cluster<SplitOverHeight>]
func.func @prime_rows_are_shared_in_parts_that_differ(%x: tensor<197x300xf32>) -> tensor<197x300xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<197xf32>
  %whole = tensor.empty() : tensor<197x300xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<197xf32>) -> tensor<197xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<197x300xf32>) outs(%none : tensor<197xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<197xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<197x300xf32>, tensor<197xf32>) outs(%whole : tensor<197x300xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<197x300xf32>
  return %y : tensor<197x300xf32>
}
