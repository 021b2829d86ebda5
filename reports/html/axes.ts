/** Places on a picture: round numbers for its axes, and a number in few characters. */

/** From nothing up to at least `most`, in at most six steps of 1, 2 or 5 times a power of ten. */
export function ticks(most: number): readonly number[] {
  if (!(most > 0) || !Number.isFinite(most)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(most / 5));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => most / each <= 6) ?? 10 * power;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** With so many digits as a picture has room for. */
export const short = (value: number): string => String(Number(value.toPrecision(3)));
