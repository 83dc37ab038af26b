#include "request.h"

#include "check.h"

static void add_strings(struct buffer *out, const char *const *strings) {
  uint32_t count = 0;
  while (strings[count]) count++;
  buffer_add_u32(out, count);
  for (uint32_t i = 0; i < count; i++) buffer_add_bytes(out, strings[i], strlen(strings[i]));
}

static struct buffer request_with(const char *id, const char *options) {
  struct buffer out = {0};
  buffer_add_bytes(&out, id, strlen(id));
  buffer_add_u64(&out, 123456789);
  buffer_add_bytes(&out, options, strlen(options));
  add_strings(&out, (const char *const[]){"/bin/echo", "a b", "", NULL});
  add_strings(&out, (const char *const[]){"PATH=/bin", "EMPTY=", NULL});
  return out;
}

static bool parses(const char *id, const char *options) {
  struct buffer out = request_with(id, options);
  struct start_request request;
  const char *why = "";
  bool good = request_parse(&request, buffer_head(&out), buffer_size(&out), &why);
  CHECK(good || why[0]);
  if (good) request_free(&request);
  buffer_free(&out);
  return good;
}

static void a_whole_request_is_taken_apart(void) {
  struct buffer out = request_with("run-1_A", "mode pty\nstdin open\ncwd /tmp\nprogram /bin/true\ncolumns 132\nrows 50\numask 077\nnice 5\n"
                                              "rlimit nofile 100 infinity\nhead_limit 10\ntail_limit 20\nwall_limit_ms 30\nidle_limit_ms 40\n"
                                              "output_limit_bytes 50\nmemory_limit_bytes 60\ngrace_ms 70\ncgroup off\nnote x%0Ay\n"
                                              "confine on\nconfine_write /w%20s\nconfine_hide /h\nconfine_show /h/s\n");
  struct start_request request;
  const char *why = "";
  CHECK(request_parse(&request, buffer_head(&out), buffer_size(&out), &why));
  const struct options *options = &request.options;
  CHECK(strcmp(request.id, "run-1_A") == 0 && request.deadline_ns == 123456789);
  CHECK(options->mode == MODE_PTY && options->stdin_open && !options->use_cgroup);
  CHECK(strcmp(options->cwd, "/tmp") == 0 && strcmp(options->program, "/bin/true") == 0);
  CHECK(options->columns == 132 && options->rows == 50 && options->umask_bits == 077 && options->has_nice && options->nice == 5);
  CHECK(options->rlimit_count == 1 && options->rlimits[0].resource == RLIMIT_NOFILE);
  CHECK(options->rlimits[0].limit.rlim_cur == 100 && options->rlimits[0].limit.rlim_max == RLIM_INFINITY);
  CHECK(options->head_limit == 10 && options->tail_limit == 20 && options->wall_limit_ms == 30 && options->idle_limit_ms == 40);
  CHECK(options->output_limit_bytes == 50 && options->memory_limit_bytes == 60 && options->grace_ms == 70);
  const struct confinement *confinement = &options->confinement;
  CHECK(confinement->wanted && confinement->home == -1 && confinement->count == 3);
  CHECK(strcmp(confinement->paths[0].path, "/w s") == 0 && confinement->paths[0].kinds == CONFINED_WRITE);
  CHECK(confinement->paths[1].kinds == CONFINED_HIDE && confinement->paths[2].kinds == CONFINED_SHOW);
  CHECK(request.argc == 3 && strcmp(request.argv[1], "a b") == 0 && request.argv[2][0] == 0 && request.argv[3] == NULL);
  CHECK(request.envc == 2 && strcmp(request.env[1], "EMPTY=") == 0 && request.env[2] == NULL);
  request_free(&request);
  buffer_free(&out);
}

static void what_is_not_said_has_the_default_of_the_contract(void) {
  struct options options;
  const char *why;
  CHECK(options_parse(&options, NULL, 0, &why));
  CHECK(options.mode == MODE_SPLIT && !options.stdin_open && options.use_cgroup && strcmp(options.cwd, "/") == 0 && !options.program);
  CHECK(options.columns == 80 && options.rows == 24 && options.umask_bits == 022 && !options.has_nice && options.rlimit_count == 0);
  CHECK(options.head_limit == 1048576 && options.tail_limit == 67108864 && options.wall_limit_ms == 0 && options.grace_ms == 2000);
  CHECK(!options.confinement.wanted && options.confinement.count == 0);
  options_free(&options);
}

