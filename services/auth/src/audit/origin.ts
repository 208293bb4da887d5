import type { FastifyRequest } from 'fastify';
import { parseUserAgent } from '../user-agent.ts';
import type { RequestOrigin } from './entry.ts';

export function originOf(request: FastifyRequest): RequestOrigin {
  const { browser, os } = parseUserAgent(request.headers['user-agent'] ?? '');
  return { ipAddress: request.ip, device: `${browser} on ${os}`, requestId: request.id };
}
