// Builds the dashboard to dist/web, which the daemon serves. In development the daemon's own listener is behind it.
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: { "~": here("app"), "#client": here("../src/client"), "#protocol": here("../src/protocol") },
  },
  build: {
    outDir: here("../dist/web"),
    emptyOutDir: true,
    target: "es2023",
    // Inlined data: addresses would need a hole in the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
});
