// The names of its environment variables. Values are never stored.
import type { ProcessDetail } from "#protocol/process.ts";
import { Empty } from "~/ui/States.tsx";

export function EnvironmentTab({ detail }: { detail: ProcessDetail }) {
  const names = detail.environmentNames.toSorted();
  if (names.length === 0) return <Empty title="No variables are known" />;
  return (
    <div className="p-3 md:p-4">
      <p className="mb-2 text-muted">
        {names.length} variables. Only their names are kept, never their values.
      </p>
      <ul
        aria-label="Environment variables"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] gap-x-4 gap-y-1 font-mono text-xs"
      >
        {names.map((name) => (
          <li key={name} className="truncate" title={name}>
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
