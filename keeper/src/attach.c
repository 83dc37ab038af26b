/* `keeper attach RUN_DIR`: a client's frames on stdin and stdout, whatever carries them (a shell, ssh, docker exec). */
#define _GNU_SOURCE
#include "attach.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clients.h"
#include "rundir.h"
#include "text.h"
#include "tree.h"

enum { BRIDGE = 65536, REBIND_WAIT_MS = 2000, STEP_MS = 10 };

static int connect_to(int dir) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  sys_socket_path(dir, "sock", address.sun_path, sizeof address.sun_path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

/* The keeper lives but its socket file is gone: its record says whom to ask, the lock proves that the record is true. */
static void ask_to_bind(int dir) {
  struct buffer text = {0};
  if (!rundir_read(dir, "keeper", KEEPER_RECORD, &text)) return;
  struct member keeper_member = {(pid_t)text_find_number(buffer_head(&text), buffer_size(&text), "pid", 0),
                                 text_find_number(buffer_head(&text), buffer_size(&text), "start", 0)};
  if (keeper_member.pid > 1) member_signal(keeper_member, SIGUSR1);
  buffer_free(&text);
}

static bool write_all(int fd, const char *data, ssize_t n) {
  while (n > 0) {
    ssize_t written = write(fd, data, (size_t)n);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    n -= written;
  }
  return true;
}

/* Moves what has arrived from one descriptor to another. False when either is done. */
static bool pass_on(int from, int to, char *bytes) {
  ssize_t n = read(from, bytes, BRIDGE);
  return n > 0 && write_all(to, bytes, n);
}

/* Copies both ways until either side closes. Blocking writes carry the back-pressure of the link to the keeper's credit. */
static int bridge(int sock) {
  char *bytes = malloc(BRIDGE);
  if (!bytes) return 70;
  struct pollfd in = {.fd = 0, .events = POLLIN}, out = {.fd = sock, .events = POLLIN};
  bool open = true;
  while (open) {
    struct pollfd both[2] = {in, out};
    if (poll(both, 2, -1) < 0) continue;
    /* The keeper's side first: when it closes, what it said last is still to be passed on. */
    if (both[1].revents) open = pass_on(sock, 1, bytes);
    if (open && both[0].revents) {
      ssize_t n = read(0, bytes, BRIDGE);
      if (n <= 0) open = false;
      else if (!write_all(sock, bytes, n)) in.fd = -1; /* it hears nothing more, but may have said why */
    }
  }
  free(bytes);
  return 0;
}

/* An ended run with no keeper left: the same frames, from the files. */
static struct {
  struct client client;
  struct history history;
  struct buffer exit_text;
  bool over;
} ended;

static void send_state(uint32_t request) {
  struct buffer *out = &ended.client.peer->out;
  size_t mark = frame_begin(out, FRAME_STATE, request);
  text_add_string(out, "state", "ended");
  text_add_string(out, "stdin", "closed");
  text_add_number(out, "end_offset", ended.history.end);
  text_add_number(out, "dropped", ended.history.dropped);
  text_add_number(out, "closed", 1);
  text_add_number(out, "living", 0);
  buffer_add(out, buffer_head(&ended.exit_text), buffer_size(&ended.exit_text));
  frame_end(out, mark);
}

static void on_frame(struct peer *peer, const struct frame *frame) {
  if (client_common_frame(&ended.client, frame, &ended.history, true)) return;
  if (frame->type == FRAME_ASK_STATE) {
    send_state(frame->request);
  } else if (frame->type == FRAME_STOP) {
    size_t mark = frame_begin(&peer->out, FRAME_STOPPED, frame->request);
    buffer_add_u8(&peer->out, 0);
    for (int i = 0; i < 3; i++) buffer_add_u32(&peer->out, 0);
    frame_end(&peer->out, mark);
  } else if (frame->request) {
    frame_error(&peer->out, frame->request, ERROR_ENDED, 0, 0, "it has ended");
  }
  peer_flush(peer);
}

static void on_close(struct peer *peer) {
  (void)peer;
  ended.over = true;
}
static void on_drained(struct peer *peer) {
  (void)peer;
  client_pump(&ended.client, &ended.history, true);
}
static void no_signal(int signal) { (void)signal; }

static int serve_ended(int dir, const char *id) {
  history_scan(&ended.history, dir);
  /* Where the disk was full at the end, only these know how far the output went. */
  uint64_t at_exit = text_find_number(buffer_head(&ended.exit_text), buffer_size(&ended.exit_text), "output_bytes", 0);
  uint64_t at_leaving = rundir_recorded_end(dir);
  if (at_exit > ended.history.end) ended.history.end = at_exit;
  if (at_leaving > ended.history.end) ended.history.end = at_leaving;
  /* A terminal or pipe that a shell shares with us must not stay non-blocking; the peer closes its own copies. */
  int flags[2] = {fcntl(0, F_GETFL), fcntl(1, F_GETFL)};
  if (!loop_open(no_signal)) return 70;
  ended.client.peer = peer_open_pair(fcntl(0, F_DUPFD_CLOEXEC, 3), fcntl(1, F_DUPFD_CLOEXEC, 3), on_frame, on_close, NULL);
  if (!ended.client.peer) return 70;
  ended.client.reader.log = ended.client.reader.index = -1;
  ended.client.peer->on_drained = on_drained;
  peer_hello(ended.client.peer, id, 0);
  send_state(0);
  peer_flush(ended.client.peer);
  while (!ended.over) loop_run_once();
  for (int fd = 0; fd < 2; fd++) fcntl(fd, F_SETFL, flags[fd]);
  return 0;
}

int attach_main(int argc, char **argv) {
  if (argc != 3) return 64;
  signal(SIGPIPE, SIG_IGN);
  int dir = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0) {
    fprintf(stderr, "keeper: %s: %s\n", argv[2], strerror(errno));
    return 69;
  }
  for (int waited = 0; waited <= REBIND_WAIT_MS; waited += STEP_MS) {
    int sock = connect_to(dir);
    if (sock >= 0) return bridge(sock);
    struct lock_table *locks = sys_locks_read(dir);
    bool kept = locks && sys_locks_held(locks, dir, "keeper");
    sys_locks_free(locks);
    if (!kept && rundir_read_exit(dir, &ended.exit_text)) return serve_ended(dir, basename(argv[2]));
    if (kept && waited == 0) ask_to_bind(dir);
    usleep(STEP_MS * 1000);
  }
  fprintf(stderr, "keeper: %s: nobody keeps this run and it has no end; ask the launcher to recover it\n", argv[2]);
  return 69;
}
