import { Argument, Command } from "commander";
import type { Cli } from "../context.ts";

export function define(cli: Cli): Command {
  return new Command()
    .description("Print the completion script of a shell.")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const { completionScript } = await import("../completion/script.ts");
      cli.print(await completionScript(cli, shell));
    });
}
