/** What the palette offers: a page, something that was found, or something to create. */
export interface PaletteEntry {
  key: string;
  label: string;
  /** Where it is, beside its name. */
  detail?: string;
  /** An excerpt with what matches between ** markers. */
  snippet?: string;
  run: () => Promise<unknown>;
}
