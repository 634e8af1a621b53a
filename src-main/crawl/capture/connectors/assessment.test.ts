/** Jobs and connectors under random actions: after every assessment, a job that works has all of its connectors, and a job that
 *  waits for a connector lacks one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOf } from '../../../contract/words/render.ts'
import { outputNames, repositoryNames } from '../../../contract/shapes/choices.ts'
import type { ConnectorName, RepositoryName } from '../../../contract/services/connectors.ts'
import { harvestDefinition } from '../../../contract/services/definition.ts'
import { jobStates, type JobEvent, type JobState } from '../../../contract/states/jobStates.ts'
import { openOutputs } from '../../../delivery/outputs.ts'
import { mover } from '../../../storage/guard.ts'
import { openStore } from '../../../storage/storage.ts'
import { seededWorld } from '../../../world/testing/seeded.ts'
import { openJobs } from '../../jobs/jobs.ts'
import { assessmentOf, waitsForConnector } from './assessment.ts'
import { openConnectors } from './installed.ts'
import { allConnectors } from './registry.ts'

const runs = { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 150) }
const names: readonly ConnectorName[] = [...repositoryNames, ...outputNames]
const events = [...new Set(jobStates.moves.filter(({ owner }) => owner !== 'assessment').map(({ event }) => event))]

type Action =
  | { kind: 'install' | 'deinstall'; name: ConnectorName }
  | { kind: 'move'; job: number; event: JobEvent }
  | { kind: 'assess' }
  /** Loupe is started again, with connectors of this version. */
  | { kind: 'open'; version: number }

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom('install', 'deinstall'), name: fc.constantFrom(...names) }),
  fc.record({ kind: fc.constant('move' as const), job: fc.nat(2), event: fc.constantFrom(...events) }),
  fc.constant({ kind: 'assess' as const }),
  fc.record({ kind: fc.constant('open' as const), version: fc.integer({ min: 1, max: 3 }) }),
)
const choice = fc.record({ repository: fc.constantFrom(...repositoryNames), output: fc.constantFrom(...outputNames) })

const settingsOf = (connector: RepositoryName) =>
  connector === 'module' ? { connector, module: '/a.mjs' } : { connector }

test('an assessed job has all of its connectors or waits for a missing one', () => {
  const store = openStore(':memory:')
  const jobs = openJobs(store, seededWorld({ seed: 1 }))
  const move = mover(store, jobStates, { table: 'job' })
  const assess = assessmentOf(store)
  const stateOf = store.statement<{ job: number }, { state: JobState }>('SELECT state FROM job WHERE id = @job')
  const reset = store.statement<object>(`UPDATE connector SET version = 1, state = 'INSTALLED' WHERE state <> 'TOOOLD'`)
  fc.assert(
    fc.property(
      fc.array(choice, { minLength: 3, maxLength: 3 }),
      fc.array(action, { maxLength: 40 }),
      (chosen, actions) => {
        let connectors = openConnectors(store, at(9))
        for (const name of names) connectors.install(name)
        reset.run({})
        connectors = openConnectors(store)
        const made = chosen.map(({ repository, output }) => {
          const seed = repository === 'folder' ? '/a' : 'http://a.example/'
          const definition = harvestDefinition.parse({
            seeds: [seed],
            connectors: { repository: settingsOf(repository), output },
          })
          return { job: jobs.create(definition), definition }
        })
        for (const one of actions) {
          if (one.kind === 'open') connectors = openConnectors(store, at(one.version))
          else if (one.kind === 'assess') assess()
          else if (one.kind === 'move') move(made[one.job]?.job ?? 0, one.event)
          else if (one.kind === 'deinstall') connectors.deinstall(one.name)
          else refusedAtMost(() => connectors.install(one.name))
        }
        assess()
        for (const { job, definition } of made) {
          const state = stateOf.get({ job })?.state
          if (state === undefined || !asked(state)) continue
          const lack = connectors.lackOf(job, definition)
          const counts =
            lack !== undefined && (!state.startsWith('DELETING') || /"(Archive|Dry run)"/.test(textOf(lack)))
          expect({ state, waits: waitsForConnector(state) }).toEqual({ state, waits: counts })
        }
        // A second assessment changes nothing.
        expect(assess()).toEqual([])
        // The next sequence starts from a database without jobs.
        for (const table of ['job_event', 'job', 'harvest']) store.statement<object>(`DELETE FROM ${table}`).run({})
      },
    ),
    runs,
  )
})

