import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import classes from './breadcrumb.module.css';
import { useOpened } from '../use-opened.ts';

/** The workspace of a note, and the notes above it; the tree opens down to the note. */
export function Breadcrumb({ noteId, workspaceId }: { noteId: string; workspaceId: string }) {
  const { notes, tree: texts } = useSignedInText();
  const { data: workspace } = useWorkspace(workspaceId);
  const { data: parents } = useQuery({
    queryKey: queryKeys.workspaces.parents(noteId),
    queryFn: ({ signal }) => workspaces.listParents(noteId, { signal }),
  });
  const { openForNow } = useOpened();
  const above = parents?.data;
  useEffect(() => {
    if (above !== undefined) openForNow([workspaceId, ...above.map(({ id }) => id)]);
  }, [above, workspaceId, openForNow]);
  return (
    <nav aria-label={texts.parents} className={classes.breadcrumb}>
      <TextLink to="/workspaces/$id" params={{ id: workspaceId }} size="sm" truncate>
        {workspace?.name ?? notes.title}
      </TextLink>
      {above?.map(({ id, title }) => (
        <Fragment key={id}>
          <span className={classes.separator} aria-hidden />
          <TextLink to="/notes/$id" params={{ id }} size="sm" truncate>
            {title}
          </TextLink>
        </Fragment>
      ))}
    </nav>
  );
}
