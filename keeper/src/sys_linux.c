/* Linux: clocks, processes, pidfds, splice, cgroups. */
#ifdef __linux__
#define _GNU_SOURCE
#include "sys.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

static uint64_t clock_ns(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t sys_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
uint64_t sys_boottime_us(void) { return clock_ns(CLOCK_BOOTTIME) / 1000; }
uint64_t sys_wall_ms(void) { return clock_ns(CLOCK_REALTIME) / 1000000; }

/* Reads a whole small file of /proc or /sys; returns its length, 0 on any failure; always terminated. */
static size_t read_small(const char *path, char *out, size_t size) {
  /* openat: musl's open sets close-on-exec a second time, for kernels that no longer matter. */
  int fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  size_t have = 0;
  ssize_t n;
  while (have < size - 1 && (n = read(fd, out + have, size - 1 - have)) > 0) have += (size_t)n;
  close(fd);
  out[have] = 0;
  return have;
}

void sys_boot_id(char out[40]) {
  /* Never changes; a keeper has it from its launcher. */
  static char known[40];
  if (!known[0] && read_small("/proc/sys/kernel/random/boot_id", known, sizeof known) < 36) strcpy(known, "unknown");
  known[36] = 0;
  memcpy(out, known, sizeof known);
}

uint64_t sys_pid_namespace(void) {
  static uint64_t known; /* a running process never changes its own */
  struct stat st;
  if (!known && stat("/proc/self/ns/pid", &st) == 0) known = (uint64_t)st.st_ino;
  return known;
}

bool sys_process_info(pid_t pid, struct process_info *out) {
  char path[40], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  if (!read_small(path, text, sizeof text)) return false;
  /* The name in the second field may hold spaces and parentheses: what counts starts after the last one. */
  char *rest = strrchr(text, ')');
  if (!rest) return false;
  int parent, group, session;
  unsigned long long start;
  if (sscanf(rest + 1, " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
             &out->state, &parent, &group, &session, &start) != 5)
    return false;
  out->pid = pid;
  out->parent = parent;
  out->group = group;
  out->session = session;
  out->start = start;
  return true;
}

void sys_each_listed(int dir, const char *path, pid_visitor visit, void *context) {
  int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char text[1024];
  pid_t pid = 0;
  for (ssize_t n; (n = read(fd, text, sizeof text)) > 0;)
    for (ssize_t i = 0; i < n; i++) {
      if (text[i] >= '0' && text[i] <= '9') {
        pid = pid * 10 + (text[i] - '0'); /* may go on in the next piece */
        continue;
      }
      if (pid) visit(context, pid);
      pid = 0;
    }
  close(fd);
  if (pid) visit(context, pid);
}

/* Children are listed per thread: one forked by a second thread stands only under that thread. */
void sys_each_child(pid_t pid, pid_visitor visit, void *context) {
  if (pid == getpid()) { /* which has one thread */
    sys_each_listed(AT_FDCWD, "/proc/thread-self/children", visit, context);
    return;
  }
  char path[300];
  snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
  DIR *tasks = opendir(path);
  if (!tasks) return;
  struct dirent *entry;
  while ((entry = readdir(tasks))) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, entry->d_name);
    sys_each_listed(AT_FDCWD, path, visit, context);
  }
  closedir(tasks);
}

void sys_each_process(pid_visitor visit, void *context) {
  DIR *proc = opendir("/proc");
  if (!proc) return;
  struct dirent *entry;
  while ((entry = readdir(proc)))
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') visit(context, atoi(entry->d_name));
  closedir(proc);
}

/* Another home may have a run of the same id: only the directory itself tells them apart. */
static bool is_directory(const char *path, int dir) {
  struct stat named, meant;
  return stat(path, &named) == 0 && fstat(dir, &meant) == 0 && named.st_dev == meant.st_dev && named.st_ino == meant.st_ino;
}

