/* What the fuzz targets share. MUST holds for any input, or the run ends there. */
#ifndef HOLDFAST_FUZZ_H
#define HOLDFAST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MUST(condition)                                               \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                        \
    }                                                                 \
  } while (0)

/* A new directory below FUZZ_DIR, which the script that runs us removes even after a crash. */
static inline char *fuzz_directory(char path[256]) {
  const char *parent = getenv("FUZZ_DIR");
  snprintf(path, 256, "%s/XXXXXX", parent ? parent : "/tmp");
  MUST(mkdtemp(path));
  return path;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#endif
