/* Linux: a mount namespace in which a child sees less, and most of it read-only. */
#ifdef __linux__
#define _GNU_SOURCE
#include "sys_linux_mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The same on every processor; Debian 12's C libraries do not have them all. */
enum { CALL_OPEN_TREE = 428, CALL_MOVE_MOUNT = 429, CALL_OPENAT2 = 437, CALL_MOUNT_SETATTR = 442 };
enum { TREE_CLONE = 1, READ_ONLY = 1, RECURSIVE = 0x8000, FROM_EMPTY_PATH = 4, NO_SYMLINKS = 4, DEVPTS_MAGIC = 0x1cd1 };

struct mount_attributes {
  uint64_t set, clear, propagation, user_namespace;
};
struct how_to_open {
  uint64_t flags, mode, resolve;
};

static int write_text(const char *path, const char *text) {
  int fd = openat(AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  int error = write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : errno;
  close(fd);
  return error;
}

/* This user alone, under its own number: files keep their owners, and other groups it is in go on counting. */
static int map_self(uid_t uid, gid_t gid) {
  char text[48];
  int error = write_text("/proc/self/setgroups", "deny");
  if (error) return error;
  snprintf(text, sizeof text, "%u %u 1", (unsigned)uid, (unsigned)uid);
  if ((error = write_text("/proc/self/uid_map", text))) return error;
  snprintf(text, sizeof text, "%u %u 1", (unsigned)gid, (unsigned)gid);
  return write_text("/proc/self/gid_map", text);
}

int sys_own_mounts(void) {
  uid_t uid = geteuid();
  gid_t gid = getegid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (errno != EPERM || unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return errno;
    int error = map_self(uid, gid);
    if (error) return error;
  }
  /* What is mounted here must not show outside, and what is mounted outside later must not show here: it might be what is hidden. */
  return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 ? 0 : errno;
}

static int set_read_only(int fd, const char *path, unsigned flags) {
  struct mount_attributes attributes = {.set = READ_ONLY};
  return syscall(CALL_MOUNT_SETATTR, fd, path, flags, &attributes, sizeof attributes) == 0 ? 0 : errno;
}

int sys_open_confined(struct confined_path *path) {
  struct how_to_open how = {.flags = O_PATH | O_CLOEXEC, .resolve = NO_SYMLINKS};
  struct stat st;
  if (path->kinds & CONFINED_HIDE) {
    char *real = realpath(path->path, NULL);
    if (!real) return errno;
    free(path->path);
    path->path = real;
    if (strcmp(real, "/") == 0) return EINVAL;
  }
  path->fd = (int)syscall(CALL_OPENAT2, AT_FDCWD, path->path, &how, sizeof how);
  if (path->fd < 0 || fstat(path->fd, &st) != 0) return errno;
  path->is_directory = S_ISDIR(st.st_mode);
  path->is_plain = S_ISDIR(st.st_mode) || S_ISREG(st.st_mode);
  return 0;
}

bool sys_path_within(const char *path, const char *directory) {
  size_t n = strlen(directory);
  return strncmp(path, directory, n) == 0 && (path[n] == '/' || path[n] == 0 || strcmp(directory, "/") == 0);
}

/* The innermost of the list that it lies in decides. */
static bool is_hidden(const struct confined_path *paths, size_t at) {
  for (size_t i = at; i-- > 0;)
    if (paths[i].kinds && sys_path_within(paths[at].path, paths[i].path)) return (paths[i].kinds & CONFINED_HIDE) != 0;
  return false;
}

static int clone_tree(int dir, const char *path) {
  return (int)syscall(CALL_OPEN_TREE, dir, path, TREE_CLONE | O_CLOEXEC | RECURSIVE | (*path ? 0 : AT_EMPTY_PATH));
}

static int attach_tree(int tree, const char *path) {
  return syscall(CALL_MOVE_MOUNT, tree, "", AT_FDCWD, path, FROM_EMPTY_PATH) == 0 ? 0 : errno;
}

/* A copy of what is there now, to be put in its place when everything around it is read-only or hidden. */
static int keep_tree(struct confined_path *path, bool hidden) {
  if (path->kinds & CONFINED_HIDE) return 0;
  /* Devices can be written on a read-only mount, and what is merely shown is there already: only in a hidden place they are put again. */
  if (!hidden && !(path->is_plain && (path->kinds & CONFINED_WRITE))) return 0;
  int tree = clone_tree(path->fd, "");
  if (tree < 0) return errno;
  close(path->fd);
  path->fd = tree;
  path->is_tree = true;
  return path->kinds & CONFINED_WRITE ? 0 : set_read_only(tree, "", AT_EMPTY_PATH | RECURSIVE);
}

int sys_cover(int fd, bool is_directory, bool is_own) {
  char target[32];
  struct statfs fs;
  snprintf(target, sizeof target, "/proc/self/fd/%d", fd);
  const char *type = "tmpfs", *options = is_own ? "mode=1777" : "mode=0755,size=1m";
  unsigned long flags = MS_NOSUID | MS_NODEV;
  if (is_own && fstatfs(fd, &fs) == 0 && fs.f_type == DEVPTS_MAGIC) {
    type = "devpts";
    options = "newinstance,ptmxmode=0666,mode=0620";
    flags = MS_NOSUID | MS_NOEXEC;
  }
  int failed = is_directory ? mount(type, target, type, flags, options) : mount("/dev/null", target, NULL, MS_BIND, NULL);
  return failed ? errno : 0;
}

/* Something to mount on, inside an empty directory of ours. */
static int make_place(const struct confined_path *path) {
  for (char *slash = strchr(path->path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    int error = mkdir(path->path, 0755) == 0 || errno == EEXIST ? 0 : errno;
    *slash = '/';
    if (error) return error;
  }
  if (path->is_directory) return mkdir(path->path, 0755) == 0 || errno == EEXIST ? 0 : errno;
  int fd = openat(AT_FDCWD, path->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  close(fd);
  return 0;
}

/* From now on the descriptor is of what the path shows now: mounts around it have changed. */
static int reopen(struct confined_path *path, bool is_same) {
  struct stat before, st;
  int fd = openat(AT_FDCWD, path->path, O_PATH | O_CLOEXEC);
  if (fd < 0) return errno;
  if (fstat(path->fd, &before) != 0 || fstat(fd, &st) != 0) before.st_ino = 0;
  close(path->fd);
  path->fd = fd;
  return !is_same || (before.st_dev == st.st_dev && before.st_ino == st.st_ino) ? 0 : ESTALE;
}

static int hide(struct confined_path *path, bool hidden) {
  bool is_own = (path->kinds & CONFINED_WRITE) != 0;
  if (hidden && !is_own) {
    path->kinds = 0; /* gone with what it lies in */
    return 0;
  }
  int error = hidden ? make_place(path) : 0;
  if (!error) error = reopen(path, !hidden);
  if (!error) error = sys_cover(path->fd, path->is_directory, is_own);
  return error ? error : reopen(path, false);
}

static int put_back(const struct confined_path *path, bool hidden) {
  int error = hidden ? make_place(path) : 0;
  return error || !path->is_tree ? error : attach_tree(path->fd, path->path);
}

/* A copy of the child's own terminal, -1: none. Its name goes when other terminals are hidden. */
static int keep_terminal(void) {
  char path[32];
  struct stat own, named;
  if (fstat(0, &own) != 0) return -1;
  snprintf(path, sizeof path, "/dev/pts/%u", minor(own.st_rdev));
  bool is_same = stat(path, &named) == 0 && named.st_dev == own.st_dev && named.st_ino == own.st_ino;
  return is_same ? clone_tree(AT_FDCWD, path) : -1;
}

/* Without a console the terminal has no name, and works. */
static void name_terminal(int terminal) {
  if (terminal < 0) return;
  attach_tree(terminal, "/dev/console");
  close(terminal);
}

/* Whoever may write to a directory above it may have moved it away between the look at its name and this one. */
static int check_home(const struct confined_path *paths, size_t count, int home) {
  struct stat meant, st;
  if (home < 0) return 0;
  if (fstat(home, &meant) != 0) return errno;
  for (size_t i = 0; i < count; i++)
    if ((paths[i].kinds & CONFINED_HIDE) && fstat(paths[i].fd, &st) == 0 && st.st_dev == meant.st_dev && st.st_ino == meant.st_ino) return 0;
  return ESTALE;
}

int sys_confine_view(struct confined_path *paths, size_t count, int home, bool has_terminal) {
  struct mount_alias *aliases = NULL;
  int error = check_home(paths, count, home);
  int terminal = has_terminal ? keep_terminal() : -1;
  for (size_t i = 0; i < count && !error; i++) error = keep_tree(&paths[i], is_hidden(paths, i));
  if (!error) error = aliases_note(paths, count, &aliases);
  if (!error) error = set_read_only(AT_FDCWD, "/", RECURSIVE);
  for (size_t i = 0; i < count && !error; i++)
    error = paths[i].kinds & CONFINED_HIDE ? hide(&paths[i], is_hidden(paths, i)) : put_back(&paths[i], is_hidden(paths, i));
  if (!error) error = aliases_cover(aliases, paths, count);
  aliases_free(aliases);
  name_terminal(terminal);
  for (size_t i = 0; i < count && !error; i++)
    if (paths[i].kinds == CONFINED_HIDE && paths[i].is_directory) error = set_read_only(paths[i].fd, "", AT_EMPTY_PATH);
  return error;
}
#endif
