/**
 * Browsers in separate windows, each with a new profile for one viewing inside the viewer proxy. Each is given its credentials over a pipe
 * and then left to the user. The profiles are removed with the browsers; profiles left by a kill of Loupe are removed at the next start on
 * its archive.
 */
import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BrowserToStart, StartBrowser } from '../../app/given/separateBrowsers.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { findChromium } from './chromium.ts'
import { pipedArguments } from './chromiumArguments.ts'
import { firstPage, type Pipes } from './devToolsPipe.ts'
import { identify } from './identify.ts'
import { controlled, startPiped } from './pipedChromium.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Time for a first start of a browser on a slow machine, and a page that waits for its index. */
const startMsMax = 60_000

/** Starts browsers for the separate viewings of one archive. */
export interface SeparateBrowsers {
  /** The beginning of the profile folders' paths. */
  profilePrefix: string
  start: StartBrowser
  /** Removes left profiles. Must only be called while no other process can have the archive open. */
  clearUp(): Promise<void>
}

/** Makes the starter. The names of its profile folders contain a digest of the archive's path. */
export function separateBrowsers(archiveFolder: string): SeparateBrowsers {
  const name = `loupe-browser-${createHash('sha256').update(resolve(archiveFolder)).digest('hex').slice(0, 16)}-`
  const profilePrefix = join(tmpdir(), name)
  return {
    profilePrefix,
    start: (wanted) => startBrowser(profilePrefix, wanted),
    async clearUp() {
      for (const left of await readdir(tmpdir())) if (left.startsWith(name)) await removed(join(tmpdir(), left))
    },
  }
}

async function startBrowser(profilePrefix: string, wanted: BrowserToStart) {
  const found = findChromium()
  if (found.path === undefined)
    throw new Fault('refused', message('browser.install', { reason: found.why, command: found.command }))
  const chromium = await startPiped(found.path, {
    profilePrefix,
    argumentsFor: (profile) => pipedArguments({ ...wanted, ...profile }),
  })
  try {
    await controlled(chromium, {
      run: (pipes) => entered(pipes, wanted),
      msMax: startMsMax,
      late: textOf(message('browser.late', { seconds: startMsMax / 1000 })),
    })
    return chromium
  } catch (error) {
    await chromium.end()
    throw error
  }
}

async function entered(pipes: Pipes, { user, password, enter }: BrowserToStart): Promise<void> {
  const page = await firstPage(pipes)
  await identify(page, { user, password, enter })
  await page.send('Page.navigate', { url: enter })
  await page.leave()
}

/** Removes a folder. One of that name that belongs to another account stays. */
async function removed(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EPERM' || error.code === 'EACCES'))) throw error
  }
}
