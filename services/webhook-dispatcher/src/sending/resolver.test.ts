import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHostsFile } from './hosts-file.ts';
import { type AddressQueries, createResolver, type ResolverOptions } from './resolver.ts';

const never = new Promise<never>(() => undefined);

function setUp(answers: Partial<AddressQueries>, options: ResolverOptions = {}) {
  let nowMs = Date.now();
  const asked: string[] = [];
  const queries: AddressQueries = {
    resolve4(name, ttl) {
      asked.push(name);
      return answers.resolve4?.(name, ttl) ?? Promise.resolve([{ address: '1.1.1.1', ttl: 300 }]);
    },
    resolve6: (name, ttl) => answers.resolve6?.(name, ttl) ?? Promise.reject(new Error('ENODATA')),
  };
  const clockMs = () => nowMs;
  const resolve = createResolver({
    hostsFile: async () => undefined,
    queries,
    clockMs,
    ...options,
  });
  return { resolve, asked, advance: (ms: number) => (nowMs += ms) };
}

test('returns the addresses of both families, or of one when the other fails', async () => {
  const both = setUp({ resolve6: async () => [{ address: '2606:4700::1111', ttl: 1 }] });
  expect(await both.resolve('a.example')).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  expect(await setUp({}).resolve('a.example')).toHaveLength(1);
  const notFound = Object.assign(new Error('queryA'), { code: 'ENOTFOUND' });
  const none = setUp({ resolve4: () => Promise.reject(notFound) });
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

test('does not cache a failure', async () => {
  let works = false;
  const { resolve } = setUp({
    resolve4: async () => {
      if (!works) throw new Error('ESERVFAIL');
      return [{ address: '1.1.1.1', ttl: 1 }];
    },
  });
  await expect(resolve('a.example')).rejects.toThrow('has no address');
  works = true;
  expect(await resolve('a.example')).toHaveLength(1);
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
  const winner = await Promise.race([dead, resolve('alive.example')]);
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
