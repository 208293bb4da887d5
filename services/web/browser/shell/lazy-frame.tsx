import { preloadSignedInText } from '../texts/signed-in-texts.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

/** Visitors do not load the frames of pages that need a session. */
export const SignedInFrame = lazyPart(() =>
  withTexts(async () => (await import('./signed-in-frame.tsx')).SignedInFrame),
);
export const SignedInPlainFrame = lazyPart(() =>
  withTexts(async () => (await import('./signed-in-frame.tsx')).SignedInPlainFrame),
);

/** Texts that cannot be loaded are for the frame to tell. */
async function withTexts<Frame>(load: () => Promise<Frame>): Promise<Frame> {
  const [frame] = await Promise.all([load(), preloadSignedInText().catch(() => undefined)]);
  return frame;
}
