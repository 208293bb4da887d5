import type { AllTexts } from '../../texts/signed-in-texts.tsx';
import { type Filter, filterOf, type FilterRow, parseJson, rowsOf } from './conditions.ts';

/** A filter while it is written, in one of two views. */
export interface FilterValues extends Record<string, unknown> {
  view: 'rows' | 'json';
  rows: FilterRow[];
  json: string;
}

export const newRow = (): FilterRow => ({ path: 'data.', operator: '$eq', value: '' });

const jsonOf = (filter: Filter | null) => (filter === null ? '' : JSON.stringify(filter, null, 2));

export function valuesOf(filter: Filter | null): FilterValues {
  const rows = rowsOf(filter);
  return { view: rows === undefined ? 'json' : 'rows', rows: rows ?? [], json: jsonOf(filter) };
}

/** What is written; null for no filter, undefined for what is none. */
export function currentFilter({ view, rows, json }: FilterValues): Filter | null | undefined {
  if (view === 'rows') return filterOf(rows);
  if (json.trim() === '') return null;
  const parsed = parseJson(json);
  return isFilter(parsed) ? parsed : undefined;
}

const isFilter = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same filter in the other view; undefined when it cannot be shown there. */
export function otherView(values: FilterValues): FilterValues | undefined {
  const filter = currentFilter(values);
  if (values.view === 'rows') return { ...values, view: 'json', json: jsonOf(filter ?? null) };
  const rows = filter === undefined ? undefined : rowsOf(filter);
  return rows && { ...values, view: 'rows', rows };
}

export function filterChecks({ jsonInvalid, pathRequired }: AllTexts['filters']) {
  return {
    json: (_: string, values: FilterValues) =>
      currentFilter(values) === undefined ? jsonInvalid : null,
    rows: {
      path: (path: string, { view }: FilterValues) =>
        view === 'rows' && /^$|\.$/.test(path.trim()) ? pathRequired : null,
    },
  };
}
