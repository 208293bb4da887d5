import { Kbd, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { isApple } from '../platform/shortcut.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import classes from './keys.module.css';
import { SECTION_OF_KEY, SECTIONS } from './navigation.ts';

/** All keys that the pages have. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const text = useSignedInText();
  const { keys } = text.shell;
  const palette = isApple ? text.shell.paletteKeyApple : text.shell.paletteKey;
  const sections = Object.entries(SECTION_OF_KEY).map(([key, to]) => {
    const name = SECTIONS.find((section) => section.to === to)?.label(text) ?? '';
    return <Row key={key} keys={['G', key.toUpperCase()]} does={keys.goTo(name)} />;
  });
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <Stack>
        <Group title={keys.everywhere}>
          <Row keys={[palette]} does={keys.palette} />
          <Row keys={['C']} does={keys.newNote} />
          <Row keys={['/']} does={keys.search} />
          {sections}
          <Row keys={[keys.sidebarKey]} does={keys.sidebar} />
          <Row keys={[keys.escape]} does={keys.back} />
          <Row keys={['?']} does={keys.help} />
        </Group>
        <Group title={keys.lists}>
          <Row keys={['J']} does={keys.next} />
          <Row keys={['K']} does={keys.previous} />
          <Row keys={[keys.enter]} does={keys.open} />
          <Row keys={['R']} does={keys.resend} />
        </Group>
        <Group title={text.notes.title}>
          {keys.notes.map(({ key, does }) => (
            <Row key={key} keys={[key]} does={does} />
          ))}
        </Group>
      </Stack>
    </Dialog>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="h4">
        {title}
      </Title>
      <dl className={classes.keys}>{children}</dl>
    </section>
  );
}

function Row({ keys, does }: { keys: string[]; does: string }) {
  const { followedBy } = useSignedInText().shell.keys;
  return (
    <div className={classes.row}>
      <dt>{does}</dt>
      <dd>
        {keys.map((key, index) => (
          <span key={key}>
            {index > 0 && ` ${followedBy} `}
            <Kbd>{key}</Kbd>
          </span>
        ))}
      </dd>
    </div>
  );
}
