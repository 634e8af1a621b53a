/** Checks that the replicas of an archive have separate names and folders, so that the loss of one does not affect another. Called
 *  before they are opened and before new settings are accepted. Whether a folder can be used is checked by its replica (`mark.ts`). */
import { resolve } from 'node:path'
import { message, type Message } from '../../contract/words/message.ts'
import type { Disk } from '../../world/world.ts'
import type { ReplicaPlace } from './replica.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { isInside } from '../../world/isInside.ts'

export interface PlacesProblem {
  /** Description of the problem, without a full stop. */
  message: Message
  /** The replicas in conflict; empty when a replica is missing. */
  between: readonly ReplicaPlace[]
}

/** Lists the problems. The folders are first compared by name; links are resolved only when the names are distinct. */
export async function placesProblems(disk: Disk, places: readonly ReplicaPlace[]): Promise<PlacesProblem[]> {
  // Other programs read files by their paths, which only a folder has.
  if (!places.some(({ kind = 'files', module }) => kind === 'files' && !module)) {
    return [{ message: message('replicas.noFiles'), between: [] }]
  }
  const named = problemsBetween(places, places.map(({ folder }) => resolve(folder))) // prettier-ignore
  if (named.length > 0) return named
  return problemsBetween(places, await Promise.all(places.map((place) => whereLinksLead(disk, place))))
}

function problemsBetween(places: readonly ReplicaPlace[], folders: readonly string[]): PlacesProblem[] {
  const problems: PlacesProblem[] = []
  for (const [index, one] of places.entries()) {
    for (const [offset, other] of places.slice(index + 1).entries()) {
      const problem = problemOf(
        { ...one, folder: folders[index] ?? '' },
        { ...other, folder: folders[index + 1 + offset] ?? '' },
      )
      if (problem) problems.push({ message: problem, between: [one, other] })
    }
  }
  return problems
}

function problemOf(one: ReplicaPlace, other: ReplicaPlace): Message | undefined {
  const { folder } = one
  if (one.name === other.name) return message('replicas.sameName', { name: one.name, folder, other: other.folder })
  // Two replicas may use one module, with different settings. If these name one place, its mark says so.
  if (one.module || other.module) return undefined
  if (folder === other.folder) return message('replicas.sameFolder', { name: one.name, other: other.name, folder })
  if (isInside(folder, other.folder)) return nested(other, one)
  return isInside(other.folder, folder) ? nested(one, other) : undefined
}

function nested(inner: ReplicaPlace, outer: ReplicaPlace): Message {
  return message('replicas.nested', {
    inner: inner.name,
    outer: outer.name,
    innerFolder: inner.folder,
    outerFolder: outer.folder,
  })
}

/** Real path of the folder; its own path when it does not exist or cannot be read. */
async function whereLinksLead(disk: Disk, { folder }: ReplicaPlace): Promise<string> {
  return (await disk.realPath(folder).catch(undefinedOnFault)) ?? resolve(folder)
}
