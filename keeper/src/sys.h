/* What the kernel offers, behind one face per platform (sys_linux*.c, sys_darwin*.c).
 * Nothing here knows about runs or frames. */
#ifndef HOLDFAST_SYS_H
#define HOLDFAST_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Suspend counts in boottime, not in monotonic: stamps use the first, limits the second. */
uint64_t sys_monotonic_ns(void);
uint64_t sys_boottime_us(void);
uint64_t sys_wall_ms(void);

/* Writes at most 39 characters; "unknown" where the kernel has no boot id. */
void sys_boot_id(char out[40]);
uint64_t sys_pid_namespace(void);

struct process_info {
  pid_t pid, parent, group, session;
  uint64_t start; /* kernel start time; 0 = not known */
  char state;     /* as in /proc/PID/stat: R S D T t Z X */
};
/* False when the process does not exist or cannot be read. */
bool sys_process_info(pid_t pid, struct process_info *out);

typedef void (*pid_visitor)(void *context, pid_t pid);
/* The pids that a file of the kernel's lists, path relative to dir. */
void sys_each_listed(int dir, const char *path, pid_visitor visit, void *context);
void sys_each_child(pid_t pid, pid_visitor visit, void *context);
void sys_each_process(pid_visitor visit, void *context);
/* Does the initial environment of pid hold an entry HOLDFAST_RUN that names directory `dir`, which ends in "/ID"? */
bool sys_process_has_run(pid_t pid, const char *id, int dir);
uint64_t sys_resident_bytes(pid_t pid);

void sys_become_subreaper(void);
/* -1 with ENOSYS where there is no pidfd. The caller owns the descriptor. */
int sys_pidfd_open(pid_t pid);
/* Signals through the pidfd when there is one, else through the pid. */
int sys_pidfd_signal(int pidfd, pid_t pid, int signal);
/* True when the process behind a pidfd has ended and the kernel still knows how (Linux 6.15). */
bool sys_pidfd_exit_status(int pidfd, int *wait_status);

struct child_status {
  int wait_status;
  bool has_usage;
  struct rusage usage;
};
/* Looks at (pid > 0) or for any (pid = -1) ended child without reaping it; returns its pid, 0 or -1. */
pid_t sys_peek_child(pid_t pid, struct child_status *out);

/* fork(), if possible straight into the cgroup behind cgroup_fd (-1: none); *pidfd may stay -1. */
pid_t sys_fork(int cgroup_fd, int *pidfd);
/* pipe, socketpair and dup2, close-on-exec from the start. */
int sys_pipe(int pair[2]);
int sys_socket_pair(int pair[2]);
/* A wish: the system grants a user only so much, and a pipe as it was works too. */
void sys_widen_pipe(int fd, int bytes);
int sys_place(int fd, int number);
/* fork(), but the new process is a sibling of this one: whatever it leaves behind never becomes a descendant of ours. Where the
 * kernel has no such thing, a plain fork(). */
pid_t sys_fork_beside(void);
void sys_close_from(int lowest);
void sys_close_all_but(int lowest, int kept);
int sys_rename_noreplace(int dir, const char *from, const char *to);
bool sys_reserve(int fd, uint64_t bytes);
/* Content and metadata on the disk itself. */
bool sys_flush(int fd);

/* Master and slave, close-on-exec, master non-blocking. Returns 0 or errno. */
int sys_open_terminal(int *master, int *slave);

/* Moves up to n bytes from a pipe or terminal to fd `to` (at *offset if given) so that a SIGKILL cannot fall
 * between taking and storing. Returns as read(); EINVAL = not possible between these two. */
ssize_t sys_move(int from, int to, uint64_t *offset, size_t n);
/* A memory file that other processes can hold; -1 where there is none. */
int sys_memory_file(void);
/* Sends up to n bytes from the file position of `queue` and advances it by what went, as one step. */
ssize_t sys_feed(int out, int queue, size_t n);
void sys_forget(int memory_file, uint64_t from, uint64_t bytes);

/* Who connected a Unix socket, as the kernel noted it then. */
struct socket_peer {
  pid_t pid; /* 0 = not visible from here */
  uid_t uid;
  gid_t gid;
};
bool sys_peer(int fd, struct socket_peer *out);
/* A pidfd of exactly that process; -1 with ESRCH when it has ended and was reaped, another errno where the kernel cannot tell. */
int sys_peer_pidfd(int fd);
/* A path through which a socket named `name` in directory `dir` can be bound or connected. */
void sys_socket_path(int dir, const char *name, char *out, size_t size);

/* Which files are flocked by anybody, read once and asked often, without taking a lock. */
struct lock_table;
struct lock_table *sys_locks_read(int dir);
bool sys_locks_held(struct lock_table *table, int dir, const char *name);
void sys_locks_free(struct lock_table *table);

/* The launcher's own cgroup v2 directory if a child cgroup can be made in it; -1 otherwise. */
int sys_cgroup_open(char *path, size_t size);
/* A descriptor that yields an out-of-memory kill counter, -1 if there is none; and its present value. */
int sys_oom_counter_open(void);
uint64_t sys_oom_counter_read(int fd);
void sys_prefer_oom(void);

/* Confinement of this process and all it will start (confine.h). Each returns 0 or errno; ENOSYS where there is no such thing. */
enum { CONFINED_WRITE = 1, CONFINED_SHOW = 2, CONFINED_HIDE = 4 };
struct confined_path {
  char *path;     /* real, absolute */
  unsigned kinds; /* WRITE and HIDE together: an empty one of its own */
  int fd;         /* of it, O_PATH; -1 = not opened yet */
  bool is_directory, is_plain /* a directory or a file */, is_tree /* fd is of a copy, to be mounted again */;
};
int sys_landlock_missing(void);
/* A mount namespace of its own; for whoever may not have one, in a user namespace of its own. */
int sys_own_mounts(void);
int sys_open_confined(struct confined_path *path);
/* paths: opened, sorted, none twice; home: a directory that must be among what is hidden, or -1. */
int sys_confine_view(struct confined_path *paths, size_t count, int home, bool has_terminal);
int sys_drop_capabilities(void);
/* terminal: a descriptor that may be written besides the paths, or -1. */
int sys_landlock_restrict(const struct confined_path *paths, size_t count, int terminal);
/* No limits for other processes. */
int sys_forbid_foreign_limits(void);

#endif
