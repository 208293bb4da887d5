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

const JSON_TYPE = { 'content-type': 'application/json' };
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
  const post = (url: string, body: object, cookie?: string): Dispatcher.DispatchOptions => ({
    method: 'POST',
    path: url,
    headers: cookie === undefined ? JSON_TYPE : { ...JSON_TYPE, cookie },
    body: JSON.stringify(body),
  });

  switch (kind) {
    case 'get': {
      const all = values.map((token) => ({
        request: { method: 'GET' as const, path, headers: { authorization: `Bearer ${token}` } },
        take: keepNothing,
      }));
      const [first = { request: { method: 'GET', path }, take: keepNothing }] = all;
      return (client) => all[next(client) % Math.max(1, all.length)] ?? first;
    }
    case 'login': {
      // People log in with a browser that the account knows.
      const devices = new Map<number, string>();
      return (client) => {
        const n = next(client);
        const device = devices.get(n);
        const cookie = device === undefined ? undefined : `device=${device}`;
        return {
          request: post('/auth/login', { email: values[n], password }, cookie),
          take: (answer) => void devices.set(n, cookieOf(answer, 'device')),
        };
      };
    }
    case 'register': {
      let registered = 0;
      return () => {
        registered += 1;
        const username = `u${process.pid}-${registered}`;
        const email = `${username}@example.com`;
        const body = { name: 'Ada', username, email, password, birthdate: '1990-12-10' };
        return {
          request: post('/auth/register', { ...body, gender: 'other' }),
          take: keepNothing,
        };
      };
    }
    case 'refresh': {
      const tokens = [...values];
      return (client) => {
        const n = next(client);
        return {
          request: {
            method: 'POST',
            path: '/auth/refresh',
            headers: { cookie: `refreshToken=${tokens[n] ?? ''}` },
          },
          take: (answer) => void (tokens[n] = cookieOf(answer, 'refreshToken')),
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
