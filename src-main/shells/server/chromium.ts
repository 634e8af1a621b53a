/**
 * Search for a Chromium on this machine, and a window of Loupe in it. Any browser based on Chromium works; Firefox and Safari cannot be
 * given a proxy and a certificate for one window only. The command line of the window is in `chromiumArguments.ts`.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, posix, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromiumArguments, type ChromiumWindow } from './chromiumArguments.ts'
import { lastOutputOf } from './lastOutput.ts'
import { textFor } from '../../contract/words/render.ts'
import { ownFileMode } from '../../world/permissions.ts'

/** The part of the machine that the search looks at. */
export interface Machine {
  platform: NodeJS.Platform
  home: string
  environment: Readonly<Record<string, string | undefined>>
  exists(path: string): boolean
  /** Returns the names in a folder; none when it is absent. */
  list(folder: string): string[]
}

/** A browser, or why there is none and the command that helps. */
export type Found = { path: string } | { path: undefined; why: string; command: string }

const thisMachine: Machine = {
  platform: process.platform,
  home: homedir(),
  environment: process.env,
  exists: existsSync,
  list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
}

/** Names of programs on the PATH, in the order of preference. */
const namesOnPath = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'msedge',
  'brave-browser',
  'vivaldi',
]

const macApplications = ['Chromium', 'Google Chrome', 'Microsoft Edge', 'Brave Browser', 'Vivaldi']
const windowsPrograms = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]

/** The command that installs one, shown to the user when there is none. */
const commands: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'sudo apt-get install chromium',
  darwin: 'brew install --cask chromium',
  win32: 'winget install Google.Chrome',
}

/** Finds a browser based on Chromium, or the reason why there is none. LOUPE_CHROMIUM takes precedence. */
export function findChromium(machine: Machine = thisMachine): Found {
  const chosen = machine.environment['LOUPE_CHROMIUM']
  if (chosen) {
    return machine.exists(chosen)
      ? { path: chosen }
      : {
          path: undefined,
          why: textFor('browser.chosenAbsent', { path: chosen }),
          command: 'unset LOUPE_CHROMIUM',
        }
  }
  const path = [...onPath(machine), ...usualPlaces(machine), ...playwrightsOwn(machine)].find((candidate) =>
    machine.exists(candidate),
  )
  if (path !== undefined) return { path }
  return {
    path: undefined,
    why: textFor('browser.none'),
    command: commands[machine.platform] ?? 'npx playwright install chromium',
  }
}

/** Lists the candidates on the PATH. */
function onPath({ platform, environment }: Machine): string[] {
  const windows = platform === 'win32'
  const { join, delimiter } = windows ? win32 : posix
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter).filter((folder) => folder !== '')
  // By name first, then by folder: a Chromium that the user installed is a better guess than an Edge that came with the system.
  return namesOnPath.flatMap((name) => folders.map((folder) => join(folder, windows ? `${name}.exe` : name)))
}

/** Lists where the installers of each platform put browsers. */
function usualPlaces({ platform, home, environment }: Machine): string[] {
  if (platform === 'darwin') {
    return macApplications.flatMap((name) =>
      ['/Applications', posix.join(home, 'Applications')].map((folder) =>
        posix.join(folder, `${name}.app/Contents/MacOS/${name}`),
      ),
    )
  }
  if (platform !== 'win32')
    return ['/snap/bin/chromium', '/var/lib/flatpak/exports/bin/org.chromium.Chromium', '/opt/google/chrome/chrome']
  const folders = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA']
    .map((name) => environment[name])
    .filter((folder) => folder !== undefined)
  return windowsPrograms.flatMap((program) => folders.map((folder) => win32.join(folder, program)))
}

