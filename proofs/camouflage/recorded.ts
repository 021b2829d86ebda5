/** What ten ordinary callers sent, as recorded.json holds it: written by record.ts, and by nobody's hand. */
import { readFileSync } from 'node:fs';

export interface Call {
  /** The how-manieth connection of its client. */
  readonly connection: number;
  /** The request line and all lines of the head; the address stands as `{host}`. */
  readonly head: readonly string[];
  readonly body?: string;
}

export interface RecordedClient {
  readonly client: string;
  /** In the order in which they came. */
  readonly calls: readonly Call[];
}

export const recordedFile = new URL('./recorded.json', import.meta.url);

/** Made up, for the recording. */
export const apiKey = 'vk_live_recorded0123456789';
export const adminToken = 'recorded-token-0123456789';

export const recordedClients = (): readonly RecordedClient[] => JSON.parse(readFileSync(recordedFile, 'utf8'));
