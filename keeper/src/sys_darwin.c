/* macOS. Compiled, never run: no machine of ours has it. What the kernel lacks (subreaper, pidfd, splice, memory files, cgroups)
 * answers as sys.h says such a kernel does. */
#ifdef __APPLE__
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <libproc.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/proc_info.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* CLOCK_UPTIME_RAW stops while the machine sleeps, CLOCK_MONOTONIC_RAW does not: the other way round than the names on Linux. */
uint64_t sys_monotonic_ns(void) { return clock_gettime_nsec_np(CLOCK_UPTIME_RAW); }
uint64_t sys_boottime_us(void) { return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW) / 1000; }
uint64_t sys_wall_ms(void) { return clock_gettime_nsec_np(CLOCK_REALTIME) / 1000000; }

void sys_boot_id(char out[40]) {
  size_t size = 40;
  if (sysctlbyname("kern.bootsessionuuid", out, &size, NULL, 0) != 0 || size == 0) strcpy(out, "unknown");
  out[39] = 0;
}

uint64_t sys_pid_namespace(void) { return 1; /* there is one */ }

bool sys_process_info(pid_t pid, struct process_info *out) {
  struct proc_bsdinfo info;
  /* 1: zombies too. */
  if (proc_pidinfo(pid, PROC_PIDTBSDINFO, 1, &info, sizeof info) != (int)sizeof info) return false;
  static const char states[] = {'R', 'R', 'R', 'S', 'T', 'Z'}; /* SIDL … SZOMB of sys/proc.h are 1 … 5 */
  pid_t session = getsid(pid);
  *out = (struct process_info){.pid = pid,
                               .parent = (pid_t)info.pbi_ppid,
                               .group = (pid_t)info.pbi_pgid,
                               .session = session > 0 ? session : 0,
                               .start = info.pbi_start_tvsec * 1000000u + info.pbi_start_tvusec,
                               .state = info.pbi_status < sizeof states ? states[info.pbi_status] : 'S'};
  return true;
}

static void each_pid(uint32_t type, uint32_t argument, pid_visitor visit, void *context) {
  int bytes = proc_listpids(type, argument, NULL, 0);
  if (bytes <= 0) return;
  bytes += 64 * (int)sizeof(pid_t); /* some may be born before the second look */
  pid_t *pids = malloc((size_t)bytes);
  if (!pids) return;
  bytes = proc_listpids(type, argument, pids, bytes);
  for (int i = 0; i < bytes / (int)sizeof(pid_t); i++)
    if (pids[i] > 0) visit(context, pids[i]);
  free(pids);
}

void sys_each_child(pid_t pid, pid_visitor visit, void *context) { each_pid(PROC_PPID_ONLY, (uint32_t)pid, visit, context); }
void sys_each_process(pid_visitor visit, void *context) { each_pid(PROC_ALL_PIDS, 0, visit, context); }

/* Only cgroups list pids in a file. */
void sys_each_listed(int dir, const char *path, pid_visitor visit, void *context) { (void)dir, (void)path, (void)visit, (void)context; }

/* Another home may have a run of the same id: only the directory itself tells them apart. */
static bool names_directory(const char *path, const char *id, int dir) {
  size_t length = strlen(path), id_length = strlen(id);
  struct stat named, meant;
  return length > id_length + 1 && path[length - id_length - 1] == '/' && strcmp(path + length - id_length, id) == 0 &&
         stat(path, &named) == 0 && fstat(dir, &meant) == 0 && named.st_dev == meant.st_dev && named.st_ino == meant.st_ino;
}

/* KERN_PROCARGS2: argc, the program's path, zeros, argc arguments, the environment, an empty string. */
static bool find_run(const char *at, const char *end, const char *id, int dir) {
  int argc;
  if ((size_t)(end - at) < sizeof argc) return false;
  memcpy(&argc, at, sizeof argc);
  at += sizeof argc;
  at += strnlen(at, (size_t)(end - at));
  while (at < end && *at == 0) at++;
  for (int i = 0; i < argc && at < end; i++) at += strnlen(at, (size_t)(end - at)) + 1;
  while (at < end && *at) {
    if (strncmp(at, "HOLDFAST_RUN=", 13) == 0 && names_directory(at + 13, id, dir)) return true;
    at += strnlen(at, (size_t)(end - at)) + 1;
  }
  return false;
}

