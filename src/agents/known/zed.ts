import { plainEntry, type Agent } from "../agent.ts";

export const zed: Agent = {
  name: "zed",
  title: "Zed",
  format: "json",
  form: { path: ["context_servers"], entry: plainEntry },
  file: { directory: ".config/zed", names: ["settings.json"], xdg: true },
  directories: [".config/zed"],
  programs: ["zed", "zeditor"],
  afterwards: "nothing: Zed reads the file anew; the agent panel's settings show it.",
  sources: ["https://zed.dev/docs/ai/mcp", "https://zed.dev/docs/configuring-zed"],
  notes: [
    "Zed hands its servers on to external agents over ACP.",
    "The terminals of an external agent can be Holdfast's as well: [acp.md](../acp.md).",
  ],
};
