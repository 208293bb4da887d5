import type { Application } from '@atrium/client';
import { Code, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { serviceUrls } from '../platform/service-urls.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Fact, Facts } from '../ui/page/facts.tsx';
import { Section } from '../ui/page/section.tsx';
import classes from './developers.module.css';
import { SETUPS } from './setups.ts';

/** What a program is configured with to use an application. */
export function SetupSection({ application }: { application: Application }) {
  const { own } = useAllText().applications;
  const setups = SETUPS[application.kind];
  const [chosen, setChosen] = useState(setups[0]?.name);
  const setup = setups.find(({ name }) => name === chosen);
  const issuer = new URL(serviceUrls.auth).origin;
  const code = setup?.write({ issuer, application });
  return (
    <Section title={own.setup} hint={own.setupHint}>
      <Stack>
        <Facts>
          <Fact label={own.clientId}>
            <Group gap="xs">
              <Code>{application.id}</Code>
              <CopyButton value={application.id} label={own.copyClientId} />
            </Group>
          </Fact>
          <Fact label={own.issuer}>
            <Group gap="xs">
              <Code>{issuer}</Code>
              <CopyButton value={issuer} label={own.copyIssuer} />
            </Group>
          </Fact>
        </Facts>
        {code !== undefined && (
          <>
            <Group align="flex-end">
              <NativeSelect
                label={own.library}
                value={chosen}
                data={setups.map(({ name }) => name)}
                onChange={(event) => setChosen(event.currentTarget.value)}
              />
              <CopyButton value={code} label={own.copySetup} />
            </Group>
            <Code block className={classes.code} tabIndex={0} aria-label={own.setup}>
              {code}
            </Code>
          </>
        )}
      </Stack>
    </Section>
  );
}
