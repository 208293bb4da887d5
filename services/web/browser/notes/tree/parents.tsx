import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import { workspaces } from '../workspaces/workspaces.ts';

/** The notes above a note, each as a link, after the one to its workspace. */
export function Parents({ noteId }: { noteId: string }) {
  const { tree: texts } = useSignedInText();
  const { data } = useQuery({
    queryKey: queryKeys.workspaces.parents(noteId),
    queryFn: ({ signal }) => workspaces.listParents(noteId, { signal }),
  });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <nav aria-label={texts.parents}>
      {data.data.map(({ id, title }) => (
        <Fragment key={id}>
          <span aria-hidden> / </span>
          <TextLink to="/notes/$id" params={{ id }} size="sm">
            {title}
          </TextLink>
        </Fragment>
      ))}
    </nav>
  );
}
