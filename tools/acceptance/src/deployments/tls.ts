import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@atrium/local-stack/ports';
import { startPostgres } from '@atrium/local-stack/servers';
import { openDatabase } from '@atrium/service-kit/database';
import { openRedis } from '@atrium/service-kit/redis';
import { startBreakable } from '../chaos/breakable-server.ts';
import { type Certificate, createCertificate } from '@atrium/testkit/certificates';
import { startRedisServer, tlsQuery, tlsSettings } from './redis-servers.ts';
import type { Scenario } from './scenario.ts';

const OUTAGE_MS = 5_000;
const PASSWORD = 'p@ss/word';
const USERS = `user default off
user atrium on >${PASSWORD} ~{atrium}* &{atrium}* +@all -@admin -@dangerous +info -scan -randomkey -dbsize
`;

/** Both servers speak TLS alone, certificates are verified, and Redis knows one user. Both are killed. */
export const tls: Scenario = {
  name: 'tls',
  title: 'TLS and a Redis user: both servers killed',
  needs: ['redis-server', 'openssl'],
  async prepare(stack, folder) {
    const own = await createCertificate(folder, 'own');
    const other = await createCertificate(folder, 'other');
    const dataDir = join(folder, 'postgres');
    await giveToPostgres(own.key, dataDir);
    const settings = { ssl: 'on', ssl_cert_file: own.cert, ssl_key_file: own.key };
    const postgres = stack.use(
      await startBreakable((port) => startPostgres({ dataDir, port, settings })),
    );
    const acl = join(folder, 'users.acl');
    await writeFile(acl, USERS);
    const redis = await startRedisServer(stack, folder, {
      port: '0',
      'tls-port': String(await findFreePort()),
      ...tlsSettings(own),
      aclfile: acl,
    });
    const databaseUrl = ({ ca }: Certificate) =>
      `${postgres.url.replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${ca}`;
    const account = `atrium:${encodeURIComponent(PASSWORD)}`;
    // Redis asks for a certificate of its clients unless told otherwise.
    const redisUrl = ({ ca }: Certificate) =>
      `rediss://${account}@localhost:${redis.port}${tlsQuery({ ...own, ca })}`;
    await assertRefused(databaseUrl(other), redisUrl(other));
    return {
      env: { DATABASE_URL: databaseUrl(own), REDIS_URL: redisUrl(own) },
      fault: {
        durationMs: OUTAGE_MS,
        async inject(_environment, _receiver, signal) {
          await Promise.all([postgres.stop('SIGQUIT'), redis.kill()]);
          await sleep(OUTAGE_MS, undefined, { signal });
          await Promise.all([postgres.start(), redis.restart()]);
        },
      },
    };
  },
};

/** Postgres runs as the owner of its data, and reads a key that nobody else can. */
async function giveToPostgres(key: string, dataDir: string): Promise<void> {
  const first = await startPostgres({ dataDir });
  await first.stop();
  const { uid, gid } = await stat(join(dataDir, 'cluster'));
  await chown(key, uid, gid);
}

/** @throws Error when a server is trusted whose certificate another authority has signed */
async function assertRefused(databaseUrl: string, redisUrl: string): Promise<void> {
  await using database = openDatabase({ url: databaseUrl, applicationName: 'tls' });
  await using redis = await openRedis({ url: redisUrl });
  const answers = await Promise.allSettled([database.check(), redis.check()]);
  if (answers.some(({ status }) => status === 'fulfilled')) {
    throw new Error('A server was trusted whose certificate an unknown authority has signed.');
  }
}
