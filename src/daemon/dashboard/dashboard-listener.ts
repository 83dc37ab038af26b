// The dashboard's listener over the life of a daemon: opened when it is wanted, moved when the configuration says so, and kept as it is
// when the new place cannot be had. What is wrong with it is told, and ends nobody.
import { isDeepStrictEqual } from "node:util";
import { hasProvider, type Access, type BindAddress, type DashboardConfig } from "../../access/index.ts";
import type { NetworkApi, RouteOptions } from "../../api/index.ts";
import type { StatusFile } from "../../home/index.ts";
import type { Dashboard } from "../../operations/index.ts";
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import { followCertificate, readCertificate } from "./certificate-files.ts";
import { safeBind } from "./exposure.ts";

export interface DashboardListenerOptions {
  readonly access: Access;
  readonly routes: RouteOptions;
  readonly webDirectory: string;
  readonly status: Pick<StatusFile, "setListener">;
  /** What is wrong has changed. */
  readonly onChange: () => void;
  readonly report: (message: string, cause?: unknown) => void;
}

type Place = Pick<DashboardConfig, "bind" | "port" | "tls">;

interface Listening {
  readonly place: Place;
  readonly api: NetworkApi;
  readonly address: string;
  readonly forget: () => void;
}

const retryMs = 15_000;

