import { Link } from "react-router";
import { Empty } from "~/ui/States.tsx";
import { path } from "~/util/path.ts";

export function NotFound() {
  return (
    <Empty title="There is no such page">
      <Link className="text-accent underline" to={path.overview()}>
        Go to the overview
      </Link>
    </Empty>
  );
}
