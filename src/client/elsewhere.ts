/** The other host that a redirect leads to: it answers whatever arrives there with success. */
import { type Around, type Counterpart, type Script, startCounterpart } from './counterpart.ts';

/** Another host: by its address where this machine has one, by its name elsewhere. */
export async function startElsewhere(
  items: readonly string[],
  common: Omit<Script, 'answers'>,
  around: Around,
): Promise<{ readonly server: Counterpart; readonly base: string }> {
  const body = JSON.stringify({ items: items.map((title) => ({ title })), status: 'SUCCEEDED' });
  const script = { ...common, answers: [{ status: 200, body }] };
  try {
    const server = await startCounterpart(script, around, '127.0.0.2');
    return { server, base: `http://127.0.0.2:${server.port}` };
  } catch {
    const server = await startCounterpart(script, around);
    return { server, base: `http://localhost:${server.port}` };
  }
}
