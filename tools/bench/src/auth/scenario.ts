import type { Dispatcher } from 'undici';
import type { LoadOptions } from './load-report.ts';

interface Answer {
  headers: Record<string, string | string[] | undefined>;
}

interface Step {
  request: Dispatcher.DispatchOptions;
  /** Keeps what the next requests need of the answer. */
  take: (answer: Answer) => void;
}

const keepNothing = () => undefined;

/** What each client sends next. The values are divided among the clients, which share none. */
export function createScenario(options: LoadOptions): (client: number) => Step {
  const { kind, path = '/', values, password = '', inFlight } = options;
  const rounds = Array.from({ length: inFlight }, () => 0);
  const perClient = Math.max(1, Math.floor(values.length / inFlight));
  const next = (client: number) => {
    const round = rounds[client] ?? 0;
    rounds[client] = round + 1;
    return client + inFlight * (round % perClient);
  };

  switch (kind) {
    case 'get': {
      const all = values.map((token) => ({
        request: { method: 'GET' as const, path, headers: { authorization: `Bearer ${token}` } },
        take: keepNothing,
      }));
      const [first = { request: { method: 'GET', path }, take: keepNothing }] = all;
      return (client) => all[next(client) % Math.max(1, all.length)] ?? first;
    }
    case 'token': {
      return (client) => ({
        request: {
          method: 'POST',
          path: '/oauth/token',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            authorization: `Basic ${Buffer.from(values[next(client)] ?? '').toString('base64')}`,
          },
          body: 'grant_type=client_credentials&scope=notes%3Aread',
        },
        take: keepNothing,
      });
    }
    case 'login': {
      // People log in with a browser that the account knows.
      const devices = new Map<number, string>();
      return (client) => {
        const n = next(client);
        const device = devices.get(n);
        return {
          request: {
            method: 'POST',
            path: '/auth/login',
            headers: {
              'content-type': 'application/json',
              ...(device !== undefined && { cookie: `device=${device}` }),
            },
            body: JSON.stringify({ email: values[n], password }),
          },
          take: (answer) => void devices.set(n, cookieOf(answer, 'device')),
        };
      };
    }
  }
}

function cookieOf({ headers }: Answer, name: string): string {
  const lines = [headers['set-cookie'] ?? []].flat();
  const line = lines.find((one) => one.startsWith(`${name}=`)) ?? '';
  return line.slice(name.length + 1, line.indexOf(';'));
}
