/** The contract of `Replica` as table rows: an action, its result, and the expected result. `replicas.test.ts` checks every kind of
 *  replica and every decorator against all rows. A new requirement is a new row here, not a test of one kind. */
import { createHash, createHmac } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { DiskFault } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { Damage } from './faultyReplica.ts'
import type { FileToAdd, Held, Replica, ReplicaKind, SpaceRules } from '../replica/replica.ts'

/** A new, empty replica, with functions that change its contents directly. */
export interface ReplicaTrial {
  replica: Replica
  /** Writes a source file to be added. */
  fileOf(name: string, text: string): Promise<FileToAdd>
  /** Actual content under the name: the text, or in a replica of checksums the checksum of its entry. */
  contentOf(name: string): Promise<string | undefined>
  /** Puts a file, or its entry, under the name without using the replica. */
  put(name: string, text: string): Promise<void>
  damage(name: string, how: Damage): Promise<void>
  /** Sets the free space in bytes; absent for replicas on a real disk. */
  leave?: (bytes: number) => void
}

export interface ReplicaPromise {
  promise: string
  needsRoom?: true
  keep(trial: ReplicaTrial): Promise<{ found: unknown; expected: unknown }>
}

/** Space rules of the replica under test. */
export const trialRules: SpaceRules = { freeBytesAfterMin: 1_000_000, freeBytesToAcceptMin: 1_500_000 }

const text = 'what is to be kept '.repeat(40)
const other = 'what somebody else has put there '.repeat(40)
const name = 'a.warc'

