import assert from 'node:assert/strict';
import { docker, type Stack } from './engine.ts';

/** The owner of the keys that a service may read. */
const OWNERS = {
  auth: 'auth',
  notes: 'notes',
  'notes-worker': 'notes',
  links: 'links',
  'webhook-dispatcher': 'webhook-dispatcher',
  worker: 'webhook-dispatcher',
};
const DATABASES = [
  'postgres',
  'template1',
  ...['auth', 'notes', 'links', 'webhooks'].map((name) => `atrium_${name}`),
];
/** Keys of each kind, with the services that may read them. */
const KEYS: [key: string, readers: string[]][] = [
  ['{atrium}:mail:meta', ['auth']],
  ['{atrium}:auth-jobs:meta', ['auth']],
  ['{atrium}:inbox-auth:notes-1', ['auth', 'notes']],
  ['{atrium}:inbox-auth:webhook-worker-1', ['auth', 'webhook-dispatcher']],
  ['{atrium}:notes-jobs:meta', ['notes']],
  ['{atrium}:notes-presence:note_1', ['notes']],
  ['{atrium}:events:notes-1', ['notes', 'webhook-dispatcher']],
  ['{atrium}:clicks', ['links']],
  ['{atrium}:events:links-1', ['links', 'webhook-dispatcher']],
  ['{atrium}:webhook-retention:meta', ['webhook-dispatcher']],
];

/** What runs inside: it prints what it could reach with everything that the container holds. */
function intruder(databases: string[], keys: string[]): string {
  return `
    import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
    import { createRequire } from 'node:module';
    const require = createRequire('/app/packages/events/src/');
    const { Redis } = require('ioredis');
    const { Client } = require('pg');
    const own = (name) => readFileSync(process.env[name + '_FILE'], 'utf8').trim();
    const reached = [];
    const attempt = async (what, act) => {
      try { await act(); reached.push(what); } catch { /* Refused, as it should be. */ }
    };
    const url = new URL(own('DATABASE_URL'));
    const query = async (database, sql) => {
      url.pathname = '/' + database;
      const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 5000 });
      try { await client.connect(); await client.query(sql); } finally { await client.end(); }
    };
    const mine = url.pathname.slice(1);
    // It works at all.
    await query(mine, 'SELECT 1 FROM outbox LIMIT 1');
    for (const database of ${JSON.stringify(databases)}) {
      if (database !== mine) await attempt('database ' + database, () => query(database, 'SELECT 1'));
    }
    await attempt('a new table', () => query(mine, 'CREATE TABLE intruder ()'));
    await attempt('files of Postgres', () => query(mine, "SELECT pg_read_file('PG_VERSION')"));
    await attempt('roles of Postgres', () => query(mine, 'SELECT rolpassword FROM pg_authid'));
    const redis = new Redis(own('REDIS_URL'), { maxRetriesPerRequest: 1 });
    await redis.ping();
    for (const key of ${JSON.stringify(keys)}) {
      await attempt('key ' + key, () => redis.type(key));
      await attempt('key ' + key + ' by a script', () => redis.eval('return redis.call("TYPE", KEYS[1])', 1, key));
    }
    for (const command of [['keys', '*'], ['scan', '0'], ['monitor'], ['config', 'get', '*'], ['acl', 'list'], ['flushall'], ['psubscribe', '*']]) {
      await attempt('redis ' + command.join(' '), () => redis.call(...command));
    }
    redis.disconnect();
    const mounted = Object.entries(process.env).filter(([name]) => name.endsWith('_FILE')).map(([, file]) => file.split('/').at(-1));
    for (const secret of readdirSync('/run/secrets')) {
      if (!mounted.includes(secret)) reached.push('secret ' + secret);
    }
    await attempt('its own code', () => writeFileSync('/app/package.json', ''));
    const status = readFileSync('/proc/self/status', 'utf8');
    if (process.getuid() === 0) reached.push('root');
    if (!/^CapBnd:\\s0+$/m.test(status)) reached.push('capabilities');
    console.log(JSON.stringify(reached));
  `;
}

/** Tries to read from each container what belongs to another service. */
export async function assertServicesAreApart(stack: Stack): Promise<number> {
  let attempts = 0;
  for (const [service, owner] of Object.entries(OWNERS)) {
    const [container] = await stack.containers(service);
    assert.ok(container, `${service} is not running`);
    const keys = KEYS.filter(([, readers]) => !readers.includes(owner)).map(([key]) => key);
    const args = ['exec', '-i', container, 'node', '--input-type=module', '-'];
    const output = await docker(args, { input: intruder(DATABASES, keys) });
    assert.deepEqual(JSON.parse(output), [], `what ${service} could reach`);
    attempts += DATABASES.length + 3 + keys.length * 2 + 7;
  }
  return attempts;
}

/** The gateway reaches no server of the data network, and leads to no metrics. */
export async function assertDataIsOutOfReach(stack: Stack, url: string): Promise<void> {
  const [gateway] = await stack.containers('gateway');
  assert.ok(gateway, 'the gateway is not running');
  for (const server of ['postgres', 'redis']) {
    await assert.rejects(docker(['exec', gateway, 'getent', 'hosts', server]));
  }
  const response = await fetch(`${url}/metrics`);
  assert.doesNotMatch(await response.text(), /process_cpu/);
}
