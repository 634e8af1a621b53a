/** The whole engine with a job that is stopped while its files are being stored: it stops at once, its metadata file is still
 *  written, the next run starts only after that, and at the next start of the engine all files are stored in the replica. */
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { expect, test } from 'vitest'
import {
  linksTo,
  lived,
  noRules,
  reasonTextOf,
  secondMs,
  type EngineTrial,
  type Life,
  type Lived,
} from './testing/engineFixture.ts'

const paths = Array.from({ length: 14 }, (_, number) => `/${number}`)
const filesCount = paths.length + 2
const trial: EngineTrial = {
  seed: 1,
  answer: (path) => (path === '/robots.txt' ? noRules : path === '/' ? linksTo(...paths) : linksTo()),
  definition: { seeds: ['http://site.test/'] },
  // Each page is in a file of its own, so that storing them takes a while.
  settings: { delayMs: 100, fileBytesMax: 1 },
}

/** Waits until the files are being stored, then stops the job. */
async function stopWhileStoring({ jobs, job, sleep, until }: Life): Promise<void> {
  await until(/^(ACTIVE|SHUTTINGDOWN|READYFORNOTIFY|NOTIFYING)/)
  while (jobs.summary(job).state !== 'NOTIFYINGOFCOMPLETION') await sleep(5)
  expect(jobs.act(job, 'abort')).toEqual({ job, from: 'NOTIFYINGOFCOMPLETION', to: 'INACTIVE' })
  expect(jobs.summary(job)).toMatchObject({ state: 'INACTIVE', status: 'Error', stopReason: 'DOWNLOAD_COMPLETE' })
  expect(reasonTextOf(jobs.summary(job))).toMatch(
    /^The job was stopped while its files were being stored. Files that are not/,
  )
  expect(() => jobs.act(job, 'abort')).toThrow(/cannot be stopped because/)
  for (const action of ['start', 'startMinimal', 'delete'] as const)
    expect(() => jobs.act(job, action)).toThrow(
      /the metadata of that run is still being written. Try again in a moment/,
    )
}

function described({ store, job }: Pick<Life, 'store' | 'job'>): boolean {
  const of = store.statement<{ job: number }, { isDescribed: number }>(
    'SELECT is_described AS isDescribed FROM job WHERE id = @job',
  )
  return of.get({ job })?.isDescribed === 1
}

/** Names of the files that are stored in the only replica. */
function storedNames({ store }: Pick<Lived, 'store'>): string[] {
  const names = store.statement<object, { name: string }>(
    `SELECT name FROM archive_file WHERE stored_ms IS NOT NULL ORDER BY name`,
  )
  return names.all({}).map(({ name }) => name)
}

/** Number of files that the index of each metadata file lists. */
function filesByAccount({ store }: Pick<Lived, 'store'>): { name: string; files: number }[] {
  const accounts = store.statement<object, { name: string; files: number }>(
    `SELECT metadata_name AS name, COUNT(*) AS files FROM harvest_file GROUP BY metadata_name ORDER BY metadata_name`,
  )
  return accounts.all({})
}

test('it stops at once, and its metadata file is written before another run starts', async () => {
  const found = await lived(trial, async (life) => {
    await stopWhileStoring(life)
    while (!described(life)) await life.sleep(secondMs)
    const { jobs, job } = life
    expect(jobs.log(job, 0, 100).at(-1)?.message).toEqual(message('jobLog.described'))
    expect(jobs.act(job, 'start')).toMatchObject({ to: 'READYFORSTARTUP' })
    await life.until(/^ACTIVE|^SHUTTINGDOWN/)
    await life.until(/^INACTIVE$/)
    expect(jobs.summary(job)).toMatchObject({ status: 'Done', reason: null })
  })
  const names = storedNames(found)
  expect(names.filter((name) => name.includes('metadata'))).toEqual(['1-metadata-1.warc', '1-metadata-2.warc'])
  expect(names.filter((name) => name.endsWith('.warc.gz'))).toHaveLength(2 * filesCount)
  // Files of the first run were not stored yet when the second was described.
  expect(filesByAccount(found)).toEqual([
    { name: '1-metadata-1.warc', files: filesCount },
    { name: '1-metadata-2.warc', files: filesCount },
  ])
  expect(found.problems).toEqual([])
})

test('files whose metadata file could not be written are described by that of the next run', async () => {
  const found = await lived(trial, async ({ world, jobs, job, sleep, until }) => {
    await until(/^(ACTIVE|SHUTTINGDOWN|READYFORNOTIFY|NOTIFYING)/)
    while (!/^(READYFORNOTIFY|NOTIFYING)/.test(jobs.summary(job).state)) await sleep(1)
    const freeBytes = world.disk.freeBytesLeft
    world.disk.freeBytesLeft = 0
    await until(/^INACTIVE$/)
    expect(reasonTextOf(jobs.summary(job))).toMatch(
      /^The metadata file 1-metadata-1\.warc could not be written\. The disk of \S+ is full\./,
    )
    expect(jobs.act(job, 'start')).toMatchObject({ to: 'READYFORSTARTUP' })
    world.disk.freeBytesLeft = freeBytes
    await until(/^ACTIVE|^SHUTTINGDOWN/)
    await until(/^INACTIVE$/)
    expect(jobs.summary(job)).toMatchObject({ status: 'Done', reason: null })
    // What was begun of the metadata file of the first run is removed, not taken for the file of someone else.
    const warnings = jobs.log(job, 0, 100).filter(({ level }) => level === 'warning')
    expect(warnings.map((line) => textOf(line.message))).toEqual([])
  })
  // Its name was chosen when that run began.
  expect(filesByAccount(found)).toEqual([{ name: '1-metadata-2.warc', files: 2 * filesCount }])
  expect(storedNames(found)).toHaveLength(2 * filesCount + 1)
})

test('after a power cut at any later call nothing is lost, and the metadata file describes the run', async () => {
  let before = 0
  await lived(trial, async (life) => {
    await stopWhileStoring(life)
    before = life.world.calls
    while (!described(life)) await life.sleep(secondMs)
  })
  for (const later of [1, 4, 13, 40]) {
    let lives = 0
    const found = await lived({ ...trial, cutsAfterCalls: [before + later] }, async (life) => {
      lives += 1
      if (lives === 1) await stopWhileStoring(life)
      // The second machine stores it without a request.
      else await life.until(/^INACTIVE$/)
      while (!described(life) || (lives > 1 && life.jobs.summary(life.job).reason !== null)) await life.sleep(secondMs)
      await life.sleep(5 * secondMs)
    })
    if (lives === 1) continue
    const names = storedNames(found)
    expect(
      names.filter((name) => name.includes('metadata')),
      String(later),
    ).toEqual(['1-metadata-1.warc'])
    expect(
      names.filter((name) => name.endsWith('.warc.gz')),
      String(later),
    ).toHaveLength(filesCount)
    expect(found.jobs.summary(found.job)).toMatchObject({ status: 'Done', reason: null, state: 'INACTIVE' })
  }
}, 120_000)
