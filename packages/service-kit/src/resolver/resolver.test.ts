import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHostsFile } from './hosts-file.ts';
import {
  type AddressQueries,
  createResolver,
  LookupTimeoutError,
  type ResolverOptions,
} from './resolver.ts';

const never = new Promise<never>(() => undefined);
const fault = (code: string) => Object.assign(new Error(`query ${code}`), { code });

function setUp(answers: Partial<AddressQueries>, options: ResolverOptions = {}) {
  let nowMs = Date.now();
  const asked: string[] = [];
  const queries: AddressQueries = {
    resolve4(name, ttl) {
      asked.push(name);
      return answers.resolve4?.(name, ttl) ?? Promise.resolve([{ address: '1.1.1.1', ttl: 300 }]);
    },
    resolve6: (name, ttl) => answers.resolve6?.(name, ttl) ?? Promise.reject(fault('ENODATA')),
  };
  const clockMs = () => nowMs;
  const resolveFor = createResolver({
    hostsFile: async () => undefined,
    queries,
    clockMs,
    ...options,
  });
  const resolve = (name: string, slotKey = 'usr_1') => resolveFor(name, slotKey);
  return { resolve, asked, advance: (ms: number) => (nowMs += ms) };
}

test('returns the addresses of both families, or of one when the other fails', async () => {
  const both = setUp({ resolve6: async () => [{ address: '2606:4700::1111', ttl: 1 }] });
  expect(await both.resolve('a.example')).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  expect(await setUp({}).resolve('a.example')).toHaveLength(1);
  const none = setUp({ resolve4: () => Promise.reject(fault('ENOTFOUND')) });
  await expect(none.resolve('a.example')).rejects.toThrow('a.example has no address (ENOTFOUND)');
});

test('caches an answer for its TTL, and 30 s at most', async () => {
  const { resolve, asked, advance } = setUp({});
  await resolve('long.example');
  advance(29_999);
  await resolve('LONG.example.');
  expect(asked).toHaveLength(1);
  advance(2);
  await resolve('long.example');
  expect(asked).toHaveLength(2);
  const brief = setUp({ resolve4: async () => [{ address: '1.1.1.1', ttl: 2 }] });
  await brief.resolve('brief.example');
  brief.advance(2_001);
  await brief.resolve('brief.example');
  expect(brief.asked).toHaveLength(2);
});

test('caches a failure for 5 s', async () => {
  let isFailing = true;
  const { resolve, asked, advance } = setUp({
    resolve4: async () => {
      if (isFailing) throw fault('ESERVFAIL');
      return [{ address: '1.1.1.1', ttl: 1 }];
    },
  });
  await expect(resolve('a.example')).rejects.toThrow('has no address (ESERVFAIL)');
  isFailing = false;
  advance(4_999);
  await expect(resolve('a.example')).rejects.toThrow('has no address (ESERVFAIL)');
  expect(asked).toHaveLength(1);
  advance(2);
  expect(await resolve('a.example')).toHaveLength(1);
});

test.each(['ETIMEOUT', 'ECONNREFUSED'])(
  'rejects with a timeout when the name server is silent (%s)',
  async (code) => {
    const { resolve } = setUp({ resolve4: () => Promise.reject(fault(code)) });
    await expect(resolve('a.example')).rejects.toThrow(LookupTimeoutError);
  },
);

test('serves the last addresses for a day while a name cannot be looked up', async () => {
  let code: string | undefined;
  const { resolve, asked, advance } = setUp({
    resolve4: async () => {
      if (code !== undefined) throw fault(code);
      return [{ address: '1.1.1.1', ttl: 10 }];
    },
  });
  const found = await resolve('a.example');
  code = 'ETIMEOUT';
  advance(3_600_000);
  expect(await resolve('a.example')).toEqual(found);
  expect(await resolve('a.example')).toEqual(found);
  expect(asked).toHaveLength(2);
  advance(86_400_000);
  await expect(resolve('a.example')).rejects.toThrow(LookupTimeoutError);
});

