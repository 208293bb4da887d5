import { findFreePort } from '@atrium/local-stack/ports';
import { until } from '@atrium/testkit/until';
import type { Page } from 'playwright-core';
import { PASSWORD, type Person } from '../accounts.ts';
import { call, text } from '../client.ts';
import { logInAs } from './forms.ts';

interface SiteOptions {
  /** Whether it is told of logouts. */
  isTold?: boolean;
  scopes?: string[];
}

/** Registers the programs of the guides as applications of one person. */
export async function openSites(authUrl: string, person: Person) {
  const description = `${authUrl}/.well-known/openid-configuration`;
  const issuer = text((await call('GET', description)).body, 'issuer');

  const register = async (fields: object): Promise<Record<string, string>> => {
    const { body } = await call('POST', `${authUrl}/applications`, {
      token: person.accessToken,
      body: { name: 'Reading list', password: PASSWORD, ...fields },
    });
    const secret = body['secret'] === undefined ? {} : { CLIENT_SECRET: text(body, 'secret') };
    return { AUTH_URL: issuer, CLIENT_ID: text(body, 'id'), ...secret };
  };

  return {
    register,
    /** A site at a free port, and the settings of its program. */
    registerSite: async ({ isTold = false, ...fields }: SiteOptions = {}) => {
      const port = String(await findFreePort());
      const url = `http://127.0.0.1:${port}`;
      const settings = await register({
        kind: 'web',
        redirectUrls: [`${url}/callback`],
        postLogoutUrls: [`${url}/`],
        ...(isTold ? { backchannelLogoutUrl: `${url}/backchannel-logout` } : {}),
        ...fields,
      });
      return { url, settings: { ...settings, SITE_URL: url, PORT: port } };
    },
    /** What the person does on the pages of Atrium. */
    logIn: async (page: Page): Promise<void> => {
      await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
      await logInAs(page, person.email);
      await page.getByRole('heading', { name: 'Continue to Reading list' }).waitFor();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
    },
  };
}

/** Resolves once a site answers. */
export const answers = (url: string) => until(async () => (await fetch(url)).status < 500);
