/* `keeper gate FD NOFILE PROGRAM [ARG…]`: a process that can be named before its program runs (CONTRACT.md §8). */
#include "gate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void limit_open_files(const char *soft) {
  struct rlimit limit;
  char *end;
  unsigned long long wanted = strtoull(soft, &end, 10);
  if (end == soft || *end || getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = wanted < limit.rlim_max ? (rlim_t)wanted : limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int gate_main(int argc, char **argv) {
  if (argc < 5) return 64;
  int fd = atoi(argv[2]);
  char byte;
  ssize_t n;
  while ((n = read(fd, &byte, 1)) < 0 && errno == EINTR) continue;
  if (n != 1) return 1;
  close(fd);
  limit_open_files(argv[3]);
  execvp(argv[4], argv + 4);
  int error = errno;
  fprintf(stderr, "holdfast: %s: %s\n", argv[4], strerror(error));
  return error == ENOENT ? 127 : 126;
}
