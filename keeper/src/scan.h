#ifndef HOLDFAST_SCAN_H
#define HOLDFAST_SCAN_H
int scan_main(int argc, char **argv);
#endif
