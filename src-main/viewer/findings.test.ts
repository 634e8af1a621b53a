/** What becomes of findings when the disk is full: that one is not written down is no reason not to answer a browser. */
import { expect, test } from 'vitest'
import { madeArchive } from '../indexes/madeArchive.ts'
import { openFindings } from './findings.ts'
import { findingBatchMax } from './limits.ts'
import { openViews } from './views.ts'

test('a full disk takes no answer from a browser, is told, and what is found when there is room again is kept', async () => {
  await using made = await madeArchive()
  const { store, world } = made
  const { view } = openViews({ store, world }).enter({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
  const isTime = Promise.withResolvers<void>()
  const clock = Object.assign(Object.create(world.clock) as typeof world.clock, { sleep: () => isTime.promise })
  const told: [unknown, string][] = []
  const onProblem = (error: unknown, doing: string) => told.push([error, doing])
  const findings = openFindings({ store, world: { ...world, clock }, onProblem })
  const note = (name: string) =>
    findings.note({
      ...{ view, kind: 'missing', url: `http://site.example/${name}/${'x'.repeat(1000)}`, method: 'GET', status: null },
      ...{ referrer: '', initiator: '', resourceType: 'other', file: null, offset: null, detail: null },
    })
  const pagesMax = (pages: number) => store.statement(`PRAGMA max_page_count = ${pages}`).get({})

  // No smaller than the file is already: SQLite then says what it says of a full disk.
  pagesMax(1)
  for (let each = 0; each < findingBatchMax; each += 1) note(String(each))
  const full = [expect.objectContaining({ code: 'full' }), 'writing the list of what was missing']
  expect(told).toEqual([full])
  for (let each = 1; each < findingBatchMax; each += 1) note(String(each))
  isTime.resolve()
  await isTime.promise
  await Promise.resolve()
  expect(told).toEqual([full, full])

  pagesMax(1_000_000)
  note('later')
  expect(findings.misses(view).map(({ url }) => url.split('/')[3])).toEqual(['later'])
})
