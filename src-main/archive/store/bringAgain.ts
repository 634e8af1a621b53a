/** Brings a copy that was stored once and lies nowhere now, and writes down what lies there then: its checksum is asked first,
 *  and nothing that lies there is written over. For the store machine a completed copy stays so; this is no store but a
 *  restore, from a good copy (`repair.ts`) or from the very file as a person offers it (`storing.ts`). */
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { lookNotes } from '../copies/noteLook.ts'
import type { Look } from '../copies/verdict.ts'
import type { ChecksumReply, Problem } from './storeMachine.ts'
import { askChecksum, upload, type Errand } from './upload.ts'

export type Bringing = Errand & { source: string; who: string }

/** Gives why the file does not lie there now; undefined when it does, and was read. Rejects with the signal's reason when it
 *  was stopped. */
export function bringer(store: Store, clock: Clock): (bringing: Bringing) => Promise<Problem | undefined> {
  const noteLook = lookNotes(store, clock)
  return async ({ who, ...errand }) => {
    const { file, replica } = errand
    const { hindrance, lies } = await brought(errand)
    // However it went, what lies there now is what counts: an answer may have been lost, not the deed.
    noteLook({ file, replica: replica.name, look: lookOf(lies), who, isBrought: true })
    if (lies.kind === 'found' && lies.sha256 === file.sha256) return undefined
    return hindrance ?? notTheFile
  }
}

async function brought(
  errand: Errand & { source: string },
): Promise<{ hindrance: Problem | undefined; lies: ChecksumReply }> {
  const { source, ...asking } = errand
  const before = await askChecksum(asking)
  if (before.kind === 'failed') return { hindrance: before.problem, lies: before }
  if (before.kind === 'found')
    return { hindrance: refused(`Something else lies under the name: ${before.sha256}.`), lies: before }
  let hindrance: Problem | undefined
  let reread: ChecksumReply | undefined
  await upload(
    { ...asking, source },
    {
      uploaded(came) {
        if (came.kind === 'occupied') hindrance = refused(came.text)
        if (came.kind === 'refused') hindrance = came.problem
      },
      reread(came) {
        reread = came
        if (came.kind === 'failed') hindrance = came.problem
      },
    },
  )
  // What was written was read again by whoever wrote it: nobody reads it a third time.
  return { hindrance, lies: isFound(reread) ? reread : await askChecksum(asking) }
}

export function refused(text: string): Problem {
  return { code: 'refused', text }
}

export const notTheFile = refused('what lies there after the copying is not the file')

function isFound(reply: ChecksumReply | undefined): reply is ChecksumReply {
  return reply?.kind === 'found'
}

export function lookOf(lies: ChecksumReply): Look {
  if (lies.kind === 'found') return { kind: 'checksum', sha256: lies.sha256, bytes: null }
  return lies.kind === 'empty' ? { kind: 'absent' } : { kind: 'away', text: lies.problem.text }
}
