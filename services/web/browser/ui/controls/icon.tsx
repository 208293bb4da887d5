/** Paths on a grid of 16 by 16, drawn as lines. */
const PATHS = {
  bold: 'm4.5 2.5h4.2a2.7 2.7 0 0 1 0 5.4H4.5zM4.5 7.9h4.9a2.8 2.8 0 0 1 0 5.6H4.5z',
  italic: 'm6.5 2.5h6M3.5 13.5h6M9.7 2.5l-3.4 11',
  heading: 'm3.5 2.5v11M12.5 2.5v11M3.5 8h9',
  list: 'm6 3.5h8M6 8h8M6 12.5h8M2.5 3.5h.01M2.5 8h.01M2.5 12.5h.01',
  task: 'm2.5 2.5h11v11h-11zM5 8l2.2 2.2L11 6',
  quote: 'm3 3v10M6.5 4h7M6.5 8h7M6.5 12h4',
  code: 'm5.5 4-4 4 4 4M10.5 4l4 4-4 4',
  link: 'm6.5 9.5a3 3 0 0 0 4.3 0l2.3-2.3a3 3 0 1 0-4.3-4.3L7.7 4M9.5 6.5a3 3 0 0 0-4.3 0L2.9 8.8a3 3 0 1 0 4.3 4.3L8.3 12',
  table: 'm2 3h12v10H2zM2 6.5h12M2 9.8h12M6.5 3v10',
  star: 'm8 1.8 1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z',
  pin: 'm5.5 2h5l-.6 4.5 2.6 2.6v.9h-9v-.9l2.6-2.6zM8 10v4',
  more: 'm3 8h.01M8 8h.01M13 8h.01',
  chevron: 'm6 4 4 4-4 4',
  trash: 'm2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4',
  attach:
    'm13.5 7.5-5.6 5.6a3.4 3.4 0 0 1-4.8-4.8l5.9-5.9a2.3 2.3 0 0 1 3.2 3.2l-5.8 5.8a1.1 1.1 0 0 1-1.6-1.6l5.2-5.2',
  close: 'm5 5 6 6M11 5l-6 6',
  home: 'm2.5 7.2L8 2.5l5.5 4.7v6.3h-4v-4h-3v4h-4z',
  note: 'm3.5 2h6l3 3v9h-9zM9.2 2.2v3h3M6 8.5h4M6 11h4',
  webhook: 'm8.7 1.8L3 9h4.3l-.9 5.2L13 7H8.4z',
  shield: 'm8 1.8 5 2.2v4c0 3-2.2 5.2-5 6.2C5.2 13.2 3 11 3 8V4z',
  plus: 'm8 3v10M3 8h10',
  panel: 'm2 3h12v10H2zM6.2 3v10',
  search: 'm7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
} as const;

export type IconName = keyof typeof PATHS;

/** A sign that stands beside a word, or in a control that has a label and a tooltip. */
export function Icon({ name, filled = false }: { name: IconName; filled?: boolean }) {
  return (
    <svg
      width={16}
      height={16}
      viewBox="0 0 16 16"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
