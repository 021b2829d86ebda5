/** Pure: the times and bodies that a run states, compared with each other and with the date. */
import type { Exchange } from '../model/exchange.ts';
import type { Run } from '../model/run.ts';

/** How far the clocks of two machines, or of one before and after it was set, may be apart. */
const clockMs = 24 * 3_600_000;
/** A machine that sleeps stops one clock and not the other. */
const sleptMs = 12 * 3_600_000;
/** A clock is read before what it is read for, or after. */
const slackMs = 50;

/** `since`: the day on which the rule set was frozen. `now`: a date and time. */
export function whyImplausible(name: string, run: Run, since: string, now: string): string[] {
  const { header, footer } = run;
  const [started, ended] = [Date.parse(header.started), Date.parse(footer?.ended ?? '')];
  if (Number.isNaN(started) || Number.isNaN(ended)) return [`${name} does not say when it began and ended`];
  const tookMs = footer?.tookMs ?? 0;
  const apart = ended - started - tookMs;
  return [
    ...(header.started.slice(0, 10) < since
      ? [
          `${name} states that it began on ${header.started.slice(0, 10)}, before set ${header.rules.version} existed (${since})`,
        ]
      : []),
    ...(ended > Date.parse(now) + clockMs ? [`${name} states that it ended in the future, on ${shown(ended)}`] : []),
    ...(apart < -60_000 || apart > sleptMs
      ? [
          `${name} states that it took ${Math.round(tookMs / 1000)} s, but began and ended ${Math.round((ended - started) / 1000)} s apart`,
        ]
      : []),
    ...whyOutOfOrder(run, tookMs).map((says) => `${name}: ${says}`),
    ...[...run.exchanges.values()]
      .flatMap(whyOtherLength)
      .slice(0, 20)
      .map((says) => `${name}: ${says}`),
  ];
}

const shown = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Exchanges are numbered as they end, within the time that the run took. */
function whyOutOfOrder({ header, exchanges }: Run, tookMs: number): string[] {
  // Those of a client are numbered as they arrive, and many trials go on side by side.
  const asTheyEnd = header.client === undefined;
  let latest = 0;
  let due = 1;
  for (const { id, at } of [...exchanges.values()].toSorted((a, b) => a.id - b.id)) {
    if (asTheyEnd && id !== due) return [`exchange ${due} is missing`];
    due += 1;
    if (at.sent < -slackMs || at.end < at.sent || (at.head !== undefined && at.head > at.end))
      return [`exchange ${id} ends before it begins`];
    if (at.end > tookMs + slackMs) return [`exchange ${id} ends after the run has ended`];
    if (asTheyEnd && at.end < latest - slackMs) return [`exchange ${id} ended long before those recorded ahead of it`];
    latest = Math.max(latest, at.end);
  }
  return [];
}

const bodiless = (method: string, status: number): boolean =>
  method === 'HEAD' || status === 204 || status === 304 || status < 200;

/** What a head says about its body's length, and the body that was recorded next to it. */
function whyOtherLength({ id, request, response, failure }: Exchange): string[] {
  if (response === undefined || failure !== undefined || response.body.truncated) return [];
  if (bodiless(request.method, response.status)) return [];
  const values = (wanted: string): string[] =>
    response.headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
  const lengths = values('content-length');
  if (values('transfer-encoding').length > 0 || lengths.length !== 1 || !/^\d{1,15}$/.test(lengths[0]!)) return [];
  const said = Number(lengths[0]);
  const { bytes, coding, text, base64 } = response.body;
  if (said !== bytes) return [`exchange ${id} has a Content-Length of ${said}, but its record counts ${bytes} bytes`];
  const held = text === undefined ? Buffer.from(base64 ?? '', 'base64').length : Buffer.byteLength(text);
  // A secret that was replaced by its name, and a coding that was undone, change how much there is.
  const isWhole = coding === undefined && !response.head.includes('«') && !(text ?? latin1(base64)).includes('«');
  return isWhole && held !== bytes
    ? [`exchange ${id} has a Content-Length of ${said}, but a body of ${held} bytes`]
    : [];
}

const latin1 = (base64 = ''): string => Buffer.from(base64, 'base64').toString('utf8');

/** JSON that reads alike can be written in many ways, with members that stand there twice: the engine writes it in one. */
export function whyRespelled(name: string, bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf(10, from);
    const end = found < 0 ? text.length : found;
    line += 1;
    const one = text.toString('utf8', from, end);
    if (one !== respelled(one))
      return [`${name}:${line} is not formatted as Touchstone writes it: a member may occur twice`];
    from = end + 1;
  }
  return [];
}

function respelled(line: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(line));
  } catch {
    return undefined;
  }
}
