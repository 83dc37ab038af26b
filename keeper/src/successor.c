/* Going on where another keeper stopped: after its death, with what the launcher held, or after a re-exec. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diagnostics.h"
#include "keeper.h"
#include "text.h"
#include "title.h"

#define LOOK_NS 20000000ull /* between looks for the status of a child that somebody else has to reap first */
enum { LOCK_WAIT_MS = 5000 };

static struct timer status_timer;

static void look_for_status(void *context) {
  (void)context;
  if (keeper.has_status || (keeper.launcher_reaps && keeper.link)) return;
  struct child_status status = {0};
  struct process_info info;
  if (sys_pidfd_exit_status(keeper.child.pidfd, &status.wait_status))
    keeper_child_ended(&status);
  else if (sys_process_info(keeper.child.pid, &info) && info.start == keeper.child.start)
    /* Still running, or a zombie whose reaper is slow: the kernel tells how it ended once it was reaped. */
    loop_timer(&status_timer, sys_monotonic_ns() + LOOK_NS, look_for_status, NULL);
  else if (!sys_pidfd_exit_status(keeper.child.pidfd, &status.wait_status))
    keeper_child_lost();
  else
    keeper_child_ended(&status);
}

static void pidfd_ready(void *context, unsigned events) {
  (void)context, (void)events;
  loop_unwatch(&keeper.pidfd_watch); /* stays readable for ever */
  look_for_status(NULL);
}

void successor_watch_child(void) {
  if (keeper.tree.is_ancestor || keeper.state == STATE_ENDED || keeper.pidfd_watch.ready || !keeper.tree.id) return;
  if (keeper.child.pidfd >= 0)
    loop_watch(&keeper.pidfd_watch, keeper.child.pidfd, LOOP_READ, pidfd_ready, NULL);
  else
    look_for_status(NULL);
}

/* What the other keeper left for us in its record. */
static void read_record(void) {
  struct buffer text = {0};
  if (!rundir_read(keeper.run.dir, "keeper", KEEPER_RECORD, &text)) return;
  struct cursor cursor = cursor_of(buffer_head(&text), buffer_size(&text));
  struct text_line line;
  char scratch[KEEPER_RECORD];
  while (text_next(&cursor, &line, scratch, sizeof scratch)) {
    if (strcmp(line.key, "reason") == 0)
      for (int i = 0; i < REASON_COUNT; i++)
        if (strcmp(line.value, reason_names[i]) == 0) keeper.reason = (enum stop_reason)i;
    if (strcmp(line.key, "by") == 0) snprintf(keeper.stop_by, sizeof keeper.stop_by, "%.*s", STOP_BY_MOST, line.value);
    if (strcmp(line.key, "spared") == 0) tree_spare_recorded(&keeper.tree, line.value);
  }
  buffer_free(&text);
}

static void take_descriptors(const struct takeover *takeover) {
  const struct held_fds *held = &takeover->held;
  bool terminal = keeper.options.mode == MODE_PTY;
  keeper.stdio = (struct stdio){held->out, held->err, terminal ? held->out : held->in, held->transit_read, held->transit_write};
  keeper.child.pidfd = held->pidfd;
  keeper.child.status = held->status;
  keeper.child.go = -1;
  if (held->queue >= 0 && !queue_open(&keeper.queue, held->queue)) diagnose("%s: stdin queue cannot be mapped", keeper.id);
}

