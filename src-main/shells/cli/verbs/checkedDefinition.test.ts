import { expect, test } from 'vitest'
import { Fault } from '../../../contract/calls/faults.ts'
import { checkedDefinition } from './checkedDefinition.ts'

const seeds = ['http://a.test/']

test.each([
  ['URL', { seeds: [' '] }],
  ['--max-objects', { maxObjects: 0 }],
  ['--hop-limit', { hops: { limits: { embed: -1 } } }],
  ['--hop-mode', { hops: { mode: 'sometimes' } }],
  ['--interval', { recheck: { type: 'continuous', intervalSeconds: 0 } }],
  ['--interval-max', { recheck: { type: 'continuous', intervalSeconds: 7_200, intervalSecondsMax: 3_600 } }],
  ['--expiry', { recheck: { expirySeconds: 0 } }],
  ['--reseed', { recheck: { reseedSeconds: 0 } }],
  ['--gone', { recheck: { gone: 'never' } }],
  ['--patience', { recheck: { patience: 'endless' } }],
  [
    '--changed-since',
    { connectors: { repository: { connector: 'sitemap', changedSince: 'today' }, output: 'archive' } },
  ],
])('a refused value is named as on the command line: %s', (option, changes) => {
  expect.assertions(1)
  try {
    checkedDefinition({ seeds, ...changes })
  } catch (error) {
    expect(error instanceof Fault && error.message.split(/[\s:]/)[0]).toBe(option)
  }
})

test('a definition has its defaults', () => {
  expect(checkedDefinition({ seeds })).toMatchObject({ seeds, scope: 'host', robots: 'obey' })
})
