/* The launcher: one per home; forks keepers, answers requests, reaps. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diagnostics.h"
#include "text.h"
#include "version.h"

struct launcher launcher = {.listener = -1};
static struct watch listen_watch;
static struct timer accept_timer;
#define ACCEPT_PAUSE_NS 100000000ull
static void accept_again(void *context);

pid_t launcher_fork(void) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  sys_close_from(FD_RUN_DIR);
  return 0;
}

/* Also when more of its requests lie unread behind this one. */
static bool client_is_gone(const struct peer *peer) {
  struct pollfd other = {.fd = peer->fd};
  return poll(&other, 1, 0) > 0 && (other.revents & (POLLHUP | POLLERR));
}

static void start_failed(struct peer *peer, uint32_t request, struct failure failure) {
  size_t mark = frame_begin(&peer->out, FRAME_START_FAILED, request);
  buffer_add_u8(&peer->out, (uint8_t)failure.stage);
  buffer_add_u32(&peer->out, (uint32_t)failure.error_number);
  frame_end(&peer->out, mark);
}

static void start_request(struct peer *peer, const struct frame *frame) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  struct slice id = cursor_bytes(&cursor);
  uint64_t deadline_ns = cursor_u64(&cursor);
  if (cursor.bad || !rundir_valid_id((const char *)id.data, id.length)) {
    frame_error(&peer->out, frame->request, ERROR_MALFORMED, 0, 0, "START: a valid id");
    return;
  }
  /* Left over from a client that was killed, or from before this launcher was stopped: must not become a ghost. */
  if (client_is_gone(peer)) return;
  if (sys_monotonic_ns() >= deadline_ns) {
    frame_error(&peer->out, frame->request, ERROR_EXPIRED, 0, 0, "the deadline has passed");
    return;
  }
  struct spare spare;
  struct failure failure = spares_start(frame, &spare);
  if (failure.stage) {
    start_failed(peer, frame->request, failure);
    return;
  }
  char name[ID_MOST + 1] = "";
  memcpy(name, id.data, id.length);
  struct holding *holding = holding_new(name, spare.keeper, spare.link);
  if (!holding) return;
  holding->client = peer;
  holding->request = frame->request;
  spares_refill_soon();
}

static void status_request(struct peer *peer, const struct frame *frame) {
  struct process_info self = {0};
  char boot[40];
  sys_process_info(getpid(), &self);
  sys_boot_id(boot);
  size_t mark = frame_begin(&peer->out, FRAME_STATE, frame->request);
  text_add_number(&peer->out, "pid", (uint64_t)getpid());
  text_add_number(&peer->out, "start", self.start);
  text_add_string(&peer->out, "boot", boot);
  text_add_string(&peer->out, "contract", CONTRACT_TEXT);
  text_add_string(&peer->out, "build", BUILD_HASH);
  text_add_number(&peer->out, "held", launcher.held_count);
  text_add_number(&peer->out, "spares", spares_count());
  frame_end(&peer->out, mark);
}

static void hello(struct peer *peer, const struct frame *frame) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  if (cursor_u16(&cursor) == CONTRACT_MAJOR && !cursor.bad) return;
  frame_error(&peer->out, frame->request, ERROR_UNSUPPORTED, 0, CONTRACT_MAJOR, "another contract version");
  peer_flush(peer);
  peer_close(peer);
}

static void on_frame(struct peer *peer, const struct frame *frame) {
  switch (frame->type) {
    case FRAME_HELLO:
      hello(peer, frame);
      break;
    case FRAME_START:
      start_request(peer, frame);
      break;
    case FRAME_RECOVER:
      recover_request(peer, frame);
      break;
    case FRAME_STATUS:
      status_request(peer, frame);
      break;
    case FRAME_PING:
      frame_ok(&peer->out, frame->request, 0);
      break;
    case FRAME_HOLD:
      holdings_hold(peer, frame);
      return;
    default:
      if (frame->request) frame_error(&peer->out, frame->request, ERROR_UNSUPPORTED, 0, 0, "unknown request");
  }
  peer_flush(peer);
}

static void on_close(struct peer *peer) {
  holdings_forget_peer(peer);
  recover_forget_peer(peer);
}

static void accept_ready(void *context, unsigned events) {
  (void)context, (void)events;
  int fd = accept(launcher.listener, NULL, NULL);
  if (fd < 0 && (errno == EMFILE || errno == ENFILE)) { /* the listener stays ready: looking at once would burn a processor */
    loop_unwatch(&listen_watch);
    loop_timer(&accept_timer, sys_monotonic_ns() + ACCEPT_PAUSE_NS, accept_again, NULL);
    return;
  }
  struct peer *peer = fd >= 0 ? peer_open(fd, on_frame, on_close, NULL) : NULL;
  if (!peer) return;
  peer->starts_allowed = true;
  peer_hello(peer, NULL, 0);
  peer_flush(peer);
}

static void accept_again(void *context) {
  (void)context;
  if (!listen_watch.ready) loop_watch(&listen_watch, launcher.listener, LOOP_READ, accept_ready, NULL);
}

static int listen_at_home(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  sys_socket_path(FD_HOME, "launcher.sock", address.sun_path, sizeof address.sun_path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  unlinkat(FD_HOME, "launcher.sock", 0);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 4096) != 0) {
    close(fd);
    return -1;
  }
  fchmodat(FD_HOME, "launcher.sock", 0600, 0);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  return fd;
}

