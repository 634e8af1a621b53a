import { afterAll, expect, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import { templateSettings } from '../../contract/services/templates.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openTemplates } from './templates.ts'

const store = openStore(':memory:')
afterAll(() => store.close())
const templates = openTemplates(store, seededWorld({ seed: 1 }))

function refusal(act: () => unknown): Fault {
  try {
    act()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('it was not refused')
}

test('a new archive has the template default', () => {
  const { rows, total } = templates.list({ offset: 0, limit: 10 })
  expect(total).toBe(1)
  expect(rows).toEqual([{ name: 'default', comments: '', version: 1, changed: null, configurations: 0 }])
  expect(templates.newest('default').settings).toEqual(templateSettings.parse({}))
  expect(refusal(() => templates.remove('default'))).toMatchObject({ code: 'refused' })
  expect(refusal(() => templates.edit({ name: 'default', newName: 'other' })).message).toMatch(/not renamed or removed/)
})

test('a text is kept as it was written, in every version', () => {
  const toml = '# Only the front page.\nscope = "page"   # not more\n'
  templates.add({ name: 'Front pages', toml, comments: 'daily' })
  templates.edit({ name: 'Front pages', toml: 'scope = "host"' })
  const newest = templates.edit({ name: 'Front pages', toml: 'scope = "host"', comments: 'weekly' })
  expect(newest).toMatchObject({ version: 2, comments: 'weekly', settings: { scope: 'host' } })
  expect(newest.versions.map(({ version }) => version)).toEqual([2, 1])
  expect(templates.show('Front pages', 1)).toMatchObject({ shown: 1, version: 2, toml, settings: { scope: 'page' } })
  expect(refusal(() => templates.show('Front pages', 3)).message).toMatch(/has no version 3: its newest is 2/)
})

test('settings as values become TOML', () => {
  const settings = templateSettings.parse({ exclude: ['/calendar/'], maxObjects: 5 })
  const added = templates.add({ name: 'values', settings })
  expect(added.toml).toContain('exclude = [ "/calendar/" ]')
  expect(templates.newest('values')).toMatchObject({ version: 1, settings })
})

test('nothing is stored of a template with problems, and each is a field', () => {
  const fault = refusal(() => templates.add({ name: 'bad', toml: 'maxHops = "3"\nexclude = ["("]' }))
  expect(fault).toMatchObject({ code: 'badInput', fields: [['maxHops'], ['exclude', 0]] })
  expect(fault.message).toMatch(
    /^The template has 2 problems, and nothing was stored\. maxHops must be .*exclude\.0 is/,
  )
  expect(refusal(() => templates.show('bad')).code).toBe('notFound')
  refusal(() => templates.edit({ name: 'values', comments: 'changed', toml: 'maxHops = "3"' }))
  expect(templates.show('values')).toMatchObject({ version: 1, comments: '' })
  const many = `exclude = [${Array.from({ length: 9_000 }, () => '"("').join(', ')}]`
  expect(refusal(() => templates.add({ name: 'bad', toml: many })).message).toMatch(/has 9,000 problems.*The first 50:/)
})

test('names are unique without the case of letters, and can be changed', () => {
  templates.add({ name: 'One', toml: '' })
  expect(refusal(() => templates.add({ name: 'one', toml: '' })).message).toMatch(/already a template "one"/)
  expect(refusal(() => templates.edit({ name: 'one', newName: 'VALUES' })).code).toBe('refused')
  expect(templates.edit({ name: 'One', newName: 'ONE' }).name).toBe('ONE')
  expect(templates.edit({ name: 'one', newName: 'Two' })).toMatchObject({ name: 'Two', version: 1 })
})

test('a list is filtered and paged by name', () => {
  const page = (text: string | undefined, offset: number) =>
    templates.list({ text, offset, limit: 2 }).rows.map(({ name }) => name)
  expect(page(undefined, 0)).toEqual(['default', 'Front pages'])
  expect(page(undefined, 2)).toEqual(['Two', 'values'])
  expect(page('PAGE', 0)).toEqual(['Front pages'])
  expect(templates.list({ text: '%', offset: 0, limit: 2 }).total).toBe(0)
})

test('a template in use is not removed', () => {
  store.statement(`INSERT INTO domain (id, name, created_ms) VALUES (1, 'a.test', 0)`).run({})
  const id = templates.idOf('Two')
  store
    .statement<{ id: number }>(`INSERT INTO configuration (domain_id, name, template_id) VALUES (1, 'x', @id)`)
    .run({ id })
  const fault = refusal(() => templates.remove('two'))
  expect(fault).toMatchObject({ code: 'refused' })
  expect(fault.message).toMatch(/is used by 1 configuration, such as a\.test\/x:/)
  store.statement(`DELETE FROM configuration`).run({})
  templates.remove('two')
  expect(refusal(() => templates.remove('two')).message).toBe('There is no template "two".')
})
