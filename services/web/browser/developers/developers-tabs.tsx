import { useAllText } from '../texts/signed-in-texts.tsx';
import { Tabs } from '../ui/page/tabs.tsx';

/** At the top of the lists for developers. */
export function DevelopersTabs() {
  const { applications, eventTypes } = useAllText();
  return (
    <Tabs
      label={eventTypes.developers}
      tabs={[
        { to: '/developers/applications', label: applications.own.title },
        { to: '/developers/event-types', label: eventTypes.title },
      ]}
    />
  );
}
