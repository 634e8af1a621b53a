/**
 * Settings of an archive that its loupe.toml keeps from being opened: reads and fixes them without the archive. `settings.ts` decides in
 * all cases what is valid.
 */
import { join } from 'node:path'
import type { Fault } from '../../contract/calls/faults.ts'
import { holdLock } from '../../storage/lock.ts'
import { realWorld } from '../../world/real.ts'
import { faultsTranslated } from '../signals/faultsTranslated.ts'
import { checkFile, readSettings, type Settings } from './settings.ts'

/** Settings of an archive that cannot be opened because of them. */
export interface MendableSettings {
  list: Settings['list']
  /** Writes a setting, even while something else in the file is wrong. */
  set: Settings['set']
  /** At least one problem, as found when the file was read. */
  problems: readonly Fault[]
  /** Reads the file again. */
  problemsNow(): Promise<readonly Fault[]>
  close(): void
}

/**
 * Opens the settings for fixing. Undefined when nothing needs fixing, or another process has the archive open: then its engine answers.
 * Throws `Fault`.
 */
export function openMendable(archiveFolder: string, userFile: string): Promise<MendableSettings | undefined> {
  return faultsTranslated(async () => {
    const world = realWorld()
    const read = () => readSettings(world, archiveFolder, userFile)
    const { settings, problems } = await read()
    if (problems.length === 0) return undefined
    const lock = holdLock(join(archiveFolder, 'loupe.lock'))
    if (!lock) return undefined
    return {
      list: settings.list,
      set: settings.set,
      problems,
      problemsNow: async () => (await read()).problems,
      close: () => lock.release(),
    }
  })
}

/** Returns every problem of a file with settings, without an archive. Throws `Fault`. */
export function problemsOf(path: string): Promise<readonly Fault[]> {
  return faultsTranslated(() => checkFile(realWorld(), path))
}
