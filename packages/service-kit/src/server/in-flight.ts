import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { runForHolder } from '../holder.ts';
import type { Metrics } from '../metrics.ts';
import { clientKeyOf, siteOf } from '../rate-limit/address.ts';
import { ByteBudget, type Holder } from './byte-budget.ts';
import { CHANGES_NOTHING } from './changes.ts';
import { type InFlightLimits, limitsOf } from './in-flight-limits.ts';
import { countInFlight } from './in-flight-metrics.ts';
import { limitPipelining } from './pipelining.ts';
import { gatherBody } from './request-body.ts';
import type { Server } from './server.ts';
import { endStalled, type Flight } from './stalled-clients.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Is answered even when nothing else is, as probes are. */
    isAlwaysAdmitted?: boolean;
    /** Its handler reads the body as a stream. */
    isBodyStreamed?: boolean;
    /** The memory that a byte of its body takes, where that is not JSON. */
    bytesPerBodyByte?: number;
  }
  interface FastifyRequest {
    /** Undefined until its body may be read. */
    flight: Flight | undefined;
  }
}

/** What a handler may still do for a client that has gone away. */
const ABANDONED_MS = 120_000;
const WITHOUT_BODY = ['GET', 'HEAD'];

/**
 * Counts the memory of each request, its body and its answer in a budget, from before the body is read until
 * the answer is taken, and ends connections whose client neither sends nor takes what it should.
 */
export function limitInFlight(
  server: Server,
  { metrics, ...given }: Partial<InFlightLimits> & { metrics?: Metrics | undefined },
): void {
  const limits = limitsOf(given);
  const counters = countInFlight(metrics, () => budget.usedBytes);
  const budget = new ByteBudget(limits, counters.onRefused);
  const flights = new Set<Flight>();
  limitPipelining(server, limits.requestsPerConnection);
  server.decorateRequest('flight', undefined);

  function release(flight: Flight): void {
    flight.reserved.resize(0);
    flight.stream?.destroy();
    flights.delete(flight);
  }

  function begin(request: FastifyRequest, reply: FastifyReply): Flight {
    const reserved = budget.open(holderOf(request));
    const flight: Flight = {
      request: request.raw,
      response: reply.raw,
      reserved,
      requestBytes: 0,
      isAnswered: false,
      remainingMs: limits.stallTimeoutMs,
      movedBytes: 0,
    };
    flights.add(flight);
    reply.raw.once('close', () => close(flight));
    return flight;
  }

  /** A handler works on the body until it answers, whether or not its client waits for that. */
  function close(flight: Flight): void {
    flight.closedMs ??= performance.now();
    const isAbandoned = performance.now() - flight.closedMs > ABANDONED_MS;
    // A handler that writes its answer itself does not send it through our hooks.
    const isAnswered = flight.isAnswered || flight.response.writableFinished;
    if (isAnswered || isAbandoned) release(flight);
  }

  // After every onRequest hook: by then the account is known.
  server.addHook('preParsing', (request, reply, _payload, done) => {
    const { config, bodyLimit } = request.routeOptions;
    if (config.isAlwaysAdmitted === true) return done();
    const flight = begin(request, reply);
    request.flight = flight;
    const reserve = (bytes: number) => {
      flight.reserved.resize(limits.requestBytes + bytes);
      flight.requestBytes = flight.reserved.bytes;
    };
    const length = Number(request.headers['content-length'] ?? 0);
    const isStreamed = config.isBodyStreamed === true;
    // A longer body is refused before it is read.
    const bytesPerBodyByte = config.bytesPerBodyByte ?? limits.bytesPerBodyByte;
    const known = length <= bodyLimit ? length * bytesPerBodyByte : 0;
    try {
      reserve(isStreamed ? limits.streamBytes : known);
    } catch (error) {
      // Its body is not read, so that nothing else can come on its connection.
      void reply.header('connection', 'close');
      return done(error as Error);
    }
    const hasBody = length > 0 || request.headers['transfer-encoding'] !== undefined;
    if (isStreamed || !hasBody || WITHOUT_BODY.includes(request.method)) return done();
    const onBytes = (bytes: number) => {
      if (known === 0) reserve(bytes * bytesPerBodyByte);
    };
    return done(null, gatherBody(request.raw, onBytes));
  });

  server.addHook('preHandler', (request, _reply, done) => {
    runForHolder(request.account === null ? undefined : holderOf(request).id, done);
  });

  server.addHook('onSend', (request, reply, payload: unknown, done) => {
    const { flight } = request;
    if (flight === undefined) return done(null, payload);
    const stream = payload instanceof Readable ? payload : undefined;
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : '';
    try {
      // What an error says is short, and there is nothing else to answer instead.
      const bytes = reply.statusCode < 400 ? Buffer.byteLength(text) : 0;
      flight.reserved.resize(flight.requestBytes + bytes);
    } catch (error) {
      stream?.destroy();
      // After a change has been made, an error would say that it has not.
      if (CHANGES_NOTHING.includes(request.method)) return done(error as Error);
      request.raw.socket.destroy();
    }
    Object.assign(flight, { isAnswered: true, stream });
    if (flight.closedMs !== undefined) release(flight);
    if (Buffer.byteLength(text) <= limits.sliceBytes) return done(null, payload);
    const content = Buffer.from(text);
    void reply.header('content-length', String(content.length));
    return done(null, slicesOf(content, limits.sliceBytes));
  });

  endStalled(server, { flights, limits, close, onEnded: counters.onEnded });
}

/** Anybody can register any number of accounts, so that only verified ones have a share of their own. */
function holderOf({ account, ip }: FastifyRequest): Holder {
  if (account?.emailVerified === true) return { id: account.id };
  const network = clientKeyOf(ip);
  return { id: network, site: siteOf(network) };
}

/** In slices it can be seen whether the client takes it. */
function slicesOf(content: Buffer, sliceBytes: number): Readable {
  let at = 0;
  return new Readable({
    highWaterMark: sliceBytes,
    read() {
      this.push(at < content.length ? content.subarray(at, at + sliceBytes) : null);
      at += sliceBytes;
    },
  });
}
