import { runMigrations } from '@atrium/service-kit/migration-task';

await runMigrations('webhooks', new URL('../prisma/migrations', import.meta.url));
