// A run that a test kills: starts both servers and prints their process ids.
import { join } from 'node:path';
import { startPostgres, startRedis } from '../src/servers/servers.ts';

const [dataDir = ''] = process.argv.slice(2);
const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), durable: false });
const redis = await startRedis({ dataDir: join(dataDir, 'redis') });
console.log(JSON.stringify({ postgres: postgres.pid, redis: redis.pid }));
