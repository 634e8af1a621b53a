/** Checks that the replicas of an archive have separate names and folders, so that the loss of one does not affect another. Called
 *  before they are opened and before new settings are accepted. Whether a folder can be used is checked by its replica (`mark.ts`). */
import { resolve } from 'node:path'
import type { Disk } from '../../world/world.ts'
import type { ReplicaPlace } from './replica.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { isInside } from '../files/isInside.ts'

export interface PlacesProblem {
  /** Description of the problem, without a full stop. */
  text: string
  /** The replicas in conflict; empty when a replica is missing. */
  between: readonly ReplicaPlace[]
}

/** Lists the problems. The folders are first compared by name; links are resolved only when the names are distinct. */
export async function placesProblems(disk: Disk, places: readonly ReplicaPlace[]): Promise<PlacesProblem[]> {
  if (!places.some(({ kind = 'files' }) => kind === 'files')) {
    const text = 'an archive needs at least one replica that holds the files: name one in the settings'
    return [{ text, between: [] }]
  }
  const named = problemsBetween(places, places.map(({ folder }) => resolve(folder))) // prettier-ignore
  if (named.length > 0) return named
  return problemsBetween(places, await Promise.all(places.map((place) => whereLinksLead(disk, place))))
}

function problemsBetween(places: readonly ReplicaPlace[], folders: readonly string[]): PlacesProblem[] {
  const problems: PlacesProblem[] = []
  for (const [index, one] of places.entries()) {
    for (const [offset, other] of places.slice(index + 1).entries()) {
      const text = problemOf(
        { name: one.name, folder: folders[index] ?? '' },
        { name: other.name, folder: folders[index + 1 + offset] ?? '' },
      )
      if (text !== undefined) problems.push({ text, between: [one, other] })
    }
  }
  return problems
}

function problemOf(one: ReplicaPlace, other: ReplicaPlace): string | undefined {
  const { folder } = one
  if (one.name === other.name)
    return `two replicas have the same name, ${one.name} (${folder} and ${other.folder}): give one of them another`
  if (folder === other.folder)
    return `two replicas have the same folder, ${one.name} and ${other.name} (${folder}), so one disk would lose both: give one of them another`
  if (isInside(folder, other.folder)) return liesIn(other, one)
  return isInside(other.folder, folder) ? liesIn(one, other) : undefined
}

function liesIn(inner: ReplicaPlace, outer: ReplicaPlace): string {
  return `replica ${inner.name} lies in the folder of replica ${outer.name} (${inner.folder} in ${outer.folder}), so whoever loses one loses both: give one of them another`
}

/** Real path of the folder; its own path when it does not exist or cannot be read. */
async function whereLinksLead(disk: Disk, { folder }: ReplicaPlace): Promise<string> {
  return (await disk.realPath(folder).catch(undefinedOnFault)) ?? resolve(folder)
}
