#include "request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text.h"

static const struct {
  const char *name;
  unsigned kinds;
} confined[] = {{"confine_write", CONFINED_WRITE}, {"confine_show", CONFINED_SHOW}, {"confine_hide", CONFINED_HIDE}};

static const struct {
  const char *name;
  int resource;
} resources[] = {
    {"core", RLIMIT_CORE}, {"cpu", RLIMIT_CPU},         {"data", RLIMIT_DATA},   {"fsize", RLIMIT_FSIZE}, {"nofile", RLIMIT_NOFILE},
    {"as", RLIMIT_AS},     {"stack", RLIMIT_STACK},     {"nproc", RLIMIT_NPROC}, {"memlock", RLIMIT_MEMLOCK},
#ifdef RLIMIT_SIGPENDING
    {"sigpending", RLIMIT_SIGPENDING}, {"msgqueue", RLIMIT_MSGQUEUE}, {"rtprio", RLIMIT_RTPRIO}, {"nice", RLIMIT_NICE},
#endif
};

void strings_free(char **strings) { free(strings); }

char **strings_parse(struct cursor *cursor, size_t *count) {
  size_t n = cursor_u32(cursor);
  size_t left = (size_t)(cursor->end - cursor->at);
  /* Each takes at least its length field: a count that cannot be true must not allocate. */
  if (cursor->bad || n > left / 4) {
    cursor->bad = true;
    return NULL;
  }
  /* One block: the array, then the characters, for whose terminators the length fields leave more than enough room. */
  char **strings = malloc((n + 1) * sizeof *strings + left);
  char *at = strings ? (char *)(strings + n + 1) : NULL;
  for (size_t i = 0; strings && i < n; i++) {
    struct slice slice = cursor_bytes(cursor);
    if (cursor->bad || memchr(slice.data, 0, slice.length)) {
      cursor->bad = true;
      free(strings);
      return NULL;
    }
    strings[i] = at;
    memcpy(at, slice.data, slice.length);
    at[slice.length] = 0;
    at += slice.length + 1;
  }
  if (strings) strings[n] = NULL;
  *count = n;
  return strings;
}

static bool parse_number(const char *text, uint64_t most, uint64_t *out) {
  char *end;
  if (*text < '0' || *text > '9' || strlen(text) > 20) return false;
  *out = strtoull(text, &end, 10);
  return *end == 0 && *out <= most;
}

static bool parse_limit(const char *text, rlim_t *out) {
  uint64_t value;
  if (strcmp(text, "infinity") == 0) {
    *out = RLIM_INFINITY;
    return true;
  }
  if (!parse_number(text, UINT64_MAX - 1, &value)) return false;
  *out = (rlim_t)value;
  return true;
}

static bool parse_rlimit(struct options *options, char *value) {
  char *soft = strchr(value, ' ');
  char *hard = soft ? strchr(soft + 1, ' ') : NULL;
  if (!hard || options->rlimit_count == RLIMITS_MOST) return false;
  *soft++ = 0;
  *hard++ = 0;
  struct rlimit limit;
  if (!parse_limit(soft, &limit.rlim_cur) || !parse_limit(hard, &limit.rlim_max)) return false;
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
    if (strcasecmp(resources[i].name, value) != 0) continue;
    options->rlimits[options->rlimit_count].resource = resources[i].resource;
    options->rlimits[options->rlimit_count++].limit = limit;
    return true;
  }
  return false;
}

static bool parse_mode(struct options *options, const char *value) {
  static const char *const names[] = {"split", "merged", "pty"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(value, names[i]) != 0) continue;
    options->mode = (enum mode)i;
    return true;
  }
  return false;
}

static bool parse_choice(const char *value, const char *yes, const char *no, bool *out) {
  *out = strcmp(value, yes) == 0;
  return *out || strcmp(value, no) == 0;
}

static bool parse_small(const char *value, int base, long least, long most, int *out) {
  char *end;
  long number = strtol(value, &end, base);
  *out = (int)number;
  return *value && *end == 0 && number >= least && number <= most;
}

static bool replace_string(char **slot, const char *value) {
  free(*slot);
  *slot = strdup(value);
  return *slot && **slot;
}

/* Numbers that are plain fields, by key. */
static uint64_t *number_field(struct options *options, const char *key) {
  struct {
    const char *key;
    uint64_t *field;
  } fields[] = {
      {"head_limit", &options->head_limit},
      {"tail_limit", &options->tail_limit},
      {"wall_limit_ms", &options->wall_limit_ms},
      {"idle_limit_ms", &options->idle_limit_ms},
      {"output_limit_bytes", &options->output_limit_bytes},
      {"memory_limit_bytes", &options->memory_limit_bytes},
      {"grace_ms", &options->grace_ms},
  };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(fields[i].key, key) == 0) return fields[i].field;
  return NULL;
}

