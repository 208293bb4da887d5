/** What the appearance follows: the system, or a choice. */
export const THEMES = ['auto', 'light', 'dark'] as const;

export function isTheme(value: unknown): value is (typeof THEMES)[number] {
  return THEMES.some((theme) => theme === value);
}
