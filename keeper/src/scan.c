/* `keeper scan RUNS_DIR`: what became of every run of a folder, in one look, taking no lock. */
#define _GNU_SOURCE
#include "scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rundir.h"
#include "text.h"

static bool is_empty(int dir) {
  int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
  if (!list) return false;
  struct dirent *entry;
  bool empty = true;
  while (empty && (entry = readdir(list))) empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
  closedir(list);
  return empty;
}

static const char *status_of(int dir, struct lock_table *locks, const char *boot) {
  struct buffer text = {0};
  struct stat st;
  char recorded[40];
  if (fstatat(dir, "abandoned", &st, AT_SYMLINK_NOFOLLOW) == 0) return "abandoned";
  if (sys_locks_held(locks, dir, "keeper")) return "live";
  if (rundir_read_exit(dir, &text)) {
    buffer_free(&text);
    return "ended";
  }
  if (!rundir_read(dir, "spec", 16 << 20, &text)) return is_empty(dir) ? "fenced" : "damaged";
  bool has_boot = text_find(buffer_head(&text), buffer_size(&text), "boot", recorded, sizeof recorded);
  buffer_free(&text);
  if (!has_boot) return "damaged";
  return strcmp(recorded, boot) == 0 ? "unkept" : "earlier-boot";
}

int scan_main(int argc, char **argv) {
  if (argc != 3) return 64;
  int runs = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = runs >= 0 ? fdopendir(dup(runs)) : NULL;
  struct lock_table *locks = runs >= 0 ? sys_locks_read(runs) : NULL;
  if (!list || !locks) {
    fprintf(stderr, "keeper: %s: %s\n", argv[2], strerror(errno));
    return 69;
  }
  char boot[40];
  sys_boot_id(boot);
  struct dirent *entry;
  while ((entry = readdir(list))) {
    if (!rundir_valid_id(entry->d_name, strlen(entry->d_name))) continue;
    int dir = openat(runs, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (dir < 0) continue;
    printf("%s %s\n", entry->d_name, status_of(dir, locks, boot));
    close(dir);
  }
  closedir(list);
  sys_locks_free(locks);
  return fflush(stdout) == 0 ? 0 : 70;
}
