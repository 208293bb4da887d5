import { execFile } from 'node:child_process';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Says which content a tag of an image or of an action has today. */
export interface Lookup {
  /** @returns `sha256:…`, of the image for all platforms */
  digest(image: string): Promise<string>;
  /** @returns the commit */
  commit(action: string, tag: string): Promise<string>;
}

const FILES = [
  'Dockerfile',
  'docker-compose.yml',
  'deploy/helm/atrium/templates/try-out.yaml',
  '.github/workflows/*.yml',
];
/** Ours is built on the spot. */
const IMAGE =
  /(?<=^(?:FROM| +image:) )(?!atrium:)([\w./-]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?(?= |$)/gm;
const ACTION = /(?<=^ +- uses: )([\w./-]+)@(?:[0-9a-f]{40} # )?(v[\w.]+)$/gm;

/** Writes the digest behind the tag of each image, and the commit in front of the tag of each action. */
export async function pinDigests(text: string, lookup: Lookup): Promise<string> {
  const known = new Map<string, string>();
  for (const [found, image = ''] of text.matchAll(IMAGE)) {
    known.set(found, `${image}@${await lookup.digest(image)}`);
  }
  for (const [found, action = '', tag = ''] of text.matchAll(ACTION)) {
    known.set(found, `${action}@${await lookup.commit(action, tag)} # ${tag}`);
  }
  const pinned = (found: string) => known.get(found) ?? found;
  return text.replace(IMAGE, pinned).replace(ACTION, pinned);
}

async function outputOf(program: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { timeout: 60_000 })).stdout.trim();
}

function only(form: RegExp, value: string | undefined, of: string): string {
  if (value === undefined || !form.test(value)) throw new Error(`No content found for ${of}`);
  return value;
}

/** Asks the registries and GitHub. */
const remote: Lookup = {
  async digest(image) {
    const command = ['buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}', image];
    return only(/^sha256:[0-9a-f]{64}$/, await outputOf('docker', ...command), image);
  },
  async commit(action, tag) {
    const url = `https://github.com/${action}`;
    const refs = await outputOf('git', 'ls-remote', url, `refs/tags/${tag}`, `refs/tags/${tag}^{}`);
    // The last line is the commit of an annotated tag, or of the only one.
    return only(/^[0-9a-f]{40}$/, refs.split('\n').at(-1)?.split('\t')[0], `${action}@${tag}`);
  },
};

if (import.meta.main) {
  const root = dirname(import.meta.dirname);
  for await (const file of glob(FILES, { cwd: root })) {
    const path = join(root, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, await pinDigests(text, remote));
  }
}
