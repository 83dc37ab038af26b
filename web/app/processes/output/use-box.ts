// How large the view of the output is: its height, and how many columns of text fit beside the gutter.
import { useLayoutEffect, useState, type RefObject } from "react";

export interface Box {
  readonly heightPx: number;
  readonly columns: number;
  readonly characterPx: number;
}

// Of the padding at the right of a line and of its coloured edge.
const edgePx = 16;
const fewestColumns = 20;
const usualPx = 7;

/** `probe`: an element of a known number of characters in the font of the output. */
export function useBox(
  scroller: RefObject<HTMLElement | null>,
  probe: RefObject<HTMLElement | null>,
  gutterColumns: number,
): Box {
  const [box, setBox] = useState<Box>({ heightPx: 0, columns: 80, characterPx: usualPx });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const text = probe.current;
      const characterPx =
        text === null ? usualPx : text.getBoundingClientRect().width / (text.textContent ?? "").length;
      const room = Math.floor((element.clientWidth - edgePx) / characterPx) - gutterColumns;
      setBox({ heightPx: element.clientHeight, columns: Math.max(fewestColumns, room), characterPx });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [scroller, probe, gutterColumns]);
  return box;
}
