// Signing in with a service of OpenID Connect: authorization code with PKCE, state and nonce. Nothing is asked of the service before
// somebody wants to sign in with it, so one that is away keeps nobody else out.
import { readFile } from "node:fs/promises";
import type * as OpenId from "openid-client";
import { hasRole, type Role } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { OneTime, type Issued } from "./one-time.ts";
import { digestOf } from "./secret.ts";
import type { OidcConfig, OidcProviders } from "./settings.ts";

export interface OidcOptions {
  readonly providers: () => OidcProviders;
  /** Where a secret may be named. */
  readonly environment: NodeJS.ProcessEnv;
}

/** What is remembered while somebody is away at the service. */
interface Flow {
  readonly provider: string;
  readonly redirectUri: string;
  readonly next: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcPerson {
  readonly provider: string;
  readonly name: string;
  readonly role: Role;
  /** Where to go now. */
  readonly next: string;
}

const flowLifeMs = 600_000;
const mostFlows = 1_000;
const timeoutSeconds = 10;
const rediscoverMs = 3_600_000;

interface Discovered {
  readonly from: OidcConfig;
  readonly atMs: number;
  readonly configuration: OpenId.Configuration;
}

export class OidcSignIn {
  readonly #options: OidcOptions;
  readonly #flows = new OneTime<Flow>({ lifeMs: flowLifeMs, most: mostFlows });
  readonly #discovered = new Map<string, Discovered>();

  constructor(options: OidcOptions) {
    this.#options = options;
  }

  /**
   * The address at the service to go to, and what the browser keeps until it comes back.
   * @throws HoldfastError NOT_FOUND, PROVIDER_UNREACHABLE
   */
  async begin(
    provider: string,
    { callback, next }: { readonly callback: string; readonly next: string },
  ): Promise<{ readonly address: string; readonly flow: Issued }> {
    const client = await import("openid-client");
    const config = this.#configOf(provider);
    const configuration = await this.#discover(provider, config, client);
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: config.scopes.join(" "),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
    const flow = this.#flows.issue({ provider, redirectUri: callback, next, state, nonce, verifier });
    return { address: address.href, flow };
  }

  /** @throws HoldfastError SIGN_IN_FAILED, PROVIDER_UNREACHABLE */
  async complete(provider: string, flowSecret: string, search: string): Promise<OidcPerson> {
    const flow = this.#flows.take(flowSecret);
    if (flow?.provider !== provider) throw failed("It took too long, or was begun in another browser.");
    const client = await import("openid-client");
    const config = this.#configOf(provider);
    const configuration = await this.#discover(provider, config, client);
    try {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(search, flow.redirectUri), {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw failed("The service does not say who it is.");
      const more = await userInfo(client, configuration, tokens.access_token, claims.sub);
      const person = { ...more, ...claims };
      return { provider, name: nameOf(person, config), role: roleOf(person, config), next: flow.next };
    } catch (error) {
      throw asRefusal(provider, error);
    }
  }

  #configOf(provider: string): OidcConfig {
    const providers = this.#options.providers();
    const config = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
    if (config !== undefined) return config;
    throw new HoldfastError("NOT_FOUND", "There is no such way to sign in.", {
      hint: "See the sign-in page.",
    });
  }

  async #discover(
    provider: string,
    config: OidcConfig,
    client: typeof OpenId,
  ): Promise<OpenId.Configuration> {
    const known = this.#discovered.get(provider);
    if (known?.from === config && performance.now() - known.atMs < rediscoverMs) return known.configuration;
    try {
      const secret = await this.#secretOf(config);
      const issuer = new URL(config.issuer);
      const configuration = await client.discovery(
        issuer,
        config.clientId,
        undefined,
        secret === undefined ? client.None() : client.ClientSecretBasic(secret),
        {
          timeout: timeoutSeconds,
          // The schema lets plain HTTP through for this machine only.
          execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [],
        },
      );
      this.#discovered.set(provider, { from: config, atMs: performance.now(), configuration });
      return configuration;
    } catch (error) {
      throw asRefusal(provider, error);
    }
  }

  async #secretOf({ clientSecretFile, clientSecretVariable }: OidcConfig): Promise<string | undefined> {
    if (clientSecretFile !== undefined) return (await readFile(clientSecretFile, "utf8")).trim();
    if (clientSecretVariable === undefined) return undefined;
    const secret = this.#options.environment[clientSecretVariable];
    if (secret) return secret;
    throw new Error(`the daemon has no variable ${clientSecretVariable}`);
  }
}

/** Of what a sign-in rests on: when the service is configured in another way, it is over. */
export function oidcProof(providers: OidcProviders, provider: string): string | undefined {
  const config = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  return config === undefined ? undefined : digestOf(JSON.stringify(config));
}

/** Many services tell groups and names only there. */
async function userInfo(
  client: typeof OpenId,
  configuration: OpenId.Configuration,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return await client.fetchUserInfo(configuration, accessToken, subject);
}

type Claims = Readonly<Record<string, unknown>>;

function nameOf(claims: Claims, { nameClaim }: OidcConfig): string {
  const names = nameClaim === undefined ? ["preferred_username", "email", "sub"] : [nameClaim];
  const found = names.map((name) => claims[name]).find((value) => typeof value === "string" && value !== "");
  if (typeof found !== "string") throw failed("The service does not tell the person's name.");
  return found.replaceAll(/[^\p{L}\p{N}._@+ -]/gu, "?").slice(0, 128);
}

/** The strongest that any of the values gives. */
function roleOf(claims: Claims, { roleClaim, roles, role }: OidcConfig): Role {
  const claim = claims[roleClaim];
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  const given = values.flatMap((value) =>
    typeof value === "string" && Object.hasOwn(roles, value) ? (roles[value] ?? []) : [],
  );
  const all = role === null ? given : [...given, role];
  const [first] = all;
  if (first === undefined) throw failed("This account has no role here.");
  return all.reduce((strongest, each) => (hasRole(each, strongest) ? each : strongest), first);
}

function failed(why: string, cause?: unknown): HoldfastError {
  return new HoldfastError("SIGN_IN_FAILED", why, {
    hint: "Try again; if it stays so, ask whoever runs this daemon.",
    cause,
  });
}

// What says that nobody answered, or not as such a service does: not that this sign-in was refused.
const unreachable = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);

function asRefusal(provider: string, error: unknown): HoldfastError {
  if (error instanceof HoldfastError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // fetch tells of a refused connection as a TypeError without a code.
  if (unreachable.has(code) || error instanceof TypeError || code.startsWith("E")) {
    return new HoldfastError("PROVIDER_UNREACHABLE", `${provider} cannot be reached for signing in.`, {
      cause: error,
    });
  }
  return failed("The service did not confirm who it is.", error);
}
