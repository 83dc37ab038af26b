#ifndef HOLDFAST_GATE_H
#define HOLDFAST_GATE_H
int gate_main(int argc, char **argv);
#endif
