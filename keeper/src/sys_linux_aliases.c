/* Linux: the other places where a directory shows, because its file system, or a part of it, is mounted more than once. */
#ifdef __linux__
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys_linux_mounts.h"

struct mount_alias {
  struct mount_alias *next;
  char device[24]; /* as mountinfo has it; st_dev differs on some file systems */
  char *inside;    /* path from the root of the file system */
};

/* One line of mountinfo. root and place point into `text`. */
struct mount_line {
  int id;
  char device[24];
  char *root, *place;
  char *text;
  size_t size;
};

/* Blanks and backslashes are written as three octal digits. */
static void unescape(char *text) {
  char *to = text;
  for (char *from = text; *from; to++) {
    bool is_octal = from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' && from[2] <= '7' && from[3] >= '0' && from[3] <= '7';
    *to = is_octal ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0')) : *from;
    from += is_octal ? 4 : 1;
  }
  *to = 0;
}

static bool next_line(FILE *file, struct mount_line *line) {
  while (getline(&line->text, &line->size, file) > 0) {
    char *rest = line->text;
    char *fields[5];
    size_t n = 0;
    while (n < 5 && (fields[n] = strsep(&rest, " "))) n++;
    if (n < 5) continue;
    line->id = atoi(fields[0]);
    snprintf(line->device, sizeof line->device, "%.23s", fields[2]);
    line->root = fields[3];
    line->place = fields[4];
    unescape(line->root);
    unescape(line->place);
    return true;
  }
  return false;
}

static int mount_id(int fd) {
  char name[48], text[64];
  int id = -1;
  snprintf(name, sizeof name, "/proc/self/fdinfo/%d", fd);
  FILE *file = fopen(name, "re");
  while (file && id < 0 && fgets(text, sizeof text, file))
    if (sscanf(text, "mnt_id: %d", &id) != 1) id = -1;
  if (file) fclose(file);
  return id;
}

static bool is_root(const char *path) { return path[0] == '/' && path[1] == 0; }

/* Two paths as one; `rest` is empty or begins with a slash. */
static char *joined(const char *first, const char *rest) {
  char *out = NULL;
  if (asprintf(&out, "%s%s", is_root(first) && rest[0] ? "" : first, rest) < 0) return NULL;
  return out;
}

/* What follows `directory` in `path`. */
static const char *below(const char *path, const char *directory) { return is_root(directory) ? (is_root(path) ? "" : path) : path + strlen(directory); }

static int note(const char *path, int fd, struct mount_alias **list) {
  int id = mount_id(fd), error = EIO; /* a mount that the table does not show: better not started than not hidden */
  FILE *file = fopen("/proc/self/mountinfo", "re");
  if (!file) return errno;
  struct mount_line line = {0};
  while (error == EIO && next_line(file, &line)) {
    if (line.id != id || !sys_path_within(path, line.place)) continue;
    struct mount_alias *alias = calloc(1, sizeof *alias);
    char *inside = alias ? joined(line.root, below(path, line.place)) : NULL;
    error = inside ? 0 : ENOMEM;
    if (!inside) {
      free(alias);
      break;
    }
    alias->inside = inside;
    memcpy(alias->device, line.device, sizeof alias->device);
    alias->next = *list;
    *list = alias;
  }
  free(line.text);
  fclose(file);
  return error;
}

int aliases_note(const struct confined_path *paths, size_t count, struct mount_alias **out) {
  int error = 0;
  for (size_t i = 0; i < count && !error; i++)
    if (paths[i].kinds & CONFINED_HIDE) error = note(paths[i].path, paths[i].fd, out);
  return error;
}

void aliases_free(struct mount_alias *aliases) {
  while (aliases) {
    struct mount_alias *next = aliases->next;
    free(aliases->inside);
    free(aliases);
    aliases = next;
  }
}

static bool is_listed(const char *path, const struct confined_path *paths, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(paths[i].path, path) == 0) return true;
  return false;
}

/* Where this mount shows what is hidden, or a part of it; NULL: nowhere, or by our own will. */
static char *shown_at(const struct mount_line *line, const struct mount_alias *alias, const struct confined_path *paths, size_t count) {
  if (strcmp(line->device, alias->device) != 0) return NULL;
  if (sys_path_within(alias->inside, line->root)) return joined(line->place, below(alias->inside, line->root));
  if (sys_path_within(line->root, alias->inside) && !is_listed(line->place, paths, count)) return strdup(line->place);
  return NULL;
}

static int cover_alias(const char *path, int id) {
  struct stat st;
  int fd = openat(AT_FDCWD, path, O_PATH | O_CLOEXEC), error = 0;
  if (fd < 0) return 0; /* out of reach for the child as well */
  /* Another number: something else is mounted over it, ours as a rule. */
  if (mount_id(fd) == id) error = fstat(fd, &st) == 0 ? sys_cover(fd, S_ISDIR(st.st_mode), false) : errno;
  close(fd);
  return error;
}

int aliases_cover(const struct mount_alias *aliases, const struct confined_path *paths, size_t count) {
  struct mount_line line = {0};
  int error = 0;
  FILE *file = aliases ? fopen("/proc/self/mountinfo", "re") : NULL;
  if (!file) return aliases ? errno : 0;
  while (!error && next_line(file, &line))
    for (const struct mount_alias *alias = aliases; alias && !error; alias = alias->next) {
      char *path = shown_at(&line, alias, paths, count);
      if (path) error = cover_alias(path, line.id);
      free(path);
    }
  free(line.text);
  fclose(file);
  return error;
}
#endif
