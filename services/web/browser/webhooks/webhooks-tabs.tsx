import { Tabs } from '../ui/page/tabs.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';

/** At the top of the list of webhooks and of the deliveries of all of them. */
export function WebhooksTabs() {
  const { sections, webhooks } = useAllText();
  return (
    <Tabs
      label={sections.webhooks}
      tabs={[
        { to: '/webhooks', label: webhooks.tabs.endpoints },
        { to: '/deliveries', label: webhooks.tabs.deliveries },
      ]}
    />
  );
}
