/** Pure: a finding in the words that a test runner has: passed, skipped, failed, or passed with something to say. */
import type { Exchange } from '../model/exchange.ts';
import type { Run } from '../model/run.ts';
import type { Finding, Reason } from '../model/verdict.ts';

export interface Explained {
  /** `waived`: no pass, and no failure until its waiver ends. */
  readonly is: 'pass' | 'annotation' | 'skip' | 'waived' | 'failure';
  readonly text: string;
  readonly expected?: string;
  readonly actual?: string;
}

const bodyShown = 400;

export function explainFinding(finding: Finding, run: Run): Explained {
  const { verdict, because = '', facts = [], waived } = finding;
  if (waived !== undefined) {
    const { owner, expires, reason } = waived;
    const until = expires === undefined ? '' : ` until ${expires}`;
    return { is: 'waived', text: `${verdict}, waived by ${owner}${until}: ${reason}\n${because || summary(finding)}` };
  }
  switch (verdict) {
    case 'pass':
      return { is: 'pass', text: '' };
    case 'observed':
      return { is: 'annotation', text: facts.join('; ') };
    case 'untested':
    case 'inconclusive':
      return { is: 'skip', text: `${verdict}: ${because}` };
    case 'error':
      return { is: 'failure', text: `a fault of the harness: ${because}` };
    case 'warn':
      return run.header.strict ? failure(finding, run) : { is: 'annotation', text: summary(finding) };
    case 'fail':
      return failure(finding, run);
  }
}

function failure(finding: Finding, run: Run): Explained {
  const [first] = finding.reasons;
  const evidence = first?.exchange === undefined ? undefined : run.exchanges.get(first.exchange);
  return {
    is: 'failure',
    text: [summary(finding), ...(evidence === undefined ? [] : ['', shown(evidence)])].join('\n'),
    ...(first === undefined ? {} : { expected: first.expected, actual: first.came }),
  };
}

function summary({ reasons, where, seen }: Finding): string {
  const place = [where, seen === undefined ? undefined : `seen ${seen.times} of ${seen.of}`].filter(Boolean).join(', ');
  const lines = reasons.map(({ expected, came }: Reason) => `expected ${expected}, came ${came}`);
  return `${lines.join('\n')}${place === '' ? '' : `\n(${place})`}`;
}

function shown(exchange: Exchange): string {
  const { request, response, failure: broken } = exchange;
  const body = response?.body.text ?? '';
  return [
    `> ${request.method} ${request.target}`,
    ...(request.body?.text === undefined ? [] : [`> ${request.body.text.slice(0, bodyShown)}`]),
    response === undefined ? `< no answer: ${broken?.says ?? ''}` : `< ${response.status}`,
    ...(body === '' ? [] : [`< ${body.slice(0, bodyShown)}${body.length > bodyShown ? '…' : ''}`]),
  ].join('\n');
}
