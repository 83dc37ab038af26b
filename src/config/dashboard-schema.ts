// The keys of the dashboard: where it listens, and who may enter. That nobody is asked at all is no key: see `daemon run --insecure`.
import { isIP } from "node:net";
import { z } from "zod";
import { roles } from "../protocol/access.ts";
import { nameSchema } from "../protocol/process.ts";
import { isPasswordHash } from "../util/password-hash.ts";
import { key } from "./key.ts";

const live = { unit: null, needsRestart: false } as const;
const roleSchema = z.enum(roles);
const absolutePath = z.string().regex(/^\//, "an absolute path");
const variableName = z.string().regex(/^[A-Za-z_]\w*$/, "the name of a variable");
const hostName = z
  .string()
  .max(253)
  .regex(/^(?:[A-Za-z0-9-]{1,63}\.)*[A-Za-z0-9-]{1,63}$/, "a host name without scheme and port");
const personName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}._@+-]+$/u, "letters, digits and . _ @ + -");

/** Only an origin: under a path the dashboard could not tell its own pages from others. */
const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (text) => URL.parse(text)?.pathname === "/" && !/[?#@]/.test(text),
    "an address like https://host:port",
  );

const userSchema = z.strictObject({
  /** As `holdfast password hash` prints it. */
  hash: z.string().refine(isPasswordHash, "a hash made by `holdfast password hash`, not a password"),
  role: roleSchema,
});

const issuerUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => isConfidentialUrl(URL.parse(text)), "an address that begins with https://");

/** Over plain HTTP only inside this machine. */
function isConfidentialUrl(url: URL | null): boolean {
  return url?.protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(url?.hostname ?? "");
}

const oidcSchema = z.strictObject({
  issuer: issuerUrl,
  clientId: z.string().min(1),
  /** A file with the secret, readable by you alone. */
  clientSecretFile: absolutePath.optional(),
  /** The variable of the daemon's environment that holds it. */
  clientSecretVariable: variableName.optional(),
  /** On the sign-in page. */
  label: z.string().min(1).max(64).optional(),
  scopes: z.array(z.string().regex(/^[!-~]+$/)).default(["openid", "profile", "email"]),
  /** The claim that names the person; without it preferred_username, then email, then sub. */
  nameClaim: z.string().min(1).optional(),
  /** The claim that the roles below are looked up by: a text or a list. */
  roleClaim: z.string().min(1).default("groups"),
  roles: z.record(z.string(), roleSchema).default({}),
  /** For whoever signs in and has none of these; null: they may not enter. */
  role: roleSchema.nullable().default(null),
});

const addressRange = z.string().refine((text) => {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  return (
    version > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
}, "an address or a range like 10.0.0.0/8");

const proxySchema = z.strictObject({
  /** The proxy's own: what comes from elsewhere with this header is not believed. */
  addresses: z.array(addressRange).min(1).max(50),
  /** The header with the person's name; null: the proxy only tells where requests come from. */
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, "the name of a header")
    .nullable()
    .default(null),
  role: roleSchema.default("viewer"),
  /** By person, where it differs. */
  roles: z.record(personName, roleSchema).default({}),
});

export const dashboardSchema = z.strictObject({
  listen: key(z.enum(["demand", "always", "never"]).default("demand"), {
    description:
      "When it listens. demand: from the first `holdfast open` or `holdfast token create` on, and whenever somebody is or can be signed in.",
    ...live,
  }),
  bind: key(z.string().min(1).max(253).default("127.0.0.1"), {
    description:
      "The address or name it listens on. One that others can reach is refused while nobody could be told apart there: set users, oidc or proxy.",
    ...live,
  }),
  port: key(z.int().min(0).max(65_535).default(4_653), {
    description: "The port it listens on: HOLD on the keys of a telephone. 0: any free one.",
    unit: "port",
    needsRestart: false,
  }),
  publicUrl: key(publicUrl.nullable().default(null), {
    description:
      "Where people reach it, if not at the address it listens on, as in https://holdfast.example.",
    ...live,
  }),
  hosts: key(z.array(hostName).max(50).default([]), {
    description: "Further host names it answers for; a request that names any other is refused.",
    ...live,
  }),
  tls: key(
    z.strictObject({ certificateFile: absolutePath, keyFile: absolutePath }).nullable().default(null),
    {
      description:
        "Certificate (with its chain) and key in PEM files: then it speaks HTTPS. Read again when they change.",
      ...live,
    },
  ),
  sessionMs: key(z.int().min(60_000).max(31_536_000_000).default(604_800_000), {
    description: "How long somebody who signed in stays so.",
    unit: "milliseconds",
    needsRestart: false,
  }),
  users: key(z.record(personName, userSchema).default({}), {
    description: "People who sign in with a password, by name: hash (of `holdfast password hash`) and role.",
    isConfidential: true,
    ...live,
  }),
  oidc: key(z.record(nameSchema, oidcSchema).default({}), {
    description: "Services people sign in with (OpenID Connect), by name.",
    isConfidential: true,
    ...live,
  }),
  proxy: key(proxySchema.nullable().default(null), {
    description:
      "A proxy in front that is believed: its addresses, and the header in which it names the person.",
    isConfidential: true,
    ...live,
  }),
});
