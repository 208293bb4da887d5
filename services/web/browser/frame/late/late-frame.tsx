import { PlainFrame } from '../shell/plain-frame.tsx';
import { LateMessage } from './late-page.tsx';
import { Late } from './late.tsx';

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
