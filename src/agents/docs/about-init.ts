// The part of docs/agents.md that no table knows.

export const aboutInit = `# Agents

Generated from \`src/agents\` by \`node scripts/generate-agent-docs.ts\`.

\`holdfast init\` writes the MCP entry of Holdfast ([mcp.md](mcp.md)) into the configuration of every agent it finds: by its directory, or by its program
on PATH. For each file it shows the change, asks \`[y/N]\`, and keeps the file as it was beside it (\`FILE.holdfast-TIME\`).

<!-- agents -->

An agent that is not here and speaks MCP needs the same: the command \`holdfast\` with the argument \`mcp\`.

| option | |
|---|---|
| \`--agent NAME…\` | these, also when they were not found |
| \`--project\` | the files of this project, for everybody who works on it; the entry then names \`holdfast\` alone, not where it is |
| \`--dry-run\` | only show |
| \`-y\`, \`--yes\` | do not ask |
| \`--replace\` | also over another entry named \`holdfast\` |
| \`--remove\` | take the entry out |
| \`--json\` | one object for each file; needs \`--yes\` or \`--dry-run\` |

What it does not do:

- **Touch anything else.** Comments, order, line ends and every other byte of a file stay. The new text is read again before it is written: it must have the
  entry, and everything else it had.
- **Show anything else.** Other entries of a file are never printed; values of variables in an entry of our name are not shown either.
- **Guess.** A file that cannot be read is left alone, with its line (AGENT_CONFIG_INVALID); so is one that is written in a way no program should
  change: a map by an alias, a TOML entry that is no table of its own.
- **Replace** another entry named \`holdfast\` unasked (AGENT_ENTRY_DIFFERS). What you added to ours, a timeout or a list of allowed tools, is yours: it counts
  as up to date and stays also when the rest is replaced.
- **Write without a yes.** Where nobody can be asked it changes nothing and ends with 4 (CONFIRMATION_REQUIRED).
- **Overwrite** what an agent wrote meanwhile (AGENT_CONFIG_CHANGED).

A second run has nothing to do. Modes of files stay, symbolic links are followed, new files are yours alone. The entry names Node and Holdfast by whole paths, because
an editor knows neither your shell's PATH nor its Node; with \`HOLDFAST_HOME\` set, it also names that home. When either moves: \`holdfast init --replace\`.
`;
