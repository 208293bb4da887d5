import { FORBIDDEN } from './markdown.ts';
import type { OutlinedNote } from './store.ts';

const NAME_MAX_LENGTH = 100;
/** So that a note on the tenth level has a path of at most 740 characters. */
const NESTED_NAME_MAX_LENGTH = 60;
/** In a folder with such a name an import reads nothing, as operating systems make them. */
const IGNORED_NAMES = ['thumbs.db', '__macosx'];

/**
 * A path for each note by its id, a parent before its children: those below `Plans.md` are in the folder `Plans`.
 * Those whose parent is not there are on the first level. The same ones for the same notes.
 */
export function pathsOfNotes(outline: readonly OutlinedNote[]): Map<string, string> {
  const ids = new Set<string | null>(outline.map(({ id }) => id));
  const children = Map.groupBy(outline, ({ parentId }) => (ids.has(parentId) ? parentId : null));
  const paths = new Map<string, string>();
  const addLevel = (parentId: string | null, folder: string) => {
    const nameOf = createNames(parentId === null ? NAME_MAX_LENGTH : NESTED_NAME_MAX_LENGTH);
    for (const { id, title } of children.get(parentId) ?? []) {
      const path = `${folder}/${nameOf(title)}`;
      paths.set(id, `${path}.md`);
      addLevel(id, path);
    }
  };
  addLevel(null, 'notes');
  return paths;
}

/** Gives every note of a folder a name of its own, after its title. */
function createNames(maxLength: number): (title: string) => string {
  const taken = new Set<string>(IGNORED_NAMES);
  const numbers = new Map<string, number>();
  return (title) => {
    const short = title.replaceAll(FORBIDDEN, '_').slice(0, maxLength).toWellFormed();
    // Windows has no names that begin or end with these.
    const base = short.replaceAll(/^[. ]+|[. ]+$/g, '') || 'Untitled';
    let name = base;
    // Where letter case does not count, neither files nor folders must replace one another.
    const key = base.toLowerCase();
    const isTaken = () => taken.has(name.toLowerCase()) || taken.has(`${name.toLowerCase()}.md`);
    let number = numbers.get(key) ?? 2;
    for (; isTaken(); number += 1) name = `${base} (${number})`;
    numbers.set(key, number);
    taken.add(name.toLowerCase());
    taken.add(`${name.toLowerCase()}.md`);
    return name;
  };
}
