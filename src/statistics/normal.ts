/** The standard normal distribution. */

/** Below it, by Marsaglia's series near the middle and a continued fraction in the tails; exact to some 1e-15. */
export function normalBelow(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (z > 6) return 1 - tail(z);
  if (z < -6) return tail(-z);
  let term = z;
  let sum = z;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum) && odd < 400; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + sum * density(z);
}

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** Above a large z. */
function tail(z: number): number {
  let fraction = z;
  for (let level = 60; level > 0; level -= 1) fraction = z + level / fraction;
  return density(z) / fraction;
}

/** The z below which a share of the distribution lies: halved until nothing is left to halve. */
export function normalQuantile(share: number): number {
  if (share <= 0) return Number.NEGATIVE_INFINITY;
  if (share >= 1) return Number.POSITIVE_INFINITY;
  // By symmetry always in the lower tail, where the smallest shares keep all their digits.
  if (share > 0.5) return -normalQuantile(1 - share);
  let [low, high] = [-40, 0];
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
