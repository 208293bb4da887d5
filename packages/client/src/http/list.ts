import type { Page } from '../types.ts';

/**
 * A list: awaited it is one page, iterated it is every item on all pages, which are read as they are
 * needed.
 */
export interface List<Item, Response = Page<Item>>
  extends PromiseLike<Response>, AsyncIterable<Item> {}

interface AnyPage<Item> {
  data?: Item[];
  results?: Item[];
  nextCursor?: string | null;
}

/** @param load reads the page after this cursor, or the first one asked for */
export function createList<Item>(
  load: (cursor: string | undefined) => Promise<unknown>,
): List<Item, AnyPage<Item>> {
  let first: Promise<AnyPage<Item>> | undefined;
  const firstPage = () => (first ??= load(undefined) as Promise<AnyPage<Item>>);
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list gives its page
    then: (onPage, onError) => firstPage().then(onPage, onError),
    async *[Symbol.asyncIterator]() {
      let page = await firstPage();
      for (;;) {
        yield* page.data ?? page.results ?? [];
        if (typeof page.nextCursor !== 'string') return;
        page = (await load(page.nextCursor)) as AnyPage<Item>;
      }
    },
  };
}
