#include "frame.h"

#include "check.h"

/* Parses a copy that ends exactly where the data does. */
static enum frame_result parse_exact(const uint8_t *data, size_t n, bool start_allowed, size_t *used) {
  uint8_t *exact = malloc(n ? n : 1);
  if (n) memcpy(exact, data, n);
  struct frame frame;
  enum frame_result result = frame_parse(exact, n, start_allowed, &frame, used);
  free(exact);
  return result;
}

static void a_frame_comes_out_as_it_went_in(void) {
  struct buffer out = {0};
  size_t mark = frame_begin(&out, FRAME_WRITE, 0x01020304);
  buffer_add(&out, "payload", 7);
  frame_end(&out, mark);
  struct frame frame;
  size_t used = 0;
  CHECK(frame_parse(buffer_head(&out), buffer_size(&out), false, &frame, &used) == FRAME_READY);
  CHECK_EQUAL(used, buffer_size(&out));
  CHECK(frame.type == FRAME_WRITE && frame.request == 0x01020304);
  CHECK(frame.length == 7 && memcmp(frame.payload, "payload", 7) == 0);
  buffer_free(&out);
}

static void a_frame_is_partial_up_to_its_last_byte(void) {
  struct buffer out = {0};
  frame_ok(&out, 7, 99);
  size_t used;
  for (size_t n = 0; n < buffer_size(&out); n++) CHECK(parse_exact(buffer_head(&out), n, false, &used) == FRAME_PARTIAL);
  CHECK(parse_exact(buffer_head(&out), buffer_size(&out), false, &used) == FRAME_READY);
  buffer_free(&out);
}

static void frames_follow_one_another(void) {
  struct buffer out = {0};
  for (uint32_t i = 0; i < 5; i++) frame_ok(&out, i, i);
  size_t at = 0;
  for (uint32_t i = 0; i < 5; i++) {
    struct frame frame;
    size_t used = 0;
    CHECK(frame_parse(buffer_head(&out) + at, buffer_size(&out) - at, false, &frame, &used) == FRAME_READY);
    CHECK_EQUAL(frame.request, i);
    at += used;
  }
  CHECK_EQUAL(at, buffer_size(&out));
  buffer_free(&out);
}

static enum frame_result judge(uint32_t length, int type, bool start_allowed) {
  uint8_t head[5] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16), (uint8_t)(length >> 24), (uint8_t)type};
  size_t used;
  return parse_exact(head, type < 0 ? 4 : 5, start_allowed, &used);
}

static void a_length_outside_the_limits_is_bad_at_once(void) {
  for (uint32_t length = 0; length < 5; length++) CHECK(judge(length, -1, true) == FRAME_BAD);
  CHECK(judge(5, -1, false) == FRAME_PARTIAL);
  CHECK(judge(FRAME_MOST, FRAME_WRITE, false) == FRAME_PARTIAL);
  CHECK(judge(FRAME_MOST + 1, FRAME_WRITE, false) == FRAME_BAD);
  CHECK(judge(FRAME_START_MOST + 1, FRAME_START, true) == FRAME_BAD);
  CHECK(judge(0xffffffff, FRAME_START, true) == FRAME_BAD);
}

static void only_a_start_may_be_big_and_only_for_the_launcher(void) {
  CHECK(judge(FRAME_MOST + 1, FRAME_START, true) == FRAME_PARTIAL);
  CHECK(judge(FRAME_MOST + 1, FRAME_START, false) == FRAME_BAD);
  CHECK(judge(FRAME_MOST + 1, FRAME_RECOVER, true) == FRAME_BAD);
  CHECK(judge(FRAME_START_MOST, FRAME_START, true) == FRAME_PARTIAL);
  CHECK(judge(FRAME_START_MOST, -1, true) == FRAME_PARTIAL); /* not known yet */
}

static void an_error_carries_code_errno_value_and_message(void) {
  struct buffer out = {0};
  frame_error(&out, 3, ERROR_OUTPUT_TRIMMED, -5, 1234567890123ull, "gone");
  struct frame frame;
  size_t used;
  CHECK(frame_parse(buffer_head(&out), buffer_size(&out), false, &frame, &used) == FRAME_READY);
  struct cursor cursor = cursor_of(frame.payload, frame.length);
  CHECK_EQUAL(cursor_u16(&cursor), ERROR_OUTPUT_TRIMMED);
  CHECK((int32_t)cursor_u32(&cursor) == -5);
  CHECK_EQUAL(cursor_u64(&cursor), 1234567890123ull);
  struct slice message = cursor_rest(&cursor);
  CHECK(message.length == 4 && memcmp(message.data, "gone", 4) == 0);
  buffer_free(&out);
}

static void the_numbers_of_the_contract_have_their_names(void) {
  CHECK(strcmp(stage_names[STAGE_CLAIM], "claim") == 0 && STAGE_CLAIM == 1);
  CHECK(strcmp(stage_names[STAGE_EXEC], "exec") == 0 && STAGE_EXEC == 11);
  CHECK(strcmp(stage_names[STAGE_KEEPER], "keeper") == 0 && STAGE_KEEPER == 14);
  CHECK(strcmp(reason_names[REASON_OOM], "oom") == 0 && REASON_OOM == 5);
  CHECK(strcmp(reason_names[REASON_REPLACED], "replaced") == 0 && REASON_REPLACED == 8);
  for (int i = 0; i < STAGE_COUNT; i++) CHECK(stage_names[i] != NULL);
  for (int i = 0; i < REASON_COUNT; i++) CHECK(reason_names[i] != NULL);
  CHECK(ERROR_EXPIRED == 15 && FRAME_START_FAILED == 0x4b);
}

int main(void) {
  check_begin();
  RUN(a_frame_comes_out_as_it_went_in);
  RUN(a_frame_is_partial_up_to_its_last_byte);
  RUN(frames_follow_one_another);
  RUN(a_length_outside_the_limits_is_bad_at_once);
  RUN(only_a_start_may_be_big_and_only_for_the_launcher);
  RUN(an_error_carries_code_errno_value_and_message);
  RUN(the_numbers_of_the_contract_have_their_names);
  return check_end("frame");
}
