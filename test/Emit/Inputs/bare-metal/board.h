/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What startup.c gives to a program.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* To the console of a debugger or an emulator. */
void printText(const char *text);

#endif /* BOARD_H */
