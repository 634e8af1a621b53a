/** Whether the replicas of an archive are apart: each with a name and a folder of its own, so that what happens to one does
 *  not happen to another. Said before they are opened, and before the settings take them.
 *  Deliberately not here: whether a folder can be used, which is its replica's to say. */
import { resolve } from 'node:path'
import type { Disk } from '../../world/world.ts'
import type { ReplicaPlace } from './replica.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { isInside } from '../files/isInside.ts'

export interface PlacesProblem {
  /** Without a stop at its end. */
  text: string
  /** Whose places are to be looked at; empty when one is lacking. */
  between: readonly ReplicaPlace[]
}

/** The folders as they are named first: where links lead is only asked of places that are apart by name. */
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

/** A folder that is not there, or cannot be looked at, is where its name says. */
async function whereLinksLead(disk: Disk, { folder }: ReplicaPlace): Promise<string> {
  return (await disk.realPath(folder).catch(undefinedOnFault)) ?? resolve(folder)
}
