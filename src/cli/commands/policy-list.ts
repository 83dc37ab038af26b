import { Command } from "commander";
import type { GrantView, PolicyList } from "../../protocol/policy.ts";
import type { Cli } from "../context.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";

interface Options extends JsonOption {
  readonly profile?: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell the policy of a profile: its rules in their order, and what was lifted or granted.")
    .option("--profile <profile>", "of this profile");
  return withJson(command).action(async ({ profile, json }: Options) => {
    const client = await cli.client();
    const policy = await client.policy.list(given({ profile }));
    if (json === true) cli.printJson(policy);
    else cli.print(render(cli, policy));
  });
}

function render(cli: Cli, policy: PolicyList): string {
  const { columns, paint } = cli;
  const rows: Cell[][] = [
    ...policy.rules.map(({ name, decision, command }) => [
      { text: decision },
      { text: name },
      { text: command },
    ]),
    ...policy.protect.map(({ path, access, decision }) => [
      { text: decision },
      { text: "protect" },
      { text: access === "write" ? `${path} (changes)` : `${path} (any use)` },
    ]),
    [{ text: policy.sudo }, { text: "sudo" }, { text: "what runs as another user" }],
    [{ text: policy.opaque }, { text: "opaque" }, { text: "what is only known at run time" }],
    [{ text: policy.default }, { text: "default" }, { text: "everything else" }],
  ];
  const whose =
    policy.from === null
      ? `Nothing is configured for profile "${policy.profile}": everything is allowed.`
      : `Profile "${policy.profile}"${policy.from === policy.profile ? "" : `, by the policy of "${policy.from}"`}:`;
  const table =
    policy.from === null
      ? []
      : [renderTable({ headings: ["DECISION", "RULE", "FOR"], rows, columns, paint })];
  const grants =
    policy.grants.length === 0
      ? []
      : [
          renderTable({
            headings: ["GRANT", "SESSION", "RULE", "BY", "UNTIL"],
            rows: policy.grants.map(grantCells),
            columns,
            paint,
          }),
        ];
  return [whose, ...table, ...grants].join("\n");
}

export function grantCells({ id, session, rule, by, expiresAt }: GrantView): Cell[] {
  return [
    { text: id },
    { text: session ?? "every session" },
    { text: rule ?? "everything that asks" },
    { text: by },
    { text: expiresAt ?? "restored" },
  ];
}
