// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators -convert-ie-to-linalg -canonicalize -split-input-file | FileCheck %s

// A list of 4 * 20 candidates and a block more is filled with what does not exceed
// a bound; when it is full, the bound is lowered.
// CHECK-LABEL: func @top_k_sorts_a_list_of_candidates
// CHECK-SAME: %[[X:.*]]: tensor<2x1000xf32>
// CHECK-DAG: %[[KEYS:.*]] = tensor.empty() : tensor<144xi32>
// CHECK-DAG: %[[POSITIONS:.*]] = tensor.empty() : tensor<144xi64>
// CHECK: scf.for %[[ROW:[a-z0-9]+]] = %c0 to %c2 step %c1 iter_args({{.*}}) -> (tensor<2x20xf32>, tensor<2x20xi64>, tensor<144xi32>, tensor<144xi64>
// The first bound is the 20th of the best of 64 columns, as which 15 rows lie.
// CHECK: scf.for %{{.*}} = %c0 to %c960 step %c64
// CHECK: arith.minui
// CHECK: %[[BEST:.*]] = vector.transfer_read %{{.*}} : tensor<144xi32>, vector<64xi32>
// CHECK: %[[COUNTS:.*]] = scf.for %{{.*}} = %c0 to %c64 step %c1 {{.*}} -> (vector<64xi32>)
// CHECK: arith.cmpi ule, %{{.*}}, %[[BEST]]
// CHECK: arith.cmpi uge, %[[COUNTS]], %
// CHECK: %[[FIRST:.*]] = vector.reduction <minui>
// CHECK: scf.while (%{{.*}} = %[[FIRST]], %{{.*}} = %c0, %{{.*}} = %c0, %{{.*}} = %
// CHECK: arith.cmpi slt, %{{.*}}, %c1000
// CHECK: ^bb0(%[[BOUND:.*]]: i32, %{{.*}}: index, %{{.*}}: index, %{{.*}}: tensor<144xi32>
// CHECK: scf.while
// CHECK-DAG: arith.cmpi sle, %{{.*}}, %c80
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %c1000
// Are there candidates among the next 64 elements?
// CHECK: arith.addi %{{.*}}, %c64
// CHECK: %[[NUMBER:.*]] = scf.for %[[I:[a-z0-9]+]] = {{.*}} -> (i32)
// CHECK: %[[ELEMENT:.*]] = tensor.extract %[[X]][%[[ROW]], %[[I]]]
// CHECK: arith.cmpi ule, %{{.*}}, %[[BOUND]]
// CHECK: %[[ARE_ANY:.*]] = arith.cmpi ne, %[[NUMBER]], %c0_i32
// CHECK: scf.if %[[ARE_ANY]]
// Each of 32 has a bit, and those that are set are gone through.
// CHECK: %[[WORD:.*]] = scf.for {{.*}} -> (i32)
// CHECK: arith.shli
// CHECK: arith.ori
// CHECK: scf.while (%[[LEFT:.*]] = %[[WORD]],
// CHECK: arith.cmpi ne, %[[LEFT]], %c0_i32
// CHECK: math.cttz
// CHECK: tensor.insert %{{.*}} : tensor<144xi32>
// Of more than 64, those stay whose highest byte is no larger than the 20th's.
// CHECK: %[[ARE_MANY:.*]] = arith.cmpi sgt, %{{.*}}, %c64
// CHECK: scf.if %[[ARE_MANY]]
// CHECK: arith.minui
// CHECK: arith.maxui
// CHECK: math.ctlz
// CHECK: arith.cmpi ule
// If that leaves more than 40 and another list follows, they are sorted.
// CHECK: arith.cmpi sgt, %{{.*}}, %c40
// CHECK: scf.if
// Up to 64 candidates are compared with each other,
// CHECK: %[[ARE_FEW:.*]] = arith.cmpi sle, %{{.*}}, %c64
// CHECK: scf.if %[[ARE_FEW]]
// CHECK: arith.cmpi ult, %{{.*}} : vector<64xi32>
// more are sorted by the bytes in which they differ.
// CHECK: arith.minui
// CHECK: arith.maxui
// CHECK: math.ctlz
// CHECK: %[[BITS:.*]] = arith.subi %c32, %{{.*}}
// CHECK: scf.for %{{.*}} = %c0 to %[[BITS]] step %c8
// The 20th is the bound.
// CHECK: tensor.extract %{{.*}}[%c19] : tensor<144xi32>
// What is left in the end is sorted.
// CHECK: arith.cmpi sle, %{{.*}}, %c64
// CHECK: scf.for %{{.*}} = %c0 to %c20
// CHECK: tensor.extract %[[X]][%[[ROW]],
func.func @top_k_sorts_a_list_of_candidates(%x: tensor<2x1000xf32>) -> (tensor<2x20xf32>, tensor<2x20xi64>) {
  %k = IE.Constant dense<20> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x20xf32>, tensor<2x20xi64>)
  return %0#0, %0#1 : tensor<2x20xf32>, tensor<2x20xi64>
}

