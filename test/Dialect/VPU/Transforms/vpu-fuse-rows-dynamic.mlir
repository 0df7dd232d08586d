// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-trace-sizes --vpu-choose-strategies=decide=groups --vpu-fuse-rows --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-trace-sizes --vpu-choose-strategies="decide=groups min-cycles=1000" --vpu-fuse-rows --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-trace-sizes --vpu-choose-strategies=decide=groups --vpu-fuse-rows --split-input-file | FileCheck %s --check-prefix=NPU

// An NPU's software kernels share no cache.
// NPU-NOT: scf.for

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The rows are of known length, and so are buffers for the largest block of
// them, which lie outside of the loop.
// CHECK-LABEL: @rows_of_unknown_number
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: index
// CHECK-NOT: linalg
// CHECK-DAG: tensor.empty() : tensor<[[MOST:[0-9]+]]x128xf32>
// CHECK-DAG: tensor.empty() : tensor<[[MOST]]xf32>
// CHECK: scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %[[ROWS]] step
// CHECK: %[[SIZE:.*]] = affine.min #{{.*}}(%[[I]])[%[[ROWS]]]
// CHECK-NOT: tensor.empty
// CHECK: tensor.extract_slice {{.*}}[0, 0] [%[[SIZE]], 128] [1, 1] : tensor<[[MOST]]x128xf32>
// CHECK: math.exp
// CHECK: } -> tensor<?x128xf32>
// CHECK: linalg.fill {{.*}} -> tensor<?xf32>
// CHECK: arith.addf
// CHECK: } -> tensor<?xf32>
// CHECK: arith.divf
// CHECK: } -> tensor<?x128xf32>
// CHECK: scf.yield
// CHECK-NOT: linalg
// CHECK: return

