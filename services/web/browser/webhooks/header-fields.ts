interface HeaderField {
  name: string;
  value: string;
}

/** What the service stores; a field without a name and a value was left empty. */
export function toHeaders(fields: readonly HeaderField[]): Record<string, string> {
  const named = fields.map(({ name, value }) => [name.trim(), value.trim()] as const);
  return Object.fromEntries(named.filter(([name]) => name !== ''));
}

/** By index: fields with a value but no name, and those whose name, in any case, stands before. */
export function faultyNames(fields: readonly HeaderField[]): Map<number, 'missing' | 'twice'> {
  const faults = new Map<number, 'missing' | 'twice'>();
  const seen = new Set<string>();
  for (const [index, { name, value }] of fields.entries()) {
    const key = name.trim().toLowerCase();
    if (key !== '' && seen.has(key)) faults.set(index, 'twice');
    if (key === '' && value.trim() !== '') faults.set(index, 'missing');
    seen.add(key);
  }
  return faults;
}