// -----

// CHECK-LABEL: func @top_k_of_short_lines_compares_all_elements
// CHECK-NOT: math.ctlz
// CHECK: return
func.func @top_k_of_short_lines_compares_all_elements(%x: tensor<2x60xf32>) -> tensor<2x20xf32> {
  %k = IE.Constant dense<20> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<2x60xf32>, tensor<1xi64>) -> (tensor<2x20xf32>, tensor<2x20xi64>)
  return %0#0 : tensor<2x20xf32>
}

// -----

// Of more results than columns, they say no bound: the first list takes any key.
// CHECK-LABEL: func @top_k_of_many_looks_at_nothing_ahead
// CHECK-NOT: vector.reduction
// CHECK: scf.while (%{{.*}} = %c-1_i32, %{{.*}} = %c0,
// CHECK-NOT: vector.reduction
// CHECK: return
func.func @top_k_of_many_looks_at_nothing_ahead(%x: tensor<2x1000xf32>) -> tensor<2x65xf32> {
  %k = IE.Constant dense<65> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x65xf32>, tensor<2x65xi64>)
  return %0#0 : tensor<2x65xf32>
}

// -----

// However many a run wants: if these are more than 64, or a line has fewer
// elements.
// CHECK-LABEL: func @top_k_of_any_number_looks_ahead
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %{{.*}}, %c64
// CHECK: %[[ANY:.*]] = arith.cmpi {{.*}}, %c0
// CHECK: %[[AHEAD:.*]] = arith.andi %[[FEW]], %[[ANY]]
// CHECK: %[[BOUND:.*]]:{{[0-9]+}} = scf.if %[[AHEAD]]
// CHECK: vector.reduction <minui>
// CHECK: } else {
// CHECK: scf.while (%{{.*}} = %[[BOUND]]#0, %{{.*}} = %c0,
func.func @top_k_of_any_number_looks_ahead(%x: tensor<?x?xf32>, %k: tensor<1xi64>) -> tensor<?x?xf32> {
  %0:2 = IE.TopK(%x, %k) : (tensor<?x?xf32>, tensor<1xi64>) -> (tensor<?x?xf32>, tensor<?x?xi64>)
  return %0#0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @top_1_is_a_reduction
// CHECK: %[[BEST:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<2x1000xf32>) outs(%{{.*}} : tensor<2xi32>)
// CHECK: arith.maxui
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[BEST]] :
// CHECK: arith.maxsi
// CHECK: linalg.generic
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: tensor.extract %arg0[%{{.*}}, %[[AT]]]
// CHECK-NOT: scf.for
func.func @top_1_is_a_reduction(%x: tensor<2x1000xf32>) -> tensor<2x1xf32> {
  %k = IE.Constant dense<1> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x1xf32>, tensor<2x1xi64>)
  return %0#0 : tensor<2x1xf32>
}

// -----

