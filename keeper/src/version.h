/* BUILD_HASH identifies the sources a binary was built from; the Makefile passes it. */
#ifndef HOLDFAST_VERSION_H
#define HOLDFAST_VERSION_H
#ifndef BUILD_HASH
#define BUILD_HASH "unknown"
#endif
#endif
