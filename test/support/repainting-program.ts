// A program in a terminal that writes more than is kept of it while nobody looks, and paints again when it is asked to.

/** Begins to write when the file `go` is there; makes the file `gone` when it has written. */
export function repaintingProgram(go: string, gone: string): string {
  return [
    // Not in the trap itself: bash forgets a signal that comes while the trap of the one before it runs.
    "trap 'resized=1' WINCH",
    String.raw`paint() { resized=; printf "\033[2J\033[Hpainted %s\r\n" "$(stty size)"; }`,
    "echo first",
    `while [ ! -e ${go} ]; do sleep 0.05; done`,
    // Not plain: every line of it would have to be drawn.
    "i=0; while [ $i -lt 3000 ]; do printf '\\033[1;1H%0100d\\033[K' $i; i=$((i+1)); done",
    `echo x > ${gone}`,
    'while :; do [ -z "$resized" ] || paint; sleep 0.05; done',
  ].join("; ");
}