bool sys_process_has_run(pid_t pid, const char *id, int dir) {
  int name[] = {CTL_KERN, KERN_PROCARGS2, (int)pid}, most_name[] = {CTL_KERN, KERN_ARGMAX}, most = 0;
  size_t size = sizeof most;
  if (sysctl(most_name, 2, &most, &size, NULL, 0) != 0 || most <= 0) return false;
  size = (size_t)most;
  char *arguments = malloc(size + 1);
  bool found = arguments && sysctl(name, 3, arguments, &size, NULL, 0) == 0 && size <= (size_t)most;
  if (found) {
    arguments[size] = 0;
    found = find_run(arguments, arguments + size, id, dir);
  }
  free(arguments);
  return found;
}

uint64_t sys_resident_bytes(pid_t pid) {
  struct proc_taskinfo info;
  return proc_pidinfo(pid, PROC_PIDTASKINFO, 0, &info, sizeof info) == (int)sizeof info ? info.pti_resident_size : 0;
}

/* Orphans go to launchd: a keeper's tree is then what still hangs below its children. */
void sys_become_subreaper(void) {}

int sys_pidfd_open(pid_t pid) {
  (void)pid;
  errno = ENOSYS;
  return -1;
}

int sys_pidfd_signal(int pidfd, pid_t pid, int signal) {
  (void)pidfd;
  return kill(pid, signal);
}

bool sys_pidfd_exit_status(int pidfd, int *wait_status) {
  (void)pidfd, (void)wait_status;
  return false;
}

