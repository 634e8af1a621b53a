import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesMax, openNames, type NameSource, type Named } from './names.ts'

/** A source over rows that a test can change. */
function sourceOf(rows: Named[], mayChange = false): NameSource & { rows: Named[] } {
  return {
    rows,
    mayChange,
    after: ({ after, limit }) => rows.filter(({ id }) => id > after).slice(0, limit),
    nameOf: (id) => rows.find((row) => row.id === id)?.name,
  }
}

const named = (...names: string[]) => names.map((name, at) => ({ id: at + 1, name }))

async function opened(jobs: NameSource, domains = sourceOf([])) {
  const names = openNames({ job: jobs, domain: domains })
  names.refresh()
  await names.whole()
  return names
}

const found = (names: Awaited<ReturnType<typeof opened>>, text: string, limit = 10) =>
  names.find({ text, limit }).rows.map(({ name }) => name)

test('words that begin with the text come first, then names that contain it, then characters in order', async () => {
  const names = await opened(sourceOf(named('a museum of art', 'romuse', 'modern.us.example', 'muse', 'theatre')))
  expect(found(names, 'mus')).toEqual(['muse', 'a museum of art', 'romuse', 'modern.us.example'])
  expect(found(names, 'MUS art')).toEqual(['a museum of art'])
  expect(found(names, 'xyz')).toEqual([])
})

test('without a text, the newest of each kind', async () => {
  const names = await opened(sourceOf(named('one', 'two', 'three')), sourceOf(named('a.test', 'b.test')))
  expect(names.find({ text: ' ', limit: 4 }).rows).toEqual([
    { kind: 'job', id: 3, name: 'three' },
    { kind: 'job', id: 2, name: 'two' },
    { kind: 'domain', id: 2, name: 'b.test' },
    { kind: 'domain', id: 1, name: 'a.test' },
  ])
})

test('words may be typed in any order, and many names of one kind leave room for the others', async () => {
  const jobs = Array.from({ length: 1_000 }, (_, at) => `museum number ${at}`)
  const names = await opened(sourceOf(named(...jobs, 'art in the museum')), sourceOf(named('museum.test')))
  expect(found(names, 'mus ar')).toEqual(['art in the museum'])
  expect(found(names, 'museum')).toContain('museum.test')
})

test('a name that replaces another under its number is found after a refresh, and the old one is not', async () => {
  const domains = sourceOf(named('a.test', 'typo.test'), true)
  const names = await opened(sourceOf([]), domains)
  domains.rows[1] = { id: 2, name: 'right.test' }
  names.refresh()
  await names.whole()
  expect([found(names, 'typo'), found(names, 'right')]).toEqual([[], ['right.test']])
})

test('what was added, renamed and removed is found so after a refresh, and what is gone never', async () => {
  const jobs = sourceOf(named('spring', 'summer'), true)
  const names = await opened(jobs)
  jobs.rows.splice(0, 2, { id: 2, name: 'autumn' }, { id: 3, name: 'winter' })
  expect(found(names, 'spring')).toEqual([])
  names.refresh()
  await names.whole()
  expect([found(names, 'autumn'), found(names, 'summer'), found(names, 'winter')]).toEqual([['autumn'], [], ['winter']])
})

test('a search while names are read says that they are not complete', async () => {
  const names = openNames({ job: sourceOf(named('one')) })
  names.refresh()
  expect(names.find({ text: 'one', limit: 1 })).toEqual({
    rows: [{ kind: 'job', id: 1, name: 'one' }],
    isComplete: false,
  })
  await names.whole()
  expect(names.find({ text: 'one', limit: 1 }).isComplete).toBe(true)
})

test('the number of names is bounded', async () => {
  const rows = Array.from({ length: namesMax + 600 }, (_, at) => ({ id: at + 1, name: 'x' }))
  const names = await opened({
    mayChange: false,
    nameOf: () => 'x',
    after: ({ after, limit }) => rows.slice(after, after + limit),
  })
  expect(names.find({ text: 'x', limit: namesMax + 10 }).rows).toHaveLength(namesMax)
})

test('every name is found by any part of it, whatever characters it has', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      async (texts, from, length) => {
        const names = await opened(sourceOf(named(...texts)))
        const [name = ''] = texts
        const part = name.slice(from % name.length, (from % name.length) + 1 + length)
        if (part.trim() !== '') expect(found(names, part, texts.length)).toContain(name)
      },
    ),
    { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 200) },
  )
})

test('a source may add to what is searched', async () => {
  const names = await opened({ ...sourceOf(named('spring', 'summer')), textOf: ({ id, name }) => `job ${id} ${name}` })
  expect(found(names, 'job 2')).toEqual(['summer'])
})
