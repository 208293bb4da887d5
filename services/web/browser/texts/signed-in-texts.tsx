import { createContext, type ReactNode, use, useMemo } from 'react';
import type { SignedInTexts } from './en/signed-in.ts';
import type { Texts } from './en/visitor.ts';
import { lazyTexts } from './lazy-texts.ts';
import { useTranslation } from './texts.tsx';

/** All texts that a page with a session may show. */
export type AllTexts = Texts & SignedInTexts;

const AllTextsContext = createContext<AllTexts | null>(null);

const loadSignedInTexts = lazyTexts({
  en: async () => (await import('./en/signed-in.ts')).signedIn,
  de: async () => (await import('./de/signed-in.ts')).signedIn,
});

/** Suspends until the texts of the chosen language are loaded. */
export function SignedInTextsProvider({ children }: { children: ReactNode }) {
  const { language, text } = useTranslation();
  const signedIn = use(loadSignedInTexts(language));
  const all = useMemo(() => ({ ...text, ...signedIn }), [text, signedIn]);
  return <AllTextsContext value={all}>{children}</AllTextsContext>;
}

/** All texts in the chosen language, on a page that needs a session. */
export function useSignedInText(): AllTexts {
  const text = use(AllTextsContext);
  if (text === null) throw new Error('SignedInTextsProvider is missing');
  return text;
}
