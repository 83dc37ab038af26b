// The names inside the lock directory:
//
//   SCOPE-HASH/             one lock; missing or empty: nobody has it
//     NONCE.claim           who has it; the nonce is of this one holding and never used again
//     NONCE.update          what its owner said since
//   .pending/NONCE/         a claim that is being written
import { randomBytes } from "node:crypto";

export const pendingFolder = ".pending";

export function newNonce(): string {
  return randomBytes(16).toString("hex");
}

export function claimName(nonce: string): string {
  return `${nonce}.claim`;
}

export function updateName(nonce: string): string {
  return `${nonce}.update`;
}

/** Undefined for what is no claim. */
export function nonceOfClaim(name: string): string | undefined {
  return /^([0-9a-f]{32})\.claim$/.exec(name)?.[1];
}
