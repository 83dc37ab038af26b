/* Keepers forked ahead of need, each waiting for its request in a run directory of its own: fork, directory and seven files
 * cost half a millisecond, and more the more runs there are, that nobody should wait for. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launcher.h"

enum {
  WANTED = 8,
  HANDED_MOST = 65536, /* a request that a socket takes whole; a keeper for a bigger one is forked with it in memory */
};
#define PAUSE_NS 5000000ull /* after a request: most are answered by then, and that is the better moment */

static struct spare spares[WANTED];
static size_t count;
static unsigned long long made;
static struct timer refill_timer;

static _Noreturn void run_keeper(const struct rundir *run, int link, const struct frame *frame) {
  int from[] = {run->dir, run->lock, run->spec, run->log, run->index, run->exit, run->listener, link};
  for (int i = 0; i < 8; i++) sys_place(from[i], FD_RUN_DIR + i);
  sys_close_from(FD_HELD);
  struct keeper_job job = {.home = FD_HOME, .runs = FD_RUNS, .oom_counter = FD_OOM, .link = FD_LINK};
  job.run = (struct rundir){FD_RUN_DIR, FD_LOCK, FD_SPEC, FD_LOG, FD_INDEX, FD_EXIT, FD_LISTENER, ""};
  memcpy(job.run.name, run->name, sizeof job.run.name);
  job.cgroup_parent = launcher.has_cgroup ? FD_CGROUP : -1;
  memcpy(job.cgroup_parent_path, launcher.cgroup_path, sizeof job.cgroup_parent_path);
  keeper_start(&job, frame);
}

/* frame: what it is to start, NULL for a spare. */
static struct failure make(const struct frame *frame, struct spare *out) {
  struct rundir run;
  int link[2];
  char name[64];
  snprintf(name, sizeof name, ".spare-%d-%llu", (int)getpid(), made++);
  int error = rundir_prepare(FD_RUNS, name, &run);
  if (error) return (struct failure){STAGE_RUNDIR, error};
  struct failure failure = {STAGE_NONE, 0};
  if (sys_socket_pair(link) != 0) {
    failure = (struct failure){STAGE_PIPE, errno};
  } else {
    pid_t pid = fork();
    if (pid == 0) run_keeper(&run, link[1], frame);
    if (pid < 0) failure = (struct failure){STAGE_FORK, errno};
    close(link[1]);
    if (pid < 0) close(link[0]);
    *out = (struct spare){.keeper = pid, .link = link[0]};
    memcpy(out->name, run.name, sizeof out->name);
  }
  if (failure.stage) rundir_remove(FD_RUNS, run.name);
  rundir_close(&run);
  return failure;
}

static bool hand_over(const struct spare *spare, const struct frame *frame) {
  /* As it came: the header lies right before the payload. */
  const uint8_t *whole = frame->payload - FRAME_HEADER;
  size_t n = FRAME_HEADER + frame->length;
  return send(spare->link, whole, n, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)n;
}

struct failure spares_start(const struct frame *frame, struct spare *out) {
  while (count > 0 && frame->length <= HANDED_MOST) {
    *out = spares[--count];
    if (hand_over(out, frame)) return (struct failure){STAGE_NONE, 0};
    close(out->link); /* it was killed; if it was not, it goes now */
  }
  return make(frame, out);
}

bool spares_child_ended(pid_t pid) {
  for (size_t i = 0; i < count; i++) {
    if (spares[i].keeper != pid) continue;
    close(spares[i].link);
    rundir_remove(FD_RUNS, spares[i].name);
    spares[i] = spares[--count];
    spares_refill_soon();
    return true;
  }
  return false;
}

static void refill(void *context) {
  (void)context;
  /* One at a time, so that requests come in between. A full disk is told at the next start, not here. */
  if (count < WANTED && make(NULL, &spares[count]).stage == STAGE_NONE && ++count < WANTED) loop_timer(&refill_timer, 1, refill, NULL);
}

void spares_refill_soon(void) { loop_timer(&refill_timer, sys_monotonic_ns() + PAUSE_NS, refill, NULL); }
void spares_refill_now(void) { loop_timer(&refill_timer, 1, refill, NULL); }
size_t spares_count(void) { return count; }