export const replicaPromises: readonly ReplicaPromise[] = [
  {
    promise: 'it is ready, knows what it is, and is empty',
    async keep({ replica }) {
      const found = [
        await replica.problem(),
        await all(replica),
        await replica.leftovers(),
        replica.pathOf(name) === undefined,
      ]
      return {
        found,
        expected: [undefined, [], [], replica.kind === 'checksums' || !isAbsolute(replica.folder)],
      }
    },
  },
  {
    promise: 'an added file exists completely under its name',
    async keep({ replica, fileOf, contentOf }) {
      const added = await replica.add(await fileOf(name, text))
      const held = { name, bytes: bytesIn(replica, text) }
      return {
        found: [
          added,
          await contentOf(name),
          await replica.stat(name),
          await all(replica),
          await replica.checksum(name),
        ],
        expected: [{ kind: 'added' }, truth(replica, text), held, [held], summed(replica, text)],
      }
    },
  },
  {
    promise: 'an empty file is a file',
    async keep({ replica, fileOf, contentOf }) {
      const added = await replica.add(await fileOf(name, ''))
      return {
        found: [added, await contentOf(name), await replica.checksum(name)],
        expected: [{ kind: 'added' }, truth(replica, ''), summed(replica, '')],
      }
    },
  },
  {
    promise: 'an open file can be read from any position; a replica of checksums opens none',
    async keep({ replica, fileOf }) {
      await replica.add(await fileOf(name, text))
      if (replica.kind === 'checksums') return { found: await refusal(replica.open(name)), expected: 'refused' }
      const file = await replica.open(name)
      const into = Buffer.alloc(10)
      const read = [await file.read(into, 5), await file.bytes(), await file.read(Buffer.alloc(9), text.length - 4)]
      await file.close()
      return { found: [into.toString(), ...read], expected: [text.slice(5, 15), 10, text.length, 4] }
    },
  },
  {
    promise: 'a name that another file has is left unchanged',
    async keep({ replica, fileOf, contentOf, put }) {
      await put(name, other)
      const added = await replica.add(await fileOf(name, text))
      return { found: [added.kind, await contentOf(name)], expected: ['occupied', truth(replica, other)] }
    },
  },
  {
    promise: 'a name that the same file has is left unchanged; for checksums it is the same entry',
    async keep({ replica, fileOf, contentOf, put }) {
      await put(name, text)
      const added = await replica.add(await fileOf(name, text))
      const kind = replica.kind === 'checksums' ? 'added' : 'occupied'
      return {
        found: [added.kind, await contentOf(name), (await all(replica)).length],
        expected: [kind, truth(replica, text), 1],
      }
    },
  },
  ...['', '.hidden', '../a', 'a/b', 'a b', 'con', 'a\nb', 'x'.repeat(300)].map((wrong) => ({
    promise: `${JSON.stringify(wrong.slice(0, 12))} is not a valid file name`,
    async keep({ replica, fileOf }: ReplicaTrial) {
      await replica.problem()
      const added = await replica.add({ ...(await fileOf(name, text)), name: wrong })
      return { found: [added, await all(replica)], expected: [{ ...added, kind: 'refused', code: 'refused' }, []] }
    },
  })),
  {
    promise: 'a source with another checksum than announced never gets the name',
    async keep({ replica, fileOf, contentOf }) {
      const file = await fileOf(name, other)
      const added = await replica.add({ ...file, sha256: sha256(text) })
      return {
        found: [added, await contentOf(name), await all(replica), await replica.leftovers()],
        expected: [{ ...added, kind: 'refused', code: 'refused' }, undefined, [], []],
      }
    },
  },
  {
    promise: 'a missing source is a disk fault at its path, and leaves no file',
    async keep({ replica, fileOf, contentOf }) {
      const file = await fileOf(name, text)
      const fault = await caught(replica.add({ ...file, source: `${file.source}-gone` }))
      const said = fault instanceof DiskFault && [fault.code, fault.path]
      return {
        found: [said, await contentOf(name), await replica.leftovers()],
        expected: [['absent', `${file.source}-gone`], undefined, []],
      }
    },
  },
  {
    promise: 'accepts files only above the minimum of free space',
    needsRoom: true,
    async keep({ replica, fileOf, contentOf, leave }) {
      const file = await fileOf(name, text)
      leave?.(1_200_000)
      const added = await replica.add(file)
      if (replica.kind === 'checksums') return { found: added.kind, expected: 'added' }
      return { found: [refusedFor(added), await contentOf(name)], expected: ['noSpace', undefined] }
    },
  },
  {
    promise: 'so much must stay free after a file was added',
    needsRoom: true,
    async keep({ replica, fileOf, contentOf, leave }) {
      const file = await fileOf(name, 'x'.repeat(600_000))
      leave?.(1_550_000)
      const added = await replica.add(file)
      if (replica.kind === 'checksums') return { found: added.kind, expected: 'added' }
      return { found: [refusedFor(added), await contentOf(name)], expected: ['noSpace', undefined] }
    },
  },
  {
    promise: 'bytes that are on their way count as taken, and no longer once they are there',
    needsRoom: true,
    async keep({ replica, fileOf, leave }) {
      const names = ['a', 'b', 'c']
      const files = await Promise.all(names.map((each) => fileOf(each, each.repeat(400_000))))
      leave?.(2_000_000)
      const kinds = (await Promise.all(files.map((file) => replica.add(file)))).map(({ kind }) => kind)
      const expected = replica.kind === 'checksums' ? ['added', 'added', 'added'] : ['added', 'added', 'refused']
      return { found: kinds.sort(), expected }
    },
  },
  {
    promise: 'reports progress, and once that the bytes are written',
    async keep({ replica, fileOf, contentOf }) {
      const received: Promise<string | undefined>[] = []
      const added = await replica.add(await fileOf(name, text), {
        onWritten: () => void received.push(contentOf(name)),
      })
      return { found: [added.kind, await Promise.all(received)], expected: ['added', [truth(replica, text)]] }
    },
  },
  {
    promise: 'a stop rejects with its reason and leaves nothing',
    async keep({ replica, fileOf, contentOf }) {
      const reason = new Error('enough')
      const fault = await caught(replica.add(await fileOf(name, text), { signal: AbortSignal.abort(reason) }))
      return { found: [fault, await contentOf(name), await replica.leftovers()], expected: [reason, undefined, []] }
    },
  },
  {
    promise: 'an absent file has no size and no checksum, and cannot be opened, secured or set aside',
    async keep({ replica, fileOf }) {
      // Makes a replica of checksums create its file.
      await replica.add(await fileOf('other.warc', other))
      const refusals = [
        await refusal(replica.open(name)),
        await refusal(replica.setAside(name, { sha256: sha256(text) })),
        await refusal(replica.setAside(name, 'unreadable')),
      ]
      return {
        found: [await replica.stat(name), await replica.checksum(name), ...refusals],
        expected: [undefined, undefined, replica.kind === 'checksums' ? 'refused' : 'absent', 'refused', 'refused'],
      }
    },
  },
  ...(['flipped', 'truncated', 'lost'] as const).map((how) => ({
    promise: `a file ${how} by another program is detected at the next reading`,
    async keep({ replica, fileOf, damage }: ReplicaTrial) {
      await replica.add(await fileOf('other.warc', other))
      await replica.add(await fileOf(name, text))
      await replica.checksum(name)
      await damage(name, how)
      const found = await replica.checksum(name)
      const isRight = found?.sha256 === sha256(text)
      const rest = await replica.checksum('other.warc')
      return {
        found: [isRight, found === undefined && how === 'flipped', rest?.sha256],
        expected: [false, false, sha256(other)],
      }
    },
  })),
  {
    promise: 'a salted checksum is the HMAC of the bytes, and proves that they are there: checksums refuse it',
    async keep({ replica, fileOf }) {
      await replica.add(await fileOf(name, text))
      const asked = replica.checksum(name, { salt: 'by chance' })
      if (replica.kind === 'checksums') return { found: await refusal(asked), expected: 'refused' }
      const expected = { sha256: createHmac('sha256', 'by chance').update(text).digest('hex'), bytes: text.length }
      return { found: await asked, expected }
    },
  },
  {
    promise: 'a list contains every file once, for any number of files',
    async keep({ replica, fileOf }) {
      const names = Array.from({ length: 30 }, (_, index) => `${index}-of-30.warc`)
      for (const each of names) await replica.add(await fileOf(each, each))
      const expected = names.map((each) => ({ name: each, bytes: bytesIn(replica, each) }))
      return { found: byName(await all(replica)), expected: byName(expected) }
    },
  },
  {
    promise: 'securing a file does not change it',
    async keep({ replica, put, contentOf }) {
      await put(name, text)
      await replica.secure(name)
      return { found: await contentOf(name), expected: truth(replica, text) }
    },
  },
  {
    promise: 'securing an absent file fails and creates no empty one',
    async keep({ replica, fileOf, damage, contentOf }) {
      await replica.add(await fileOf(name, text))
      await damage(name, 'lost')
      const said = await refusal(replica.secure(name))
      return { found: [said, await contentOf(name), await all(replica)], expected: ['absent', undefined, []] }
    },
  },
  {
    promise: 'refuses to set aside a file with another checksum than given, or a readable file as unreadable',
    async keep({ replica, fileOf, contentOf }) {
      await replica.add(await fileOf(name, text))
      const said = await refusal(replica.setAside(name, { sha256: sha256(other) }))
      const unread = await refusal(replica.setAside(name, 'unreadable'))
      return { found: [said, unread, await contentOf(name)], expected: ['refused', 'refused', truth(replica, text)] }
    },
  },
  {
    promise: 'a file set aside leaves its name and the list, is kept, and frees its name for the right file',
    async keep({ replica, fileOf, put, contentOf }) {
      const kept: string[] = []
      for (let round = 0; round < 2; round += 1) {
        await put(name, other)
        kept.push(await replica.setAside(name, { sha256: sha256(other) }))
      }
      const gone = [await contentOf(name), await all(replica)]
      const added = await replica.add(await fileOf(name, text))
      const isKeptTwice = replica.kind === 'checksums' || new Set(kept).size === 2
      return {
        found: [...gone, isKeptTwice, added, await contentOf(name)],
        expected: [undefined, [], true, { kind: 'added' }, truth(replica, text)],
      }
    },
  },
  {
    promise: 'a file set aside is found under its former name only',
    async keep({ replica, put }) {
      const none = await replica.kept(name)
      const where: string[] = []
      for (const content of [other, text, other]) {
        await put(name, content)
        where.push(await replica.setAside(name, { sha256: sha256(content) }))
      }
      const kept = (await replica.kept(name)).toSorted((a, b) => where.indexOf(a.where) - where.indexOf(b.where))
      return {
        found: [none, kept, await replica.kept('b.warc'), await replica.kept('a')],
        expected: [
          [],
          [other, text, other].map((each, at) => ({ where: where[at], ...summed(replica, each) })),
          [],
          [],
        ],
      }
    },
  },
  {
    promise: 'leftovers of unfinished files can be removed',
    async keep({ replica, fileOf, contentOf }) {
      await replica.add(await fileOf(name, text))
      await replica.removeLeftover('never.warc')
      await replica.removeLeftover(name)
      return { found: [await contentOf(name), await replica.leftovers()], expected: [truth(replica, text), []] }
    },
  },
]

async function all(replica: Replica): Promise<Held[]> {
  const files: Held[] = []
  for await (const page of replica.list()) files.push(...page)
  return files
}

function byName(files: Held[]): Held[] {
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

function truth({ kind }: { kind: ReplicaKind }, content: string): string {
  return kind === 'checksums' ? sha256(content) : content
}

function bytesIn({ kind }: { kind: ReplicaKind }, content: string): number | null {
  return kind === 'checksums' ? null : content.length
}

function summed(replica: Replica, content: string) {
  return { sha256: sha256(content), bytes: bytesIn(replica, content) }
}

function refusedFor(added: Awaited<ReturnType<Replica['add']>>): string {
  return added.kind === 'refused' ? added.code : added.kind
}

async function refusal(act: Promise<unknown>): Promise<string> {
  const fault = await caught(act)
  if (fault instanceof DiskFault || fault instanceof ArchiveFault) return fault.code
  return String(fault)
}

async function caught(act: Promise<unknown>): Promise<unknown> {
  try {
    return await act
  } catch (error) {
    return error
  }
}
