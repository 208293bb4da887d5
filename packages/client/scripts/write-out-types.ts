interface Schema {
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  type?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  description?: string;
}

type Module = Record<string, unknown>;

/** Speaks of where the types come from. */
const HEADER = /^\/\*\*[\s\S]*?\*\/\n/;
const IMPORT = /import type \* as (\w+) from '([^']+)';\n/g;
const STATIC = /Static<\s*typeof (\w+)\.(\w+)\s*>/g;
const KEYS = /keyof typeof (\w+)\.(\w+)/g;

/** The types that are taken from schemas of the contracts, written out: the text then needs no import. */
export async function writeOutTypes(source: string): Promise<string> {
  const modules = new Map<string, Module>();
  for (const [, alias = '', specifier = ''] of source.matchAll(IMPORT)) {
    modules.set(alias, (await import(specifier)) as Module);
  }
  const find = (alias: string, name: string): object => {
    const found = modules.get(alias)?.[name];
    if (typeof found !== 'object' || found === null) throw new Error(`No schema ${alias}.${name}`);
    return found;
  };
  return source
    .replace(HEADER, '')
    .replaceAll(IMPORT, '')
    .replace(/import type \{ Static \} from 'typebox';\n/, '')
    .replaceAll(STATIC, (_, alias: string, name: string) => typeOf(find(alias, name)))
    .replaceAll(KEYS, (_, alias: string, name: string) => union(Object.keys(find(alias, name))));
}

function union(values: unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function typeOf(schema: Schema): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType(schema: Schema): string {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const isOpen = additionalProperties === true && Object.keys(properties).length === 0;
  const [values] = isOpen ? [{}] : Object.values(patternProperties ?? {});
  if (values !== undefined) return `{ [key: string]: ${typeOf(values)} }`;
  const fields = Object.entries(properties).map(([name, field]) => {
    const comment = field.description === undefined ? '' : `  /** ${field.description} */\n`;
    return `${comment}  ${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)};\n`;
  });
  return `{\n${fields.join('')}}`;
}
