/* Limits that hold with no daemon, on the monotonic clock: each ends the run through stop_begin. */
#include "keeper.h"

#define MS 1000000ull
#define MEMORY_LOOK_NS (500 * MS) /* a tree cannot grow far in half a second, and a look costs one walk of it */

/* Never wraps: a limit of a million years is no limit. */
static uint64_t after_ms(uint64_t from_ns, uint64_t ms) { return ms > (UINT64_MAX - from_ns) / MS ? UINT64_MAX : from_ns + ms * MS; }

static void reached(enum stop_reason reason) { stop_begin((uint32_t)keeper.options.grace_ms, false, reason, "limit"); }

static void wall_reached(void *context) {
  (void)context;
  reached(REASON_TIMEOUT);
}

static void idle_reached(void *context) {
  (void)context;
  uint64_t due = after_ms(keeper.last_activity_ns, keeper.options.idle_limit_ms);
  /* Activity only notes the time; the timer finds out here whether it has to wait on. */
  if (due > sys_monotonic_ns())
    loop_timer(&keeper.idle_timer, due, idle_reached, NULL);
  else
    reached(REASON_IDLE);
}

static void look_at_memory(void *context) {
  (void)context;
  if (tree_resident_bytes(&keeper.tree) > keeper.options.memory_limit_bytes)
    reached(REASON_MEMORY);
  else
    loop_timer(&keeper.memory_timer, sys_monotonic_ns() + MEMORY_LOOK_NS, look_at_memory, NULL);
}

void limits_begin(void) {
  const struct options *options = &keeper.options;
  uint64_t started_ns = keeper.started_monotonic_us * 1000;
  keeper.last_activity_ns = sys_monotonic_ns();
  if (options->wall_limit_ms) loop_timer(&keeper.wall_timer, after_ms(started_ns, options->wall_limit_ms), wall_reached, NULL);
  if (options->idle_limit_ms) loop_timer(&keeper.idle_timer, after_ms(keeper.last_activity_ns, options->idle_limit_ms), idle_reached, NULL);
  if (options->memory_limit_bytes) loop_timer(&keeper.memory_timer, sys_monotonic_ns() + MEMORY_LOOK_NS, look_at_memory, NULL);
}

void limits_activity(void) {
  if (keeper.options.idle_limit_ms) keeper.last_activity_ns = sys_monotonic_ns();
}

void limits_output(void) {
  uint64_t most = keeper.options.output_limit_bytes;
  if (most && keeper.output.history.end > most && !keeper.stop.active) reached(REASON_OUTPUT);
}

void limits_end(void) {
  loop_cancel(&keeper.wall_timer);
  loop_cancel(&keeper.idle_timer);
  loop_cancel(&keeper.memory_timer);
}
