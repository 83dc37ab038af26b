// A dropped connection is said, and that it heals by itself. It lies over the page: nothing jumps when it comes and goes.
import type { Connection } from "~/api/connection.ts";

export function ConnectionBanner({ state }: { state: Connection }) {
  return (
    <div aria-live="polite" className="relative z-30">
      {state === "lost" ? (
        <p className="absolute inset-x-0 top-0 bg-warn-soft px-3 py-1.5 text-center text-sm text-warn shadow">
          The connection to the daemon is lost. Trying again; processes go on meanwhile.
        </p>
      ) : null}
    </div>
  );
}
