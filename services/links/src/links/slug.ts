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
  'console',
  'docs',
  'favicon',
  'health',
  'healthz',
  'help',
  'internal',
  'legal',
  'links',
  'livez',
  'login',
  'logout',
  'metrics',
  'notes',
  'openapi',
  'privacy',
  'readyz',
  'register',
  'reset-password',
  'robots',
  'search',
  'settings',
  'shared',
  'static',
  'status',
  'support',
  'terms',
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
