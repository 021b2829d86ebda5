/** Requests that must succeed, beside which a refusal proves something. Shared by name, so each is asked once a context. */
import type { Twin } from '../../src/vocabulary.ts';

export const cleanRun: Twin = { name: 'clean-run', ask: ({ run }) => run() };

export const plainRead: Twin = { name: 'read', ask: ({ read }) => read() };

/** Without a key nothing succeeds, but a running service answers. */
export const keylessVerify: Twin = {
  name: 'keyless-verify',
  answered: true,
  ask: ({ verify }) => verify({ key: null }),
};

export const plainVerify: Twin = { name: 'verify', ask: ({ verify }) => verify() };

export const plainList: Twin = { name: 'list', ask: ({ admin }) => admin.list() };
