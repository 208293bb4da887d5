// Why it is so: docs/decisions/0017-idempotency-keys-are-stored-with-what-they-created.md
import { createHash, type Hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { accountOf } from '../authentication/authentication.ts';
import type { Database, Transaction } from '../database/database.ts';
import { HttpError, unavailable } from '../http-error.ts';
import {
  type Answer,
  createIdempotencyStore,
  type Found,
  type KeyedRequest,
  type Repeat,
} from './idempotency-store.ts';
import type { KeyRing } from '../key-ring.ts';
import { withErrors } from '../openapi/responses.ts';
import type { RateLimiter } from '../rate-limit/rate-limit.ts';
import type { Server } from '../server/server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route takes an `Idempotency-Key`; its handler answers through `Idempotency.create`, or
     * `createFromStream` where it reads the body as a stream.
     */
    isIdempotent?: boolean | 'stream';
    /** Only the id of its response is stored, and this answers when the request is repeated. */
    repeat?: Repeat;
  }
}

const HEADER = 'idempotency-key';
const IdempotencyKey = Type.Optional(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,255}$',
    description:
      'Repeats the response of the first request with this key, for 24 hours and with the ' +
      'header Idempotent-Replayed. Any text of up to 255 visible ASCII characters.',
    examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
    errorMessage: 'must be 1 to 255 visible ASCII characters',
  }),
);
/** Bounds what an account can have stored: each key keeps a response for a day. */
const KEYS_PER_ACCOUNT = { name: 'idempotency-keys', limit: 10_000, windowSeconds: 86_400 };

/** Makes a request with an `Idempotency-Key` happen once (draft-ietf-httpapi-idempotency-key-header-07). */
export interface Idempotency<Client> {
  /** Gives routes with `isIdempotent` that are added from now on the header and its responses. */
  acceptKeys(server: Server): void;
  /**
   * Runs `work` in one transaction, which also stores its answer under the request's key. An error
   * stores nothing, so that the request can be sent again.
   *
   * @throws HttpError 409 while another request with the key is in progress
   */
  create<Body>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Transaction<Client>) => Promise<Answer<Body>>,
  ): Promise<Body>;
  /** As `create`, for a body that is read before the transaction begins, and not kept in memory. */
  createFromStream<Stored, Body>(
    request: FastifyRequest,
    reply: FastifyReply,
    stream: StreamedWork<Client, Stored, Body>,
  ): Promise<Body>;
}

interface StreamedContent<Stored> {
  content: AsyncIterable<Uint8Array>;
  /** Stores the content, where nobody finds it yet. */
  store: (content: AsyncIterable<Uint8Array>) => Promise<Stored>;
  /** Whether a request like this one is storing its content, and may be why `store` refused. */
  hasTwin: () => Promise<boolean>;
}

interface StreamedWork<Client, Stored, Body> extends StreamedContent<Stored> {
  work: (tx: Transaction<Client>, stored: Stored) => Promise<Answer<Body>>;
  /** Removes what was stored for a request that is refused, or was answered before. */
  discard: (stored: Stored) => Promise<void>;
}

/** @param digest of a body that was read as a stream */
function keyedRequest(request: FastifyRequest, digest?: string): KeyedRequest | undefined {
  const { [HEADER]: key } = request.headers;
  if (typeof key !== 'string') return undefined;
  const { method, url, routeOptions } = request;
  const { id: accountId, applicationId, scopes } = accountOf(request);
  // Without a schema nobody reads it, and it may be nested too deeply to be written.
  const body = routeOptions.schema?.body && request.body;
  // What a portal or an application may see is not all that its account may.
  const rights = scopes === null ? [] : [applicationId, scopes];
  const what = JSON.stringify([method, url, digest ?? body ?? null, ...rights]);
  const fingerprint = createHash('sha256').update(what).digest('base64url');
  return { accountId, key, fingerprint, body, repeat: routeOptions.config.repeat };
}

function send<Body>(reply: FastifyReply, { status, headers = {}, body }: Answer<Body>): Body {
  void reply.code(status).headers(headers);
  return body;
}

/** @throws HttpError 422 when the key belongs to another request */
function replay(reply: FastifyReply, found: Found): unknown {
  if (found.kind === 'otherRequest') {
    throw new HttpError('idempotency-key-reused');
  }
  void reply.header('idempotent-replayed', 'true');
  return send(reply, found.answer);
}

async function digestOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('base64url');
}

