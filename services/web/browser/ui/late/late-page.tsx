import { Button } from '@mantine/core';
import { useText } from '../../texts/texts.tsx';
import { MessagePage } from '../page/message-page.tsx';
import { ReloadOffer } from '../reload-offer.tsx';
import { Late } from './late.tsx';

/** In the place of a page that has not come yet. It goes away by itself when the page comes. */
export function LatePage() {
  return (
    <Late>
      <LateMessage />
    </Late>
  );
}

/**
 * In the place of a part of a page whose script has not come yet. It is in this file because every page has
 * that: beside parts of signed-in pages it would take their script along to the login.
 */
export function LatePart() {
  const { errors } = useText();
  return (
    <Late>
      <ReloadOffer title={errors.lateTitle}>{errors.latePart}</ReloadOffer>
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
