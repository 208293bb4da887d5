import Type, { type Static, type TSchema } from 'typebox';

/** How a list is paged: `limit` 1 to 100 (default 20), `cursor` from the previous page. */
export const ListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: '`nextCursor` of the previous page' }),
  ),
});
export type ListQuery = Static<typeof ListQuery>;

type ListItem = TSchema & { title?: string; examples?: unknown[] };

/** One page of a list; `nextCursor` is null on the last one. */
export function Page<Item extends ListItem>(item: Item) {
  const { title, examples } = item;
  return Type.Object(
    { data: Type.Array(item), nextCursor: Type.Union([Type.String(), Type.Null()]) },
    title === undefined
      ? {}
      : { title: `${title}Page`, examples: [{ data: examples, nextCursor: null }] },
  );
}
