// Asks the browser for leave to show notifications: only when a person presses the button, never by itself.
import { useState } from "react";
import { Button } from "~/ui/Button.tsx";

export function BrowserNotifications() {
  const isSupported = "Notification" in window;
  const [permission, setPermission] = useState(isSupported ? Notification.permission : "denied");
  if (permission === "granted") return null;
  return (
    <Button
      disabledReason={reasonAgainst(isSupported, permission)}
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      Notify in the browser
    </Button>
  );
}

function reasonAgainst(isSupported: boolean, permission: NotificationPermission): string | undefined {
  // Browsers block it there without asking anybody.
  if (!isSecureContext) return "Browsers allow it only over HTTPS, or on the machine of the daemon";
  if (!isSupported) return "This browser has none";
  return permission === "denied" ? "Blocked in the settings of this browser" : undefined;
}
