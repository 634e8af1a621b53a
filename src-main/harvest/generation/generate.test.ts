import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { harvestInput } from '../../contract/services/harvestDefinitions.ts'
import { domainConfiguration } from '../../contract/services/domains.ts'
import { textOf } from '../../contract/words/render.ts'
import { openJobs } from '../../crawl/crawl.ts'
import { jobStatements } from '../../crawl/model/jobs.sql.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openHarvestDefinitions } from '../definitions/harvestDefinitions.ts'
import { openDomains } from '../domains/domains.ts'
import { openTrapLists } from '../domains/institution.ts'
import { openGeneratedJobs } from '../jobs/generatedJobs.ts'
import { defaultGenerationSettings, type GenerationSettings } from '../model/generationSettings.ts'
import { statisticsStatements } from '../statistics/statistics.sql.ts'
import { openTemplates } from '../templates/templates.ts'
import { discardIncomplete, generate } from './generate.ts'

const startMs = Date.UTC(2026, 10, 26, 12)
const stores: Store[] = []
afterAll(() => stores.forEach((store) => store.close()))

async function opened() {
  const store = openStore(':memory:')
  stores.push(store)
  const world = seededWorld({ seed: 1, startMs })
  const jobs = openJobs(store, world)
  const templates = openTemplates(store, world)
  const clock = { now: () => world.clock.now(), sleep: async () => undefined }
  const domains = openDomains({ store, clock, templates, aliasDays: () => 365 })
  await domains.addList('a.example\nb.example\nc.example\n')
  return {
    ...{ store, world, jobs, templates, domains, sql: jobStatements(store), traps: openTrapLists(store) },
    harvests: openHarvestDefinitions(store, world.clock),
    generated: openGeneratedJobs(store, world.clock, jobs),
    generate(harvest: number, settings: Partial<GenerationSettings> = {}, signal = new AbortController().signal) {
      const all = { ...defaultGenerationSettings, ...settings }
      return generate({ store, clock: world.clock, jobs, templates, settings: all, signal }, harvest, true)
    },
  }
}
let parts: Awaited<ReturnType<typeof opened>>
beforeEach(async () => {
  parts = await opened()
})

const harvest = (given: object) =>
  parts.harvests.add(harvestInput.parse({ name: 'News', kind: 'selective', schedule: 'Daily', ...given })).harvest
const chosen = (...domains: string[]) => ({ configurations: domains.map((domain) => ({ domain })) })
const domainsOf = (job: number) =>
  parts.generated.explain({ job, offset: 0, limit: 99 }).rows.map(({ domain }) => domain)

