/** k6 out of an image of this machine: a small one that is made here, and what is no such image. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { k6Image as imageOf } from '../../../fixtures/targets/image.ts';
import { dockerMissing } from '../../target/testing.ts';
import { candidates, findK6 } from './find.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-k6-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const missing = dockerMissing();
const patience = { timeout: 120_000 };

const images: string[] = [];
afterAll(() => {
  for (const image of images) execFileSync('docker', ['rmi', '-f', image], { stdio: 'pipe' });
});
/** Its programs are new in each run, so nobody would ask for it again. */
function k6Image(...of: Parameters<typeof imageOf>): string {
  const image = imageOf(...of);
  images.push(image);
  return image;
}

let cacheNumber = 0;
function around(more: Record<string, string>) {
  cacheNumber += 1;
  const { PATH, DOCKER_HOST } = process.env;
  const cache = join(folder, `cache-${cacheNumber}`);
  return { env: { PATH, DOCKER_HOST, XDG_CACHE_HOME: cache, ...more }, home: folder };
}

function program(name: string, version: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho '{"version":"v${version}"}'\n`);
  chmodSync(path, 0o755);
  return path;
}

const containers = (image: string): string =>
  execFileSync('docker', ['ps', '-aq', '--filter', `ancestor=${image}`], { encoding: 'utf8' });

describe('an image that is named', () => {
  let good = '';
  beforeAll(() => {
    if (missing === undefined) good = k6Image(program('good', '2.2.0'));
  }, 120_000);

  test('has its k6 copied out once, and no container is left', patience, async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const here = around({ TOUCHSTONE_K6_IMAGE: good });
    const found = await findK6(here);
    expect(found).toMatchObject({ version: '2.2.0', major: 2 });
    expect(found?.path.startsWith(join(here.env.XDG_CACHE_HOME, 'touchstone/k6/image-'))).toBe(true);
    expect(await candidates(here)).toEqual([{ from: `image ${good}`, path: found?.path, version: '2.2.0' }]);
    expect(readdirSync(join(found!.path, '..'))).toEqual(['k6']);
    expect(containers(good)).toBe('');
  });

  test(
    'but holds another version, or none, or is not here: said, and nothing is pulled',
    patience,
    async ({ skip }) => {
      if (missing !== undefined) return skip(missing);
      const said = async (image: string) => (await candidates(around({ TOUCHSTONE_K6_IMAGE: image })))[0]?.wrong;
      expect(await said(k6Image(program('old', '0.49.0')))).toBe('its version is 0.49.0, and 2.x is needed');
      const elsewhere = k6Image(program('elsewhere', '2.2.1'), '/opt/k6');
      expect(await said(elsewhere)).toMatch(/^it has no k6 at /);
      expect(containers(elsewhere)).toBe('');
      expect(await said('127.0.0.1:1/nobody/k6:2.2.0')).toMatch(
        /does not have that image, and Touchstone never pulls one/,
      );
      expect(await said('--privileged')).toBeDefined();
    },
  );

  test('is not looked at where a k6 is named, nor is anything else where an image is', patience, async () => {
    const named = program('named', '2.2.0');
    expect(await candidates(around({ TOUCHSTONE_K6: named, TOUCHSTONE_K6_IMAGE: 'x' }))).toMatchObject([
      { from: 'TOUCHSTONE_K6' },
    ]);
    mkdirSync(join(folder, 'path'));
    program('path/k6', '2.2.0');
    const onlyImage = around({ PATH: join(folder, 'path'), TOUCHSTONE_K6_IMAGE: 'x' });
    expect(await candidates(onlyImage)).toEqual([
      { from: 'image x', path: 'x', wrong: expect.stringContaining('no container engine answers') },
    ]);
    expect(existsSync(onlyImage.env.XDG_CACHE_HOME)).toBe(false);
  });
});

test('without an engine, and with nothing named, there is simply no k6', patience, async () => {
  const nowhere = around({ PATH: folder, DOCKER_HOST: 'unix:///nowhere' });
  expect(await candidates(nowhere)).toEqual([]);
  expect(await findK6(nowhere)).toBeUndefined();
});

test('the usual image is found by itself, after PATH and cache', patience, async ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  // A docker that says about the usual image what the real one says about ours.
  const ours = k6Image(program('usual', '2.2.0'));
  const wrapped = join(folder, 'wrapped');
  mkdirSync(wrapped);
  const real = execFileSync('sh', ['-c', 'command -v docker'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\nfor each; do shift; case "$each" in grafana/k6:2.2.0) each=${ours};; esac; set -- "$@" "$each"; done\nexec ${real} "$@"\n`;
  writeFileSync(join(wrapped, 'docker'), script);
  chmodSync(join(wrapped, 'docker'), 0o755);
  // On this PATH there is nothing else.
  expect(await candidates(around({ PATH: wrapped }))).toMatchObject([
    { from: 'image grafana/k6:2.2.0', version: '2.2.0' },
  ]);
});
