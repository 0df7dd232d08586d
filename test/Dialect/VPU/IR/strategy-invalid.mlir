// RUN: nacre-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected parts to be positive or `?`, found 0}}
func.func @no_parts() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 0]>}

// -----

// expected-error@+1 {{expected as many tiles as parts, found 3 and 2}}
func.func @other_rank() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2], tiles = [1, 1, 2]>}

// -----

// expected-error@+1 {{unexpected parts with multiCluster = Clustering}}
func.func @parts_of_one_cluster() attributes {a = #VPU.strategy<parts = [1, 2]>}

// -----

// expected-error@+1 {{expected parts with multiCluster = SplitOverHeight}}
func.func @no_parts_of_several_clusters() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight>}

// -----

// expected-error@+1 {{expected a positive grain of 31 bits exactly where a run chooses parts, found 0}}
func.func @no_grain() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, ?]>}

// -----

// expected-error@+1 {{expected a positive grain of 31 bits exactly where a run chooses parts, found 5}}
func.func @grain_of_known_parts() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2], grain = 5>}

// -----

// expected-error@+1 {{expected no negative number, found rest = -1 and wideningBlocks = 0}}
func.func @negative_rest() attributes {a = #VPU.strategy<rest = -1>}

// -----

// expected-error@+1 {{expected SplitOverKernel with rest = 8, found SplitOverHeight}}
func.func @rest_of_rows() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2], rest = 8>}

// -----

// expected-error@+1 {{expected padInPlace alone: a copy that is not there has no loops}}
func.func @tiles_of_no_copy() attributes {a = #VPU.strategy<tiles = [1, 2], padInPlace = true>}

// -----

// expected-error@+2 {{expected '['}}
// expected-error@+1 {{failed to parse VPU_StrategyAttr parameter 'tiles'}}
func.func @no_list() attributes {a = #VPU.strategy<tiles = 2>}

// -----

// expected-error@+2 {{expected producer or unblocking, found reader}}
// expected-error@+1 {{failed to parse VPU_StrategyAttr parameter 'fused'}}
func.func @other_neighbour() attributes {a = #VPU.strategy<fused = [reader]>}

// -----

// expected-error@+1 {{expected winogradTile to be 2 or 4 with algorithm = winograd, found 3}}
func.func @other_tile() attributes {a = #VPU.strategy<algorithm = winograd, winogradTile = 3>}

// -----

// expected-error@+1 {{expected algorithm = winograd with winogradTile = 2, found direct}}
func.func @tile_of_the_direct_algorithm() attributes {a = #VPU.strategy<algorithm = direct, winogradTile = 2>}

// -----

// expected-error@+1 {{expected padInPlace alone: a copy that is not there has no loops}}
func.func @algorithm_of_a_copy() attributes {a = #VPU.strategy<algorithm = direct, padInPlace = true>}

// -----

// expected-error@+1 {{expected group to be from 1 to 2147483647, found 0}}
func.func @block_of_no_group() attributes {a = #VPU.strategy<block = [16, 0]>}

// -----

// expected-error@+1 {{expected no negative size of a block, found -2}}
func.func @negative_block() attributes {a = #VPU.strategy<group = 1, block = [-2, 0]>}

// -----

// expected-error@+1 {{expected as many sizes of a block as parts, found 1 and 2}}
func.func @block_of_another_rank() attributes {a = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [16]>}

// -----

// expected-error@+1 {{expected parts and a block alone with group = 1}}
func.func @tiles_of_a_group() attributes {a = #VPU.strategy<tiles = [2, 1], group = 1>}
