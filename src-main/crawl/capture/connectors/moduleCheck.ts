/** Checks the module of a harvest before its first document would fail. */
import { Fault, type FieldPath } from '../../../contract/calls/faults.ts'
import type { RepositorySettings } from '../../../contract/services/connectors.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { inTime } from '../../../modules/inTime.ts'
import { pathOfModule, type ChosenModule } from '../../../modules/userModule.ts'
import type { World } from '../../../world/world.ts'

/** Time in which a module must open and close: a user waits for it. */
const openMsMax = 30_000

/** What a check needs. */
export interface ModuleCheck {
  world: World
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
}

/** Refuses a source whose module cannot be used. Throws `Fault` badInput, notFound or refused about the field at `field`. Does nothing for
 *  other sources. */
export async function refuseUnusableModule(
  { world, archiveFolders }: ModuleCheck,
  source: RepositorySettings | undefined,
  field: FieldPath,
): Promise<void> {
  if (source?.connector !== 'module') return
  const { module, settings } = source
  const about = { fields: [[...field, 'module']] }
  const path = await pathOfModule(world.disk, module, { archiveFolders, field: [...field, 'module'] })
  const late = new Fault('badInput', message('module.silent', { module, seconds: openMsMax / 1_000 }), about)
  const stop = new AbortController()
  try {
    const problem = await inTime(world.clock, { msMax: openMsMax, late }, () =>
      world.threads.run<Pick<ChosenModule, 'path' | 'settings'>, Message | undefined>(
        new URL('./moduleCheck.thread.ts', import.meta.url),
        { path, settings },
        { signal: stop.signal },
      ),
    )
    if (problem) throw new Fault('badInput', message('module.unusable', { module, problem }), about)
  } finally {
    stop.abort()
  }
}
