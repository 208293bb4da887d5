import { runMigrations } from '@atrium/service-kit/migration-task';

await runMigrations('auth', new URL('../prisma/migrations', import.meta.url));
