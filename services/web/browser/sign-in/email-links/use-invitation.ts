import type { ReceivedInvitation } from '@atrium/client';
import { useAuth } from '@atrium/client/react';
import { createWorkspaces } from '@atrium/client/workspaces';
import { useEffect, useState } from 'react';
import { atrium } from '../../session/atrium.ts';

interface Received {
  invitation: ReceivedInvitation;
  /** Only those who have an account are told who invites. */
  ownerName: string | undefined;
}

const { getInvitation } = createWorkspaces(atrium);

/** What the token of a link invites to. Without `useQuery`, which the pages for visitors do not load. */
export function useInvitation(token: string | null) {
  const { user, isInitializing } = useAuth();
  const isSignedIn = user !== null;
  const [result, setResult] = useState<{ data?: Received; error: unknown }>({ error: null });
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    if (token === null || isInitializing) return undefined;
    let isCurrent = true;
    const show = (loaded: typeof result) => {
      if (isCurrent) setResult(loaded);
    };
    receive(token, isSignedIn).then(
      (data) => show({ data, error: null }),
      (error: unknown) => show({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [token, isSignedIn, isInitializing, attempt]);
  const refetch = () => setAttempt(attempt + 1);
  return { data: result.data, error: result.error, isFetching: false, refetch };
}

async function receive(token: string, isSignedIn: boolean): Promise<Received> {
  const invitation = await getInvitation(token);
  const owners = isSignedIn ? await atrium.auth.getUsers({ ids: invitation.ownerId }) : undefined;
  return { invitation, ownerName: owners?.data[0]?.name };
}
