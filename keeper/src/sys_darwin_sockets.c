/* macOS: a socket's path holds 104 bytes and there is no /proc/self/fd to go through. A directory with a longer path gets a symbolic
 * link in a short directory (0700) that the home names in its file `socket-dir`; the socket itself lies where it belongs. */
#ifdef __APPLE__
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD "socket-dir"
enum { SHORT_MOST = 64 };

/* Is it still the one we made? Old files in /tmp are removed, and anybody may put something in their place. */
static bool is_ours(const char *path) {
  struct stat st;
  return path[0] == '/' && lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

static bool read_record(int home, char out[SHORT_MOST]) {
  int fd = openat(home, RECORD, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  ssize_t n = fd >= 0 ? read(fd, out, SHORT_MOST - 1) : -1;
  if (fd >= 0) close(fd);
  if (n <= 0) return false;
  out[n] = 0;
  out[strcspn(out, "\n")] = 0;
  return is_ours(out);
}

/* Renamed into place: of two processes that do this at once, both links are good and the later record stays. */
static bool make_record(int home, char out[SHORT_MOST]) {
  char name[48];
  strcpy(out, "/tmp/hf-XXXXXX");
  if (!mkdtemp(out)) return false;
  snprintf(name, sizeof name, RECORD ".%d", (int)getpid());
  int fd = openat(home, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  bool written = fd >= 0 && write(fd, out, strlen(out)) == (ssize_t)strlen(out);
  if (fd >= 0) close(fd);
  return written && renameat(home, name, home, RECORD) == 0;
}

/* `dir` is the home itself or a run of it, two levels down. */
static bool short_directory(int dir, char out[SHORT_MOST]) {
  bool inside = faccessat(dir, "../../launcher.lock", F_OK, 0) == 0;
  int home = openat(dir, inside ? "../.." : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (home < 0) return false;
  bool good = read_record(home, out) || make_record(home, out);
  close(home);
  return good;
}

/* FNV-1a: a name for the link, short and the same every time. */
static uint64_t hash(const char *text) {
  uint64_t value = 14695981039346656037ull;
  for (; *text; text++) value = (value ^ (uint8_t)*text) * 1099511628211ull;
  return value;
}

static bool make_link(const char *link, const char *target) {
  char present[PATH_MAX];
  ssize_t n = readlink(link, present, sizeof present - 1);
  if (n > 0) {
    present[n] = 0;
    if (strcmp(present, target) == 0) return true;
    unlink(link);
  }
  return symlink(target, link) == 0 || errno == EEXIST; /* somebody made the same one meanwhile */
}

void sys_socket_path(int dir, const char *name, char *out, size_t size) {
  char path[PATH_MAX], place[SHORT_MOST], link[SHORT_MOST + 20];
  out[0] = 0; /* bind and connect then fail with ENOENT or EINVAL */
  if (fcntl(dir, F_GETPATH, path) != 0) return;
  if (strlen(path) + 1 + strlen(name) < size) {
    snprintf(out, size, "%s/%s", path, name);
    return;
  }
  if (!short_directory(dir, place)) return;
  snprintf(link, sizeof link, "%s/%016llx", place, (unsigned long long)hash(path));
  if (make_link(link, path)) snprintf(out, size, "%s/%s", link, name);
}
#endif
