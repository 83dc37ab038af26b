/* echo-kept COUNT RUN_DIRECTORY: types into a kept terminal over the keeper's socket and prints the median time from
 * the WRITE frame to the DATA frame with its echo. */
#include <endian.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "samples.h"

enum { HELLO = 0x01, OUTPUT = 0x03, WRITE = 0x05, DATA = 0x43, HEADER = 9 };

static int keeper;
static unsigned char held[1 << 17];
static size_t held_count;

static void put(unsigned char *at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static int send_frame(unsigned char type, unsigned request, const unsigned char *payload, size_t n) {
  unsigned char frame[64];
  put(frame, 5 + n, 4);
  frame[4] = type;
  put(frame + 5, request, 4);
  memcpy(frame + HEADER, payload, n);
  return write(keeper, frame, HEADER + n) == (ssize_t)(HEADER + n);
}

/* The last byte of the next DATA frame, or -1. */
static int next_data(void) {
  for (;;) {
    uint32_t length;
    memcpy(&length, held, sizeof length);
    size_t whole = held_count >= 4 ? 4 + le32toh(length) : sizeof held;
    if (held_count >= 4 && held_count >= whole) {
      int byte = held[4] == DATA ? held[whole - 1] : -1;
      memmove(held, held + whole, held_count -= whole);
      if (byte >= 0) return byte;
      continue;
    }
    ssize_t n = read(keeper, held + held_count, sizeof held - held_count);
    if (n <= 0) return -1;
    held_count += (size_t)n;
  }
}

int main(int argc, char **argv) {
  if (argc != 3 || chdir(argv[2]) != 0) return 64;
  size_t count = strtoul(argv[1], NULL, 10);
  uint64_t *samples = calloc(count, sizeof *samples);
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "sock"};
  keeper = socket(AF_UNIX, SOCK_STREAM, 0);
  if (!samples || connect(keeper, (struct sockaddr *)&address, sizeof address) != 0) return 69;
  unsigned char hello[4] = {1, 0, 0, 0}, output[17], key[18];
  put(output, UINT64_MAX, 8);
  put(output + 8, UINT64_MAX >> 1, 8);
  output[16] = 1;
  if (!send_frame(HELLO, 0, hello, sizeof hello) || !send_frame(OUTPUT, 1, output, sizeof output)) return 1;
  for (size_t i = 0; i < count; i++) {
    put(key, 7, 8); /* the writer */
    put(key + 8, i, 8);
    key[16] = 0;
    key[17] = (unsigned char)('a' + i % 26);
    uint64_t before = now_ns();
    if (!send_frame(WRITE, (unsigned)i + 2, key, sizeof key)) return 1;
    for (int echo; (echo = next_data()) != key[17];)
      if (echo < 0) return 1;
    samples[i] = now_ns() - before;
  }
  print_median(samples, count);
  return 0;
}
