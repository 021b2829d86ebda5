/** The binomial distribution, by the incomplete beta function, so that samples of millions cost no more than ten. */

/** The chance of at most this many hits in this many draws. */
export function binomialAtMost(hits: number, draws: number, chance: number): number {
  if (hits < 0) return 0;
  if (hits >= draws) return 1;
  return incompleteBeta(1 - chance, draws - hits, hits + 1);
}

/** The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges fast on this side of the mean only.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

const tiny = 1e-300;
const away = (value: number): number => (Math.abs(value) < tiny ? tiny : value);

function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 20_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const change = d * c;
    result *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return result;
}

/** Stirling's series, after the argument was lifted to where it is exact. */
function logGamma(value: number): number {
  let lifted = value;
  let product = 1;
  while (lifted < 15) {
    product *= lifted;
    lifted += 1;
  }
  const square = 1 / (lifted * lifted);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / lifted;
  return (lifted - 0.5) * Math.log(lifted) - lifted + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product);
}
