import type { OtherPageTexts } from '../en/other-pages.ts';

export const eventTypes: OtherPageTexts['eventTypes'] = {
  developers: 'Entwickler',
  title: 'Ereignistypen',
  explanation:
    'Die Ereignisse, die deine Produkte veröffentlichen. Webhooks nennen die, die sie empfangen.',
  none: 'Ein Ereignistyp sagt, wie ein Ereignis deines Produkts heißt und was es enthält. Beschreibe jeden in einer Datei und registriere sie mit diesem Befehl.',
  copyCommand: 'Befehl kopieren',
  guide:
    'ATRIUM_TOKEN enthält ein Zugriffstoken mit der Berechtigung events:publish; docs/publish-events.md zeigt so eine Datei.',
  version: (version) => `Version ${version}`,
  schema: 'Schema',
  example: 'Beispiel',
  isArchived: 'Archiviert',
  archive: (name) => `${name} archivieren`,
  archiveShort: 'Archivieren',
  archived: (name) => `${name} ist archiviert: Seine Ereignisse werden nicht mehr veröffentlicht`,
  restore: (name) => `${name} wiederherstellen`,
  restoreShort: 'Wiederherstellen',
  restored: (name) => `${name} kann wieder veröffentlicht werden`,
};
