import { listen } from '@atrium/testkit/http-listener';

/** Lets other processes read lists that grow: `GET /mails?from=12`. */
export function serveRecords(lists: Record<string, readonly unknown[]>) {
  return listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const list = lists[pathname.slice(1)] ?? [];
    response.end(JSON.stringify(list.slice(Number(searchParams.get('from')))));
  });
}

/** Reads such a list: everything so far, of which only what is new is sent. */
export function recordsReader<T>(url: string): () => Promise<readonly T[]> {
  const known: T[] = [];
  const read = async () => {
    const response = await fetch(`${url}?from=${known.length}`);
    for (const record of (await response.json()) as T[]) known.push(record);
    return known;
  };
  let last: Promise<unknown> = Promise.resolve();
  // One after the other: two at once would read the same records.
  return () => {
    const next = last.then(read, read);
    last = next;
    return next;
  };
}
