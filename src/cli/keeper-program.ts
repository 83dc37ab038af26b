// Where the keeper's program is: in the package that this command line is from.
import { join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import { findPackageFile } from "../util/package-file.ts";

/** @throws HoldfastError UNSUPPORTED_PLATFORM */
export function keeperProgram(from: string = import.meta.dirname): string {
  const name = `keeper-${process.platform}-${process.arch}`;
  const path = findPackageFile(join("keeper/build", name), from);
  if (path !== undefined) return path;
  throw new HoldfastError("UNSUPPORTED_PLATFORM", `There is no ${name} in this package.`, {
    details: { name },
  });
}