static bool take_directory(const struct takeover *takeover) {
  if (takeover->same_process) {
    keeper.run = takeover->run;
  } else {
    setsid();
    if (rundir_open(takeover->runs, takeover->id, &keeper.run) != 0) return false;
    if (!rundir_lock(&keeper.run, LOCK_WAIT_MS)) return false;
  }
  struct spec spec;
  if (!spec_read(keeper.run.dir, &spec)) return false;
  keeper.options = spec.options;
  keeper.child.pid = spec.child.pid;
  keeper.child.start = spec.child.start;
  keeper.started_at_ms = spec.started_at_ms;
  keeper.started_boottime_us = spec.started_boottime_us;
  keeper.started_monotonic_us = spec.started_monotonic_us;
  memcpy(keeper.cgroup_path, spec.cgroup_path, sizeof keeper.cgroup_path);
  keeper.tree.child = spec.child;
  keeper.tree.is_ancestor = takeover->is_ancestor;
  keeper.tree.id = keeper.id;
  keeper.tree.run_dir = keeper.run.dir;
  if (keeper.cgroup_path[0]) keeper.tree.cgroup = open(keeper.cgroup_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return true;
}

/* Is there an end already? Then only descendants are left to keep. */
static void read_state(void) {
  keeper.state = keeper.child.status >= 0 ? STATE_STARTING : STATE_RUNNING;
  if (!rundir_read_exit(keeper.run.dir, &keeper.exit_text)) return;
  keeper.state = STATE_ENDED;
  keeper.exit_stored = keeper.has_status = true;
  keeper.ended_ns = sys_monotonic_ns();
}

/* Our predecessor may have fallen between recording and telling. The launcher passes each on once. */
static void tell_again(void) {
  const uint8_t *text = buffer_head(&keeper.exit_text);
  size_t n = buffer_size(&keeper.exit_text);
  char kind[16] = "", stage[16] = "";
  text_find(text, n, "kind", kind, sizeof kind);
  if (keeper.state == STATE_ENDED && strcmp(kind, "spawn_failed") == 0) {
    text_find(text, n, "stage", stage, sizeof stage);
    uint8_t number = STAGE_KEEPER;
    for (uint8_t i = 0; i < STAGE_COUNT; i++)
      if (strcmp(stage, stage_names[i]) == 0) number = i;
    keeper_tell_start_failed((struct failure){(enum stage)number, (int)text_find_number(text, n, "errno", 0)});
    return;
  }
  if (keeper.state != STATE_STARTING) keeper_tell_started();
  if (keeper.state == STATE_ENDED) link_relay(FRAME_ENDED, text, n);
}

static void go_on(const struct takeover *takeover) {
  tell_again();
  struct process_info info;
  /* Of a re-executed one the parents prove nothing: process 1 may have got both, from a launcher that was killed. */
  keeper.launcher_reaps = takeover->same_process ? takeover->launcher_reaps : (takeover->status || (sys_process_info(keeper.child.pid, &info) && info.parent == getppid()));
  if (keeper.child.status >= 0) loop_watch(&keeper.status_watch, keeper.child.status, LOOP_READ, keeper_child_status_ready, NULL);
  if (takeover->status) keeper_child_ended(takeover->status);
  if (keeper.state != STATE_ENDED && keeper.reason != REASON_NONE)
    stop_begin((uint32_t)keeper.options.grace_ms, false, keeper.reason, keeper.stop_by);
  if (keeper.tree.is_ancestor)
    keeper_on_signal(SIGCHLD); /* one may have come while there was no handler */
  else
    successor_watch_child();
  keeper_consider_leaving();
}

_Noreturn void successor_run(struct takeover *takeover) {
  snprintf(keeper.id, sizeof keeper.id, "%s", takeover->id);
  takeover->id = keeper.id; /* a re-executed keeper's argument lies where the title goes */
  title_keeper(keeper.id);
  keeper.home = takeover->home;
  keeper.runs = takeover->runs;
  keeper.oom_counter = takeover->oom_counter;
  keeper.oom_before = sys_oom_counter_read(takeover->oom_counter);
  sys_become_subreaper();
  loop_open(keeper_on_signal);
  if (!take_directory(takeover)) {
    diagnose("%s: cannot go on: %s", takeover->id, strerror(errno));
    _exit(70);
  }
  take_descriptors(takeover);
  read_record();
  read_state();
  if (!output_resume(&keeper.output, &keeper.run, keeper.options.head_limit, keeper.options.tail_limit, keeper.started_boottime_us)) _exit(70);
  keeper.output.on_full = keeper_write_record;
  output_mark(&keeper.output, 'k', (uint64_t)getpid());
  keeper_write_record();
  if (keeper.run.listener < 0) rundir_listen(&keeper.run);
  link_begin(takeover->link);
  link_hold();
  capture_begin();
  clients_begin();
  limits_begin();
  go_on(takeover);
  keeper_loop();
}
