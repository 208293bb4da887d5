import { type ComponentType, type FunctionComponent, use } from 'react';
import { useText } from '../texts/texts.tsx';
import { ReloadOffer } from './reload-offer.tsx';

interface LazyPart<Props> extends FunctionComponent<Props> {
  /** Loads the script before the part is shown. Never fails. */
  preload: () => Promise<void>;
}

/**
 * A part of a page whose script is loaded when it is shown for the first time. When it cannot be loaded,
 * because the network is away or the server has had no such file for a while, what else the page shows
 * stays, and the part's place offers to load the page anew.
 *
 * What is loaded does not suspend, unlike React's `lazy`: after a fallback React shows nothing new for 300 ms.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  let loading: Promise<void> | undefined;
  let Loaded: ComponentType<Props> | undefined;
  const preload = () =>
    (loading ??= load()
      .catch(() => MissingPart)
      .then((part) => {
        Loaded = part;
      }));
  function Part(props: Props) {
    if (Loaded === undefined) use(preload());
    return Loaded && <Loaded {...props} />;
  }
  return Object.assign(Part, { preload });
}

function MissingPart() {
  const { errors } = useText();
  return <ReloadOffer title={errors.partTitle}>{errors.part}</ReloadOffer>;
}
