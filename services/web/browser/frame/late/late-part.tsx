import { useText } from '../../texts/texts.tsx';
import { ReloadOffer } from '../reload-offer.tsx';
import { Late } from './late.tsx';

/** In the place of a part of a page whose script has not come yet. */
export function LatePart() {
  const { errors } = useText();
  return (
    <Late>
      <ReloadOffer title={errors.lateTitle}>{errors.latePart}</ReloadOffer>
    </Late>
  );
}
