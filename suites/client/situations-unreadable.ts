/** What a client meets that says success, and holds no result that can be read to its end. */
import type { Answer, Plant, Situation } from '../../src/vocabulary.ts';
import { brokenOff, failure, ok, page, quick, result, situation } from './answers.ts';

/** As a proxy with a bound sends it on: its length is right, its JSON is not. */
const cutJson = (plant: Plant): Answer => {
  const { body } = result(plant);
  return { status: 200, body: body.slice(0, -Math.floor(body.length / 4)) };
};

/** The list is whole, and how the run ended was still to come: at once, or some letters later. */
const cutBehindItems = (plant: Plant, letters = 0): Answer => {
  const { body } = result(plant);
  return { status: 200, body: body.slice(0, body.lastIndexOf(']') + 1 + letters) };
};

export const unreadableSituations: readonly Situation[] = [
  quick(situation('html-success', 'a 200 that is a page', 0, () => [page(200)])),
  quick(situation('no-items', 'a 200 without `items`', 0, () => [ok({ status: 'SUCCEEDED' })])),
  quick(situation('null-items', 'a 200 whose `items` is `null`', 0, () => [ok({ items: null, status: 'SUCCEEDED' })])),
  quick(
    situation('object-items', 'a 200 whose `items` is an object', 0, () => [
      ok({ items: { first: { id: 1 }, second: { id: 2 } }, status: 'SUCCEEDED' }),
    ]),
  ),
  quick(situation('list-success', 'a 200 whose body is a bare list', 0, () => [ok([{ id: 1 }, { id: 2 }])])),
  quick(situation('error-success', 'a 200 whose body is an error', 0, () => [{ ...failure(500), status: 200 }])),
  quick(situation('cut-json', 'a 200 whose JSON is cut off', 5, (plant) => [cutJson(plant)])),
  quick(
    situation('cut-behind-items', 'a 200 whose JSON is cut off behind its items', 5, (plant) => [
      cutBehindItems(plant, ',"sta'.length),
    ]),
  ),
  quick(
    situation('cut-at-their-end', 'a 200 whose JSON is cut off at the end of its items', 5, (plant) => [
      cutBehindItems(plant),
    ]),
  ),
  quick(
    situation('cut-once', 'a 200 that is cut off behind its items, once, and then a whole one', 5, (plant) => [
      cutBehindItems(plant, ',"sta'.length),
      result(plant),
    ]),
  ),
  quick(
    situation('cut-success', 'answers that are cut off in the middle', 5, (plant) => [
      brokenOff('in-body', result(plant)),
    ]),
  ),
];
