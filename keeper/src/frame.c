#include "frame.h"

#include <string.h>

const char *const stage_names[STAGE_COUNT] = {
    "none",  "claim", "rundir", "pty",  "pipe",        "fork",     "session", "rlimit",
    "nice",  "stdio", "cwd",    "exec", "interpreter", "deadline", "keeper",  "landlock",
    "namespace", "mount", "seccomp",
};
const char *const reason_names[REASON_COUNT] = {
    "none", "user", "timeout", "idle", "memory", "oom", "output", "lifetime", "replaced",
};

enum frame_result frame_parse(const uint8_t *data, size_t n, bool start_allowed, struct frame *out, size_t *used) {
  if (n < 4) return FRAME_PARTIAL;
  uint32_t length = (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
  if (length < FRAME_HEADER - 4 || length > (uint32_t)FRAME_START_MOST) return FRAME_BAD;
  /* The type decides the limit, so a big frame is judged as soon as its fifth byte is there. */
  if (length > FRAME_MOST && (!start_allowed || (n > 4 && data[4] != FRAME_START))) return FRAME_BAD;
  if (n < (size_t)length + 4) return FRAME_PARTIAL;
  struct cursor cursor = cursor_of(data + 4, length);
  out->type = cursor_u8(&cursor);
  out->request = cursor_u32(&cursor);
  struct slice rest = cursor_rest(&cursor);
  out->payload = rest.data;
  out->length = rest.length;
  *used = (size_t)length + 4;
  return FRAME_READY;
}

size_t frame_begin(struct buffer *out, uint8_t type, uint32_t request) {
  size_t mark = buffer_size(out);
  buffer_add_u32(out, 0);
  buffer_add_u8(out, type);
  buffer_add_u32(out, request);
  return mark;
}

void frame_end(struct buffer *out, size_t mark) {
  if (out->failed) return; /* peer_flush drops the connection */
  uint32_t length = (uint32_t)(buffer_size(out) - mark - 4);
  uint8_t *at = buffer_head(out) + mark;
  for (int i = 0; i < 4; i++) at[i] = (uint8_t)(length >> (8 * i));
}

void frame_ok(struct buffer *out, uint32_t request, uint64_t value) {
  size_t mark = frame_begin(out, FRAME_OK, request);
  buffer_add_u64(out, value);
  frame_end(out, mark);
}

void frame_error(struct buffer *out, uint32_t request, enum error_code code, int error_number, uint64_t value,
                 const char *message) {
  size_t mark = frame_begin(out, FRAME_ERROR, request);
  buffer_add_u16(out, (uint16_t)code);
  buffer_add_u32(out, (uint32_t)error_number);
  buffer_add_u64(out, value);
  buffer_add(out, message, strlen(message));
  frame_end(out, mark);
}
