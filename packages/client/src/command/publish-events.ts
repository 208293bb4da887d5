import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { EventToPublish, PublishResults, PutEventTypeBody } from '../publishing-types.ts';
import type { EventType } from '../types.ts';
import type { CallApi } from './api.ts';
import { batchesOf } from './event-batches.ts';
import { CommandError, exitOf, messageOf } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { CommandSession } from './session.ts';

/** A batch is large for some connections, and the service may ask to wait. */
const TIMEOUT_MS = 60_000;

export const EVENTS_USAGE = `Usage: atrium events publish <file or ->
       atrium events types push <file>...`;

interface Context {
  session: CommandSession;
  call: CallApi;
  output: Output;
  signal: AbortSignal;
}

/**
 * Publishes the events of a file: one as JSON, an array of them, or one on each line. Goes on after events that
 * are refused, and stops at a batch that fails.
 *
 * @param path `-` for the standard input
 * @throws CommandError when any was refused, or which batch failed
 */
export async function publishEvents(
  { session, call, output, signal }: Context,
  path: string,
): Promise<void> {
  const { webhooksUrl } = await session.credentials();
  const events = parseEventsOf(await read(path, signal), path);
  let sent = 0;
  let refused = 0;
  for (const batch of batchesOf(events)) {
    const { data } = await call<PublishResults>('POST', `${webhooksUrl}/api/events`, batch, {
      // With an id of the publisher an event is published once, however often it is sent.
      isIdempotent: batch.every(({ id }) => id !== undefined),
      timeoutMs: TIMEOUT_MS,
    }).catch((error: unknown) => {
      throw failureOf(error, { sent, count: batch.length });
    });
    for (const [n, result] of data.entries()) {
      if (!('message' in result)) continue;
      refused += 1;
      const position = sent + n + 1;
      const { status, ...why } = result;
      output.line(`Event ${position} was refused: ${why.message}`, {
        event: 'refused',
        position,
        status,
        ...why,
      });
    }
    sent += batch.length;
  }
  const published = events.length - refused;
  output.line(`Published ${published} of ${events.length} events.`, {
    event: 'published',
    published,
    refused,
  });
  if (refused > 0) {
    const were = refused === 1 ? 'event was' : 'events were';
    throw new CommandError('failed', `${refused} ${were} refused`);
  }
}

/** Names the events of a batch that failed after others were sent. */
function failureOf(error: unknown, { sent, count }: { sent: number; count: number }): CommandError {
  const events = count === 1 ? `Event ${sent + 1}` : `Events ${sent + 1}–${sent + count}`;
  const message = `${events}: ${messageOf(error)}; ${sent} were sent before`;
  return new CommandError(exitOf(error), message);
}

/**
 * Registers the event types that the files describe, each with its name, description, schema and example.
 *
 * @throws CommandError at the first that fails, with those that were not sent for it
 */
export async function pushEventTypes(
  { session, call, output, signal }: Context,
  paths: readonly string[],
): Promise<void> {
  const { webhooksUrl } = await session.credentials();
  for (const [n, path] of paths.entries()) {
    const { name = basename(path, '.json'), ...body } = parseObject(
      await read(path, signal),
      path,
    ) as {
      name?: string;
    } & PutEventTypeBody;
    const url = `${webhooksUrl}/api/event-types/${encodeURIComponent(name)}`;
    const { version } = await call<EventType>('PUT', url, body).catch((error: unknown) => {
      const left = paths.slice(n + 1);
      const unsent = left.length === 0 ? '' : `; not sent: ${left.join(', ')}`;
      throw new CommandError(exitOf(error), `${path}: ${messageOf(error)}${unsent}`);
    });
    output.line(`${name} is registered, version ${version}.`, {
      event: 'registered',
      name,
      version,
    });
  }
}

function read(path: string, signal: AbortSignal): Promise<string> {
  const content =
    path === '-' ? text(addAbortSignal(signal, process.stdin)) : readFile(path, 'utf8');
  return content.catch(() => {
    signal.throwIfAborted();
    throw new CommandError('usage', `${path} cannot be read`);
  });
}

function parseEventsOf(content: string, path: string): EventToPublish[] {
  const whole = parse(content);
  const values = whole === undefined ? parseLines(content, path) : [whole].flat();
  return values.map((value, at) => {
    if (isObject(value)) return value as EventToPublish;
    throw new CommandError('usage', `${path}: event ${at + 1} is not a JSON object`);
  });
}

function parseLines(content: string, path: string): unknown[] {
  return content.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const value = parse(line);
    if (value !== undefined) return [value];
    throw new CommandError('usage', `${path}: line ${at + 1} is not JSON`);
  });
}

function parseObject(content: string, path: string): object {
  const value = parse(content);
  if (isObject(value)) return value;
  throw new CommandError('usage', `${path} is not a JSON object`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
