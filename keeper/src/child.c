#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

/* What the child gets as 0, 1, 2. */
struct child_ends {
  int in, out, err;
};

static int make_pipe(int pair[2]) { return sys_pipe(pair) == 0 ? 0 : errno; }

/* A socket pair, because a pipe cannot be peeked at: a keeper killed right after reading would leave its successor nothing. */
static int make_status(int pair[2]) { return sys_socket_pair(pair) == 0 ? 0 : errno; }

static void close_all(const int *fds, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (fds[i] >= 0) close(fds[i]);
}

void stdio_close(struct stdio *stdio) {
  int fds[] = {stdio->out, stdio->err, stdio->in, stdio->transit_read, stdio->transit_write};
  if (stdio->in == stdio->out) fds[2] = -1; /* a terminal's one descriptor */
  close_all(fds, 5);
  *stdio = (struct stdio)STDIO_NONE;
}

int child_make_transit(struct stdio *stdio) {
  int transit[2];
  int error = make_pipe(transit);
  if (error) return error;
  fcntl(transit[0], F_SETFL, O_NONBLOCK);
  fcntl(transit[1], F_SETFL, O_NONBLOCK);
  stdio->transit_read = transit[0];
  stdio->transit_write = transit[1];
  return 0;
}

static struct failure open_terminal(const struct options *options, struct stdio *stdio, struct child_ends *ends) {
  int master, slave;
  int error = sys_open_terminal(&master, &slave);
  if (error) return (struct failure){STAGE_PTY, error};
  struct winsize size = {.ws_row = options->rows, .ws_col = options->columns};
  ioctl(master, TIOCSWINSZ, &size);
  /* UTF-8 erasing in canonical mode is off by default in the kernel; every terminal emulator turns it on. */
#ifdef IUTF8
  struct termios settings;
  if (tcgetattr(slave, &settings) == 0) {
    settings.c_iflag |= IUTF8;
    tcsetattr(slave, TCSANOW, &settings);
  }
#endif
  stdio->out = stdio->in = master;
  ends->in = ends->out = ends->err = slave;
  error = child_make_transit(stdio);
  return (struct failure){error ? STAGE_PIPE : STAGE_NONE, error};
}

static struct failure open_pipes(const struct options *options, struct stdio *stdio, struct child_ends *ends) {
  int pair[2], error;
  if ((error = make_pipe(pair))) return (struct failure){STAGE_PIPE, error};
  stdio->out = pair[0];
  ends->out = ends->err = pair[1];
  fcntl(stdio->out, F_SETFL, O_NONBLOCK);
  if (options->mode == MODE_SPLIT) {
    ends->err = -1;
    if ((error = make_pipe(pair))) return (struct failure){STAGE_PIPE, error};
    stdio->err = pair[0];
    ends->err = pair[1];
    fcntl(stdio->err, F_SETFL, O_NONBLOCK);
  }
  if (!options->stdin_open) {
    ends->in = openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);
    return ends->in >= 0 ? (struct failure){0} : (struct failure){STAGE_STDIO, errno};
  }
  if ((error = make_pipe(pair))) return (struct failure){STAGE_PIPE, error};
  ends->in = pair[0];
  stdio->in = pair[1];
  fcntl(stdio->in, F_SETFL, O_NONBLOCK);
  return (struct failure){0};
}

static void close_ends(struct child_ends *ends) {
  int fds[] = {ends->in, ends->out, ends->err};
  if (ends->out == ends->in) fds[1] = -1;
  if (ends->err == ends->in || ends->err == ends->out) fds[2] = -1;
  close_all(fds, 3);
}

static void unblock_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

void child_reset_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &action, NULL);
  unblock_signals();
}

/* The launcher reset all of them when it began; these are the ones that it and its keepers changed since. */
static void restore_signals(void) {
  static const int changed[] = {SIGHUP, SIGINT, SIGPIPE, SIGCHLD, SIGTERM, SIGUSR1};
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) sigaction(changed[i], &action, NULL);
  unblock_signals();
}

/* From here to the exec: in the child. Both processes have one thread, so every call may be made. */
static struct failure confine_failure(enum confine_step step, int error) {
  static const enum stage stages[] = {STAGE_LANDLOCK, STAGE_NAMESPACE, STAGE_MOUNT, STAGE_SECCOMP};
  return (struct failure){stages[step], error};
}

/* The directory is entered in the view that the child will have, or a `..` would lead out of it. */
static struct failure enter_directory(struct options *options) {
  bool is_confined = options->confinement.wanted, has_terminal = options->mode == MODE_PTY;
  enum confine_step step;
  int error = is_confined ? confine_view(&options->confinement, has_terminal, &step) : 0;
  if (error) return confine_failure(step, error);
  if (chdir(options->cwd) != 0) return (struct failure){STAGE_CWD, errno};
  error = is_confined ? confine_rights(&options->confinement, has_terminal, &step) : 0;
  return error ? confine_failure(step, error) : (struct failure){0};
}

static struct failure apply_limits(const struct options *options, bool of_files) {
  for (size_t i = 0; i < options->rlimit_count; i++) {
    int resource = options->rlimits[i].resource;
    if ((resource == RLIMIT_NOFILE) != of_files) continue;
    if (setrlimit(resource, &options->rlimits[i].limit) != 0) return (struct failure){STAGE_RLIMIT, errno};
  }
  return (struct failure){0};
}

