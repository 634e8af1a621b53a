import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameProblem } from '../../archive/files/names.ts'
import { numbered, wantedName } from './importedName.ts'

test('a valid name is kept, and an invalid one is corrected', () => {
  const check = (path: string, entry: string, name: string) => expect(wantedName({ path, entry })).toBe(name)
  check('/a/b/crawl.warc.gz', '', 'crawl.warc.gz')
  check('/a/IAH-2008,a=b.arc', '', 'IAH-2008,a=b.arc')
  check('/a/pages (1).warc.gz', '', 'pages-1-.warc.gz')
  check('/a/Zürich Müsli.warc', '', 'Zurich-Musli.warc')
  check('/a/.hidden.warc', '', 'hidden.warc')
  check('/a/con.warc', '', 'file-con.warc')
  check('/a/日本', '', 'file')
  check('/a/dot.', '', 'dot')
  check(`/a/con.${'x'.repeat(300)}.warc.gz`, '', `file-con.${'x'.repeat(183)}.warc.gz`)
  check(`/a/${'x'.repeat(199)}.${'y'.repeat(50)}`, '', 'x'.repeat(199))
  check(`/a/${'x'.repeat(199)}..warc.gz`, '', `${'x'.repeat(192)}.warc.gz`)
  check('/a/crawl.wacz', 'archive/data.warc.gz', 'crawl-data.warc.gz')
  check('/a/all.wacz', 'one.wacz!archive/data.warc.gz', 'all-one-data.warc.gz')
  check('/a/all.zip', 'archive/../../etc/passwd', 'all-passwd')
  expect(wantedName({ path: '/a/page.har', entry: '' }, true)).toBe('page.har.warc.gz')
})

test('further files of one name are numbered before the extension', () => {
  const check = (name: string, number: number, expected: string) => expect(numbered(name, number)).toBe(expected)
  check('a.warc.gz', 1, 'a.warc.gz')
  check('a.warc.gz', 2, 'a-2.warc.gz')
  check('a.arc', 13, 'a-13.arc')
  check('a', 2, 'a-2')
})

test('every name becomes a valid one, and numbers make two of them different', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 2, max: 9999 }), (text, number) => {
      const name = wantedName({ path: `/folder/${text}`, entry: '' })
      expect(nameProblem(name)).toBeUndefined()
      expect(nameProblem(numbered(name, number))).toBeUndefined()
      expect(numbered(name, number)).not.toBe(name)
    }),
  )
  // Names close to the maximum length, of the characters that names usually have.
  const part = fc.constantFrom('con', '.', '-', 'a', 'aaaaaaaaaaaaaaaa', '.gz', '.warc', 'ü')
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 10, maxLength: 60 }),
      fc.integer({ min: 2, max: 9999 }),
      (parts, number) => {
        const name = wantedName({ path: `/folder/${parts.join('')}`, entry: '' })
        expect([name, nameProblem(name)]).toEqual([name, undefined])
        expect(nameProblem(numbered(name, number))).toBeUndefined()
        expect(numbered(name, number)).not.toBe(name)
      },
    ),
  )
})
