/* Where there is no libFuzzer: mutates the seeds with a fixed random sequence. Blind, but the sanitizers still see.
 * fuzz_loop SEEDS… SECONDS; prints what libFuzzer prints at its end. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "fuzz.h"

enum { SEED_MOST = 65536, SEEDS = 16 };
static uint8_t seeds[SEEDS][SEED_MOST], input[SEED_MOST];
static size_t lengths[SEEDS];
static uint64_t state = 88172645463325252ull;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static size_t mutate(size_t n) {
  for (uint64_t edits = next_random() % 8; edits > 0 && n > 0; edits--) {
    size_t at = next_random() % n;
    uint64_t kind = next_random() % 4;
    if (kind == 0) input[at] = (uint8_t)next_random();
    if (kind == 1) input[at] ^= (uint8_t)(1u << next_random() % 8);
    if (kind == 2) n = at;
    if (kind == 3 && n + 16 < SEED_MOST) {
      memmove(input + at + 16, input + at, n - at);
      n += 16;
    }
  }
  return n;
}

int main(int argc, char **argv) {
  size_t count = 0;
  unsigned long runs = 0;
  for (int i = 1; i + 1 < argc && count < SEEDS; i++) {
    FILE *file = fopen(argv[i], "r");
    MUST(file);
    lengths[count] = fread(seeds[count], 1, SEED_MOST, file);
    count++;
    fclose(file);
  }
  MUST(count > 0);
  time_t until = time(NULL) + atoi(argv[argc - 1]);
  LLVMFuzzerInitialize(&argc, &argv);
  while (time(NULL) < until) {
    size_t which = next_random() % count;
    memcpy(input, seeds[which], lengths[which]);
    size_t n = mutate(lengths[which]);
    uint8_t *exact = malloc(n ? n : 1);
    MUST(exact);
    memcpy(exact, input, n);
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    runs++;
  }
  fprintf(stderr, "stat::number_of_executed_units: %lu\n", runs);
  return 0;
}
