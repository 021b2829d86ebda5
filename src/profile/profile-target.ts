/** What a run starts by itself, as src/target takes it. */
import type { Secret } from '../model/secret.ts';

/** Null: taken away. `{port}` is still in it. */
export type TargetEnvironment = Readonly<Record<string, Secret | string | null>>;

interface Common {
  readonly env: TargetEnvironment;
  readonly https: boolean;
  readonly ready: {
    /** After the base path. */
    readonly path: string;
    /** If omitted: any below 500. */
    readonly status?: readonly number[];
    readonly withinMs: number;
  };
  readonly stopMs: number;
  readonly restart: boolean | readonly string[];
  /** Undefined: what holds the admin token is omitted, where anything does. */
  readonly second?: false | { readonly env: TargetEnvironment };
  readonly store?: {
    readonly from: { readonly path: string } | { readonly command: readonly string[] };
    readonly service?: string;
    readonly here: boolean;
  };
}

export interface CommandTarget extends Common {
  readonly kind: 'command';
  /** One text where `shell` is true. */
  readonly command: readonly string[];
  readonly shell: boolean;
  readonly folder?: string;
  readonly port?: number;
  readonly portInOutput?: string;
}

export interface ContainerTarget extends Common {
  readonly kind: 'container';
  readonly image: string;
  readonly arguments?: readonly string[];
  /** If omitted: the one that the image exposes. */
  readonly port?: number;
  readonly memoryBytes?: number;
  readonly cpus?: number;
}

export interface ComposeTarget extends Common {
  readonly kind: 'compose';
  readonly file: string;
  readonly service: string;
  readonly port: number;
}

export type ProfileTarget = CommandTarget | ContainerTarget | ComposeTarget;
