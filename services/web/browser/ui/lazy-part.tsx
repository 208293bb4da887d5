import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { useText } from '../texts/texts.tsx';
import { ReloadOffer } from './reload-offer.tsx';

/**
 * A part of a page whose script is loaded when it is shown for the first time. When it cannot be loaded,
 * because the network is away or the server has had no such file for a while, what else the page shows
 * stays, and the part's place offers to load the page anew.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: MissingPart }),
    ),
  );
}

function MissingPart() {
  const { errors } = useText();
  return <ReloadOffer title={errors.partTitle}>{errors.part}</ReloadOffer>;
}
