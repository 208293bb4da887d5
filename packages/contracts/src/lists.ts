import Type, { type Static, type TSchema } from 'typebox';

/** How a list is paged: `limit` 1 to 100 (20 unless told), `cursor` from the page before. */
export const ListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
});
export type ListQuery = Static<typeof ListQuery>;

/** One page of a list; `nextCursor` is null on the last one. */
export function Page<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  });
}