async function* hashing(content: AsyncIterable<Uint8Array>, hash: Hash) {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

function inProgress(): HttpError {
  return new HttpError('idempotency-key-in-use', undefined, { headers: { 'retry-after': '1' } });
}

/** With a key, a request may be repeated although it may have taken effect: it then gets the stored answer. */
function throwRepeatable(error: unknown): never {
  const isUnknown = error instanceof HttpError && error.code === 'outcome-unknown';
  throw isUnknown ? unavailable(undefined, undefined, error) : error;
}

/** @param options.keyRing encrypts the stored responses: for services whose responses hold secrets */
export function createIdempotency<Client>(options: {
  database: Database<Client>;
  rateLimiter: RateLimiter;
  keyRing?: KeyRing;
}): Idempotency<Client> {
  const { database, rateLimiter, keyRing } = options;
  const store = createIdempotencyStore(keyRing);

  async function find(keyed: KeyedRequest): Promise<Found | undefined> {
    await rateLimiter.consume(KEYS_PER_ACCOUNT, keyed.accountId);
    return store.find(database, keyed);
  }

  /** Before the handler, so that nothing it would check can differ from the first time. */
  async function replayStored(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const keyed = keyedRequest(request);
    const found = keyed && (await find(keyed));
    return found === undefined ? undefined : reply.send(replay(reply, found));
  }

  async function createOnce<Body>(
    reply: FastifyReply,
    keyed: KeyedRequest | undefined,
    work: (tx: Transaction<Client>) => Promise<Answer<Body>>,
    beforeCommit?: () => void,
  ): Promise<Body> {
    const origin = { requestId: reply.request.id };
    const run = database.transaction(origin, async (tx) => {
      if (keyed !== undefined) {
        if (!(await store.lock(tx, keyed))) throw inProgress();
        // Another request may have finished since the first look.
        const found = await store.find(tx, keyed);
        if (found !== undefined) return { found };
      }
      const answer = await work(tx);
      if (keyed !== undefined) await store.save(tx, keyed, answer);
      beforeCommit?.();
      return { answer };
    });
    const { found, answer } = await (keyed === undefined ? run : run.catch(throwRepeatable));
    // What is stored under the fingerprint of this route is an answer of its `work`.
    return answer === undefined ? (replay(reply, found) as Body) : send(reply, answer);
  }

  /** @throws HttpError 409 when a request with the key has taken the space that this one needs */
  async function storeOnce<Stored>(
    keyed: KeyedRequest | undefined,
    { content, store: storeContent, hasTwin }: StreamedContent<Stored>,
    hash: Hash,
  ): Promise<Stored> {
    if (keyed === undefined) return storeContent(content);
    try {
      return await storeContent(hashing(content, hash));
    } catch (error) {
      const isRefused = error instanceof HttpError && error.status < 500;
      // In this order, as the twin may finish in between.
      if (isRefused && ((await hasTwin()) || (await store.find(database, keyed)))) {
        throw inProgress();
      }
      return throwRepeatable(error);
    }
  }

  return {
    acceptKeys(server) {
      server.addHook('onRoute', (route) => {
        const { config, schema } = route;
        if (!config?.isIdempotent || schema === undefined) return;
        if (config.isIdempotent === true) {
          route.preHandler = [...[route.preHandler ?? []].flat(), replayStored];
        }
        schema.headers = Type.Object({
          ...Object(schema.headers).properties,
          [HEADER]: IdempotencyKey,
        });
        schema.response = withErrors(
          schema.response,
          'idempotency-key-in-use',
          'idempotency-key-reused',
        );
      });
    },

    create: (request, reply, work) => createOnce(reply, keyedRequest(request), work),

    async createFromStream(request, reply, { work, discard, ...streamed }) {
      const keyed = keyedRequest(request);
      if (keyed !== undefined && (await find(keyed)) !== undefined) {
        const digest = await digestOf(streamed.content);
        return createOnce(reply, keyedRequest(request, digest), () => {
          // The key has expired since it was found.
          throw inProgress();
        });
      }
      const hash = createHash('sha256');
      const stored = await storeOnce(keyed, streamed, hash);
      // Before the COMMIT, which may take effect although its result is lost.
      let mayBeUsed = false;
      const beforeCommit = () => {
        mayBeUsed = true;
      };
      try {
        const finished = keyedRequest(request, hash.digest('base64url'));
        return await createOnce(reply, finished, (tx) => work(tx, stored), beforeCommit);
      } finally {
        if (!mayBeUsed) {
          await discard(stored).catch((error: unknown) => {
            request.log.error({ err: error }, 'content not discarded, the purge removes it');
          });
        }
      }
    },
  };
}
