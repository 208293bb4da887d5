import { startProviderElsewhere } from '@atrium/testkit/login-provider';
import { afterAll } from 'vitest';
import { startAtrium } from '../../../atrium.ts';
import { call, text } from '../../../client.ts';
import { startJourneys } from '../../journeys.ts';

const OPERATOR_PAGES = ['accounts', 'products', 'imports'] as const;

/** The username of the operator who tries these pages. */
export const operatorOf = (pages: (typeof OPERATOR_PAGES)[number]) => `grace-${pages}`;

/** Where people of acme.example log in. */
export const elsewhere = await startProviderElsewhere();
afterAll(() => elsewhere[Symbol.asyncDispose]());
const { issuer, clientId, clientSecret } = elsewhere;

/** A platform with operators and a login provider. */
export const atrium = await startAtrium({
  OPERATOR_EMAILS: OPERATOR_PAGES.map((pages) => `${operatorOf(pages)}@example.com`).join(','),
  ATRIUM_VERSION: '1.4.0',
  LOGIN_PROVIDERS: JSON.stringify([
    { id: 'acme', name: 'Acme', issuer, clientId, clientSecret, emailDomains: ['acme.example'] },
  ]),
});
afterAll(() => atrium[Symbol.asyncDispose]());
const description = await call('GET', `${atrium.urls.auth}/.well-known/openid-configuration`);
elsewhere.register(`${text(description.body, 'issuer')}/auth/providers/acme/callback`);

export const { createAccount, visit, openAs } = await startJourneys(atrium);
