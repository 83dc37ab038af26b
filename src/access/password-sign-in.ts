// Signing in with name and password. A name nobody has is treated as one with a wrong password: same answer, same time, same limits.
import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Role } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { isPassword } from "../util/password-hash.ts";
import { Attempts } from "./attempts.ts";
import type { Users } from "./settings.ts";

export interface PasswordAttempt {
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

const withinMs = 600_000;
const mostNames = 10_000;
const mostPerAddress = 10;
// More than one address gives: a stranger must not shut somebody out from another place with a handful of tries.
const mostPerName = 30;
// Each takes 32 MiB and a processor for a quarter of a second.
const mostAtOnce = 2;
const mostWaiting = 8;
const mostPasswordCharacters = 1_024;

export class PasswordSignIn {
  readonly #users: () => Users;
  readonly #byAddress = new Attempts({ most: mostPerAddress, withinMs, mostNames });
  readonly #byName = new Attempts({ most: mostPerName, withinMs, mostNames });
  readonly #queue: (() => void)[] = [];
  #working = 0;

  constructor(users: () => Users) {
    this.#users = users;
  }

  /** Undefined: refused. @throws HoldfastError TOO_MANY_ATTEMPTS */
  async check({ name, password, address }: PasswordAttempt): Promise<Role | undefined> {
    const place = networkOf(address);
    const key = createHash("sha256").update(name.toLowerCase()).digest("base64url");
    const waitMs = this.#byAddress.begin(place) ?? this.#byName.begin(key);
    if (waitMs !== undefined) throw tooMany(waitMs);
    await this.#turn();
    try {
      const role = await this.#roleOf(name, password);
      if (role === undefined) return undefined;
      this.#byAddress.succeeded(place);
      this.#byName.succeeded(key);
      return role;
    } finally {
      this.#working -= 1;
      this.#queue.shift()?.();
    }
  }

  async #roleOf(name: string, password: string): Promise<Role | undefined> {
    const users = this.#users();
    const user = Object.hasOwn(users, name) ? users[name] : undefined;
    // Somebody's, to be compared with for as long as the right one would take.
    const hash = user?.hash ?? Object.values(users)[0]?.hash ?? "";
    const isRight = await isPassword(password.slice(0, mostPasswordCharacters), hash);
    return isRight && user !== undefined ? user.role : undefined;
  }

  async #turn(): Promise<void> {
    if (this.#working >= mostAtOnce) {
      if (this.#queue.length >= mostWaiting) throw tooMany(1_000);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#queue.push(resolve);
      await promise;
    }
    this.#working += 1;
  }
}

/** Of what the sign-in rests on: another hash or role, or none, and it is over. */
export function passwordProof(users: Users, name: string): string | undefined {
  const user = Object.hasOwn(users, name) ? users[name] : undefined;
  if (user === undefined) return undefined;
  return createHash("sha256").update(`${user.hash}\0${user.role}`).digest("base64url");
}

function tooMany(waitMs: number): HoldfastError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new HoldfastError("TOO_MANY_ATTEMPTS", `Too many sign-ins failed. Try again in ${seconds} s.`, {
    details: { retryAfterMs: Math.ceil(waitMs) },
  });
}

/** Whoever has one address of an IPv6 network has all of it. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":");
  const filled = tail === undefined ? groups : [...groups, "0", "0", "0", "0"];
  return filled.slice(0, 4).join(":");
}
