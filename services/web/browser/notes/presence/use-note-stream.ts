import { AtriumError } from '@atrium/client';
import { followNote } from '@atrium/client/presence';
import { useAuth } from '@atrium/client/react';
import { useDocumentVisibility } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { OpenNote } from '../saving/open-note.ts';
import type { Saver } from '../saving/saving-state.ts';
import { refreshTree } from '../tree/level.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const NOTICE_MS = 5_000;

interface Live {
  /** The accounts that have the note open. */
  present: readonly string[];
  /** Whose changes have just come in. */
  savedBy: string | null;
}

/**
 * Takes over what others save of a note and of its workspace's tree and says who has it open, while the page is in
 * sight: a browser opens only a few connections to a service. Without the stream a note is saved and merged as ever.
 */
export function useNoteStream({ id, stored, saver }: OpenNote): Live {
  const queryClient = useQueryClient();
  const isSignedIn = useAuth().user !== null;
  const isVisible = useDocumentVisibility() === 'visible';
  // Its deletion may be undone, after which it is followed again.
  const isGone = useSyncExternalStore(saver.subscribe, () => saver.getState().kind === 'deleted');
  const [present, setPresent] = useState<readonly string[]>([]);
  const [savedBy, setSavedBy] = useState<string | null>(null);
  useEffect(() => {
    if (!isVisible || !isSignedIn || isGone) return;
    const stop = new AbortController();
    const takeOver = async (etag: string, userId: string | null) => {
      if (await saver.follow(etag)) setSavedBy(userId);
    };
    // A session that has ended shows when it is opened, and must not take the focus from who is typing.
    const streamNote: typeof workspaces.streamNote = async (...given) => {
      await untilPause(saver);
      return workspaces.streamNote(...given);
    };
    const run = async () => {
      let isBehind = false;
      for await (const event of followNote({ streamNote }, id, stop)) {
        if (event.kind === 'changed' || isBehind) refreshTree(queryClient, stored().workspaceId);
        isBehind = event.kind === 'disconnected';
        if (event.kind === 'saved') void takeOver(event.etag, event.userId);
        else if (event.kind === 'present') setPresent(event.userIds);
        else if (isBehind) setPresent([]);
      }
    };
    run().catch((error: unknown) => {
      setPresent([]);
      // The note is gone, or the person may not read it any more.
      if (error instanceof AtriumError && error.status === 404) void saver.follow('');
    });
    return () => stop.abort();
  }, [id, stored, queryClient, saver, isVisible, isSignedIn, isGone]);
  useEffect(() => {
    if (savedBy === null) return;
    const timer = setTimeout(() => setSavedBy(null), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [savedBy]);
  return { present, savedBy };
}

function untilPause(saver: Saver): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (saver.getState().kind === 'unsaved') return;
      stopWaiting();
      resolve();
    };
    const stopWaiting = saver.subscribe(check);
    check();
  });
}
