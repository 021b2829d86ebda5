/**
 * Two other copies of the client, next to the one that is judged: on the same machine, with the same folder for temporary files, each
 * with a key and a service of its own. One is answered at once, the other only after the judged one: what copies share by mistake
 * has been written by both of them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileClient } from '../profile/profile-client.ts';
import { type Random, word } from '../random.ts';
import { type Around, startCounterpart } from './counterpart.ts';
import { startProgram } from './program.ts';
import { environmentOf, filled, type Values } from './surroundings.ts';
import type { TrialAround } from './trial.ts';

export interface Company {
  readonly keys: readonly string[];
  end(): Promise<void>;
}

/** No situation that varies in company has so many items. */
const itemsOf = (random: Random): string[] => Array.from({ length: 9 }, () => `by${word(random, 8)}`);

const graceMs = 300;
/** The judged copy has most likely written down its own by then. */
const afterMs = 100;

export async function startCompany(
  { clock, client, guard, owner, strangers, env, random }: TrialAround,
  {
    folder,
    number,
    key,
    answered,
  }: {
    readonly folder: string;
    readonly number: number;
    readonly key: (random: Random) => string;
    /** Resolves when the judged copy has been answered, or has ended. */
    readonly answered: Promise<void>;
  },
): Promise<Company> {
  const around: Around = {
    clock,
    began: 0,
    newId: () => 0,
    redact: (text) => text,
    // Nothing that these send is judged or kept.
    written: () => {},
    seen: () => {},
  };
  const late = answered.then(() => clock.sleep(afterMs));
  const copies = await Promise.all(
    [undefined, late].map(async (held, at) => {
      const body = JSON.stringify({ items: itemsOf(random).map((title) => ({ title })), status: 'SUCCEEDED' });
      const server = await startCounterpart(
        {
          basePath: '',
          answers: [{ status: 200, body }],
          ...(held === undefined ? {} : { held }),
          refuses: false,
          actor: client.actor,
          keepsConnections: false,
        },
        around,
      );
      const own = key(random);
      const file = join(folder, `input-${at + 2}.json`);
      const values = valuesOf(client, server.port, own, file);
      writeFileSync(file, values.input);
      const program = startProgram(
        {
          command: client.command.map((each) => filled(each, values)),
          env: environmentOf(env, client, values, folder),
          folder: client.folder,
          stdin: client.stdin === undefined ? undefined : filled(client.stdin, values),
          mark: `${owner}_client${number}_beside${at + 1}`,
          strangers,
        },
        clock,
        guard,
      );
      return { key: own, program, server };
    }),
  );
  return {
    keys: copies.map(({ key: own }) => own),
    async end() {
      for (const { program, server } of copies) {
        await Promise.race([program.ended, clock.sleep(graceMs)]);
        await program.end(graceMs);
        await server.close();
      }
    },
  };
}

const valuesOf = (client: ProfileClient, port: number, key: string, file: string): Values => ({
  base: `http://127.0.0.1:${port}`,
  key,
  actor: client.actor,
  input: JSON.stringify(client.input),
  input_file: file,
  key_file: `${file}.key`,
});
