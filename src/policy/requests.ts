// What is asked of a policy.

export interface StartRequest {
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly session: string | null;
  readonly task: string | null;
  readonly profile: string;
  readonly requestId: string;
}

export interface Patience {
  /** The caller went away, or the daemon goes. */
  readonly signal: AbortSignal;
  /** How long the caller waits for a person; default: as long as the approval lasts. */
  readonly waitMs: number | undefined;
}
