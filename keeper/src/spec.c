/* Reading back what the first keeper wrote into `spec`. */
#include <string.h>

#include "keeper.h"
#include "text.h"

enum { SPEC_MOST = 16 << 20 };

bool spec_read(int dir, struct spec *out) {
  *out = (struct spec){0};
  struct buffer text = {0};
  if (!rundir_read(dir, "spec", SPEC_MOST, &text)) return false;
  const uint8_t *at = buffer_head(&text);
  size_t n = buffer_size(&text);
  const char *why;
  char boot[40] = "", present[40];
  bool good = n > 0 && options_parse(&out->options, at, n, &why);
  out->child.pid = (pid_t)text_find_number(at, n, "child_pid", 0);
  out->child.start = text_find_number(at, n, "child_start", 0);
  out->started_at_ms = text_find_number(at, n, "started_at", 0);
  out->started_boottime_us = text_find_number(at, n, "started_boottime_us", 0);
  out->started_monotonic_us = text_find_number(at, n, "started_monotonic_us", 0);
  text_find(at, n, "cgroup_path", out->cgroup_path, sizeof out->cgroup_path);
  text_find(at, n, "boot", boot, sizeof boot);
  sys_boot_id(present);
  /* A pid means something only in the namespace it was given in. */
  uint64_t namespace = text_find_number(at, n, "pid_namespace", 0);
  out->this_boot = strcmp(boot, present) == 0 && namespace == sys_pid_namespace();
  good = good && out->child.pid > 1 && text_known_contract(at, n);
  if (!good) options_free(&out->options);
  buffer_free(&text);
  return good;
}
