/** Jobs on their way from new to started: submitted once, begun once, whatever is killed in between. */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { harvestInput } from '../../contract/services/harvestDefinitions.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { jobStates } from '../../contract/states/states.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { openJobs } from '../../crawl/crawl.ts'
import { mover } from '../../storage/guard.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openHarvestDefinitions } from '../definitions/harvestDefinitions.ts'
import { openDomains } from '../domains/domains.ts'
import { generate, type Generated } from '../generation/generate.ts'
import { openGeneratedJobs } from '../jobs/generatedJobs.ts'
import { listenedChannels } from '../model/channels.ts'
import { defaultGenerationSettings } from '../model/generationSettings.ts'
import { openTemplates } from '../templates/templates.ts'
import { memoryChannels, type Channels } from './channels.ts'
import { openHarvester } from './harvester.ts'
import { openScheduler, type GenerationReport } from './scheduler.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 60)
const startMs = Date.UTC(2026, 10, 26, 12)
const stores: Store[] = []
afterAll(() => stores.forEach((store) => store.close()))

async function opened(domainsCount = 4) {
  const store = openStore(':memory:')
  stores.push(store)
  const world = seededWorld({ seed: 1, startMs })
  const jobs = openJobs(store, world)
  const templates = openTemplates(store, world)
  let nowMs = startMs
  const clock = { now: () => nowMs, sleep: async () => undefined }
  const domains = openDomains({ store, clock, templates, aliasDays: () => 365 })
  const names = Array.from({ length: domainsCount }, (_, at) => `d${at}.example`)
  await domains.addList(names.join('\n'))
  const harvests = openHarvestDefinitions(store, clock)
  const add = (given: object) =>
    harvests.add(
      harvestInput.parse({
        ...{ name: 'News', kind: 'selective', schedule: 'Daily' },
        configurations: names.map((domain) => ({ domain })),
        ...given,
      }),
    ).harvest
  const settings = { ...defaultGenerationSettings, configurationSubsetSize: 1 }
  const signal = new AbortController().signal
  return {
    ...{ store, clock, jobs, harvests, add, generated: openGeneratedJobs(store, clock, jobs) },
    wait: (ms: number) => void (nowMs += ms),
    generate: (harvest: number, isPlanned = true) =>
      generate({ store, clock, jobs, templates, settings, signal }, harvest, isPlanned),
  }
}
type Parts = Awaited<ReturnType<typeof opened>>

function harvesterOf({ store, clock, jobs }: Parts, channels: Channels, jobsAtOnceMax = 2) {
  return openHarvester({ store, clock, jobs, channels, listened: listenedChannels, jobsAtOnceMax: () => jobsAtOnceMax })
}

const statuses = (parts: Parts) =>
  parts.generated
    .list({ offset: 0, limit: 99 })
    .rows.map(({ status }) => status)
    .toReversed()

describe('channels in memory', () => {
  test('give each job once, in order, the first channels first', async () => {
    const channels = memoryChannels()
    for (const [channel, job] of [
      ['b', 1],
      ['a', 2],
      ['a', 3],
    ] as const)
      await channels.send(channel, job)
    expect(await channels.waiting('a')).toBe(2)
    const received = []
    for (let each = await channels.receive(['a', 'b']); each; each = await channels.receive(['a', 'b']))
      received.push(each.job)
    expect(received).toEqual([2, 3, 1])
    expect(await channels.receive(['c'])).toBeUndefined()
  })

  test('give a job again that was put back, before those behind it', async () => {
    const channels = memoryChannels()
    for (const job of [1, 2]) await channels.send('a', job)
    await (await channels.receive(['a']))?.putBack()
    expect((await channels.receive(['a']))?.job).toBe(1)
  })
})

describe('the harvester', () => {
  test('begins as many jobs as there is room for, and the next when one has ended', async () => {
    const parts = await opened()
    const { jobs } = parts.generate(parts.add({}))
    const harvester = harvesterOf(parts, memoryChannels())
    expect(await harvester.take()).toEqual(jobs.slice(0, 2))
    expect(statuses(parts)).toEqual(['SUBMITTED', 'SUBMITTED', 'NEW', 'NEW'])
    expect(await harvester.take()).toEqual([])
    endOf(parts, jobs[0] ?? 0)
    expect(await harvester.take()).toEqual(jobs.slice(2, 3))
    expect(statuses(parts)).toEqual(['DONE', 'SUBMITTED', 'SUBMITTED', 'NEW'])
  })

  test('sends again what was submitted when the application stopped, and begins it once', async () => {
    const parts = await opened()
    const { jobs } = parts.generate(parts.add({}))
    // Submitted and received by nobody: the channel is lost with the process.
    parts.store
      .statement<{ job: number }>('UPDATE generated_job SET submitted_ms = 1 WHERE job_id = @job')
      .run({ job: jobs[1] ?? 0 })
    const harvester = harvesterOf(parts, memoryChannels(), 9)
    await harvester.sendAgain()
    await harvester.sendAgain()
    expect((await harvester.take()).toSorted((a, b) => a - b)).toEqual(jobs)
  })

  test('begins neither a job that was repeated nor one that was deleted meanwhile', async () => {
    const parts = await opened(2)
    const {
      jobs: [first = 0, second = 0],
    } = parts.generate(parts.add({}))
    const channels = memoryChannels()
    for (const job of [first, second]) await channels.send('ANY_HIGHPRIORITY', job)
    parts.store.statement<object>('UPDATE generated_job SET submitted_ms = 1').run({})
    const again = parts.generated.resubmit(first).job
    parts.store.statement<{ job: number }>('DELETE FROM job WHERE id = @job').run({ job: second })
    expect(await harvesterOf(parts, channels, 9).take()).toEqual([again])
  })

  test('takes jobs of snapshots after those of other harvests', async () => {
    const parts = await opened(2)
    const late = parts.generate(parts.add({ name: 'All', kind: 'snapshot', schedule: null, configurations: [] })).jobs
    const early = parts.generate(parts.add({})).jobs
    expect(await harvesterOf(parts, memoryChannels(), 9).take()).toEqual([...early, ...late])
  })
})

