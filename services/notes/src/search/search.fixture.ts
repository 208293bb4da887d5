import { type Caller, newNote, newWorkspace } from '../test-app.ts';

export interface Hit {
  id: string;
  title: string;
  snippet: string;
  workspaceId: string;
  relevance: number;
}

export interface SearchBody {
  results: Hit[];
  total: number;
  query: string;
  nextCursor: string | null;
  didYouMean: string | null;
  isPartial: boolean;
}

export async function search(call: Caller, query: string, more = ''): Promise<SearchBody> {
  const { body } = await call('GET', `/api/search?q=${encodeURIComponent(query)}${more}`);
  return body as unknown as SearchBody;
}

/** The titles that are found, the best first. */
export async function titlesFor(call: Caller, query: string): Promise<string[]> {
  return (await search(call, query)).results.map(({ title }) => title);
}

/** A workspace with a note for each content, titled by its key. */
export async function addNotes(call: Caller, contents: Record<string, string>): Promise<string> {
  const workspaceId = await newWorkspace(call);
  for (const [title, content] of Object.entries(contents)) {
    await newNote(call, workspaceId, { title, content });
  }
  return workspaceId;
}
