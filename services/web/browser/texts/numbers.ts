/** Numbers as each language writes them, where they may be large. */
const english = new Intl.NumberFormat('en');
const german = new Intl.NumberFormat('de');

export const inEnglish = (number: number) => english.format(number);
export const inGerman = (number: number) => german.format(number);
