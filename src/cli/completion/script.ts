// Completion scripts, made from the commands themselves.
import type { Cli } from "../context.ts";
import { createProgram } from "../program.ts";
import { renderBash } from "./bash.ts";
import { renderFish } from "./fish.ts";
import { outline } from "./outline.ts";
import { renderZsh } from "./zsh.ts";

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish };

export async function completionScript(cli: Cli, shell: keyof typeof renderers): Promise<string> {
  return renderers[shell](outline(await createProgram(cli)));
}
