import type { OtherPageTexts } from '../en/other-pages.ts';

export const events: OtherPageTexts['events'] = {
  title: 'Ereignis',
  copyId: 'ID des Ereignisses kopieren',
  copyRequest: 'Anfrage-ID kopieren',
  id: 'ID des Ereignisses',
  request: 'Anfrage-ID',
  causes: {
    click: 'Ein Kurzlink wurde angeklickt',
    share: 'Eine Notiz wurde veröffentlicht',
    note: 'Eine Notiz wurde geändert',
    member: 'Jemand trat einem Arbeitsbereich bei',
    login: 'Jemand meldete sich mit einem neuen Gerät an',
    test: 'Ein Testereignis wurde von hier gesendet',
    unknown: 'Das Ereignis nennt seine Ursache nicht',
  },
  toLink: 'Link zeigen',
  toNote: 'Notiz zeigen',
  toWorkspace: 'Arbeitsbereich zeigen',
  toSessions: 'Deine Sitzungen zeigen',
  stored: 'Das Ereignis wurde gespeichert',
  delivery: (webhook) => `Zustellung an ${webhook}`,
  noDeliveries: 'Kein Webhook fragte danach, oder sie sind gelöscht.',
  unmatched: 'Das Ereignis passte nicht zum Filter dieses Webhooks.',
  after: (duration) => `${duration} später`,
  data: 'Daten',
  copyData: 'Daten kopieren',
  way: 'Verlauf',
  missing:
    'Dieses Ereignis gibt es nicht. Ereignisse bleiben so lange erhalten wie ihre Zustellungen.',
};
