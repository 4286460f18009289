// Tails of the normal, chi-squared, F, t and binomial distributions, each as [p, log p]; the logarithm does not
// underflow. Series and continued fractions of the NIST Digital Library of Mathematical Functions (DLMF).

const LN_SQRT_2PI = 0.9189385332046727418;
const LN_PI = 1.1447298858494001741;

/** ln Γ(x) less Stirling's main terms, x ≥ 10 (DLMF 5.11.1). */
function stirlingRest(x) {
  const y = 1 / (x * x);
  return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - (y * 691) / 360360))))) / x;
}

export function logGamma(x) {
  let product = 1;
  while (x < 10) product *= x++;
  return (x - 0.5) * Math.log(x) - x + LN_SQRT_2PI + stirlingRest(x) - Math.log(product);
}

/** ln B(a, b), without the cancellation of three large logarithms. */
function logBeta(a, b) {
  if (a < b) [a, b] = [b, a];
  if (a < 10) return logGamma(a) + logGamma(b) - logGamma(a + b);
  const ratio = stirlingRest(a) - stirlingRest(a + b) - (a - 0.5) * Math.log1p(b / a);
  if (b < 10) return logGamma(b) + ratio - b * Math.log(a + b) + b;
  return ratio + b * Math.log(b / (a + b)) - 0.5 * Math.log(b) + LN_SQRT_2PI + stirlingRest(b);
}

/** first + a₁/(b₁ + a₂/(b₂ + …)) by the modified Lentz algorithm; `term(i)` gives [aᵢ, bᵢ]. */
function continuedFraction(first, term) {
  const tiny = 1e-300;
  let value = first || tiny;
  let c = value;
  let d = 0;
  for (let i = 1; i < 1e5; i++) {
    const [numerator, denominator] = term(i);
    d = 1 / (denominator + numerator * d || tiny);
    c = denominator + numerator / c || tiny;
    value *= c * d;
    if (Math.abs(c * d - 1) < 3e-16) break;
  }
  return value;
}

const both = (log) => [Math.exp(log), log];
const complement = (q) => [1 - q, Math.log1p(-q)];

/** erfc(x), x ≥ 0, as [value, logarithm] (DLMF 7.6.2 and 7.9.3). */
function complementaryError(x) {
  if (x === Infinity) return [0, -Infinity];
  if (x < 1.5) {
    let term = x;
    let total = x;
    for (let i = 1; Math.abs(term) > 1e-18 * total; i++) total += term *= (2 * x * x) / (2 * i + 1);
    return complement((2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total);
  }
  return both(-x * x - LN_PI / 2 - Math.log(continuedFraction(x, (i) => [i / 2, x])));
}

/** P(|Z| ≥ |z|). */
export const normalTwoSided = (z) => complementaryError(Math.abs(z) / Math.SQRT2);

/** P(Z ≥ z). */
export function normalTail(z) {
  const [p, log] = normalTwoSided(z);
  return z >= 0 ? [p / 2, log - Math.LN2] : complement(p / 2);
}

/** P(X ≥ x) of the chi-squared distribution (DLMF 8.7.1 and 8.9.2). */
export function chi2Tail(x, df) {
  const a = df / 2;
  const y = Math.max(x, 0) / 2;
  if (y === 0) return [1, 0];
  if (y === Infinity) return [0, -Infinity];
  const front = a * Math.log(y) - y - logGamma(a);
  if (y < a + 1) {
    let term = 1 / a;
    let total = term;
    for (let i = 1; term > 1e-18 * total; i++) total += term *= y / (a + i);
    return complement(Math.min(1, Math.exp(front) * total));
  }
  return both(front - Math.log(continuedFraction(y + 1 - a, (i) => [i * (a - i), y + 2 * i + 1 - a])));
}

/** The regularised incomplete beta function at z = 1/(1 + odds), of which the logarithm of `odds` is given. */
function betaTail(a, b, logOdds) {
  if (logOdds === Infinity) return [0, -Infinity];
  if (logOdds === -Infinity) return [1, 0];
  // ln z and ln(1 − z), both to full precision
  const logZ = logOdds > 0 ? -logOdds - Math.log1p(Math.exp(-logOdds)) : -Math.log1p(Math.exp(logOdds));
  const logW = logOdds > 0 ? -Math.log1p(Math.exp(-logOdds)) : logOdds - Math.log1p(Math.exp(logOdds));
  if (Math.exp(logZ) > (a + 1) / (a + b + 2)) return complement(Math.min(1, betaTail(b, a, -logOdds)[0]));
  const z = Math.exp(logZ);
  const fraction = continuedFraction(1, (i) => {
    const m = i >> 1;
    if (i % 2) return [(-(a + m) * (a + b + m) * z) / ((a + 2 * m) * (a + 2 * m + 1)), 1];
    return [(m * (b - m) * z) / ((a + 2 * m - 1) * (a + 2 * m)), 1];
  });
  return both(a * logZ + b * logW - Math.log(a) - logBeta(a, b) - Math.log(fraction));
}

/** P(|T| ≥ |t|) of Student's distribution. */
export const tTwoSided = (t, df) => betaTail(df / 2, 0.5, 2 * Math.log(Math.abs(t)) - Math.log(df));

/** P(F ≥ x). */
export const fTail = (x, d1, d2) => betaTail(d2 / 2, d1 / 2, Math.log(Math.max(x, 0)) + Math.log(d1) - Math.log(d2));

/** P(Bin(n, ½) ≥ k), by whole numbers up to 1000 trials. */
export function binomialTail(k, n) {
  if (k <= 0) return [1, 0];
  if (k > n) return [0, -Infinity];
  if (n > 1000) return betaTail(k, n - k + 1, 0);
  if (2 * k <= n) return complement(binomialTail(n - k + 1, n)[0]);
  let term = 1;
  let ways = 0;
  for (let i = n; i >= k; i--) {
    ways += term;
    term = (term * i) / (n - i + 1);
  }
  return [ways / 2 ** n, Math.log(ways) - n * Math.LN2];
}

/** The x ≥ 0 at which the falling `logTail` reaches the logarithm of p, by bisection. */
function upperPoint(logTail, p) {
  const goal = Math.log(p);
  let low = 0;
  let high = 1;
  while (logTail(high) > goal) [low, high] = [high, 2 * high];
  for (let i = 0; i < 200 && high - low > 2e-16 * high; i++) {
    const middle = (low + high) / 2;
    if (logTail(middle) > goal) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** z with P(Z ≥ z) = p, p ≤ 1/2. */
export const normalQuantile = (p) => upperPoint((z) => normalTail(z)[1], p);

/** t with P(T ≥ t) = p, p ≤ 1/2. */
export const tQuantile = (p, df) => upperPoint((t) => tTwoSided(t, df)[1] - Math.LN2, p);

/** Twice one tail of a symmetric distribution, at most 1. */
export const bothSides = ([p, log]) => [Math.min(1, 2 * p), 2 * p > 0.5 ? Math.min(0, Math.log(2 * p)) : Math.LN2 + log];
