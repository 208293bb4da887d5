import type { SignedInTexts } from '../en/signed-in.ts';
import { inGerman } from './numbers.ts';

export const history: SignedInTexts['history'] = {
  title: 'Verlauf',
  titleOf: (note) => `Verlauf von ${note}`,
  note: 'Notiz',
  explanation: 'Eine Version ist, was eine Person innerhalb von fünf Minuten geschrieben hat.',
  versions: 'Versionen',
  current: 'Aktuell',
  unknown: 'Jemand mit gelöschtem Konto',
  changes: 'Änderungen',
  compareWith: 'Vergleichen mit',
  before: 'Der Version davor',
  fromTo: (from, to) => `Änderungen von ${from} bis ${to}`,
  oldest: 'Das ist die älteste Version.',
  same: 'In beiden Versionen steht dasselbe.',
  added: 'Neu: ',
  removed: 'Entfernt: ',
  tagsAdded: (tags) => `Neue Schlagwörter: ${tags}`,
  tagsRemoved: (tags) => `Entfernte Schlagwörter: ${tags}`,
  unchanged: (lines) => `${inGerman(lines)} unveränderte Zeilen zeigen`,
  restore: 'Diese Version wiederherstellen',
  restored: 'Die Version ist wiederhergestellt',
  changedSince:
    'Die Notiz hat sich inzwischen geändert. Sieh dir die aktuelle Version an, bevor du eine andere wiederherstellst.',
  name: {
    item: 'Aktuelle Version benennen',
    title: 'Aktuelle Version benennen',
    explanation: 'Die nächste Änderung beginnt eine neue Version; diese bleibt, wie sie ist.',
    label: 'Name',
    submit: 'Version benennen',
    done: (name) => `Die aktuelle Version heißt ${name}`,
  },
};
