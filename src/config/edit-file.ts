// Changes one key in the text of a holdfast.yaml. Order and comments stay: they are their author's.
import { isMap, isNode, isScalar, parseDocument, YAMLMap, type Document, type Node, type Pair } from "yaml";
import { isNothing } from "./config-file.ts";

/**
 * The text with the key changed, or without it for null.
 * Undefined when the text has faults, or is written in a way that only its author can change: with aliases.
 */
export function editConfigText(text: string, path: readonly string[], value: unknown): string | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  if (isNothing(document.contents)) document.contents = null;
  else if (!isMap(document.contents)) return undefined;
  if (value === null) removeKey(document, path);
  else if (!setKey(document, path, value)) return undefined;
  if (isMap(document.contents) && document.contents.items.length === 0) document.contents = null;
  try {
    return render(document, text);
  } catch {
    // The old value had an anchor, and another key is an alias of it.
    return undefined;
  }
}

function setKey(document: Document, path: readonly string[], value: unknown): boolean {
  let depth = 1;
  for (; depth < path.length; depth++) {
    const group: unknown = document.getIn(path.slice(0, depth), true);
    if (group === undefined) break;
    if (isNothing(group)) document.setIn(path.slice(0, depth), groupInPlaceOf(group));
    else if (!isMap(group)) return false;
    // What stood as `{}` would get its keys on one line.
    else if (group.items.length === 0) group.flow = false;
  }
  const before: unknown = document.getIn(path, true);
  const after = document.createNode(value);
  // A new node, not a new value in the old one: the old one may have an anchor that gives other keys their value.
  if (isNode(before)) moveComments(before, after);
  document.setIn(path, undefined);
  document.setIn(path, after);
  return true;
}

/** For a group of which everything is commented out. */
function groupInPlaceOf(nothing: unknown): YAMLMap {
  const group = new YAMLMap();
  if (isScalar(nothing)) group.commentBefore = joinComments(nothing.commentBefore, nothing.comment);
  return group;
}

function moveComments(from: Node, to: Node): void {
  to.comment = from.comment ?? null;
  to.commentBefore = from.commentBefore ?? null;
  if (from.spaceBefore === true) to.spaceBefore = true;
}

/** A group that is left without keys and comments goes too. */
function removeKey(document: Document, path: readonly string[]): void {
  const group: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(group)) return;
  const index = group.items.findIndex(({ key }) => isScalar(key) && key.value === path.at(-1));
  const removed = group.items[index];
  if (removed === undefined) return;
  group.items.splice(index, 1);
  keepCommentAbove(removed, group, index);
  const isBare = !group.comment && !group.commentBefore && group.items.length === 0;
  if (isBare && path.length > 1) removeKey(document, path.slice(0, -1));
}

/** The comment above a key may be about more than the key: it goes to what follows. */
function keepCommentAbove(removed: Pair, group: YAMLMap, index: number): void {
  const comment = isNode(removed.key) ? removed.key.commentBefore : undefined;
  const next = group.items[index]?.key;
  if (isNode(next)) next.commentBefore = joinComments(comment, next.commentBefore);
  else group.comment = joinComments(group.comment, comment);
}

function joinComments(one: string | null | undefined, other: string | null | undefined): string | null {
  return [one, other].filter(Boolean).join("\n") || null;
}

function render(document: Document, text: string): string {
  const indent = /^( {2,8})[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
  // Width 0: no line is folded that its author left long.
  const style = { indent, lineWidth: 0, flowCollectionPadding: !/\{\S/.test(text), nullStr: "" };
  // Ends in one newline; a document of nothing is rendered as several.
  const rendered = document.toString(style).trimEnd().replace(/.$/s, "$&\n");
  return text.includes("\r\n") ? rendered.replaceAll(/\r?\n/g, "\r\n") : rendered;
}
