import {
  FILTER_CONDITIONS_MAX,
  FILTER_DEPTH_MAX,
  FILTER_MAX_CHARACTERS,
  FILTER_VALUES_MAX,
} from '@atrium/contracts/webhooks/filters';
import { HttpError } from '@atrium/service-kit/http-error';

/** Values that the filters of an account may still look at in one event. */
export interface Work {
  left: number;
}

/** Enough for 30 conditions each on a list of 300 items; about a millisecond. */
const WORK_MAX = 10_000;

export const newWork = (): Work => ({ left: WORK_MAX });

/**
 * Whether the body of a delivery matches. What would take more work than is left matches too: no account can
 * keep a worker busy with its filters, and none misses an event for it.
 */
export type Matches = (body: object, work: Work) => boolean;

class TooMuchWork extends Error {
  override name = 'TooMuchWork';
}

/** A path in a message at most. */
const PLACE_MAX_CHARACTERS = 200;

type Test = (value: unknown) => boolean;
type Path = readonly string[];
interface Search {
  path: Path;
  test: Test;
  work: Work;
}

/** What the body of every delivery has. */
const FIELDS: ReadonlySet<string> = new Set(['id', 'event', 'createdAt', 'occurredAt', 'data']);

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || isNumber(value);

/** JSON has no infinite numbers, but 1e999 is read as one. */
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

/**
 * Checks a filter and makes a predicate of it, which takes time in proportion to the body for each of at most 30
 * conditions. It reads own properties only, and runs nothing of its author's.
 *
 * @throws HttpError 422 that names the path in the filter
 */
export function compileFilter(filter: unknown): Matches {
  let conditions = 0;
  const matches = compileObject(filter, [], 0);
  if (JSON.stringify(filter).length > FILTER_MAX_CHARACTERS) {
    throw unusable([], `is longer than ${FILTER_MAX_CHARACTERS} characters`);
  }
  return (body, work) => {
    try {
      return matches(body, work);
    } catch (error) {
      if (error instanceof TooMuchWork) return true;
      throw error;
    }
  };

  /** All that an object says about the value at a path. */
  function compileObject(node: unknown, path: Path, depth: number): Matches {
    if (!isObject(node)) throw unusable(path, 'must be an object');
    if (depth > FILTER_DEPTH_MAX) throw unusable(path, 'is too deep');
    const entries = Object.entries(node);
    if (entries.length === 0) throw unusable(path, 'is empty');
    return every(entries.map(([key, value]) => compileEntry(key, value, path, depth + 1)));
  }

  function compileEntry(key: string, value: unknown, path: Path, depth: number): Matches {
    if (key === '$and') return every(compileList(value, [...path, key], path, depth));
    if (key === '$or') {
      const alternatives = compileList(value, [...path, key], path, depth);
      return (body, work) => alternatives.some((each) => each(body, work));
    }
    if (key === '$not') {
      const inner = compileObject(value, path, depth);
      return (body, work) => !inner(body, work);
    }
    if (key.startsWith('$')) return compileCondition(key, value, path);
    const at = [...path, ...key.split('.')];
    if (at.includes('')) throw unusable(at, 'has an empty name');
    if (at.length > FILTER_DEPTH_MAX) throw unusable(at, 'is too deep');
    return isScalar(value) ? compileCondition('$eq', value, at) : compileObject(value, at, depth);
  }

  function compileList(list: unknown, at: Path, path: Path, depth: number): Matches[] {
    if (!Array.isArray(list) || list.length === 0) throw unusable(at, 'takes a list of filters');
    return list.map((each) => compileObject(each, path, depth));
  }

  function compileCondition(operator: string, operand: unknown, path: Path): Matches {
    const [field] = path;
    if (field === undefined) throw unusable([operator], 'needs a path before it');
    if (!FIELDS.has(field)) throw unusable(path, `begins with none of ${[...FIELDS].join(', ')}`);
    conditions += 1;
    if (conditions > FILTER_CONDITIONS_MAX) {
      throw unusable(path, `is one of more than ${FILTER_CONDITIONS_MAX} conditions`);
    }
    const at = [...path, operator];
    switch (operator) {
      case '$ne': {
        const test = equals(operand, at);
        return (body, work) => !someAt(body, { path, test, work });
      }
      case '$exists': {
        if (typeof operand !== 'boolean') throw unusable(at, 'takes true or false');
        return (body, work) => someAt(body, { path, test: () => true, work }) === operand;
      }
      default: {
        const test = testOf(operator, operand, at);
        return (body, work) => someAt(body, { path, test, work });
      }
    }
  }
}

