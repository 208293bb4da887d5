import { parseTraceparent, type TraceContext } from '@atrium/contracts/traceparent';
import type { FinishedJob } from './batch-queue.ts';
import type { Entry } from './outbox-leases.ts';
import type { FinishedSpan, Tracing } from './tracing.ts';

/** The part of an entry's way that a span is about. */
type Part = Pick<FinishedSpan, 'name' | 'kind' | 'startMs' | 'endMs' | 'error'>;

/** Records how long entries waited in the outbox until a relay leased them. */
export function recordOutboxWait(
  tracing: Tracing | undefined,
  entries: readonly Entry[],
  queue: string,
): void {
  if (tracing === undefined) return;
  const endMs = Date.now();
  for (const entry of tracedOf(entries)) {
    const startMs = entry.createdMs ?? endMs;
    record(tracing, queue, entry, { name: 'wait in outbox', kind: 'internal', startMs, endMs });
  }
}

/** Records that a relay has sent entries to their queue and waited until they were processed. */
export function recordRelayed(
  tracing: Tracing | undefined,
  entries: readonly Entry[],
  { queue, startMs, job }: { queue: string; startMs: number; job: FinishedJob },
): void {
  if (tracing === undefined) return;
  const error = job.kind === 'failed' ? job.reason : undefined;
  const name = `send ${queue}`;
  const part = { name, kind: 'producer', startMs, endMs: Date.now(), error } as const;
  for (const entry of tracedOf(entries)) record(tracing, queue, entry, part);
}

/** Records how long the entries of a job waited in the queue, and how they were processed. */
export function recordProcessed(
  tracing: Tracing,
  entries: readonly unknown[],
  job: { queue: string; addedMs: number; startMs: number; error?: string | undefined },
): void {
  const { queue, addedMs, startMs, error } = job;
  const wait = {
    name: 'wait in queue',
    kind: 'internal',
    startMs: addedMs,
    endMs: startMs,
  } as const;
  const name = `process ${queue}`;
  const work = { name, kind: 'consumer', startMs, endMs: Date.now(), error } as const;
  for (const entry of tracedOf(entries)) {
    record(tracing, queue, entry, wait);
    record(tracing, queue, entry, work);
  }
}

interface Traced {
  id: string;
  parent: TraceContext;
  createdMs?: number;
}

/** The entries of sampled traces. What a job holds has not been checked yet. */
function tracedOf(entries: readonly unknown[]): Traced[] {
  return entries.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null || !('traceparent' in entry)) return [];
    const { traceparent } = entry;
    const parent = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
    if (parent?.isSampled !== true) return [];
    const id = 'id' in entry ? String(entry.id) : '';
    return {
      id,
      parent,
      ...('createdAt' in entry && { createdMs: Date.parse(String(entry.createdAt)) }),
    };
  });
}

function record(tracing: Tracing, queue: string, { id, parent }: Traced, part: Part): void {
  const attributes = {
    'messaging.system': 'bullmq',
    'messaging.destination.name': queue,
    'messaging.message.id': id,
  };
  tracing.record({ ...part, parent, attributes });
}
