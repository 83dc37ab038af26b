// Random numbers that can be had again: a failing run prints its seed.

/** Numbers in [0, 1); mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** SEED in the environment, or a new one. */
export function chosenSeed(): number {
  return Number(process.env["SEED"] ?? Date.now() % 2 ** 31);
}

/** How many rounds a soak has: the given number, or SOAK_ROUNDS for a long one. */
export function soakRounds(usual: number): number {
  return Number(process.env["SOAK_ROUNDS"] ?? usual);
}