static bool parse_option(struct options *options, struct text_line *line) {
  const char *key = line->key;
  char *value = line->value;
  uint64_t number;
  uint64_t *field = number_field(options, key);
  if (field) return parse_number(value, field == &options->grace_ms ? UINT32_MAX : UINT64_MAX >> 16, field);
  if (strcmp(key, "mode") == 0) return parse_mode(options, value);
  if (strcmp(key, "stdin") == 0) return parse_choice(value, "open", "empty", &options->stdin_open);
  if (strcmp(key, "cgroup") == 0) return parse_choice(value, "auto", "off", &options->use_cgroup);
  if (strcmp(key, "confine") == 0) return parse_choice(value, "on", "off", &options->confinement.wanted);
  for (size_t i = 0; i < sizeof confined / sizeof *confined; i++)
    if (strcmp(key, confined[i].name) == 0)
      return strlen(value) == line->length && confinement_add(&options->confinement, value, confined[i].kinds);
  if (strcmp(key, "cwd") == 0) return strlen(value) == line->length && replace_string(&options->cwd, value);
  if (strcmp(key, "program") == 0) return strlen(value) == line->length && replace_string(&options->program, value);
  if (strcmp(key, "columns") == 0 && parse_number(value, UINT16_MAX, &number)) return options->columns = (uint16_t)number, true;
  if (strcmp(key, "rows") == 0 && parse_number(value, UINT16_MAX, &number)) return options->rows = (uint16_t)number, true;
  if (strcmp(key, "umask") == 0) return parse_small(value, 8, 0, 0777, &options->umask_bits);
  if (strcmp(key, "nice") == 0) return options->has_nice = parse_small(value, 10, -20, 19, &options->nice);
  if (strcmp(key, "rlimit") == 0) return parse_rlimit(options, value);
  /* A newer caller's option, or one of the lines the keeper adds to `spec`. */
  return strcmp(key, "columns") != 0 && strcmp(key, "rows") != 0;
}

bool options_parse(struct options *options, const void *text, size_t n, const char **why) {
  *options = (struct options){.use_cgroup = true, .columns = 80, .rows = 24, .umask_bits = 022, .head_limit = 1 << 20,
                              .tail_limit = 64 << 20, .grace_ms = 2000, .confinement.home = -1};
  options->cwd = strdup("/");
  char *scratch = malloc(n + 1);
  struct cursor cursor = cursor_of(text, n);
  struct text_line line;
  bool good = options->cwd && scratch;
  while (good && text_next(&cursor, &line, scratch, n + 1)) good = parse_option(options, &line);
  free(scratch);
  if (!good) options_free(options);
  if (!good) *why = "bad option line";
  return good;
}

void options_free(struct options *options) {
  free(options->cwd);
  free(options->program);
  confinement_free(&options->confinement);
  options->cwd = options->program = NULL;
}

/* The keeper writes these into `spec` behind the options, and readers take the first of a key. */
static bool is_fact(const char *key) {
  static const char *const facts[] = {"contract",   "id",         "arg",  "env",
                                      "child_pid",  "child_start", "boot", "pid_namespace",
                                      "started_at", "started_boottime_us", "started_monotonic_us",
                                      "cgroup_path", "launcher_pid"};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    if (strcmp(facts[i], key) == 0) return true;
  return false;
}

static bool only_options(struct slice text) {
  char *scratch = malloc(text.length + 1);
  struct cursor cursor = cursor_of(text.data, text.length);
  struct text_line line;
  bool good = scratch != NULL;
  while (good && text_next(&cursor, &line, scratch, text.length + 1)) good = !is_fact(line.key);
  free(scratch);
  return good;
}

bool request_parse(struct start_request *request, const uint8_t *payload, size_t n, const char **why) {
  *request = (struct start_request){0};
  struct cursor cursor = cursor_of(payload, n);
  struct slice id = cursor_bytes(&cursor);
  request->deadline_ns = cursor_u64(&cursor);
  request->option_text = cursor_bytes(&cursor);
  *why = "bad id";
  if (cursor.bad || !rundir_valid_id((const char *)id.data, id.length)) return false;
  memcpy(request->id, id.data, id.length);
  *why = "option text is not whole lines";
  if (request->option_text.length && request->option_text.data[request->option_text.length - 1] != '\n') return false;
  *why = "an option line that only the keeper writes";
  if (!only_options(request->option_text)) return false;
  if (!options_parse(&request->options, request->option_text.data, request->option_text.length, why)) return false;
  request->argv = strings_parse(&cursor, &request->argc);
  request->env = request->argv ? strings_parse(&cursor, &request->envc) : NULL;
  *why = "bad argv or environment";
  if (request->env && request->argc > 0) return true;
  request_free(request);
  return false;
}

void request_free(struct start_request *request) {
  options_free(&request->options);
  strings_free(request->argv);
  strings_free(request->env);
  request->argv = request->env = NULL;
}
