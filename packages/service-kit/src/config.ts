import { readFileSync } from 'node:fs';
import type { Static, TObject, TSchema } from 'typebox';
import { Value } from 'typebox/value';

export { baseConfig, Origin, readReplicaConfig, WebUrl } from './base-config.ts';
export { tracingConfig } from './tracing/config.ts';

/** The environment is not valid: `faults` has one sentence for each variable. */
export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`Bad configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

type Reading = { kind: 'absent' } | { kind: 'text'; text: string } | { kind: 'fault'; why: string };

/** `NAME`, or the content of the file that `NAME_FILE` names. An empty value counts as absent. */
function readVariable(name: string, env: NodeJS.ProcessEnv): Reading {
  const text = env[name];
  const path = env[`${name}_FILE`];
  if (path === undefined || path === '') {
    return text === undefined || text === '' ? { kind: 'absent' } : { kind: 'text', text };
  }
  if (text !== undefined && text !== '') {
    return { kind: 'fault', why: `is given twice: unset it or ${name}_FILE` };
  }
  try {
    return { kind: 'text', text: readFileSync(path, 'utf8').trimEnd() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return { kind: 'fault', why: `cannot be read from the file in ${name}_FILE (${code})` };
  }
}

interface SchemaView {
  type?: unknown;
  items?: SchemaView;
  anyOf?: SchemaView[];
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  description?: string;
}

/** Converts text to the type in the schema. Text that cannot be converted is left to the check. */
function coerce(text: string, schema: SchemaView): unknown {
  if (schema.anyOf !== undefined) {
    const candidates = schema.anyOf.map((option) => coerce(text, option));
    return candidates.find((candidate) => typeof candidate !== 'string') ?? text;
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array': {
      const items = text.split(',').map((item) => item.trim());
      return items.filter((item) => item !== '').map((item) => coerce(item, schema.items ?? {}));
    }
    default:
      return text;
  }
}

/** What the schema accepts, in words. */
function expectation(schema: SchemaView): string {
  if (schema.description !== undefined) {
    return schema.description;
  }
  const allowed = schema.enum ?? schema.anyOf?.map((option) => option.const ?? option.type);
  if (allowed !== undefined) {
    return `one of ${allowed.map(String).join(', ')}`;
  }
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const kind = schema.type === 'integer' ? 'a whole number' : 'a number';
      const from = schema.minimum === undefined ? '' : ` from ${schema.minimum}`;
      return `${kind}${from}${schema.maximum === undefined ? '' : ` up to ${schema.maximum}`}`;
    }
    case 'boolean':
      return 'true or false';
    case 'array':
      return `values separated by commas, each ${expectation(schema.items ?? {})}`;
    default:
      return schema.minLength === undefined || schema.minLength < 2
        ? 'a text'
        : `a text of at least ${schema.minLength} characters`;
  }
}

/** Values are left out of the faults on purpose: they may be secrets. */
function readProperty(
  name: string,
  schema: TSchema & SchemaView & { default?: unknown },
  isRequired: boolean,
  env: NodeJS.ProcessEnv,
): { value?: unknown; fault?: string } {
  const reading = readVariable(name, env);
  if (reading.kind === 'fault') {
    return { fault: `${name} ${reading.why}` };
  }
  if (reading.kind === 'absent') {
    if (schema.default !== undefined) {
      return { value: structuredClone(schema.default) };
    }
    return isRequired ? { fault: `${name} is missing: expected ${expectation(schema)}` } : {};
  }
  const value = coerce(reading.text, schema);
  return Value.Check(schema, value)
    ? { value }
    : { fault: `${name} is not valid: expected ${expectation(schema)}` };
}

/**
 * Reads the typed configuration from an environment. The schema's keys are the names of the variables.
 * Text is converted to numbers, booleans and (comma-separated) arrays as the schema says. Any variable
 * may be given as `NAME_FILE`.
 *
 * @throws ConfigError with every fault at once
 */
export function readConfig<Schema extends TObject>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): Static<Schema> {
  const required = new Set<string>(schema.required ?? []);
  const config: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const { value, fault } = readProperty(name, property, required.has(name), env);
    if (fault !== undefined) {
      faults.push(fault);
    } else if (value !== undefined) {
      config[name] = value;
    }
  }
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
  return config as Static<Schema>;
}