export class DashboardListener implements Dashboard {
  readonly #options: DashboardListenerOptions;
  #listening: Listening | undefined;
  #problem: HoldfastError | undefined;
  #isWanted = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** One change after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: DashboardListenerOptions) {
    this.#options = options;
  }

  get problems(): string[] {
    const { access } = this.#options;
    const insecure =
      access.isInsecure && this.#listening !== undefined
        ? [
            `INSECURE: whoever reaches ${this.#listening.address} may do everything, and is not asked who they are.`,
          ]
        : [];
    return this.#problem === undefined ? insecure : [this.#problem.message, ...insecure];
  }

  /** At the start of the daemon: only if somebody is or can be signed in. */
  async begin(): Promise<void> {
    const { access } = this.#options;
    const { listen } = access.config;
    const isExpected =
      listen === "always" ||
      access.isInsecure ||
      hasProvider(access.config) ||
      (await access.credentials.hasLive());
    this.#isWanted = listen !== "never" && isExpected;
    await this.follow();
  }

  async open(): Promise<string> {
    if (this.#options.access.config.listen === "never") {
      throw new HoldfastError("DASHBOARD_UNAVAILABLE", "dashboard.listen is never: nothing listens.", {
        hint: "Allow it: holdfast config set dashboard.listen demand",
      });
    }
    this.#isWanted = true;
    await this.follow();
    if (this.#listening === undefined)
      throw this.#problem ?? new HoldfastError("DAEMON_STOPPING", "The daemon goes.");
    const { publicUrl } = this.#options.access.config;
    return publicUrl === null ? this.#listening.address : new URL(publicUrl).origin;
  }

  /** Does what the configuration says now. */
  async follow(): Promise<void> {
    this.#last = this.#last.then(() => this.#apply());
    await this.#last;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#last;
    await this.#stop();
  }

  async #apply(): Promise<void> {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    const { access } = this.#options;
    const before = this.problems.join();
    try {
      if (access.config.listen === "never" || !this.#shouldListen()) await this.#stop();
      else await this.#listen();
      this.#problem = undefined;
    } catch (error) {
      this.#fail(error);
    }
    if (this.problems.join() !== before) this.#options.onChange();
  }

  /** By the configuration of this moment: whoever turns `always` on need not restart the daemon. */
  #shouldListen(): boolean {
    const { config } = this.#options.access;
    this.#isWanted ||= config.listen === "always" || hasProvider(config);
    return this.#isWanted;
  }

  async #listen(): Promise<void> {
    const { access } = this.#options;
    const { bind, port, tls } = access.config;
    const place = { bind, port, tls };
    const safe = await safeBind(access.config, access.isInsecure);
    const current = this.#listening;
    if (current === undefined) this.#listening = await this.#start(place, safe);
    else if (!isAt(current, place)) await this.#move(current, place, safe);
  }

  async #move(current: Listening, place: Place, bind: BindAddress): Promise<void> {
    if (place.port !== 0 && place.port === current.api.port) {
      // Two cannot have one port: the old one goes first, and comes back if the new one cannot be had.
      const before = await safeBind({ ...this.#options.access.config, ...current.place }, true);
      if (place.tls !== null) readCertificate(place.tls);
      await this.#stop();
      try {
        this.#listening = await this.#start(place, bind);
      } catch (error) {
        this.#listening = await this.#start({ ...current.place, port: current.api.port }, before);
        throw error;
      }
      return;
    }
    const next = await this.#start(place, bind);
    await this.#stop();
    this.#listening = next;
    this.#tell("listening", next.address);
  }

  /** @throws HoldfastError DASHBOARD_UNAVAILABLE */
  async #start(place: Place, bind: BindAddress): Promise<Listening> {
    const { access, routes, webDirectory } = this.#options;
    const { tls, port } = place;
    const certificate = tls === null ? undefined : readCertificate(tls);
    try {
      // Only now: most homes never listen, and it costs every start of the daemon.
      const { startNetworkApi } = await import("../../api/start-network-api.ts");
      const api = await startNetworkApi({ ...routes, access, bind, port, certificate, webDirectory });
      const address = addressOf(place, bind, api.port);
      const forget = tls === null ? () => undefined : followCertificate(tls, () => this.#renew(api, tls));
      this.#tell("listening", address);
      return { place, api, address, forget };
    } catch (error) {
      throw unavailable(addressOf(place, bind, port), error);
    }
  }

  /** The old one stays while the new one cannot be used. */
  #renew(api: NetworkApi, files: NonNullable<Place["tls"]>): void {
    try {
      api.setCertificate(readCertificate(files));
      if (this.#problem?.message.startsWith("dashboard.tls:") === true) this.#problem = undefined;
    } catch (error) {
      this.#problem = isHoldfastError(error) ? error : unavailable("its certificate", error);
      this.#options.report(this.#problem.message, error);
    }
    this.#options.onChange();
  }

  async #stop(): Promise<void> {
    const listening = this.#listening;
    if (listening === undefined) return;
    this.#listening = undefined;
    listening.forget();
    await listening.api.close();
    this.#tell("closed", listening.address);
  }

  #fail(error: unknown): void {
    const problem = isHoldfastError(error) ? error : unavailable("the dashboard", error);
    if (problem.message !== this.#problem?.message)
      this.#options.report(problem.message, problem.cause ?? problem);
    this.#problem = problem;
    if (this.#listening !== undefined) return;
    const { bind, port } = this.#options.access.config;
    const errorCode = problem.code;
    this.#options.status.setListener({
      name: "dashboard",
      address: `${bind}:${port}`,
      state: "failed",
      errorCode,
      message: problem.message,
    });
    // Whoever has the port may let go of it.
    this.#timer = setTimeout(() => void this.follow(), retryMs).unref();
  }

  #tell(state: "listening" | "closed", address: string): void {
    this.#options.status.setListener({ name: "dashboard", address, state, errorCode: null, message: null });
  }
}

/** Also where any port was wanted, and now the very one that was found. */
function isAt({ place, api }: Listening, { bind, port, tls }: Place): boolean {
  const isPort = port === place.port || port === api.port;
  return isPort && bind === place.bind && isDeepStrictEqual(tls, place.tls);
}

/** As a browser of this machine reaches it. */
function addressOf({ bind, tls }: Place, { address }: BindAddress, port: number): string {
  const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const isName = !/^[\d.]+$|:/.test(bind);
  const host = isName ? bind : (everywhere[address] ?? (address.includes(":") ? `[${address}]` : address));
  return `${tls === null ? "http" : "https"}://${host}:${port}`;
}

function unavailable(address: string, error: unknown): HoldfastError {
  if (isHoldfastError(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  return new HoldfastError("DASHBOARD_UNAVAILABLE", `The dashboard cannot be had at ${address}: ${reason}`, {
    ...(isTaken
      ? {
          hint: "Another program has the port, perhaps another home's daemon. Choose one: holdfast config set dashboard.port 0",
        }
      : {}),
    cause: error,
  });
}
