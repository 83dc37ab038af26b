// Shares are told in thousandths: finer ones would make every row another one, every time.
export function roundShare(share: number): number {
  return Math.max(0, Math.round(share * 1_000) / 1_000);
}