describe('a job', () => {
  test('has the settings of its template, the seeds and traps of its domains, and the limits of the harvest', () => {
    parts.templates.add({
      name: 'deep',
      comments: '',
      toml: 'scope = "domain"\nmaxHops = 7\nexclude = ["/print/"]\nmaxSeconds = 900\n',
    })
    parts.traps.set({ name: 'All', comments: '', isActive: true, patterns: ['sid='] })
    parts.traps.set({ name: 'Off', comments: '', isActive: false, patterns: ['nothing'] })
    parts.domains.edit({ domain: 'a.example', traps: ['/calendar/'] })
    for (const domain of ['a.example', 'b.example'])
      parts.domains.setConfiguration(domain, domainConfiguration.parse({ name: 'default', template: 'deep' }))
    const id = harvest({
      ...chosen('a.example', 'b.example'),
      objectsMax: 50,
      bytesMax: 2_000_000,
      secondsMax: 600,
      priority: 2,
    })
    const {
      jobs: [job = 0],
      run,
      skipped,
    } = parts.generate(id)
    expect({ run, skipped }).toEqual({ run: 1, skipped: [] })
    expect(parts.jobs.show(job)).toMatchObject({ state: 'INACTIVE', harvest: 'News (1)' })
    expect(parts.jobs.show(job).definition).toMatchObject({
      ...{ scope: 'domain', maxHops: 7, maxSeconds: 600, exclude: ['/print/', 'sid='] },
      seeds: ['http://www.a.example/', 'http://www.b.example/'],
      domains: { 'a.example': { exclude: ['/calendar/'] } },
    })
    expect(parts.sql.one.get({ job })).toMatchObject({ harvest: id, definitionId: id, priority: 2 })
    expect(parts.generated.show(job)).toMatchObject({
      ...{ harvest: id, run: 1, status: 'NEW', channel: 'ANY_HIGHPRIORITY', template: 'deep', templateVersion: 1 },
      ...{ objectsMax: 50, bytesMax: 2_000_000, configurations: 2, objectsExpected: 100 },
    })
    const budgets = parts.store.statement<{ job: number }>(
      'SELECT domain, objects_max FROM domain_budget WHERE job_id = @job',
    )
    expect(budgets.all({ job })).toEqual(['a.example', 'b.example'].map((domain) => ({ domain, objects_max: 50 })))
  })

  test('lists the aliases of its domains, and the jobs that it continues, in its metadata', () => {
    parts.domains.edit({ domain: 'b.example', aliasOf: 'a.example' })
    const id = harvest(chosen('a.example'))
    const { jobs: first } = parts.generate(id)
    const {
      jobs: [second = 0],
    } = parts.generate(id)
    expect(parts.sql.setupRecords.all({ job: second }).map(({ name, text }) => [name, text])).toEqual([
      ['aliases', 'b.example is an alias for a.example\n'],
      ['duplicatereductionjobs', first.join(',')],
    ])
  })

  test('says why its configurations are in it, and why the next is not', () => {
    parts.domains.setConfiguration('b.example', domainConfiguration.parse({ name: 'default', bytesMax: 1_000_000 }))
    const {
      jobs: [first = 0, last = 0],
    } = parts.generate(harvest(chosen('a.example', 'b.example')))
    const { rows, next } = parts.generated.explain({ job: first, offset: 0, limit: 9 })
    expect(rows.map(({ domain, objectsExpected }) => [domain, objectsExpected])).toEqual([['a.example', 5_000]])
    expect(rows[0]?.estimate.map(textOf)[0]).toBe('It was never harvested.')
    expect(next).toMatchObject({ domain: 'b.example', configuration: 'default' })
    expect(next && textOf(next.reason)).toContain(
      'Its limit of 1000000 bytes per domain differs from that of the job, 1000000000.',
    )
    expect(parts.generated.explain({ job: last, offset: 0, limit: 9 }).next).toBeNull()
  })
})

