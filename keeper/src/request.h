/* A START request taken apart (CONTRACT.md §4.1). Pure: no system calls. */
#ifndef HOLDFAST_REQUEST_H
#define HOLDFAST_REQUEST_H

#include <sys/resource.h>

#include "bytes.h"
#include "confine.h"
#include "rundir.h"

enum mode { MODE_SPLIT, MODE_MERGED, MODE_PTY };
enum { RLIMITS_MOST = 16 };

struct options {
  enum mode mode;
  bool stdin_open, use_cgroup;
  char *cwd, *program; /* owned; program may be NULL */
  uint16_t columns, rows;
  int umask_bits, nice;
  bool has_nice;
  struct {
    int resource;
    struct rlimit limit;
  } rlimits[RLIMITS_MOST];
  size_t rlimit_count;
  uint64_t head_limit, tail_limit;
  uint64_t wall_limit_ms, idle_limit_ms, output_limit_bytes, memory_limit_bytes; /* 0 = none */
  uint64_t grace_ms;
  struct confinement confinement;
};

struct start_request {
  char id[ID_MOST + 1];
  uint64_t deadline_ns;
  struct slice option_text;
  struct options options;
  char **argv, **env; /* owned, NULL-terminated */
  size_t argc, envc;
};

/* False: malformed; *why says what. On success the caller frees. */
bool request_parse(struct start_request *request, const uint8_t *payload, size_t n, const char **why);
void request_free(struct start_request *request);
/* Also used to read the option lines back from `spec`. */
bool options_parse(struct options *options, const void *text, size_t n, const char **why);
void options_free(struct options *options);
/* u32 count + count × bytes as a NULL-terminated array of strings, in one block; NULL when malformed or no memory. */
char **strings_parse(struct cursor *cursor, size_t *count);
void strings_free(char **strings);

#endif
