import { Text } from '@mantine/core';
import { queryKeys } from '../../session/query-keys.ts';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import { Section } from '../../ui/page/section.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import { Snippet } from '../search/snippet.tsx';
import classes from './linked-from.module.css';

/** The notes that link to this one; nothing when there are none. */
export function LinkedFrom({ noteId, workspaceId }: { noteId: string; workspaceId: string }) {
  const { organising: texts } = useSignedInText();
  const list = useList(queryKeys.workspaces.backlinks(noteId), (query, options) =>
    workspaces.listBacklinks(noteId, query, options),
  );
  const { data = [] } = list;
  if (data.length === 0) return null;
  return (
    <Section title={texts.linkedFrom}>
      <ul className={classes.list}>
        {data.map((source) => (
          <li key={source.id}>
            <div>
              <TextLink to="/notes/$id" params={{ id: source.id }}>
                {source.title}
              </TextLink>
              {source.workspaceId !== workspaceId && (
                <Text span size="sm" c="dimmed">
                  {' '}
                  {texts.inWorkspace(source.workspaceName)}
                </Text>
              )}
            </div>
            <Snippet>{source.excerpt}</Snippet>
          </li>
        ))}
      </ul>
      {list.hasMore && <ListEnd list={list} />}
    </Section>
  );
}
