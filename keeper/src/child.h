/* Making the child: its stdio, its attributes, its exec; and learning how far it came. */
#ifndef HOLDFAST_CHILD_H
#define HOLDFAST_CHILD_H

#include "request.h"

/* The keeper's ends. -1 = none. transit: a terminal's bytes on their way to the log. */
struct stdio {
  int out, err, in;
  int transit_read, transit_write;
};
#define STDIO_NONE {.out = -1, .err = -1, .in = -1, .transit_read = -1, .transit_write = -1}

struct child {
  pid_t pid;
  uint64_t start; /* kernel start time */
  int pidfd;
  int go;     /* closing it without a byte makes the child leave before exec */
  int status; /* yields (stage, errno) if the child fails before its exec, else the end of file */
};

struct failure {
  enum stage stage;
  int error_number;
};

/* Opens stdio and forks; the child waits for child_release before exec. On failure nothing is left open. */
struct failure child_fork(struct start_request *request, int cgroup, struct stdio *stdio, struct child *child);
void child_release(struct child *child);
/* Reads the status pipe: 1 = exec'd, 0 = not known yet, -1 = failed, *failure says where. */
int child_outcome(struct child *child, struct failure *failure);
/* The pipe between the child's own and the segments (CONTRACT.md §3.3). 0 or errno. */
int child_make_transit(struct stdio *stdio);
void stdio_close(struct stdio *stdio);
/* Between fork and exec in any helper process: default signals, nothing blocked. */
void child_reset_signals(void);
void child_exec(const char *program, char **argv, char **env, struct failure *failure);

#endif
