// What a confined command may write and sees: computed here, enforced by its keeper (CONTRACT.md §9).
import { mkdir, realpath, stat } from "node:fs/promises";
import { homedir, tmpdir, userInfo } from "node:os";
import type { Config } from "../../config/index.ts";
import type { Confinement } from "../../keeper/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import type { StartInput } from "../../protocol/process.ts";
import type { ProcessContext } from "../context.ts";
import type { PreparedCommand } from "../shell/shell-sessions.ts";
import {
  commandDoors,
  deviceFiles,
  expandHome,
  isWithin,
  outermost,
  ownFolderIn,
  ownPlaces,
  temporaryPlaces,
} from "./confined-places.ts";

export type ProfileConfinement = Config["confinement"]["profiles"][string];

const nothingConfigured: ProfileConfinement = { require: "never", write: [], hide: [] };

/** A profile without a confinement of its own has that of `default`. */
export function profileConfinement({ confinement }: Config, profile: string): ProfileConfinement {
  return confinement.profiles[profile] ?? confinement.profiles["default"] ?? nothingConfigured;
}

export interface ConfinedStart {
  readonly confinement: Confinement | undefined;
  readonly notes: readonly string[];
}

/** @throws HoldfastError INVALID_ARGUMENT: what is named is not there, or is Holdfast's own */
export async function confineStart(
  context: ProcessContext,
  { confine, owner }: StartInput,
  { cwd, files }: { readonly cwd: string; readonly files: PreparedCommand["files"] },
): Promise<ConfinedStart> {
  if (confine === undefined) return { confinement: undefined, notes: [] };
  const profile = profileConfinement(context.config(), owner.profile);
  const own = await ownHidden(context);
  const hide = await realPaths([
    ...own,
    ...[runtimeDirectory() ?? []].flat(),
    ...commandDoors(userInfo().uid),
    ...profile.hide.map(expandHome),
    ...ownPlaces,
  ]);
  const asked = confine === true ? [] : confine.write.map(expandHome);
  await checkNamed(asked);
  const configured = profile.write.map(expandHome);
  const workspace = configured.length === 0 ? await workspaceOf(cwd, hide) : { path: undefined, notes: [] };
  const named = [...configured, ...asked];
  refuseOwn(await realPaths([...outermost(named), ...asked]), await realPaths(own));
  const temporary = await outsideOf(temporaryPlaces(), hide);
  const places = await realPaths(
    outermost([...named, ...(workspace.path === undefined ? [] : [workspace.path]), ...temporary]),
  );
  const [devices, read, write] = await Promise.all(
    [[...deviceFiles, ...ownPlaces], files.read, files.write].map(realPaths),
  );
  const confinement = { write: [...places, ...(devices ?? []), ...(write ?? [])], hide, show: read ?? [] };
  return { confinement, notes: [confinedNote(places), ...workspace.notes] };
}

/** Those that are there, by their real names. */
async function realPaths(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return [...new Set(found.filter((path) => path !== undefined))];
}

/** All through which somebody could reach this daemon, its launcher, its keepers, or what sessions remember. */
async function ownHidden({ home, shells }: ProcessContext): Promise<string[]> {
  // Made now: what is not there cannot be hidden, and a daemon on a home that became read-only would listen there.
  const outside = ownFolderIn(runtimeDirectory() ?? tmpdir(), userInfo().uid);
  await mkdir(outside, { mode: 0o700 }).catch(() => undefined); // there, or nobody can listen there
  return [home, outside, ...(shells.place === undefined ? [] : [shells.place])];
}

function runtimeDirectory(): string | undefined {
  return process.env["XDG_RUNTIME_DIR"] || undefined;
}

/** Those that do not lie inside what is hidden. */
async function outsideOf(paths: readonly string[], hide: readonly string[]): Promise<string[]> {
  const real = await realPaths(paths);
  return real.filter((path) => !hide.some((hidden) => path !== hidden && isWithin(path, hidden)));
}

async function checkNamed(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (path !== "/" && isThere) continue;
    const why = path === "/" ? "everything may not be writable in a confinement" : `${path} is not there`;
    throw new HoldfastError("INVALID_ARGUMENT", `confine.write: ${why}. Nothing was started.`, {
      details: { path },
      hint: path === "/" ? "Name directories." : "Make it first, or leave it out.",
    });
  }
}

/** A directory that everything lies in is no workspace, and a hidden one does not show by being entered. */
async function workspaceOf(
  cwd: string,
  hide: readonly string[],
): Promise<{ readonly path: string | undefined; readonly notes: readonly string[] }> {
  const path = await realpath(cwd).catch(() => undefined); // its keeper tells why it cannot be entered
  if (path === undefined || hide.some((hidden) => isWithin(path, hidden)))
    return { path: undefined, notes: [] };
  const home = await realpath(homedir()).catch(() => homedir());
  if (!isWithin(home, path)) return { path, notes: [] };
  const note = `${cwd} is not writable for it, because your home directory lies in it: name what may be written (--confine-write, confinement.profiles).`;
  return { path: undefined, notes: [note] };
}

function refuseOwn(places: readonly string[], own: readonly string[]): void {
  const refused = places.find((place) => own.some((hidden) => isWithin(place, hidden)));
  if (refused === undefined) return;
  throw new HoldfastError(
    "INVALID_ARGUMENT",
    `${refused} is a place of Holdfast's own; a confined command cannot have it. Nothing was started.`,
    { details: { path: refused } },
  );
}

function confinedNote(places: readonly string[]): string {
  const where = places.length === 0 ? "nothing" : `only below ${places.join(", ")}`;
  return `Confined: it may write ${where}; everything else is read-only, and Holdfast cannot be reached from it.`;
}
