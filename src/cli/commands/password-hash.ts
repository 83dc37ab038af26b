import { Command } from "commander";
import { hashPassword } from "../../util/password-hash.ts";
import type { Cli } from "../context.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";
import { readSecret } from "../read-secret.ts";

const leastCharacters = 8;

export function define(cli: Cli): Command {
  return new Command()
    .description(
      "Print the hash of a password, for dashboard.users. It is asked for, or read from standard input; nothing keeps it.",
    )
    .action(async () => {
      const password = (await readSecret("Password (not shown): ")).toString();
      if (password.length < leastCharacters)
        throw invalidArgument(
          `The password has fewer than ${leastCharacters} characters.`,
          "Take a longer one; a few words are easy to remember.",
        );
      if (process.stdin.isTTY && (await readSecret("Once more: ")).toString() !== password)
        throw invalidArgument("The two are not the same.", "Type it again.");
      cli.print(await hashPassword(password));
    });
}
