import { randomInt } from 'node:crypto';

/** First path segments of this and other products, in any case. */
const RESERVED = new Set([
  'about',
  'account',
  'accounts',
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'authorize',
  'confirm-email',
  'console',
  'deliveries',
  'developers',
  'device',
  'docs',
  'events',
  'export',
  'favicon',
  'forgot-password',
  'health',
  'healthz',
  'help',
  'internal',
  'invitations',
  'legal',
  'links',
  'livez',
  'login',
  'logout',
  'metrics',
  'not-me',
  'notes',
  'oauth',
  'openapi',
  'operator',
  'portal',
  'privacy',
  'readyz',
  'register',
  'reset-password',
  'robots',
  'search',
  'security',
  'settings',
  'shared',
  'signup',
  'static',
  'status',
  'support',
  'terms',
  'trash',
  'user',
  'verify-email',
  'webhooks',
  'workspaces',
  'www',
]);

/** Without characters that are easily confused: 0 O, 1 l I. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const SLUG_LENGTH = 7;

export function isReserved(slug: string): boolean {
  return RESERVED.has(slug.toLowerCase());
}

/** Random, about 41 bits. */
export function randomSlug(): string {
  return Array.from({ length: SLUG_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
