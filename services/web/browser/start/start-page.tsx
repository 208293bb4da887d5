import { Anchor, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { serviceUrls } from '../platform/service-urls.ts';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { ButtonLink } from '../ui/controls/links.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { useStartTexts } from '../texts/lazy-texts.ts';
import { useText } from '../texts/texts.tsx';
import { ProductPicture } from './product-picture.tsx';

const SERVICES = ['auth', 'notes', 'links', 'webhooks'] as const;

const REFERENCE = '/docs';

const FIRST_REQUEST = `curl ${serviceUrls.auth}/.well-known/jwks.json`;

const CLIENT = `import { createAtrium } from '@atrium/client';

const atrium = createAtrium({
  authUrl: '${serviceUrls.auth}',
  notesUrl: '${serviceUrls.notes}',
  linksUrl: '${serviceUrls.links}',
  webhooksUrl: '${serviceUrls.webhooks}',
});
await atrium.auth.logIn({ email, password });
for await (const workspace of atrium.notes.listWorkspaces()) console.log(workspace.name);`;

/** For whoever is not signed in: what it is, and for developers where everything is. */
export function StartPage() {
  const start = useStartTexts();
  const { frame } = useText();
  return (
    <Stack gap={48}>
      <PageTitle>{start.title}</PageTitle>
      <Stack gap="sm">
        <Title order={1} fz={{ base: 24, sm: 32 }} lh={1.25} textWrap="balance">
          {start.title}
        </Title>
        <Text size="lg" c="dimmed">
          {start.lead}
        </Text>
        <Group>
          <ButtonLink to="/signup">{frame.createAccount}</ButtonLink>
          <ButtonLink to="/login" variant="default">
            {frame.logIn}
          </ButtonLink>
        </Group>
      </Stack>
      <ProductPicture />
      <Stack gap="xl">
        <Title order={2} size="h1">
          {start.developers}
        </Title>
        <Services />
        <Example title={start.firstRequest} hint={start.firstRequestHint} code={FIRST_REQUEST} />
        <Example title={start.client} hint={start.clientHint} code={CLIENT} />
      </Stack>
    </Stack>
  );
}

function Services() {
  const start = useStartTexts();
  return (
    <Stack gap="xs">
      <Title order={3}>{start.services}</Title>
      <Table.ScrollContainer minWidth={480} scrollAreaProps={{ tabIndex: 0 }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{start.service}</Table.Th>
              <Table.Th>{start.url}</Table.Th>
              <Table.Th>{start.reference}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {SERVICES.map((name) => (
              <Table.Tr key={name}>
                <Table.Td>{start.names[name]}</Table.Td>
                <Table.Td>
                  <Code>{serviceUrls[name]}</Code>
                </Table.Td>
                <Table.Td>
                  <Anchor href={serviceUrls[name] + REFERENCE}>{REFERENCE}</Anchor>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

function Example({ title, hint, code }: { title: string; hint: string; code: string }) {
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3}>{title}</Title>
        <CopyButton value={code} />
      </Group>
      <Text c="dimmed" size="sm">
        {hint}
      </Text>
      <Code block tabIndex={0}>
        {code}
      </Code>
    </Stack>
  );
}
