/* The life of a run: start, end, leave. */
#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "text.h"
#include "version.h"

#define LINGER_NS 5000000000ull /* how long a client that takes its output slowly holds an ended keeper */
#define LOOK_NS 1000000000ull   /* how often a successor, which hears of no descendant's end, looks */

struct keeper keeper = {.tree.cgroup = -1, .queue.fd = -1, .run = RUNDIR_NONE, .stdio = STDIO_NONE};

static void leave_look(void *context) {
  (void)context;
  keeper_consider_leaving();
}

static _Noreturn void leave(void) {
  keeper.leaving = keeper.closed = true;
  if (keeper.run.dir >= 0) unlinkat(keeper.run.dir, "sock", 0);
  if (keeper.output.open_gap) keeper_write_record(); /* no segment will ever tell how far the output went */
  link_bye(); /* before the clients: who has seen the end of the output finds nothing held any more */
  clients_pump();
  if (keeper.cgroup_path[0]) rmdir(keeper.cgroup_path);
  _exit(0);
}

static void store_exit(void) {
  buffer_free(&keeper.exit_text);
  bool stored = rundir_write_exit(&keeper.run, &keeper.exit, &keeper.exit_text);
  /* Told only when it is in its place; until then the keeper stays and tries again. */
  keeper.exit_stored = stored;
  if (!stored) loop_timer(&keeper.leave_timer, sys_monotonic_ns() + LOOK_NS, leave_look, NULL);
}

/* After the telling: a disk that others keep busy takes its time, and nobody has to wait for it. A keeper leaves only when it is done. */
static void flush_exit(void) {
  keeper.exit_flushed = rundir_flush_exit(&keeper.run);
  if (!keeper.exit_flushed) loop_timer(&keeper.leave_timer, sys_monotonic_ns() + LOOK_NS, leave_look, NULL);
}

static void announce_end(void) {
  keeper.state = STATE_ENDED;
  keeper.ended_ns = sys_monotonic_ns();
  if (keeper.exit.kind != EXIT_SPAWN_FAILED) link_relay(FRAME_ENDED, buffer_head(&keeper.exit_text), buffer_size(&keeper.exit_text));
  clients_state_changed();
  flush_exit();
  stop_look_again();
  keeper_consider_leaving();
}

void keeper_consider_leaving(void) {
  if (keeper.state != STATE_ENDED || keeper.leaving || keeper.stop.active) return;
  uint64_t now = sys_monotonic_ns();
  if (!keeper.exit_stored) {
    store_exit();
    if (!keeper.exit_stored) return;
    announce_end();
    return;
  }
  if (!keeper.exit_flushed) flush_exit();
  if (!keeper.exit_flushed) return;
  struct members living;
  tree_collect(&keeper.tree, &living);
  bool alone = living.count == 0;
  members_free(&living);
  if (!alone) {
    if (!keeper.tree.is_ancestor) loop_timer(&keeper.leave_timer, now + LOOK_NS, leave_look, NULL);
    return;
  }
  capture_drain(); /* the last descendant's last words */
  if (!clients_all_served() && now < keeper.ended_ns + LINGER_NS) {
    /* Told at once: who has everything need not wait until the slowest has, too. */
    keeper.closed = true;
    clients_pump();
    if (!clients_all_served()) {
      loop_timer(&keeper.leave_timer, keeper.ended_ns + LINGER_NS, leave_look, NULL);
      return;
    }
  }
  leave();
}

static void fill_exit(struct exit_record *record) {
  struct members living;
  tree_collect(&keeper.tree, &living);
  record->descendants = living.count;
  members_free(&living);
  record->reason = keeper.reason;
  memcpy(record->stop_by, keeper.stop_by, sizeof record->stop_by);
  record->ended_at_ms = sys_wall_ms();
  record->duration_us = sys_boottime_us() - keeper.started_boottime_us;
  record->output_bytes = keeper.output.history.end;
  record->gap_bytes = keeper.output.gap_bytes;
}

static uint64_t micros(struct timeval time) { return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_usec; }

