/**
 * Electron's binary: its path, or one attempt to download it. The npm package `electron` contains none; its `install.js` downloads one that
 * fits. A machine that cannot reach the server must learn so within seconds, with the reason.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Electron } from './chooseShell.ts'
import { lastOutputOf } from '../server/lastOutput.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { textFor } from '../../contract/words/render.ts'

/** Time limit for reaching the download server. Longer than a name lookup and a handshake on a slow line; a closed
 *  network may not answer at all. */
const reachMsMax = 4_000
/** Time for about 120 MB on a slow line. After it the window in Chromium is the better choice. */
const fetchMsMax = 5 * 60_000

/** The installed npm package. */
interface ElectronPackage {
  folder: string
  version: string
}

/** Returns the folder of the npm package; undefined in an installation without development packages. */
function electronPackage(): ElectronPackage | undefined {
  const require = createRequire(import.meta.url)
  try {
    const manifest = require.resolve('electron/package.json')
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
    return { folder: dirname(manifest), version }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Returns the installed binary, or why there is none. Downloads nothing. */
export function presentElectron(found = electronPackage()): Electron {
  if (!found) return { path: undefined, why: textFor('electron.notInstalled') }
  const pathFile = join(found.folder, 'path.txt')
  if (!existsSync(pathFile)) return { path: undefined, why: textFor('electron.absent') }
  const path = join(
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(found.folder, 'dist'),
    readFileSync(pathFile, 'utf8'),
  )
  return existsSync(path) ? { path } : { path: undefined, why: textFor('electron.absentAt', { path }) }
}

/** Returns the installed binary, otherwise one that is downloaded now. `log` gets a line before a download. */
export async function obtainElectron(log: (line: string) => void): Promise<Electron> {
  const found = electronPackage()
  const present = presentElectron(found)
  if (present.path !== undefined || !found) return present
  if (process.env['ELECTRON_SKIP_BINARY_DOWNLOAD']) return { path: undefined, why: textFor('electron.noDownload') }
  const unreachable = await whyUnreachable(found.version)
  if (unreachable !== undefined)
    return { path: undefined, why: textFor('electron.unreachable', { problem: unreachable }) }
  log(textFor('electron.downloading', { version: found.version }))
  const failed = await runInstaller(found.folder)
  return failed === undefined
    ? presentElectron(found)
    : { path: undefined, why: textFor('electron.notDownloaded', { problem: failed }) }
}

/** Returns why the release cannot be downloaded from here; undefined when the server answers. */
async function whyUnreachable(version: string): Promise<string | undefined> {
  // A configured mirror is used without a check; the installer reports its failures.
  if (Object.keys(process.env).some((name) => /electron_mirror$/i.test(name))) return undefined
  try {
    await fetch(`https://github.com/electron/electron/releases/download/v${version}/SHASUMS256.txt`, {
      method: 'HEAD',
      signal: AbortSignal.timeout(reachMsMax),
    })
    return undefined
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return messageOf(cause)
  }
}

/** Runs the installer of the npm package. Resolves with undefined on success, otherwise with the reason. */
function runInstaller(folder: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const installer = spawn(process.execPath, [join(folder, 'install.js')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: fetchMsMax,
    })
    const errors = lastOutputOf(installer.stderr)
    installer.on('error', (error) => resolve(error.message))
    installer.on('exit', (code) =>
      resolve(
        code === 0
          ? undefined
          : (errors().split('\n')[0] ?? '') || textFor('electron.late', { minutes: fetchMsMax / 60_000 }),
      ),
    )
  })
}
