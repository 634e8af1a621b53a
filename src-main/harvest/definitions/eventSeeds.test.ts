import { afterAll, expect, test } from 'vitest'
import { harvestInput } from '../../contract/services/harvestDefinitions.ts'
import { textOf } from '../../contract/words/render.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openDomains } from '../domains/domains.ts'
import { openTemplates } from '../templates/templates.ts'
import { eventSeedsOf } from './eventSeeds.ts'
import { openHarvestDefinitions } from './harvestDefinitions.ts'

const store = openStore(':memory:')
afterAll(() => store.close())
const world = seededWorld({ seed: 1 })
const clock = { now: () => world.clock.now(), sleep: async () => undefined }
const domains = openDomains({ store, clock, templates: openTemplates(store, world), aliasDays: () => 365 })
const harvests = openHarvestDefinitions(store, clock)
const add = eventSeedsOf(store, domains)
const limits = { template: 'default', objectsMax: null, bytesMax: 500 }

test('seeds of an event are sorted into domains, each with a configuration and a seed list of its name', async () => {
  await domains.addList('known.example\n')
  const { harvest } = harvests.add(harvestInput.parse({ name: 'Election', kind: 'event' }))
  const text = '# parties\nhttp://www.known.example/vote\nhttps://new.example/a\nnew.example/b\nnot a url\n'
  const added = add({ harvest, text, ...limits })
  expect(added).toMatchObject({ configurations: 2, domainsNew: 1, seeds: 3 })
  expect(added.refused.map(({ line, problem }) => [line, textOf(problem)])).toEqual([
    [5, 'Line 5 is not a URL: not a url'],
  ])
  expect(harvests.configurations({ harvest, offset: 0, limit: 9 }).rows).toEqual([
    { domain: 'known.example', configuration: 'Election' },
    { domain: 'new.example', configuration: 'Election' },
  ])
  const known = domains.show('known.example')
  expect(known.configurations.map(({ name, bytesMax, seedLists }) => [name, bytesMax, seedLists])).toEqual([
    ['default', 1_000_000_000, ['default']],
    ['Election', 500, ['Election']],
  ])

  // A second paste adds what is new and repeats nothing.
  expect(add({ harvest, text: 'new.example/b\nnew.example/c\n', ...limits })).toMatchObject({ domainsNew: 0, seeds: 1 })
  const list = domains.show('new.example').seedLists.find(({ name }) => name === 'Election')
  expect(list?.seeds).toBe('https://new.example/a\nnew.example/b\nnew.example/c\n')
})

test('seeds are added to event harvests only, and with a template that exists', () => {
  const { harvest: selective } = harvests.add(
    harvestInput.parse({ name: 'News', kind: 'selective', schedule: 'Daily' }),
  )
  expect(() => add({ harvest: selective, text: 'a.example\n', ...limits })).toThrow('Harvest News is of another kind')
  expect(() => add({ harvest: 99, text: 'a.example\n', ...limits })).toThrow('There is no harvest 99.')
  const { harvest } = harvests.add(harvestInput.parse({ name: 'Storm', kind: 'event' }))
  expect(() => add({ harvest, text: 'storm.example\n', ...limits, template: 'none' })).toThrow('no template "none"')
  expect(() => domains.show('storm.example')).toThrow('There is no domain')
})