void keeper_child_ended(const struct child_status *status) {
  if (keeper.state == STATE_ENDED || keeper.has_status) return;
  keeper.has_status = keeper.tree.child_ended = true;
  if (keeper.child.status >= 0) keeper_child_status_ready(NULL, 0); /* did it exec at all? */
  if (keeper.exit.kind == EXIT_SPAWN_FAILED) return;
  loop_cancel(&keeper.deadline_timer); /* it has run, whatever the status connection still hides */
  capture_drain();
  struct exit_record *record = &keeper.exit;
  exit_from_wait_status(record, status->wait_status);
  record->has_usage = status->has_usage;
  record->user_us = micros(status->usage.ru_utime);
  record->system_us = micros(status->usage.ru_stime);
  record->max_rss_kib = (uint64_t)status->usage.ru_maxrss;
  bool killed = record->kind == EXIT_SIGNALED && record->signal == SIGKILL;
  if (killed && keeper.reason == REASON_NONE && sys_oom_counter_read(keeper.oom_counter) > keeper.oom_before) keeper.reason = REASON_OOM;
  fill_exit(record);
  store_exit();
  /* Only now may the zombie go: had this keeper died before, its successor would still have learned the status. */
  if (keeper.tree.is_ancestor) waitpid(keeper.child.pid, NULL, WNOHANG);
  keeper.state = STATE_ENDED;
  if (keeper.exit_stored) announce_end();
}

/* The status can no longer be learned: never a made-up code. */
void keeper_child_lost(void) {
  if (keeper.state == STATE_ENDED || keeper.has_status) return;
  keeper.has_status = true;
  capture_drain();
  keeper.exit.kind = EXIT_LOST;
  keeper.exit.last_seen_ms = sys_wall_ms();
  fill_exit(&keeper.exit);
  store_exit();
  keeper.state = STATE_ENDED;
  if (keeper.exit_stored) announce_end();
}

void keeper_tell_start_failed(struct failure failure) {
  struct buffer told = {0};
  buffer_add_u8(&told, (uint8_t)failure.stage);
  buffer_add_u32(&told, (uint32_t)failure.error_number);
  link_relay(FRAME_START_FAILED, buffer_head(&told), buffer_size(&told));
  buffer_free(&told);
}

void keeper_tell_started(void) {
  struct buffer told = {0};
  buffer_add_u32(&told, (uint32_t)getpid());
  buffer_add_u32(&told, (uint32_t)keeper.child.pid);
  buffer_add_u64(&told, keeper.child.start);
  link_relay(FRAME_STARTED, buffer_head(&told), buffer_size(&told));
  buffer_free(&told);
}

static void spawn_failed(struct failure failure) {
  keeper.exit.kind = EXIT_SPAWN_FAILED;
  keeper.exit.stage = failure.stage;
  keeper.exit.error_number = failure.error_number;
  loop_cancel(&keeper.deadline_timer);
  fill_exit(&keeper.exit);
  store_exit();
  if (keeper.tree.is_ancestor) waitpid(keeper.child.pid, NULL, 0);
  keeper.state = STATE_ENDED;
  keeper.exit.descendants = 0;
  keeper_tell_start_failed(failure);
  if (keeper.exit_stored) announce_end();
}

void keeper_child_status_ready(void *context, unsigned events) {
  (void)context, (void)events;
  struct failure failure;
  int outcome = child_outcome(&keeper.child, &failure);
  if (outcome == 0) return;
  loop_unwatch(&keeper.status_watch);
  close(keeper.child.status);
  keeper.child.status = -1;
  if (outcome < 0) {
    spawn_failed(failure);
    return;
  }
  loop_cancel(&keeper.deadline_timer);
  keeper.state = STATE_RUNNING;
  keeper_tell_started();
  link_drop("status"); /* only now: should this keeper fall, its successor asks again and tells */
  clients_state_changed();
}

