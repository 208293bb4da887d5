import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import type { EventToPublish, PublishResults, PutEventTypeBody } from '../publishing-types.ts';
import type { EventType } from '../types.ts';
import type { CallApi } from './api.ts';
import { CommandError } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { CommandSession } from './session.ts';

/** Events of one request. */
const BATCH_SIZE = 100;

export const EVENTS_USAGE = `Usage: atrium events publish <file or ->
       atrium events types push <file>...`;

interface Context {
  session: CommandSession;
  call: CallApi;
  output: Output;
}

/**
 * Publishes the events of a file: one as JSON, an array of them, or one on each line. Goes on after events that
 * are refused, so that those with an id can be sent again.
 *
 * @param path `-` for the standard input
 * @throws CommandError when any was refused
 */
export async function publishEvents(
  { session, call, output }: Context,
  path: string,
): Promise<void> {
  const { webhooksUrl } = await session.credentials();
  const events = parseEventsOf(await read(path), path);
  let refused = 0;
  for (let at = 0; at < events.length; at += BATCH_SIZE) {
    const batch = events.slice(at, at + BATCH_SIZE);
    const { data } = await call<PublishResults>('POST', `${webhooksUrl}/api/events`, batch);
    for (const [n, result] of data.entries()) {
      if (!('message' in result)) continue;
      refused += 1;
      const position = at + n + 1;
      const { status, ...why } = result;
      output.line(`Event ${position} was refused: ${why.message}`, {
        event: 'refused',
        position,
        status,
        ...why,
      });
    }
  }
  const published = events.length - refused;
  output.line(`Published ${published} of ${events.length} events.`, {
    event: 'published',
    published,
    refused,
  });
  if (refused > 0) throw new CommandError('failed', `${refused} events were refused`);
}

/** Registers the event types that the files describe, each with its name, description, schema and example. */
export async function pushEventTypes(
  { session, call, output }: Context,
  paths: readonly string[],
): Promise<void> {
  const { webhooksUrl } = await session.credentials();
  for (const path of paths) {
    const { name = basename(path, '.json'), ...body } = parseObject(await read(path), path) as {
      name?: string;
    } & PutEventTypeBody;
    const url = `${webhooksUrl}/api/event-types/${encodeURIComponent(name)}`;
    const { version } = await call<EventType>('PUT', url, body).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new CommandError('failed', `${path}: ${why}`);
    });
    output.line(`${name} is registered, version ${version}.`, {
      event: 'registered',
      name,
      version,
    });
  }
}

function read(path: string): Promise<string> {
  const content = path === '-' ? text(process.stdin) : readFile(path, 'utf8');
  return content.catch(() => {
    throw new CommandError('usage', `${path} cannot be read`);
  });
}

function parseEventsOf(content: string, path: string): EventToPublish[] {
  const whole = parse(content);
  if (whole !== undefined) return [whole].flat() as EventToPublish[];
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, at) => {
    const event = parse(line);
    if (event === undefined) {
      throw new CommandError('usage', `${path}: line ${at + 1} is not JSON`);
    }
    return event as EventToPublish;
  });
}

function parseObject(content: string, path: string): object {
  const value = parse(content);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CommandError('usage', `${path} is not a JSON object`);
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
