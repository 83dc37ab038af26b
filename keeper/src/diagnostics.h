/* Rare lines for people, on stderr (launcher and keepers: launcher.log). Never contains arguments or environment values. */
#ifndef HOLDFAST_DIAGNOSTICS_H
#define HOLDFAST_DIAGNOSTICS_H

void diagnose(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
