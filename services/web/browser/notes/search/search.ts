/** What is searched for, as the URL has it. */
export interface Search {
  q: string;
  workspace: string | undefined;
}

/** Reads a search of a URL and leaves out what makes no sense. */
export function searchOf(search: object): Search {
  const { q, workspace } = search as Record<string, unknown>;
  return {
    q: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
    workspace: typeof workspace === 'string' && workspace !== '' ? workspace : undefined,
  };
}

/** The parts of an excerpt; those that match stand between ** markers. */
export function snippetParts(snippet: string): { text: string; isMatch: boolean }[] {
  return snippet
    .split('**')
    .map((text, index) => ({ text, isMatch: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
