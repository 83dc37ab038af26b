/* A keeper becomes a newer build of itself: same pid, so it stays the child's parent; same descriptors, so nothing is lost or unlocked.
 * Clients are cut off and come back by offset and sequence. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diagnostics.h"
#include "keeper.h"
#include "peer.h"

enum { FIXED = 7, HELD = 8 };

static void list_fds(int fds[FIXED + HELD]) {
  const int all[FIXED + HELD] = {
      keeper.home,        keeper.runs,       keeper.link ? keeper.link->fd : -1,
      keeper.oom_counter, keeper.run.dir,    keeper.run.lock,
      keeper.run.listener,
      keeper.stdio.out,   keeper.stdio.err,  keeper.options.mode == MODE_PTY ? -1 : keeper.stdio.in,
      keeper.stdio.transit_read, keeper.stdio.transit_write, keeper.queue.fd, keeper.child.pidfd, keeper.child.status};
  memcpy(fds, all, sizeof all);
}

void keeper_reexec(const char *path) {
  keeper_write_record();
  int fds[FIXED + HELD];
  char numbers[FIXED + HELD][12];
  char *argv[FIXED + HELD + 6] = {(char *)path, (char *)"resume", keeper.id};
  char request[12];
  list_fds(fds);
  snprintf(request, sizeof request, "%u", keeper.start_request);
  argv[3] = request;
  for (int i = 0; i < FIXED + HELD; i++) {
    snprintf(numbers[i], sizeof numbers[i], "%d", fds[i]);
    argv[4 + i] = numbers[i];
    if (fds[i] >= 0) fcntl(fds[i], F_SETFD, 0);
  }
  argv[4 + FIXED + HELD] = (char *)(keeper.tree.is_ancestor ? "parent" : keeper.launcher_reaps ? "launcher" : "successor");
  char *environment[] = {NULL};
  loop_hold_signals(true);
  execve(path, argv, environment);
  loop_hold_signals(false);
  diagnose("%s: re-exec of %s: %s", keeper.id, path, strerror(errno));
  for (int i = 0; i < FIXED + HELD; i++)
    if (fds[i] >= 0) fcntl(fds[i], F_SETFD, FD_CLOEXEC);
}

_Noreturn void reexec_resume(int argc, char **argv) {
  if (argc < 4 + FIXED + HELD) exit(64);
  int fds[FIXED + HELD];
  for (int i = 0; i < FIXED + HELD; i++) {
    fds[i] = atoi(argv[4 + i]);
    if (fds[i] >= 0) fcntl(fds[i], F_SETFD, FD_CLOEXEC);
  }
  const char *who = argc > 4 + FIXED + HELD ? argv[4 + FIXED + HELD] : "parent"; /* reaps the child; 1.0 did not say */
  struct takeover takeover = {.home = fds[0],
                              .runs = fds[1],
                              .link = fds[2],
                              .oom_counter = fds[3],
                              .id = argv[2],
                              .same_process = true,
                              .is_ancestor = strcmp(who, "parent") == 0,
                              .launcher_reaps = strcmp(who, "launcher") == 0,
                              .run = RUNDIR_NONE,
                              .held = {fds[7], fds[8], fds[9], fds[10], fds[11], fds[12], fds[13], fds[14]}};
  takeover.run.dir = fds[4];
  takeover.run.lock = fds[5];
  takeover.run.listener = fds[6];
  takeover.run.exit = openat(fds[4], "exit.tmp", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  snprintf(takeover.run.name, sizeof takeover.run.name, "%s", argv[2]);
  keeper.start_request = (uint32_t)strtoul(argv[3], NULL, 10);
  successor_run(&takeover);
}
