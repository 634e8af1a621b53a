/**
 * Builds what a shell needs when it is not built, or was built from other sources. Sources are compared by a digest of their bytes, not by
 * dates: a checkout gives every file a new date without changing it.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { lastOutputOf } from '../server/lastOutput.ts'
import { textFor } from '../../contract/words/render.ts'

/** What to build. The server shell runs the engine's sources directly and needs only the built interface; Electron needs both. */
export type Wanted = 'interface' | 'everything'

/** Files and folders whose content decides the result of a build. */
const sourcesOf: Record<Wanted, readonly string[]> = {
  interface: ['src-renderer', 'src-main/contract', 'electron.vite.config.ts', 'package-lock.json'],
  everything: ['src-renderer', 'src-main', 'electron.vite.config.ts', 'package-lock.json'],
}

/** Builds when needed. `log` gets a line before a build, which takes seconds. Resolves with undefined on success,
 *  otherwise with the output of the build. */
export async function buildWhenStale(
  top: string,
  wanted: Wanted,
  log: (line: string) => void,
): Promise<string | undefined> {
  if (isFresh(top, wanted)) return undefined
  log(textFor(wanted === 'interface' ? 'build.interface' : 'build.application'))
  return build(top)
}

/**
 * Builds everything and records the digest of the sources. The record is removed first and written last, so that an incomplete build never
 * passes for a complete one.
 */
export async function build(top: string): Promise<string | undefined> {
  const digests = { interface: digestOf(top, 'interface'), everything: digestOf(top, 'everything') }
  rmSync(stampOf(top), { force: true })
  const failed = await runBuild(top)
  if (failed === undefined) writeFileSync(stampOf(top), JSON.stringify(digests))
  return failed
}

/** Whether the build was made from the present sources. */
export function isFresh(top: string, wanted: Wanted): boolean {
  if (!existsSync(stampOf(top)) || !existsSync(join(top, 'out/renderer/index.html'))) return false
  const built = JSON.parse(readFileSync(stampOf(top), 'utf8')) as Partial<Record<Wanted, string>>
  return built[wanted] === digestOf(top, wanted)
}

/** Path of the record with the digests of the sources. */
function stampOf(top: string): string {
  return join(top, 'out/sources.json')
}

/** Computes the SHA-256 over the names, lengths and bytes of the sources, without tests. */
export function digestOf(top: string, wanted: Wanted): string {
  const digest = createHash('sha256')
  for (const path of sourcesOf[wanted]
    .flatMap((source) => filesAt(join(top, source)))
    .filter((path) => !/\.test\.tsx?$/.test(path))) {
    const bytes = readFileSync(path)
    digest.update(`${relative(top, path).split(sep).join('/')} ${bytes.length}\n`).update(bytes)
  }
  return digest.digest('hex')
}

/** Lists the files of a folder and its subfolders, in the same order on every system; for a file, the file itself. */
function filesAt(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort()
}

function runBuild(top: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const builder = spawn(process.execPath, [join(top, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'], {
      cwd: top,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const lastOutput = lastOutputOf(builder.stdout, builder.stderr)
    builder.on('error', (error) => resolve(error.message))
    builder.on('exit', (code) =>
      resolve(code === 0 ? undefined : lastOutput() || textFor('build.ended', { exitCode: String(code) })),
    )
  })
}
