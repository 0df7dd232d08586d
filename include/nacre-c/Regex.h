/*===- Regex.h - Regular expressions -----------------------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Whether a whole text matches a pattern of RE2's syntax, in time that grows
|* with the product of both sizes. Plain C, part of the runtime of compiled
|* models.
|*
|* All of the syntax but: classes of Unicode's properties (\p), single bytes
|* (\C), quotations (\Q), and case folding of letters beyond ASCII. Which of
|* several matches is preferred makes no difference, nor what is captured.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NACRE_C_REGEX_H
#define NACRE_C_REGEX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nacre_regex nacre_regex;

/* A pattern, ready to match, which nacre_regex_delete frees. Where it is none,
   or beyond what is supported, the result is null and `problem` says why. */
nacre_regex *nacre_regex_new(const char *pattern, const char **problem);
void nacre_regex_delete(nacre_regex *regex);

/* 1 if the text, UTF-8 of `size` bytes and a zero behind them, matches from its
   beginning to its end, else 0. A byte that is no UTF-8 matches nothing. */
int nacre_regex_matches(const nacre_regex *regex, const char *text,
                        size_t size);

#ifdef __cplusplus
}
#endif

#endif /* NACRE_C_REGEX_H */
