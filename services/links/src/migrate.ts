import { runMigrations } from '@atrium/service-kit/migration-task';

await runMigrations('links', new URL('../prisma/migrations', import.meta.url));
