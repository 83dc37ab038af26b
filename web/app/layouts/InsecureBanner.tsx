// A daemon that asks nobody who they are says so on every page, for as long as it is so.
import { useMe } from "~/api/me.ts";

export function InsecureBanner() {
  if (useMe()?.provider !== "insecure") return null;
  return (
    <p role="alert" className="bg-bad-soft px-3 py-1.5 text-center text-sm font-medium text-bad">
      Insecure: whoever reaches this address may do everything, and nobody is asked who they are.
    </p>
  );
}
