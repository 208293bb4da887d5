import { runMigrations } from '@atrium/service-kit/migration-task';

await runMigrations('notes', new URL('../prisma/migrations', import.meta.url));
