/** A replica of checksums: stores only the name and SHA-256 of each file, in a text file that `sha256sum --check` reads. It takes very
 *  little space, may be kept by another institution, and shows which of two differing copies is right. It cannot return a file, and
 *  cannot prove that it ever held one. */
import { message } from '../../contract/words/message.ts'
import { DiskFault } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { hashFile } from '../files/hashing.ts'
import { nameProblem } from '../files/names.ts'
import { recognitionCountMax } from '../files/limits.ts'
import { checksumFile } from './checksumFile.ts'
import { lineOf } from './checksumLines.ts'
import { notThat, notUnreadable, refused, unreadableOnFault } from './confirmWrong.ts'
import { type ReplicaParts } from './folderReplica.ts'
import { marked } from './mark.ts'
import type { Replica } from './replica.ts'
import { room } from './space.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'

/** Minimum free space in bytes, for any addition and after it. An entry is small, but a nearly full disk affects other programs too. */
const freeBytesMin = 1_000_000
const pageCount = 1_000

/** Creates a replica of checksums over a folder. */
export function checksumReplica({ world, place, expected }: Omit<ReplicaParts, 'rules'>): Replica {
  const { disk } = world
  const { name, folder } = place
  const file = checksumFile(disk, folder)
  const problem = marked({
    disk,
    place,
    expected,
    someNames: async () => (await file.names()).slice(0, recognitionCountMax),
  })
  const freeBytes = () => disk.freeBytes(folder).catch(undefinedOnFault)
  const space = room(name, { freeBytesAfterMin: freeBytesMin, freeBytesToAcceptMin: freeBytesMin })

  return {
    name,
    kind: 'checksums',
    folder,
    pathOf: () => undefined,
    problem,
    freeBytes,
    async *list() {
      const names = await file.names()
      for (let from = 0; from < names.length; from += pageCount)
        yield names.slice(from, from + pageCount).map((each) => ({ name: each, bytes: null }))
    },
    stat: async (each) => ((await file.find(each)) ? { name: each, bytes: null } : undefined),
    async add({ name: added, source, sha256 }, options = {}) {
      const { signal = new AbortController().signal, onProgress = () => undefined, bytesPerSecondMax = 0 } = options
      const wrong = nameProblem(added)
      if (wrong !== undefined) return refused('refused', message('fileName.refused', { name: added, problem: wrong }))
      const unusable = await problem()
      if (unusable !== undefined) return refused('unreachable', unusable)
      const hashing = { signal, onReport: (bytes: number) => onProgress('copying', bytes) }
      const computed = await hashFile(world, { path: source, bytesPerSecondMax }, hashing)
      if (computed.sha256 !== sha256) return refused('refused', message('replica.changedMeanwhile', { name: added }))
      const before = await file.find(added)
      if (before && before.sha256 !== sha256)
        return { kind: 'occupied', message: message('replica.otherChecksum', { path: file.path, name: added }) }
      // The process that wrote the existing entry may have been killed before syncing it.
      if (before) await file.sync()
      else {
        const taken = space.take(lineOf({ name: added, sha256 }).length, await freeBytes())
        if ('refusal' in taken) return refused('noSpace', taken.refusal)
        await file.append({ name: added, sha256 }).finally(taken.giveBack)
      }
      options.onWritten?.()
      const found = await file.find(added)
      return found?.sha256 === sha256
        ? { kind: 'added' }
        : { kind: 'differs', found: found && { ...found, bytes: null } }
    },
    async checksum(each, { salt } = {}) {
      if (salt !== undefined) throw new ArchiveFault('refused', message('replica.noSalt', { replica: name }))
      const found = await file.find(each)
      return found && { sha256: found.sha256, bytes: null }
    },
    async secure(each) {
      if (!(await file.find(each))) throw new DiskFault('absent', file.path)
      await file.sync()
    },
    async open(each) {
      throw new ArchiveFault('refused', message('replica.noFiles', { replica: name, name: each }))
    },
    async setAside(each, wrong) {
      const copy = { name: each, replica: name }
      const seen = await file.find(each).catch(unreadableOnFault)
      const found = seen && seen !== 'unreadable' ? { ...seen, bytes: null } : undefined
      if (wrong === 'unreadable' && seen !== 'unreadable') throw new ArchiveFault('refused', notUnreadable(copy, found))
      if (wrong !== 'unreadable' && found?.sha256 !== wrong.sha256)
        throw new ArchiveFault('refused', notThat(copy, found, wrong.sha256))
      return file.setAside(each)
    },
    kept: async (each) =>
      (await file.wrongEntries(each)).map(({ sha256 }) => ({ where: file.wrongPath, sha256, bytes: null })),
    leftovers: async () => [],
    removeLeftover: async () => undefined,
  }
}
