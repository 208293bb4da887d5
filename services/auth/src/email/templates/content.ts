import type { Language } from '@atrium/contracts/auth/profile';
import Type, { type Static } from 'typebox';

/** The person that a message goes to. The name is '' where another person may have chosen it. */
export interface Recipient {
  email: string;
  name: string;
  language: Language;
}

/** A rendered message. `link` is repeated on its own, for the log of a machine without SMTP. */
export const EmailContent = Type.Object({
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
  link: Type.Union([Type.String(), Type.Null()]),
});
export type EmailContent = Static<typeof EmailContent>;

/** What a message says in one language. */
export interface EmailText {
  subject: string;
  paragraphs: string[];
  /** Pairs of a label and a value. */
  facts?: [string, string][];
  /** The label of the button. */
  button?: string;
  closing?: string;
  /** The label of a link below the closing. */
  secondary?: string;
}

/** Where the button and the secondary link lead. */
export interface EmailLinks {
  button?: string;
  secondary?: string;
}
