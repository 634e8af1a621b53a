/** Finds the originals of revisits in the databases of other selections, as for a job whose pages had not changed since an earlier job. A job
 *  that a revisit refers to and that has no database gets one. Revisits must name the file of their original, as those of Loupe and Heritrix do. */
import { Fault } from '../../contract/calls/faults.ts'
import { recordField } from '../../formats/records/record.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { originalJobsMax, originalsTriedMax, revisitedAtOnce, revisitsReadMax } from '../model/limits.ts'
import { readDatabase, type KeptDatabase } from './keptDatabases.ts'
import type { OnOriginals, OriginalsElsewhere, Unresolved } from '../model/unresolved.ts'
import type { Source } from './otherIndexes.ts'

interface Parts {
  world: World
  databases: () => Promise<KeptDatabase[]>
  /** Path of a copy of an archive file; undefined: no replica provides it. */
  pathOfFile: (name: string) => Promise<string | undefined>
  /** The job of an archive file; undefined: the archive does not have the file. */
  sourceOf: (name: string) => Source | undefined
  /** Builds the database of a job. Rejects with `Fault` if that is not possible, and when the indexes are closed. */
  make: (source: Source) => Promise<void>
}

/** Returns the search. */
export function originalsElsewhere({ world, databases, pathOfFile, sourceOf, make }: Parts): OriginalsElsewhere {
  const databaseWith = async (name: string) => (await databases()).find(({ names }) => names.has(name))

  /** The database with a file. Undefined: the archive does not have the file, or cannot index it now. */
  async function madeWith(name: string): Promise<KeptDatabase | undefined> {
    const known = await databaseWith(name)
    const source = sourceOf(name)
    if (known || source === undefined) return known
    try {
      await make(source)
    } catch (error) {
      if (error instanceof Fault) return undefined
      throw error
    }
    return databaseWith(name)
  }

  /** A file with an original that is not among these. Reads revisits from all over the list, at most `revisitsReadMax`. */
  async function furtherFile(revisits: readonly Unresolved[], names: ReadonlySet<string>): Promise<string | undefined> {
    const step = Math.ceil(revisits.length / revisitsReadMax)
    for (const revisit of revisits.filter((_, at) => at % step === 0)) {
      const name = await fileOfOriginal(revisit)
      if (name && !names.has(name)) return name
    }
    return undefined
  }

  /** Name of the file that the record of a revisit refers to. */
  async function fileOfOriginal({ filename, offset }: Unresolved): Promise<string | undefined> {
    const path = await pathOfFile(filename)
    if (path === undefined) return undefined
    try {
      const file = await world.disk.openRead(path)
      try {
        const record = await readRecordAt(file, offset)
        return record && recordField(record, 'warc-refers-to-filename')?.trim()
      } finally {
        await file.close()
      }
    } catch (error) {
      if (error instanceof DiskFault) return undefined
      throw error
    }
  }

  return async (revisits, onOriginals) => {
    let left = revisits
    const searched = new Set<string>()
    for (let jobs = 0; left.length > 0 && jobs < originalJobsMax; jobs++) {
      const name = await furtherFile(left, searched)
      if (name === undefined) return
      searched.add(name)
      const database = await madeWith(name)
      if (database === undefined) continue
      for (const each of database.names) searched.add(each)
      left = await lookedUpIn({ database, world }, left, onOriginals)
    }
  }
}

/** Looks up revisits in a database. Returns those without an original there. */
async function lookedUpIn(
  { database, world }: { database: KeptDatabase; world: World },
  revisits: readonly Unresolved[],
  onOriginals: OnOriginals,
): Promise<readonly Unresolved[]> {
  const left = await readDatabase(database, world, async (index) => {
    const absent: Unresolved[] = []
    for (const [at, revisit] of revisits.entries()) {
      const { url, payloadDigest } = revisit
      const { found } = index.originals({ url, atMs: undefined, payloadDigest }, originalsTriedMax)
      if (found.length > 0) onOriginals(revisit, found)
      else absent.push(revisit)
      if (at % revisitedAtOnce === 0) await new Promise((others) => setImmediate(others))
    }
    return absent
  })
  return left ?? revisits
}