describe('a run', () => {
  test('moves the date and the counter of a selective harvest; what is past is left out', () => {
    const id = harvest(chosen('a.example'))
    parts.harvests.activate(id)
    parts.store
      .statement<{ id: number; ms: number }>('UPDATE harvest_definition SET next_run_ms = @ms WHERE id = @id')
      .run({ id, ms: startMs - 3 * 86_400_000 })
    expect(parts.generate(id).runsSkipped).toBe(3)
    expect(parts.harvests.show(id)).toMatchObject({
      runs: 1,
      isActive: true,
      nextRun: '2026-11-27T12:00:00.000Z',
      jobs: { NEW: 1 },
    })
  })

  test('of an event or a snapshot ends its activation', () => {
    const id = harvest({ kind: 'event', schedule: null, ...chosen('a.example') })
    parts.harvests.activate(id)
    parts.generate(id)
    expect(parts.harvests.show(id)).toMatchObject({ runs: 1, isActive: false, nextRun: null })
    expect(parts.harvests.activate(id).isActive).toBe(true)
    const snapshot = harvest({ name: 'All', kind: 'snapshot', schedule: null })
    parts.generate(snapshot)
    expect(() => parts.harvests.activate(snapshot)).toThrow('A snapshot runs once')
  })

  test('of a snapshot takes every domain without aliases, until they expire', () => {
    parts.domains.edit({ domain: 'b.example', aliasOf: 'a.example' })
    const first = parts.generate(harvest({ name: 'First', kind: 'snapshot', schedule: null }))
    expect(first.jobs.flatMap(domainsOf).toSorted()).toEqual(['a.example', 'c.example'])
    const later = parts.generate(harvest({ name: 'Later', kind: 'snapshot', schedule: null }), { aliasDays: 0 })
    parts.store
      .statement<object>('UPDATE domain SET alias_set_ms = alias_set_ms - 1 WHERE alias_of IS NOT NULL')
      .run({})
    const expired = parts.generate(harvest({ name: 'Expired', kind: 'snapshot', schedule: null }), { aliasDays: 0 })
    expect([later, expired].map(({ jobs }) => jobs.flatMap(domainsOf).length)).toEqual([2, 3])
  })

  test('that continues a snapshot takes what was unfinished, also where a limit was raised', async () => {
    await parts.domains.addList('d.example\ne.example\n')
    const first = harvest({ name: 'First', kind: 'snapshot', schedule: null })
    const {
      jobs: [job = 0],
    } = parts.generate(first)
    const { addResult } = statisticsStatements(parts.store)
    const result = (
      domain: string,
      stopReason: 'DOWNLOAD_COMPLETE' | 'SIZE_LIMIT' | 'CONFIG_SIZE_LIMIT',
      bytes: number,
    ) =>
      addResult.run({
        job,
        domain,
        configuration: 'default',
        definition: first,
        run: 1,
        atMs: 1,
        objects: 9,
        bytes,
        stopReason,
      })
    result('a.example', 'DOWNLOAD_COMPLETE', 5)
    result('b.example', 'SIZE_LIMIT', 5)
    result('c.example', 'CONFIG_SIZE_LIMIT', 1_000_000_000)
    result('d.example', 'CONFIG_SIZE_LIMIT', 900_000_000)
    await parts.domains.addList('new.example\n')
    const { jobs } = parts.generate(harvest({ name: 'Second', kind: 'snapshot', schedule: null, previous: 'First' }))
    expect(jobs.flatMap(domainsOf).toSorted()).toEqual(['b.example', 'd.example', 'e.example'])
  })

  test('leaves out configurations without seeds, and says which', () => {
    parts.domains.setSeedList('b.example', { name: 'default', seeds: '# nothing\n', comments: '' })
    const { skipped, jobs } = parts.generate(harvest(chosen('a.example', 'b.example')))
    expect(skipped.map(({ domain, reason }) => [domain, reason])).toEqual([['b.example', 'noSeeds']])
    expect(jobs.flatMap(domainsOf)).toEqual(['a.example'])
  })

  test('reads configurations in subsets, each of which makes jobs of its own', () => {
    const { jobs } = parts.generate(harvest(chosen('a.example', 'b.example', 'c.example')), {
      configurationSubsetSize: 2,
    })
    expect(jobs.map(domainsOf)).toEqual([['a.example', 'b.example'], ['c.example']])
  })

  test('that was stopped leaves nothing behind, and is generated whole the next time', () => {
    const id = harvest(chosen('a.example', 'b.example', 'c.example'))
    const stop = new AbortController()
    const add = parts.jobs.createGenerated
    let added = 0
    parts.jobs.createGenerated = (job) => {
      added += 1
      if (added === 2) stop.abort(new Error('stopped'))
      return add(job)
    }
    expect(() => parts.generate(id, { configurationSubsetSize: 1 }, stop.signal)).toThrow('stopped')
    expect(parts.harvests.show(id).runs).toBe(0)
    expect(parts.generated.list({ offset: 0, limit: 9 }).total).toBe(0)
    discardIncomplete(parts.store, null)
    expect(parts.jobs.list()).toEqual([])
    expect(parts.generate(id, { configurationSubsetSize: 1 }).jobs).toHaveLength(3)
    expect(parts.jobs.list()).toHaveLength(3)
  })
})

