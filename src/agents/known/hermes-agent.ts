import { plainEntry, type Agent } from "../agent.ts";

export const hermesAgent: Agent = {
  name: "hermes-agent",
  title: "Hermes Agent",
  format: "yaml",
  form: { path: ["mcp_servers"], entry: plainEntry },
  file: { directory: ".hermes", names: ["config.yaml"] },
  directories: [".hermes"],
  programs: ["hermes"],
  afterwards: "start Hermes again.",
  sources: ["https://hermes-agent.nousresearch.com/docs/user-guide/features/mcp"],
  notes: ["Needs its MCP support, which its standard installer brings."],
};
