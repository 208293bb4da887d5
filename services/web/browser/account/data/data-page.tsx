import { useAllText } from '../../texts/signed-in-texts.tsx';
import { AccountPage } from '../account-page.tsx';
import { DeletionSection } from './deletion-section.tsx';
import { ExportSection } from './export-section.tsx';

export function DataPage() {
  const { data } = useAllText().account;
  return (
    <AccountPage title={data.title}>
      <ExportSection />
      <DeletionSection />
    </AccountPage>
  );
}
