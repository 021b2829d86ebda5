// Pictures of load, by uPlot, in the colours of the page.
{
  /** @typedef {{ name: string, x: 'seconds' | 'percent', unit: string, series: { label: string, tone: string, dashed?: true }[], data: (number | null)[][] }} Chart */
  /** @type {any} uPlot, which is in a script before this one. */
  const UPlot = /** @type {any} */ (globalThis).uPlot;
  /** @type {Chart[]} */
  const charts = JSON.parse(document.getElementById('charts')?.textContent ?? '[]');
  /** @type {{ plot: any, place: HTMLElement }[]} */
  let drawn = [];

  /** 2 is 99 %. @param {number} nines */
  const percent = (nines) => `${Number((100 - 100 / 10 ** nines).toPrecision(2 + Math.ceil(nines)))} %`;
  /** @param {string} name */
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  /** A colour as the page computes it, which a canvas understands. @param {string} name */
  const resolved = (name) => {
    const probe = document.createElement('span');
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found || colour(name);
  };

  /** @param {Chart} chart @param {number} width */
  const optionsOf = (chart, width) => {
    const axis = { stroke: resolved('muted'), grid: { stroke: resolved('line'), width: 1 }, ticks: { show: false } };
    const isPercent = chart.x === 'percent';
    const ofPercent = {
      splits: () => [0, Math.log10(2), 1, 2, 3, 4, 5],
      values: (/** @type {any} */ _, /** @type {number[]} */ places) => places.map(percent),
    };
    return {
      width,
      height: 240,
      padding: [12, 28, 0, 0],
      scales: { x: { time: false } },
      legend: { live: true },
      axes: [
        { ...axis, size: 36, ...(isPercent ? ofPercent : {}) },
        { ...axis, size: 64, label: chart.unit, labelSize: 20 },
      ],
      series: [
        {
          label: isPercent ? 'share' : 'second',
          ...(isPercent
            ? { value: (/** @type {any} */ _, /** @type {number | null} */ at) => (at === null ? '–' : percent(at)) }
            : {}),
        },
        ...chart.series.map(({ label, tone, dashed }) => ({
          label,
          stroke: resolved(tone),
          width: 1.5,
          spanGaps: false,
          points: { show: chart.data[0].length < 60 },
          ...(dashed ? { dash: [6, 4] } : {}),
        })),
      ],
    };
  };

  const draw = () => {
    for (const { plot } of drawn) plot.destroy();
    drawn = [...document.querySelectorAll('.chart')].flatMap((place) => {
      const chart = charts.find(({ name }) => place instanceof HTMLElement && name === place.dataset.chart);
      if (!(place instanceof HTMLElement) || chart === undefined) return [];
      return [{ plot: new UPlot(optionsOf(chart, place.clientWidth || 640), chart.data, place), place }];
    });
  };
  draw();
  document.addEventListener('theme', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  addEventListener('resize', () => {
    for (const { plot, place } of drawn) plot.setSize({ width: place.clientWidth || 640, height: 240 });
  });
}
