import { describe, expect, it } from 'vitest';
import type { SourceBehaviour } from '../model/ask.ts';
import { seeded } from '../random.ts';
import { createRegistry, tokenOf } from './registry.ts';
import { mostHead, readRequest } from './request-reader.ts';

const registry = (random = () => 0.5) =>
  createRegistry({
    random,
    base: () => 'http://a:1',
    refusedBase: () => 'http://a:2',
    body: '{"t":"{{token}}","again":"{{token}}"}',
    contentType: 'application/json',
  });

describe('the registry', () => {
  it('hands out addresses that nobody else has, also with dull chance', () => {
    const { plant } = registry(() => 0);
    const tokens = Array.from({ length: 200 }, () => plant('ok', 'ok').token);
    expect(new Set(tokens).size).toBe(200);
    expect(tokens.every((token) => /^acornacorn[0-9]*$/.test(token))).toBe(true);
  });

  it('gives a part of them short names without digits', () => {
    const { plant } = registry(seeded(7));
    const tokens = Array.from({ length: 200 }, () => plant('ok', 'ok').token);
    const short = tokens.filter((token) => /^[a-z]{6,11}$/.test(token));
    expect(short.length).toBeGreaterThan(50);
    expect(tokens.filter((token) => /^[a-z]+[0-9]{4,}$/.test(token) && token.length >= 13).length).toBe(
      200 - short.length,
    );
  });

  it('hands out the same ones for the same seed', () => {
    expect(registry().plant('ok', 'ok')).toEqual(registry().plant('ok', 'ok'));
  });

  it('makes addresses, refused ones elsewhere', () => {
    const { plant } = registry();
    const ok = plant('ok', 'ok');
    expect(ok).toEqual({
      slot: 'ok',
      behaviour: 'ok',
      token: ok.token,
      url: expect.stringMatching(new RegExp(`^http://a:1/[a-z]+/(?:(?:[a-z]+|\\d+)/)?(?:[a-z]+-)?${ok.token}$`)),
    });
    expect(plant('broken', 'refused').url).toMatch(/^http:\/\/a:2\/[a-z]+\//);
  });

  it('counts who comes', () => {
    const { plant, visit, reached, strangers } = registry();
    const [one, two, gone] = [plant('ok', 'ok'), plant('ok2', 'reset'), plant('broken', 'refused')];
    for (const target of [`/s/2020/${one.token}`, `${one.url}?a=b`, `/s/2020/${one.token}/`, `/s/2020/${two.token}`])
      visit(target);
    for (const target of [
      '/',
      '/robots.txt',
      '/s/2020/',
      '/s/2020/unknown',
      `/s/2020/${one.token}x`,
      `/x/s/2020/${one.token}`,
    ]) {
      expect(visit(target)).toMatchObject({ kind: 'page', status: 404 });
    }
    expect(visit(`/s/2020/${gone.token}`)).toMatchObject({ status: 404 });
    expect([one, two, gone].map((each) => reached(each.token))).toEqual([3, 1, 0]);
    expect(reached('unknown')).toBe(0);
    expect(strangers()).toBe(7);
  });

  it('keeps what was heard of a source, within bounds for a caller that asks without end', () => {
    const { plant, hear, heard } = registry();
    const { token, url } = plant('ok', 'ok');
    for (let time = 0; time < 9; time += 1) hear(url, `${time} ${'x'.repeat(9000)}`);
    expect(heard(token).map((text) => text.slice(0, 2))).toEqual(['0 ', '1 ', '2 ', '3 ']);
    expect(heard(token)[0]).toHaveLength(8192);
    const others = Array.from({ length: 600 }, () => plant('ok', 'ok'));
    for (const each of others) hear(each.url, 'x'.repeat(9000));
    const all = [token, ...others.map((each) => each.token)].flatMap(heard).join('').length;
    expect(all).toBeGreaterThan(3_900_000);
    expect(all).toBeLessThan(4_010_000);
    hear('/nowhere', 'x');
    expect(heard('nowhere')).toEqual([]);
  });

  it('stretches a page without changing what it means', () => {
    const { plant, answerFor } = registry();
    const { token } = plant('ok', 'long');
    const answer = answerFor(token);
    const body = answer?.kind === 'page' ? answer.body : '';
    expect(body.length).toBeGreaterThan(65_536);
    expect(JSON.parse(body)).toEqual({ t: token, again: token });
  });

  it('says what each behaviour does, without counting', () => {
    const { plant, answerFor, reached } = registry();
    const answers = (
      ['ok', 'status-500', 'cut-off', 'slow', 'endless', 'reset', 'garbage', 'refused'] as SourceBehaviour[]
    ).map((behaviour) => {
      const { token } = plant('x', behaviour);
      const answer = answerFor(token);
      expect(reached(token)).toBe(0);
      if (behaviour === 'ok') {
        const body = `{"t":"${token}","again":"${token}"}`;
        expect(answer).toEqual({ kind: 'page', status: 200, contentType: 'application/json', body });
      }
      return answer?.kind;
    });
    expect(answers).toEqual(['page', 'page', 'cut-off', 'silence', 'blanks', 'reset', 'garbage', undefined]);
  });

  it('finds tokens', () => {
    expect(tokenOf('/s/2020/abc')).toBe('abc');
    expect(tokenOf('http://x:1/s/2020/abc#d')).toBe('abc');
    for (const same of [
      '/s/2020/abc/',
      '/s/2020/abc?a=1',
      '/./s/2020/abc',
      '/x/../s/2020/abc',
      '//s//2020//abc',
      '/%73/2020/%61bc',
      '/s/2020/abc;v=1',
      '/s/2020/ABC',
      '/s/abc',
      '/s/20201/abc',
      '/s/t/u-abc',
    ])
      expect(tokenOf(same)).toBe('abc');
    for (const odd of ['', '/', '/s/2020', '/s/2020/', '/s/2020/a%20b', '/s/2020/a.json', 's/2020/abc', '/s/20/abc'])
      expect(tokenOf(odd)).toBeUndefined();
  });
});

describe('readRequest', () => {
  const read = (text: string) => readRequest(text);

  it('takes one request at a time', () => {
    const first = read('\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nConnection: Close\r\n\r\n');
    expect(first).toMatchObject({ kind: 'request', request: { method: 'GET', target: '/a', keepsAlive: true } });
    const second = first.kind === 'request' ? read(first.rest) : first;
    expect(second).toMatchObject({ kind: 'request', request: { target: '/b', keepsAlive: false }, rest: '' });
  });

  it('reports the line before the head is complete', () => {
    expect(read('GET /a HT')).toEqual({ kind: 'more' });
    expect(read('GET /a HTTP/1.1\r\nHost')).toEqual({ kind: 'more', line: { method: 'GET', target: '/a' } });
  });

  it.each([
    ['GET / HTTP/1.0\r\n\r\n', false],
    ['POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc', false],
    ['POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n', false],
    ['GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n', true],
    ['GET / HTTP/1.1\nHost: x\n\n', true],
    ['GET / HTTP/1.1\r\n\r\n', true],
  ])('%j keeps alive: %j', (text, keepsAlive) => {
    expect(read(text)).toMatchObject({ request: { keepsAlive } });
  });

  it('does not read nonsense, nor without end', () => {
    for (const odd of ['hello\r\n', 'GET /\r\n', 'GET / HTTP/2\r\n', '\x16\x03\x01\n', 'a'.repeat(mostHead + 1)]) {
      expect(read(odd)).toEqual({ kind: 'nonsense' });
    }
    expect(read(`GET / HTTP/1.1\r\nA: ${'a'.repeat(mostHead)}`)).toEqual({ kind: 'nonsense' });
  });
});
