import type { SignedInTexts } from '../en/signed-in.ts';
import { importReason } from './import-reasons.ts';
import { inGerman } from './numbers.ts';

export const archives: SignedInTexts['archives'] = {
  import: 'Importieren',
  export: 'Exportieren',
  exporting: (workspace) => `Das Archiv von ${workspace} wird vorbereitet`,
  importTitle: (workspace) => `In ${workspace} importieren`,
  explanation:
    'Importiere einen Export von Atrium, einen Vault von Obsidian, einen Export von Notion oder einen Ordner mit Markdown-Dateien, als Zip-Archiv. Notizen, die ein früherer Import angelegt hat, bleiben, wie sie sind.',
  drop: 'Lege ein Zip-Archiv hier ab, oder',
  choose: 'Datei auswählen',
  uploading: 'Das Archiv wird hochgeladen',
  keepsSending:
    'Du kannst das schließen; lass aber den Browser-Tab offen, bis das Archiv angekommen ist.',
  checking: 'Das Archiv wird geprüft',
  progress: (done, total) => `${inGerman(done)} von ${inGerman(total)} Notizen und Dateien`,
  goesOn: 'Du kannst das schließen. Der Import läuft weiter, und hier steht dann sein Ergebnis.',
  completed: 'Der Import ist fertig',
  failed: 'Der Import ist fehlgeschlagen',
  created: (count) =>
    count === 1 ? '1 Notiz wurde angelegt.' : `${inGerman(count)} Notizen wurden angelegt.`,
  unchanged: (count) => (count === 1 ? '1 war schon da.' : `${inGerman(count)} waren schon da.`),
  skipped: (count) =>
    count === 1
      ? '1 Datei des Archivs wurde ausgelassen'
      : `${inGerman(count)} Dateien des Archivs wurden ausgelassen`,
  reason: importReason,
  more: (count) => `und ${inGerman(count)} weitere`,
};
