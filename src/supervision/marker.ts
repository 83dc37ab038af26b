// The line by which a unit file says that we wrote it, for which home, and what it was then: a file without it is somebody else's,
// and one whose text does not match it was changed by hand.
import { createHash } from "node:crypto";

export interface Marker {
  readonly version: string;
  readonly home: string;
  /** False: somebody changed the file afterwards. */
  readonly isUntouched: boolean;
}

export interface MarkedText {
  readonly version: string;
  readonly home: string;
  /** What comes after the marker's line. */
  readonly body: string;
}

const pattern = /holdfast-unit version=(\S+) home=(\S+) sha256=([0-9a-f]+)/;
const hashDigits = 16;

export function markerText({ version, home, body }: MarkedText): string {
  return `holdfast-unit version=${encode(version)} home=${encode(home)} sha256=${hashOf(body)}`;
}

/** Undefined when the text is not of ours. */
export function parseMarker(text: string): Marker | undefined {
  const [, version, home, sha256] = pattern.exec(text) ?? [];
  if (version === undefined || home === undefined) return undefined;
  try {
    return {
      version: decodeURIComponent(version),
      home: decodeURIComponent(home),
      isUntouched: hashOf(bodyOf(text)) === sha256,
    };
  } catch {
    return undefined; // no encoding of ours
  }
}

/** The text after the marker's line; what stands before it names only the release. */
export function bodyOf(text: string): string {
  const lines = text.split("\n");
  return lines.slice(lines.findIndex((line) => pattern.test(line)) + 1).join("\n");
}

/** Two hyphens would end a comment in XML. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("--", "%2D%2D");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, hashDigits);
}
