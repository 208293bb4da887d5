import type { OtherPageTexts } from '../en/other-pages.ts';
import { inGerman } from './numbers.ts';

export const deliveries: OtherPageTexts['deliveries'] = {
  delivery: 'Zustellung',
  states: {
    pending: 'Wartet',
    failed: 'Wird wiederholt',
    delivered: 'Zugestellt',
    exhausted: 'Fehlgeschlagen',
  },
  filters: {
    title: 'Filter',
    webhook: 'Webhook',
    state: 'Zustand',
    event: 'Ereignis',
    from: 'Von',
    to: 'Bis',
    any: 'Alle',
    undelivered: 'Nicht zugestellt',
    clear: 'Filter zurücksetzen',
  },
  empty: 'Geschieht etwas in deinem Konto, erscheinen hier die Zustellungen an deine Webhooks.',
  toWebhooks: 'Webhooks',
  nothingFound:
    'Keine Zustellung passt zu diesen Filtern. Wähle einen längeren Zeitraum oder einen anderen Zustand.',
  searching: 'Nichts unter den neuesten Zustellungen. Ältere sind noch nicht durchsucht.',
  live: {
    label: 'Live',
    on: 'Live',
    connecting: 'Verbinden …',
    off: 'Pausiert',
    pause: 'Liste anhalten',
    resume: 'Weiter',
    show: (count) => (count === 1 ? '1 neue zeigen' : `${count} neue zeigen`),
    refused: 'Unterbrochen',
  },
  attempts: (count) => (count === 1 ? '1 Versuch' : `${count} Versuche`),
  noAttempts: 'Noch kein Versuch',
  nextAttempt: 'nächster Versuch',
  select: (name) => `${name} auswählen`,
  selectAll: 'Alle gezeigten auswählen',
  selected: (count) => `${inGerman(count)} ausgewählt`,
  clearSelection: 'Auswahl aufheben',
  choose: 'Wähle eine Zustellung, um sie hier zu sehen.',
  missing: 'Diese Zustellung wird nicht mehr aufbewahrt.',
  openPage: 'Eigene Seite öffnen',
  replay: 'Als curl wiederholen',
  sendNow: 'Jetzt senden',
  sendNowDone: 'Was wartet, wird jetzt gesendet',
  resend: 'Erneut senden',
  resent: 'Die Zustellung wird erneut gesendet',
  resending: (done, total) => `${done} von ${total} erneut gesendet`,
  resendDone: (count) =>
    count === 1
      ? '1 Zustellung wird erneut gesendet'
      : `${count} Zustellungen werden erneut gesendet`,
  resendFailed: (count, reason) =>
    count === 1
      ? `1 konnte nicht erneut gesendet werden: ${reason}`
      : `${count} konnten nicht erneut gesendet werden: ${reason}`,
  resendWaiting: (count) =>
    count === 1 ? '1 wartet auf den nächsten Versuch' : `${count} warten auf den nächsten Versuch`,
  resendMax: (max) =>
    `Höchstens ${max} lassen sich auf einmal senden. Für mehr gibt es „Fehlgeschlagene nachholen“.`,
  recover: {
    open: 'Fehlgeschlagene nachholen',
    title: 'Fehlgeschlagene Zustellungen nachholen',
    hint: 'Sendet der Reihe nach jede Zustellung erneut, deren Versuche seit dieser Zeit alle fehlschlugen.',
    webhook: 'Webhook',
    since: 'Fehlgeschlagen seit',
    submit: 'Fehlgeschlagene nachholen',
    running: (count) => `${inGerman(count)} bisher erneut gesendet …`,
    done: (count) =>
      count === 0 ? 'Es gab nichts nachzuholen' : `Nachgeholt: ${inGerman(count)} erneut gesendet`,
    leave: 'Du kannst diese Seite verlassen; es geht weiter.',
    close: 'Schließen',
    sinceInvalid: 'Gib einen Zeitpunkt in der Vergangenheit ein',
  },
  page: {
    event: 'Ereignis',
    webhook: 'Webhook',
    created: 'Angelegt',
    next: 'Nächster Versuch',
    soon: 'binnen einer Minute',
    due: 'sobald der Webhook sie empfangen kann',
    inProgress: 'Jetzt',
    id: 'ID der Zustellung',
    copyId: 'ID der Zustellung kopieren',
    way: 'Verlauf dieses Ereignisses',
    attempts: 'Versuche',
    noAttempts: 'Es gab noch keinen Versuch.',
    attempt: (number) => `Versuch ${number}`,
    body: 'Inhalt',
    copyBody: 'Inhalt kopieren',
    raw: 'Wie gesendet zeigen',
    formatted: 'Formatiert zeigen',
    noBody: 'Der Inhalt ist nicht mehr gespeichert.',
    headers: 'Header',
    headersHint:
      'Gehen mit jedem Versuch mit, neben deinen eigenen Headern. Die Signaturen entstehen bei jedem Versuch und werden nicht gespeichert.',
    signed: 'mit deinem Schlüssel gebildet',
    atSending: 'Zeit des Versuchs',
  },
  attempt: {
    status: (status) => `Status ${status}`,
    noStatus: 'Keine Antwort',
    took: (duration) => `dauerte ${duration}`,
    headers: 'Header der Antwort',
    answer: 'Antwort',
    emptyAnswer: 'Die Antwort hatte keinen Inhalt.',
  },
};
