// Names of variables that hold secrets: by their words, not by letters inside a word.

const secretWords: ReadonlySet<string> = new Set([
  ..."TOKEN SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PASS PWD KEY KEYS".split(" "),
  ..."APIKEY CREDENTIAL CREDENTIALS CRED CREDS AUTH COOKIE JWT PAT BEARER SALT".split(" "),
]);
/** Written together with what they belong to: GITHUBTOKEN, PGPASSWORD. */
const secretEnd = /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY|SECRETKEY|ACCESSKEY|PRIVATEKEY)$/;
/** A last word that says: not the secret itself. */
const harmlessEnd: ReadonlySet<string> = new Set([
  ..."FILE PATH DIR DIRECTORY URL URI ENDPOINT HOST PORT SOCK SOCKET USER USERNAME".split(" "),
  ..."ID IDS NAME NAMES TYPE KIND TTL TIMEOUT EXPIRY EXPIRES AGE LENGTH SIZE BITS".split(" "),
  ..."COUNT LIMIT MAX MIN VERSION ALGORITHM ALG FORMAT MODE PREFIX SUFFIX REGION".split(" "),
  ..."PROVIDER ENABLED DISABLED REQUIRED HEADER FIELD COLUMN INDEX SERVER METHOD SCOPE".split(" "),
]);
/** Directories. */
const harmlessNames: ReadonlySet<string> = new Set(["PWD", "OLDPWD", "INIT_CWD"]);

export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  const words = upper.split("_").filter((word) => word !== "");
  if (harmlessNames.has(upper) || harmlessEnd.has(words.at(-1) ?? "")) return false;
  return words.some((word) => secretWords.has(word) || secretEnd.test(word));
}
