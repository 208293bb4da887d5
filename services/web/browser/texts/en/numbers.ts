const format = new Intl.NumberFormat('en');

/** A number that may be large, as English writes it. */
export const inEnglish = (number: number) => format.format(number);
