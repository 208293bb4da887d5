/** Numbers as each language writes them, where they may be large. */
export const inEnglish = new Intl.NumberFormat('en').format;
export const inGerman = new Intl.NumberFormat('de').format;
