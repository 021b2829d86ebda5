/** What a run has written down so far, in memory and into its file. */
import type { Exchange } from '../model/exchange.ts';
import type { FoundLimit } from '../model/limit-model.ts';
import type { PlannedRule, Run, RunFooter, RunHeader, RunRecord, Step } from '../model/run.ts';
import type { Finding } from '../model/verdict.ts';
import type { Written } from '../verdict/sweeping.ts';

export class Ledger {
  readonly exchanges = new Map<number, Exchange>();
  readonly steps: Step[] = [];
  readonly #limits: FoundLimit[] = [];
  readonly #byRule = new Map<string, Step[]>();
  readonly #findings = new Map<string, Finding>();
  readonly #write: (record: RunRecord) => void;
  /** The header comes first in the file, but the plan is known only after some questions: they wait here. */
  #early: Exchange[] | undefined = [];
  #sealed = false;
  /** A full disk may be met while a rule asks, where every error is the rule's: it ends the run at the next step at the latest. */
  #failed: unknown;
  header: RunHeader | undefined;

  constructor(write: (record: RunRecord) => void = () => {}) {
    this.#write = (record) => {
      if (this.#failed !== undefined) throw this.#failed;
      try {
        write(record);
      } catch (error) {
        this.#failed = error;
        throw error;
      }
    };
  }

  open(header: RunHeader): void {
    this.header = header;
    this.#write(header);
    for (const exchange of this.#early ?? []) this.#write({ type: 'exchange', exchange });
    this.#early = undefined;
  }

  /** What was given up at its deadline may still hear an answer. All is judged from what had come until now, and nothing comes after a footer. */
  seal(): void {
    this.#sealed = true;
  }

  exchange(exchange: Exchange): void {
    if (this.#sealed) return;
    this.exchanges.set(exchange.id, exchange);
    if (this.#early === undefined) this.#write({ type: 'exchange', exchange });
    else this.#early.push(exchange);
  }

  step(step: Step): void {
    this.steps.push(step);
    const own = this.#byRule.get(step.rule);
    if (own === undefined) this.#byRule.set(step.rule, [step]);
    else own.push(step);
    this.#write(step);
  }

  get written(): Written {
    return { exchanges: this.exchanges, steps: this.steps, profile: this.header?.profile ?? {} };
  }

  stepsOf(rule: string): readonly Step[] {
    return this.#byRule.get(rule) ?? [];
  }

  finding(finding: Finding): void {
    this.#findings.set(finding.rule, finding);
    this.#write({ type: 'finding', finding });
  }

  limit(limit: FoundLimit): void {
    this.#limits.push(limit);
    this.#write({ type: 'limit', limit });
  }

  has(rule: string): boolean {
    return this.#findings.has(rule);
  }

  /** In the order of the plan. */
  findings(planned: readonly PlannedRule[]): Finding[] {
    return planned.flatMap((each) => this.#findings.get(each.rule) ?? []);
  }

  close(header: RunHeader, footer: RunFooter): Run {
    this.#write(footer);
    const { exchanges, steps } = this;
    return { header, findings: this.findings(header.planned), exchanges, steps, limits: this.#limits, footer };
  }
}
