import type { FilterPreviewBody } from '@atrium/client';

export type Filter = FilterPreviewBody['filter'];

export const OPERATORS = [
  '$eq',
  '$ne',
  '$in',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$startsWith',
  '$exists',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** One condition as people write it. */
export interface FilterRow {
  path: string;
  operator: Operator;
  /** JSON; anything else is taken as a string. */
  value: string;
}

const isOperator = (key: string): key is Operator => OPERATORS.some((each) => each === key);
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A number, true, false, null or a text in quotes; anything else is a text without them. */
function scalarOf(text: string): unknown {
  const parsed = parseJson(text.trim());
  return parsed === undefined || (typeof parsed === 'object' && parsed !== null)
    ? text.trim()
    : parsed;
}

function textOf(value: unknown): string {
  return typeof value === 'string' && scalarOf(value) === value ? value : JSON.stringify(value);
}

function listOf(text: string): unknown[] {
  const parsed = parseJson(`[${text}]`);
  if (Array.isArray(parsed)) return parsed;
  return text.split(',').map(scalarOf);
}

function textOfList(values: readonly unknown[]): string {
  const json = JSON.stringify(values);
  const text = values.map(textOf).join(', ');
  return JSON.stringify(listOf(text)) === json ? text : json.slice(1, -1);
}

function operandOf({ operator, value }: FilterRow): unknown {
  if (operator === '$in') return listOf(value);
  if (operator === '$exists') return value !== 'false';
  const scalar = scalarOf(value);
  // "12" can be begun with, too.
  return operator === '$startsWith' && typeof scalar !== 'string' ? value.trim() : scalar;
}

/** What rows say together; null when none says anything. */
export function filterOf(rows: readonly FilterRow[]): Filter | null {
  const filter: Record<string, Record<string, unknown>> = {};
  const repeated: Filter[] = [];
  for (const row of rows) {
    const path = row.path.trim();
    if (path === '') continue;
    const condition = { [row.operator]: operandOf(row) };
    const known = filter[path];
    if (known !== undefined && row.operator in known) repeated.push({ [path]: condition });
    else filter[path] = { ...known, ...condition };
  }
  if (Object.keys(filter).length === 0) return null;
  return repeated.length === 0 ? filter : { ...filter, $and: repeated };
}

/** The rows that say the same as a filter; undefined when only JSON can say it. */
export function rowsOf(filter: Filter | null): FilterRow[] | undefined {
  const rows: FilterRow[] = [];
  return filter === null || addRows(rows, filter, []) ? rows : undefined;
}

function addRows(rows: FilterRow[], node: unknown, path: readonly string[]): boolean {
  if (!isObject(node)) return false;
  return Object.entries(node).every(([key, value]: [string, unknown]) => {
    if (key === '$and') {
      return Array.isArray(value) && value.every((each) => addRows(rows, each, path));
    }
    if (isOperator(key)) {
      const text = key === '$in' && Array.isArray(value) ? textOfList(value) : textOf(value);
      rows.push({ path: path.join('.'), operator: key, value: text });
      return true;
    }
    if (key.startsWith('$')) return false;
    const at = [...path, key];
    if (isObject(value)) return addRows(rows, value, at);
    rows.push({ path: at.join('.'), operator: '$eq', value: textOf(value) });
    return true;
  });
}
