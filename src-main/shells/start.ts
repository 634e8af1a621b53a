/**
 * The desktop application of `npm start`, in the best shell that this machine can open. It prints one line with the chosen shell and the
 * reason; everything else is in the shells. It runs in a checkout; a packaged application starts in electron/main.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { admitNewArchive } from '../app/folders/archiveFolder.ts'
import { Fault, faults } from '../contract/calls/faults.ts'
import { callerFolder } from './places/callerFolder.ts'
import { defaultArchiveFolder } from './places/defaultArchive.ts'
import { buildWhenStale } from './launch/build.ts'
import { chooseShell, hasDisplay, type Choice, type Electron } from './launch/chooseShell.ts'
import { obtainElectron } from './launch/electronBinary.ts'
import { findChromium } from './server/chromium.ts'
import { serve, type Serving } from './server/serve.ts'
import { message } from '../contract/words/message.ts'
import { textFor, textOf } from '../contract/words/render.ts'

const top = join(import.meta.dirname, '../..')
const usage = 'npm start -- [--archive DIR] [--port N] [--no-window]'
/** Time within which an Electron that cannot run here ends (a missing library, no sandbox). */
const electronStartMs = 5_000

/** Options of the command line. */
interface Options {
  archiveFolder: string
  port: number | undefined
  windowWanted: boolean
}

/** Parses the command line. Throws `Fault` badInput, or the error of `parseArgs` for an unknown option. */
function optionsFrom(words: string[]): Options {
  const { values } = parseArgs({
    args: words,
    options: {
      archive: { type: 'string' },
      port: { type: 'string' },
      'no-window': { type: 'boolean', default: false },
    },
  })
  const port = values.port === undefined ? undefined : Number(values.port)
  if (port !== undefined && (!Number.isInteger(port) || port < 0 || port > 65_535))
    throw new Fault('badInput', message('server.port', { text: values.port ?? '' }))
  const caller = callerFolder(process.env, { packageFile: join(top, 'package.json'), script: 'start' }) ?? '.'
  return {
    archiveFolder: resolve(caller, values.archive ?? defaultArchiveFolder()),
    port,
    windowWanted: !values['no-window'],
  }
}

/** Opens the best shell, or the next best where Electron does not start. Resolves with the exit code. */
async function start(options: Options): Promise<number> {
  // Checked before anything is downloaded or built for a folder that would then be refused.
  await admitNewArchive(options.archiveFolder)
  const display = hasDisplay(process.platform, process.env)
  const windowed = options.windowWanted && display
  // Without a window Electron is not needed, so it is not downloaded.
  const electron: Electron = windowed
    ? await obtainElectron(printLine)
    : { path: undefined, why: textFor('electron.unwanted') }
  const choice = chooseShell({ windowWanted: options.windowWanted, display, electron, chromium: findChromium() })
  if (choice.kind === 'electron') {
    const ended = await runElectron(choice, options)
    if (ended.kind === 'done') return ended.code
    const electronFailed: Electron = { path: undefined, why: ended.why }
    return startServer(
      chooseShell({ windowWanted: true, display, electron: electronFailed, chromium: findChromium() }),
      options,
    )
  }
  return startServer(choice, options)
}

/** How Electron ended. `notStarted` means that another shell is tried. */
type ElectronEnd = { kind: 'done'; code: number } | { kind: 'notStarted'; why: string }

async function runElectron(
  choice: Extract<Choice, { kind: 'electron' }>,
  { archiveFolder }: Options,
): Promise<ElectronEnd> {
  const failed = await buildWhenStale(top, 'everything', printLine)
  if (failed !== undefined) throw new Error(`The application does not build: ${failed}`)
  printLine(choice.why)
  const began = performance.now()
  const noSandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const electron = spawn(choice.path, [top, ...noSandbox, '--archive', archiveFolder], { stdio: 'inherit' })
  return new Promise((resolve) => {
    electron.on('error', (error) =>
      resolve({ kind: 'notStarted', why: textFor('electron.unstartable', { problem: error.message }) }),
    )
    electron.on('exit', (code) => {
      const early = performance.now() - began < electronStartMs
      if (code === 0 || !early) resolve({ kind: 'done', code: code ?? 0 })
      else
        resolve({
          kind: 'notStarted',
          why: code === null ? textFor('electron.killed') : textFor('electron.ended', { exitCode: code }),
        })
    })
  })
}

/** Runs the server shell until its window is closed, or until a signal. */
async function startServer(choice: Choice, { archiveFolder, port }: Options): Promise<number> {
  const failed = await buildWhenStale(top, 'interface', printLine)
  if (failed !== undefined) throw new Error(`The interface does not build: ${failed}`)
  const serving = await serve({
    archiveFolder,
    ...(port === undefined ? {} : { port }),
    version: versionOf(top),
    onBug: (error, name) => console.error(`Internal error in ${name}:`, error),
    onNotice: (sentence) => console.error(sentence),
    log: () => undefined, // refusals concern administrators of a server: `loupe serve` prints them
  })
  printLine(choice.why)
  serving.engine.services.system.problem(({ message: problem }) => console.error(textOf(problem)))
  try {
    if (choice.kind === 'chromium') return await untilClosed(serving, choice.path)
    printAddress(serving)
    await interrupted()
    return 0
  } finally {
    await serving.close()
  }
}

/** Shows the window. Where it fails, the server goes on and its address is printed. */
async function untilClosed(serving: Serving, chromium: string): Promise<number> {
  const window = await serving.openWindow(chromium)
  const stopped = interrupted().then(() => window.close())
  const { failed } = await window.closed
  if (failed === undefined) return 0
  console.error(failed)
  printAddress(serving)
  await stopped
  return 0
}

function printAddress({ url, proxy, rewritten }: Serving): void {
  const own = new URL(url)
  printLine(textFor('serving.address', { url }))
  printLine(textFor('serving.proxy', { proxy }))
  printLine(textFor('serving.browser'))
  printLine(textFor('serving.rewritten', { rewritten }))
  const forwarded = [own.host, proxy, `127.0.0.1:${new URL(rewritten).port}`]
  const command = `ssh ${forwarded.map((to) => `-L ${to.replace(/^.*:/, '')}:${to}`).join(' ')} ${hostname()}`
  printLine(textOf(message('serving.elsewhere', { command })))
  printLine(textFor('serving.ports'))
  printLine(textFor('cli.serve.ctrlC'))
}

/** Resolves with the first SIGINT or SIGTERM. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
}

function printLine(line: string): void {
  console.log(line)
}

try {
  process.exitCode = await start(optionsFrom(process.argv.slice(2)))
} catch (error) {
  if (error instanceof Fault) {
    console.error(error.message)
    process.exitCode = faults[error.code].exitCode
  } else if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
    console.error(`${error.message}\n${usage}`)
    process.exitCode = faults.badInput.exitCode
  } else {
    throw error
  }
}
