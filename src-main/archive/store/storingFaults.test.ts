import { describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { World } from '../../world/world.ts'
import { openArchive, type Archive } from './archive.ts'
import { faultyReplica, type Damage, type FaultyReplica, type ReplicaFault } from '../testing/faultyReplica.ts'
import { memoryReplica } from '../testing/memoryReplica.ts'
import { limits, content, file, raise, checked } from './testing/storingFixture.ts'

describe('a fault at every step of every replica', () => {
  const names = ['one', 'two'] as const
  type Drives = Map<string, Map<string, Uint8Array>>
  interface Break {
    victim: string
    at: number
    fault: ReplicaFault
  }

  /** An archive over drives that outlive it, one of which breaks. */
  function begun(
    world: World,
    store: Store,
    drives: Drives,
    broken?: Break,
  ): { archive: Promise<Archive>; faulty: FaultyReplica | undefined } {
    let faulty: FaultyReplica | undefined
    const archive = openArchive({
      store,
      world,
      limits,
      replicas: names.map((name) => ({ name, folder: `/${name}` })),
      replicaAt({ place, rules }) {
        const held = drives.get(place.name) ?? raise(new Error('no such drive'))
        const inner = memoryReplica({ world, name: place.name, rules, bytesMax: () => 2 ** 40, held })
        if (broken?.victim !== place.name) return inner
        const damage = (name: string, how: Damage) => spoil(held, name, how)
        return (faulty = faultyReplica({ inner, clock: world.clock, at: broken.at, fault: broken.fault, damage }))
      },
    })
    return { archive, faulty }
  }

  function spoil(held: Map<string, Uint8Array>, name: string, how: Damage): void {
    const bytes = held.get(name)
    if (!bytes) return
    if (how === 'lost') held.delete(name)
    else
      held.set(
        name,
        how === 'truncated' ? bytes.slice(0, 10) : Uint8Array.from(bytes, (byte, at) => (at === 7 ? byte ^ 1 : byte)),
      )
  }

  async function prepared(seed: number) {
    const world = seededWorld({ seed })
    const drives: Drives = new Map(names.map((name) => [name, new Map<string, Uint8Array>()]))
    await world.run(world.disk.write(file.path, Buffer.from(content)))
    return { world, store: openStore(':memory:'), drives }
  }

  /** Compares the actual files with the catalogue. */
  function expectTruth(archive: Archive, drives: Drives): void {
    const known = archive.file(file.name)
    const completed = known?.replicas.filter(({ upload }) => upload === 'UPLOAD_COMPLETED') ?? []
    for (const { replica } of completed) expect(textIn(drives, replica)).toBe(content)
    expect(known !== undefined && known.stored !== null).toBe(completed.length === names.length)
  }
  const textIn = (drives: Drives, replica: string) => {
    const bytes = drives.get(replica)?.get(file.name)
    return bytes && Buffer.from(bytes).toString()
  }

  /** Drives one fault through every step of one replica; gives how many there were. */
  async function everywhere(
    victim: string,
    fault: ReplicaFault,
    act: (broken: Break, seed: number) => Promise<{ steps: number }>,
  ): Promise<number> {
    let at = 1
    for (let steps = Infinity; at <= steps; at += 1) steps = (await act({ victim, at, fault }, at)).steps
    return at - 1
  }

  const passing: ReplicaFault[] = [
    { kind: 'fails' },
    { kind: 'fills' },
    { kind: 'leaves' },
    { kind: 'slows', ms: 60_000 },
  ]
  test.each(names.flatMap((victim) => passing.map((fault) => [victim, fault] as const)))(
    '%s, %j: no copy is lost, and the next store succeeds once the fault is over',
    async (victim, fault) => {
      const count = await everywhere(victim, fault, async (broken, seed) => {
        const { world, store, drives } = await prepared(seed)
        const { archive: opening, faulty } = begun(world, store, drives, broken)
        const archive = await world.run(opening)
        const outcome = await world.run(archive.store(file))
        expectTruth(archive, drives)
        // A caller that deletes its copy after "stored" deletes nothing that is not in two replicas.
        expect(outcome.state === 'stored').toBe(archive.file(file.name)?.stored !== null)
        if (outcome.state === 'failed') expect(outcome.problems.map(({ replica }) => replica)).toEqual([victim])
        const healed = await world.run(begun(world, store, drives).archive)
        await world.run(healed.resumeUploads())
        expectTruth(healed, drives)
        expect(await world.run(healed.store(file))).toEqual({ state: 'stored' })
        expectTruth(healed, drives)
        store.close()
        return { steps: faulty?.steps ?? 0 }
      })
      expect(count).toBeGreaterThan(4)
    },
  )

  test.each(names)('%s stops, as at a kill: recovery and the next store end well', async (victim) => {
    const count = await everywhere(victim, { kind: 'stops' }, async (broken, seed) => {
      const { world, store, drives } = await prepared(seed)
      const { archive: opening, faulty } = begun(world, store, drives, broken)
      const whole = opening.then((archive) => archive.store(file))
      await world.run(Promise.race([whole, faulty?.stopped]))
      const next = world.crash()
      const again = await next.run(begun(next, store, drives).archive)
      expectTruth(again, drives)
      await next.run(again.resumeUploads())
      expectTruth(again, drives)
      expect(
        again
          .file(file.name)
          ?.replicas.filter(({ upload }) => upload !== 'UPLOAD_COMPLETED' && upload !== 'UPLOAD_FAILED') ?? [],
      ).toEqual([])
      expect(await next.run(again.store(file))).toEqual({ state: 'stored' })
      expectTruth(again, drives)
      store.close()
      // A stopped run shows no later steps: allow one more than it reached.
      const wasStopped = (faulty?.steps ?? 0) >= broken.at
      return { steps: wasStopped ? broken.at + 1 : broken.at }
    })
    expect(count).toBeGreaterThan(4)
  })

  const damages = names.flatMap((victim) =>
    (['flipped', 'truncated', 'lost'] as const).map((how) => [victim, how] as const),
  )
  test.each(damages)('%s, %s in silence: it does not count as good, and is not written over', async (victim, how) => {
    const found = new Set<string>()
    await everywhere(victim, { kind: 'damages', how }, async (broken, seed) => {
      const { world, store, drives } = await prepared(seed)
      const { archive: opening, faulty } = begun(world, store, drives, broken)
      const archive = await world.run(opening)
      const outcome = await world.run(archive.store(file))
      const steps = faulty?.steps ?? 0
      if (broken.at > steps) return { steps }
      const after = textIn(drives, victim)
      const findings = await world.run(checked({ archive, store, world }, 'checksums'))
      const finding = { flipped: 'wrongChecksum', truncated: 'wrongLength', lost: 'missing' }[how]
      const isDamaged = after !== content
      if (outcome.state === 'stored') expect(findings).toEqual(isDamaged ? [`${victim} ${file.name} ${finding}`] : [])
      else expect(outcome.problems.map(({ replica }) => replica)).toEqual([victim])
      const again = await world.run(archive.store(file))
      if (isDamaged && after !== undefined) expect([again.state, textIn(drives, victim)]).toEqual(['failed', after])
      if (isDamaged && outcome.state === 'stored')
        expect(again).toMatchObject({ state: 'failed', problems: [{ replica: victim }] })
      for (const name of names) if (name !== victim) expect(textIn(drives, name)).toBe(content)
      found.add(`${outcome.state} ${isDamaged}`)
      store.close()
      return { steps }
    })
    expect(found).toContain('stored true')
    expect(found).toContain('stored false')
    // A copy that is gone is written again, as NetarchiveSuite allows.
    if (how !== 'lost') expect(found).toContain('failed true')
  })
})
