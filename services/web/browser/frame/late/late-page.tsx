import { Button } from '@mantine/core';
import { useText } from '../../texts/texts.tsx';
import { MessagePage } from '../page/message-page.tsx';
import { Late } from './late.tsx';

/** In the place of a page that has not come yet. It goes away by itself when the page comes. */
export function LatePage() {
  return (
    <Late>
      <LateMessage />
    </Late>
  );
}

export function LateMessage() {
  const { errors } = useText();
  return (
    <MessagePage
      title={errors.lateTitle}
      actions={<Button onClick={() => window.location.reload()}>{errors.tryAgain}</Button>}
    >
      <p role="alert">{errors.late}</p>
    </MessagePage>
  );
}
