interface Pool {
  query: (...args: never[]) => unknown;
}

/** Reads, and changes what is read once before the second statement that the reading sends to the pool. */
export async function changedMeanwhile<Result>(
  pool: Pool,
  change: () => Promise<unknown>,
  read: () => Promise<Result>,
): Promise<Result> {
  const query = pool.query.bind(pool);
  const unwatch = () => Reflect.deleteProperty(pool, 'query');
  let statements = 0;
  Reflect.set(pool, 'query', async (...args: never[]) => {
    statements += 1;
    if (statements === 2) {
      unwatch();
      await change();
    }
    return query(...args);
  });
  try {
    return await read();
  } finally {
    unwatch();
  }
}