static struct failure apply_attributes(struct options *options, const struct child_ends *ends) {
  if (setsid() < 0) return (struct failure){STAGE_SESSION, errno};
  if (options->mode == MODE_PTY && ioctl(ends->in, TIOCSCTTY, 0) != 0) return (struct failure){STAGE_SESSION, errno};
  if (dup2(ends->in, 0) < 0 || dup2(ends->out, 1) < 0 || dup2(ends->err, 2) < 0) return (struct failure){STAGE_STDIO, errno};
  sys_prefer_oom();
  umask((mode_t)options->umask_bits);
  struct failure failure = apply_limits(options, false);
  if (failure.stage) return failure;
  if (options->has_nice && getpriority(PRIO_PROCESS, 0) != options->nice && setpriority(PRIO_PROCESS, 0, options->nice) != 0)
    return (struct failure){STAGE_NICE, errno};
  failure = enter_directory(options);
  /* Last: a confinement opens more files than the child may be given. */
  return failure.stage ? failure : apply_limits(options, true);
}

static const char *search_path(char **env) {
  for (; *env; env++)
    if (strncmp(*env, "PATH=", 5) == 0) return *env + 5;
  return "/usr/local/bin:/usr/bin:/bin";
}

/* ENOENT for a file that is there means that its interpreter is not. */
static struct failure exec_failure(const char *path, int error) {
  struct stat st;
  bool present = error == ENOENT && stat(path, &st) == 0;
  return (struct failure){present ? STAGE_INTERPRETER : STAGE_EXEC, error};
}

void child_exec(const char *program, char **argv, char **env, struct failure *failure) {
  if (strchr(program, '/')) {
    execve(program, argv, env);
    *failure = exec_failure(program, errno);
    return;
  }
  *failure = (struct failure){STAGE_EXEC, ENOENT};
  for (const char *at = search_path(env); at; at = *at ? at + 1 : NULL) {
    char path[PATH_MAX];
    size_t length = strcspn(at, ":");
    /* An empty entry is the working directory, as everywhere. */
    int n = snprintf(path, sizeof path, "%.*s%s%s", (int)length, at, length ? "/" : "./", program);
    at += length;
    if (n <= 0 || (size_t)n >= sizeof path) continue;
    execve(path, argv, env);
    int error = errno;
    if (error == ENOTDIR || (error == ENOENT && exec_failure(path, error).stage == STAGE_EXEC)) continue;
    *failure = exec_failure(path, error);
    if (error != EACCES) return; /* keep looking past a file we may not run, but remember it */
  }
}

/* The keeper's lock and socket above all: a child that hangs before its exec must not keep them from a successor. */
static void close_but(const int *kept, size_t n) {
  int highest = 2;
  for (size_t i = 0; i < n; i++)
    if (kept[i] > highest) highest = kept[i];
  for (int fd = 3; fd < highest; fd++) {
    bool keep = false;
    for (size_t i = 0; i < n; i++) keep = keep || kept[i] == fd;
    if (!keep) close(fd);
  }
  sys_close_from(highest + 1);
}

static _Noreturn void run_child(struct start_request *request, const struct child_ends *ends, int go, int status) {
  char byte;
  const struct confinement *confinement = &request->options.confinement;
  close_but((int[]){ends->in, ends->out, ends->err, go, status, confinement->wanted ? confinement->home : -1}, 6);
  struct failure failure = apply_attributes(&request->options, ends);
  restore_signals();
  if (failure.stage == STAGE_NONE) {
    ssize_t n;
    while ((n = read(go, &byte, 1)) < 0 && errno == EINTR) continue;
    if (n == 1)
      child_exec(request->options.program ? request->options.program : request->argv[0], request->argv, request->env, &failure);
    else
      failure = (struct failure){STAGE_KEEPER, ECANCELED};
  }
  int32_t told[2] = {(int32_t)failure.stage, failure.error_number};
  ssize_t written = write(status, told, sizeof told);
  (void)written; /* the keeper then sees the end of the pipe and an exit code of 127 */
  _exit(127);
}

struct failure child_fork(struct start_request *request, int cgroup, struct stdio *stdio, struct child *child) {
  *stdio = (struct stdio)STDIO_NONE;
  *child = (struct child){.pidfd = -1, .go = -1, .status = -1};
  struct child_ends ends = {-1, -1, -1};
  int go[2] = {-1, -1}, status[2] = {-1, -1}, error;
  bool terminal = request->options.mode == MODE_PTY;
  struct failure failure = terminal ? open_terminal(&request->options, stdio, &ends) : open_pipes(&request->options, stdio, &ends);
  if (!failure.stage && ((error = make_pipe(go)) || (error = make_status(status)))) failure = (struct failure){STAGE_PIPE, error};
  if (!failure.stage) {
    child->pid = sys_fork(cgroup, &child->pidfd);
    if (child->pid < 0) failure = (struct failure){STAGE_FORK, errno};
    if (child->pid == 0) {
      close(go[1]); /* or the child would wait for itself */
      run_child(request, &ends, go[0], status[1]);
    }
  }
  close_ends(&ends);
  close_all((int[]){go[0], status[1]}, 2);
  if (failure.stage) {
    close_all((int[]){go[1], status[0]}, 2);
    stdio_close(stdio);
    return failure;
  }
  fcntl(status[0], F_SETFL, O_NONBLOCK);
  child->go = go[1];
  child->status = status[0];
  struct process_info info;
  if (sys_process_info(child->pid, &info)) child->start = info.start;
  return failure;
}

void child_release(struct child *child) {
  ssize_t written = write(child->go, "g", 1);
  (void)written; /* a child that is gone shows on the status pipe */
  close(child->go);
  child->go = -1;
}

int child_outcome(struct child *child, struct failure *failure) {
  int32_t told[2];
  ssize_t n = recv(child->status, told, sizeof told, MSG_PEEK);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  if (n != (ssize_t)sizeof told) return 1;
  *failure = (struct failure){told[0] > 0 && told[0] < STAGE_COUNT ? (enum stage)told[0] : STAGE_EXEC, told[1]};
  return -1;
}