static void reap(void) {
  struct child_status status;
  for (pid_t pid; (pid = sys_peek_child(-1, &status)) > 0;) {
    if (pid == keeper.child.pid && keeper.tree.is_ancestor && !keeper.has_status) {
      keeper_child_ended(&status);
      if (!keeper.exit_stored) break; /* the zombie stays until its status is in its place */
      continue;
    }
    waitpid(pid, NULL, WNOHANG);
  }
  stop_look_again();
  keeper_consider_leaving();
}

void keeper_bind_again(void) {
  if (!rundir_socket_present(&keeper.run) && rundir_listen(&keeper.run) == 0) clients_begin();
  link_ensure();
}

void keeper_on_signal(int signal) {
  if (signal == SIGCHLD) reap();
  if (signal == SIGUSR1) keeper_bind_again();
  /* SIGTERM: a keeper goes when its run has ended, not before. */
}

const char *keeper_state_name(void) {
  if (keeper.state == STATE_ENDED && keeper.exit_stored) return "ended";
  if (keeper.stop.active) return "stopping";
  return keeper.state == STATE_STARTING ? "starting" : "running";
}

/* For whoever wants to know whether the program asks for input, and of what kind. */
static void describe_terminal(struct buffer *out) {
  struct termios settings;
  if (keeper.options.mode != MODE_PTY || keeper.stdio.in < 0 || tcgetattr(keeper.stdio.in, &settings) != 0) return;
  text_add_number(out, "canonical", (settings.c_lflag & ICANON) != 0);
  text_add_number(out, "echo", (settings.c_lflag & ECHO) != 0);
  pid_t group = tcgetpgrp(keeper.stdio.in);
  if (group > 0) text_add_number(out, "foreground", (uint64_t)group);
}

void keeper_describe(struct buffer *out) {
  const struct history *history = &keeper.output.history;
  bool ended = keeper.state == STATE_ENDED && keeper.exit_stored;
  uint64_t first_tail = 0;
  if (history->dropped)
    for (size_t i = 0; i < history->count && !first_tail; i++)
      if (history->segments[i].start > 0) first_tail = history->segments[i].start;
  text_add_string(out, "state", keeper_state_name());
  text_add_number(out, "pid", (uint64_t)keeper.child.pid);
  text_add_number(out, "start", keeper.child.start);
  text_add_string(out, "stdin", keeper.stdio.in >= 0 && !queue_closing(&keeper.queue) ? "open" : "closed");
  if (!ended) text_add_number(out, "output_bytes", history->end);
  text_add_number(out, "end_offset", history->end);
  text_add_number(out, "first_tail", first_tail);
  text_add_number(out, "dropped", history->dropped);
  if (!ended) text_add_number(out, "gap_bytes", keeper.output.gap_bytes);
  text_add_number(out, "columns", keeper.options.columns);
  text_add_number(out, "rows", keeper.options.rows);
  describe_terminal(out);
  text_add_number(out, "closed", keeper.closed);
  if (!ended) return;
  struct members living;
  tree_collect(&keeper.tree, &living);
  text_add_number(out, "living", living.count);
  members_free(&living);
  buffer_add(out, buffer_head(&keeper.exit_text), buffer_size(&keeper.exit_text));
}

void keeper_write_record(void) {
  struct buffer more = {0};
  text_add_string(&more, "reason", reason_names[keeper.reason]);
  for (size_t i = 0; i < keeper.tree.spared_count && buffer_size(&more) < 700; i++) {
    char text[48];
    snprintf(text, sizeof text, "%d:%llu", (int)keeper.tree.spared[i].pid, (unsigned long long)keeper.tree.spared[i].start);
    text_add_string(&more, "spared", text);
  }
  /* Last, so that a long name cannot push out who must not be signalled. */
  size_t room = (KEEPER_RECORD - 256 - buffer_size(&more)) / 3; /* identity before it; each byte may need an escape */
  if (keeper.stop_by[0]) text_add(&more, "by", keeper.stop_by, strnlen(keeper.stop_by, room));
  rundir_write_keeper(&keeper.run, keeper.output.history.end, &more);
  buffer_free(&more);
}

_Noreturn void keeper_loop(void) {
  for (;;) loop_run_once();
}
