const format = new Intl.NumberFormat('de');

/** A number that may be large, as German writes it. */
export const inGerman = (number: number) => format.format(number);
