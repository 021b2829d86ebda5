/** What becomes of the key: in its header, once, and nowhere else. */
import {
  clientRule,
  type Exchange,
  pathOf,
  type Reason,
  type SeenTrial,
  showsPlaintext,
} from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { valuesOf, violation } from './looking.ts';
import { all, outputUnseen } from './passing.ts';

const name = 'x-api-key';
/** As the recorder writes the key. */
const isRight = (value: string, { key, passing }: SeenTrial): boolean =>
  passing ? /^(?:vk_(?:live|test)_)?«key»$/.test(plainly(value)) : value === `vk_${key}_«key»`;

const isData = (call: Exchange): boolean => pathOf(call).includes('/v1/') || /run-sync/.test(call.request.target);

/** Of several keys that pass, each has a number. */
const plainly = (text: string): string => text.replaceAll(/«([\w-]+:)?key-(?:\d+|more)»/g, '«$1key»');

const holdsKey = (text: string): boolean => showsPlaintext(plainly(text), 'key');

export const sendsTheKey = clientRule({
  id: 'client.sends-the-key',
  passing: all,
  clause: clauses.clientSendsTheKey,
  judge: (trial) => {
    const calls = trial.calls.filter(isData);
    if (calls.length === 0) return undefined;
    return calls.flatMap((call): Reason[] => {
      const values = valuesOf(call, name);
      if (values.some((value) => value.split(',').some((each) => isRight(each.trim(), trial)))) return [];
      return [
        violation(
          'the key that it was given in X-API-Key',
          values.length === 0 ? 'no X-API-Key' : `X-API-Key: ${values[0]}`,
          call,
        ),
      ];
    });
  },
  fix: 'Send the key as the whole value of `X-API-Key`, with every request, repeated ones too.',
});

export const sendsItOnlyThere = clientRule({
  id: 'client.sends-it-only-there',
  passing: all,
  clause: clauses.clientSendsItOnlyThere,
  judge: ({ calls }) =>
    calls.length === 0
      ? undefined
      : calls.flatMap((call): Reason[] => {
          const { target, headers, body } = call.request;
          const others = headers.filter(
            ([header, value]) => header.toLowerCase() !== name && (holdsKey(value) || holdsKey(decodedBasic(value))),
          );
          return [
            ...(holdsKey(target) ? [violation('a key in X-API-Key only', 'the key in the address', call)] : []),
            ...others.map(([header]) => violation('a key in X-API-Key only', `the key in ${header}`, call)),
            ...(body?.text !== undefined && holdsKey(body.text)
              ? [violation('a key in X-API-Key only', 'the key in the body', call)]
              : []),
          ];
        }),
  fix: 'Take the key out of the query, the body and every other header: logs and proxies keep those.',
});

/** The recorder finds base64 of the key itself everywhere; this covers encodings of the text around it. */
const decodedBasic = (value: string): string => value.replace(/^Basic\s+/i, '');

export const sendsOneKey = clientRule({
  id: 'client.sends-one-key',
  passing: all,
  clause: clauses.clientSendsOneKey,
  judge: (trial) => {
    const calls = trial.calls.filter((call) => valuesOf(call, name).length > 0);
    if (calls.length === 0) return undefined;
    return calls.flatMap((call): Reason[] => {
      const values = valuesOf(call, name);
      if (values.length > 1) return [violation('one X-API-Key', `${values.length} of them`, call)];
      return values[0]!.includes(',') ? [violation('one key in X-API-Key', `a list: ${values[0]}`, call)] : [];
    });
  },
  fix: 'Set the header instead of adding to it, especially on a retry.',
});

export const printsNoKey = clientRule({
  id: 'client.prints-no-key',
  passing: outputUnseen,
  clause: clauses.clientPrintsNoKey,
  judge: ({ ended, calls }) => {
    const where = ended.keyIn.filter((each) => each !== 'arguments');
    return where.map((each) =>
      violation(
        'no key in what it writes',
        each === 'file' ? 'the key in a file that it wrote and left' : `the key in its ${each}`,
        calls[0],
      ),
    );
  },
  fix: 'Mask headers before they are logged, also in debug output, log files and error messages; delete temporary files that hold the key.',
});

export const hidesTheKey = clientRule({
  id: 'client.hides-the-key',
  passing: outputUnseen,
  clause: clauses.clientHidesTheKey,
  given: ({ manner }) =>
    manner.keyInArguments ? 'the profile itself puts {key} into the arguments of the command' : undefined,
  judge: ({ ended, runs }) =>
    runs.length === 0
      ? undefined
      : ended.keyIn.includes('arguments')
        ? [violation('no key in the arguments of a process', 'a process whose arguments hold the key', runs[0])]
        : [],
  fix: 'Pass the key to a child process in an environment variable, standard input or a file: `curl --config -`, not `-H "X-API-Key: …"`.',
});

export const keepsTheKeyHome = clientRule({
  id: 'client.keeps-the-key-home',
  passing: 'what goes to other hosts does not pass here; run `touchstone client`',
  clause: clauses.clientKeepsTheKeyHome,
  situations: ['redirected-302', 'redirected-307'],
  judge: ({ runs, elsewhere }) =>
    runs.length === 0
      ? undefined
      : elsewhere.flatMap((call) =>
          holdsKey(`${call.request.target}\n${call.request.head}\n${call.request.body?.text ?? ''}`)
            ? [
                violation(
                  'no key for another host',
                  `${call.request.method} to the host that the answer named, with the key`,
                  call,
                ),
              ]
            : [],
        ),
  fix: 'Do not follow redirects, or drop X-API-Key when the host changes: HTTP libraries drop Authorization, but not custom headers.',
});

export const checksCertificates = clientRule({
  id: 'client.checks-certificates',
  passing: 'Touchstone listens without TLS here; run `touchstone client`',
  clause: clauses.clientChecksCertificates,
  situations: ['wrong-certificate'],
  judge: ({ calls }) =>
    calls
      .slice(0, 1)
      .map((call) =>
        violation(
          'no request under a certificate that nobody has signed',
          `${call.request.method} ${call.request.target}`,
          call,
        ),
      ),
  fix: 'Leave the verification of certificates on: remove `verify=False`, `InsecureSkipVerify`, `-k` and `rejectUnauthorized: false`.',
});
