#define _GNU_SOURCE
#include "diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOG_MOST = 1 << 20 };

void diagnose(const char *format, ...) {
  struct stat st;
  if (fstat(2, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > LOG_MOST && ftruncate(2, 0) != 0) return;
  char line[512];
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int n = snprintf(line, sizeof line, "%lld.%03ld keeper[%d] ", (long long)now.tv_sec, now.tv_nsec / 1000000, (int)getpid());
  va_list arguments;
  va_start(arguments, format);
  int more = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
  va_end(arguments);
  if (more > (int)sizeof line - n - 2) more = (int)sizeof line - n - 2;
  line[n + more] = '\n';
  ssize_t written = write(2, line, (size_t)(n + more + 1));
  (void)written; /* nobody left to tell */
}
