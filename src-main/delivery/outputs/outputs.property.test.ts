/** Several jobs over the same URLs, with changing content, removals, deletions, changed outputs, failures and power cuts: at the end each output
 *  holds exactly what a job of it considers valid, in its newest version, and nothing unchanged was sent twice. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OutputChoice } from '../../contract/shapes/outputChoice.ts'
import { openStore } from '../../storage/storage.ts'
import { seededChance } from '../../world/testing/seededChance.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { digestOfBody, outputFixture, type Captured } from '../testing/outputFixture.ts'
import { runOutputs } from './runOutputs.ts'

const jobs = [1, 2, 3] as const
const urls = ['http://a.test/1', 'http://a.test/2', 'http://a.test/3'] as const
const outputs = ['one', 'two'] as const
const specifications: Partial<OutputChoice>[] = [
  {},
  { mediaTypes: ['text/*'] },
  { bytesMax: 3 },
  { fields: { url: 'address' } },
]

const job = fc.constantFrom(...jobs)
const url = fc.constantFrom(...urls)
const output = fc.constantFrom(...outputs)
const captured = fc.record({
  body: fc.constantFrom('a', 'bb', 'cccc', 'dd'),
  mediaType: fc.constantFrom('text/html', 'text/plain', 'image/png'),
  status: fc.constantFrom(200, 200, 200, 404),
})
const named = fc.uniqueArray(fc.record({ output, at: fc.nat(specifications.length - 1) }), {
  selector: (each) => each.output,
})
type Named = { output: (typeof outputs)[number]; at: number }[]

/** What happens. A number: the outputs run until their power is cut after so many thousandths of the calls of a run. */
const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('capture' as const), job, url, captured }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('check' as const, 'leave' as const, 'exclude' as const, 'outOfRange' as const),
      job,
      url,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), job }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliverTo' as const), job, named }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reingest' as const), output }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('steps' as const), output, checksum: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('run' as const), cut: fc.option(fc.integer({ min: 1, max: 3_000 })) }),
  },
)
const scenario = fc.record({
  seed: fc.nat(1_000_000),
  events: fc.array(event, { minLength: 3, maxLength: 40 }),
  /** Writes that fail, of a hundred. */
  failing: fc.constantFrom(0, 0, 20),
})
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 120)

test('each output holds exactly what a job of it considers valid, and nothing unchanged is sent twice', async () => {
  await fc.assert(fc.asyncProperty(scenario, lives), { numRuns })
})

test('what was removed stays removed after a power cut', async () => {
  const document = { body: 'a', mediaType: 'text/html', status: 200 } as const
  await lives({
    ...{ seed: 0, failing: 0 },
    events: [
      { kind: 'deliverTo', job: 1, named: outputs.map((each) => ({ output: each, at: 0 })) },
      { kind: 'capture', job: 1, url: urls[0], captured: document },
      { kind: 'run', cut: null },
      { kind: 'delete', job: 1 },
      { kind: 'run', cut: null },
      { kind: 'run', cut: 1 },
      { kind: 'capture', job: 1, url: urls[0], captured: document },
    ],
  })
})

/** The document of a job, as the model has it. */
interface Valid extends Captured {
  seenMs: number
}

/** What a job has and where it goes. */
interface ModelJob {
  documents: Map<string, Valid>
  named: Named
}

/** What is expected of an output that takes a document. */
function expectedOf(model: ReadonlyMap<number, ModelJob>, name: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const each of urls) {
    const owners = [...model].flatMap(([id, { documents, named: outputsNamed }]) => {
      const document = documents.get(each)
      const choice = outputsNamed.find((one) => one.output === name)
      return document && choice && document.status === 200 ? [{ id, document, choice }] : []
    })
    const [owner] = owners.toSorted((a, b) => b.document.seenMs - a.document.seenMs || b.id - a.id)
    if (!owner) continue
    const { mediaTypes, bytesMax = Infinity } = specifications[owner.choice.at] ?? {}
    const isTaken =
      (!mediaTypes || owner.document.mediaType?.startsWith('text/')) && owner.document.body.length <= bytesMax
    if (isTaken) found[each] = owner.document.body
  }
  return found
}

