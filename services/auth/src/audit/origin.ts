import type { FastifyRequest } from 'fastify';
import { familiesOf } from '../sessions/device.ts';
import type { RequestOrigin } from './entry.ts';

/** Where a request came from, for the audit trail. */
export function originOf(request: FastifyRequest): RequestOrigin {
  const { browser, os } = familiesOf(request.headers['user-agent'] ?? '');
  return { ipAddress: request.ip, device: `${browser} on ${os}`, requestId: request.id };
}