// Of a few results, each row of elements goes through the best so far of one block
// of columns after the other; the last block overlaps the one before it.
// CHECK-LABEL: func @top_k_of_columns_keeps_the_best_of_a_block
// CHECK-SAME: %[[X:.*]]: tensor<3x1000x40xf32>
// CHECK-NOT: linalg.transpose
// CHECK-DAG: tensor.empty() : tensor<2x2x32xi32>
// CHECK: scf.for %[[ROW:[a-z0-9]+]] = %c0 to %c3
// CHECK: scf.for %[[I:[a-z0-9]+]] = %c0 to %c1000
// CHECK: scf.for %[[BLOCK:[a-z0-9]+]] = %c0 to %c2 step %c1
// CHECK: %[[COLUMN:.*]] = arith.muli %[[BLOCK]], %c32
// CHECK: %[[START:.*]] = arith.minsi %[[COLUMN]], %c8
// Is anything better than the last of the best?
// CHECK: scf.for %[[C:[a-z0-9]+]] = %c0 to %c32 {{.*}} -> (i32)
// CHECK: %[[AT:.*]] = arith.addi %[[START]], %[[C]]
// CHECK: tensor.extract %[[X]][%[[ROW]], %[[I]], %[[AT]]]
// CHECK: tensor.extract %{{.*}}[%[[BLOCK]], %c1, %[[C]]] : tensor<2x2x32xi32>
// CHECK: scf.if
// CHECK: scf.for %[[D:[a-z0-9]+]] = %c0 to %c32
// CHECK: %[[FIRST:.*]] = arith.ori %{{.*}} : i1
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[BLOCK]], %c0, %[[D]]] : tensor<2x2x32xi32>
// Where one took a place, all behind it move on.
// CHECK: %[[HERE:.*]] = arith.ori %{{.*}} : i1
// CHECK: arith.ori %[[FIRST]], %[[HERE]]
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[BLOCK]], %c1, %[[D]]] : tensor<2x2x32xi32>
func.func @top_k_of_columns_keeps_the_best_of_a_block(%x: tensor<3x1000x40xf32>) -> (tensor<3x2x40xf32>, tensor<3x2x40xi64>) {
  %k = IE.Constant dense<2> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) {axis = 1 : i64} : (tensor<3x1000x40xf32>, tensor<1xi64>) -> (tensor<3x2x40xf32>, tensor<3x2x40xi64>)
  return %0#0, %0#1 : tensor<3x2x40xf32>, tensor<3x2x40xi64>
}

// -----

// Many columns are several groups of blocks, whose best fit the first-level cache.
// CHECK-LABEL: func @top_k_of_many_columns_is_found_in_groups_of_blocks
// CHECK: tensor.empty() : tensor<4x16x32xi32>
// CHECK: scf.for %[[FIRST:[a-z0-9]+]] = %c0 to %c32 step %c4
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]], %c4
// CHECK: %[[END:.*]] = arith.minsi %[[NEXT]], %c32
// CHECK: scf.for %{{.*}} = %c0 to %c1000
// CHECK: scf.for %[[BLOCK:[a-z0-9]+]] = %[[FIRST]] to %[[END]]
// CHECK: arith.subi %[[BLOCK]], %[[FIRST]]
func.func @top_k_of_many_columns_is_found_in_groups_of_blocks(%x: tensor<2x1000x1024xf32>) -> tensor<2x16x1024xf32> {
  %k = IE.Constant dense<16> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) {axis = 1 : i64} : (tensor<2x1000x1024xf32>, tensor<1xi64>) -> (tensor<2x16x1024xf32>, tensor<2x16x1024xi64>)
  return %0#0 : tensor<2x16x1024xf32>
}

// -----

// What the results' type says of the sizes holds for the input, too.
// CHECK-LABEL: func @top_k_of_columns_takes_sizes_from_the_results
// CHECK: tensor.empty() : tensor<2x2x32xi64>
// CHECK: scf.for
// CHECK-NOT: tensor.empty({{.*}}) : {{.*}}?
// CHECK: return
func.func @top_k_of_columns_takes_sizes_from_the_results(%x: tensor<?x?x?xf32>) -> (tensor<3x2x40xf32>, tensor<3x2x40xi64>) {
  %k = IE.Constant dense<2> : tensor<1xi64>
  %values, %indices = IE.TopK(%x, %k) {axis = 1 : i64} : (tensor<?x?x?xf32>, tensor<1xi64>) -> (tensor<3x2x40xf32>, tensor<3x2x40xi64>)
  return %values, %indices : tensor<3x2x40xf32>, tensor<3x2x40xi64>
}

// -----

