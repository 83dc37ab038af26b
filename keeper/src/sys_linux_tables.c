/* Linux: what has to be looked up in a table of the kernel's: flocks, cgroups, out-of-memory counters. */
#ifdef __linux__
#define _GNU_SOURCE
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct lock_table {
  unsigned long long *inodes;
  size_t count;
};

struct lock_line {
  int pid;
  char device[24];
  unsigned long long inode;
};

static bool parse_lock(const char *line, struct lock_line *out) {
  unsigned major_number, minor_number;
  if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%llu", &out->pid, &major_number, &minor_number, &out->inode) != 4)
    return false;
  snprintf(out->device, sizeof out->device, "%x:%x", major_number, minor_number);
  return true;
}

static int compare_inodes(const void *a, const void *b) {
  unsigned long long left = *(const unsigned long long *)a, right = *(const unsigned long long *)b;
  return left < right ? -1 : left > right;
}

/* The device that /proc/locks prints is not always stat's (btrfs, overlay). Our own lock on the folder, which nobody
 * else ever locks, shows how this file system is named there. Tried again: a lock that somebody lets go while we read hides another. */
static bool find_device(FILE *file, const struct stat *own, char device[24]) {
  char text[256];
  struct lock_line line;
  int pid = (int)getpid();
  for (int tries = 0; tries < 10; tries++) {
    while (fgets(text, sizeof text, file)) {
      if (!parse_lock(text, &line) || line.pid != pid || line.inode != (unsigned long long)own->st_ino) continue;
      strcpy(device, line.device);
      return true;
    }
    rewind(file);
  }
  errno = EAGAIN;
  return false;
}

struct lock_table *sys_locks_read(int dir) {
  struct lock_table *table = calloc(1, sizeof *table);
  if (!table) return NULL;
  int own = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat st;
  FILE *file = fopen("/proc/locks", "re");
  char text[256], device[24] = "";
  struct lock_line line;
  bool known = own >= 0 && file && fstat(own, &st) == 0 && flock(own, LOCK_SH | LOCK_NB) == 0 && find_device(file, &st, device);
  if (!known) {
    /* Not an empty table: every living run would seem to be dead. */
    free(table);
    table = NULL;
    goto done;
  }
  rewind(file);
  size_t capacity = 0;
  while (fgets(text, sizeof text, file)) {
    if (!parse_lock(text, &line) || strcmp(line.device, device) != 0) continue;
    if (table->count == capacity) {
      size_t more = capacity ? capacity * 2 : 256;
      unsigned long long *grown = realloc(table->inodes, more * sizeof *grown);
      if (!grown) break;
      table->inodes = grown;
      capacity = more;
    }
    table->inodes[table->count++] = line.inode;
  }
  if (table->count) qsort(table->inodes, table->count, sizeof *table->inodes, compare_inodes);
done:
  if (file) fclose(file);
  if (own >= 0) close(own);
  return table;
}

bool sys_locks_held(struct lock_table *table, int dir, const char *name) {
  struct stat st;
  if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || table->count == 0) return false;
  unsigned long long inode = (unsigned long long)st.st_ino;
  return bsearch(&inode, table->inodes, table->count, sizeof inode, compare_inodes) != NULL;
}

void sys_locks_free(struct lock_table *table) {
  if (table) free(table->inodes);
  free(table);
}

/* Where this process stands in the controller (empty: the v2 tree); false if nowhere. */
static bool own_cgroup(const char *controller, char *out, size_t size) {
  FILE *file = fopen("/proc/self/cgroup", "re");
  if (!file) return false;
  char line[512];
  bool found = false;
  while (!found && fgets(line, sizeof line, file)) {
    char *names = strchr(line, ':');
    char *path = names ? strchr(names + 1, ':') : NULL;
    if (!path) continue;
    *path++ = 0;
    path[strcspn(path, "\n")] = 0;
    found = strcmp(names + 1, controller) == 0;
    if (found) snprintf(out, size, "%s", strcmp(path, "/") == 0 ? "" : path);
  }
  fclose(file);
  return found;
}

int sys_cgroup_open(char *path, size_t size) {
  static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
  char own[400];
  if (!own_cgroup("", own, sizeof own)) return -1;
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
    char probe[600];
    snprintf(probe, sizeof probe, "%s%s/cgroup.procs", roots[i], own);
    if (access(probe, W_OK) != 0) continue;
    snprintf(path, size, "%s%s", roots[i], own);
    if (access(path, W_OK) != 0) continue;
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  return -1;
}

int sys_oom_counter_open(void) {
  char own[400], path[600];
  if (own_cgroup("", own, sizeof own)) {
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.events", own);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) return fd;
  }
  if (own_cgroup("memory", own, sizeof own)) {
    snprintf(path, sizeof path, "/sys/fs/cgroup/memory%s/memory.oom_control", own);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) return fd;
  }
  return open("/proc/vmstat", O_RDONLY | O_CLOEXEC);
}

uint64_t sys_oom_counter_read(int fd) {
  if (fd < 0) return 0;
  /* /proc/vmstat is about 5 kB; the others are a few lines. */
  char text[16384];
  ssize_t n = pread(fd, text, sizeof text - 1, 0);
  if (n <= 0) return 0;
  text[n] = 0;
  char *at = strncmp(text, "oom_kill ", 9) == 0 ? text : strstr(text, "\noom_kill ");
  if (!at) return 0;
  at += *at == '\n';
  return strtoull(at + 9, NULL, 10);
}
#endif
