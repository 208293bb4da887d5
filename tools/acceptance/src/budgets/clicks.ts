import { Agent, request } from 'node:http';
import { call, text } from '../client.ts';
import type { Attack } from './attack.ts';

const CLICKS = 20_000;
const LINKS = 100;
const CONNECTIONS = 50;
/** With the others nearly the 16 KB that Node takes. */
const AGENT_LENGTH = 11_000;
const REFERER_LENGTH = 2_900;
const CLICK_TIMEOUT_MS = 30_000;

function click(url: string, agent: Agent, n: number): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = {
      // Each from another address, so that no limit of one address helps.
      'x-forwarded-for': `11.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
      'user-agent': `Mozilla/5.0 ${n} `.padEnd(AGENT_LENGTH, 'a'),
      referer: `https://example.com/${n}/`.padEnd(REFERER_LENGTH, 'b'),
    };
    const sent = request(url, { agent, headers, timeout: CLICK_TIMEOUT_MS }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 'no status'));
      response.on('error', () => resolve('cut off'));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve('cut off'));
    sent.end();
  });
}

export const CLICKS_IN_OUTAGE: Attack = {
  name: 'clicks',
  title: `${CLICKS} clicks with headers of 14 KB while Postgres is stopped`,
  stopsPostgres: true,
  async prepare(field) {
    const { urls, postgres } = field;
    const { token } = await field.createAccount();
    const shortUrls: string[] = [];
    for (let n = 0; n < LINKS; n++) {
      const url = `https://example.com/${n}`;
      const link = await call('POST', `${urls.links}/api/links`, { token, body: { url } });
      const shortUrl = text(link.body, 'shortUrl');
      // Known to the process from now on.
      await call('HEAD', shortUrl);
      shortUrls.push(shortUrl);
    }
    return async (answers) => {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
      await postgres.stop('SIGQUIT');
      try {
        let clicked = 0;
        const clickOn = async () => {
          while (clicked < CLICKS) {
            const n = clicked++;
            answers.add(await click(shortUrls[n % LINKS] ?? '', agent, n));
          }
        };
        await Promise.all(Array.from({ length: CONNECTIONS }, clickOn));
      } finally {
        agent.destroy();
        await postgres.start();
      }
    };
  },
};
