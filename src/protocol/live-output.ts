// The output of one process while it comes.

export type LiveOutput =
  | {
      readonly kind: "data";
      readonly offset: number;
      readonly bytes: Uint8Array;
      readonly stream: "stdout" | "stderr";
      /** Wall clock, milliseconds since 1970. */
      readonly at: number;
    }
  | { readonly kind: "missing"; readonly from: number; readonly to: number; readonly why: "dropped" | "gap" }
  | { readonly kind: "resized"; readonly offset: number; readonly columns: number; readonly rows: number }
  /** The last one: the process has ended and nothing more can come. */
  | { readonly kind: "end"; readonly next: number };
