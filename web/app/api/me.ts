// Who is at this browser, and what that role may do. The daemon decides; the page only says beforehand what it would refuse.
import { useQuery } from "@tanstack/react-query";
import { accessPath, hasRole, type Me, type Role } from "#protocol/access.ts";
import { HoldfastError } from "#protocol/errors.ts";

async function fetchMe(signal: AbortSignal): Promise<Me> {
  const answer = await fetch(accessPath.me, { signal });
  if (answer.ok) return (await answer.json()) as Me; // made by the daemon of this page
  throw answer.status === 401
    ? new HoldfastError("UNAUTHENTICATED", "the daemon does not know this browser")
    : new HoldfastError("INTERNAL", `who is signed in is not told: status ${answer.status}`);
}

/** Why somebody may not do what needs this role; undefined when they may, or while nobody knows. */
export function roleReason(me: Pick<Me, "role"> | undefined, least: Role): string | undefined {
  if (me === undefined || hasRole(me.role, least)) return undefined;
  return `You are signed in as ${me.role}; this needs ${least}`;
}

/** Undefined until the daemon has told. */
export function useMe(): Me | undefined {
  const me = useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => fetchMe(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return me.data;
}

export function useRoleReason(least: Role): string | undefined {
  return roleReason(useMe(), least);
}
