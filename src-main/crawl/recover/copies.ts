/** Determines the content of a replicated file that the catalogue does not know: every copy is read, and the checksums vote. */
import { listed } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { isArchiveOrDiskFault, reasonIn } from '../../archive/files/archiveFault.ts'
import { hashFile } from '../../archive/files/hashing.ts'
import { hasPaths } from '../../archive/replica/replica.ts'
import { withSourceFile } from '../../archive/replica/sourceFile.ts'
import type { World } from '../../world/world.ts'
import { checkThrough } from '../import/readThrough.ts'

/** The content chosen for a file. */
export interface AgreedFile {
  sha256: string
  bytes: number
  /** Path of a copy with this checksum, in the quarantine if only the quarantine has the bytes. */
  path: string
  /** Replicas that hold this content, and replicas that hold only its checksum. */
  replicas: string[]
}

/** Result of the vote; `problems` concern single copies. */
export type Agreement =
  | { kind: 'agreed'; file: AgreedFile; problems: Message[] }
  /** No copy could be chosen, for the given reasons. */
  | { kind: 'undecided'; problems: Message[] }

interface CopyRead {
  replica: string
  sha256: string
  bytes: number | null
  path: string | undefined
}

interface Reading {
  archive: Pick<Archive, 'places' | 'unregistered'>
  world: World
  signal: AbortSignal
  /** A file of this name in the quarantine, if there is one. It has no vote, but may hold the bytes for which the replicas
   *  hold only the checksum. */
  aside: { path: string; bytes: number } | undefined
}

/** Chooses the content of a file by a vote of its copies. */
export async function agreedCopy(reading: Reading, name: string): Promise<Agreement> {
  const problems: Message[] = []
  const copies: CopyRead[] = []
  for (const { replica } of reading.archive.unregistered.placesOf(name)) {
    const copy = await readCopy(reading, replica, name)
    if (copy && 'code' in copy) problems.push(copy)
    else if (copy) copies.push(copy)
  }
  const winner = mostVotes(copies) ?? (await onlyWhole(reading, name, copies))
  if (winner === undefined) return { kind: 'undecided', problems: [...problems, undecided(copies)] }
  const agreeing = copies.filter(({ sha256 }) => sha256 === winner)
  const source =
    agreeing.find(({ path, bytes }) => path !== undefined && bytes !== null) ??
    (await asideWith(reading, winner)) ??
    (await fetched(reading, name, agreeing))
  if (source && 'code' in source) return { kind: 'undecided', problems: [...problems, source] }
  if (source?.path === undefined || source.bytes === null)
    return { kind: 'undecided', problems: [...problems, message('recover.copies.checksumOnly')] }
  const file = {
    sha256: winner,
    bytes: source.bytes,
    path: source.path,
    replicas: agreeing.map(({ replica }) => replica),
  }
  return { kind: 'agreed', file, problems }
}

async function asideWith(
  { world, signal, aside }: Reading,
  sha256: string,
): Promise<{ path: string; bytes: number } | undefined> {
  if (!aside) return undefined
  const found = await hashFile(world, { path: aside.path, bytesPerSecondMax: 0 }, { signal })
  return found.sha256 === sha256 ? aside : undefined
}

/** Stores a copy that only a store of the user has in a replica with a folder, since everything else reads files by their paths. Returns
 *  the new copy, or why there is none; undefined if no replica has the bytes. */
async function fetched(reading: Reading, name: string, agreeing: CopyRead[]): Promise<CopyRead | Message | undefined> {
  const { archive, world, signal } = reading
  const placeOf = (replica: string) => archive.places.find((place) => place.name === replica)
  const copy = agreeing.find(({ replica }) => placeOf(replica)?.kind === 'files')
  const source = copy && placeOf(copy.replica)
  const target = archive.places.find(hasPaths)
  if (!copy || !source || !target || copy.bytes === null) return undefined
  const { sha256, bytes } = copy
  const madeCopy = async () => {
    const found = await readCopy(reading, target.name, name)
    return found && !('code' in found) && found.sha256 === sha256 ? found : undefined
  }
  try {
    // An earlier step of this recovery may have stored it.
    let made = await madeCopy()
    if (made === undefined) {
      const way = { name, object: name, source, target, signal }
      const added = await withSourceFile({ archive, world }, way, (path) =>
        target.add({ name, source: path, sha256, bytes }, { signal }),
      )
      if (added.kind === 'refused' || added.kind === 'occupied') return added.message
      made = await madeCopy()
    }
    if (made) agreeing.push(made)
    return made
  } catch (error) {
    if (!isArchiveOrDiskFault(error)) throw error
    return message('copy.unreadable.in', { replica: source.name, reason: reasonIn(error) })
  }
}

/** Reads a copy; returns a message if it cannot be read, undefined if the replica does not have it. */
async function readCopy(
  { archive, signal }: Reading,
  replica: string,
  name: string,
): Promise<CopyRead | Message | undefined> {
  const place = archive.places.find((each) => each.name === replica)
  if (!place) return undefined
  try {
    const found = await place.checksum(name, { signal })
    return found && { replica, ...found, path: place.pathOf(name) }
  } catch (error) {
    if (!isArchiveOrDiskFault(error)) throw error
    return message('copy.unreadable.in', { replica, reason: reasonIn(error) })
  }
}

/** Returns the checksum with the most votes; undefined in a tie. */
function mostVotes(copies: readonly CopyRead[]): string | undefined {
  const votes = [...Map.groupBy(copies, ({ sha256 }) => sha256)].map(([sha256, all]) => ({ sha256, votes: all.length }))
  const [first, second] = votes.toSorted((one, other) => other.votes - one.votes)
  return first && first.votes > (second?.votes ?? 0) ? first.sha256 : undefined
}

/** Breaks a tie: returns the checksum of the only content that is a complete archive file; undefined if several are, or none. */
async function onlyWhole(
  { world, signal }: Reading,
  name: string,
  copies: readonly CopyRead[],
): Promise<string | undefined> {
  const whole = new Set<string>()
  for (const { sha256, path } of copies) {
    if (path === undefined || whole.has(sha256)) continue
    const { records, findings } = await checkThrough(world, { path, name }, { signal })
    if (records > 0 && findings.every(({ severity }) => severity !== 'error')) whole.add(sha256)
  }
  const [only, ...others] = whole
  return others.length === 0 ? only : undefined
}

function undecided(copies: readonly CopyRead[]): Message {
  if (copies.length === 0) return message('recover.copies.noneReadable')
  const held = copies.map(({ replica, sha256 }) => message('recover.copies.holds', { replica, sha256 }))
  return message('recover.copies.differ', { copies: listed(held) })
}
