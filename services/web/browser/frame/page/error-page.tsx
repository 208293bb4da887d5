import { AtriumError } from '@atrium/client';
import { Button, Code, Group } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useText } from '../../texts/texts.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { errorText } from '../error-text.ts';
import { MessagePage } from './message-page.tsx';
import { PageTitle } from './page-title.tsx';

/**
 * Stands in for a page that failed; the frame around it stays usable. Only a reload tries again with
 * everything new: the fault may be in what has been loaded, data or script.
 */
export function ErrorPage({ error }: Pick<ErrorComponentProps, 'error'>) {
  const text = useText();
  const requestId = error instanceof AtriumError ? error.requestId : undefined;
  const explanation =
    error instanceof AtriumError ? errorText(error, text) : text.errors.explanation;
  return (
    <MessagePage
      title={text.errors.title}
      actions={<Button onClick={() => window.location.reload()}>{text.errors.tryAgain}</Button>}
    >
      <PageTitle>{text.errors.title}</PageTitle>
      <p>{explanation}</p>
      {requestId !== undefined && (
        <Group gap="xs">
          {text.errors.requestId} <Code>{requestId}</Code> <CopyButton value={requestId} />
        </Group>
      )}
    </MessagePage>
  );
}