bool sys_process_has_run(pid_t pid, const char *id, int dir) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  char *entry = NULL;
  size_t size = 0, id_length = strlen(id);
  ssize_t n;
  bool found = false;
  while (!found && (n = getdelim(&entry, &size, 0, file)) > 0) {
    size_t length = strlen(entry);
    found = strncmp(entry, "HOLDFAST_RUN=", 13) == 0 && length > 14 + id_length &&
            entry[length - id_length - 1] == '/' && strcmp(entry + length - id_length, id) == 0 && is_directory(entry + 13, dir);
  }
  free(entry);
  fclose(file);
  return found;
}

uint64_t sys_resident_bytes(pid_t pid) {
  char path[40], text[128];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  unsigned long long total, resident;
  if (!read_small(path, text, sizeof text) || sscanf(text, "%llu %llu", &total, &resident) != 2) return 0;
  return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

void sys_become_subreaper(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int sys_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int sys_pidfd_signal(int pidfd, pid_t pid, int signal) {
  if (pidfd < 0) return kill(pid, signal);
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

/* struct pidfd_info of linux/pidfd.h, whose header Debian 12 does not have yet. */
struct pidfd_info_v0 {
  uint64_t mask, cgroupid;
  uint32_t pid, tgid, ppid, ruid, rgid, euid, egid, suid, sgid, fsuid, fsgid;
  int32_t exit_code;
};
#define PIDFD_INFO_EXIT_BIT (1u << 3)

bool sys_pidfd_exit_status(int pidfd, int *wait_status) {
  struct pidfd_info_v0 info = {.mask = PIDFD_INFO_EXIT_BIT};
  if (pidfd < 0 || ioctl(pidfd, _IOWR(0xFF, 11, struct pidfd_info_v0), &info) != 0) return false;
  if (!(info.mask & PIDFD_INFO_EXIT_BIT)) return false;
  *wait_status = info.exit_code;
  return true;
}

pid_t sys_peek_child(pid_t pid, struct child_status *out) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  memset(out, 0, sizeof *out);
  /* The raw call, because only it also tells the resource usage. */
  if (syscall(SYS_waitid, pid > 0 ? P_PID : P_ALL, pid > 0 ? pid : 0, &info, WEXITED | WNOHANG | WNOWAIT,
              &out->usage) != 0)
    return -1;
  if (info.si_pid == 0) return 0;
  out->has_usage = true;
  if (info.si_code == CLD_EXITED)
    out->wait_status = (info.si_status & 0xff) << 8;
  else
    out->wait_status = (info.si_status & 0x7f) | (info.si_code == CLD_DUMPED ? 0x80 : 0);
  return info.si_pid;
}

struct clone_arguments {
  uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size,
      cgroup;
};
#define CLONE_PIDFD_BIT 0x1000u
#define CLONE_INTO_CGROUP_BIT 0x200000000ull

pid_t sys_fork(int cgroup_fd, int *pidfd) {
  *pidfd = -1;
  struct clone_arguments arguments = {.flags = CLONE_PIDFD_BIT,
                                      .pidfd = (uint64_t)(uintptr_t)pidfd,
                                      .exit_signal = SIGCHLD};
  if (cgroup_fd >= 0) {
    arguments.flags |= CLONE_INTO_CGROUP_BIT;
    arguments.cgroup = (uint64_t)cgroup_fd;
  }
  pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
  /* Seccomp filters and emulators answer ENOSYS; a cgroup may refuse. An error of fork itself stays one. */
  if (pid >= 0 || (errno == EAGAIN && cgroup_fd < 0) || errno == ENOMEM) return pid;
  pid = fork();
  if (pid > 0) *pidfd = sys_pidfd_open(pid);
  return pid;
}

pid_t sys_fork_beside(void) {
  /* Child and parent of clone() with no stack go on like those of fork(); its exit is told to our parent. */
  pid_t pid = (pid_t)syscall(SYS_clone, (unsigned long)(CLONE_PARENT | SIGCHLD), 0, 0, 0, 0);
  return pid >= 0 ? pid : fork();
}

int sys_pipe(int pair[2]) { return pipe2(pair, O_CLOEXEC); }
void sys_widen_pipe(int fd, int bytes) { fcntl(fd, F_SETPIPE_SZ, bytes); }
int sys_socket_pair(int pair[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair); }
int sys_place(int fd, int number) { return dup3(fd, number, O_CLOEXEC); }

void sys_close_from(int lowest) {
  if (syscall(SYS_close_range, (unsigned)lowest, ~0u, 0) == 0) return;
  long most = sysconf(_SC_OPEN_MAX);
  for (int fd = lowest; fd < most; fd++) close(fd);
}

void sys_close_all_but(int lowest, int kept) {
  if (kept > lowest && syscall(SYS_close_range, (unsigned)lowest, (unsigned)kept - 1, 0) != 0)
    for (int fd = lowest; fd < kept; fd++) close(fd);
  sys_close_from(kept + 1);
}

int sys_rename_noreplace(int dir, const char *from, const char *to) {
  if (syscall(SYS_renameat2, dir, from, dir, to, 1 /* RENAME_NOREPLACE */) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  /* A file system without the flag: mkdir is the exclusive step, then the empty directory is replaced. */
  if (mkdirat(dir, to, 0700) != 0) return -1;
  return renameat(dir, from, dir, to);
}

bool sys_flush(int fd) { return fsync(fd) == 0; }

bool sys_reserve(int fd, uint64_t bytes) {
  if (fallocate(fd, 0, 0, (off_t)bytes) == 0) return true;
  char zeros[4096] = {0};
  if (errno != EOPNOTSUPP || bytes > sizeof zeros) return false;
  return pwrite(fd, zeros, bytes, 0) == (ssize_t)bytes;
}

int sys_open_terminal(int *master, int *slave) {
  int m = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (m < 0) return errno;
  int unlock = 0;
  if (ioctl(m, TIOCSPTLCK, &unlock) != 0) goto failed;
  /* TIOCGPTPEER opens the peer without a path: right in any mount namespace. */
  int s = ioctl(m, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (s < 0) goto failed;
  *master = m;
  *slave = s;
  return 0;
failed:;
  int error = errno;
  close(m);
  return error;
}

ssize_t sys_move(int from, int to, uint64_t *offset, size_t n) {
  loff_t at = offset ? (loff_t)*offset : 0;
  ssize_t moved = splice(from, NULL, to, offset ? &at : NULL, n, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
  if (offset && moved > 0) *offset = (uint64_t)at;
  return moved;
}

int sys_memory_file(void) { return memfd_create("holdfast-stdin", MFD_CLOEXEC); }
ssize_t sys_feed(int out, int queue, size_t n) { return sendfile(out, queue, NULL, n); }

void sys_forget(int memory_file, uint64_t from, uint64_t bytes) {
  if (fallocate(memory_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)bytes) != 0) return;
}

bool sys_peer(int fd, struct socket_peer *out) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  *out = (struct socket_peer){.pid = peer.pid, .uid = peer.uid, .gid = peer.gid};
  return true;
}

int sys_peer_pidfd(int fd) {
  int pidfd = -1;
  socklen_t size = sizeof pidfd;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == 0) return pidfd;
  if (errno == EINVAL) errno = ESRCH; /* kernels before 6.16 say so of a reaped process */
  return -1;
}

void sys_socket_path(int dir, const char *name, char *out, size_t size) {
  snprintf(out, size, "/proc/self/fd/%d/%s", dir, name);
}

void sys_prefer_oom(void) {
  /* 300 of 1000: the child goes before its keeper at equal size, and a big stranger still before a small child. */
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t written = write(fd, "300", 3);
  (void)written; /* where the kernel refuses, the child keeps the score it has */
  close(fd);
}
#endif
