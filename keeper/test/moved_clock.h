/* The keeper's monotonic clock, moved by hand and by nothing else: no test waits ten seconds, and none minds a machine that stalls.
 * Linked with --wrap=sys_monotonic_ns. */
#ifndef HOLDFAST_MOVED_CLOCK_H
#define HOLDFAST_MOVED_CLOCK_H

#include <stdint.h>

static uint64_t clock_moved_ns;
uint64_t __real_sys_monotonic_ns(void);
uint64_t __wrap_sys_monotonic_ns(void);
uint64_t __wrap_sys_monotonic_ns(void) {
  static uint64_t begun_ns;
  if (!begun_ns) begun_ns = __real_sys_monotonic_ns();
  return begun_ns + clock_moved_ns;
}

#endif
