import { withClient } from './connection.ts';

interface Column {
  table: string;
  name: string;
  /** As Postgres spells it in `format_type`, with precision and `[]`. */
  type: string;
  isRequired: boolean;
  hasDefault: boolean;
}

interface Index {
  table: string;
  name: string;
  kind: 'primary key' | 'unique index' | 'index';
  method: string;
  /** In order, each with ` desc` behind it where it descends. */
  columns: string[];
}

interface Shape {
  tables: string[];
  columns: Column[];
  indexes: Index[];
}

interface Field {
  name: string;
  type: string;
  isList: boolean;
  isOptional: boolean;
  attributes: string;
}

interface Model {
  table: string;
  fields: Field[];
  /** The lines that begin with `@@`. */
  attributes: string[];
}

const SCALARS: Record<string, string> = {
  BigInt: 'bigint',
  Boolean: 'boolean',
  Bytes: 'bytea',
  DateTime: 'timestamp(3) without time zone',
  Float: 'double precision',
  Int: 'integer',
  Json: 'jsonb',
  String: 'text',
};

const NATIVE_TYPES: Record<string, string> = {
  Date: 'date',
  Json: 'json',
  SmallInt: 'smallint',
  'Timestamptz(3)': 'timestamp(3) with time zone',
  Uuid: 'uuid',
};

/** What the migration runner keeps for itself. */
const RUNNER_TABLE = '_prisma_migrations';

const TABLES = `
  SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
    AND relnamespace = current_schema()::regnamespace AND relname <> $1`;

const COLUMNS = `
  SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AS "isRequired", a.atthasdef OR a.attidentity <> '' AS "hasDefault"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
    AND c.relname <> $1 AND a.attnum > 0 AND NOT a.attisdropped`;

// indpred and indexprs: partial indexes and those over expressions, which Prisma cannot say.
const INDEXES = `
  SELECT t.relname AS "table", n.relname AS name, am.amname AS method,
    CASE WHEN i.indisprimary THEN 'primary key'
      WHEN i.indisunique THEN 'unique index' ELSE 'index' END AS kind,
    (SELECT array_agg(a.attname || CASE WHEN o.bits & 1 = 1 THEN ' desc' ELSE '' END ORDER BY k.nr)
      FROM unnest(i.indkey) WITH ORDINALITY AS k (attnum, nr)
      JOIN unnest(i.indoption) WITH ORDINALITY AS o (bits, nr) ON o.nr = k.nr
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum) AS columns
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
    JOIN pg_am am ON am.oid = n.relam
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relname <> $1 AND NOT t.relispartition
    AND i.indpred IS NULL AND i.indexprs IS NULL`;

/**
 * Where the text of a Prisma schema and a migrated database disagree, in both directions, one line
 * each: tables; columns with type, nullability and whether they have a default; primary keys and
 * indexes with name, method and columns. Not compared is what only SQL says (partial indexes and
 * those over expressions, the place of nulls, checks, how a column is generated), nor are the
 * values of defaults and foreign keys. Throws at a type or a line that it does not know.
 */
export async function schemaDifferences(schema: string, databaseUrl: string): Promise<string[]> {
  const said = facts(shapeOfSchema(schema));
  const made = facts(await shapeOfDatabase(databaseUrl));
  return [
    ...[...said].filter((fact) => !made.has(fact)).map((fact) => `only in the schema: ${fact}`),
    ...[...made].filter((fact) => !said.has(fact)).map((fact) => `only in the database: ${fact}`),
  ].toSorted();
}

function facts({ tables, columns, indexes }: Shape): Set<string> {
  return new Set([
    ...tables.map((table) => `table ${table}`),
    ...columns.map(({ table, name, type, isRequired, hasDefault }) => {
      // Prisma cannot say that a list may be missing.
      const nullability = isRequired || type.endsWith('[]') ? 'not null' : 'null';
      return `column ${table}.${name} ${type} ${nullability}${hasDefault ? ' default' : ''}`;
    }),
    ...indexes.map(
      ({ table, name, kind, method, columns: indexed }) =>
        `${kind} ${name} on ${table} using ${method} (${indexed.join(', ')})`,
    ),
  ]);
}

