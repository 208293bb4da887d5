import type { Application } from '@atrium/client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { PictureSection } from '../account/profile/picture/picture-section.tsx';
import { applications } from '../session/applications.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { ApplicationLogo } from '../ui/controls/account-avatar.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { changePortalLogos } from './portals.ts';

/** The picture that people see when the application asks them. */
export function LogoSection({ application }: { application: Application }) {
  const { applications: texts, portal } = useAllText();
  const { own } = texts;
  const toast = useToast();
  /** An undone removal gives the logo back to them. */
  const portalsWithout = useRef<string[]>([]);
  const queryClient = useQueryClient();
  const { id, logo } = application;
  const show = async (saved: Application) => {
    queryClient.setQueryData(queryKeys.applications.one(id), saved);
    void queryClient.invalidateQueries({ queryKey: queryKeys.applications.list, exact: true });
    try {
      const { current } = portalsWithout;
      portalsWithout.current = await changePortalLogos(logo, saved.logo, current);
    } catch {
      toast(portal.settings.logoFailed, { kind: 'error' });
    }
    void queryClient.invalidateQueries({ queryKey: queryKeys.portals });
  };
  return (
    <PictureSection
      title={own.logo}
      hint={own.logoHint}
      shown={<ApplicationLogo application={application} size={80} />}
      url={logo}
      upload={async (picture) => show(await applications.uploadApplicationLogo(id, picture))}
      remove={async () => show(await applications.removeApplicationLogo(id))}
    />
  );
}