async function lives({ seed, events, failing }: Scenario): Promise<void> {
  let world = seededWorld({ seed })
  const chance = seededChance(seed)
  const store = openStore(':memory:')
  let seenMs = 1
  const fixture = outputFixture(store, () => (seenMs += 1))
  const model = new Map<number, ModelJob>()
  /** Versions by which everything may be sent again, by output. */
  const generations = new Map<string, number>()
  const sent = new Map<string, string>()
  const repeated: string[] = []
  let sends = 0
  let removals = 0
  let isFailing = true
  let isDisturbed = failing > 0
  try {
    for (const name of outputs) fixture.addOutput(name, `/${name}`)
    for (const event of events) {
      happen(event)
      if (event.kind === 'run') await run(event.cut)
    }
    isFailing = false
    await run(null)
    for (const name of outputs) expect(await held(name), name).toEqual(expectedOf(model, name))
    if (!isDisturbed) expect(repeated).toEqual([])
    // What is settled and unchanged stays as it is, when every job has looked again in the same order.
    const before = [sends, removals]
    const known = [...model].flatMap(([id, { documents }]) =>
      [...documents].map(([each, { seenMs: ms }]) => ({ id, each, ms })),
    )
    for (const { id, each } of known.toSorted((a, b) => a.ms - b.ms)) fixture.check(id, each)
    await run(null)
    expect([sends, removals]).toEqual(before)
  } finally {
    store.close()
  }

  function happen(event: Scenario['events'][number]): void {
    if (event.kind === 'reingest') {
      fixture.outputs.reingest(event.output)
      generations.set(event.output, (generations.get(event.output) ?? 0) + 1)
    } else if (event.kind === 'steps') {
      fixture.outputs.edit(event.output, { steps: event.checksum ? ['checksum'] : [] })
      generations.set(event.output, (generations.get(event.output) ?? 0) + 1)
    } else if (event.kind !== 'run') ofJob(event)
  }

  function ofJob(event: Exclude<Scenario['events'][number], { kind: 'run' | 'reingest' | 'steps' }>): void {
    const known = model.get(event.job)
    if (!known && event.kind !== 'deliverTo' && event.kind !== 'capture') return
    const of = known ?? { documents: new Map<string, Valid>(), named: [] }
    if (!known) {
      fixture.addJob(event.job, [])
      model.set(event.job, of)
    }
    switch (event.kind) {
      case 'capture':
        fixture.capture(event.job, event.url, event.captured)
        of.documents.set(event.url, { ...event.captured, seenMs })
        return
      case 'check': {
        fixture.check(event.job, event.url)
        const document = of.documents.get(event.url)
        if (document) document.seenMs = seenMs
        return
      }
      case 'deliverTo':
        fixture.deliverTo(
          event.job,
          event.named.map(({ output: name, at }) => ({ output: name, ...specifications[at] })),
        )
        of.named = event.named
        for (const name of outputs) generations.set(name, (generations.get(name) ?? 0) + 1)
        return
      case 'delete':
        fixture.deleteJob(event.job)
        model.delete(event.job)
        return
      default:
        fixture[event.kind](event.job, event.url)
        of.documents.delete(event.url)
    }
  }

  /** Runs until nothing is left to do, or until the power is cut. */
  async function run(cut: number | null): Promise<void> {
    const stop = new AbortController()
    const signal = stop.signal
    const here = world
    const environment = fixture.environment(failingDisk(here))
    const pauses = { documentMs: 20, noticeMs: 20 }
    const running = runOutputs({ environment, archiveFolders: [], pauses, onReport: () => undefined, signal })
    async function untilQuiet(): Promise<void> {
      do await here.clock.sleep(700)
      while (!fixture.isQuiet())
      stop.abort(new Error('it is quiet'))
    }
    const all = Promise.all([running, untilQuiet()])
    if (cut === null) {
      if (!(await here.runUntilCut(all, 200_000))) throw new Error('it does not end')
      return
    }
    if (await here.runUntilCut(all, cut)) return
    isDisturbed = true
    world = here.crash()
  }

  function failingDisk(here: SeededWorld): World {
    const { disk } = here
    return {
      ...here,
      clock: here.clock,
      disk: Object.assign(Object.create(disk) as typeof disk, {
        write: async (path: string, bytes: Uint8Array) => {
          if (isFailing && chance.below(100) < failing) throw new DiskFault('full', path)
          await disk.write(path, bytes)
          if (path.endsWith('.json')) noteSent(path, bytes)
        },
        remove: async (path: string) => {
          if (isFailing && chance.below(100) < failing) throw new DiskFault('failed', path)
          await disk.remove(path)
          sent.delete(path)
          removals += 1
        },
      }),
    }
  }

  function noteSent(path: string, bytes: Uint8Array): void {
    const { fields } = JSON.parse(Buffer.from(bytes).toString()) as { fields: Record<string, string[]> }
    const [name = ''] = path.slice(1).split('/')
    const what = JSON.stringify([
      fields['payloadDigest'],
      fields['mediaType'],
      Object.keys(fields),
      generations.get(name) ?? 0,
    ])
    if (sent.get(path) === what) repeated.push(`${path} ${what}`)
    sent.set(path, what)
    sends += 1
  }

  /** Returns what the output holds: URL → content. */
  async function held(name: string): Promise<Record<string, string>> {
    const { disk } = world
    const found: Record<string, string> = {}
    for (const each of urls) {
      const file = createHash('sha256').update(each).digest('hex')
      const path = `/${name}/${file.slice(0, 2)}/${file}`
      if (!(await world.run(disk.stat(`${path}.json`)))) continue
      const body = Buffer.from(await world.run(disk.read(path, 1_000))).toString()
      const { fields } = JSON.parse(Buffer.from(await world.run(disk.read(`${path}.json`, 100_000))).toString()) as {
        fields: Record<string, string[]>
      }
      expect(fields['payloadDigest']).toEqual([digestOfBody(body)])
      found[each] = body
    }
    return found
  }
}
