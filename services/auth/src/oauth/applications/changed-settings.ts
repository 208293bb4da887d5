import { isDeepStrictEqual } from 'node:util';
import {
  type ChangeApplicationBody,
  GUARDED_SETTINGS,
  type GuardedSetting,
} from '@atrium/contracts/auth/applications';
import type { OwnerProof } from '@atrium/contracts/auth/mfa';
import type { StoredApplication } from './store.ts';

/** What an owner can change of an application. */
export type Settings = Omit<ChangeApplicationBody, keyof OwnerProof>;

export const isGuarded = (name: keyof Settings): name is GuardedSetting =>
  GUARDED_SETTINGS.some((guarded) => guarded === name);

/** Forms send every setting, so only the values tell which ones change. The order of a list means nothing. */
export function changedSettings(before: StoredApplication, settings: Settings): (keyof Settings)[] {
  const names = Object.keys(settings) as (keyof Settings)[];
  const asSet = (value: Settings[keyof Settings]) => new Set([value].flat());
  return names.filter((name) => !isDeepStrictEqual(asSet(before[name]), asSet(settings[name])));
}
