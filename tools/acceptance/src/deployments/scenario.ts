import type { LoadedPlatform } from '../chaos/chaos-environment.ts';
import type { Fault } from '../chaos/faults.ts';
import type { Program } from './programs.ts';

/** Servers as others run them, on this machine. */
export interface Deployment {
  /** Their addresses. A server that is not among them is started as `npm start` does. */
  env: Partial<
    Record<'DATABASE_URL' | 'DATABASE_READ_URL' | 'DIRECT_DATABASE_URL' | 'REDIS_URL', string>
  >;
  /** What happens in the middle of the load, for about so long. */
  fault: Pick<Fault<LoadedPlatform>, 'durationMs' | 'inject'>;
}

export interface Scenario {
  name: string;
  /** For the table of results. */
  title: string;
  needs: readonly Program[];
  /** Why accepted events may be lost; the table says how many were. */
  mayLose?: string;
  /** @param folder an empty one, which every user may enter @param stack stops what was started */
  prepare(stack: AsyncDisposableStack, folder: string): Promise<Deployment>;
}
