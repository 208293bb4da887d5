import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
const PACKAGE = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));

/** A Chromium that can be executed, with the variables that it needs. */
export interface ChromiumFiles {
  executable: string;
  env: Record<string, string>;
}

/**
 * Unpacks the Chromium of the package @sparticuz/chromium with the libraries and fonts that it needs, once
 * for each version. Processes that unpack at the same time do not disturb one another.
 * @throws Error on machines for which the package has no binary
 */
export async function unpackChromium(cache = CACHE): Promise<ChromiumFiles> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The browser for tests runs on Linux x64: set CHROMIUM_PATH to another one.');
  }
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(cache, `chromium-${version}`);
  if (!(await exists(folder))) await unpackInto(folder, cache);
  return {
    executable: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder },
  };
}

/** Renaming is atomic: a folder of this name is complete, even if this process is killed. */
async function unpackInto(folder: string, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await Promise.all([
      unpackExecutable(join(unfinished, 'chromium')),
      ...['al2023', 'fonts', 'swiftshader'].map((name) => unpackArchive(name, unfinished)),
    ]);
    await writeFile(join(unfinished, 'fonts.conf'), fontsConfig(folder));
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was faster.
    if (!(await exists(folder))) throw error;
  }
}

async function unpackExecutable(file: string): Promise<void> {
  await decompress('chromium.br', file);
  await chmod(file, 0o755);
}

async function unpackArchive(name: string, folder: string): Promise<void> {
  const archive = join(folder, `${name}.tar`);
  await decompress(`${name}.tar.br`, archive);
  await promisify(execFile)('tar', ['-xf', archive, '--no-same-owner', '--directory', folder]);
  await rm(archive);
}

function decompress(name: string, file: string): Promise<void> {
  return pipeline(
    createReadStream(join(PACKAGE, 'bin', name)),
    createBrotliDecompress(),
    createWriteStream(file),
  );
}

/** The package's own lists folders of the platform that it is made for. */
function fontsConfig(folder: string): string {
  return `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
