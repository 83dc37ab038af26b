# `make check`: unit tests under the sanitizers, the analyzer, the arm64 build under qemu-user, a bounded fuzz run.
# Each program closes with "NAME: N passed, N failed"; scripts/gates adds these up.
TESTS := $(patsubst test/%_test.c,%,$(sort $(wildcard test/*_test.c)))
# The tree needs a subreaper, which qemu-user does not have (test/README.md).
ARM64_TESTS := $(filter-out tree,$(TESTS))
LIBRARY := $(filter-out src/main.c,$(SOURCES))
TEST_HEADERS := $(HEADERS) $(wildcard test/*.h) test/check.mk
TEST_BASE := -std=gnu11 -g $(WARN) -fno-strict-aliasing -DBUILD_HASH='"test"' -Isrc -Itest
SANITIZE := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# Tests that move the clock instead of waiting for it put their own in front of the keeper's.
WRAPPED_CLOCK := peer loop
wrap = $(if $(filter $(1),$(WRAPPED_CLOCK)),-Wl$(comma)--wrap=sys_monotonic_ns)
comma := ,

check:
	@$(MAKE) -s -j2 $(BUILD)/keeper-linux-x64 check-build
	@$(MAKE) -s check-unit check-arm64 check-fuzz
check-build: analyze $(TESTS:%=$(BUILD)/sanitized/%_test) $(ARM64_TESTS:%=$(BUILD)/arm64/%_test) $(BUILD)/keeper-linux-arm64 fuzz-build

$(BUILD)/sanitized/%.o: src/%.c $(TEST_HEADERS)
	@mkdir -p $(@D)
	cc $(TEST_BASE) $(SANITIZE) -c $< -o $@
$(BUILD)/sanitized/%_test: test/%_test.c $(LIBRARY:src/%.c=$(BUILD)/sanitized/%.o) $(TEST_HEADERS)
	cc $(TEST_BASE) $(SANITIZE) $(call wrap,$*) $< $(LIBRARY:src/%.c=$(BUILD)/sanitized/%.o) -o $@

# A failed allocation must come back as NULL, as it does outside the sanitizer.
check-unit: $(TESTS:%=$(BUILD)/sanitized/%_test)
	@status=0; for test in $^; do ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1 $$test || status=1; done; exit $$status
.PHONY: check check-build check-unit

# At -O0 the analyzer sees the code as it is written; -Werror is part of WARN.
$(BUILD)/analyzed/%.c: src/%.c $(HEADERS) test/check.mk
	@mkdir -p $(@D)
	gcc -std=gnu11 -O0 $(WARN) -fno-strict-aliasing -DBUILD_HASH='"test"' -fanalyzer -c $< -o $@
analyze: $(SOURCES:src/%=$(BUILD)/analyzed/%)
	@echo "analyzer: $(words $^) files, nothing found"
.PHONY: analyze

# libFuzzer where clang can link it, else a loop of our own with gcc's sanitizers.
FUZZ := frame rundir
FUZZ_SECONDS := 20
# A hundredth of what two busy cores reach: only a fuzzer that does not work stays below.
FUZZ_FLOOR := 5000
FUZZ_FLAGS := -std=gnu11 -g -O1 -fno-strict-aliasing -DBUILD_HASH='"test"' -Isrc -Itest -fsanitize=address,undefined -fno-sanitize-recover=all
HAVE_LIBFUZZER := $(shell echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' | \
  clang -x c -fsanitize=fuzzer,address - -o /dev/null 2>/dev/null && echo yes)

$(BUILD)/fuzz/%.o: src/%.c $(TEST_HEADERS)
	@mkdir -p $(@D)
	clang $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -c $< -o $@
$(BUILD)/fuzz/%_fuzz: test/%_fuzz.c $(LIBRARY:src/%.c=$(BUILD)/fuzz/%.o)
	clang $(FUZZ_FLAGS) -fsanitize=fuzzer $< $(LIBRARY:src/%.c=$(BUILD)/fuzz/%.o) -o $@
$(BUILD)/fuzz/%_loop: test/%_fuzz.c test/fuzz_loop.c $(LIBRARY:src/%.c=$(BUILD)/sanitized/%.o)
	@mkdir -p $(@D)
	cc $(TEST_BASE) $(SANITIZE) $^ -o $@
$(BUILD)/fuzz/seeds: test/fuzz_seeds.c $(LIBRARY:src/%.c=$(BUILD)/sanitized/%.o)
	@mkdir -p $(@D)
	cc $(TEST_BASE) $(SANITIZE) $^ -o $@-make
	$@-make $@
	@touch $@
fuzz-build: $(BUILD)/fuzz/seeds $(FUZZ:%=$(BUILD)/fuzz/%_$(if $(HAVE_LIBFUZZER),fuzz,loop))
# Side by side: the bound is time, and there is a core for each.
check-fuzz: fuzz-build
	@status=0; for name in $(FUZZ); do sh test/fuzz.sh $(BUILD)/fuzz $$name $(FUZZ_SECONDS) $(FUZZ_FLOOR) & pids="$$pids $$!"; done; \
	  for pid in $$pids; do wait $$pid || status=1; done; exit $$status
.PHONY: fuzz-build check-fuzz

# arm64 by Debian's cross compiler, run by qemu-user. Which tests, and what is not run and why: test/README.md.
ARM64_CC := aarch64-linux-gnu-gcc
$(BUILD)/arm64/%.o: src/%.c $(TEST_HEADERS)
	@mkdir -p $(@D)
	$(ARM64_CC) $(TEST_BASE) -O2 -c $< -o $@
$(BUILD)/arm64/%_test: test/%_test.c $(LIBRARY:src/%.c=$(BUILD)/arm64/%.o) $(TEST_HEADERS)
	$(ARM64_CC) $(TEST_BASE) -O2 -static $(call wrap,$*) $< $(LIBRARY:src/%.c=$(BUILD)/arm64/%.o) -o $@
# The keeper itself is tried by test/keeper/arm64.test.ts.
check-arm64: $(ARM64_TESTS:%=$(BUILD)/arm64/%_test)
	@status=0; for test in $^; do timeout 300 qemu-aarch64-static $$test >$$test.out || status=1; \
	  sed 's/^[a-z_]*: [0-9]* passed/arm64 &/' $$test.out; done; exit $$status
.PHONY: check-arm64
