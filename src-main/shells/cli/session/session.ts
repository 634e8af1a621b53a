/**
 * How a command reaches the engine of an archive: it opens the engine itself, or, when another process has the archive open, calls that
 * process over the contract. Every verb sees the same services.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openEngine, type Engine } from '../../../app/engine.ts'
import type { FolderAccepted } from '../../../app/given/engineSetting.ts'
import { contract, type Loupe } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { leastRoles } from '../../../contract/roles.ts'
import { memoryLink, servicesOver } from '../../../contract/calls/service.ts'
import { announcedEngine } from '../../places/engineFile.ts'
import { openPageBrowser } from '../../server/pageBrowser.ts'
import { httpLink } from '../../server/httpLink.ts'
import { serve } from '../../server/serve.ts'
import { userSettingsFile } from '../../places/userSettings.ts'

/** The services of one archive, until the command ends. */
export interface Session {
  services: Loupe
  /** Whether this process has the archive open: what it started ends with it. */
  own: boolean
  close(): Promise<void>
}

/** Parameters of a session. */
export interface SessionSetting {
  archiveFolder: string
  accepts: FolderAccepted
  version: string
  /** Whether jobs are worked on while the session lasts. */
  run: boolean
  signal: AbortSignal
  onBug(error: unknown, name: string): void
  onNotice(sentence: string): void
}

/** Time to wait for an archive in use: another short verb, or an engine that is starting or ending, has finished within it. */
const inUseMsMax = 5_000
const checkEveryMs = 50

/** Opens a session. Throws `Fault`. */
export async function openSession(setting: SessionSetting): Promise<Session> {
  const untilMs = performance.now() + inUseMsMax
  for (;;) {
    try {
      return await (setting.run ? runningSession(setting) : lookingSession(setting))
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'inUse') throw error
      const borrowed = await borrowedSession(setting)
      if (borrowed) return borrowed
      if (setting.signal.aborted || performance.now() > untilMs) throw error
      await sleep(checkEveryMs)
    }
  }
}

/** Opens an engine that works on jobs and that other commands can reach meanwhile. */
async function runningSession({ archiveFolder, accepts, version, onBug, onNotice }: SessionSetting): Promise<Session> {
  const serving = await serve({
    ...{ archiveFolder, accepts, version, shell: 'cli', port: 0 },
    ...{ onBug, onNotice, log: () => undefined },
  })
  return { services: overMemory(serving.engine, onBug), own: true, close: () => serving.close() }
}

async function lookingSession({ archiveFolder, accepts, version, onBug, onNotice }: SessionSetting): Promise<Session> {
  const engine = await openEngine({
    ...{ archiveFolder, userSettingsFile: userSettingsFile(), accepts, shell: 'cli', version, run: false, onNotice },
    openPageBrowser,
  })
  return { services: overMemory(engine, onBug), own: true, close: () => engine.close() }
}

/** Connects to the engine of the process that has the archive open; undefined while its address is unknown or it does not answer. */
async function borrowedSession({ archiveFolder }: SessionSetting): Promise<Session | undefined> {
  const announced = await announcedEngine(archiveFolder)
  if (!announced) return undefined
  const link = httpLink(announced)
  const services = servicesOver(contract, link)
  try {
    await services.system.about({})
    return { services, own: false, close: async () => link.close() }
  } catch (error) {
    link.close()
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Calls services in this process through the same contract, with the same checks, as over any other link. */
function overMemory({ implementation: services, operator }: Engine, onBug: SessionSetting['onBug']): Loupe {
  return servicesOver(contract, memoryLink({ contract, services, leastRoles, onBug }, operator))
}
