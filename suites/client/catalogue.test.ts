/** The catalogue of clients holds together: every clause has its rule, every situation its reader, every rule its fault. */
import { expect, test } from 'vitest';
import { faultyClients } from '../../fixtures/clients/faults.ts';
import { lawfulClients } from '../../fixtures/clients/lawful.ts';
import { type Clause, isClientObservation } from '../../src/vocabulary.ts';
import { clientClauses } from '../clauses/clients.ts';
import { clauses } from '../clauses/index.ts';
import { clientRules, situations } from './index.ts';

const ids = clientRules.map(({ id }) => id);
const names = new Set(situations.map(({ name }) => name));

test('an identifier names one rule, a name one situation, and there are enough of both', () => {
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(names.size).toBe(situations.length);
  expect(ids.length).toBeGreaterThanOrEqual(24);
});

test('every rule rests on a clause about clients, and every such clause has one rule', () => {
  const kept = clientRules.map(({ clause }) => clause.id);
  expect(kept.toSorted()).toEqual(Object.keys(clientClauses).toSorted());
  for (const rule of clientRules) expect(isClientObservation(rule), rule.id).toBe(rule.clause.level === 'observed');
});

test('no clause about clients has the name or the words of one about services', () => {
  const others = Object.values<Clause>(clauses);
  const same = Object.values<Clause>(clientClauses).filter(({ id, says }) =>
    others.some((other) => other.id === id || other.says === says),
  );
  expect(same).toEqual([]);
});

test('the situations that a rule looks at are there, and each is looked at by a rule of its own', () => {
  const wanted = clientRules.flatMap(({ situations: own }) => own ?? []);
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  expect([...names].filter((name) => !wanted.includes(name))).toEqual([]);
});

test('each rule that can fail has a fault that it alone finds, and says how to fix it', () => {
  const alone = new Set(faultyClients.flatMap(({ kills }) => (kills.length === 1 ? kills : [])));
  for (const rule of clientRules.filter((each) => !isClientObservation(each))) {
    expect(alone.has(rule.id), rule.id).toBe(true);
    expect(rule.fix.length, rule.id).toBeGreaterThan(20);
  }
});

test('faults name rules that there are, and say why they break two sentences', () => {
  expect(faultyClients.flatMap(({ kills }) => kills).filter((id) => !ids.includes(id))).toEqual([]);
  expect(faultyClients.length).toBeGreaterThanOrEqual(40);
  expect(lawfulClients.length).toBeGreaterThanOrEqual(25);
  const unexplained = faultyClients.filter(({ kills, why }) => kills.length > 1 && why === undefined);
  expect(unexplained.map(({ name }) => name)).toEqual([]);
});

test('a situation has answers for whatever is planted in it', () => {
  for (const { name, answers, items } of situations) {
    const words = Array.from({ length: items }, (_, at) => `word-${at}`);
    const given = answers({
      items: words,
      decoys: ['a', 'b', 'c', 'd'],
      elsewhere: 'http://127.0.0.2:1',
      inAnHour: '',
    });
    expect(given.length, name).toBeGreaterThan(0);
  }
});
