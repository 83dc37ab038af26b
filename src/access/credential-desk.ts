// Sessions of browsers and tokens of programs: given out, recognised, taken back. A session counts only while what it rested on is
// unchanged: the person's hash and role, or the service they signed in with.
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { newCredentialId } from "../protocol/ids.ts";
import type { Role, Who } from "../protocol/access.ts";
import type { CredentialRecord, Store } from "../store/index.ts";
import { oidcProof } from "./oidc-sign-in.ts";
import { passwordProof } from "./password-sign-in.ts";
import { digestOf, isTokenShaped, newSecret, newTokenSecret } from "./secret.ts";
import type { DashboardConfig } from "./settings.ts";

export interface CredentialDeskOptions {
  readonly store: Pick<Store, "credentials" | "access">;
  readonly config: () => DashboardConfig;
  readonly report: (message: string, cause?: unknown) => void;
}

export interface NewToken {
  readonly name: string;
  readonly role: Role;
  /** How long it counts; null: until it is revoked. */
  readonly forMs: number | null;
  readonly by: string;
}

// A person has a handful of browsers; a script that signs in again and again must not fill the store.
const mostSessions = 1_000;
const coarseMs = 300_000;

/** Also right after a restart: it is a fact of the store. */
function isOver({ expiresAt }: CredentialRecord): boolean {
  return expiresAt !== null && expiresAt <= Date.now();
}

export class CredentialDesk {
  readonly #options: CredentialDeskOptions;
  readonly #listeners = new Set<(id: string) => void>();

  constructor(options: CredentialDeskOptions) {
    this.#options = options;
  }

  /** `provider`: which service, where there are several. */
  async openSession(who: Who, provider = ""): Promise<{ record: CredentialRecord; secret: string }> {
    const { store, config } = this.#options;
    const secret = newSecret();
    const at = Date.now();
    const proof = proofOf(config(), who.via, provider === "" ? who.name : provider);
    if (proof === undefined)
      throw new HoldfastError("SIGN_IN_FAILED", "This way to sign in was just closed.");
    const record: CredentialRecord = {
      id: newCredentialId(),
      kind: "session",
      digest: digestOf(secret),
      ...who,
      proof,
      createdAt: at,
      createdBy: who.name,
      expiresAt: at + config().sessionMs,
      usedAt: at,
    };
    await store.credentials.insert(record);
    await store.credentials.keepNewest("session", mostSessions);
    return { record, secret };
  }

  async bySecret(kind: CredentialRecord["kind"], secret: string): Promise<CredentialRecord | undefined> {
    if (kind === "token" && !isTokenShaped(secret)) return undefined;
    return await this.#counting(await this.#options.store.credentials.byDigest(digestOf(secret)), kind);
  }

  /** Does it still count? */
  async byId(id: string): Promise<CredentialRecord | undefined> {
    return await this.#counting(await this.#options.store.credentials.get(id));
  }

  /** False if there was none. */
  async end(id: string): Promise<boolean> {
    const isEnded = await this.#options.store.credentials.delete(id);
    for (const listener of this.#listeners) listener(id);
    return isEnded;
  }

  /** Hears of every one that is taken back. Returns the way to stop hearing. */
  onEnded(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @throws HoldfastError NAME_IN_USE */
  async createToken(token: NewToken): Promise<{ record: CredentialRecord; secret: string }> {
    const secret = newTokenSecret();
    const { name, role, forMs, by } = token;
    const at = Date.now();
    const record: CredentialRecord = {
      id: newCredentialId(),
      kind: "token",
      digest: digestOf(secret),
      name,
      role,
      via: "token",
      proof: "token",
      createdAt: at,
      createdBy: by,
      expiresAt: forMs === null ? null : at + forMs,
      usedAt: null,
    };
    try {
      await this.#options.store.credentials.insert(record);
    } catch (error) {
      if (!isHoldfastError(error, "STORE_CONFLICT")) throw error;
      throw new HoldfastError("NAME_IN_USE", `A token has the name ${name} already.`, {
        hint: "Choose another name, or revoke that one first: holdfast token revoke.",
        cause: error,
      });
    }
    return { record, secret };
  }

  async tokens(): Promise<CredentialRecord[]> {
    return await this.#options.store.credentials.list("token");
  }

  /** @throws HoldfastError TOKEN_NOT_FOUND */
  async revokeToken(idOrName: string): Promise<CredentialRecord> {
    const tokens = await this.tokens();
    const found = tokens.find(({ id, name }) => id === idOrName || name === idOrName);
    if (found === undefined || !(await this.end(found.id))) {
      throw new HoldfastError("TOKEN_NOT_FOUND", `There is no token ${idOrName}.`);
    }
    return found;
  }

  async hasLive(): Promise<boolean> {
    return await this.#options.store.credentials.hasLive(Date.now());
  }

  async trim(): Promise<void> {
    await this.#options.store.credentials.deleteExpired(Date.now());
  }

  async #counting(
    record: CredentialRecord | undefined,
    kind = record?.kind,
  ): Promise<CredentialRecord | undefined> {
    if (record === undefined || record.kind !== kind || isOver(record)) return undefined;
    const [provider = ""] = record.via === "oidc" ? record.proof.split(" ") : [record.name];
    if (proofOf(this.#options.config(), record.via, provider) !== record.proof) {
      // For good: an old hash that is put back must not bring back whoever was shut out by its removal.
      if (this.#options.store.access === "read-write") await this.end(record.id);
      return undefined;
    }
    this.#touch(record);
    return record;
  }

  #touch({ id, usedAt }: CredentialRecord): void {
    const now = Date.now();
    const { store, report } = this.#options;
    if (store.access === "read-only" || (usedAt !== null && now - usedAt < coarseMs)) return;
    store.credentials
      .used(id, now)
      .catch((error: unknown) => report("When a token was used cannot be kept.", error));
  }
}

/** `whose`: the person, or the service where one answers for them. Undefined: nobody can sign in like this any more. */
function proofOf(config: DashboardConfig, via: Who["via"], whose: string): string | undefined {
  switch (via) {
    case "link":
    case "token":
      return via;
    case "password":
      return passwordProof(config.users, whose);
    case "oidc": {
      const proof = oidcProof(config.oidc, whose);
      return proof === undefined ? undefined : `${whose} ${proof}`;
    }
    default:
      return undefined; // told anew with every request
  }
}
