/* Starting a program that is not part of the tree (CONTRACT.md OUTSIDE). */
#ifndef HOLDFAST_OUTSIDE_H
#define HOLDFAST_OUTSIDE_H

#include "frame.h"

void outside_start(struct buffer *out, const struct frame *frame);

#endif
