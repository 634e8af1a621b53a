/** A replica in memory for tests: fulfils the contract of `Replica` without a disk and allows damage to its contents. The contents
 *  outlive the archive that was opened over it, as on a drive. */
import { createHash, createHmac } from 'node:crypto'
import { message } from '../../contract/words/message.ts'
import { DiskFault, type ReadableFile, type World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { nameProblem } from '../files/names.ts'
import { chunksOf } from '../files/readThrough.ts'
import { notThat, notUnreadable, refused } from '../replica/confirmWrong.ts'
import type { Checksum, ChecksumOptions, FileToAdd, Replica, SpaceRules } from '../replica/replica.ts'
import { room } from '../replica/space.ts'

export interface MemoryReplica extends Replica {
  /** Contents by name; changes take effect immediately. */
  readonly held: Map<string, Uint8Array>
  readonly attic: Map<string, Uint8Array>
}

export interface MemoryParts {
  world: World
  name: string
  rules: SpaceRules
  /** Current capacity in bytes. */
  bytesMax: () => number
  /** Contents left by an earlier instance, as after a crash. */
  held?: Map<string, Uint8Array>
}

export function memoryReplica({
  world,
  name,
  rules,
  bytesMax,
  held = new Map<string, Uint8Array>(),
}: MemoryParts): MemoryReplica {
  const attic = new Map<string, Uint8Array>()
  const space = room(name, rules)
  const freeBytes = () => [...held.values()].reduce((left, { length }) => left - length, bytesMax())
  const checksum = async (file: string, { salt, signal }: ChecksumOptions = {}): Promise<Checksum | undefined> => {
    signal?.throwIfAborted()
    const bytes = held.get(file)
    const running = salt === undefined ? createHash('sha256') : createHmac('sha256', salt)
    return bytes && { sha256: running.update(bytes).digest('hex'), bytes: bytes.length }
  }

  async function bytesOf({ source }: FileToAdd, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const file = await world.disk.openRead(source)
    try {
      const chunks: Uint8Array[] = []
      for await (const chunk of chunksOf(file)) {
        signal?.throwIfAborted()
        chunks.push(Uint8Array.from(chunk))
      }
      return Buffer.concat(chunks)
    } finally {
      await file.close()
    }
  }

  return {
    held,
    attic,
    name,
    kind: 'files',
    folder: `memory:${name}`,
    pathOf: () => undefined,
    problem: async () => undefined,
    freeBytes: async () => freeBytes(),
    async *list() {
      for (const [file, bytes] of held) yield [{ name: file, bytes: bytes.length }]
    },
    async stat(file) {
      const bytes = held.get(file)
      return bytes && { name: file, bytes: bytes.length }
    },
    async add(file, { onWritten, onProgress, signal } = {}) {
      const wrong = nameProblem(file.name)
      if (wrong !== undefined)
        return refused('refused', message('fileName.refused', { name: file.name, problem: wrong }))
      const occupied = { kind: 'occupied', message: message('replica.occupied', { path: file.name }) } as const
      if (held.has(file.name)) return occupied
      const taken = space.take(file.bytes, freeBytes())
      if ('refusal' in taken) return refused('noSpace', taken.refusal)
      try {
        const bytes = await bytesOf(file, signal)
        onProgress?.('copying', bytes.length)
        if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
          return refused('refused', message('replica.changedMeanwhile', { name: file.name }))
        if (held.has(file.name)) return occupied
        held.set(file.name, bytes)
      } finally {
        taken.giveBack()
      }
      onWritten?.()
      const found = await checksum(file.name, signal ? { signal } : {})
      return found?.sha256 === file.sha256 ? { kind: 'added' } : { kind: 'differs', found }
    },
    checksum,
    async secure(file) {
      if (!held.has(file)) throw new DiskFault('absent', file)
    },
    async open(file) {
      const bytes = held.get(file)
      if (!bytes) throw new DiskFault('absent', file)
      return readable(bytes)
    },
    async setAside(file, wrong) {
      const found = await checksum(file)
      const bytes = held.get(file)
      if (wrong === 'unreadable') throw new ArchiveFault('refused', notUnreadable({ name: file, replica: name }, found))
      if (!bytes || found?.sha256 !== wrong.sha256)
        throw new ArchiveFault('refused', notThat({ name: file, replica: name }, found, wrong.sha256))
      const kept = `${file}.${attic.size}`
      attic.set(kept, bytes)
      held.delete(file)
      return kept
    },
    async kept(file) {
      const names = [...attic.keys()].filter((each) => each.replace(/\.\d+$/, '') === file)
      return names.map((where) => {
        const bytes = attic.get(where) ?? new Uint8Array()
        return { where, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
      })
    },
    leftovers: async () => [],
    removeLeftover: async () => undefined,
  }
}

function readable(bytes: Uint8Array): ReadableFile {
  return {
    async read(into, position) {
      const part = bytes.subarray(position, position + into.length)
      into.set(part)
      return part.length
    },
    bytes: async () => bytes.length,
    close: async () => undefined,
  }
}