// How many clusters have enough to do is decided at run time, and each loops over its
// part of the rows, with buffers of its own.
// TWO-LABEL: @rows_of_unknown_number
// TWO: %[[PARTS:.*]] = affine.min
// TWO: scf.forall (%{{.*}}) in (%[[PARTS]])
// TWO: tensor.empty() : tensor<{{[0-9]+}}x128xf32>
// TWO: scf.for
// TWO-COUNT-3: linalg.generic
// TWO: scf.yield
// TWO: parallel_insert_slice {{.*}} : tensor<?x128xf32> into tensor<?x128xf32>
// TWO: mapping = [#VPU.cluster<SplitOverHeight>]
func.func @rows_of_unknown_number(%x: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty(%n) : tensor<?xf32>
  %whole = tensor.empty(%n) : tensor<?x128xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x128xf32>) outs(%whole : tensor<?x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<?x128xf32>) outs(%none : tensor<?xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<?x128xf32>, tensor<?xf32>) outs(%whole : tensor<?x128xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?x128xf32>
  return %y : tensor<?x128xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// How many rows make a block follows from their length; no more than there are.
// CHECK-LABEL: @rows_of_unknown_length
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: index, %[[LENGTH:[a-z0-9]+]]: index
// CHECK: %[[BYTES:.*]] = arith.muli %[[LENGTH]], %c4
// CHECK: arith.divui
// CHECK: %[[COUNT:.*]] = arith.ceildivui
// CHECK: %[[MOST:.*]] = arith.ceildivui %{{.*}}, %[[COUNT]]
// CHECK: tensor.empty(%[[MOST]], %[[LENGTH]]) : tensor<?x?xf32>
// CHECK: scf.for %{{.*}} to %[[ROWS]] step %[[MOST]]
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK-NOT: tensor.empty
// CHECK: tensor.extract_slice {{.*}}[0, 0] [%[[SIZE]], %[[LENGTH]]] [1, 1] : tensor<?x?xf32>
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK: scf.yield
// CHECK-NOT: linalg
// CHECK: return
func.func @rows_of_unknown_length(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty(%n) : tensor<?xf32>
  %whole = tensor.empty(%n, %m) : tensor<?x?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%whole : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<?x?xf32>) outs(%none : tensor<?xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%whole : tensor<?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

#vector = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Rows of the sum are those of the result only if b * c is n, which nothing
// says.
// CHECK-LABEL: @sizes_not_known_to_be_equal_stay_apart
// CHECK-NOT: scf.for
// CHECK: return
func.func @sizes_not_known_to_be_equal_stay_apart(%x: tensor<?x?x128xf32>, %n: index, %b: index, %c: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty(%b, %c) : tensor<?x?xf32>
  %whole = tensor.empty(%n) : tensor<?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<?x?x128xf32>) outs(%none : tensor<?x?xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %sum [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%flat : tensor<?xf32>) outs(%whole : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>

// Images and heads are one dimension to the products and two to the software
// kernels; of the scores only a block exists.
// CHECK-LABEL: @attention_of_unknown_length
// CHECK-SAME: %[[B:[a-z0-9]+]]: index, %[[S:[a-z0-9]+]]: index, %[[T:[a-z0-9]+]]: index
// CHECK: %[[MOST:.*]] = arith.ceildivui
// CHECK-NOT: scf.for
// CHECK: %[[BLOCK:.*]] = arith.ceildivui
// CHECK: tensor.empty(%[[BLOCK]], %[[T]]) : tensor<1x?x?xf32>
// CHECK: scf.for %[[HEAD:[a-z0-9]+]] =
// CHECK: scf.for %[[ROW:[a-z0-9]+]] = %{{.*}} to %{{.*}} step %[[BLOCK]]
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: %[[SCORES:.*]] = VPU.NCE.MatMul {{.*}} -> tensor<1x?x?xf32>
// CHECK: tensor.expand_shape %[[SCORES]] {{.*}} into tensor<1x1x?x?xf32>
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK: %[[P:.*]] = tensor.collapse_shape {{.*}} into tensor<1x?x?xf32>
// CHECK: VPU.NCE.MatMul ins(%[[P]],
// CHECK: scf.yield
// CHECK-NOT: VPU.NCE.MatMul
// CHECK: return
func.func @attention_of_unknown_length(%q: tensor<?x?x64xf32>, %k: tensor<?x1x64x?xf32>, %v: tensor<?x1x?x64xf32>, %b: index, %s: index, %t: index) -> tensor<?x?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %n = arith.muli %b, %c4 : index
  %es = tensor.empty(%n, %s, %t) : tensor<?x?x?xf32>
  %ey = tensor.empty(%n, %s) : tensor<?x?x64xf32>
  %rows = tensor.empty(%b, %s) : tensor<?x4x?xf32>
  %whole = tensor.empty(%b, %s, %t) : tensor<?x4x?x?xf32>
  %scores = VPU.NCE.MatMul ins(%q, %k : tensor<?x?x64xf32>, tensor<?x1x64x?xf32>) outs(%es : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %heads = tensor.expand_shape %scores [[0, 1], [2], [3]] output_shape [%b, 4, %s, %t] : tensor<?x?x?xf32> into tensor<?x4x?x?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%heads : tensor<?x4x?x?xf32>) outs(%whole : tensor<?x4x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x4x?x?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<?x4x?x?xf32>) outs(%none : tensor<?x4x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x4x?xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<?x4x?x?xf32>, tensor<?x4x?xf32>) outs(%whole : tensor<?x4x?x?xf32>) {
  ^bb0(%a: f32, %z: f32, %o: f32):
    %0 = arith.divf %a, %z : f32
    linalg.yield %0 : f32
  } -> tensor<?x4x?x?xf32>
  %joined = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<?x4x?x?xf32> into tensor<?x?x?xf32>
  %y = VPU.NCE.MatMul ins(%joined, %v : tensor<?x?x?xf32>, tensor<?x1x?x64xf32>) outs(%ey : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %y : tensor<?x?x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Sizes may say more of a block than types do, which only generic ops accept.
// CHECK-LABEL: @named_op_reads_blocks_of_its_own_type
// CHECK: scf.for
// CHECK-COUNT-2: linalg.generic
// CHECK: linalg.negf
// CHECK: scf.yield

// TWO-LABEL: @named_op_reads_blocks_of_its_own_type
// TWO: scf.for
// TWO: } -> tensor<?x64xf32>
// TWO: %[[CAST:.*]] = tensor.cast %{{.*}} : tensor<?x8x8xf32> to tensor<?x?x?xf32>
// TWO: linalg.negf ins(%[[CAST]]
// TWO: scf.yield
func.func @named_op_reads_blocks_of_its_own_type(%x: tensor<?x64xf32>, %n: index) -> tensor<?x?x?xf32> {
  %m = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty(%n) : tensor<?xf32>
  %whole = tensor.empty(%n) : tensor<?x64xf32>
  %out = tensor.empty(%n, %m, %m) : tensor<?x?x?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x64xf32>) outs(%none : tensor<?xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<?x64xf32>, tensor<?xf32>) outs(%whole : tensor<?x64xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?x64xf32>
  %cast = tensor.cast %y : tensor<?x64xf32> to tensor<?x?xf32>
  %parts = tensor.expand_shape %cast [[0], [1, 2]] output_shape [%n, %m, %m] : tensor<?x?xf32> into tensor<?x?x?xf32>
  %z = linalg.negf ins(%parts : tensor<?x?x?xf32>) outs(%out : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %z : tensor<?x?x?xf32>
}

// -----

#id = affine_map<(i, j, k, l) -> (i, j, k, l)>

// Tiles have all columns, so a part has them, too, where images are too few for
// all clusters.
// CHECK-LABEL: @few_images_of_short_rows
// CHECK: scf.for

// TWO-LABEL: @few_images_of_short_rows
// TWO: scf.forall
// TWO: tensor.extract_slice %{{.*}}[%{{.*}}, 0, %{{.*}}, 0] [%{{.*}}, %{{.*}}, %{{.*}}, 32] [1, 1, 1, 1] : tensor<?x?x?x32xf32> to tensor<?x?x?x32xf32>
// TWO: scf.for
// TWO-COUNT-2: } -> tensor<1x1x?x32xf32>
// TWO: parallel_insert_slice {{.*}} : tensor<?x?x?x32xf32> into tensor<?x?x?x32xf32>
func.func @few_images_of_short_rows(%x: tensor<?x?x?x32xf32>, %n: index, %h: index, %w: index) -> tensor<?x?x?x32xf32> {
  %out = tensor.empty(%n, %h, %w) : tensor<?x?x?x32xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<?x?x?x32xf32>) outs(%out : tensor<?x?x?x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x?x32xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp : tensor<?x?x?x32xf32>) outs(%out : tensor<?x?x?x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.sqrt %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x?x32xf32>
  return %y : tensor<?x?x?x32xf32>
}

// -----

#id = affine_map<(i, j, k, l) -> (i, j, k, l)>

// Only the operands do not know how many rows there are: of the result a run has
// no tiles to choose.
// CHECK-LABEL: @rows_of_a_known_number_computed_from_unknown_ones
// CHECK-NOT: scf.for
// CHECK: linalg.transpose

// TWO-LABEL: @rows_of_a_known_number_computed_from_unknown_ones
// TWO-NOT: scf.for
// TWO: linalg.transpose
func.func @rows_of_a_known_number_computed_from_unknown_ones(%x: tensor<?x7x?x?xf32>, %n: index, %h: index, %w: index) -> tensor<2x7x1x2xf32> {
  %empty = tensor.empty(%n, %h, %w) : tensor<?x7x?x?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<?x7x?x?xf32>) outs(%empty : tensor<?x7x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x7x?x?xf32>
  %whole = tensor.empty() : tensor<1x7x2x2xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp : tensor<?x7x?x?xf32>) outs(%whole : tensor<1x7x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.sqrt %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x7x2x2xf32>
  %out = tensor.empty() : tensor<2x7x1x2xf32>
  %z = linalg.transpose ins(%y : tensor<1x7x2x2xf32>) outs(%out : tensor<2x7x1x2xf32>) permutation = [2, 1, 0, 3]
  return %z : tensor<2x7x1x2xf32>
}

// -----

#id = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>

// Queries of a known number and the used part of a cache: tiles of one size,
// large enough to pay for the keys that a kernel packs for each.
// CHECK-LABEL: @many_queries_of_the_used_part_of_a_cache
// CHECK: scf.for %{{.*}} = %{{.*}} to %c4
// CHECK: scf.for %{{.*}} = %{{.*}} to %c192{{.*}} step %c64
// CHECK: VPU.NCE.MatMul {{.*}} {transposed} -> tensor<1x64x?xf32>
// CHECK: math.exp
// CHECK: VPU.NCE.MatMul {{.*}} -> tensor<1x64x64xf32>
// CHECK-NOT: VPU.NCE.MatMul
// CHECK: return

// TWO-LABEL: @many_queries_of_the_used_part_of_a_cache
// TWO: scf.forall (%{{.*}}) = (0) to (4) step (2)
// TWO: VPU.NCE.MatMul {{.*}} {transposed} -> tensor<1x64x?xf32>
func.func @many_queries_of_the_used_part_of_a_cache(%q: tensor<4x192x64xf32>, %k: tensor<4x4096x64xf32>, %v: tensor<4x4096x64xf32>, %used: index) -> tensor<4x192x64xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0 : index
  %room = arith.constant 4096 : index
  %few = arith.minsi %used, %room : index
  %n = arith.maxsi %few, %least : index
  %es = tensor.empty(%n) : tensor<4x192x?xf32>
  %ey = tensor.empty() : tensor<4x192x64xf32>
  %rows = tensor.empty() : tensor<4x192xf32>
  %keys = tensor.extract_slice %k[0, 0, 0] [4, %n, 64] [1, 1, 1] : tensor<4x4096x64xf32> to tensor<4x?x64xf32>
  %panel = tensor.expand_shape %keys [[0], [1, 2], [3]] output_shape [4, 1, %n, 64] : tensor<4x?x64xf32> into tensor<4x1x?x64xf32>
  %values = tensor.extract_slice %v[0, 0, 0] [4, %n, 64] [1, 1, 1] : tensor<4x4096x64xf32> to tensor<4x?x64xf32>
  %others = tensor.expand_shape %values [[0], [1, 2], [3]] output_shape [4, 1, %n, 64] : tensor<4x?x64xf32> into tensor<4x1x?x64xf32>
  %scores = VPU.NCE.MatMul ins(%q, %panel : tensor<4x192x64xf32>, tensor<4x1x?x64xf32>) outs(%es : tensor<4x192x?xf32>) {transposed} -> tensor<4x192x?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<4x192x?xf32>) outs(%es : tensor<4x192x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x192x?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<4x192xf32>) -> tensor<4x192xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<4x192x?xf32>) outs(%none : tensor<4x192xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x192xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<4x192x?xf32>, tensor<4x192xf32>) outs(%es : tensor<4x192x?xf32>) {
  ^bb0(%a: f32, %z: f32, %o: f32):
    %0 = arith.divf %a, %z : f32
    linalg.yield %0 : f32
  } -> tensor<4x192x?xf32>
  %y = VPU.NCE.MatMul ins(%p, %others : tensor<4x192x?xf32>, tensor<4x1x?x64xf32>) outs(%ey : tensor<4x192x64xf32>) -> tensor<4x192x64xf32>
  return %y : tensor<4x192x64xf32>
}