async function shapeOfDatabase(databaseUrl: string): Promise<Shape> {
  return withClient(databaseUrl, async (client) => {
    const tables = await client.query<{ name: string }>(TABLES, [RUNNER_TABLE]);
    const columns = await client.query<Column>(COLUMNS, [RUNNER_TABLE]);
    const indexes = await client.query<Index>(INDEXES, [RUNNER_TABLE]);
    return {
      tables: tables.rows.map(({ name }) => name),
      columns: columns.rows,
      indexes: indexes.rows,
    };
  });
}

function shapeOfSchema(schema: string): Shape {
  const blocks = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)];
  const modelNames = new Set(blocks.map(([, name = '']) => name));
  const models = blocks.map(([, name = '', body = '']) => parseModel(name, body, modelNames));
  return {
    tables: models.map(({ table }) => table),
    columns: models.flatMap(({ table, fields }) => fields.map((field) => columnOf(table, field))),
    indexes: models.flatMap(indexesOf),
  };
}

function parseModel(name: string, body: string, modelNames: Set<string>): Model {
  const lines = body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'));
  const attributes = lines.filter((line) => line.startsWith('@@'));
  const fields = lines
    .filter((line) => !line.startsWith('@@'))
    .map(parseField)
    // A field of a model's type is a relation; its column is a field of its own.
    .filter(({ type }) => !modelNames.has(type));
  const map = attributes.find((line) => line.startsWith('@@map('));
  return { table: quoted(map) ?? name, fields, attributes };
}

function parseField(line: string): Field {
  const parts = /^(\w+)\s+(Unsupported\("[^"]+"\)|\w+)(\[\])?(\?)?(?:\s+(@.*))?$/.exec(line);
  if (parts === null) throw new Error(`Not a field of a Prisma model: ${line}`);
  const [, name = '', type = '', list, optional, attributes = ''] = parts;
  return {
    name,
    type,
    isList: list !== undefined,
    isOptional: optional !== undefined,
    attributes,
  };
}

function columnOf(table: string, field: Field): Column {
  return {
    table,
    name: columnName(field),
    type: databaseType(field) + (field.isList ? '[]' : ''),
    isRequired: !field.isOptional,
    hasDefault: field.attributes.includes('@default('),
  };
}

function databaseType({ name, type, attributes }: Field): string {
  const native = /@db\.(\w+(?:\([\d, ]+\))?)/.exec(attributes)?.[1];
  const found = native === undefined ? (quoted(type) ?? SCALARS[type]) : NATIVE_TYPES[native];
  if (found === undefined) throw new Error(`Unknown type of ${name}: ${native ?? type}`);
  return found;
}

function indexesOf({ table, fields, attributes }: Model): Index[] {
  const ofFields = fields.flatMap((field) => {
    const attribute = /(?<!@)@(id|unique)\b(\([^)]*\))?/.exec(field.attributes);
    if (attribute === null) return [];
    const [text, type = ''] = attribute;
    return [indexOf(table, type, text, [columnName(field)])];
  });
  const ofModel = attributes.flatMap((text) => {
    const attribute = /^@@(id|unique|index)\([^[]*\[([^\]]+)\]/.exec(text);
    if (attribute === null) return [];
    const [, type = '', list = ''] = attribute;
    const columns = [...list.matchAll(/(\w+)(\([^)]*\))?/g)].map(([, name, settings = '']) => {
      const field = fields.find((candidate) => candidate.name === name);
      if (field === undefined) throw new Error(`No field for the index of ${table}: ${text}`);
      return columnName(field) + (/sort: Desc/.test(settings) ? ' desc' : '');
    });
    return [indexOf(table, type, text, columns)];
  });
  return [...ofFields, ...ofModel];
}

function indexOf(table: string, type: string, attribute: string, columns: string[]): Index {
  const method = /type: (\w+)/.exec(attribute)?.[1]?.toLowerCase() ?? 'btree';
  const named = quoted(/map: "[^"]+"/.exec(attribute)?.[0]);
  const plain = columns.map((column) => column.replace(/ desc$/, '')).join('_');
  if (type === 'id') {
    return { table, name: named ?? `${table}_pkey`, kind: 'primary key', method, columns };
  }
  return type === 'unique'
    ? { table, name: named ?? `${table}_${plain}_key`, kind: 'unique index', method, columns }
    : { table, name: named ?? `${table}_${plain}_idx`, kind: 'index', method, columns };
}

function columnName({ name, attributes }: Field): string {
  return quoted(/@map\("[^"]+"\)/.exec(attributes)?.[0]) ?? name;
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /"([^"]+)"/.exec(text)?.[1];
}
