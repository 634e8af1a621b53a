/** Archives with damaged copies on a seeded world, and what repairs leave of them. */
import { createHash } from 'node:crypto'
import { message } from '../../../contract/words/message.ts'
import { expect } from 'vitest'
import { openStore } from '../../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../../world/testing/seeded.ts'
import type { World } from '../../../world/world.ts'
import { openArchive } from '../../store/archive.ts'
import { openAuditLog } from '../../audit/audit.ts'
import { openChecks } from '../../testing/openChecks.ts'
import { openRepairs, type RepairOrder } from '../repair.ts'
import { checksumReplica } from '../../replica/checksumReplica.ts'
import { faultyReplica, type Damage, type FaultyReplica, type ReplicaFault } from '../../testing/faultyReplica.ts'
import { folderReplica } from '../../replica/folderReplica.ts'
import type { Replica, ReplicaPlace } from '../../replica/replica.ts'

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

export const good = 'what is to be kept, for ever '.repeat(50)

export const bad = `${good.slice(0, 700)}?${good.slice(701)}`

const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }

export const name = 'a.warc.gz'

export const never = new AbortController().signal

export const two: ReplicaPlace[] = ['one', 'two'].map((each) => ({ name: each, folder: `/${each}` }))

export const three: ReplicaPlace[] = [...two, { name: 'three', folder: '/three' }]

export const withSums: ReplicaPlace[] = [...two, { name: 'sums', folder: '/sums', kind: 'checksums' }]

export type Opened = Awaited<ReturnType<typeof open>>

export interface Break {
  victim: string
  at: number
  fault: ReplicaFault
}

/** The archive over what the disk and the database hold now. */
export async function open(
  world: World,
  store: ReturnType<typeof openStore>,
  places: ReplicaPlace[],
  broken?: Break,
  onBroken: (made: FaultyReplica) => void = () => undefined,
  around: (replica: Replica) => Replica = (replica) => replica,
) {
  const archive = await openArchive({
    store,
    world,
    replicas: places,
    limits,
    replicaAt(parts) {
      const inner = parts.place.kind === 'checksums' ? checksumReplica(parts) : folderReplica(parts)
      if (!broken || parts.place.name !== broken.victim) return around(inner)
      const damage = (_: string, how: Damage) => {
        if (how === 'flipped') (world as SeededWorld).disk.corrupt(`/${broken.victim}/${name}`, 3)
      }
      const faulty = faultyReplica({ inner, clock: world.clock, at: broken.at, fault: broken.fault, damage })
      onBroken(faulty)
      return faulty
    },
  })
  const auditLog = openAuditLog(store)
  return { archive, auditLog, repairs: openRepairs({ archive, store, world, auditLog }) }
}

export async function textAt(world: World, path: string): Promise<string | undefined> {
  return (await world.disk.stat(path)) ? Buffer.from(await world.disk.read(path, 1e6)).toString() : undefined
}

/** Runs a checksum check of all replicas to its end. */
export async function checkChecksums(
  world: SeededWorld,
  store: ReturnType<typeof openStore>,
  archive: Opened['archive'],
): Promise<void> {
  const { preservation } = await openChecks({ archive, store, world, onBug: (error) => expect(error).toBeUndefined() })
  const { task: check } = await world.run(preservation.check({ kind: 'checksums' }))
  await world.run(preservation.ended(check))
}

/** Everything in the replicas but their marks, by path. */
export async function everything(world: World, places: readonly ReplicaPlace[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { folder } of places) {
    for (const inner of [folder, `${folder}/attic`]) {
      if (!(await world.disk.stat(inner))) continue
      for (const entry of await world.disk.list(inner))
        if (entry.kind === 'file' && !entry.name.startsWith('.'))
          found[`${inner}/${entry.name}`] = (await textAt(world, `${inner}/${entry.name}`)) ?? ''
    }
  }
  return found
}

/** A stored file, then changes to the replicas by other programs. */
export async function prepared(places: ReplicaPlace[], harm: Record<string, string | null>, seed = 1) {
  const world = seededWorld({ seed })
  const store = openStore(':memory:')
  await world.run(world.disk.write('/local', Buffer.from(good)))
  const opened = await world.run(open(world, store, places))
  await world.run(opened.archive.store({ path: '/local', name, kind: 'content', jobId: null }))
  for (const [path, text] of Object.entries(harm))
    await world.run(text === null ? world.disk.remove(path) : world.disk.write(path, Buffer.from(text)))
  return { ...opened, world, store }
}

export const order: RepairOrder = { name, replica: 'one', expected: sha256(good), found: sha256(bad) }

export const actionsOf = ({ auditLog }: Pick<Opened, 'auditLog'>) =>
  auditLog.page({ offset: 0, limit: 100 }).rows.toReversed()

export const checksum = (text: string) => message('copy.checksum', { sha256: sha256(text) })
