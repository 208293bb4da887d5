import { PlainFrame } from './plain-frame.tsx';
import { LateMessage } from '../ui/late/late-page.tsx';
import { Late } from '../ui/late/late.tsx';

/** In the place of a page whose frame has not come yet either. */
export function LateFrame() {
  return (
    <Late>
      <PlainFrame>
        <LateMessage />
      </PlainFrame>
    </Late>
  );
}