/** @throws HttpError 422 for a filter that cannot be used */
export function assertFilter(filter: object | null | undefined): void {
  if (filter !== null && filter !== undefined) compileFilter(filter);
}

function testOf(operator: string, operand: unknown, at: Path): Test {
  switch (operator) {
    case '$eq':
      return equals(operand, at);
    case '$in': {
      if (!Array.isArray(operand) || operand.length === 0 || !operand.every(isScalar)) {
        throw unusable(at, 'takes a list of texts, numbers, true, false or null');
      }
      if (operand.length > FILTER_VALUES_MAX) {
        throw unusable(at, `has more than ${FILTER_VALUES_MAX} values`);
      }
      const values = new Set<unknown>(operand);
      return (value) => values.has(value);
    }
    case '$gt':
      return compares(operand, at, (value, bound) => value > bound);
    case '$gte':
      return compares(operand, at, (value, bound) => value >= bound);
    case '$lt':
      return compares(operand, at, (value, bound) => value < bound);
    case '$lte':
      return compares(operand, at, (value, bound) => value <= bound);
    case '$startsWith':
      if (typeof operand !== 'string') throw unusable(at, 'takes a text');
      return (value) => typeof value === 'string' && value.startsWith(operand);
    default:
      throw unusable(at, 'is no operator');
  }
}

function equals(operand: unknown, at: Path): Test {
  if (!isScalar(operand)) throw unusable(at, 'takes a text, a number, true, false or null');
  return (value) => value === operand;
}

type Ordered = string | number;

/** Numbers compare with numbers, and texts with texts: times in ISO 8601 too. */
function compares(
  operand: unknown,
  at: Path,
  holds: (value: Ordered, bound: Ordered) => boolean,
): Test {
  if (typeof operand === 'string') {
    return (value) => typeof value === 'string' && holds(value, operand);
  }
  if (typeof operand === 'number' && isNumber(operand)) {
    return (value) => typeof value === 'number' && holds(value, operand);
  }
  throw unusable(at, 'takes a number or a text');
}

/**
 * Whether a value at the path passes. A list stands for each of its items, on the way and at the end; lists inside
 * lists do not. So no value is visited twice.
 */
function someAt(value: unknown, search: Search, depth = 0): boolean {
  const { path, test, work } = search;
  work.left -= Array.isArray(value) ? value.length : 1;
  if (work.left < 0) throw new TooMuchWork();
  const name = path[depth];
  if (name === undefined) return test(value) || (Array.isArray(value) && value.some(test));
  const step = (each: unknown): boolean =>
    isObject(each) &&
    Object.hasOwn(each, name) &&
    someAt(Reflect.get(each, name), search, depth + 1);
  return Array.isArray(value) ? value.some(step) : step(value);
}

const every =
  (all: readonly Matches[]): Matches =>
  (body, work) =>
    all.every((matches) => matches(body, work));

function unusable(path: Path, why: string): HttpError {
  const place = path.join('.').slice(0, PLACE_MAX_CHARACTERS);
  const message = place === '' ? `The filter ${why}` : `The filter: ${place} ${why}`;
  return new HttpError('filter-unusable', message);
}
