import type { CurrentUser } from '@atrium/client';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../ui/page/loaded.tsx';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useUser } from '../../session/user.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { AccountAvatar } from '../../ui/controls/account-avatar.tsx';
import { AccountPage } from '../account-page.tsx';
import { DetailsSection } from './details-section.tsx';
import { EmailSection } from './email-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { ProfileLinksSection } from './profile-links-section.tsx';
import { PictureSection } from './picture/picture-section.tsx';

/** The height of the details with no links. */
const DETAILS_HEIGHT_PX = 580;

export function ProfilePage() {
  const { profile } = useAllText().account;
  const shown = useUser();
  // Just after a login, `useUser()` does not know all of it. The forms begin with what is stored now.
  const user = useQuery({
    queryKey: queryKeys.account.profile,
    queryFn: ({ signal }) => atrium.auth.getCurrentUser({ signal }),
    gcTime: 0,
  });
  return (
    <AccountPage title={profile.title}>
      <PictureSection
        title={profile.picture}
        hint={profile.pictureHint}
        shown={<AccountAvatar user={shown} size={80} />}
        url={shown.avatar}
        upload={(picture) => atrium.auth.uploadAvatar(picture)}
        remove={() => atrium.auth.removeAvatar()}
      />
      <Loaded query={user} skeleton={<Skeleton h={DETAILS_HEIGHT_PX} />}>
        {(loaded) => <Forms user={loaded} />}
      </Loaded>
      <EmailSection />
      <LanguageSection />
    </AccountPage>
  );
}

function Forms({ user }: { user: CurrentUser }) {
  return (
    <>
      <DetailsSection user={user} />
      <ProfileLinksSection user={user} />
    </>
  );
}
