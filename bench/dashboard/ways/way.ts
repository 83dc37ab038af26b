// One way to have a terminal in a browser.
import type { Page } from "playwright-core";

export interface Way {
  readonly name: string;
  /** Shows a shell in the page, ready to type. */
  open(page: Page): Promise<void>;
  /** Processes of the server: what the machine pays besides the shell itself. */
  serverPids(): readonly number[];
  close(): Promise<void>;
}