describe('users', () => {
  const setJob = (job: number, change: string) =>
    parts.store.statement<{ job: number }>(`UPDATE job SET ${change} WHERE id = @job`).run({ job })
  const failed = `started_ms = 1, ended_ms = 2, error_text = '{"code":"text","values":{"text":"It failed."}}'`

  test('repeat a failed job as a new one, which continues it', () => {
    const {
      jobs: [job = 0],
    } = parts.generate(harvest(chosen('a.example', 'b.example')))
    setJob(job, failed)
    expect(parts.generated.show(job)).toMatchObject({ status: 'FAILED', actions: ['resubmit', 'reject'] })
    const again = parts.generated.resubmit(job)
    expect(again).toMatchObject({ status: 'NEW', continuationOf: job, configurations: 2, run: 1 })
    expect(parts.generated.show(job)).toMatchObject({ status: 'RESUBMITTED', resubmittedAs: again.job, actions: [] })
    expect(parts.jobs.show(again.job).definition).toEqual(parts.jobs.show(job).definition)
    expect(() => parts.generated.resubmit(job)).toThrow(
      `Job ${job} is Resubmitted. Only submitted and failed jobs can be resubmitted.`,
    )
  })

  test('see its errors in short and in full, those of the harvest apart from those of the upload', () => {
    const {
      jobs: [job = 0],
    } = parts.generate(harvest(chosen('a.example')))
    const add = parts.store.statement<{ job: number; level: string; message: string }>(
      `INSERT INTO job_event (job_id, at_ms, level, message) VALUES (@job, 5, @level, @message)`,
    )
    const text = (words: string) => ({ code: 'text', values: { text: words } }) as const
    const waits = { code: 'job.filesWait', values: { problem: text('ONE is full.'), folder: '/jobs/1' } } as const
    const lines = [
      ...([
        ['error', text('The disk is full.')],
        ['info', text('Started.')],
      ] as const),
      ...([
        ['error', waits],
        ['warning', text('The site is slow.')],
      ] as const),
    ]
    for (const [level, line] of lines) add.run({ job, level, message: JSON.stringify(line) })
    const at = new Date(5).toISOString()
    expect(parts.generated.errors(job)).toEqual({
      harvest: [
        { at, message: text('The disk is full.') },
        { at, message: text('The site is slow.') },
      ],
      upload: [{ at, message: waits }],
    })
    setJob(job, failed)
    expect(parts.generated.show(job)).toMatchObject({ harvestError: text('It failed.'), uploadError: null })
    setJob(job, `error_text = '${JSON.stringify(waits)}'`)
    expect(parts.generated.show(job)).toMatchObject({ harvestError: null, uploadError: waits })
    parts.store
      .statement<{ job: number }>(
        `INSERT INTO harvest_file (job_id, serial, name, state, committed_bytes) VALUES (@job, 1, '1.warc', 'CLOSED', 1)`,
      )
      .run({ job })
    expect(parts.generated.show(job)).toMatchObject({
      harvestError: null,
      uploadError: { code: 'generatedJob.unstored', values: { files: 1 } },
    })
    expect(() => parts.generated.errors(99)).toThrow('No harvest has generated a job 99.')
  })

  test('give up a failed job, and take that back', () => {
    const {
      jobs: [job = 0],
    } = parts.generate(harvest(chosen('a.example')))
    expect(() => parts.generated.reject(job)).toThrow('is New. Only failed jobs can be rejected.')
    setJob(job, failed)
    expect(parts.generated.reject(job).status).toBe('FAILED_REJECTED')
    expect(parts.generated.unreject(job).status).toBe('FAILED')
  })

  test('list jobs by status, harvest, run, domain and number', () => {
    const id = harvest(chosen('a.example'))
    const other = harvest({ name: 'Other', ...chosen('b.example') })
    const [first = 0] = parts.generate(id).jobs
    const [second = 0] = parts.generate(id).jobs
    const [third = 0] = parts.generate(other).jobs
    setJob(second, 'started_ms = 1, ended_ms = 2')
    const list = (filter: object) => parts.generated.list({ ...filter, offset: 0, limit: 9 }).rows.map(({ job }) => job)
    expect(list({})).toEqual([third, second, first])
    expect(list({ status: 'DONE' })).toEqual([second])
    expect(list({ harvest: id })).toEqual([second, first])
    expect(list({ harvest: id, run: 1 })).toEqual([first])
    expect(list({ domain: 'b.example' })).toEqual([third])
    expect(list({ from: second, to: second })).toEqual([second])
  })
})
