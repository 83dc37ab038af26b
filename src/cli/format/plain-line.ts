// One line of output as a person would have seen it: without escapes, and with what was redrawn left out.

const escapes =
  // eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
  /\u001b\[[0-?]*[ -/]*(?:[@-~]|$)|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[ -/]*[0-~]|\u001b/g;
// eslint-disable-next-line no-control-regex -- what is left of them is to go
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function plainLine(text: string): string {
  // A program that draws over its line returns to its beginning; the last drawing is the one that stayed.
  const drawn =
    text
      .replaceAll(escapes, "")
      .split("\r")
      .findLast((part) => part !== "") ?? "";
  return eraseBackwards(drawn).replaceAll(controls, "");
}

function eraseBackwards(text: string): string {
  if (!text.includes("\b")) return text;
  const kept: string[] = [];
  for (const character of text) {
    if (character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}
