#ifndef HOLDFAST_CREDENTIALS_H
#define HOLDFAST_CREDENTIALS_H
int credentials_main(int argc, char **argv);
#endif
