/* Times of single keystrokes, and what the bench is told of them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int compare_ns(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

/* One line: the median in microseconds. */
static void print_median(uint64_t *samples, size_t count) {
  qsort(samples, count, sizeof *samples, compare_ns);
  printf("%.3f\n", (double)samples[count / 2] / 1000);
}
