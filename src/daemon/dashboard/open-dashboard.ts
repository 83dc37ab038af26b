// The gate and its listener as the daemon puts them together.
import { join } from "node:path";
import { Access } from "../../access/index.ts";
import type { RouteOptions } from "../../api/index.ts";
import type { ConfigStore } from "../../config/index.ts";
import type { StatusFile } from "../../home/index.ts";
import type { Dashboard } from "../../operations/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import type { Store } from "../../store/index.ts";
import type { Log } from "../../util/log.ts";
import { findPackageFile } from "../../util/package-file.ts";
import { tellProblems, type Problems } from "../problems.ts";
import { DashboardListener } from "./dashboard-listener.ts";

export interface DashboardParts {
  readonly store: Store;
  readonly config: ConfigStore;
  readonly environment: NodeJS.ProcessEnv;
  readonly isInsecure: boolean;
  readonly status: StatusFile;
  readonly problems: Problems;
  readonly log: Log;
  readonly report: (message: string, cause?: unknown) => void;
}

const trimMs = 3_600_000;

/** Verbs are given it before anything listens. */
export class OpenDashboard implements Dashboard {
  readonly access: Access;
  readonly #parts: DashboardParts;
  #listener: DashboardListener | undefined;

  constructor(parts: DashboardParts) {
    this.#parts = parts;
    const { config } = parts;
    this.access = new Access({
      ...parts,
      config: () => config.current,
      onConfigChange: (listener) => config.onChange(listener),
    });
  }

  async open(): Promise<string> {
    if (this.#listener !== undefined) return await this.#listener.open();
    throw new HoldfastError("DASHBOARD_UNAVAILABLE", "This daemon listens nowhere.", {
      hint: "Ask again in a moment; a daemon inside another program may listen nowhere at all.",
    });
  }

  /** Listens if somebody is expected. Returns how to end it. */
  async begin(routes: RouteOptions): Promise<() => Promise<void>> {
    const { access } = this;
    const { config, status, problems, report, log } = this.#parts;
    const webDirectory = builtPages();
    const onChange = (): void => tellProblems(problems, status);
    const listener = new DashboardListener({ access, routes, webDirectory, status, onChange, report });
    problems.from(() => listener.problems);
    await listener.begin();
    this.#listener = listener;
    if (access.isInsecure) log.warn({}, "INSECURE: the dashboard asks nobody who they are");
    const stopFollowing = config.onChange(() => void listener.follow());
    const trim = (): void => {
      access.credentials.trim().catch((error: unknown) => report("Old sessions cannot be removed.", error));
    };
    const timer = setInterval(trim, trimMs).unref();
    return async () => {
      clearInterval(timer);
      stopFollowing();
      access.close();
      await listener.close();
    };
  }
}

/** Where they belong, also while they are not built. */
function builtPages(): string {
  const manifest = findPackageFile("package.json", import.meta.dirname) ?? "/";
  return join(manifest, "../dist/web");
}
