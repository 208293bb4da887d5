import type { Queries } from '../database.ts';

/** By name. */
export function listNamespaces(
  queries: Queries,
  { after, limit }: { after: string; limit: number },
) {
  return queries.prisma.namespace.findMany({
    where: { name: { gt: after } },
    orderBy: { name: 'asc' },
    take: limit,
  });
}

/** @returns it as it is then; undefined when there is none */
export async function changeNamespace(
  queries: Queries,
  name: string,
  data: { trustedApplicationId: string | null },
) {
  const [changed] = await queries.prisma.namespace.updateManyAndReturn({ where: { name }, data });
  return changed;
}