test('however often the process ends, every job is begun exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('take', 'kill', 'end'), { maxLength: 20 }), async (steps) => {
      const parts = await opened(3)
      const { jobs } = parts.generate(parts.add({}))
      const begun: number[] = []
      let harvester = harvesterOf(parts, memoryChannels(), 1)
      for (const step of [...steps, ...jobs.flatMap(() => ['take', 'end', 'kill'])]) {
        if (step === 'take') begun.push(...(await harvester.take()))
        else if (step === 'kill') {
          harvester = harvesterOf(parts, memoryChannels(), 1)
          await harvester.sendAgain()
        } else for (const job of begun) endOf(parts, job)
      }
      expect(begun).toEqual(jobs)
    }),
    { numRuns },
  )
})

/** Ends a job that was begun, by the moves of the engine; one that has ended stays as it is. */
function endOf({ store }: Parts, job: number): void {
  const move = mover(store, jobStates, { table: 'job' })
  for (const event of ['abort', 'drained', 'notificationTaken', 'notified'] as const) move(job, event)
  store.statement<{ job: number }>(`UPDATE job SET started_ms = 1, ended_ms = 2 WHERE id = @job`).run({ job })
}

describe('the scheduler', () => {
  function schedulerOf(parts: Parts, generateRun: (harvest: number) => Promise<Generated>) {
    const reports: GenerationReport[] = []
    const ended = Promise.withResolvers<void>()
    const scheduler = openScheduler({
      ...{ store: parts.store, clock: parts.clock, definitions: parts.harvests, listened: listenedChannels },
      generate: generateRun,
      onReport: (report) => {
        reports.push(report)
        ended.resolve()
      },
    })
    return { scheduler, reports, ended: ended.promise }
  }

  test('generates what is due, once, and nothing before its time', async () => {
    const parts = await opened()
    const harvest = parts.add({})
    parts.harvests.activate(harvest)
    const { scheduler, reports, ended } = schedulerOf(parts, async () => parts.generate(harvest))
    scheduler.pass()
    scheduler.pass()
    await ended
    scheduler.pass()
    expect(reports).toMatchObject([{ harvest, result: { generated: { run: 1 } } }])
    expect(parts.harvests.show(harvest).runs).toBe(1)
    parts.wait(86_400_000)
    scheduler.pass()
    await scheduler.close()
    expect(parts.harvests.show(harvest).runs).toBe(2)
  })

  test('deactivates a harvest whose generation fails, with the reason', async () => {
    const parts = await opened()
    const harvest = parts.add({})
    parts.harvests.activate(harvest)
    const { scheduler, ended } = schedulerOf(parts, () =>
      Promise.reject(new Fault('badInput', message('template.absent', { name: 'deep' }))),
    )
    scheduler.pass()
    await ended
    const { isActive, problem, nextRun } = parts.harvests.show(harvest)
    expect([isActive, nextRun]).toEqual([false, null])
    expect(problem && textOf(problem)).toBe(
      'Its jobs could not be generated, so it was deactivated. There is no template "deep".',
    )
  })

  test('generates one run of a harvest at a time, and those of others meanwhile', async () => {
    const parts = await opened()
    const [slow, other] = [parts.add({}), parts.add({ name: 'Other' })]
    const held = Promise.withResolvers<Generated>()
    const { scheduler } = schedulerOf(parts, async (harvest) =>
      harvest === slow ? held.promise : parts.generate(harvest, false),
    )
    const first = scheduler.run(slow)
    expect(scheduler.isGenerating(slow)).toBe(true)
    await expect(scheduler.run(slow)).rejects.toThrow('Harvest News is generating jobs already.')
    expect(await scheduler.run(other)).toMatchObject({ run: 1 })
    held.resolve(parts.generate(slow, false))
    await first
    expect(scheduler.isGenerating(slow)).toBe(false)
  })

  test('leaves a harvest alone whose channel no harvester listens to', async () => {
    const parts = await opened()
    const harvest = parts.add({ channel: 'ELSEWHERE' })
    parts.harvests.activate(harvest)
    const { scheduler, reports } = schedulerOf(parts, async () => parts.generate(harvest))
    scheduler.pass()
    await scheduler.close()
    expect(reports).toEqual([])
    expect(parts.harvests.show(harvest)).toMatchObject({ isActive: true, runs: 0 })
  })

  test('that is closed during a generation neither fails the harvest nor counts the run', async () => {
    const parts = await opened()
    const harvest = parts.add({})
    parts.harvests.activate(harvest)
    const { scheduler, reports } = schedulerOf(parts, () => Promise.reject(new Error('stopped')))
    const closed = scheduler.close()
    scheduler.pass()
    await closed
    expect(reports).toEqual([])
    expect(parts.harvests.show(harvest)).toMatchObject({ isActive: true, runs: 0, problem: null })
  })
})
