import { startProviderElsewhere } from '@atrium/testkit/login-provider';
import { afterAll } from 'vitest';
import { startAtrium } from '../../../atrium.ts';
import { call, text } from '../../../client.ts';
import { type InputMethod, INPUT_METHODS } from '../../input-methods.ts';
import { startJourneys } from '../../journeys.ts';

type OperatorPages = 'accounts' | 'products' | 'imports';

/** The username of the operator who tries these pages in this way. */
export const operatorOf = ({ name }: InputMethod, pages: OperatorPages) => `grace-${pages}-${name}`;

/** Where people of acme.example log in. */
export const elsewhere = await startProviderElsewhere();
afterAll(() => elsewhere[Symbol.asyncDispose]());
const { issuer, clientId, clientSecret } = elsewhere;

const operators = INPUT_METHODS.flatMap((inputMethod) =>
  (['accounts', 'products', 'imports'] as const).map((pages) => operatorOf(inputMethod, pages)),
);

/** A platform with operators and a login provider. */
export const atrium = await startAtrium({
  OPERATOR_EMAILS: operators.map((username) => `${username}@example.com`).join(','),
  ATRIUM_VERSION: '1.4.0',
  LOGIN_PROVIDERS: JSON.stringify([
    { id: 'acme', name: 'Acme', issuer, clientId, clientSecret, emailDomains: ['acme.example'] },
  ]),
});
afterAll(() => atrium[Symbol.asyncDispose]());
const description = await call('GET', `${atrium.urls.auth}/.well-known/openid-configuration`);
elsewhere.register(`${text(description.body, 'issuer')}/auth/providers/acme/callback`);

export const { createAccount, visit, openAs } = await startJourneys(atrium);
