/** Requests that must succeed, beside which a refusal proves something. Shared by name, so each is asked once a context. */
import type { Twin } from '../../src/vocabulary.ts';

export const cleanRun: Twin = { name: 'clean-run', ask: ({ run }) => run() };

export const plainRead: Twin = { name: 'read', ask: ({ read }) => read() };

export const plainVerify: Twin = { name: 'verify', ask: ({ verify }) => verify() };
