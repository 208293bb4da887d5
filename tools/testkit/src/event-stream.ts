import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { until } from './until.ts';

export interface StreamedEvent<Data> {
  type: string;
  data: Partial<Data>;
}

export interface OpenedStream<Data> extends AsyncDisposable {
  status: number;
  headers: IncomingHttpHeaders;
  /** What has come so far. */
  events: StreamedEvent<Data>[];
  /** The id to resume from. */
  lastEventId: () => string;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  waitFor(isWanted: (event: StreamedEvent<Data>) => boolean): Promise<StreamedEvent<Data>>;
}

/** Follows server-sent events over a connection of its own. */
export async function openEventStream<Data>(
  url: string,
  { token, lastEventId }: { token: string; lastEventId?: string },
): Promise<OpenedStream<Data>> {
  const sent = request(url, {
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  }).end();
  const answered = Promise.withResolvers<IncomingMessage>();
  sent.on('response', answered.resolve).on('error', answered.reject);
  const response = await answered.promise;
  const events: StreamedEvent<Data>[] = [];
  let last = '';
  async function read(): Promise<void> {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
        last = field('id') ?? last;
        const type = field('event');
        if (type !== undefined) events.push({ type, data: JSON.parse(field('data') ?? '{}') });
      }
    }
  }
  const ended = read().catch((error: unknown) => {
    if (!response.destroyed) throw error;
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    lastEventId: () => last,
    ended,
    waitFor: (isWanted) => until(() => events.find(isWanted)),
    async [Symbol.asyncDispose]() {
      response.destroy();
      await ended;
    },
  };
}
