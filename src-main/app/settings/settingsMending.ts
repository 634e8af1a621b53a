/** The settings of an archive that its loupe.toml keeps from being opened: to look at and to mend, without the archive.
 *  Deliberately not here: what is right and what is wrong, which `settings.ts` says in both cases. */
import { join } from 'node:path'
import type { Fault } from '../../contract/calls/faults.ts'
import { holdLock } from '../../storage/lock.ts'
import { realWorld } from '../../world/real.ts'
import { faultsTranslated } from '../signals/faultsTranslated.ts'
import { readSettings, type Settings } from './settings.ts'

export interface MendableSettings {
  list: Settings['list']
  /** Written also while something else in the file is wrong. */
  set: Settings['set']
  /** At least one, as it was when they were read. */
  problems: readonly Fault[]
  /** As the file is now. */
  problemsNow(): Promise<readonly Fault[]>
  close(): void
}

/** Undefined when there is nothing to mend, or another process has the archive open: then its engine answers. Throws `Fault`. */
export function openMendable(archiveFolder: string): Promise<MendableSettings | undefined> {
  return faultsTranslated(async () => {
    const world = realWorld()
    const read = () => readSettings(world, archiveFolder)
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
