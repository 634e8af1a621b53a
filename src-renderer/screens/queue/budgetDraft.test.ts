import { expect, test } from 'vitest'
import { budgetsOf } from './budgetDraft.ts'

const rows: [text: string, expected: unknown][] = [
  ['', { budgets: [] }],
  ['a.test', { budgets: [{ domain: 'a.test', objects: 5, bytes: null }] }],
  [
    'A.test\n b.test \nc.test 7 9',
    {
      budgets: [
        { domain: 'a.test', objects: 5, bytes: null },
        { domain: 'b.test', objects: 5, bytes: null },
        { domain: 'c.test', objects: 7, bytes: 9 },
      ],
    },
  ],
  ['a.test few', { wrong: expect.stringMatching(/^Line 1, "a.test few"/) as string }],
]
test.each(rows)('%j', (text, expected) => expect(budgetsOf(text, { objects: 5, bytes: null })).toEqual(expected))