test('a newer version of a connector makes the next seeding of its jobs start from the beginning', () => {
  const store = openStore(':memory:')
  const jobs = openJobs(store, seededWorld({ seed: 1 }))
  openConnectors(store, at(1))
  const job = (connectors: object) => jobs.create(harvestDefinition.parse({ seeds: ['http://a.example/'], connectors }))
  const made = [job({}), job({ repository: { connector: 'sitemap' } }), job({ output: 'null' })]
  store.statement<object>(`UPDATE job SET seeding_version = 'then'`).run({})
  const versions = store.statement<object, { version: string | null }>(
    'SELECT seeding_version AS version FROM job ORDER BY id',
  )
  const newer = (name: ConnectorName) =>
    allConnectors.map((connector) => ({ ...connector, version: connector.name === name ? 2 : 1 }))
  openConnectors(store, newer('sitemap'))
  expect(versions.all({}).map(({ version }) => version)).toEqual(['then', null, 'then'])
  openConnectors(
    store,
    newer('null').map((one) => (one.name === 'sitemap' ? { ...one, version: 2 } : one)),
  )
  expect(versions.all({}).map(({ version }) => version)).toEqual(['then', null, null])
  expect(made).toHaveLength(3)
})

function at(version: number) {
  return allConnectors.map((connector) => ({ ...connector, version }))
}

function asked(state: JobState): boolean {
  return jobStates.moves.some(({ from, event }) => from === state && /^connector(Gone|Back)$/.test(event))
}

/** Accepts one kind of refusal: a connector whose code is too old cannot be installed. */
function refusedAtMost(act: () => unknown): void {
  try {
    act()
  } catch (error) {
    expect(String(error)).toMatch(/Update Loupe/)
  }
}

test('a job waits while the module of one of its outputs is not registered, also a deletion', () => {
  const store = openStore(':memory:')
  const world = seededWorld({ seed: 1 })
  const jobs = openJobs(store, world)
  const move = mover(store, jobStates, { table: 'job' })
  const assess = assessmentOf(store)
  const connectors = openConnectors(store)
  const run = (sql: string) => store.statement<object>(sql).run({})
  const register = () =>
    run(
      `INSERT INTO output_connector (name, module, version, state) VALUES ('shelf', '/shelf.mjs', '1', 'INSTALLED')
       ON CONFLICT (name) DO UPDATE SET state = 'INSTALLING'`,
    )
  const settings = { connector: 'module', name: 'shelf', settings: {} } as const
  register()
  openOutputs(store, world.clock).add({ name: 'reading', description: '', settings, steps: [], requestsMax: 1 })
  const definition = harvestDefinition.parse({ seeds: ['http://a.test/'], outputs: [{ output: 'Reading' }] })
  const job = jobs.create(definition)
  const other = jobs.create(harvestDefinition.parse({ seeds: ['http://a.test/'] }))
  for (const each of [job, other]) for (const event of ['startupTaken', 'seeded'] as const) move(each, event)
  assess()
  run(`UPDATE output_connector SET state = 'DEINSTALLING'`)
  expect(assess()).toEqual([{ job, to: 'ACTIVE_UNINSTALLED' }])
  expect(textOf(connectors.lackOf(job, definition) ?? { code: 'text' })).toMatch(/"shelf".*"reading" is not installed/)
  run(`DELETE FROM output_connector`)
  expect(assess()).toEqual([])
  register()
  expect(assess()).toEqual([{ job, to: 'ACTIVE' }])
  for (const event of ['abort', 'drained', 'notificationTaken', 'notified', 'delete'] as const) move(job, event)
  for (const event of ['deletionTaken', 'deletionPrepared'] as const) move(job, event)
  run(`UPDATE output_connector SET state = 'DEINSTALLING'`)
  expect(assess()).toEqual([{ job, to: 'DELETING_NOOUTPUT' }])
  run(`DELETE FROM output_connector`)
  register()
  expect(assess()).toEqual([{ job, to: 'DELETING' }])
})
