import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { memorySources } from './memory.ts';

const make = () =>
  memorySources({ body: 'item {{token}}', contentType: 'text/plain', random: () => 0.25, clock: systemClock });
const calm = new AbortController().signal;

describe('sources in memory', () => {
  it('gives the body of a working one', async () => {
    const { sources, read } = make();
    const { token, url } = sources.plant('ok', 'ok');
    expect(await read(url, calm)).toBe(`item ${token}`);
    expect(sources.reached(token)).toBe(1);
  });

  it.each(['in-pieces', 'in-chunks'] as const)(
    'gives the body of one that works %s, a moment later',
    async (behaviour) => {
      const { sources, read } = make();
      const { token, url } = sources.plant('ok', behaviour);
      const began = systemClock.now();
      expect(await read(url, calm)).toBe(`item ${token}`);
      expect(systemClock.now() - began).toBeGreaterThan(10);
    },
  );

  it.each([
    ['refused', 'ECONNREFUSED', 0],
    ['reset', 'ECONNRESET', 1],
    ['cut-off', 'ECONNRESET', 1],
    ['garbage', 'HPE_INVALID_CONSTANT', 1],
    ['status-500', 'HTTP_500', 1],
  ] as const)('%s rejects with %s', async (behaviour, code, hits) => {
    const { sources, read } = make();
    const { token, url } = sources.plant('broken', behaviour);
    await expect(read(url, calm)).rejects.toMatchObject({ code });
    expect(sources.reached(token)).toBe(hits);
  });

  it('lets a slow one wait until the reader gives up', async () => {
    const { sources, read } = make();
    const { token, url } = sources.plant('slow', 'slow');
    const controller = new AbortController();
    const reading = read(url, controller.signal);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(sources.reached(token)).toBe(1);
    await expect(read(url, controller.signal)).rejects.toThrow('enough');
    expect(sources.reached(token)).toBe(1);
  });

  it('tells of each bit of an endless one until the reader gives up', async () => {
    const { sources, read } = make();
    const { url } = sources.plant('ok', 'endless');
    const controller = new AbortController();
    let bits = 0;
    const reading = read(url, controller.signal, () => {
      bits += 1;
      if (bits === 3) controller.abort(new Error('enough'));
    });
    await expect(reading).rejects.toThrow('enough');
  });

  it('tells of the beginning of a stalled one, and of nothing else until the reader gives up', async () => {
    const { sources, read } = make();
    const { url } = sources.plant('ok', 'stalled');
    const controller = new AbortController();
    let bits = 0;
    const reading = read(url, controller.signal, () => {
      bits += 1;
    });
    expect(bits).toBe(1);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(bits).toBe(1);
  });

  it('does not know strangers, and nothing once it is closed', async () => {
    const { sources, read } = make();
    const { url } = sources.plant('ok', 'ok');
    await expect(read(url.replace(/.$/, ''), calm)).rejects.toMatchObject({ code: 'HTTP_404' });
    expect(sources.strangers()).toBe(1);
    await sources.close();
    await expect(read(url, calm)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
