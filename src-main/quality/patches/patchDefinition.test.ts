/** Definitions of patch jobs: what they keep of the job that they patch, and what would keep the missing URLs out. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { matcherOf, patternOf } from '../../patterns/pattern.ts'
import { patchDefinition } from './patchDefinition.ts'

const urls = ['http://a.test/in/one', 'http://b.test/two.css']
const patched = (definition: object) => ({
  job: 4,
  definition: harvestDefinition.parse({ seeds: ['http://a.test/'], ...definition }),
})

test.each<[string, object, object]>([
  ['its settings', { delayMs: 7, userAgent: 'me', maxBytes: 9 }, { delayMs: 7, userAgent: 'me', maxBytes: 9 }],
  ['robots.txt', { robots: 'obey' }, { robots: 'obey' }],
  ['patterns that match no missing URL', { exclude: ['ads', '/in/'] }, { exclude: ['ads'] }],
  [
    'rules of domains',
    { domains: { 'a.test': { exclude: ['one', 'x'] } } },
    { domains: { 'a.test': { exclude: ['x'] } } },
  ],
  ['no include patterns', { include: ['^http://a'] }, { include: [] }],
])('it keeps %s', (_, definition, kept) => {
  expect(patchDefinition(patched(definition), urls, {})).toMatchObject({ seeds: urls, scope: 'page', ...kept })
})

test('distances, the schedule and rechecks are not those of the job, and neither is its name', () => {
  const definition = patchDefinition(
    patched({ name: 'whole', maxHops: 3, schedule: { records: [{ hours: [2] }] } }),
    urls,
    { ignoreRobots: true },
  )
  expect(definition).toMatchObject({ name: 'Patch of job 4', robots: 'ignore' })
  expect(Object.keys(definition)).not.toContain('maxHops')
  expect(Object.keys(definition)).not.toContain('schedule')
  expect(patchDefinition(patched({}), urls, { later: true }).schedule).toMatchObject({ startMethod: 'DISABLE' })
})

test('whatever patterns the job has, the definition is valid, and none of them keeps a missing URL out', () => {
  const pattern = fc.constantFrom('one', 'two', '^http', 'css$', 'x+', '/in/', 'b\\.test', 'none')
  fc.assert(
    fc.property(fc.array(pattern), fc.array(pattern), (exclude, ofDomain) => {
      const made = patchDefinition(patched({ exclude, domains: { 'a.test': { exclude: ofDomain } } }), urls, {})
      harvestDefinition.parse(made)
      const left = [...made.exclude, ...(made.domains?.['a.test']?.exclude ?? [])]
      expect(left.filter((each) => urls.some((url) => matcherOf([patternOf(each)]).first(url) !== undefined))).toEqual(
        [],
      )
    }),
  )
})
