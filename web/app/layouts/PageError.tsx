// A page that broke, or could not be loaded, does not take the frame with it.
import { useRouteError } from "react-router";
import { Failed } from "~/ui/States.tsx";

export function PageError() {
  const error = useRouteError();
  return <Failed error={error} onRetry={() => location.reload()} />;
}
