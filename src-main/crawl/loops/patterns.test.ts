/** Patterns in the whole engine: none delays a harvest, and one that is no longer valid is reported. */
import { expect, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { harvestDefinition, storedDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openDefinitions } from '../definition/definitions.ts'
import { openJobs } from '../jobs/jobs.ts'
import { openLiveControl } from '../live/control.ts'
import { linksTo, lived, noRules, reasonTextOf, type EngineTrial } from './testing/engineFixture.ts'

const site = 'http://site.test'
const [short, long] = ['a'.repeat(39), 'a'.repeat(2_000)]

test('patterns with exponential time in backtracking engines are matched in linear time', async () => {
  const pages = {
    '/': linksTo(
      `/${short}`,
      `/${short}!`,
      `/${long}`,
      `/${long}!`,
      '/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      '/xxy',
    ),
  }
  const trial: EngineTrial = {
    seed: 1,
    answer: (path) => (path in pages ? pages[path as '/'] : path === '/robots.txt' ? noRules : linksTo()),
    definition: {
      seeds: [`${site}/`],
      robots: 'ignore',
      include: ['^(.*/)*.*$', '(.*)*=(.*)*!'],
      exclude: ['/(a+)+$', '(x+x+)+y', '^(([a-z:/.])+.)+[A-Z]([a-z])+$'],
      throttle: { rules: [{ match: '^(s+i?t?)+$', connections: 1 }, { match: '(t+)+$', connections: 2 }] },
    },
  } // prettier-ignore
  const { jobs, job, asked } = await lived(trial, ({ until }) => until(/^INACTIVE$/))
  expect(asked.map(({ path }) => path).filter((path) => path !== '/robots.txt').toSorted()).toEqual(
    ['/', `/${short}!`, `/${long}!`, '/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'].toSorted(),
  ) // prettier-ignore
  const whyMissing = (url: string) => textOf(jobs.whyMissing(job, url) ?? message('missing.queued'))
  expect(whyMissing(`${site}/${long}`)).toBe('Not fetched: matches an exclude pattern (/(a+)+$).')
  expect(whyMissing(`${site}/xxy`)).toBe('Not fetched: matches an exclude pattern ((x+x+)+y).')
})

/** A database with a job of an earlier version that has this definition. */
const leftBehind =
  (definition: HarvestDefinition, rules: readonly string[] = []) =>
  (databasePath: string) => {
    const store = openStore(databasePath)
    const job = openJobs(store, seededWorld({ seed: 1 })).create(definition)
    for (const pattern of rules)
      store
        .statement<{ job: number; pattern: string }>(
          `INSERT INTO reject_rule (job_id, pattern, added_ms) VALUES (@job, @pattern, 0)`,
        )
        .run({ job, pattern })
    store.close()
  }
const stored = (more: object) => storedDefinition.parse({ seeds: [`${site}/`], robots: 'ignore', ...more })
const site1: EngineTrial = {
  seed: 1,
  answer: (path) => (path === '/' ? linksTo('/calendar/2025', '/page') : linksTo()),
}

test('a job with an invalid pattern of an earlier version pauses with the reason until it is changed, and loses nothing', async () => {
  const definition = stored({ exclude: ['/calendar/(?!2026)', 'never'], throttle: { rules: [{ match: '(a)\\1', connections: 1 }] } })
  const seen: unknown[] = []
  const { jobs, job, asked, problems, log } = await lived({ ...site1, fill: leftBehind(definition) }, async ({ world, store, jobs, job, until, sleep }) => {
    await until(/^PAUSED$/)
    // Resuming it without a change gives the same reason.
    jobs.act(job, 'resume')
    await sleep(5_000)
    await until(/^PAUSED$/)
    seen.push(reasonTextOf(jobs.summary(job)), jobs.show(job).definition.exclude, jobs.list()[0]?.state)
    const { schedule: _none, ...kept } = definition
    openDefinitions(store, world).edit(job, harvestDefinition.parse({ ...kept, exclude: ['/calendar/202[0-5]'], throttle: undefined }))
    jobs.act(job, 'resume')
    await until(/^INACTIVE$/)
  })
  const text =
    'This job was created by an earlier version of Loupe and uses patterns that are no longer supported. ' +
    'The exclude pattern /calendar/(?!2026) is refused. "(?!": Lookahead is not supported, because Loupe matches patterns in time that is linear in the length of the text. List what should match instead, or use one pattern that includes and one that excludes. ' +
    'The throttle pattern (a)\\1 is refused. "\\1": Backreferences are not supported, because Loupe matches patterns in time that is linear in the length of the text. Write out what repeats: (?:/calendar){2} for a path that contains /calendar/calendar. ' +
    'Change the definition, then resume the job.'
  expect(seen).toEqual([text, definition.exclude, 'PAUSED'])
  expect(log().filter((line) => line === text)).toHaveLength(2)
  expect(problems).toEqual([])
  expect(asked.map(({ path }) => path)).toEqual(['/', '/page'])
  expect(jobs.summary(job)).toMatchObject({ stopReason: 'DOWNLOAD_COMPLETE', reason: null })
}) // prettier-ignore

test('a job with an invalid reject rule pauses until the rule is removed', async () => {
  const fill = leftBehind(stored({}), ['/calendar/', '/page(?=$)'])
  const { asked, problems } = await lived({ ...site1, fill }, async ({ world, store, databasePath, jobs, job, until }) => {
    await until(/^PAUSED$/)
    expect(reasonTextOf(jobs.summary(job))).toMatch(/The rule that rejects \/page\(\?=\$\) is refused\. .* Remove these rules from the queue, then resume the job\.$/)
    const live = openLiveControl(world, store, databasePath)
    const { rules } = await live.show({ job })
    expect(rules.map(({ problem }) => problem === null)).toEqual([true, false])
    await live.unreject({ job, rule: rules[1]?.rule ?? 0 })
    live.close()
    jobs.act(job, 'resume')
    await until(/^INACTIVE$/)
  })
  expect(problems).toEqual([])
  expect(asked.map(({ path }) => path)).toEqual(['/', '/page'])
}) // prettier-ignore
