import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useId, useState, useSyncExternalStore } from 'react';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { TagPill } from '../tags/tag-pill.tsx';
import pills from '../tags/tag-pill.module.css';
import { useAllTags } from '../tags/use-tags.ts';
import classes from './editor.module.css';

const TAG_LENGTH_MAX = 50;
const TAGS_MAX = 20;

/** The tags of a note. Enter, a comma or leaving the field adds what is typed; Backspace removes the last. */
export function Tags({ note }: { note: OpenNote }) {
  const { editor } = useSignedInText().notes;
  const { tags } = useSyncExternalStore(note.subscribe, note.fields);
  const [typed, setTyped] = useState('');
  const [isAdding, setAdding] = useState(false);
  const { data: known = [] } = useAllTags(note.opened.workspaceId, isAdding);
  const listId = useId();
  const add = () => {
    // What is pasted or filled in may have commas, too.
    const added = typed.split(',').map((tag) => tag.trim());
    setTyped('');
    const next = [...new Set([...tags, ...added])].filter((tag) => tag !== '').slice(0, TAGS_MAX);
    if (next.length > tags.length) note.change({ tags: next });
  };
  const remove = (removed: string) => note.change({ tags: tags.filter((tag) => tag !== removed) });
  const onKeyDown = (event: KeyboardEvent) => {
    const last = tags.at(-1);
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add();
    } else if (event.key === 'Backspace' && typed === '' && last !== undefined) {
      remove(last);
    }
  };
  return (
    <ul className={pills.list ?? ''} aria-label={editor.tags}>
      {tags.map((tag) => (
        <TagPill
          key={tag}
          tag={tag}
          removeLabel={editor.removeTag(tag)}
          onRemove={() => remove(tag)}
        />
      ))}
      {tags.length < TAGS_MAX && (
        <li className={classes.newTag}>
          <TextInput
            variant="unstyled"
            size="sm"
            aria-label={editor.addTag}
            placeholder={editor.addTag}
            maxLength={TAG_LENGTH_MAX}
            autoComplete="off"
            list={listId}
            value={typed}
            onFocus={() => setAdding(true)}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={add}
          />
          <datalist id={listId}>
            {known
              .filter(({ name }) => !tags.includes(name))
              .map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
          </datalist>
        </li>
      )}
    </ul>
  );
}
