import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { listen } from './http-listener.ts';

/** The person logged in at the provider. */
export interface PersonElsewhere {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** An OpenID provider of a third party, at which everybody agrees to everything. */
export interface ProviderElsewhere extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Browsers that have no session there are logged in as this one. */
  person: PersonElsewhere;
  /** Answers in place of the provider, when it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Where its one client may send people back to. */
  register(redirectUrl: string): void;
}

export async function startProviderElsewhere(): Promise<ProviderElsewhere> {
  let handle: RequestListener = () => undefined;
  const server = await listen((request, response) => handle(request, response));
  const people = new Map<string, PersonElsewhere>();
  const elsewhere: ProviderElsewhere = {
    issuer: server.url,
    clientId: 'atrium',
    clientSecret: 'a secret between the two of them',
    person: { sub: 'nobody' },
    intercept: () => false,
    register(redirectUrl) {
      const provider = createProvider(elsewhere, redirectUrl, people);
      const callback = provider.callback();
      handle = (request, response) => {
        if (elsewhere.intercept(request, response)) return;
        if (request.url?.startsWith('/interaction/') !== true) {
          void callback(request, response);
          return;
        }
        const { person } = elsewhere;
        people.set(person.sub, person);
        const login = { accountId: person.sub };
        void provider.interactionFinished(request, response, { login });
      };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return elsewhere;
}

function createProvider(
  { issuer, clientId, clientSecret }: ProviderElsewhere,
  redirectUrl: string,
  people: ReadonlyMap<string, PersonElsewhere>,
): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [redirectUrl],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // As most do: the ID token says who the person is.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of its own'] },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ ...people.get(accountId), sub: accountId }),
    }),
    async loadExistingGrant({ oidc: { client, session } }) {
      if (client === undefined || session?.accountId === undefined) return undefined;
      const { clientId: id } = client;
      const grant = new provider.Grant({ clientId: id, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  return provider;
}
