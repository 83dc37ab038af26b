// Every address of the dashboard, in one place.
export const path = {
  overview: () => "/",
  processes: (search = "") => (search === "" ? "/processes" : `/processes?${search}`),
  process: (id: string) => `/processes/${encodeURIComponent(id)}`,
  /** Its output, at an offset. */
  output: (id: string, offset: number) => `/processes/${encodeURIComponent(id)}?at=${offset}`,
  replay: (id: string) => `/processes/${encodeURIComponent(id)}/replay`,
  terminals: () => "/terminals",
  /** With this process shown as a terminal. */
  terminal: (id: string) => `/terminals?open=${encodeURIComponent(id)}`,
  notifications: () => "/notifications",
} as const;