/** Lists the browsers of Playwright, which keeps `chromium-<build>/chrome-<platform>/…`; the newest build first. */
function playwrightsOwn(machine: Machine): string[] {
  const { platform, home, environment } = machine
  const { join } = platform === 'win32' ? win32 : posix
  const cache =
    environment['PLAYWRIGHT_BROWSERS_PATH'] ??
    {
      darwin: join(home, 'Library/Caches/ms-playwright'),
      win32: join(environment['LOCALAPPDATA'] ?? home, 'ms-playwright'),
    }[platform as string] ??
    join(home, '.cache/ms-playwright')
  const programs = [
    'chrome',
    'chrome.exe',
    'Chromium.app/Contents/MacOS/Chromium',
    'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  ]
  const builds = machine
    .list(cache)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  return builds.flatMap((build) =>
    machine
      .list(join(cache, build))
      .flatMap((inside) => programs.map((program) => join(cache, build, inside, program))),
  )
}

/** An open window of Loupe in Chromium. */
export interface OpenWindow {
  /** Resolves when the window was closed, or Chromium ended by itself; `failed` has its last output when it failed. */
  closed: Promise<{ failed: string | undefined }>
  /** Address of the DevTools protocol (ws:), once Chromium prints it; never resolves when it ends before, or has a visible window. */
  devTools: Promise<string>
  close(): void
}

/**
 * The first page of the window. Every account of this machine can read the command line of a program, so an address with a secret is never
 * an argument: the window opens a file in its profile instead, which redirects to the address and which no other account may read.
 */
export type FirstPage = { appUrl: string } | { secretUrl: string }

export type WindowWanted = Omit<ChromiumWindow, 'profileFolder' | 'asRoot' | 'appUrl'> & FirstPage

/**
 * Opens a window. Each begins with a new profile, which is removed after it: no cookie, cache, service worker or HSTS entry of an earlier
 * viewing may affect this one, and no running Chromium can take over the window. `further` are switches placed after the usual ones, of
 * which Chromium uses the last; tests use them to show the effect of a switch.
 */
export async function openWindow(
  path: string,
  { headless, appPort, proxyPort, spkiSha256, ...first }: WindowWanted,
  further: readonly string[] = [],
): Promise<OpenWindow> {
  const parent = profileParent(path)
  await mkdir(parent, { recursive: true })
  const profileFolder = await mkdtemp(join(parent, 'loupe-window-'))
  const asRoot = process.getuid?.() === 0
  const appUrl = 'appUrl' in first ? first.appUrl : await openingFile(profileFolder, first.secretUrl)
  const window = { headless, appPort, proxyPort, spkiSha256, profileFolder, asRoot, appUrl }
  const chromium = spawn(path, [...chromiumArguments(window), ...further], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lastOutput = lastOutputOf(chromium.stderr)
  const devTools = new Promise<string>((resolve) => {
    chromium.stderr.on('data', () => {
      const address = /^DevTools listening on (ws:\S+)$/m.exec(lastOutput())?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  const ended = new Promise<string | undefined>((resolve) => {
    chromium.on('error', (error) => resolve(textFor('browser.unstartable', { path, problem: error.message })))
    chromium.on('exit', (code) =>
      resolve(
        code === 0 || code === null
          ? undefined
          : textFor('browser.ended', { path, exitCode: code, output: lastOutput() }),
      ),
    )
  })
  return {
    closed: ended.then(async (failed) => {
      await rm(profileFolder, { recursive: true, force: true, maxRetries: 5 })
      return { failed }
    }),
    devTools,
    close: () => void chromium.kill(),
  }
}

/** Writes the file that redirects to `url` and leaves no history entry of itself. Returns its address. */
async function openingFile(profileFolder: string, url: string): Promise<string> {
  const path = join(profileFolder, 'open.html')
  // In a script `<` could end the script.
  const text = JSON.stringify(url).replaceAll('<', '\\u003c')
  const head = '<meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Loupe</title>'
  await writeFile(path, `<!doctype html>${head}<script>location.replace(${text})</script>\n`, { mode: ownFileMode })
  return pathToFileURL(path).href
}

/**
 * Returns a folder for the profile that the program can see: one from a snap or a flatpak has its own folder for temporary files, and of
 * the home folder it sees only the part made for it.
 */
export function profileParent(program: string, home = homedir()): string {
  const name = posix.basename(program)
  if (program.startsWith('/snap/bin/')) return posix.join(home, 'snap', name, 'common')
  if (program.includes('/flatpak/exports/bin/')) return posix.join(home, '.var/app', name, 'cache')
  return tmpdir()
}
