// write-lines RATE: lines of 64 bytes, so many a second, each beginning with the monotonic time of its writing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
	long interval = argc > 1 ? 1000000000L / atol(argv[1]) : 0;
	if (interval <= 0) return 64;
	struct timespec next;
	clock_gettime(CLOCK_MONOTONIC, &next);
	// Not all at the same moment: fifty programs that know nothing of each other are not in step.
	next.tv_nsec += (getpid() * 7919L) % interval;
	for (;;) {
		next.tv_nsec += interval;
		while (next.tv_nsec >= 1000000000L) {
			next.tv_nsec -= 1000000000L;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		struct timespec now;
		char line[65];
		clock_gettime(CLOCK_MONOTONIC, &now);
		snprintf(line, sizeof line, "%019lld %s", now.tv_sec * 1000000000LL + now.tv_nsec,
		         "a line of output as a program writes it ...");
		line[63] = '\n';
		if (write(STDOUT_FILENO, line, 64) != 64) return 1;
	}
}
