import type { Application } from '@atrium/client';

interface Given {
  issuer: string;
  application: Application;
}

interface Setup {
  /** The name of the library or product; not translated. */
  name: string;
  write: (given: Given) => string;
}

const scopesOf = ({ scopes }: Application) => ['openid', 'profile', 'email', ...scopes].join(' ');
const callbackOf = ({ redirectUrls }: Application) => redirectUrls[0] ?? '';

const authentication = ({ issuer, application: { kind } }: Given) => {
  const secret = kind === 'web' ? 'process.env.CLIENT_SECRET' : 'undefined, client.None()';
  if (!issuer.startsWith('http:')) return secret;
  // Only a development issuer has no TLS.
  const place = kind === 'web' ? `${secret}, undefined` : secret;
  return `${place}, { execute: [client.allowInsecureRequests] }`;
};

const OPENID_CLIENT: Setup = {
  name: 'openid-client',
  write: ({ issuer, application }) => `import * as client from 'openid-client';

const config = await client.discovery(
  new URL('${issuer}'),
  '${application.id}',
  ${authentication({ issuer, application })},
);
const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: '${callbackOf(application)}',
  scope: '${scopesOf(application)}',
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
});
// At ${callbackOf(application)}, with its whole URL:
const checks = { pkceCodeVerifier: verifier, expectedState: state };
const tokens = await client.authorizationCodeGrant(config, callbackUrl, checks);`,
};

const AUTH_JS: Setup = {
  name: 'Auth.js',
  write: ({ issuer, application }) => `export const { handlers, auth } = NextAuth({
  providers: [
    {
      id: 'atrium',
      name: 'Atrium',
      type: 'oidc',
      issuer: '${issuer}',
      clientId: '${application.id}',
      clientSecret: process.env.CLIENT_SECRET,
      authorization: { params: { scope: '${scopesOf(application)}' } },
      checks: ['pkce', 'state'],
    },
  ],
});`,
};

const GRAFANA: Setup = {
  name: 'Grafana',
  write: ({ issuer, application }) => `[auth.generic_oauth]
enabled = true
name = Atrium
client_id = ${application.id}
client_secret = $__file{/run/secrets/atrium_client_secret}
scopes = openid profile email
use_pkce = true
auth_url = ${issuer}/auth/authorize
token_url = ${issuer}/oauth/token
api_url = ${issuer}/oauth/userinfo
login_attribute_path = preferred_username`,
};

const OAUTH2_PROXY: Setup = {
  name: 'oauth2-proxy',
  write: ({ issuer, application }) => `provider = "oidc"
oidc_issuer_url = "${issuer}"
client_id = "${application.id}"
client_secret_file = "/run/secrets/atrium_client_secret"
redirect_url = "${callbackOf(application)}"
scope = "openid profile email"
code_challenge_method = "S256"`,
};

const GITLAB: Setup = {
  name: 'GitLab',
  write: ({ issuer, application }) => `gitlab_rails['omniauth_providers'] = [
  {
    name: 'openid_connect',
    label: 'Atrium',
    args: {
      name: 'openid_connect',
      scope: ['openid', 'profile', 'email'],
      response_type: 'code',
      issuer: '${issuer}',
      discovery: true,
      client_auth_method: 'basic',
      pkce: true,
      client_options: {
        identifier: '${application.id}',
        secret: '<client secret>',
        redirect_uri: '${callbackOf(application)}',
      },
    },
  },
]`,
};

/** It uses PKCE where the description of the provider has S256. */
const NEXTCLOUD: Setup = {
  name: 'Nextcloud',
  write: ({ issuer, application }) => `# user_oidc 6.1 or later, which uses PKCE
occ user_oidc:provider atrium --clientid='${application.id}' --clientsecret="$CLIENT_SECRET" \\
  --discoveryuri='${issuer}/.well-known/openid-configuration'`,
};

/** Only with what it discovers does it use PKCE. */
const OUTLINE: Setup = {
  name: 'Outline',
  write: ({ issuer, application }) => `# without OIDC_AUTH_URI, OIDC_TOKEN_URI and OIDC_USERINFO_URI
OIDC_ISSUER_URL=${issuer}
OIDC_CLIENT_ID=${application.id}
OIDC_CLIENT_SECRET=<client secret>
OIDC_DISPLAY_NAME=Atrium`,
};

const CLIENT_CREDENTIALS: Setup = {
  name: 'curl',
  write: ({
    issuer,
    application,
  }) => `curl ${issuer}/oauth/token -u '${application.id}':"$CLIENT_SECRET" \\
  -d grant_type=client_credentials -d 'scope=${application.scopes.join(' ')}'`,
};

/** What suits each kind of application. */
export const SETUPS: Record<Application['kind'], readonly Setup[]> = {
  web: [OPENID_CLIENT, AUTH_JS, GRAFANA, OAUTH2_PROXY, GITLAB, NEXTCLOUD, OUTLINE],
  'single-page': [OPENID_CLIENT],
  native: [OPENID_CLIENT],
  machine: [CLIENT_CREDENTIALS],
};
