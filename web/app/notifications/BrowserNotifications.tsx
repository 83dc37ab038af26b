// Asks the browser for leave to show notifications: only when a person presses the button, never by itself.
import { useState } from "react";
import { Button } from "~/ui/Button.tsx";

export function BrowserNotifications() {
  const isSupported = "Notification" in window;
  const [permission, setPermission] = useState(isSupported ? Notification.permission : "denied");
  if (permission === "granted") return null;
  const reason =
    isSupported && permission === "denied" ? "Blocked in the settings of this browser" : undefined;
  return (
    <Button
      disabledReason={isSupported ? reason : "This browser has none"}
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      Notify in the browser
    </Button>
  );
}
