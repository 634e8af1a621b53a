/** The functions `install` and `deinstall` that a module of the user may export. Each call has a thread of its own, which ends with it: a module
 *  that does not end, or uses up its memory, holds up nothing else. A call that a kill interrupts may be repeated, so both functions have to be
 *  idempotent; what is stored about it is up to the caller. */
import { Fault, userMessageOf } from '../contract/calls/faults.ts'
import { messageOf } from '../contract/text/messageOf.ts'
import { message, type Message } from '../contract/words/message.ts'
import type { World } from '../world/world.ts'
import type { InstallationInput, InstallationReply } from './installation.thread.ts'
import { inTime } from './inTime.ts'
import { pathOfModule } from './userModule.ts'

/** Time in which a module must load, and its function must end. */
const callMsMax = 30_000

const threadLimits = { heapBytesMax: 256_000_000, stopMsMax: 1_000 }

/** What is called. */
export interface InstallationCall extends Omit<InstallationInput, 'path'> {
  /** Path of the module, as it was given. */
  module: string
}

interface InstallationSetting {
  world: Pick<World, 'clock' | 'disk' | 'threads'>
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
}

/** Calls the function, if the module exports it. Returns the version that the module exports, or what is wrong. A module that does not exist
 *  counts as deinstalled. Rejects with the reason of the signal. */
export async function callInstallation(
  { world, archiveFolders }: InstallationSetting,
  { module, ...call }: InstallationCall,
  signal?: AbortSignal,
): Promise<{ version: string | null } | { problem: Message }> {
  const unusable = (problem: Message) => message('module.unusable', { module, problem })
  const late = new Fault('refused', unusable(message('plugin.silent', { name: call.function, seconds: callMsMax / 1_000 }))) // prettier-ignore
  const own = world.threads.own(threadLimits)
  try {
    const path = await pathOfModule(world.disk, module, { archiveFolders, field: ['module'] })
    const reply = await inTime(world.clock, { msMax: callMsMax, late }, () =>
      own.run<InstallationInput, InstallationReply>(
        new URL('./installation.thread.ts', import.meta.url),
        { ...call, path },
        { ...(signal && { signal }) },
      ),
    )
    return 'problem' in reply ? { problem: unusable(reply.problem) } : reply
  } catch (error) {
    signal?.throwIfAborted()
    // The thread ended: its memory was used up, or the module ended it.
    if (!(error instanceof Fault)) return { problem: unusable(message('text', { text: messageOf(error) })) }
    return error.code === 'notFound' && call.function === 'deinstall'
      ? { version: null }
      : { problem: userMessageOf(error) }
  } finally {
    own.close()
  }
}
