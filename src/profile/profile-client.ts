/** A program that calls the service, as the engine of clients takes it. */
import type { Json } from '../model/json.ts';

/** How a program reports one outcome. If both are given, both must match. */
export interface Saying {
  readonly exit?: readonly number[];
  readonly output?: string;
}

export const clientOutcomes = ['complete', 'partial', 'failed'] as const;

export interface ProfileClient {
  readonly command: readonly string[];
  /** Where the command is run, from the folder of the profile. */
  readonly folder: string;
  /** Values and words hold {base}, {key}, {key_file}, {actor}, {input} and {input_file}. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** If omitted: a JSON line with the outcome, or the exit code alone. */
  readonly says?: readonly { readonly outcome: (typeof clientOutcomes)[number]; readonly when: Saying }[];
  /** From its first call on. */
  readonly withinMs: number;
  readonly actor: string;
  readonly input: Json;
}

export const usualClient = {
  env: {
    BASE_URL: '{base}',
    API_KEY: '{key}',
    ACTOR: '{actor}',
    INPUT: '{input}',
    INPUT_FILE: '{input_file}',
  },
  withinMs: 30_000,
  actor: 'web-harvest',
  input: { url: 'https://example.com/list', limit: 5, deep: true },
} as const;
