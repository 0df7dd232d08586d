#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Of interest is a graph with a softmax.
! grep -q 'IE.Softmax' "$1"
