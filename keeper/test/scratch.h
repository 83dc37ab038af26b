/* A directory of its own for a test, gone afterwards. */
#ifndef HOLDFAST_SCRATCH_H
#define HOLDFAST_SCRATCH_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static char scratch_path[64];

/* A descriptor of the new directory. */
static inline int scratch_open(void) {
  strcpy(scratch_path, "/tmp/holdfast-c-XXXXXX");
  int dir = mkdtemp(scratch_path) ? open(scratch_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (dir < 0) abort();
  return dir;
}

static inline void scratch_close(int dir) {
  char command[96];
  close(dir);
  snprintf(command, sizeof command, "rm -rf %s", scratch_path);
  if (system(command) != 0) abort();
}

static inline void scratch_write(int dir, const char *name, const void *data, size_t n) {
  int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, data, n) != (ssize_t)n) abort();
  close(fd);
}

#endif
