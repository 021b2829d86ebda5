/**
 * What a run made in the service and has not removed yet. Each step goes to the journal first, so that
 * also a run that is killed leaves behind what its keys are removed by.
 */

import type { Journal } from '../model/journal.ts';
import { Secret } from '../model/secret.ts';
import type { Key } from '../model/subject.ts';

/** A key that this run made in the service, until it is revoked again. */
export interface Made {
  readonly name: string;
  readonly key?: Key;
  readonly id?: Secret;
  /** What its record may hold, by which it is found where its answer was lost. */
  readonly mark?: string;
}

/** `0.1` and `0.10` are the same number, and what is long is drawn by lot: neither begins with another record's. */
const countable = /^[\w-]{1,40}$/;

const numbered = /^(.*?)(\d{1,9})$/;
/** As many keys as a run has at a time. */
const near = 100;

const nowhere: Journal = { creating() {}, created() {}, gone() {} };

export class MadeKeys {
  readonly #kept = new Map<string, Made>();
  /** The service was asked to make them, and has not answered yet. */
  readonly #underWay = new Set<string>();
  /** Identifiers of what was removed again, and the keys. */
  readonly #removed = new Set<Secret>();
  readonly #gone: Key[] = [];
  #whenSettled: (() => void)[] = [];
  readonly #journal: Journal;
  /** Whether a text holds any secret of the run. */
  readonly #holdsSecret: (text: string) => boolean;

  constructor(holdsSecret: (text: string) => boolean, journal: Journal = nowhere) {
    this.#holdsSecret = holdsSecret;
    this.#journal = journal;
  }

  get names(): string[] {
    return [...this.#kept.keys()];
  }

  /** Keys that were removed again, in this order. */
  get gone(): readonly Key[] {
    return this.#gone;
  }

  get(name: string): Made | undefined {
    return this.#kept.get(name);
  }

  begin(name: string, tier: string, mark: string): void {
    this.#journal.creating(name, tier, mark);
    this.#kept.set(name, { name, mark });
    this.#underWay.add(name);
  }

  /** Its answer is here. An identifier that is the key itself, or holds it, is kept in memory only. */
  settle(made: Made): void {
    this.#kept.set(made.name, { ...this.#kept.get(made.name), ...made });
    this.#arrived(made.name);
    const id = made.id === undefined ? undefined : Secret.reveal(made.id);
    this.#journal.created(made.name, id === undefined || this.#holdsSecret(id) ? undefined : id);
  }

  drop(name: string): void {
    this.#arrived(name);
    const { id, key } = this.#kept.get(name) ?? {};
    if (id !== undefined) this.#removed.add(id);
    if (key !== undefined) this.#gone.push(key);
    if (this.#kept.delete(name)) this.#journal.gone(name);
  }

  /** An identifier that this run was given before, and that another begins with: they count, and `10` begins with `1`. */
  beginningOf(id: Secret): Secret | undefined {
    const whole = Secret.reveal(id);
    if (!countable.test(whole)) return undefined;
    return [...this.#removed].find((each) => {
      const value = Secret.reveal(each);
      return value !== whole && countable.test(value) && whole.startsWith(value);
    });
  }

  /** One that was removed has the same beginning and a number near to it. */
  isCounted(id: Secret): boolean {
    const [, name, number] = numbered.exec(Secret.reveal(id)) ?? [];
    return [...this.#removed].some((each) => {
      const [, other, its] = numbered.exec(Secret.reveal(each)) ?? [];
      return name !== undefined && other === name && Math.abs(Number(its) - Number(number)) < near;
    });
  }

  /** No answer will arrive: its outcome is unknown, so it stays here and in the journal. */
  lose(name: string): void {
    this.#arrived(name);
  }

  /** Once no answer is pending: cleaning up before that would miss a key. */
  async settled(): Promise<void> {
    if (this.#underWay.size > 0) await new Promise<void>((resolve) => this.#whenSettled.push(resolve));
  }

  #arrived(name: string): void {
    this.#underWay.delete(name);
    if (this.#underWay.size > 0) return;
    for (const resolve of this.#whenSettled) resolve();
    this.#whenSettled = [];
  }

  /** A revocation names the identifier only. */
  dropById(id: Secret | undefined): void {
    for (const { name, id: own } of [...this.#kept.values()]) if (own === id && id !== undefined) this.drop(name);
  }
}
