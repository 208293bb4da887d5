import type { AuditEvent } from '@atrium/contracts/auth/audit';
import type { FastifyRequest } from 'fastify';
import { parseUserAgent } from '../user-agent.ts';
import type { RequestOrigin } from './entry.ts';

const BETWEEN = ' on ';

export function originOf(request: FastifyRequest): RequestOrigin {
  const { browser, os } = parseUserAgent(request.headers['user-agent'] ?? '');
  return { ipAddress: request.ip, device: browser + BETWEEN + os, requestId: request.id };
}

/** The parts of a `device`, as `originOf` has put them together. */
export function userAgentOf(device: string | null): AuditEvent['userAgent'] {
  if (device === null) return null;
  const at = device.lastIndexOf(BETWEEN);
  return { browser: device.slice(0, at), os: device.slice(at + BETWEEN.length) };
}
