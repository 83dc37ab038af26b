/* write-blocks BYTES: that many bytes to stdout, 64 KiB at a time. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  static char block[65536];
  memset(block, 'x', sizeof block);
  unsigned long long left = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  while (left > 0) {
    ssize_t n = write(1, block, left < sizeof block ? left : sizeof block);
    if (n <= 0) return 1;
    left -= (unsigned long long)n;
  }
  return 0;
}
