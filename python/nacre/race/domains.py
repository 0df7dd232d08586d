# ===- domains.py - Where operators are defined ----------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that operators take, and operators that no race is about."""

# From where to where operands are drawn; elsewhere from -2 to 2.
LIMITS = {
    "Acos": (-1, 1), "Asin": (-1, 1), "Atanh": (-0.9, 0.9), "Acosh": (1, 9),
    "Log": (0.1, 9), "Sqrt": (0, 9), "Pow": (0.1, 3), "Div": (0.5, 3),
    "Mod": (0.5, 3), "Reciprocal": (0.5, 3), "Sin": (-9, 9), "Cos": (-9, 9),
    "Tan": (-1, 1), "ReduceLogSum": (0.1, 2), "ReduceProd": (0.9, 1.1),
    "Exp": (-5, 5),
}

_NO_TENSORS = "values are sequences, optionals or strings"
_NO_WORK = "computes no more than a shape"
_CHANCE = "the results are random"
_GRAPH = "what it takes is that of its bodies"
_TRAINING = "of training"
LEFT_OUT = {
    **dict.fromkeys(
        ("SequenceLength", "SequenceAt", "SequenceMap", "SequenceConstruct",
         "SequenceEmpty", "SequenceInsert", "SequenceErase", "Optional",
         "ConcatFromSequence", "SplitToSequence", "OptionalGetElement",
         "OptionalHasElement", "StringNormalizer", "TfIdfVectorizer"),
        _NO_TENSORS),
    **dict.fromkeys(("Shape", "Size", "Identity", "Constant", "Flatten",
                     "Squeeze", "Unsqueeze", "Reshape", "Dropout",
                     "CastLike"), _NO_WORK),
    **dict.fromkeys(
        ("RandomUniformLike", "RandomNormalLike", "Bernoulli", "Multinomial",
         "RandomNormal", "RandomUniform"), _CHANCE),
    **dict.fromkeys(("If", "Loop", "Scan"), _GRAPH),
    **dict.fromkeys(("SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss"),
                    _TRAINING),
}
