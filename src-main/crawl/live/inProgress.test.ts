/** The whole engine with a continuous job, and a user who deletes from its queue two documents in progress: the one being fetched
 *  is finished and checked again when it is due; the one claimed and not yet requested is excluded and stays so. */
import { expect, test } from 'vitest'
import { linksTo, lived, noRules, secondMs } from '../loops/testing/engineFixture.ts'
import { openLiveControl } from './control.ts'

const intervalSeconds = 60
const recheck = { type: 'continuous', intervalSeconds, intervalSecondsMax: intervalSeconds, reseedSeconds: null }
const definition = { seeds: ['http://site.test/'], recheck }
const settings = { delayMs: 5 * secondMs }

test('a document that is deleted from the queue while it is fetched is not excluded at its next check', async () => {
  const asked = Promise.withResolvers<undefined>()
  const isDeleted = Promise.withResolvers<undefined>()
  async function answer(path: string) {
    if (path === '/robots.txt') return noRules
    if (path === '/fetching') {
      asked.resolve(undefined)
      await isDeleted.promise
    }
    return path === '/' ? linksTo('/fetching', '/claimed') : linksTo()
  }
  const found = await lived({ seed: 1, answer, definition, settings }, async (life) => {
    const { world, store, databasePath, jobs, job, sleep, until } = life
    const live = openLiveControl(world, store, databasePath)
    await asked.promise
    const held = store.statement<object, { id: number }>(`SELECT id FROM document WHERE state = 'ACTIVE'`)
    while (held.all({}).length < 2) await sleep(secondMs)
    const lifted = await live.lift({ job, of: { pattern: '/claimed$' }, to: 'first', isTrial: true })
    expect(lifted).toEqual({ documents: 0, inProgress: 1, first: [] })
    const effect = await live.drop({ job, of: { pattern: '/(fetching|claimed)$' }, isTrial: false })
    const first = ['http://site.test/fetching', 'http://site.test/claimed']
    expect(effect).toEqual({ documents: 0, inProgress: 2, first })
    isDeleted.resolve(undefined)
    await sleep(4 * intervalSeconds * secondMs)
    live.close()
    jobs.act(job, 'abort')
    await until(/^INACTIVE$/)
  })
  const times = (path: string) => found.asked.filter((each) => each.path === path).length
  expect(times('/fetching')).toBeGreaterThan(2)
  expect(times('/claimed')).toBe(0)
  const rows = found.store.statement(
    `SELECT state, outcome, reason, left_out AS mark FROM document WHERE url LIKE '%/claimed' OR url LIKE '%/fetching' ORDER BY url`,
  )
  expect(rows.all({})).toEqual([
    { state: 'COMPLETE', outcome: 'excluded', reason: 'dropped', mark: null },
    { state: 'COMPLETE', outcome: 'fetched', reason: null, mark: null },
  ])
  expect(found.problems).toEqual([])
})
