import type { SignedInTexts } from '../en/signed-in.ts';

export const presence: SignedInTexts['presence'] = {
  here: 'Auch hier',
  isHere: (name) => `${name} hat diese Notiz offen`,
  saved: (name) => `${name} hat eine Änderung gespeichert`,
  removedTitle: 'Du bist kein Mitglied dieses Arbeitsbereichs mehr',
  gone: 'Diese Notiz wurde gelöscht, oder du darfst sie nicht mehr lesen',
};
