#ifndef HOLDFAST_ATTACH_H
#define HOLDFAST_ATTACH_H
int attach_main(int argc, char **argv);
#endif
