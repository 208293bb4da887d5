import type { EventTrace } from '@atrium/client';
import { TextLink } from '../ui/controls/links.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';

/** Leads to what was clicked, changed, shared or logged in. */
export function CauseLink({ cause }: { cause: NonNullable<EventTrace['cause']> }) {
  const { events } = useAllText();
  switch (cause.kind) {
    case 'click':
      return (
        <TextLink to="/links/$id" params={{ id: cause.linkId }} size="sm">
          {events.toLink}
        </TextLink>
      );
    case 'note':
    case 'share':
      return (
        <TextLink to="/notes/$id" params={{ id: cause.noteId }} size="sm">
          {events.toNote}
        </TextLink>
      );
    case 'member':
      return (
        <TextLink to="/workspaces/$id" params={{ id: cause.workspaceId }} size="sm">
          {events.toWorkspace}
        </TextLink>
      );
    case 'login':
      return (
        <TextLink to="/account/sessions" size="sm">
          {events.toSessions}
        </TextLink>
      );
    case 'test':
      return null;
  }
}
