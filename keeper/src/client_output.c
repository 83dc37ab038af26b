/* The part of a client that only needs a history: greeting, credit, streaming. */
#include "clients.h"

enum { PIECE = 65536, UNSENT_MOST = 131072, TURNS = 8 };

static void send_mark(struct buffer *out, uint32_t request, const struct mark *mark) {
  size_t at = frame_begin(out, FRAME_MARK, request);
  buffer_add_u8(out, (uint8_t)mark->kind);
  buffer_add_u64(out, mark->time_us);
  buffer_add_u64(out, mark->offset);
  buffer_add_u64(out, mark->value);
  frame_end(out, at);
}

static void send_missing(struct buffer *out, uint32_t request, const struct piece *piece) {
  size_t at = frame_begin(out, FRAME_MISSING, request);
  buffer_add_u64(out, piece->offset);
  buffer_add_u64(out, piece->to);
  buffer_add_u8(out, piece->gap ? 2 : 1);
  frame_end(out, at);
}

static void send_end(struct client *client, uint8_t why) {
  struct buffer *out = &client->peer->out;
  size_t at = frame_begin(out, FRAME_OUTPUT_END, client->output_request);
  buffer_add_u64(out, client->reader.at);
  buffer_add_u8(out, why);
  frame_end(out, at);
  client->subscribed = false;
  reader_close(&client->reader);
}

/* Adds the next piece straight into the out buffer. False when there is none. */
static bool add_piece(struct client *client, const struct history *history) {
  struct buffer *out = &client->peer->out;
  size_t most = client->credit < PIECE ? (size_t)client->credit : PIECE;
  uint64_t waiting = history->end > client->reader.at ? history->end - client->reader.at : 0;
  if (most > waiting) most = (size_t)waiting; /* or every keystroke's echo would reserve 64 KiB */
  if (!buffer_reserve(out, FRAME_HEADER + 8 + most)) return false;
  uint8_t *space = out->data + out->length + FRAME_HEADER + 8;
  struct piece piece = reader_next(&client->reader, history, space, most);
  if (piece.kind == PIECE_NONE) return false;
  if (piece.kind == PIECE_MARK) send_mark(out, client->output_request, &piece.mark);
  if (piece.kind == PIECE_MISSING) send_missing(out, client->output_request, &piece);
  if (piece.kind != PIECE_DATA) return true;
  size_t at = frame_begin(out, FRAME_DATA, client->output_request);
  buffer_add_u64(out, piece.offset);
  out->length += piece.length; /* the bytes lie there already */
  frame_end(out, at);
  client->credit -= piece.length;
  return true;
}

/* Fills the out buffer as far as credit and its bound allow. */
static void fill(struct client *client, const struct history *history, bool closed) {
  while (client->subscribed && !client->peer->closed && buffer_size(&client->peer->out) < UNSENT_MOST) {
    if (add_piece(client, history)) continue; /* also at the end: a resize may stand after the last byte */
    bool at_end = client->reader.at >= history->end;
    if (at_end && closed)
      send_end(client, 2);
    else if (at_end && !client->follow)
      send_end(client, 1);
    else
      return;
  }
}

void client_pump(struct client *client, const struct history *history, bool closed) {
  for (int turn = 0; turn < TURNS; turn++) {
    fill(client, history, closed);
    if (buffer_size(&client->peer->out) == 0) return;
    peer_flush(client->peer);
    if (client->peer->closed || buffer_size(&client->peer->out)) return;
  }
  /* This one keeps up with the disk; the others get their turn before it goes on. */
  peer_ask_writable(client->peer);
}

static void begin_output(struct client *client, const struct frame *frame, const struct history *history) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  uint64_t from = cursor_u64(&cursor);
  uint64_t credit = cursor_u64(&cursor);
  uint8_t flags = cursor_u8(&cursor);
  struct buffer *out = &client->peer->out;
  if (cursor.bad) {
    frame_error(out, frame->request, ERROR_MALFORMED, 0, 0, "OUTPUT is too short");
    return;
  }
  if (from == UINT64_MAX) from = history->end;
  uint64_t next;
  if (!history_has(history, from, &next)) {
    frame_error(out, frame->request, ERROR_OUTPUT_TRIMMED, 0, next, "these bytes are not kept; value is the first offset that is");
    return;
  }
  client->subscribed = true;
  client->follow = flags & 1;
  client->credit = credit;
  client->output_request = frame->request;
  reader_seek(&client->reader, from, flags & 2);
}

static void greet(struct client *client, const struct frame *frame) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  uint16_t major = cursor_u16(&cursor);
  client->greeted = !cursor.bad && major == CONTRACT_MAJOR;
  if (client->greeted) return;
  frame_error(&client->peer->out, frame->request, ERROR_UNSUPPORTED, 0, CONTRACT_MAJOR, "another contract version");
  peer_flush(client->peer);
  peer_close(client->peer);
}

bool client_common_frame(struct client *client, const struct frame *frame, const struct history *history, bool closed) {
  struct cursor cursor = cursor_of(frame->payload, frame->length);
  if (!client->greeted && frame->type != FRAME_HELLO) {
    peer_close(client->peer);
    return true;
  }
  switch (frame->type) {
    case FRAME_HELLO:
      greet(client, frame);
      break;
    case FRAME_PING:
      frame_ok(&client->peer->out, frame->request, 0);
      break;
    case FRAME_OUTPUT:
      begin_output(client, frame, history);
      break;
    case FRAME_CREDIT: {
      uint64_t more = cursor_u64(&cursor);
      client->credit = client->credit + more < client->credit ? UINT64_MAX : client->credit + more;
      break;
    }
    default:
      return false;
  }
  client_pump(client, history, closed);
  return true;
}
