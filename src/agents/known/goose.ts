import type { Agent } from "../agent.ts";

export const goose: Agent = {
  name: "goose",
  title: "goose",
  format: "yaml",
  form: {
    path: ["extensions"],
    entry: ({ command, args, env }) => ({
      name: "holdfast",
      type: "stdio",
      cmd: command,
      args,
      ...(Object.keys(env).length > 0 ? { envs: env } : {}),
    }),
    initial: { description: "A terminal that nothing can lose", enabled: true, timeout: 300 },
  },
  file: { directory: ".config/goose", names: ["config.yaml"], xdg: true },
  directories: [".config/goose"],
  programs: ["goose"],
  afterwards: "start goose again; `goose info -v` shows it.",
  sources: ["https://block.github.io/goose/docs/guides/config-files"],
  notes: [
    "goose has its own `developer` extension with a shell; with both, say in your hints which one to use.",
  ],
};