/* Each on an exact copy: nothing may be read past the end, and nothing leaks when the parse fails half way. */
static void every_truncation_is_malformed(void) {
  struct buffer out = request_with("id", "cwd /tmp\nprogram /bin/true\nconfine on\nconfine_write /tmp\n");
  for (size_t n = 0; n < buffer_size(&out); n++) {
    uint8_t *exact = malloc(n ? n : 1);
    memcpy(exact, buffer_head(&out), n);
    struct start_request request;
    const char *why = "";
    CHECK(!request_parse(&request, exact, n, &why) && why[0]);
    free(exact);
  }
  buffer_free(&out);
}

static void bad_option_lines_are_refused(void) {
  const char *bad[] = {"mode tty\n",       "stdin closed\n",         "columns 65536\n",          "rows -1\n",         "umask 1000\n",
                       "umask 8\n",        "nice 20\n",              "nice x\n",                 "rlimit nofile 1\n", "rlimit sockets 1 2\n",
                       "rlimit cpu 1 x\n", "head_limit 1e3\n",       "grace_ms 4294967296\n",    "cwd \n",            "cwd a%00b\n",
                       "cgroup yes\n",     "tail_limit 99999999999999999999999\n", "mode split", "wall_limit_ms -1\n",
                       "confine yes\n",    "confine_write a\n",      "confine_hide /\n",        "confine_show /a/../b\n", "confine_write /a%00b\n"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (!parses("id", bad[i])) continue;
    CHECK(!"refused");
    printf("accepted: %s", bad[i]);
  }
}

static void a_newer_caller_s_option_is_passed_over(void) { CHECK(parses("id", "colour blue\n") && parses("id", "\n") && parses("id", "")); }

/* They would come before the keeper's own lines in `spec`, and readers take the first. */
static void a_caller_cannot_write_the_keeper_s_own_lines(void) {
  CHECK(!parses("id", "child_pid 1\n"));
  CHECK(!parses("id", "mode split\nboot x\n"));
  CHECK(!parses("id", "cgroup_path /sys/fs/cgroup/%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F\n"));
}

static void ids_are_names_and_nothing_else(void) {
  const char *bad[] = {"", "-a", ".", "..", "a/b", "a b", "\xc3\xa4", "0123456789012345678901234567890123456789012345678901234567890123x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(!rundir_valid_id(bad[i], strlen(bad[i])));
  CHECK(rundir_valid_id("a", 1) && rundir_valid_id("_-9", 3) && !rundir_valid_id("a\0b", 3));
  CHECK(rundir_valid_id("0123456789012345678901234567890123456789012345678901234567890123", 64));
  CHECK(!parses("../x", ""));
}

static void a_count_that_cannot_be_true_allocates_nothing(void) {
  const uint8_t lie[] = {0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 'x'};
  struct cursor cursor = cursor_of(lie, sizeof lie);
  size_t count;
  CHECK(strings_parse(&cursor, &count) == NULL && cursor.bad);
}

static void an_argument_with_a_nul_is_malformed(void) {
  struct buffer out = {0};
  buffer_add_u32(&out, 2);
  buffer_add_bytes(&out, "good", 4);
  buffer_add_bytes(&out, "a\0b", 3);
  struct cursor cursor = cursor_of(buffer_head(&out), buffer_size(&out));
  size_t count;
  CHECK(strings_parse(&cursor, &count) == NULL && cursor.bad);
  buffer_free(&out);
}

static void rlimits_have_a_most(void) {
  char lines[1024] = "";
  for (int i = 0; i < RLIMITS_MOST; i++) strcat(lines, "rlimit cpu 1 2\n");
  CHECK(parses("id", lines));
  strcat(lines, "rlimit cpu 1 2\n");
  CHECK(!parses("id", lines));
}

int main(void) {
  check_begin();
  RUN(a_whole_request_is_taken_apart);
  RUN(what_is_not_said_has_the_default_of_the_contract);
  RUN(every_truncation_is_malformed);
  RUN(bad_option_lines_are_refused);
  RUN(a_newer_caller_s_option_is_passed_over);
  RUN(a_caller_cannot_write_the_keeper_s_own_lines);
  RUN(ids_are_names_and_nothing_else);
  RUN(a_count_that_cannot_be_true_allocates_nothing);
  RUN(an_argument_with_a_nul_is_malformed);
  RUN(rlimits_have_a_most);
  return check_end("request");
}
