// One way to run processes, as the bench sees it: ours, Node's own, or another program that keeps processes.
export interface Way {
  /** Runs /bin/true; resolves when its exit code is known, which is 0. */
  startToEnd(): Promise<void>;
  /** Outside the time that is measured: what a start has left and the next ones would pay for. */
  tidy?(): Promise<void>;
  /** Starts so many `sleep`; they run on. */
  hold?(count: number): Promise<void>;
  /** Starts so many of a program and passes on what each writes, until close. */
  follow?(argv: readonly string[], count: number, receive: Receive): Promise<void>;
  /** The processes it consists of itself, without those it was asked to run. */
  ownPids?(): Promise<readonly number[]>;
  /** A look at everything it runs. */
  list?(): Promise<number>;
  /** Ends everything. */
  close(): Promise<void>;
}

/** Which of the followed ones, and some bytes of it. */
export type Receive = (index: number, bytes: Buffer) => void;

export interface WayOptions {
  /** A directory of its own. */
  readonly directory: string;
  /** Of the daemon that is measured. */
  readonly home: string;
}

export type OpenWay = (options: WayOptions) => Promise<Way>;

export const shortProgram = "/bin/true";
export const idleArgv = ["/bin/sleep", "1000"] as const;
