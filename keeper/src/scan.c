/* `keeper scan RUNS_DIR`: what became of every run of a folder, in one look, taking no lock. */
#define _GNU_SOURCE
#include "scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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
  bool has_boot = text_find(buffer_head(&text), buffer_size(&text), "boot", recorded, sizeof recorded) &&
                  text_known_contract(buffer_head(&text), buffer_size(&text));
  buffer_free(&text);
  if (!has_boot) return "damaged";
  return strcmp(recorded, boot) == 0 ? "unkept" : "earlier-boot";
}

/* A table of locks is read in pieces, and one that is let go in between makes the reader miss another: what seems unkept is
 * looked at this often before it is called so. */
enum { LOOKS = 5 };

struct found {
  char id[ID_MOST + 1];
  const char *status; /* NULL: not a run, or gone */
};

/* The names first and the locks after: a run has its lock before it has its name, so none that lives is taken for unkept. */
static struct found *list_runs(int runs, size_t *count) {
  DIR *list = fdopendir(dup(runs));
  struct found *found = calloc(1, sizeof *found);
  struct dirent *entry;
  *count = 0;
  while (list && found && (entry = readdir(list))) {
    if (!rundir_valid_id(entry->d_name, strlen(entry->d_name))) continue;
    /* Doubles at every power of two. */
    struct found *grown = (*count & (*count + 1)) == 0 ? realloc(found, (*count + 1) * 2 * sizeof *found) : found;
    if (!grown) free(found);
    found = grown;
    if (!found) break;
    found[*count] = (struct found){.status = NULL};
    strcpy(found[(*count)++].id, entry->d_name);
  }
  bool complete = list && found;
  if (list) closedir(list);
  if (complete) return found;
  free(found);
  return NULL;
}

static bool is_unkept(const char *status) { return strcmp(status, "unkept") == 0 || strcmp(status, "earlier-boot") == 0; }

/* True if it has to be looked at again. */
static bool look(int runs, struct found *found, struct lock_table *locks, const char *boot) {
  int dir = openat(runs, found->id, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  found->status = dir >= 0 ? status_of(dir, locks, boot) : NULL;
  if (dir >= 0) close(dir);
  return found->status && is_unkept(found->status);
}

int scan_main(int argc, char **argv) {
  if (argc != 3) return 64;
  int runs = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  size_t count = 0;
  struct found *found = runs >= 0 ? list_runs(runs, &count) : NULL;
  struct lock_table *locks = NULL;
  char boot[40];
  sys_boot_id(boot);
  bool again = found != NULL;
  for (int looks = 0; again && looks < LOOKS; looks++) {
    sys_locks_free(locks);
    locks = sys_locks_read(runs);
    again = false;
    for (size_t i = 0; locks && i < count; i++)
      if (looks == 0 || (found[i].status && is_unkept(found[i].status))) again = look(runs, &found[i], locks, boot) || again;
  }
  if (!locks) {
    fprintf(stderr, "keeper: %s: %s\n", argv[2], strerror(errno));
    return 69;
  }
  for (size_t i = 0; i < count; i++)
    if (found[i].status) printf("%s %s\n", found[i].id, found[i].status);
  sys_locks_free(locks);
  free(found);
  return fflush(stdout) == 0 ? 0 : 70;
}
