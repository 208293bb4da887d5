import type { OtherPageTexts } from '../en/other-pages.ts';

export const verification: OtherPageTexts['verification'] = {
  title: 'Warum stimmt die Signatur nicht?',
  explanation:
    'Füge ein, was dein Server empfing. Alles wird in dieser Seite berechnet; nichts wird gesendet.',
  body: 'Inhalt',
  bodyHint: 'Der rohe Inhalt, genau wie er ankam',
  secret: 'Geheimer oder öffentlicher Schlüssel',
  signature: 'Service-Signature oder webhook-signature',
  signatureHint: 'Der Wert eines dieser Header',
  headerHint: 'Der Wert dieses Headers, der auch signiert ist',
  submit: 'Prüfen',
  showSecret: 'Schlüssel zeigen',
  matches: 'Sie stimmt: Inhalt, Schlüssel und Signatur gehören zusammen.',
  matchesHint:
    'Lehnt dein Server sie trotzdem ab, sieht er andere Bytes: Lies den rohen Inhalt, bevor etwas ihn zerlegt, und schreibe den HMAC-SHA256 wie der Header: Service-Signature in kleinen Hexadezimalziffern, webhook-signature in Base64.',
  differs: 'Die Signatur stimmt nicht',
  findings: {
    signatureFormat:
      'Das ist keine Signatur: Sie muss 64 Zeichen aus 0–9 und a–f haben. Diese hat andere Zeichen oder eine andere Länge.',
    standardFormat:
      'Das ist keine webhook-signature: Jeder Teil besteht aus v1, einem Komma und 44 Zeichen Base64 oder aus v1a, einem Komma und 88.',
    timestampFormat: 'webhook-timestamp muss aus ganzen Sekunden bestehen, etwa 1767225600.',
    signatureUppercase:
      'Die Signatur ist großgeschrieben. Vergleiche sie in kleinen Hexadezimalziffern; dann stimmt sie.',
    signatureSpaces: 'Um die Signatur steht Leerraum. Ohne ihn stimmt sie.',
    secretFormat:
      'Das ist kein Schlüssel von Atrium: Ein geheimer beginnt mit whsec_, ein öffentlicher mit whpk_, und dann folgen 44 Zeichen Base64.',
    publicKeyNeeded:
      'Diese Signatur (v1a) ist mit einem Schlüsselpaar gebildet: Füge den öffentlichen Schlüssel ein, der mit whpk_ beginnt.',
    secretNeeded:
      'Diese Signatur ist ein HMAC: Füge den geheimen Schlüssel ein, der mit whsec_ beginnt. Der öffentliche prüft nur eine Signatur, die mit v1a beginnt.',
    secretSpaces: 'Um den Schlüssel steht Leerraum oder ein Zeilenumbruch. Ohne ihn stimmt sie.',
    secretDecoded:
      'Die Signatur ist mit dem dekodierten Schlüssel gebildet. Für Service-Signature ist der ganze Text mit whsec_ der Schlüssel; nur webhook-signature nimmt die dekodierten Bytes.',
    secretNotDecoded:
      'Die Signatur ist mit dem Schlüssel als Text gebildet. Für webhook-signature gelten die Bytes, für die der Teil nach whsec_ in Base64 steht.',
    secretWithoutPrefix:
      'Die Signatur ist mit dem Schlüssel ohne whsec_ gebildet. Der ganze Text ist der Schlüssel.',
    bodySpaces:
      'Vor oder nach dem Inhalt stehen Leerzeichen, ein Zeilenumbruch oder eine Byte-Reihenfolge-Markierung. Ohne sie stimmt die Signatur.',
    bodyLineBreaks: 'Die Zeilenumbrüche des Inhalts wurden zu CRLF. Mit LF stimmt sie.',
    bodyReformatted:
      'Der Inhalt wurde zerlegt und mit anderem Leerraum neu geschrieben. Kompakt geschrieben stimmt sie: Gib die rohen Bytes weiter.',
    bodyNotJson: 'Der Inhalt ist kein JSON, also nicht der ganze Inhalt einer Zustellung.',
    wrong:
      'Schlüssel und Signatur sehen richtig aus, gehören aber nicht zu diesem Inhalt: Es ist der Schlüssel eines anderen Webhooks, ein alter nach einer Erneuerung, oder der Inhalt wurde verändert.',
    standardWrong:
      'Schlüssel und Signatur sehen richtig aus, gehören aber nicht zu diesem Inhalt mit dieser webhook-id und diesem webhook-timestamp: Eines der drei stammt aus einer anderen Zustellung oder einem anderen Versuch oder wurde verändert, oder es ist ein alter Schlüssel oder der eines anderen Webhooks.',
  },
};
