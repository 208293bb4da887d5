import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { accountOf } from './authentication.ts';
import type { Sql } from './database.ts';
import { HttpError, validationError } from './http-error.ts';
import {
  type Answer,
  createIdempotencyStore,
  type Found,
  type KeyedRequest,
} from './idempotency-store.ts';
import type { KeyRing } from './key-ring.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Server } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes an `Idempotency-Key`; its handler answers through `Idempotency.create`. */
    isIdempotent?: boolean;
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
export interface Idempotency<Tx> {
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
    work: (tx: Tx) => Promise<Answer<Body>>,
  ): Promise<Body>;
}

function keyedRequest(request: FastifyRequest): KeyedRequest | undefined {
  const { [HEADER]: key } = request.headers;
  if (typeof key !== 'string') return undefined;
  const { method, url, body } = request;
  const what = JSON.stringify([method, url, body ?? null]);
  const fingerprint = createHash('sha256').update(what).digest('base64url');
  return { accountId: accountOf(request).id, key, fingerprint, body };
}

function send<Body>(reply: FastifyReply, { status, headers = {}, body }: Answer<Body>): Body {
  void reply.code(status).headers(headers);
  return body;
}

/** @throws HttpError 422 when the key belongs to another request */
function replay(reply: FastifyReply, found: Found): unknown {
  if (found.kind === 'otherRequest') {
    throw validationError('Idempotency-Key was used for another request');
  }
  void reply.header('idempotent-replayed', 'true');
  return send(reply, found.answer);
}

function inProgress(): HttpError {
  return new HttpError('Conflict', 'A request with this Idempotency-Key is in progress', {
    headers: { 'retry-after': '1' },
  });
}

/**
 * @param options.transaction runs work in a transaction of the service
 * @param options.sqlOf raw SQL in such a transaction
 * @param options.keyRing encrypts the stored responses: for services whose responses hold secrets
 */
export function createIdempotency<Tx>(options: {
  database: Sql;
  transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  sqlOf: (tx: Tx) => Sql;
  rateLimiter: RateLimiter;
  keyRing?: KeyRing;
}): Idempotency<Tx> {
  const { database, transaction, sqlOf, rateLimiter, keyRing } = options;
  const store = createIdempotencyStore(keyRing);

  /** Before the handler, so that nothing it would check can differ from the first time. */
  async function replayStored(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const keyed = keyedRequest(request);
    if (keyed === undefined) return undefined;
    await rateLimiter.consume(KEYS_PER_ACCOUNT, keyed.accountId);
    const found = await store.find(database, keyed);
    return found === undefined ? undefined : reply.send(replay(reply, found));
  }

  return {
    acceptKeys(server) {
      server.addHook('onRoute', (route) => {
        const { schema } = route;
        if (route.config?.isIdempotent !== true || schema === undefined) return;
        route.preHandler = [...[route.preHandler ?? []].flat(), replayStored];
        schema.headers = Type.Object({
          ...Object(schema.headers).properties,
          [HEADER]: IdempotencyKey,
        });
        const { 400: error }: Record<number, unknown> = Object(schema.response);
        schema.response = { ...Object(schema.response), 409: error, 422: error };
      });
    },

    async create<Body>(
      request: FastifyRequest,
      reply: FastifyReply,
      work: (tx: Tx) => Promise<Answer<Body>>,
    ): Promise<Body> {
      const keyed = keyedRequest(request);
      if (keyed === undefined) return send(reply, await transaction(work));
      const { found, answer } = await transaction(async (tx) => {
        const sql = sqlOf(tx);
        if (!(await store.lock(sql, keyed))) throw inProgress();
        // Another request may have finished since `replayStored`.
        const found = await store.find(sql, keyed);
        if (found !== undefined) return { found };
        const answer = await work(tx);
        await store.save(sql, keyed, answer);
        return { answer };
      });
      // What is stored under the fingerprint of this route is an answer of its `work`.
      return answer === undefined ? (replay(reply, found) as Body) : send(reply, answer);
    },
  };
}