// Many lines that are not long stand side by side as columns.
// CHECK-LABEL: func @top_k_of_many_short_lines_is_found_in_columns
// CHECK: %[[LINES:.*]] = tensor.collapse_shape %arg0 {{.*}} into tensor<40x100xf32>
// CHECK: linalg.transpose ins(%[[LINES]] : tensor<40x100xf32>) outs(%{{.*}} : tensor<100x40xf32>) permutation = [1, 0]
// CHECK: scf.for %{{.*}} = %c0 to %c100 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK-COUNT-2: linalg.transpose ins(%{{.*}} : tensor<3x40x{{.*}}>) outs(%{{.*}} : tensor<40x3x{{.*}}>) permutation = [1, 0]
func.func @top_k_of_many_short_lines_is_found_in_columns(%x: tensor<4x10x100xf32>) -> (tensor<4x10x3xf32>, tensor<4x10x3xi64>) {
  %k = IE.Constant dense<3> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<4x10x100xf32>, tensor<1xi64>) -> (tensor<4x10x3xf32>, tensor<4x10x3xi64>)
  return %0#0, %0#1 : tensor<4x10x3xf32>, tensor<4x10x3xi64>
}

// -----

// An entry is a key above a position of 7 bits. Runs of 1, 2, ... 64 are merged:
// elements as far away as a run is long are compared, then closer ones.
// CHECK-LABEL: func @top_k_of_most_elements_of_columns_sorts_them_at_once
// CHECK: %[[ROOM:.*]] = tensor.empty() : tensor<128x8xi64>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// The last 8 of 20 columns overlap those before.
// CHECK: scf.for %[[FIRST:[a-z0-9]+]] = %c0 to %c20 step %c8
// CHECK: %[[START:.*]] = arith.minsi %[[FIRST]], %c12
// CHECK: arith.extui %{{.*}} : i32 to i64
// CHECK: arith.shli %{{.*}}, %c7_i64
// CHECK: arith.ori
// CHECK: scf.for %[[STAGE:[a-z0-9]+]] = %c0 to %c7 step %c1
// CHECK: %[[LONG:.*]] = arith.shli %c1, %[[STAGE]]
// CHECK: vector.transfer_read %{{.*}} {in_bounds = [true]} : tensor<128x8xi64>, vector<8xi64>
// CHECK: arith.minui %{{.*}} : vector<8xi64>
// CHECK: arith.maxui %{{.*}} : vector<8xi64>
// CHECK: vector.transfer_write
// CHECK: scf.for %[[STEP:[a-z0-9]+]] = %c0 to %[[STAGE]] step %c1
// CHECK: arith.shrui %[[LONG]]
// CHECK: arith.andi %{{.*}}, %c127_i64
func.func @top_k_of_most_elements_of_columns_sorts_them_at_once(%x: tensor<2x128x20xf32>) -> (tensor<2x100x20xf32>, tensor<2x100x20xi64>) {
  %k = IE.Constant dense<100> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) {axis = 1 : i64} : (tensor<2x128x20xf32>, tensor<1xi64>) -> (tensor<2x100x20xf32>, tensor<2x100x20xi64>)
  return %0#0, %0#1 : tensor<2x100x20xf32>, tensor<2x100x20xi64>
}

// -----

// Keys of a byte leave room for positions in 32 bits, and 4 of 7 lines are
// sorted at once.
// CHECK-LABEL: func @top_k_of_most_elements_of_lines_has_them_stand
// CHECK: linalg.transpose ins(%arg0 : tensor<7x64xi8>) outs(%{{.*}} : tensor<64x7xi8>) permutation = [1, 0]
// CHECK: vector.transfer_read %{{.*}} {in_bounds = [true]} : tensor<64x4xi32>, vector<4xi32>
func.func @top_k_of_most_elements_of_lines_has_them_stand(%x: tensor<7x64xui8>) -> tensor<7x40xui8> {
  %k = IE.Constant dense<40> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<7x64xui8>, tensor<1xi64>) -> (tensor<7x40xui8>, tensor<7x40xi64>)
  return %0#0 : tensor<7x40xui8>
}

// -----