pid_t sys_peek_child(pid_t pid, struct child_status *out) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  memset(out, 0, sizeof *out); /* waitid tells no usage here, and a made-up one is worse than none */
  if (waitid(pid > 0 ? P_PID : P_ALL, pid > 0 ? (id_t)pid : 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return -1;
  if (info.si_pid == 0) return 0;
  if (info.si_code == CLD_EXITED)
    out->wait_status = (info.si_status & 0xff) << 8;
  else
    out->wait_status = (info.si_status & 0x7f) | (info.si_code == CLD_DUMPED ? 0x80 : 0);
  return info.si_pid;
}

pid_t sys_fork(int cgroup_fd, int *pidfd) {
  (void)cgroup_fd;
  *pidfd = -1;
  return fork();
}

pid_t sys_fork_beside(void) { return fork(); }

static void close_on_exec(const int pair[2]) {
  for (int i = 0; i < 2; i++) fcntl(pair[i], F_SETFD, FD_CLOEXEC);
}

int sys_pipe(int pair[2]) {
  if (pipe(pair) != 0) return -1;
  close_on_exec(pair);
  return 0;
}

int sys_socket_pair(int pair[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return -1;
  close_on_exec(pair);
  return 0;
}

void sys_widen_pipe(int fd, int bytes) { (void)fd, (void)bytes; /* the kernel widens pipes by itself */ }

int sys_place(int fd, int number) {
  if (dup2(fd, number) < 0) return -1;
  return fcntl(number, F_SETFD, FD_CLOEXEC) == 0 ? number : -1;
}

/* The open ones are listed, because the limit of descriptors may be in the millions. */
void sys_close_all_but(int lowest, int kept) {
  int bytes = proc_pidinfo(getpid(), PROC_PIDLISTFDS, 0, NULL, 0);
  struct proc_fdinfo *open_ones = bytes > 0 ? malloc((size_t)bytes) : NULL;
  bytes = open_ones ? proc_pidinfo(getpid(), PROC_PIDLISTFDS, 0, open_ones, bytes) : 0;
  for (int i = 0; i < bytes / (int)sizeof *open_ones; i++)
    if (open_ones[i].proc_fd >= lowest && open_ones[i].proc_fd != kept) close(open_ones[i].proc_fd);
  free(open_ones);
}

void sys_close_from(int lowest) { sys_close_all_but(lowest, -1); }

int sys_rename_noreplace(int dir, const char *from, const char *to) {
  if (renameatx_np(dir, from, dir, to, RENAME_EXCL) == 0) return 0;
  if (errno != ENOTSUP && errno != EINVAL) return -1;
  /* A file system without the flag: mkdir is the exclusive step, then the empty directory is replaced. */
  if (mkdirat(dir, to, 0700) != 0) return -1;
  return renameat(dir, from, dir, to);
}

bool sys_reserve(int fd, uint64_t bytes) {
  fstore_t store = {.fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = (off_t)bytes};
  if (fcntl(fd, F_PREALLOCATE, &store) == 0) return true;
  char zeros[4096] = {0};
  if (errno != ENOTSUP || bytes > sizeof zeros) return false;
  return pwrite(fd, zeros, bytes, 0) == (ssize_t)bytes;
}

/* fsync only hands the bytes to the drive; network file systems know no more than that. */
bool sys_flush(int fd) { return fcntl(fd, F_FULLFSYNC) == 0 || fsync(fd) == 0; }

int sys_open_terminal(int *master, int *slave) {
  int m = posix_openpt(O_RDWR | O_NOCTTY);
  if (m < 0) return errno;
  const char *name = grantpt(m) == 0 && unlockpt(m) == 0 ? ptsname(m) : NULL;
  int s = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
  if (s < 0) {
    int error = errno;
    close(m);
    return error;
  }
  fcntl(m, F_SETFD, FD_CLOEXEC);
  fcntl(m, F_SETFL, fcntl(m, F_GETFL) | O_NONBLOCK);
  *master = m;
  *slave = s;
  return 0;
}

ssize_t sys_move(int from, int to, uint64_t *offset, size_t n) {
  (void)from, (void)to, (void)offset, (void)n;
  errno = EINVAL; /* no splice: the caller reads and writes */
  return -1;
}

int sys_memory_file(void) {
  errno = ENOSYS; /* a shared memory object has no file position and so no record of what was given */
  return -1;
}

ssize_t sys_feed(int out, int queue, size_t n) {
  (void)out, (void)queue, (void)n;
  errno = ENOSYS;
  return -1;
}

void sys_forget(int memory_file, uint64_t from, uint64_t bytes) { (void)memory_file, (void)from, (void)bytes; }

bool sys_peer(int fd, struct socket_peer *out) {
  socklen_t size = sizeof out->pid;
  if (getpeereid(fd, &out->uid, &out->gid) != 0) return false;
  if (getsockopt(fd, SOL_LOCAL, LOCAL_PEERPID, &out->pid, &size) != 0) out->pid = 0;
  return true;
}

int sys_peer_pidfd(int fd) {
  (void)fd;
  errno = ENOSYS;
  return -1;
}

/* There is no lock table to read. A shared lock, asked for without waiting and let go at once, is refused while somebody holds
 * the exclusive one; whoever wants that one meanwhile tries again (rundir_lock). */
struct lock_table {
  char unused;
};

struct lock_table *sys_locks_read(int dir) {
  (void)dir;
  return calloc(1, sizeof(struct lock_table));
}

bool sys_locks_held(struct lock_table *table, int dir, const char *name) {
  (void)table;
  int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  bool held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(fd);
  return held;
}

void sys_locks_free(struct lock_table *table) { free(table); }

int sys_cgroup_open(char *path, size_t size) {
  (void)path, (void)size;
  return -1;
}
int sys_oom_counter_open(void) { return -1; }
uint64_t sys_oom_counter_read(int fd) {
  (void)fd;
  return 0;
}
void sys_prefer_oom(void) {}

/* A child is confined by what this kernel does not have: the start is refused. */
int sys_landlock_missing(void) { return ENOSYS; }
int sys_own_mounts(void) { return ENOSYS; }
int sys_open_confined(struct confined_path *path) {
  (void)path;
  return ENOSYS;
}
int sys_confine_view(struct confined_path *paths, size_t count, int home, bool has_terminal) {
  (void)paths, (void)count, (void)home, (void)has_terminal;
  return ENOSYS;
}
int sys_drop_capabilities(void) { return ENOSYS; }
int sys_landlock_restrict(const struct confined_path *paths, size_t count, int terminal) {
  (void)paths, (void)count, (void)terminal;
  return ENOSYS;
}
int sys_forbid_foreign_limits(void) { return ENOSYS; }
#endif
