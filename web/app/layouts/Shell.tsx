// The frame of every page: navigation, the state of the connection, messages. It follows the daemon for all of them.
import { useEffect } from "react";
import { Bell, LayoutDashboard, ListTree, SquareTerminal } from "lucide-react";
import { NavLink, Outlet, useLocation } from "react-router";
import { setConnection, connection, type Connection } from "~/api/connection.ts";
import { followProcesses } from "~/api/processes.ts";
import { useNotices } from "~/hooks/use-notices.ts";
import { ConnectionBanner } from "~/layouts/ConnectionBanner.tsx";
import { InsecureBanner } from "~/layouts/InsecureBanner.tsx";
import { SignedOut } from "~/layouts/SignedOut.tsx";
import { ThemeMenu } from "~/layouts/ThemeMenu.tsx";
import { showError, Toasts } from "~/ui/toasts.tsx";
import { path } from "~/util/path.ts";
import { useStore } from "~/util/store.ts";

const places = [
  { to: path.overview(), label: "Overview", Icon: LayoutDashboard },
  { to: path.processes(), label: "Processes", Icon: ListTree },
  { to: path.terminals(), label: "Terminals", Icon: SquareTerminal },
  { to: path.notifications(), label: "Notifications", Icon: Bell },
] as const;

export function Shell() {
  const state = useStore(connection);
  const { pathname, search } = useLocation();
  // Without the frame nothing is followed, and so nothing is asked.
  return state === "signed-out" ? <SignedOut next={pathname + search} /> : <Frame state={state} />;
}

function Frame({ state }: { state: Connection }) {
  useEffect(() => {
    const leaving = new AbortController();
    followProcesses(leaving.signal).catch((error: unknown) => {
      if (leaving.signal.aborted) return;
      setConnection("lost");
      showError("The list of processes is no longer followed", error);
    });
    return () => leaving.abort();
  }, []);
  useNotices();
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded focus:bg-raised focus:p-2"
      >
        Skip to content
      </a>
      <nav
        aria-label="Main"
        className="order-last flex shrink-0 justify-around gap-1 border-t border-line bg-surface p-1 md:order-first md:w-44 md:flex-col md:justify-start md:border-t-0 md:border-r md:p-2"
      >
        <p className="hidden px-2 py-2 text-base font-semibold md:block">Holdfast</p>
        {places.map(({ to, label, Icon }) => (
          <NavLink
            key={to}
            to={to}
            end={to === "/"}
            className={({ isActive }) =>
              `flex flex-col items-center gap-0.5 rounded-md px-2 py-1.5 text-xs md:flex-row md:gap-2 md:text-sm ${isActive ? "bg-accent-soft font-medium text-accent" : "text-muted hover:bg-sunken hover:text-text"}`
            }
          >
            <Icon size={18} aria-hidden />
            {label}
          </NavLink>
        ))}
        <div className="hidden md:mt-auto md:block">
          <ThemeMenu />
        </div>
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <InsecureBanner />
        <ConnectionBanner state={state} />
        <main id="main" tabIndex={-1} className="min-h-0 flex-1 overflow-auto outline-none">
          <Outlet />
        </main>
      </div>
      <Toasts />
    </div>
  );
}
