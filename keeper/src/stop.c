/* Ending a whole tree: ask, wait, kill, look again, until nothing is left. */
#include <signal.h>
#include <string.h>

#include "keeper.h"

#define MS 1000000ull

static void tick(void *context) {
  (void)context;
  stop_look_again();
}

static void ask(const struct members *living) {
  struct stopping *stop = &keeper.stop;
  for (size_t i = 0; i < living->count; i++) {
    if (members_have(&stop->asked, living->items[i])) continue;
    members_add(&stop->asked, living->items[i]);
    /* An interactive shell ignores TERM but goes on HUP; a stopped process hears neither before CONT. */
    if (keeper.options.mode == MODE_PTY) member_signal(living->items[i], SIGHUP);
    member_signal(living->items[i], SIGTERM);
    member_signal(living->items[i], SIGCONT);
  }
}

static void kill_all(const struct members *living) {
  struct stopping *stop = &keeper.stop;
  for (size_t i = 0; i < living->count; i++)
    if (!members_have(&stop->killed, living->items[i])) members_add(&stop->killed, living->items[i]);
  /* Members sharing the cgroup of a spared one are taken one by one. */
  if (keeper.tree.spared_count == 0) tree_kill_cgroup(&keeper.tree);
  tree_signal(&keeper.tree, living, SIGKILL);
}

static void finish(uint8_t outcome, size_t left) {
  struct stopping *stop = &keeper.stop;
  stop->active = false;
  loop_cancel(&stop->timer);
  clients_stopped(outcome, (uint32_t)left);
  members_free(&stop->asked);
  members_free(&stop->killed);
  clients_state_changed();
  keeper_consider_leaving();
}

void stop_look_again(void) {
  struct stopping *stop = &keeper.stop;
  if (!stop->active) return;
  struct members living;
  tree_collect(&keeper.tree, &living);
  uint64_t now = sys_monotonic_ns();
  bool over = living.count == 0 && keeper.state == STATE_ENDED;
  if (!over && !stop->killing && now >= stop->kill_at_ns) {
    if (stop->no_kill) {
      size_t left = living.count;
      members_free(&living);
      finish(3, left);
      return;
    }
    stop->killing = true;
    stop->pause_ns = MS;
  }
  if (living.count && stop->killing)
    kill_all(&living);
  else if (living.count)
    ask(&living);
  members_free(&living);
  if (over) {
    finish(stop->killed.count ? 2 : 1, 0);
    return;
  }
  /* Ends of our own children wake us at once; deeper ones are only seen by looking. */
  uint64_t next = now + stop->pause_ns;
  if (!stop->killing && next > stop->kill_at_ns) next = stop->kill_at_ns;
  if (stop->pause_ns < 100 * MS) stop->pause_ns *= 2;
  loop_timer(&stop->timer, next, tick, NULL);
}

void stop_begin(uint32_t grace_ms, bool no_kill, enum stop_reason reason, const char *by) {
  struct stopping *stop = &keeper.stop;
  uint64_t kill_at = sys_monotonic_ns() + grace_ms * MS;
  if (stop->active) { /* a second, more urgent stop shortens the first */
    if (!no_kill && (stop->no_kill || kill_at < stop->kill_at_ns)) stop->kill_at_ns = kill_at;
    stop->no_kill = stop->no_kill && no_kill;
    stop_look_again();
    return;
  }
  *stop = (struct stopping){.active = true, .no_kill = no_kill, .kill_at_ns = kill_at, .pause_ns = 2 * MS};
  if (keeper.state != STATE_ENDED && keeper.reason == REASON_NONE) {
    keeper.reason = reason;
    strncpy(keeper.stop_by, by, STOP_BY_MOST);
    keeper_write_record();
  }
  clients_state_changed();
  stop_look_again();
}
