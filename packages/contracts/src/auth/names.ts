import Type from 'typebox';

const VISIBLE = '\\p{L}\\p{N}\\p{P}\\p{S}';
/** Also marks, spaces and the two joiners, without which Persian and Hindi words and many emoji fall apart. */
const ALLOWED = `${VISIBLE}\\p{M}\\p{Zs}\\u200C\\u200D`;

/** What a person or an application is called. It cannot turn around or break the text that it stands in. */
export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: `^[${ALLOWED}]*[${VISIBLE}][${ALLOWED}]*$`,
  errorMessage: 'must be one line of visible characters',
});

/** What a person logs in with beside the email address; others see it. */
export const Username = Type.String({
  pattern: '^[A-Za-z0-9_.-]{3,30}$',
  errorMessage: 'must be 3 to 30 letters, digits, dots, - or _',
});
