import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { AccountPage } from '../account-page.tsx';
import { DetailsSection } from './details-section.tsx';
import { EmailSection } from './email-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { PictureSection } from './picture-section.tsx';

export function ProfilePage() {
  const { profile } = useSignedInText().account;
  return (
    <AccountPage title={profile.title}>
      <PictureSection />
      <DetailsSection />
      <EmailSection />
      <LanguageSection />
    </AccountPage>
  );
}
