import type { Application } from '@atrium/contracts/auth/applications';
import { logoUrl } from '../../accounts/avatar/store.ts';
import type { Database } from '../../database.ts';
import { countPeople, type StoredApplication } from './store.ts';

interface RepresentDeps {
  database: Database;
  authUrl: string;
}

/** Counts the people who have allowed them, of whom there may be very many: call it when no lock is held. */
export async function representApplications(
  { database, authUrl }: RepresentDeps,
  applications: readonly StoredApplication[],
): Promise<Application[]> {
  const ids = applications.map(({ id }) => id);
  const people = await countPeople(database, ids);
  return applications.map((each) => represent(each, people.get(each.id) ?? 0, authUrl));
}

/** As `representApplications`. */
export async function representApplication(
  { database, authUrl }: RepresentDeps,
  application: StoredApplication,
): Promise<Application> {
  const people = await countPeople(database, [application.id]);
  return represent(application, people.get(application.id) ?? 0, authUrl);
}

function represent(
  { createdAt, secrets, logo, ...application }: StoredApplication,
  people: number,
  authUrl: string,
): Application {
  return {
    ...application,
    logo: logoUrl(logo, authUrl),
    secrets: secrets.map((secret) => ({
      ...secret,
      createdAt: secret.createdAt.toISOString(),
    })),
    people,
    createdAt: createdAt.toISOString(),
  };
}
