// Checks the Helm chart: its linter, and for each set of values in its folder `ci` the schemas of Kubernetes and what
// docker-compose.yml and the services say. Nothing here needs a cluster.
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { CHART, findHelm, lint, render } from './helm/helm.ts';
import { networkProblems } from './helm/networks.ts';
import { type Compose, type KubernetesObject, readCompose } from './helm/objects.ts';
import { podsProblems } from './helm/pods.ts';
import { type ExistingSecrets, referenceProblems } from './helm/references.ts';
import { schemaProblems, unknownFields } from './helm/schemas.ts';
import {
  differentValues,
  forgottenVariables,
  memoryProblems,
  variableProblems,
} from './helm/variables.ts';

interface Values {
  env?: Record<string, unknown>;
  secrets?: { name?: string; others?: Record<string, { name: string }> };
  certificates?: { secret?: string };
  secretEnv?: Record<string, { name: string }>;
}

/** What a set of values says: the Secrets that must exist, and variables. */
interface Given {
  secrets: ExistingSecrets;
  env: Record<string, unknown>;
}

export async function readGiven(file: string): Promise<Given> {
  const [own = {}, defaults = {}]: Values[] = await Promise.all(
    [file, join(CHART, 'values.yaml')].map(async (path) => parse(await readFile(path, 'utf8'))),
  );
  const named = [
    ...Object.values(own.secretEnv ?? {}),
    ...Object.values(own.secrets?.others ?? {}),
  ];
  const secrets = {
    files: own.secrets?.name ?? defaults.secrets?.name ?? '',
    others: new Set([...named.map(({ name }) => name), own.certificates?.secret ?? '']),
  };
  return { secrets, env: own.env ?? {} };
}

/** All that is wrong with what one set of values makes. */
export async function problemsOf(
  objects: KubernetesObject[],
  compose: Compose,
  { secrets, env }: Given,
): Promise<string[]> {
  const invalid = await schemaProblems(objects);
  // The rules trust the schemas.
  if (invalid.length > 0) return invalid;
  return [
    ...podsProblems(objects, compose),
    ...(await memoryProblems(objects)),
    ...variableProblems(objects, compose),
    ...differentValues(objects, env),
    ...referenceProblems(objects, compose, secrets),
    ...networkProblems(objects, compose),
  ];
}

if (import.meta.main) {
  const helm = await findHelm(process.env);
  const compose = await readCompose();
  const files = globSync(join(CHART, 'ci', '*.yaml')).toSorted();
  const checked = await Promise.all(
    files.map(async (file) => {
      await lint(helm, file);
      const objects = await render(helm, file);
      const found = await problemsOf(objects, compose, await readGiven(file));
      return { objects, found: found.map((problem) => `${basename(file)}: ${problem}`) };
    }),
  );
  const sets = checked.map(({ objects }) => objects);
  const problems = [
    ...checked.flatMap(({ found }) => found),
    ...(await unknownFields(sets.flat())),
    ...forgottenVariables(sets, compose),
  ];
  for (const problem of problems) console.error(problem);
  const count = sets.flat().length;
  console.log(`${count} objects of ${files.length} sets of values, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
