/* Serving one client's frames; used by a live keeper and by `attach` for an ended run. */
#ifndef HOLDFAST_CLIENTS_H
#define HOLDFAST_CLIENTS_H

#include "history.h"
#include "peer.h"

enum { CLIENTS_MOST = 64, STOPS_MOST = 16 };

struct client {
  struct peer *peer;
  struct client *next;
  bool greeted;
  struct reader reader;
  bool subscribed, follow;
  uint64_t credit;
  uint32_t output_request;
  uint32_t stop_requests[STOPS_MOST]; /* not answered yet */
  size_t stop_count;
};

/* Answers OUTPUT, CREDIT, HELLO and PING from a history; false: not one of these. */
bool client_common_frame(struct client *client, const struct frame *frame, const struct history *history, bool closed);
/* Sends what credit and the socket allow. `closed`: no more output can come. */
void client_pump(struct client *client, const struct history *history, bool closed);

#endif
