import { expect, test } from 'vitest';
import type { Run } from '../src/vocabulary.ts';
import { hostileRun } from './html/testing.ts';
import { junitReport } from './junit.ts';
import { hostile, measurementOf, sampleRun, sampleWith, waivedRun } from './testing.ts';

const read = (run: Run) => {
  const xml = junitReport(run);
  const root = parseXml(xml);
  expect(junitFaults(root)).toEqual([]);
  const cases = casesOf(root);
  const names = cases.map(({ attributes }) => attributes.name);
  expect(new Set(names).size, 'GitLab keeps the first of a name only').toBe(names.length);
  const of = (rule: string) => cases.find(({ attributes }) => attributes.name?.startsWith(rule));
  return { xml, root, cases, of, kind: (rule: string) => of(rule)?.children[0]?.name };
};

test('each verdict is what its readers take it for, and only what passed is green', () => {
  const { of, kind, root } = read(sampleRun);
  expect(of('auth.run-without-key')?.children).toEqual([]);
  expect(kind('auth.run-with-invalid-key')).toBe('failure');
  expect(kind('auth.header-name-case')).toBe('system-out');
  expect(kind('verify.tier-as-declared')).toBe('skipped');
  expect(of('verify.tier-as-declared')?.children[0]?.attributes.message).toContain('no key declares its tier');
  expect(kind('upstream.timeout')).toBe('skipped');
  expect(of('upstream.timeout')?.children[0]?.text).toContain('got 503');
  expect(kind('run.success-shape')).toBe('error');
  expect(kind('run.complete')).toBeUndefined();
  const upstream = root.children.find(({ attributes }) => attributes.name === 'touchstone.upstream');
  const properties = upstream?.children[0]?.children.map(({ attributes }) => [attributes.name, attributes.value]);
  expect(properties).toContainEqual(['touchstone.inconclusive', 'upstream.timeout']);
});

test('a failure carries its proof, and nothing that a service said leaves its element', () => {
  const { of, xml } = read(sampleRun);
  const failure = of('auth.run-with-invalid-key')?.children[0];
  expect(failure?.attributes.message).toContain('expected 401');
  expect(failure?.text).toContain('reproduce: curl');
  expect(failure?.text).toContain('Only for a truncated key on a kept connection, seen 3 of 5 times');
  expect(hostile).toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(xml).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(xml).not.toContain('[[ATTACHMENT');
});

test('warnings fail under --strict', () => {
  const { kind } = read({ ...sampleRun, header: { ...sampleRun.header, strict: true } });
  expect(kind('auth.header-name-case')).toBe('failure');
});

test('a run that did not come to its end has an erroneous case that says so', () => {
  const { footer, ...footless } = sampleRun;
  const runs: Record<string, Run> = {
    'The run ended early': footless,
    INTERRUPTED: { ...sampleRun, footer: { ...footer!, interrupted: true } },
    'Nobody listens': { ...sampleRun, findings: [], footer: { ...footer!, unreachable: 'Nobody listens.' } },
    'got no verdict': { ...sampleRun, findings: sampleRun.findings.slice(0, 1) },
    'No rule was judged': sampleWith(['verify.tier-as-declared']),
  };
  for (const [says, run] of Object.entries(runs)) {
    const { of, kind } = read(run);
    expect(kind('run.complete'), says).toBe('error');
    if (says !== 'got no verdict') expect(of('run.complete')?.children[0]?.text).toContain(says);
  }
});

test('a run whose only trouble is a skip is not green', () => {
  const { kind, of } = read(sampleWith(['auth.run-without-key', 'upstream.timeout']));
  expect(kind('upstream.timeout')).toBe('skipped');
  expect(of('run.complete')?.children[0]?.text).toContain('INCOMPLETE');
});

test('what is waived is a skip that says by whom, with what failed', () => {
  const { of, kind } = read(waivedRun);
  const skipped = of('auth.run-with-invalid-key')?.children[0];
  expect(kind('auth.run-with-invalid-key')).toBe('skipped');
  expect(skipped?.attributes).toMatchObject({ type: 'waived' });
  expect(skipped?.attributes.message).toContain('fail, waived by ann@example.org until 2027-01-31: fixed in 2.1 (#12)');
  expect(skipped?.text).toContain('expected 401');
  expect(of('verify.tier-as-declared')?.children[0]?.attributes.message).toContain('waived by ann');
});

test('load: validity and thresholds are cases; what is not known is skipped', () => {
  const thresholds = [
    { name: 'p99', demanded: '5 ms', came: '4 ms', outcome: 'met' },
    { name: 'errors', demanded: '0 %', came: '1 %', outcome: 'missed' },
    { name: 'admitted', demanded: '9', outcome: 'unknown' },
  ] as const;
  const empty = { ...sampleRun, header: { ...sampleRun.header, planned: [] }, findings: [] };
  const { kind } = read({ ...empty, measurements: [measurementOf({ thresholds })] });
  expect(
    ['the measurement is valid', 'p99', 'errors', 'admitted'].map((name) => kind(`load.latency: ${name}`)),
  ).toEqual([undefined, undefined, 'failure', 'skipped']);
  expect(kind('run.complete')).toBeUndefined();
  const reasons = [{ cause: 'generator', says: 'It was slow.', change: 'Use another machine.' }] as const;
  const invalid = read({
    ...empty,
    measurements: [measurementOf({ thresholds, validity: { verdict: 'invalid', reasons } })],
  });
  expect(invalid.kind('load.latency: p99'), 'figures that mean nothing are not green').toBe('skipped');
});

