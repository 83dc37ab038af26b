// The certificate and its key, read again when one of the files changes. Whoever renews them replaces files or links: so they are
// looked at, not watched.
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Certificate } from "../../api/index.ts";
import type { DashboardConfig } from "../../access/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";

type Files = NonNullable<DashboardConfig["tls"]>;

const lookMs = 2_000;

/** @throws HoldfastError DASHBOARD_UNAVAILABLE, naming what is wrong with which file */
export function readCertificate({ certificateFile, keyFile }: Files): Certificate {
  const certificate = { cert: read(certificateFile), key: read(keyFile) };
  try {
    createSecureContext(certificate);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw unusable(`${certificateFile} and ${keyFile} are no certificate with its key: ${reason}`, error);
  }
  return certificate;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : String(error), error);
  }
}

function unusable(why: string, cause: unknown): HoldfastError {
  return new HoldfastError("DASHBOARD_UNAVAILABLE", `dashboard.tls: ${why}`, {
    hint: "Give the certificate, with its chain, and its key as PEM files that this user can read.",
    cause,
  });
}

/** Returns how to stop. */
export function followCertificate({ certificateFile, keyFile }: Files, onChange: () => void): () => void {
  const files = [certificateFile, keyFile];
  for (const file of files) watchFile(file, { interval: lookMs, persistent: false }, onChange);
  return () => {
    for (const file of files) unwatchFile(file, onChange);
  };
}
