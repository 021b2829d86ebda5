/** Puts a run together line by line, and holds each line against those that came before. */

import type { Trial } from '../model/client.ts';
import type { Exchange } from '../model/exchange.ts';
import { isObject } from '../model/json.ts';
import type { FoundLimit } from '../model/limit-model.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Run, RunFooter, RunHeader, RunRecord, Step } from '../model/run.ts';
import { runVersion } from '../model/run.ts';
import { type Finding, verdicts } from '../model/verdict.ts';
import { exchangesNamed } from '../verdict/evidence.ts';
import { RunFileError, type RunFileReason } from './problem.ts';
import { renamed } from './renamed.ts';
import { recordShape } from './shape.ts';
import { Sharing } from './sharing.ts';

export class Assembly {
  readonly #source: string;
  readonly #exchanges = new Map<number, Exchange>();
  readonly #sharing = new Sharing();
  readonly #steps: Step[] = [];
  readonly #findings = new Map<string, Finding>();
  readonly #measurements = new Map<string, Measurement>();
  readonly #planned = new Set<string>();
  /** Which exchange is named in which line: looked up at the end, when all are known. */
  readonly #named: { readonly id: number; readonly line: number; readonly by: string }[] = [];
  readonly #limits: FoundLimit[] = [];
  readonly #trials: Trial[] = [];
  #header: RunHeader | undefined;
  #footer: RunFooter | undefined;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  line(text: string, number: number, last: boolean): void {
    this.#at = number;
    const record = this.#recordOf(text, last);
    if (this.#footer !== undefined) this.#refuse('contradiction', 'something follows the footer');
    if (record.type !== 'header' && this.#header === undefined)
      this.#refuse('header-missing', `a ${record.type} precedes the header`);
    if (record.type === 'header') this.#take(record);
    else if (record.type === 'exchange') this.#takeExchange(record.exchange);
    else if (record.type === 'step') this.#takeStep(record);
    else if (record.type === 'trial') this.#takeTrial(record);
    else if (record.type === 'finding') this.#takeFinding(record.finding);
    else if (record.type === 'limit') this.#takeLimit(record.limit);
    else if (record.type === 'measurement') this.#takeMeasurement(record.measurement);
    else this.#footer = record;
  }

  end(): Run {
    const header = this.#header;
    if (header === undefined) throw new RunFileError('empty', 'the run file is empty', this.#source);
    for (const { id, line, by } of this.#named)
      if (!this.#exchanges.has(id))
        throw new RunFileError('dangling', `${by} names exchange ${id}, which is not in the file`, this.#source, line);
    if (this.#footer !== undefined) this.#checkFooter(this.#footer);
    return {
      header,
      // In the order of the plan, as the engine gives them.
      findings: header.planned.flatMap((each) => this.#findings.get(each.rule) ?? []),
      exchanges: this.#exchanges,
      steps: this.#steps,
      limits: this.#limits,
      ...(this.#trials.length === 0 ? {} : { trials: this.#trials }),
      ...(this.#measurements.size === 0 ? {} : { measurements: [...this.#measurements.values()] }),
      ...(this.#footer === undefined ? {} : { footer: this.#footer }),
    };
  }

  #refuse(reason: RunFileReason, says: string): never {
    throw new RunFileError(reason, says, this.#source, this.#at);
  }

  #recordOf(text: string, last: boolean): RunRecord {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if (last && /^\s*\{/.test(text)) this.#refuse('cut-off', 'the file was cut off: its last line is incomplete');
      const why = error instanceof Error ? error.message.replace(/,? ?"[\s\S]*$/, '') : '';
      this.#refuse('not-json', `the line is not JSON${why === '' ? '' : ` (${why})`}`);
    }
    if (!isObject(value) || typeof value.type !== 'string')
      this.#refuse('not-a-run', 'this is not a line of a run file: it has no `type`');
    if (value.type === 'header' && value.version !== 1 && value.version !== runVersion)
      this.#refuse(
        'unknown-version',
        `the run file has version ${JSON.stringify(value.version)?.slice(0, 40)}, and this Touchstone reads versions 1 to ${runVersion}`,
      );
    const record = renamed(value);
    const shaped = recordShape.safeParse(record);
    if (!shaped.success) {
      const { path = [], message = 'it has the wrong form' } = shaped.error.issues[0] ?? {};
      const where = path.map(String).join('.').slice(0, 120);
      this.#refuse('malformed', `the ${value.type.slice(0, 40)} has the wrong form: ${where}: ${message}`);
    }
    // What zod gives back is a copy; the order of a line's members means nothing, but its strings are kept as they are.
    return record as unknown as RunRecord;
  }

  #take(header: RunHeader): void {
    if (this.#header !== undefined) this.#refuse('duplicate', 'there is a second header');
    this.#header = header;
    for (const { rule } of header.planned) {
      if (this.#planned.has(rule)) this.#refuse('duplicate', `the rule ${rule} is planned twice`);
      this.#planned.add(rule);
    }
  }

  #takeExchange(exchange: Exchange): void {
    if (this.#exchanges.has(exchange.id)) this.#refuse('duplicate', `there is a second exchange ${exchange.id}`);
    this.#exchanges.set(exchange.id, this.#sharing.exchange(exchange));
    this.#name(exchange.earlier ?? [], `exchange ${exchange.id}`);
  }

  #takeStep(step: Step): void {
    this.#known(step.rule, 'a step');
    this.#steps.push(step);
    const by = `a step of ${step.rule}`;
    this.#name([...step.exchanges, ...(step.sent ?? [])], by);
    this.#name(step.evidence.flatMap(exchangesNamed), `the evidence of ${by}`);
    if (step.twin !== undefined) this.#name([step.twin], `the twin of ${by}`);
  }

  #takeTrial(trial: Trial): void {
    this.#trials.push(trial);
    this.#name([...trial.exchanges, ...trial.elsewhere], `trial ${trial.number}`);
  }

  #takeFinding(finding: Finding): void {
    this.#known(finding.rule, 'a finding');
    if (this.#findings.has(finding.rule)) this.#refuse('duplicate', `there is a second finding of ${finding.rule}`);
    this.#findings.set(finding.rule, finding);
    const reasons = finding.reasons.flatMap(({ exchange }) => (exchange === undefined ? [] : [exchange]));
    this.#name([...finding.exchanges, ...reasons], `the finding of ${finding.rule}`);
  }

  #takeLimit(limit: FoundLimit): void {
    this.#limits.push(limit);
    this.#name(limit.calls, `the limit of ${limit.caller}`);
  }

  #takeMeasurement(measurement: Measurement): void {
    const { id } = measurement;
    if (this.#measurements.has(id)) this.#refuse('duplicate', `there is a second measurement ${id.slice(0, 80)}`);
    this.#measurements.set(id, measurement);
  }

  #known(rule: string, what: string): void {
    if (!this.#planned.has(rule))
      this.#refuse('contradiction', `${what} is of ${rule.slice(0, 80)}, which the header does not plan`);
  }

  #name(ids: readonly number[], by: string): void {
    for (const id of ids) if (!this.#exchanges.has(id)) this.#named.push({ id, line: this.#at, by });
  }

  #checkFooter(footer: RunFooter): void {
    if (footer.exchanges !== this.#exchanges.size)
      this.#refuse(
        'contradiction',
        `the footer counts ${footer.exchanges} exchanges, but the file has ${this.#exchanges.size}`,
      );
    for (const verdict of verdicts) {
      const there = [...this.#findings.values()].filter((each) => each.verdict === verdict).length;
      if (footer.counts[verdict] !== there)
        this.#refuse(
          'contradiction',
          `the footer counts ${footer.counts[verdict]} × ${verdict}, but the file has ${there}`,
        );
    }
  }
}