// A key of 64 bits leaves no room for a position.
// CHECK-LABEL: func @top_k_of_wide_elements_of_columns_sorts_candidates
// CHECK-NOT: vector.transfer_read
// CHECK: scf.while
// CHECK-NOT: arith.maxui {{.*}} : vector
func.func @top_k_of_wide_elements_of_columns_sorts_candidates(%x: tensor<2x128x20xi64>) -> tensor<2x100x20xi64> {
  %k = IE.Constant dense<100> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) {axis = 1 : i64} : (tensor<2x128x20xi64>, tensor<1xi64>) -> (tensor<2x100x20xi64>, tensor<2x100x20xi64>)
  return %0#0 : tensor<2x100x20xi64>
}

// -----

// CHECK-LABEL: func @top_k_of_long_lines_sorts_candidates
// CHECK-NOT: linalg.transpose
// CHECK: scf.while
func.func @top_k_of_long_lines_sorts_candidates(%x: tensor<40x10000xf32>) -> tensor<40x3xf32> {
  %k = IE.Constant dense<3> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<40x10000xf32>, tensor<1xi64>) -> (tensor<40x3xf32>, tensor<40x3xi64>)
  return %0#0 : tensor<40x3xf32>
}

// -----

// CHECK-LABEL: func @top_k_along_another_axis_moves_that_behind
// CHECK: %[[LINES:.*]] = linalg.transpose ins(%arg0 : tensor<8x5xf64>) outs(%{{.*}} : tensor<5x8xf64>) permutation = [1, 0]
// CHECK: scf.for
// CHECK: linalg.transpose ins(%{{.*}} : tensor<5x3xf64>) outs(%{{.*}} : tensor<3x5xf64>) permutation = [1, 0]
func.func @top_k_along_another_axis_moves_that_behind(%x: tensor<8x5xf64>) -> tensor<3x5xf64> {
  %k = IE.Constant dense<3> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) {axis = 0 : i64} : (tensor<8x5xf64>, tensor<1xi64>) -> (tensor<3x5xf64>, tensor<3x5xi64>)
  return %0#0 : tensor<3x5xf64>
}

// -----

// The largest are first, so that their bits turn around.
// CHECK-LABEL: func @top_k_of_unsigned_bytes_compares_them_unsigned
// CHECK: %[[ELEMENT:.*]] = tensor.extract %arg0
// CHECK: %[[KEY:.*]] = arith.xori %[[ELEMENT]], %c-1_i8
// CHECK: arith.cmpi ule, %[[KEY]]
func.func @top_k_of_unsigned_bytes_compares_them_unsigned(%x: tensor<8xui8>) -> tensor<3xui8> {
  %k = IE.Constant dense<3> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<8xui8>, tensor<1xi64>) -> (tensor<3xui8>, tensor<3xi64>)
  return %0#0 : tensor<3xui8>
}

// -----

// CHECK-LABEL: func @top_k_of_none_is_empty
// CHECK-NOT: scf.for
// CHECK: tensor.empty() : tensor<0xf32>
func.func @top_k_of_none_is_empty(%x: tensor<8xf32>) -> tensor<0xf32> {
  %k = IE.Constant dense<0> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<8xf32>, tensor<1xi64>) -> (tensor<0xf32>, tensor<0xi64>)
  return %0#0 : tensor<0xf32>
}

// -----

// Whoever chooses an algorithm gets it.
// CHECK-LABEL: func @top_1_by_candidates
// CHECK: scf.while
func.func @top_1_by_candidates(%x: tensor<2x1000xf32>) -> tensor<2x1xf32> {
  %k = IE.Constant dense<1> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = candidates>} : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x1xf32>, tensor<2x1xi64>)
  return %0#0 : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: func @top_1_of_standing_lines
// CHECK: linalg.transpose ins(%arg0 : tensor<2x10000xf32>)
// CHECK-NOT: scf.while
func.func @top_1_of_standing_lines(%x: tensor<2x10000xf32>) -> tensor<2x1xf32> {
  %k = IE.Constant dense<1> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = standingLines>} : (tensor<2x10000xf32>, tensor<1xi64>) -> (tensor<2x1xf32>, tensor<2x1xi64>)
  return %0#0 : tensor<2x1xf32>
}
