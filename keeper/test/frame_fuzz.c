/* Frames from anybody: the parser, what is inside a START, and a connection that is served from a history. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clients.h"
#include "fuzz.h"
#include "request.h"
#include "text.h"

static struct client client;
static struct history history = {.dir = -1};

static void try_payload(const struct frame *frame) {
  struct start_request request;
  const char *why = "";
  if (request_parse(&request, frame->payload, frame->length, &why)) {
    MUST(request.argc > 0 && request.argv[request.argc] == NULL && request.env[request.envc] == NULL);
    MUST(rundir_valid_id(request.id, strlen(request.id)) && request.options.cwd[0]);
    request_free(&request);
  } else {
    MUST(why[0]);
  }
  struct options options;
  if (options_parse(&options, frame->payload, frame->length, &why)) options_free(&options);
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  size_t count = 0;
  char **strings = strings_parse(&cursor, &count);
  MUST(!strings || (!cursor.bad && strings[count] == NULL));
  strings_free(strings);
  char value[40];
  text_find(frame->payload, frame->length, "fds", value, sizeof value);
  text_find_number(frame->payload, frame->length, "pid", 0);
}

static void parse_all(const uint8_t *data, size_t n, bool start_allowed) {
  struct frame frame;
  size_t used = 0;
  while (frame_parse(data, n, start_allowed, &frame, &used) == FRAME_READY) {
    MUST(used >= FRAME_HEADER && used <= n && frame.payload + frame.length == data + used);
    try_payload(&frame);
    data += used;
    n -= used;
  }
}

static void on_frame(struct peer *peer, const struct frame *frame) {
  client_common_frame(&client, frame, &history, false);
  peer_flush(peer);
}
static void on_close(struct peer *peer) {
  (void)peer;
  reader_close(&client.reader);
  client.peer = NULL;
}
static void on_drained(struct peer *peer) {
  (void)peer;
  if (client.subscribed) client_pump(&client, &history, false);
}
static void no_signal(int signal) { (void)signal; }

/* The bytes arrive in two parts, as a socket may deliver them. */
static void serve(const uint8_t *data, size_t n, size_t cut) {
  int pair[2];
  char answers[4096];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0) abort();
  client = (struct client){.reader = {.log = -1, .index = -1}};
  client.peer = peer_open(pair[0], on_frame, on_close, NULL);
  MUST(client.peer != NULL);
  client.peer->on_drained = on_drained;
  for (int part = 0; part < 2 && client.peer; part++) {
    const uint8_t *at = part ? data + cut : data;
    size_t length = part ? n - cut : cut;
    if (length && send(pair[1], at, length, MSG_NOSIGNAL) < 0) break;
    if (length) loop_run_once();
    while (read(pair[1], answers, sizeof answers) > 0) continue;
  }
  close(pair[1]);
  while (client.peer) loop_run_once();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  char path[256];
  history.dir = open(fuzz_directory(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int log = openat(history.dir, "0000000000000000.log", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  char bytes[3000];
  memset(bytes, 'x', sizeof bytes);
  if (log < 0 || write(log, bytes, sizeof bytes) != (ssize_t)sizeof bytes) abort();
  close(log);
  MUST(history_scan(&history, history.dir) && loop_open(no_signal));
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  if (n < 2) return 0;
  parse_all(data + 2, n - 2, data[0] & 1);
  serve(data + 2, n - 2, data[1] < n - 2 ? data[1] : n - 2);
  return 0;
}
