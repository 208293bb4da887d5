/** JSON with the names of objects sorted: many languages write them in another order each time. */
export const canonicalJson = (value: unknown) => JSON.stringify(value, sortNames);

function sortNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
