/* A daemon or launcher that is wanted from inside a kept process must not fall with that process: the keeper starts it itself,
 * with its own untouched limits, umask and cgroup, and does not count it to the tree. */
#define _GNU_SOURCE
#include "outside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "keeper.h"

static _Noreturn void run(char *cwd, char **argv, char **env, int status) {
  struct failure failure = {0};
  child_reset_signals();
  setsid();
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  if (chdir(cwd) != 0)
    failure = (struct failure){STAGE_CWD, errno};
  else
    child_exec(argv[0], argv, env, &failure);
  ssize_t written = write(status, &failure.error_number, sizeof failure.error_number);
  (void)written;
  _exit(127);
}

/* The program is no part of this run: a successor that looks for members by their environment must not find it. */
static void drop_mark(char **env) {
  char **to = env;
  for (char **from = env; *from; from++)
    if (strncmp(*from, "HOLDFAST_RUN=", 13) != 0) *to++ = *from;
  *to = NULL;
}

/* Waits for the exec: local and a matter of a millisecond; a directory on a hung mount would be the caller's own doing. */
static int start(char *cwd, char **argv, char **env, pid_t *pid) {
  int status[2];
  if (pipe(status) != 0) return errno;
  fcntl(status[0], F_SETFD, FD_CLOEXEC);
  fcntl(status[1], F_SETFD, FD_CLOEXEC);
  *pid = sys_fork_beside();
  if (*pid == 0) run(cwd, argv, env, status[1]);
  int error = *pid < 0 ? errno : 0;
  close(status[1]);
  if (!error && read(status[0], &error, sizeof error) != sizeof error) error = 0;
  close(status[0]);
  if (!error) tree_spare(&keeper.tree, *pid);
  return error;
}

void outside_start(struct buffer *out, const struct frame *frame) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  struct slice directory = cursor_bytes(&cursor);
  size_t argc = 0, envc = 0;
  char **argv = strings_parse(&cursor, &argc);
  char **env = argv ? strings_parse(&cursor, &envc) : NULL;
  char *cwd = directory.data ? strndup((const char *)directory.data, directory.length) : NULL;
  pid_t pid = 0;
  if (!env || !cwd || argc == 0) {
    frame_error(out, frame->request, ERROR_MALFORMED, 0, 0, "OUTSIDE: cwd, argv, environment");
  } else {
    drop_mark(env);
    int error = start(cwd, argv, env, &pid);
    if (error)
      frame_error(out, frame->request, ERROR_SYSTEM, error, 0, "cannot start it");
    else
      frame_ok(out, frame->request, (uint64_t)pid);
    keeper_write_record();
  }
  free(cwd);
  strings_free(argv);
  strings_free(env);
}
