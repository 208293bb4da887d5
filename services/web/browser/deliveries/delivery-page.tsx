import { TextLink } from '../ui/controls/links.tsx';
import { NotFound } from '../ui/page/not-found.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { DeliveryLoaded } from './delivery-details.tsx';

/** One delivery: what was sent, and what was answered each time. */
export function DeliveryPage({ id }: { id: string }) {
  const { sections } = useAllText();
  return (
    <DeliveryLoaded
      id={id}
      headingLevel={1}
      missing={<NotFound />}
      above={
        <TextLink to="/deliveries" size="sm">
          {sections.deliveries}
        </TextLink>
      }
    />
  );
}