test('forgets the last addresses when a name server answers that there are none', async () => {
  let code: string | undefined;
  const { resolve, advance } = setUp({
    resolve4: async () => {
      if (code !== undefined) throw fault(code);
      return [{ address: '1.1.1.1', ttl: 10 }];
    },
  });
  await resolve('a.example');
  for (code of ['ENOTFOUND', 'ETIMEOUT']) {
    advance(30_001);
    await expect(resolve('a.example')).rejects.toThrow(code);
  }
});

test('leaves the queue at its deadline and makes no query then', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<never[]>();
  const { resolve, asked } = setUp({ resolve4: () => answered }, { concurrency: 1, timeoutMs: 50 });
  await Promise.allSettled([resolve('slow.example'), resolve('queued.example')]);
  answer([]);
  await new Promise((next) => setImmediate(next));
  expect(asked).toEqual(['slow.example']);
});

test('limits the concurrent queries of an account, and serves others meanwhile', async () => {
  const { resolve, asked } = setUp(
    {
      resolve4: (name) =>
        name.startsWith('dead') ? never : Promise.resolve([{ address: '1.1.1.1', ttl: 1 }]),
    },
    { keyConcurrency: 2, timeoutMs: 1_000 },
  );
  const dead = Promise.allSettled(
    Array.from({ length: 5 }, (_, i) => resolve(`dead${i}.example`, 'usr_flood')),
  );
  expect(await resolve('alive.example', 'usr_quiet')).toHaveLength(1);
  await dead;
  expect(asked).toEqual(['dead0.example', 'dead1.example', 'alive.example']);
});

test('shares one query between concurrent calls for the same name', async () => {
  const { resolve, asked } = setUp({});
  await Promise.all(Array.from({ length: 10 }, () => resolve('a.example')));
  expect(asked).toEqual(['a.example']);
});

test('fails at the time limit without holding up other names when a name server is silent', async () => {
  const { resolve } = setUp(
    {
      resolve4: (name) =>
        name.startsWith('dead') ? never : Promise.resolve([{ address: '1.1.1.1', ttl: 1 }]),
    },
    { timeoutMs: 100 },
  );
  const dead = Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => resolve(`dead${i}.example`)),
  );
  const winner = await Promise.race([dead, resolve('alive.example', 'usr_2')]);
  expect(winner).toEqual([{ address: '1.1.1.1', family: 4 }]);
  const outcomes = await dead;
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  await expect(resolve('dead.example')).rejects.toThrow('could not be resolved within 100 ms');
});

test('limits the number of concurrent queries', async () => {
  let open = 0;
  let most = 0;
  const { resolve } = setUp(
    {
      resolve4: async () => {
        most = Math.max(most, (open += 1));
        await new Promise((next) => setImmediate(next));
        open -= 1;
        return [{ address: '1.1.1.1', ttl: 1 }];
      },
    },
    { concurrency: 3 },
  );
  await Promise.all(Array.from({ length: 20 }, (_, i) => resolve(`n${i}.example`)));
  expect(most).toBe(3);
});

test('resolves localhost to this machine without a query', async () => {
  const { resolve, asked } = setUp({});
  for (const name of ['localhost', 'LocalHost.', 'a.b.localhost']) {
    expect(await resolve(name)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  }
  expect(asked).toEqual([]);
});

test('prefers the hosts file to the name server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'hosts');
  await writeFile(
    path,
    '# local\n10.0.0.7\tinside.example Inside2.example # x\n::7 inside.example\nx y\n',
  );
  const { resolve, asked } = setUp({}, { hostsFile: createHostsFile(path, () => 0) });
  expect(await resolve('inside.example')).toEqual([
    { address: '10.0.0.7', family: 4 },
    { address: '::7', family: 6 },
  ]);
  expect(await resolve('inside2.example')).toHaveLength(1);
  expect(asked).toEqual([]);
  await resolve('outside.example');
  expect(asked).toEqual(['outside.example']);
});
