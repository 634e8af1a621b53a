/** Checks the module of a harvest before its first document would fail. */
import { Fault, type FieldPath } from '../../../contract/calls/faults.ts'
import type { RepositorySettings } from '../../../contract/services/connectors.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { pathOfModule } from '../../../modules/userModule.ts'
import type { World } from '../../../world/world.ts'
import type { ModuleOf } from './userSource.ts'

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
  const about = [...field, 'module']
  await pathOfModule(world.disk, module, { archiveFolders: archiveFolders, field: about })
  const problem = await world.threads.run<ModuleOf, Message | undefined>(
    new URL('./moduleCheck.thread.ts', import.meta.url),
    { module, settings, archiveFolders },
  )
  if (problem) throw new Fault('badInput', message('module.unusable', { module, problem }), { fields: [about] })
}
