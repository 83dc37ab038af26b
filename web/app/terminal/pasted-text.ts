// What a person pastes may come from a hostile page: control characters in it would end a bracketed paste, or press keys.

// eslint-disable-next-line no-control-regex -- these are what is taken out; tabs and line ends stay
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export function pastedText(text: string): string {
  return text.replaceAll(controls, "");
}
