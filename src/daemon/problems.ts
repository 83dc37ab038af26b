// What is wrong while the daemon goes on, in words: for its status and for doctor.
import type { StatusFile } from "../home/index.ts";
import { isHoldfastError, type ErrorCode } from "../protocol/errors.ts";

export class Problems {
  readonly #sources: (() => readonly string[])[] = [];
  #lasting: Error[] = [];

  /** One that stays until it is said to have passed, or until the next start. */
  add(problem: Error): void {
    this.#lasting.push(problem);
  }

  pass(...codes: readonly ErrorCode[]): void {
    this.#lasting = this.#lasting.filter((problem) => !isHoldfastError(problem, ...codes));
  }

  /** Asked each time: what it tells may pass by itself. */
  from(source: () => readonly string[]): void {
    this.#sources.push(source);
  }

  get current(): string[] {
    return [...this.#lasting.map(({ message }) => message), ...this.#sources.flatMap((source) => source())];
  }
}

/** One that runs is degraded while something is wrong; one that comes or goes says so itself. */
export function tellProblems(problems: Problems, status: Pick<StatusFile, "current" | "change">): void {
  const { state } = status.current;
  if (state !== "running" && state !== "degraded") return;
  const next = problems.current.length > 0 ? "degraded" : "running";
  if (next !== state) status.change({ state: next });
}
