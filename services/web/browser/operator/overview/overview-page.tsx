import { useAllText } from '../../texts/signed-in-texts.tsx';
import { OperatorPage } from '../operator-page.tsx';
import { DeliveriesSection } from './deliveries-section.tsx';
import { EndpointsSection } from './endpoints-section.tsx';
import { RejectedSection } from './rejected-section.tsx';
import { ServicesSection } from './services-section.tsx';

/** How the platform is doing. */
export function OverviewPage() {
  const { overview } = useAllText().operator;
  return (
    <OperatorPage title={overview.title} explanation={overview.explanation}>
      <DeliveriesSection />
      <ServicesSection />
      <EndpointsSection />
      <RejectedSection />
    </OperatorPage>
  );
}
