/**
 * What the report of an import says, which has sentences and no codes. `{}` stands for a name or a number in a
 * sentence, `{1}` for the first of them in ours.
 */
const reasons = {
  'The archive has {} new notes; the plan of the owner allows {} in a workspace, and this one has {}':
    'Das Archiv hat {1} neue Notizen; der Tarif des Besitzers erlaubt {2} je Arbeitsbereich, und dieser hat {3}',
  'The archive has a link ({})': 'Das Archiv hat eine Verknüpfung ({1})',
  'The archive is encrypted ({})': 'Das Archiv ist verschlüsselt ({1})',
  'The archive has {} twice': 'Das Archiv hat {1} doppelt',
  'The archive has entries that overlap ({})': 'Einträge des Archivs überschneiden sich ({1})',
  'The archive has an entry with too many extra fields':
    'Ein Eintrag des Archivs hat zu viele Zusatzfelder',
  'The archive has a path that is too long': 'Ein Pfad im Archiv ist zu lang',
  'The archive has a path with control characters': 'Ein Pfad im Archiv enthält Steuerzeichen',
  'The archive has too many links': 'Das Archiv hat zu viele Links',
  'The archive has more than {} notes': 'Das Archiv hat mehr als {1} Notizen',
  'The archive has more than {} entries': 'Das Archiv hat mehr als {1} Einträge',
  'The archive has more than {} unpacked': 'Das Archiv hat entpackt mehr als {1}',
  'The archive is compressed so much that it looks like a zip bomb':
    'Das Archiv ist so stark komprimiert, dass es wie eine Zip-Bombe aussieht',
  'The archive is compressed in an unknown way ({})':
    'Das Archiv ist auf unbekannte Weise komprimiert ({1})',
  'The file is not a complete zip archive': 'Die Datei ist kein vollständiges Zip-Archiv',
  'The archive cannot be read: {}': 'Das Archiv kann nicht gelesen werden: {1}',
  'The archive could not be imported, please try again':
    'Das Archiv konnte nicht importiert werden; versuche es noch einmal',
  'The import was interrupted twice: please try a smaller archive':
    'Der Import wurde zweimal unterbrochen; versuche es mit einem kleineren Archiv',
  'You can no longer write in the workspace':
    'Du kannst in diesem Arbeitsbereich nicht mehr schreiben',
  'No note refers to it': 'Keine Notiz verweist darauf',
  'It is longer than a note may be': 'Sie ist länger, als eine Notiz sein darf',
  'It is in the trash of the workspace': 'Sie liegt im Papierkorb des Arbeitsbereichs',
  'It is not a text in UTF-8': 'Sie ist kein Text in UTF-8',
  'It has a NUL character': 'Sie hat ein NUL-Zeichen',
  'Its front matter is too long': 'Ihr Front Matter ist zu lang',
  'Its front matter is too complex': 'Ihr Front Matter ist zu komplex',
  'Its front matter is not valid YAML': 'Ihr Front Matter ist kein gültiges YAML',
  'Its front matter is not a list of properties':
    'Ihr Front Matter ist keine Liste von Eigenschaften',
  'A note may have at most {} in this workspace':
    'Eine Notiz darf in diesem Arbeitsbereich höchstens {1} haben',
  'A file may have at most {} in this workspace':
    'Eine Datei darf in diesem Arbeitsbereich höchstens {1} haben',
  'The workspace has {} notes, the limit':
    'Der Arbeitsbereich hat {1} Notizen, so viele wie möglich',
  'The notes, versions and files of one owner may have at most {}':
    'Notizen, Versionen und Dateien eines Besitzers dürfen zusammen höchstens {1} haben',
};

const patterns = Object.entries(reasons).map(([sentence, ours]) => ({
  pattern: new RegExp(`^${sentence.split('{}').map(escaped).join('(.+?)')}$`, 's'),
  ours,
}));

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A reason in German; one that is not known stays as it is. */
export function importReason(sentence: string): string {
  for (const { pattern, ours } of patterns) {
    const values = pattern.exec(sentence);
    if (values !== null)
      return ours.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? '');
  }
  return sentence;
}
