/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What runs before main() on a Cortex-M that has nothing else: the table of
 * vectors, RAM as C expects it, and words to a debugger or an emulator.
 */
#include "board.h"

/* Places that mps2.ld knows; only their addresses are anything. */
extern uint32_t stack_top, data_load, data_start, data_end, bss_start, bss_end;

int main(void);

enum { kWriteText = 0x04, kExit = 0x20 };

/* Semihosting: whoever watches the CPU sees the breakpoint and reads memory. */
static void askHost(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void printText(const char *text) { askHost(kWriteText, text); }

static void leave(uint32_t status) {
  const uint32_t kApplicationExit = 0x20026;
  const uint32_t block[2] = {kApplicationExit, status};
  askHost(kExit, block);
  for (;;) {
  }
}

static void fault(void) {
  printText("fault\n");
  leave(120);
}

static void reset(void) {
#ifdef __ARM_FP
  /* Until then an instruction of the FPU is a fault. */
  volatile uint32_t *const access = (volatile uint32_t *)0xe000ed88;
  *access |= 0xfu << 20;
  __asm__ volatile("dsb\n\tisb");
#endif
  const uint32_t *from = &data_load;
  for (uint32_t *to = &data_start; to != &data_end; ++to) {
    *to = *from++;
  }
  for (uint32_t *to = &bss_start; to != &bss_end; ++to) {
    *to = 0;
  }
  leave((uint32_t)main());
}

typedef void (*Vector)(void);

/* The stack, what happens on reset, and on the faults. */
__attribute__((section(".vectors"), used)) const Vector vectors[] = {
    (Vector)&stack_top, reset, fault, fault, fault, fault, fault};
