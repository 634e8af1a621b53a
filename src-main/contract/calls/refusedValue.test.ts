import { expect, test } from 'vitest'
import { z } from 'zod'
import { message } from '../words/message.ts'
import { textOf } from '../words/render.ts'
import { refusalOf, refusedAs } from './refusedValue.ts'

const isEven = (value: number) => value % 2 === 0
const even = z.number().refine(
  isEven,
  refusedAs((field) => message('value.least', { field, least: 2 })),
)

const refused: [shape: z.ZodType, input: unknown, text: string][] = [
  [z.strictObject({ a: z.string() }), {}, 'a is missing: it must be a text.'],
  [z.strictObject({ a: z.string() }), { a: 1 }, 'a must be a text.'],
  [z.strictObject({ a: z.string() }), null, 'The input must be an object.'],
  [z.strictObject({ a: z.array(z.boolean()) }), { a: [true, 'x'] }, 'a.1 must be true or false.'],
  [z.array(z.string()), {}, 'The input must be a list.'],
  [z.number(), NaN, 'The input must be a number.'],
  [z.int(), 1.5, 'The input must be a whole number.'],
  [z.bigint(), 1, 'The input must be bigint.'],
  [z.int().min(1), 0, 'The input must be at least 1.'],
  [z.number().positive(), 0, 'The input must be greater than 0.'],
  [z.int().max(100), 101, 'The input must be at most 100.'],
  [z.string().min(1), '', 'The input must not be empty.'],
  [z.string().min(2), 'a', 'The input must have at least 2 characters.'],
  [z.string().max(1), 'ab', 'The input must have at most 1 character.'],
  [z.array(z.string()).min(1), [], 'The input must have at least 1 entry.'],
  [z.array(z.string()).max(2), ['', '', ''], 'The input must have at most 2 entries.'],
  [z.enum(['page', 'host', 'any']), 'all', 'The input must be "page" or "host" or "any".'],
  [z.iso.datetime(), 'today', 'The input must be a time such as 2026-01-31T09:30:00Z.'],
  [z.iso.date(), 'today', 'The input must be a date such as 2026-01-31.'],
  [z.string().regex(/^a/), 'b', 'The input has a value that is not accepted.'],
  [z.strictObject({}), { b: 1 }, 'The input has an unknown field: b.'],
  [z.strictObject({}), { b: 1, c: 2 }, 'The input has unknown fields: b, c.'],
  [z.union([z.literal('any'), z.array(z.int())]), 'none', 'The input must be "any". Or: The input must be a list.'],
  [
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('form') }),
      z.object({ kind: z.enum(['basic', 'digest']) }),
    ]),
    { kind: 'other' },
    'kind must be "form" or "basic" or "digest".',
  ],
  [z.record(z.string().max(2), z.int()), { abc: 1 }, 'abc must have at most 2 characters.'],
  [z.strictObject({ count: even }), { count: 1 }, 'count must be at least 2.'],
  [z.number().refine(isEven), 1, 'The input has a value that is not accepted.'],
]

test.each(refused)('%#: %j', (shape, input, text) => {
  const { error } = shape.safeParse(input)
  expect(error && textOf(refusalOf(error, input))).toBe(text)
})
