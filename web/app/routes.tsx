// Which page answers which address. Pages are loaded when somebody goes there.
import { createBrowserRouter } from "react-router";
import { Shell } from "~/layouts/Shell.tsx";
import { PageError } from "~/layouts/PageError.tsx";
import { NotFound } from "~/pages/NotFound.tsx";

export const router = createBrowserRouter([
  {
    Component: Shell,
    ErrorBoundary: PageError,
    // The frame itself waits for nothing; what a page shows while it loads is the page's own.
    HydrateFallback: () => null,
    children: [
      {
        ErrorBoundary: PageError,
        children: [
          { index: true, lazy: () => import("~/pages/Overview.tsx") },
          { path: "processes", lazy: () => import("~/pages/Processes.tsx") },
          { path: "processes/:id", lazy: () => import("~/pages/Process.tsx") },
          { path: "processes/:id/replay", lazy: () => import("~/pages/Replay.tsx") },
          { path: "terminals", lazy: () => import("~/pages/Terminals.tsx") },
          { path: "notifications", lazy: () => import("~/pages/Notifications.tsx") },
          { path: "*", Component: NotFound },
        ],
      },
    ],
  },
]);
