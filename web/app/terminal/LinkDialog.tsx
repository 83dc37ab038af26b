// Asks before a link from the output of a process opens.
import { askedLink, openAskedLink } from "~/terminal/terminal-links.ts";
import { ConfirmDialog } from "~/ui/ConfirmDialog.tsx";
import { useStore } from "~/util/store.ts";

export function LinkDialog() {
  const address = useStore(askedLink);
  return (
    <ConfirmDialog
      open={address !== undefined}
      onClose={() => askedLink.set(undefined)}
      title="Open this link?"
      action="Open link"
      onConfirm={openAskedLink}
    >
      It comes from the output of a process: <code className="font-mono break-all text-text">{address}</code>
    </ConfirmDialog>
  );
}
