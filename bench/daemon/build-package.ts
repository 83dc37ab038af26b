// The command line and the daemon, built and laid out as in an installed package: apart from the checkout, so that a
// source edited meanwhile changes nothing of what is measured.
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildCli } from "../../scripts/build-cli.mjs";

const repository = join(import.meta.dirname, "../..");

export async function buildPackage(
  scratch: string,
): Promise<{ readonly daemonProgram: string; readonly cliProgram: string }> {
  const root = join(scratch, "package");
  mkdirSync(root);
  for (const part of ["bin", "package.json", "keeper/build"])
    cpSync(join(repository, part), join(root, part), { recursive: true });
  await buildCli(join(root, "dist"));
  return { daemonProgram: join(root, "dist/daemon/main.mjs"), cliProgram: join(root, "bin/holdfast") };
}
