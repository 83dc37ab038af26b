/* echo-bare COUNT PROGRAM ARGUMENT…: runs a program that echoes in a terminal of its own and prints the median time from
 * a keystroke to its echo. The program says "ready" first. */
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "samples.h"

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  size_t count = strtoul(argv[1], NULL, 10);
  uint64_t *samples = calloc(count, sizeof *samples);
  int master;
  pid_t pid = forkpty(&master, NULL, NULL, NULL);
  if (pid < 0 || !samples) return 70;
  if (pid == 0) {
    execv(argv[2], argv + 2);
    _exit(127);
  }
  char text[256] = "";
  size_t length = 0;
  while (!strstr(text, "ready")) {
    ssize_t n = read(master, text + length, sizeof text - 1 - length);
    if (n <= 0) return 1;
    length += (size_t)n;
  }
  for (size_t i = 0; i < count; i++) {
    char key = (char)('a' + i % 26), echo = 0;
    uint64_t before = now_ns();
    if (write(master, &key, 1) != 1) return 1;
    while (echo != key)
      if (read(master, &echo, 1) != 1) return 1;
    samples[i] = now_ns() - before;
  }
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  print_median(samples, count);
  return 0;
}