static bool socket_present(int home) { return faccessat(home, "launcher.sock", F_OK, 0) == 0; }

/* Whoever removed the file has cut off every new client and every keeper that wants to register. */
static void bind_again(void) {
  int fd = socket_present(FD_HOME) ? -1 : listen_at_home();
  if (fd < 0) return;
  loop_unwatch(&listen_watch);
  close(launcher.listener);
  launcher.listener = fd;
  loop_watch(&listen_watch, fd, LOOP_READ, accept_ready, NULL);
}

static void on_signal(int signal) {
  if (signal == SIGUSR1) bind_again();
  if (signal == SIGTERM) _exit(0); /* keepers go on; the socket file and the lock are the next launcher's to take */
  if (signal != SIGCHLD) return;
  struct child_status status;
  for (pid_t pid; (pid = sys_peek_child(-1, &status)) > 0;) {
    if (!recover_child_ended(pid, &status) && !holdings_child_ended(pid, &status)) spares_child_ended(pid);
    waitpid(pid, NULL, WNOHANG); /* after: until then its number and its start time are its own */
  }
}

static void place(int fd, int number) {
  if (fd < 0) fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (fd != number) {
    dup2(fd, number);
    close(fd);
  }
  fcntl(number, F_SETFD, FD_CLOEXEC);
}

static void write_record(int lock, pid_t pid) {
  struct buffer text = {0};
  struct process_info info = {0};
  char boot[40];
  sys_boot_id(boot);
  sys_process_info(pid, &info);
  text_add_string(&text, "contract", CONTRACT_TEXT);
  text_add_number(&text, "pid", (uint64_t)pid);
  text_add_number(&text, "start", info.start);
  text_add_string(&text, "boot", boot);
  text_add_string(&text, "build", BUILD_HASH);
  if (ftruncate(lock, 0) != 0 || pwrite(lock, buffer_head(&text), buffer_size(&text), 0) < 0) diagnose("launcher.lock: %s", strerror(errno));
  buffer_free(&text);
}

/* Nothing of the starter stays: descriptors, signals, environment, umask, directory, session. */
static void shed_starter(void) {
  child_reset_signals();
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGUSR1, SIG_IGN); /* until the loop is there */
  umask(077);
  static char *no_environment[] = {NULL};
  extern char **environ;
  environ = no_environment;
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
}

static int open_home(const char *path) {
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return -1;
  int home = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat st;
  if (home < 0 || fstat(home, &st) != 0) return -1;
  /* Whoever can write here could put his own socket in the place of ours. */
  if (st.st_uid != geteuid() || (st.st_mode & 022)) {
    errno = EPERM;
    return -1;
  }
  if (mkdirat(home, "runs", 0700) != 0 && errno != EEXIST) return -1;
  return home;
}

static _Noreturn void serve(void) {
  setsid();
  sys_become_subreaper();
  if (!loop_open(on_signal)) _exit(70);
  char boot[40];
  sys_boot_id(boot); /* looked up once, here, for every keeper to come */
  sys_pid_namespace();
  loop_watch(&listen_watch, launcher.listener, LOOP_READ, accept_ready, NULL);
  recover_call_keepers();
  spares_refill_soon();
  for (;;) loop_run_once();
}

int launcher_main(int argc, char **argv) {
  if (argc != 3) return 64;
  int home = open_home(argv[2]);
  if (home < 0) {
    fprintf(stderr, "keeper: %s: %s\n", argv[2], strerror(errno));
    return 73;
  }
  int lock = openat(home, "launcher.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock < 0) return 73;
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    /* Its owner lives, and nobody new can reach it. */
    if (!socket_present(home)) recover_call(home, "launcher.lock");
    return 75;
  }
  shed_starter();
  int log = openat(home, "launcher.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  int moved_home = fcntl(home, F_DUPFD_CLOEXEC, 64), moved_lock = fcntl(lock, F_DUPFD_CLOEXEC, 64);
  int moved_log = fcntl(log >= 0 ? log : null, F_DUPFD_CLOEXEC, 64);
  if (chdir("/") != 0 || moved_home < 0 || moved_lock < 0) return 73;
  for (int fd = 0; fd < FD_DYNAMIC; fd++) dup2(null, fd);
  for (int fd = 3; fd < FD_DYNAMIC; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
  place(moved_log, 2);
  fcntl(2, F_SETFD, 0);
  place(moved_home, FD_HOME);
  place(openat(FD_HOME, "runs", O_RDONLY | O_DIRECTORY | O_CLOEXEC), FD_RUNS);
  place(sys_oom_counter_open(), FD_OOM);
  int cgroup = sys_cgroup_open(launcher.cgroup_path, sizeof launcher.cgroup_path);
  launcher.has_cgroup = cgroup >= 0;
  place(cgroup, FD_CGROUP);
  lock = fcntl(moved_lock, F_DUPFD_CLOEXEC, FD_DYNAMIC);
  sys_close_all_but(FD_DYNAMIC, lock);
  launcher.listener = listen_at_home();
  if (launcher.listener < 0) return 73;
  pid_t pid = fork();
  if (pid == 0) serve();
  if (pid < 0) return 70;
  write_record(lock, pid);
  return 0;
}
