/** The run file of a load: header, measurements as they are made, footer. One writer a folder at a time. */
import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import type { Measurement } from '../../model/measurement.ts';
import { type Run, type RunFooter, type RunHeader, runVersion } from '../../model/run.ts';
import { verdicts } from '../../model/verdict.ts';
import type { Profile } from '../../profile/profile.ts';
import { makeOutputFolder, openRunFile } from '../../runfile/write.ts';
import { version } from '../../version.ts';
import { catalogue } from '../catalogue.ts';
import { lock } from '../lock.ts';

export interface LoadRun {
  readonly path: string;
  /** Throws where the disk is full; `unwritten` is then all that there is. */
  add(measurement: Measurement): void;
  unwritten(): Run;
  flush(): void;
  end(how: Pick<RunFooter, 'interrupted' | 'unreachable'>, remarks: readonly string[]): Run;
  close(): void;
}

/** What a header says about a profile. */
type Named = Pick<Profile, 'origin' | 'basePath' | 'source' | 'digest' | 'strict'>;

export function openLoadRun(folder: string, name: string, profile: Named, seed: number): LoadRun {
  makeOutputFolder(folder);
  const unlock = lock(folder, '.load.lock', 'load');
  try {
    const writer = openRunFile(join(folder, `${name}.jsonl`), systemClock);
    const began = systemClock.now();
    const header: RunHeader = {
      type: 'header',
      version: runVersion,
      touchstone: version,
      rules: { version: catalogue.version, specification: catalogue.specification },
      target: `${profile.origin}${profile.basePath}`,
      profile: { name: profile.source, digest: profile.digest },
      started: systemClock.date(),
      seed,
      depth: 'standard',
      strict: profile.strict,
      planned: [],
    };
    const measurements: Measurement[] = [];
    writer.write(header);
    return {
      path: writer.path,
      add(measurement) {
        measurements.push(measurement);
        writer.write({ type: 'measurement', measurement });
        writer.flush();
      },
      unwritten: () => ({ header, findings: [], exchanges: new Map(), steps: [], limits: [], measurements }),
      flush: writer.flush,
      end(how, remarks) {
        const footer: RunFooter = {
          type: 'footer',
          ended: systemClock.date(),
          tookMs: Math.round(systemClock.now() - began),
          ...how,
          counts: Object.fromEntries(verdicts.map((each) => [each, 0])) as RunFooter['counts'],
          exchanges: 0,
          waits: [],
          leftBehind: [],
          remarks,
        };
        writer.write(footer);
        writer.close();
        return { header, findings: [], exchanges: new Map(), steps: [], limits: [], measurements, footer };
      },
      close() {
        writer.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
