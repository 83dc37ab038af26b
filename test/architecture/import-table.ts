// Which module of src/ may import which. The one source: lint, the architecture test and the table in
// ARCHITECTURE.md all follow this list, and the test fails when one of them does not.

export interface ModuleRule {
  /** Other modules of src/ this one may import. */
  readonly mayImport: readonly string[];
  /** Of those, the ones that are entered through their index.ts only. */
  readonly byIndexOnly: readonly string[];
  /** False where the code must also run in a browser. */
  readonly nodeBuiltins: boolean;
  /** Where it is false: the files that may import node:* all the same, because browsers never load them. */
  readonly nodeFiles: readonly string[];
  /** npm packages, or "any" for every dependency of package.json. */
  readonly packages: readonly string[] | "any";
}

const leaves = ["protocol", "util"];
const foundation = ["config", "keeper", "store"];
const features = [
  "environments",
  "notifications",
  "services",
  "board",
  "terminals",
  "locks",
  "policy",
  "access",
];

function rule(modules: readonly string[], limits: Partial<ModuleRule> = {}): ModuleRule {
  return {
    mayImport: modules,
    byIndexOnly: [],
    nodeBuiltins: true,
    nodeFiles: [],
    packages: "any",
    ...limits,
  };
}

const feature = rule(["processes", "store", "config", "redaction", ...leaves], {
  byIndexOnly: ["processes"],
});

export const importTable: Readonly<Record<string, ModuleRule>> = {
  protocol: rule([], { nodeBuiltins: false, packages: ["zod"] }),
  util: rule([], { packages: [] }),
  config: rule(leaves),
  keeper: rule(leaves),
  store: rule(leaves),
  home: rule(leaves),
  supervision: rule(leaves),
  redaction: rule(leaves),
  processes: rule([...foundation, "redaction", ...leaves]),
  environments: feature,
  notifications: feature,
  services: feature,
  board: feature,
  // keeper: its thread reads the output of terminals where it is, and types answers into them.
  terminals: rule(["processes", "keeper", "store", "config", "redaction", ...leaves], {
    byIndexOnly: ["processes", "keeper"],
  }),
  locks: rule(leaves),
  // Approvals, grants and the audit log are rows of the store; what of a command is told is redacted.
  policy: rule(["store", "config", "redaction", ...leaves]),
  // Who may enter by the network: its sessions and tokens are rows of the store.
  access: rule(["store", "config", ...leaves]),
  operations: rule([...features, "processes", ...foundation, "home", "supervision", "redaction", ...leaves], {
    byIndexOnly: [...features, "processes", ...foundation, "home", "supervision", "redaction"],
  }),
  api: rule(["operations", "access", "protocol"], { byIndexOnly: ["access"] }),
  client: rule(["protocol"], {
    nodeBuiltins: false,
    nodeFiles: ["src/client/node.ts", "src/client/node/**"],
  }),
  mcp: rule(leaves),
  agents: rule(leaves),
  acp: rule(leaves),
  // mcp: `holdfast mcp` serves it as a client of the daemon; the package offers its tools to other SDKs.
  // agents: `holdfast init` writes their configuration files. Not by a door: its parsers are no part of the command line's own file.
  cli: rule(["acp", "agents", "client", "home", "locks", "mcp", "supervision", ...leaves], {
    byIndexOnly: ["home", "locks", "mcp", "supervision"],
  }),
  sdk: rule(["acp", "client", "daemon", "config", "mcp", "protocol"], { byIndexOnly: ["daemon", "config"] }),
  daemon: rule([
    "api",
    "client",
    "mcp",
    "operations",
    ...features,
    "processes",
    ...foundation,
    "home",
    "supervision",
    "redaction",
    ...leaves,
  ]),
};

/** Edges between sibling features, each with its reason. Empty until a feature needs one. */
export const listedEdges: readonly { from: string; to: string; reason: string }[] = [];

/** May a file of module `from` import module `to` at all? */
export function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const listed = listedEdges.some((edge) => edge.from === from && edge.to === to);
  return listed || (importTable[from]?.mayImport.includes(to) ?? false);
}
