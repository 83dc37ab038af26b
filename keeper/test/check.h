/* The whole test harness: CHECK inside a test, RUN for each test, and one closing line that the gates add up. */
#ifndef HOLDFAST_CHECK_H
#define HOLDFAST_CHECK_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_passed, check_failed;
static bool check_good;

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      check_good = false;                                                   \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                \
    }                                                                       \
  } while (0)

#define CHECK_EQUAL(seen, wanted)                                                                              \
  do {                                                                                                         \
    unsigned long long seen_value = (unsigned long long)(seen), wanted_value = (unsigned long long)(wanted);   \
    if (seen_value != wanted_value) {                                                                          \
      check_good = false;                                                                                      \
      printf("%s:%d: %s is %llu, not %llu\n", __FILE__, __LINE__, #seen, seen_value, wanted_value);            \
    }                                                                                                          \
  } while (0)

#define RUN(test)                                      \
  do {                                                 \
    check_good = true;                                 \
    test();                                            \
    if (check_good) check_passed++;                    \
    else check_failed++, printf("FAILED %s\n", #test); \
    fflush(stdout);                                    \
  } while (0)

/* A test that hangs is a failed test: SIGALRM ends the program without its closing line. */
static inline void check_begin(void) {
  signal(SIGPIPE, SIG_IGN);
  alarm(120);
}

static inline int check_end(const char *name) {
  printf("%s: %d passed, %d failed\n", name, check_passed, check_failed);
  return check_failed == 0 && check_passed > 0 ? 0 : 1;
}

#endif
