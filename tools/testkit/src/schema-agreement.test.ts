import { readFile } from 'node:fs/promises';
import { createTestDatabase } from './database.ts';
import { schemaDifferences } from './schema-agreement.ts';
import { expect, test } from 'vitest';

test.each([
  { owner: 'auth', service: 'auth' },
  { owner: 'notes', service: 'notes' },
  { owner: 'links', service: 'links' },
  { owner: 'webhooks', service: 'webhook-dispatcher' },
] as const)('the Prisma schema of $owner says what its migrations make', async (row) => {
  const file = new URL(`../../../services/${row.service}/prisma/schema.prisma`, import.meta.url);
  const schema = await readFile(file, 'utf8');
  await using database = await createTestDatabase(row.owner);
  expect(await schemaDifferences(schema, database.url)).toEqual([]);
});
