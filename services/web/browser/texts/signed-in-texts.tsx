import { createContext, type ReactNode, use, useMemo } from 'react';
import type { OtherPageTexts } from './en/other-pages.ts';
import type { SignedInTexts } from './en/signed-in.ts';
import type { Texts } from './en/visitor.ts';
import { lazyTexts } from './lazy-texts.ts';
import { preferredLanguage, useTranslation } from './texts.tsx';

/** The texts that every page with a session loads. */
export type SessionTexts = Texts & SignedInTexts;

/** All texts that a page with a session may show. */
export type AllTexts = SessionTexts & OtherPageTexts;

const SignedInTextContext = createContext<SessionTexts | null>(null);

const loadSignedInTexts = lazyTexts({
  en: async () => (await import('./en/signed-in.ts')).signedIn,
  de: async () => (await import('./de/signed-in.ts')).signedIn,
});

const loadOtherPages = lazyTexts({
  en: async () => (await import('./en/other-pages.ts')).otherPages,
  de: async () => (await import('./de/other-pages.ts')).otherPages,
});

/** Suspends until the texts of the chosen language are loaded. */
export function SignedInTextsProvider({ children }: { children: ReactNode }) {
  const { language, text } = useTranslation();
  const signedIn = use(loadSignedInTexts(language));
  const all = useMemo(() => ({ ...text, ...signedIn }), [text, signedIn]);
  return <SignedInTextContext value={all}>{children}</SignedInTextContext>;
}

/** The texts of the frame, the home page and the notes, on a page that needs a session. */
export function useSignedInText(): SessionTexts {
  const text = use(SignedInTextContext);
  if (text === null) throw new Error('SignedInTextsProvider is missing');
  return text;
}

/** Loads what `SignedInTextsProvider` waits for, along with the script of the frame. */
export const preloadSignedInText = () => loadSignedInTexts(preferredLanguage());

/** Loads what `useAllText` waits for, along with the script of a part. */
export const loadAllText = () => loadOtherPages(preferredLanguage());

/** Also those of the pages beside the notes. Suspends until they are loaded. */
export function useAllText(): AllTexts {
  const text = useSignedInText();
  const otherPages = use(loadOtherPages(useTranslation().language));
  return useMemo(() => ({ ...text, ...otherPages }), [text, otherPages]);
}