test('a hostile service: well-formed, with unique names, even if rules differ only in their first words', () => {
  const { xml, cases } = read(hostileRun());
  expect(cases.length).toBeGreaterThan(400);
  expect(xml).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
  expect(xml).not.toMatch(/time=""|\[\[ATTACHMENT/i);
  // GitLab cuts a name after 255 characters.
  const names = cases.map(({ attributes }) => attributes.name?.slice(0, 255));
  expect(new Set(names).size).toBe(names.length);
});

// A small and strict XML reader, and the parts of the Jenkins JUnit schema (junit-10.xsd) that a report uses.

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const token = /<\?xml[^>]*\?>|<\/([\w.-]+)>|<([\w.-]+)((?:\s+[\w.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (text: string): string => {
  if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(text))
    throw new Error('a forbidden character');
  if (text.includes(']]>')) throw new Error('`]]>` in text');
  return text.replaceAll(/&([^;]*);?/g, (whole, name: string) => {
    const character = entities[name];
    if (character === undefined || !whole.endsWith(';')) throw new Error(`not an entity: ${whole}`);
    return character;
  });
};

function parseXml(xml: string): Element {
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  let at = 0;
  while (at < xml.length) {
    token.lastIndex = at;
    const match = token.exec(xml);
    if (match === null) throw new Error(`not XML at ${at}: ${xml.slice(at, at + 40)}`);
    at = token.lastIndex;
    const [, closing, opening, attributes = '', selfClosing, text] = match;
    const here = stack.at(-1)!;
    if (text !== undefined) here.text += decoded(text);
    else if (closing !== undefined) {
      if (here.name !== closing) throw new Error(`</${closing}> ends <${here.name}>`);
      stack.pop();
    } else if (opening !== undefined) {
      const element: Open = { name: opening, attributes: {}, children: [], text: '' };
      for (const [, name = '', value = ''] of attributes.matchAll(/([\w.-]+)="([^"]*)"/g)) {
        if (name in element.attributes) throw new Error(`${name} twice`);
        element.attributes[name] = decoded(value);
      }
      here.children.push(element);
      if (selfClosing === '') stack.push(element);
    }
  }
  if (stack.length > 1) throw new Error(`<${stack.at(-1)?.name}> is not ended`);
  const [only] = root.children;
  if (only === undefined || root.children.length > 1) throw new Error('one root is wanted');
  return only;
}

interface Shape {
  readonly needs: readonly string[];
  readonly may: readonly string[];
  readonly holds: readonly string[];
}

const shapes: Record<string, Shape> = {
  testsuites: { needs: [], may: ['name', 'time', 'tests', 'failures', 'errors'], holds: ['testsuite'] },
  testsuite: {
    needs: ['name', 'tests'],
    may: ['failures', 'errors', 'skipped', 'time', 'timestamp', 'hostname', 'id', 'package', 'file'],
    holds: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  properties: { needs: [], may: [], holds: ['property'] },
  property: { needs: ['name', 'value'], may: [], holds: [] },
  testcase: {
    needs: ['name'],
    may: ['time', 'classname', 'group'],
    holds: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  skipped: { needs: [], may: ['type', 'message'], holds: [] },
  error: { needs: [], may: ['type', 'message'], holds: [] },
  failure: { needs: [], may: ['type', 'message'], holds: [] },
  'system-out': { needs: [], may: [], holds: [] },
};

/** Every departure from the schema; and counts that are not what is there. */
function junitFaults(element: Element, faults: string[] = []): string[] {
  const shape = shapes[element.name];
  if (shape === undefined) return [...faults, `<${element.name}> is unknown`];
  const names = Object.keys(element.attributes);
  for (const need of shape.needs) if (!names.includes(need)) faults.push(`${element.name} lacks ${need}`);
  for (const name of names)
    if (!shape.needs.includes(name) && !shape.may.includes(name)) faults.push(`${element.name} has ${name}`);
  const { time, timestamp } = element.attributes;
  if (time !== undefined && !/^\d+\.\d{3}$/.test(time)) faults.push(`time ${time}`);
  if (timestamp !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(timestamp))
    faults.push(`timestamp ${timestamp}`);
  if (element.name === 'testsuite' || element.name === 'testsuites') faults.push(...countFaults(element));
  for (const child of element.children) {
    if (!shape.holds.includes(child.name)) faults.push(`<${child.name}> in <${element.name}>`);
    junitFaults(child, faults);
  }
  return faults;
}

const casesOf = (element: Element): Element[] =>
  element.name === 'testcase' ? [element] : element.children.flatMap(casesOf);

function countFaults(element: Element): string[] {
  const cases = casesOf(element);
  const holding = (name: string): number =>
    cases.filter((each) => each.children.some((child) => child.name === name)).length;
  const there: Record<string, number> = {
    tests: cases.length,
    failures: holding('failure'),
    errors: holding('error'),
    skipped: holding('skipped'),
  };
  return Object.entries(there).flatMap(([name, count]) => {
    const said = element.attributes[name];
    return said === undefined || said === String(count)
      ? []
      : [`${element.name} says ${name} ${said}, and ${count} are there`];
  });
}
