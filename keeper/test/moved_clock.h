/* The keeper's monotonic clock, moved by hand: no test waits ten seconds. Linked with --wrap=sys_monotonic_ns. */
#ifndef HOLDFAST_MOVED_CLOCK_H
#define HOLDFAST_MOVED_CLOCK_H

#include <stdint.h>

static uint64_t clock_moved_ns;
uint64_t __real_sys_monotonic_ns(void);
uint64_t __wrap_sys_monotonic_ns(void);
uint64_t __wrap_sys_monotonic_ns(void) { return __real_sys_monotonic_ns() + clock_moved_ns; }

#endif
