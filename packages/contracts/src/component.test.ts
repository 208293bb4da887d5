import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { Errors } from 'typebox/schema';
import { expect, test } from 'vitest';

interface Component extends TSchema {
  title: string;
  examples: unknown[];
}

function isComponent(value: unknown): value is Component {
  return typeof value === 'object' && value !== null && 'title' in value && 'examples' in value;
}

const files = await readdir(import.meta.dirname, { recursive: true });
const modules = await Promise.all(
  files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => import(join(import.meta.dirname, name))),
);
const components = modules.flatMap((module) => Object.values<unknown>(module)).filter(isComponent);

test('no two components have the same name', () => {
  const names = components.map(({ title }) => title);
  expect(names.length).toBeGreaterThan(40);
  expect(names).toEqual([...new Set(names)]);
});

test.each(components)('the example of $title is valid', (schema) => {
  for (const example of schema.examples) expect(Errors(schema, example)).toEqual([true, []]);
});
