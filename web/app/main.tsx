// Begins the page: theme before the first paint, then routes, then the stream of events.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router/dom";
import { queryClient } from "~/api/query-client.ts";
import { applyTheme } from "~/hooks/use-theme.ts";
import { router } from "~/routes.tsx";
import "~/main.css";

applyTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
