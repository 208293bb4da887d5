import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Checks, ProvidedPerson } from './provider-client.ts';

const COOKIE = 'provider-login';
const CONTEXT = 'auth provider-login';
const TTL_SECONDS = 600;
/** The cookie is sent only to this path: no other request can use it. */
const ATTRIBUTES = {
  path: '/auth/providers',
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
} as const;

/** A login that this browser has begun, and how far it has come. */
export interface Flow {
  provider: string;
  /** Handed on to the page. */
  returnTo?: string;
  /** The session of a person who has proved who they are and wants to link the provider. */
  link?: { accountId: string; sessionId: string };
  /** What the answer must bring back; gone once it came. */
  checks?: Checks;
  /** The person that the provider has named. */
  person?: ProvidedPerson;
}

/**
 * What waits is kept by the browser, sealed: nobody else can go on with it, and nobody can make the service keep
 * anything.
 */
export function createFlowCookie(keyRing: KeyRing, clockMs: () => number) {
  return {
    write(reply: FastifyReply, flow: Flow): void {
      const expiresMs = clockMs() + TTL_SECONDS * 1000;
      const sealed = keyRing.encrypt(JSON.stringify({ ...flow, expiresMs }), CONTEXT);
      reply.setCookie(COOKIE, sealed, { ...ATTRIBUTES, maxAge: TTL_SECONDS });
    },
    read(request: FastifyRequest): Flow | undefined {
      const sealed = request.cookies[COOKIE];
      if (sealed === undefined) return undefined;
      try {
        // It was written above: the seal says so.
        const flow = JSON.parse(keyRing.decrypt(sealed, CONTEXT)) as Flow & { expiresMs: number };
        return flow.expiresMs > clockMs() ? flow : undefined;
      } catch {
        return undefined;
      }
    },
    clear(reply: FastifyReply): void {
      reply.setCookie(COOKIE, '', { ...ATTRIBUTES, maxAge: 0 });
    },
  };
}

export type FlowCookie = ReturnType<typeof createFlowCookie>;
