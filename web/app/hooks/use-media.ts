// Whether a media query holds, for what style sheets cannot decide: how much to build.
import { useCallback, useSyncExternalStore } from "react";

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** A phone, or a window as narrow as one. As Tailwind's md. */
export function useIsNarrow(): boolean {
  return useMedia("(max-width: 767px)");
}
