// Passwords as they are kept: scrypt, with its parameters and salt in one text, so that a stronger one can come later.
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

interface Parameters {
  /** Base-2 logarithm of the cost. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

interface PasswordHash extends Parameters {
  readonly salt: Buffer;
  readonly key: Buffer;
}

// One of the pairs OWASP lists as equal: 32 MiB and a quarter of a second here, so that a few at once do not harm the daemon.
const current: Parameters = { logN: 15, r: 8, p: 3 };
const keyBytes = 32;
const saltBytes = 16;
// A hash from elsewhere must not take all memory or time: 128 MiB, and a few seconds.
const mostMemoryBytes = 128 * 1024 * 1024;
const mostPasses = 16;

const shape =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/;
const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

function memoryOf({ logN, r }: Parameters): number {
  return 128 * 2 ** logN * r;
}

function parse(text: string): PasswordHash | undefined {
  const [, logN, r, p, salt = "", key = ""] = shape.exec(text) ?? [];
  const parameters = { logN: Number(logN), r: Number(r), p: Number(p) };
  const isUsable =
    parameters.logN >= 14 &&
    parameters.r >= 1 &&
    parameters.p >= 1 &&
    parameters.p <= mostPasses &&
    memoryOf(parameters) <= mostMemoryBytes;
  if (!isUsable) return undefined;
  return { ...parameters, salt: Buffer.from(salt, "base64"), key: Buffer.from(key, "base64") };
}

async function keyOf(
  password: string,
  salt: Buffer,
  parameters: Parameters,
  length: number,
): Promise<Buffer> {
  const { logN, r, p } = parameters;
  // The same letters, however a keyboard puts them together.
  const text = password.normalize("NFKC");
  return await derive(text, salt, length, { N: 2 ** logN, r, p, maxmem: 2 * memoryOf(parameters) });
}

/** Can this text be held against a password? */
export function isPasswordHash(text: string): boolean {
  return parse(text) !== undefined;
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await keyOf(password, salt, current, keyBytes);
  const encoded = [salt, key].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  const { logN, r, p } = current;
  return `$scrypt$ln=${logN},r=${r},p=${p}$${encoded.join("$")}`;
}

/** False also for a text that is no hash. Takes as long for a wrong password as for the right one. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const parsed = parse(hash);
  if (parsed === undefined) return false;
  const key = await keyOf(password, parsed.salt, parsed, parsed.key.length);
  return timingSafeEqual(key, parsed.key);
}
