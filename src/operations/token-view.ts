// A token as it is told: everything but its secret, which nobody here has.
import type { TokenView } from "../protocol/entry.ts";
import type { CredentialRecord } from "../store/index.ts";

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

export function viewToken(record: CredentialRecord): TokenView {
  const { id, name, role, createdAt, createdBy, expiresAt, usedAt } = record;
  return {
    id,
    name,
    role,
    createdAt: new Date(createdAt).toISOString(),
    createdBy,
    expiresAt: timeOf(expiresAt),
    usedAt: timeOf(usedAt),
  };
}
