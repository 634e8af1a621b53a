/** Estimates from recorded checks whether a repair can succeed: which replicas should have a good copy, and what prevents it. Reads no
 *  copy; `repairConditions.ts` decides when the repair is run. */
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import type { FileVote } from '../../contract/services/votes.ts'
import type { RepairableCopy } from '../../contract/services/repairs.ts'
import { isGoodCopy, isStoredCopy } from '../../contract/states/copyStates.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { Archive } from '../store/archive.ts'
import { repairablePageCount } from '../files/limits.ts'
import type { RepairableRow } from './repair.sql.ts'
import { noSource } from './repairConditions.ts'
import { openCopyStatus } from '../copies/copyStatus.ts'

/** Creates a function that adds to each copy whether and from where it can be repaired, in the same order. Other work can run between pages. */
export function openRepairable({ archive, store, clock }: { archive: Archive; store: Store; clock: Clock }) {
  const copyStatus = openCopyStatus(store, archive.places)

  return async function withSources(wanted: readonly RepairableRow[]): Promise<RepairableCopy[]> {
    if (wanted.length === 0) return []
    const usable = await usableNow(archive)
    const found: RepairableCopy[] = []
    for (let at = 0; at < wanted.length; at += repairablePageCount) {
      if (at > 0) await clock.sleep(0)
      found.push(...pageOf(wanted.slice(at, at + repairablePageCount), usable))
    }
    return found
  }

  function pageOf(page: readonly RepairableRow[], usable: Usable): RepairableCopy[] {
    const names = [...new Set(page.map(({ name }) => name))]
    const files = new Map(archive.filesNamed(names).map((file) => [file.name, file]))
    const votes = copyStatus.votesOn(names)
    return page.map((copy) => {
      const [file, held] = [files.get(copy.name), votes.get(copy.name)]
      if (!file || !held) throw new Error(`${copy.name} is to be repaired and not in the catalogue`)
      return repairableOf(copy, file, held, usable)
    })
  }
}

interface Usable {
  /** By replica, the reason why it cannot be used now. */
  problems: ReadonlyMap<string, Message>
  givers: readonly string[]
}

async function usableNow({ places }: Archive): Promise<Usable> {
  const problems = new Map<string, Message>()
  for (const place of places) {
    const problem = await place.problem()
    if (problem !== undefined) problems.set(place.name, problem)
  }
  const givers = places.filter((place) => place.kind === 'files' && !problems.has(place.name))
  return { problems, givers: givers.map(({ name }) => name) }
}

function repairableOf(
  copy: RepairableRow,
  file: ArchivedFile,
  held: FileVote,
  { problems, givers }: Usable,
): RepairableCopy {
  const sources = givers.filter((name) => name !== copy.replica && !isDoubtful(file, held, name))
  const blocker =
    problems.get(copy.replica) ??
    (sources.length === 0 ? noSourceKnown(copy, file, held, problems) : undefined) ??
    (mayWin(file, held) ? null : held.message)
  return { ...copy, bytes: file.bytes, registered: file.sha256, sources, blocker }
}

function isDoubtful(file: ArchivedFile, held: FileVote, replica: string): boolean {
  const copy = file.replicas.find((each) => each.replica === replica)
  if (!copy || !isGoodCopy(copy)) return true
  const checksum = held.copies.find((each) => each.replica === replica)?.checksum ?? null
  return checksum !== null && checksum !== file.sha256
}

/** Whether the registered checksum would have a majority if all unread copies were good. */
function mayWin(file: ArchivedFile, held: FileVote): boolean {
  const mayAgree = held.copies.filter(({ replica }) => !isDoubtful(file, held, replica)).length
  return 1 + mayAgree >= held.needed
}

/** Why no replica can be the source, by the last checks. */
function noSourceKnown(
  { name, replica }: RepairableRow,
  file: ArchivedFile,
  held: FileVote,
  problems: ReadonlyMap<string, Message>,
): Message {
  const reasons = held.copies.flatMap((copy) => {
    if (copy.replica === replica) return []
    const isUnavailable = problems.has(copy.replica)
    return [
      message(isUnavailable ? 'repair.copy.unavailable' : reasonOf(file, held, copy.replica), {
        replica: copy.replica,
      }),
    ]
  })
  return noSource(name, reasons)
}

function reasonOf(file: ArchivedFile, held: FileVote, replica: string) {
  if (!isDoubtful(file, held, replica)) return 'repair.copy.onlyChecksums'
  const copy = file.replicas.find((each) => each.replica === replica)
  if (!copy || !isStoredCopy(copy)) return 'repair.copy.never'
  return copy.preservation === 'MISSING' ? 'repair.copy.lost' : 'repair.copy.damaged'
}
