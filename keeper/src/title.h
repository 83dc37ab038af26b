/* What `ps` shows: keepers are forked from the launcher without exec and would all look like it. */
#ifndef HOLDFAST_TITLE_H
#define HOLDFAST_TITLE_H

/* Remembers the space of the arguments after argv[0]. */
void title_remember(int argc, char **argv);
/* Shows "keep ID" in their place; an id that does not fit is cut. */
void title_keeper(const char *id);

#endif
