/**
 * `touchstone load` as a child process, with a program in the place of k6 that does what k6 might do at its worst. What k6
 * itself does is in k6.test.ts.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { listening } from '../../http/testing.ts';
import { readRunFile } from '../../runfile/read.ts';
import { thisOwner } from '../../target/owner.ts';
import { isRunning, patience, place, soon, unstalled } from '../testing.ts';

const { folder, touchstone, file } = place();
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const key = 'vk_live_canary0123456789';

/** A service that gives back what it is given. */
const echo: RequestListener = (request, response) => {
  let text = '';
  request.on('data', (bytes) => {
    text += bytes;
  });
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ items: [JSON.parse(text === '' ? '{}' : text)], status: 'OK' }));
  });
};

async function service(listener: RequestListener = echo): Promise<string> {
  const server = createServer(listener);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

const profile = file(
  'load.yaml',
  `address: http://127.0.0.1:1
keys: { main: "\${env:API_KEY}" }
actors: { echo: { name: relay, input: { message: "{{nonce}}" } } }
load: { latency: { p50: 1s }, errors: 50% }
`,
);

/** A script that says it is k6 2.2.0 and then does this. `$KEYS` are what it was given. */
function k6(name: string, does: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nif [ "$1" = version ]; then echo '{"version":"v2.2.0"}'; exit; fi\n${does}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Sends so many samples in an instant: slot, and 20 ms a slot. */
const samples = (count: number, more = '200 +') =>
  `i=0; while [ $i -lt ${count} ]; do echo "~0 0 $i $((i * 20)).5 1.5 ${more}"; i=$((i + 1)); done`;

let outputs = 0;
async function load(args: readonly string[], how: Parameters<typeof touchstone>[1] = {}) {
  outputs += 1;
  const output = `out-${outputs}`;
  const ended = await unstalled(() =>
    touchstone(['load', ...args, '-p', profile, '-o', output], { ...how, env: { API_KEY: key, ...how?.env } }),
  );
  const written = existsSync(join(folder, output)) ? readdirSync(join(folder, output)) : [];
  const name = written.find((each) => each.endsWith('.jsonl'));
  return { ...ended, written, run: name === undefined ? undefined : readRunFile(join(folder, output, name)) };
}

const short = ['--warm-up', '1s', '--duration', '2s'];

describe('a k6 that', () => {
  test('does what it should: valid, thresholds met, exit code 0', patience, async () => {
    const { code, out, run } = await load(['latency', await service(), ...short, '--k6', k6('good', samples(151))]);
    expect(out).toMatch(/^VALID {2}latency of http/);
    expect(out).toContain('latency.p50 ≤ 1s: met');
    expect(code).toBe(0);
    expect(run?.measurements?.[0]).toMatchObject({ id: 'latency', achieved: { intended: 100, begun: 100 } });
  });

  test('writes what else was asked for, and says its verdict once', patience, async () => {
    const { code, out, written } = await load([
      'latency',
      await service(),
      ...short,
      '--k6',
      k6('good', samples(151)),
      '--format',
      'console,junit,html',
    ]);
    expect(code).toBe(0);
    expect(out.match(/^VALID/gm)).toHaveLength(1);
    expect(written).toEqual(expect.arrayContaining(['junit.xml', 'report.html', 'load-latency.jsonl']));
  });

  test.each<[string, string, RegExp, number]>([
    [
      'crashes in the middle',
      `${samples(100)}; echo 'panic: oh no' >&2; exit 109`,
      /INVALID: generator[\s\S]*itself crashed \(a panic\): panic: oh no/,
      3,
    ],
    ['does not like its options', 'echo "bad option" >&2; exit 104', /rejects its options: bad option/, 3],
    ['fails in the script', 'echo "TypeError: x"; exit 107', /the script failed: TypeError: x/, 3],
    ['fails in every iteration and ends well', 'echo "GoError: no such thing"', /GoError: no such thing/, 3],
    ['is killed', `${samples(100)}; kill -KILL $$`, /ended by SIGKILL/, 3],
    ['leaves slots out', samples(120), /30 requests of 100 were never sent/, 3],
    [
      'has a clock that is set forward in the middle',
      `${samples(75)}; i=75; while [ $i -lt 151 ]; do echo "~0 0 $i $((i * 20 + 3600000)).5 1.5 200 +"; i=$((i + 1)); done`,
      /INVALID: generator[\s\S]*began late/,
      3,
    ],
    ['meets a limiter', samples(151, '429'), /INVALID: limiter[\s\S]*100 answers were 429/, 3],
    [
      "gets other people's answers",
      samples(151, '200 !items of another request'),
      /INVALID: wrong answers[\s\S]*items of another request/,
      3,
    ],
    ['gets no answers', samples(151, '0 e1212'), /INVALID: wrong answers[\s\S]*connection refused/, 3],
    ['says nonsense', `${samples(151)}; head -c 100000 /dev/zero; echo; echo "~x y z"`, /^VALID/, 0],
  ])('%s', patience, async (name, does, says, exitCode) => {
    const { code, out, err } = await load([
      'latency',
      await service(),
      ...short,
      '--k6',
      k6(name.replaceAll(/\W/g, '-'), does),
    ]);
    expect(out, err).toMatch(says);
    expect(code).toBe(exitCode);
    // An invalid measurement prints no headline number.
    if (exitCode !== 0) expect(out).not.toMatch(/^ *p\d\d /m);
  });

  test('misses a threshold: exit code 1', patience, async () => {
    const tight = file('tight.yaml', readFileSync(join(folder, profile), 'utf8').replace('p50: 1s', 'p50: 1ms'));
    const args = [
      'load',
      'latency',
      await service(),
      ...short,
      '--k6',
      k6('slow', samples(151)),
      '-p',
      tight,
      '-o',
      'tight',
    ];
    const { code, out } = await touchstone(args, { env: { API_KEY: key } });
    expect(out).toMatch(/latency\.p50 ≤ 1ms: missed, 1\.5 ms/);
    expect(code).toBe(1);
  });
});

test(
  'the key is in a file for its owner alone: never in arguments, environment, output or what is written',
  patience,
  async () => {
    const spy = k6(
      'spy',
      `echo "$*" > ${folder}/told; env >> ${folder}/told; echo "said: $(cat "$API_KEYS_FILE")"; exit 107`,
    );
    mkdirSync(join(folder, 'tmp'));
    const env = { TMPDIR: join(folder, 'tmp') };
    const { out, err, run } = await load(['latency', await service(), ...short, '--k6', spy], { env });
    expect(out + err + JSON.stringify(run)).not.toContain(key);
    expect(readFileSync(join(folder, 'told'), 'utf8')).toContain('BASE_URL=http');
    expect(readFileSync(join(folder, 'told'), 'utf8')).not.toContain(key);
    expect(out).toContain('said: «secret»');
    const told = k6(
      'teller',
      `echo "$(ls -l "$API_KEYS_FILE" | cut -c1-10) $K6_NO_USAGE_REPORT $K6_AUTO_EXTENSION_RESOLUTION"; exit 107`,
    );
    expect((await load(['latency', await service(), ...short, '--k6', told])).out).toContain('-rw------- true false');
    expect(readdirSync(env.TMPDIR).filter((each) => each.startsWith('touchstone-'))).toEqual([]);
  },
);

describe('a k6 that does not listen', () => {
  /** Sends two seconds of samples, and then neither ends nor minds an interrupt. */
  const stubborn = (name: string) =>
    k6(name, `trap '' INT; echo $$ > ${join(folder, name)}.pid; ${samples(100)}; exec sleep 300`);
  const isGone = (name: string): Promise<boolean> =>
    soon(() => !isRunning(Number(readFileSync(join(folder, `${name}.pid`), 'utf8'))));
  const long = ['--warm-up', '500ms', '--duration', '60s'];

  test('is ended by the first interrupt all the same, and what there is is reported', patience, async () => {
    const args = ['latency', await service(), ...long, '--k6', stubborn('deaf')];
    const { code, out, run } = await load(args, { interruptAt: ['/s of '] });
    expect(code).toBe(130);
    expect(out).toContain('it was interrupted');
    expect(run?.footer?.interrupted).toBe(true);
    expect(run?.measurements?.[0]?.interrupted).toBe(true);
    expect(await isGone('deaf')).toBe(true);
  });

  test('is killed by the second one at once', patience, async () => {
    const args = ['latency', await service(), ...long, '--k6', stubborn('deafer')];
    const { code, out } = await load(args, { interruptAt: ['/s of ', 'Interrupted'] });
    expect(code).toBe(130);
    expect(out).toBe('');
    expect(await isGone('deafer')).toBe(true);
  });
});

describe('where there is no k6', () => {
  test('asking for k6 without having it: exit code 5, and the ways to get it', patience, async () => {
    const { code, err } = await load(['latency', await service()]);
    expect(code).toBe(5);
    expect(err).toMatch(
      /latency needs k6 2\.x, which was not found[\s\S]*touchstone tools install k6[\s\S]*TOUCHSTONE_K6/,
    );
  });

  test('one that is too old is named', patience, async () => {
    const old = join(folder, 'old');
    writeFileSync(old, "#!/bin/sh\necho 'k6 v0.49.0'\n");
    chmodSync(old, 0o755);
    const { code, err } = await load(['latency', await service(), '--k6', old]);
    expect(code).toBe(5);
    expect(err).toContain('its version is 0.49.0, and 2.x is needed');
  });

  test('without a scenario: a smoke test, and a note about it', patience, async () => {
    const { out, err, run } = await load([await service(), '--duration', '1s', '--warm-up', '250ms']);
    expect(err).toContain('k6 was not found, so this is a smoke test with autocannon');
    expect(out).toMatch(/smoke of http:/);
    expect(run?.measurements?.[0]).toMatchObject({ engine: { name: 'autocannon', model: 'closed' }, from: 'sending' });
    expect(run?.measurements?.[0]?.answers.wrong).toBe(0);
  });
});

describe('a service that', () => {
  const smoke = (address: string) => load(['smoke', address, '--duration', '1s', '--warm-up', '250ms']);

  test('closes each connection is refused to autocannon, with the reason', patience, async () => {
    const { code, err } = await smoke(
      await service((request, response) => {
        response.setHeader('Connection', 'close');
        echo(request, response);
      }),
    );
    expect(code).toBe(2);
    expect(err).toMatch(/Connection: close.*autocannon then loses requests/);
  });

  test('is not there: exit code 4', patience, async () => {
    const { code, out, run } = await load(['smoke', 'http://127.0.0.1:1']);
    expect(code).toBe(4);
    expect(out).toContain('NOT REACHABLE');
    expect(run?.footer?.unreachable).toBeDefined();
  });

  test.each<[string, RequestListener, RegExp]>([
    ['answers garbage', (_, response) => response.end('<html>'), /an answer that is not JSON/],
    [
      'refuses the key',
      (_, response) => {
        response.statusCode = 401;
        response.end('{}');
      },
      /it was answered 401/,
    ],
    [
      'answers with items of others',
      (_, response) => response.end('{"items":[{"message":"x"}],"status":"OK"}'),
      /items of another request/,
    ],
  ])('%s: nothing is measured', patience, async (_, listener, says) => {
    const { code, err } = await smoke(await service(listener));
    expect(err).toMatch(says);
    expect(code).toBe(2);
  });

  test('packs every answer: no answer is called wrong', patience, async () => {
    const address = await service((request, response) => {
      let text = '';
      request.on('data', (bytes) => {
        text += bytes;
      });
      request.on('end', () => {
        response.setHeader('Content-Encoding', 'gzip');
        response.end(gzipSync(JSON.stringify({ items: [JSON.parse(text)], status: 'OK' })));
      });
    });
    const { out, err, run } = await load(['smoke', address, '--duration', '1s']);
    expect(run?.measurements?.[0]?.latencies.ok.count, out + err).toBeGreaterThan(0);
    expect(run?.measurements?.[0]?.answers).toMatchObject({ wrong: 0 });
  });

  test('answers 429 to all: the limiter was measured', patience, async () => {
    const { code, out } = await smoke(
      await service((_, response) => {
        response.statusCode = 429;
        response.setHeader('Retry-After', '1');
        response.end('{}');
      }),
    );
    expect(out).toMatch(/^INVALID: limiter/);
    expect(out).not.toMatch(/^ *p\d\d /m);
    expect(code).toBe(3);
  });

  /** Measured again, it starts again: with the request that is looked at before anything is measured. */
  const counting = (listener: (served: number, text: string, response: ServerResponse) => void): Promise<string> => {
    let served = 0;
    return service((request, response) => {
      let text = '';
      request.on('data', (bytes) => {
        text += bytes;
      });
      request.on('end', () => {
        served = text.includes('preflight') ? 1 : served + 1;
        listener(served, text, response);
      });
    });
  };
  const answer = (text: string, response: ServerResponse): void => {
    response.end(`{"items":[${text}],"status":"OK"}`);
  };

  test('stops in the middle', patience, async () => {
    const { code, out, err } = await smoke(
      await counting((served, text, response) => {
        if (served > 500) response.socket?.destroy();
        else answer(text, response);
      }),
    );
    expect(out, err).toMatch(/^INVALID: [\s\S]*the service closed connections instead of answering/);
    expect(code).toBe(3);
  });

  test('begins to mix up its answers', patience, async () => {
    let kept = '';
    const { out, err } = await smoke(
      await counting((served, text, response) => {
        if (served <= 50) kept = text;
        answer(kept, response);
      }),
    );
    expect(out, err).toMatch(/^INVALID: wrong answers[\s\S]*items of another request/);
  });
});

describe('mistakes', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['rate 0', ['--rate', '0'], /more than 0/],
    ['a negative rate', ['--rate', '-5'], /more than 0/],
    ['a rate of 10⁹', ['--rate', '1000000000'], /at most 100000/],
    ['a rate beyond the cap', ['--rate', '5000'], /more than the 1000 allowed/],
    ['no duration', ['--duration', '0'], /Expected a duration/],
    ['too long', ['--duration', '11m'], /600 s are allowed/],
    ['a process that is not there', ['--target-pid', '4194000'], /no such process/],
    ['another machine', ['latency', 'http://192.0.2.1'], /this machine only/],
    ['longer than may be', ['--max-duration', '11m'], /660 s, but only 600 s are allowed/],
    [
      'a schedule that cannot go on',
      ['spike', 'http://127.0.0.1:1', '--until', 'valid'],
      /one schedule.*latency, soak, mixed/,
    ],
  ])('%s', patience, async (_, args, says) => {
    const { code, err, run } = await load([
      ...(args[0]!.startsWith('--') ? ['latency', 'http://127.0.0.1:1'] : []),
      ...args,
      '--k6',
      k6('any', 'exit 0'),
    ]);
    expect(err).toMatch(says);
    expect(code).toBe(2);
    expect(run).toBeUndefined();
  });

  test('an unknown scenario is answered with the nearest', patience, async () => {
    expect((await load(['latncy'])).err).toContain('latency');
  });

  test(
    'two loads into one folder: the second is refused, and what is left of a dead one is not in the way',
    patience,
    async () => {
      mkdirSync(join(folder, 'shared'));
      const args = [
        'load',
        'smoke',
        await service(),
        '--duration',
        '1s',
        '--warm-up',
        '250ms',
        '-p',
        profile,
        '-o',
        'shared',
      ];
      writeFileSync(join(folder, 'shared/.load.lock'), thisOwner());
      const second = await touchstone(args, { env: { API_KEY: key } });
      expect(second.err).toContain(`another load (process ${process.pid})`);
      expect(second.code).toBe(2);
      writeFileSync(join(folder, 'shared/.load.lock'), thisOwner().replace(/_\d+_/, '_4194000_'));
      const third = await touchstone(args, { env: { API_KEY: key } });
      expect(third.out).toMatch(/smoke of/);
      expect(existsSync(join(folder, 'shared/.load.lock'))).toBe(false);
    },
  );

  test('a disk that is full: what was measured is no result, and is said not to be', patience, async () => {
    mkdirSync(join(folder, 'full'));
    symlinkSync('/dev/full', join(folder, 'full/load-smoke.jsonl'));
    const args = [
      'load',
      'smoke',
      await service(),
      '--duration',
      '1s',
      '--warm-up',
      '250ms',
      '-p',
      profile,
      '-o',
      'full',
    ];
    const { code, err } = await touchstone(args, { env: { API_KEY: key } });
    expect(err).toContain('no space is left on the disk');
    expect(code).toBe(3);
  });

  test('a place that cannot be written to', patience, async () => {
    const { code, err } = await touchstone(['load', 'smoke', await service(), '-p', profile, '-o', '/proc/none'], {
      env: { API_KEY: key },
    });
    expect(err).toContain('Choose another place with `--output`');
    expect(code).toBe(2);
  });
});
