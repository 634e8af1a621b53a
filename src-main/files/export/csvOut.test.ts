import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRow, RowCounter } from './csvOut.ts'

test.each([
  [['http://a/', 200, ''], 'http://a/,200,\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  // A spreadsheet would run these.
  [['=1+1', '+1', '-1', '@x', '\tx'], "'=1+1,'+1,'-1,'@x,'\tx\r\n"],
  [['=cmd|"/c calc"!A1'], '"\'=cmd|""/c calc""!A1"\r\n'],
  [[-1], '-1\r\n'],
])('%j', (cells, row) => {
  expect(csvRow(cells)).toBe(row)
})

test('counts as many rows as were written, for any division of the input', () => {
  const cells = fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '=') }), { minLength: 1 })
  fc.assert(
    fc.property(fc.array(cells, { maxLength: 20 }), fc.nat({ max: 30 }), (rows, size) => {
      const bytes = Buffer.from(rows.map(csvRow).join(''))
      const counter = new RowCounter()
      for (let at = 0; at < bytes.length; at += size + 1) counter.add(bytes.subarray(at, at + size + 1))
      expect(counter.rows).toBe(rows.length)
    }),
  )
})
