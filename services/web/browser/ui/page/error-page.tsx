import { AtriumError } from '@atrium/client';
import { Button, Code, Group } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../texts/texts.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { errorText } from '../error-text.ts';
import { MessagePage } from './message-page.tsx';
import { PageTitle } from './page-title.tsx';

/**
 * Stands in for a page that failed; the frame around it stays usable. If not told otherwise, a reload tries
 * again with everything new: the fault may be in what has been loaded, data or script.
 */
export function ErrorPage({
  error,
  tryAgain = () => window.location.reload(),
}: {
  error: unknown;
  tryAgain?: () => Promise<void> | void;
}) {
  const text = useText();
  const [isTrying, setTrying] = useState(false);
  const requestId = error instanceof AtriumError ? error.requestId : undefined;
  const explanation =
    error instanceof AtriumError ? errorText(error, text) : text.errors.explanation;
  const act = async () => {
    setTrying(true);
    await tryAgain();
    setTrying(false);
  };
  return (
    <MessagePage
      title={text.errors.title}
      actions={
        <Button loading={isTrying} onClick={() => void act()}>
          {text.errors.tryAgain}
        </Button>
      }
    >
      <PageTitle>{text.errors.title}</PageTitle>
      <p role="alert">{explanation}</p>
      {requestId !== undefined && (
        <Group gap="xs">
          {text.errors.requestId} <Code>{requestId}</Code> <CopyButton value={requestId} />
        </Group>
      )}
    </MessagePage>
  );
}
