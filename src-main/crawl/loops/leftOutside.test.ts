/** The whole engine with a seed that redirects to another host: documents of that host that were out of scope before are fetched. */
import { expect, test } from 'vitest'
import { linksTo, lived, noRules, type Answer } from './testing/engineFixture.ts'

const seeds = ['http://site.test/old/', 'http://site.test/gone/index']
const pages: Record<string, Answer> = {
  '/robots.txt': noRules,
  '/old/': linksTo('/new/a', '/other/', '/new/never'),
  '/gone/index': { body: '', status: 301, fields: ['Location: http://site.test/new/'] },
  '/new/': linksTo(),
  '/new/a': linksTo('/new/b'),
  '/new/b': linksTo(),
}
const definition = { seeds, scope: 'prefix', exclude: ['never'] }

test.each([
  ['found before the redirect', seeds],
  ['found after the redirect', seeds.toReversed()],
])('%s', async (_, order) => {
  const found = await lived(
    { seed: 1, answer: (path) => pages[path], definition: { ...definition, seeds: order } },
    ({ until }) => until(/^INACTIVE$/),
  )
  const asked = found.asked.map(({ path }) => path)
  expect(asked.toSorted()).toEqual(Object.keys(pages).toSorted())
  const { status, documents } = found.jobs.summary(found.job)
  expect({ status, documents }).toMatchObject({ status: 'Done', documents: { total: 8, fetched: 6, excluded: 2 } })
})
