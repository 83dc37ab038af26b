/* Run directories made ahead of need: seven files cost 0.1 ms that nobody should wait for. */
#include <stdio.h>
#include <unistd.h>

#include "launcher.h"

enum { WANTED = 8 };
#define PAUSE_NS 2000000ull /* after a start: the child's own start-up comes first on a busy machine */

static struct rundir spares[WANTED];
static size_t count;
static unsigned long long made;
static struct timer refill_timer;

static int make(struct rundir *out) {
  char name[64];
  snprintf(name, sizeof name, ".spare-%d-%llu", (int)getpid(), made++);
  return rundir_prepare(FD_RUNS, name, out);
}

int spares_take(struct rundir *out) {
  if (count == 0) return make(out);
  *out = spares[--count];
  return 0;
}

static void refill(void *context) {
  (void)context;
  /* One at a time, so that requests come in between. A full disk is told at the next start, not here. */
  if (count < WANTED && make(&spares[count]) == 0 && ++count < WANTED) loop_timer(&refill_timer, 1, refill, NULL);
}

void spares_refill_soon(void) { loop_timer(&refill_timer, sys_monotonic_ns() + PAUSE_NS, refill, NULL); }
size_t spares_count(void) { return count; }

void spares_remove_all(void) {
  while (count > 0) {
    struct rundir *spare = &spares[--count];
    rundir_remove(FD_RUNS, spare->name);
    rundir_close(spare);
  }
}
