// A difference of two paired shares, with Tango's interval (1998).

/** Tango's z of "the shares differ by `shift`". */
function tangoScore(b, c, n, shift) {
  const first = (2 * n - b + c) * shift - b - c;
  const room = shift * (1 - shift);
  const root = Math.sqrt(Math.max(0, first * first + 8 * n * c * room));
  const q = first <= 0 ? (root - first) / (4 * n) : (2 * c * room) / (root + first);
  const variance = n * (2 * q + room);
  const above = b - c - n * shift;
  return variance > 0 ? above / Math.sqrt(variance) : above ? Math.sign(above) * Infinity : 0;
}

function lowerShare(b, c, n, quantile) {
  let low = -1;
  let high = (b - c) / n;
  if (tangoScore(b, c, n, low) <= quantile) return low;
  for (let i = 0; i < 70; i++) {
    const middle = (low + high) / 2;
    if (tangoScore(b, c, n, middle) > quantile) low = middle;
    else high = middle;
  }
  return high;
}

/** Tango's interval (1998). */
export const tangoEnds = (wins, losses, n, z) => [lowerShare(wins, losses, n, z), -lowerShare(losses, wins, n, z)];
