// Sizes for people.

const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** 0 B, 512 B, 1.5 KiB, 64 MiB. */
export function formatSize(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  const text =
    unit === 0 || amount >= 10 ? String(Math.round(amount)) : amount.toFixed(1).replace(/\.0$/, "");
  return `${text} ${units[unit]}`;
}
