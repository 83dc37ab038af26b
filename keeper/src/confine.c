#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What lies inside what is told from the text. */
static bool is_canonical(const char *path) {
  if (path[0] != '/' || path[1] == 0) return false;
  while (*path) {
    size_t length = strcspn(++path, "/");
    if (length == 0 || (length <= 2 && strncmp(path, "..", length) == 0)) return false;
    path += length;
  }
  return true;
}

static bool add_owned(struct confinement *confinement, char *path, unsigned kinds) {
  struct confined_path *grown = path ? realloc(confinement->paths, (confinement->count + 1) * sizeof *grown) : NULL;
  if (grown) {
    confinement->paths = grown;
    confinement->paths[confinement->count++] = (struct confined_path){.path = path, .kinds = kinds, .fd = -1};
    return true;
  }
  free(path);
  return false;
}

bool confinement_add(struct confinement *confinement, const char *path, unsigned kinds) {
  if (!is_canonical(path) || confinement->count == CONFINE_PATHS_MOST) return false;
  return add_owned(confinement, strdup(path), kinds);
}

void confinement_free(struct confinement *confinement) {
  for (size_t i = 0; i < confinement->count; i++) free(confinement->paths[i].path);
  free(confinement->paths);
  confinement->paths = NULL;
  confinement->count = 0;
}

/* The kernel's own name for it, as it is called now: whoever renamed it since must not have uncovered it. */
static int add_home(struct confinement *confinement) {
  char link[32], path[PATH_MAX];
  if (confinement->home < 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", confinement->home);
  ssize_t n = readlink(link, path, sizeof path);
  if (n < 0) return errno;
  if (n == (ssize_t)sizeof path) return ENAMETOOLONG;
  path[n] = 0;
  return add_owned(confinement, strdup(path), CONFINED_HIDE) ? 0 : ENOMEM;
}

/* What is hidden by its real name too. What may be written is never found through a symbolic link: a child that was confined before may
 * have put it there. */
static int open_paths(struct confinement *confinement) {
  size_t kept = 0;
  int error = 0;
  for (size_t i = 0; i < confinement->count; i++) {
    struct confined_path path = confinement->paths[i];
    int failed = sys_open_confined(&path);
    /* Without the right to reach it, the child needs no more hiding. */
    bool may_miss = failed == EACCES || ((failed == ENOENT || failed == ENOTDIR || failed == ELOOP) && !(path.kinds & CONFINED_HIDE));
    if (failed)
      free(path.path);
    else
      confinement->paths[kept++] = path;
    if (failed && !may_miss && !error) error = failed;
  }
  confinement->count = kept;
  return error;
}

static int compare_paths(const void *a, const void *b) {
  const struct confined_path *left = a, *right = b;
  return strcmp(left->path, right->path); /* a directory before what is in it */
}

static void merge_same(struct confinement *confinement) {
  size_t kept = 0;
  if (confinement->count) qsort(confinement->paths, confinement->count, sizeof *confinement->paths, compare_paths);
  for (size_t i = 0; i < confinement->count; i++) {
    struct confined_path path = confinement->paths[i];
    struct confined_path *last = kept ? &confinement->paths[kept - 1] : NULL;
    if (last && strcmp(last->path, path.path) == 0) {
      last->kinds |= path.kinds;
      free(path.path);
      close(path.fd);
    } else {
      confinement->paths[kept++] = path;
    }
  }
  confinement->count = kept;
}

int confine_view(struct confinement *confinement, bool has_terminal, enum confine_step *step) {
  *step = CONFINE_LANDLOCK;
  int error = sys_landlock_missing();
  if (error) return error;
  *step = CONFINE_NAMESPACE;
  if ((error = sys_own_mounts())) return error;
  *step = CONFINE_MOUNT;
  if ((error = add_home(confinement)) || (error = open_paths(confinement))) return error;
  merge_same(confinement);
  return sys_confine_view(confinement->paths, confinement->count, confinement->home, has_terminal);
}

int confine_rights(const struct confinement *confinement, bool has_terminal, enum confine_step *step) {
  *step = CONFINE_NAMESPACE;
  int error = sys_drop_capabilities();
  if (error) return error;
  *step = CONFINE_LANDLOCK;
  if ((error = sys_landlock_restrict(confinement->paths, confinement->count, has_terminal ? 0 : -1))) return error;
  *step = CONFINE_SECCOMP;
  return sys_forbid_foreign_limits();
}

static _Noreturn void try_all(int told) {
  struct confinement confinement = {.wanted = true, .home = -1};
  enum confine_step step = CONFINE_MOUNT;
  int error = ENOMEM;
  if (confinement_add(&confinement, "/dev/null", CONFINED_WRITE) && confinement_add(&confinement, "/dev", CONFINED_HIDE) &&
      !(error = confine_view(&confinement, false, &step)))
    error = confine_rights(&confinement, false, &step);
  int answer[2] = {(int)step, error};
  _exit(write(told, answer, sizeof answer) == sizeof answer ? 0 : 1);
}

/* In a process of its own: there is no way back. */
int confine_main(int argc, char **argv) {
  static const char *const steps[] = {"landlock", "namespace", "mount", "seccomp"};
  (void)argv;
  int pair[2], answer[2];
  if (argc != 2) return 64;
  if (sys_pipe(pair) != 0) return 70;
  pid_t pid = fork();
  if (pid == 0) try_all(pair[1]);
  close(pair[1]);
  bool has_answer = read(pair[0], answer, sizeof answer) == sizeof answer;
  close(pair[0]);
  if (pid > 0) waitpid(pid, NULL, 0);
  if (!has_answer) return 70;
  if (answer[1])
    printf("no %s %d\n", steps[answer[0]], answer[1]);
  else
    puts("yes");
  return answer[1] ? 1 : 0;
}
