/* Frames and the numbers of CONTRACT.md §4 and §5. */
#ifndef HOLDFAST_FRAME_H
#define HOLDFAST_FRAME_H

#include "bytes.h"

enum { CONTRACT_MAJOR = 1, CONTRACT_MINOR = 1 };
#define CONTRACT_TEXT "1.1"

enum frame_type {
  FRAME_HELLO = 0x01,
  FRAME_ASK_STATE = 0x02,
  FRAME_OUTPUT = 0x03,
  FRAME_CREDIT = 0x04,
  FRAME_WRITE = 0x05,
  FRAME_CLOSE_STDIN = 0x06,
  FRAME_RESIZE = 0x07,
  FRAME_SIGNAL = 0x08,
  FRAME_STOP = 0x09,
  FRAME_HANGUP = 0x0a,
  FRAME_REEXEC = 0x0b,
  FRAME_SPARE = 0x0c,
  FRAME_OUTSIDE = 0x0d,
  FRAME_PING = 0x0f,
  FRAME_START = 0x20,
  FRAME_RECOVER = 0x21,
  FRAME_STATUS = 0x22,
  FRAME_HOLD = 0x30,
  FRAME_DROP = 0x31,
  FRAME_BYE = 0x32,
  FRAME_CHILD_STATUS = 0x33,
  FRAME_OK = 0x40,
  FRAME_ERROR = 0x41,
  FRAME_STATE = 0x42,
  FRAME_DATA = 0x43,
  FRAME_MARK = 0x44,
  FRAME_OUTPUT_END = 0x45,
  FRAME_MISSING = 0x46,
  FRAME_STARTED = 0x47,
  FRAME_ENDED = 0x48,
  FRAME_STOPPED = 0x49,
  FRAME_STDIN_ROOM = 0x4a,
  FRAME_START_FAILED = 0x4b,
};

enum error_code {
  ERROR_MALFORMED = 1,
  ERROR_UNSUPPORTED,
  ERROR_OUTPUT_TRIMMED,
  ERROR_LINE_TOO_LONG,
  ERROR_ECHO_ON,
  ERROR_STDIN_CLOSED,
  ERROR_SEQUENCE_GAP,
  ERROR_NOT_A_TERMINAL,
  ERROR_ENDED,
  ERROR_TOO_MANY_CLIENTS,
  ERROR_SYSTEM,
  ERROR_CLAIMED,
  ERROR_NOT_FOUND,
  ERROR_TOO_LARGE,
  ERROR_EXPIRED,
};

enum stage {
  STAGE_NONE,
  STAGE_CLAIM,
  STAGE_RUNDIR,
  STAGE_PTY,
  STAGE_PIPE,
  STAGE_FORK,
  STAGE_SESSION,
  STAGE_RLIMIT,
  STAGE_NICE,
  STAGE_STDIO,
  STAGE_CWD,
  STAGE_EXEC,
  STAGE_INTERPRETER,
  STAGE_DEADLINE,
  STAGE_KEEPER,
  STAGE_LANDLOCK,
  STAGE_NAMESPACE,
  STAGE_MOUNT,
  STAGE_SECCOMP,
  STAGE_COUNT,
};
extern const char *const stage_names[STAGE_COUNT];

enum stop_reason {
  REASON_NONE,
  REASON_USER,
  REASON_TIMEOUT,
  REASON_IDLE,
  REASON_MEMORY,
  REASON_OOM,
  REASON_OUTPUT,
  REASON_LIFETIME,
  REASON_REPLACED,
  REASON_COUNT,
};
extern const char *const reason_names[REASON_COUNT];

enum { FRAME_HEADER = 9, FRAME_MOST = 131072, FRAME_START_MOST = 8388608 };

struct frame {
  uint8_t type;
  uint32_t request;
  const uint8_t *payload;
  size_t length;
};

enum frame_result { FRAME_READY, FRAME_PARTIAL, FRAME_BAD };

/* Looks at the bytes at data; on FRAME_READY *used is the whole frame's size. start_allowed lifts the size limit for START. */
enum frame_result frame_parse(const uint8_t *data, size_t n, bool start_allowed, struct frame *out, size_t *used);

/* frame_begin … add payload … frame_end(mark) fills the length in. */
size_t frame_begin(struct buffer *out, uint8_t type, uint32_t request);
void frame_end(struct buffer *out, size_t mark);
void frame_ok(struct buffer *out, uint32_t request, uint64_t value);
void frame_error(struct buffer *out, uint32_t request, enum error_code code, int error_number, uint64_t value,
                 const char *message);

#endif
