import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { en } from './en.ts'
import { message, messageFrom, messageIn, storedMessage } from './message.ts'
import { rendererOf, textOf, withTexts } from './render.ts'

const templates = Object.entries(en)

type Elements = ReturnType<IntlMessageFormat['getAst']>
const astOf = (template: string) => new IntlMessageFormat(template, 'en', undefined, { ignoreTag: true }).getAst()

/** Branches of plurals and selections that are nothing but text. */
function branchesIn(elements: Elements): string[] {
  return elements.flatMap((element) =>
    'options' in element
      ? Object.values(element.options).flatMap(({ value }) =>
          value.every(isLiteral)
            ? [value.map((part) => ('value' in part ? part.value : '')).join('')]
            : branchesIn(value),
        )
      : [],
  )
}

/** Names of the values in a parsed template. */
function namesIn(elements: Elements): string[] {
  return elements.flatMap((element): string[] => {
    if ('options' in element)
      return [element.value, ...Object.values(element.options).flatMap(({ value }) => namesIn(value))]
    return 'value' in element && !isLiteral(element) ? [element.value] : []
  })
}

/** The number that the parser gives to text without values. */
const isLiteral = ({ type }: { type: number }) => type === 0

describe('templates', () => {
  test.each(templates)('%s can be parsed, and its values are named as the types have them', (_, template) => {
    for (const name of namesIn(astOf(template))) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/)
  })

  test.each(templates)('%s has no branch that the types would take for a value', (_, template) => {
    for (const text of branchesIn(astOf(template))) expect(text).toMatch(/^$|[ #]/)
  })
})

/** Groups of codes inside which a template may repeat, and why. */
const sharing: readonly [codes: RegExp, why: string][] = [
  [/^finding\./, 'the code contains the rule, and two rules may find the same'],
  [/^rule\./, 'the code contains the rule, and two rules may have the same consequence'],
  [
    /^(report|cli\.preserve)\.spot\./,
    'the code contains the verdict, and most verdicts have another text in the report',
  ],
]

test('no two codes have the same template', () => {
  const codesOf = new Map<string, Set<string>>()
  for (const [code, template] of templates) {
    // One or two words are labels: their translation depends on the context (gender, number, case).
    if (/^[^\s{]+( [^\s{]+)?$/.test(template)) continue
    const group = sharing.find(([codes]) => codes.test(code))?.[0].source ?? code
    codesOf.set(template, (codesOf.get(template) ?? new Set()).add(group))
  }
  expect([...codesOf.values()].filter((codes) => codes.size > 1).map((codes) => [...codes])).toEqual([])
})

test.each(sharing)('codes of %s share a template', (codes) => {
  const shared = templates.filter(([code]) => codes.test(code)).map(([, template]) => template)
  expect(new Set(shared).size).toBeLessThan(shared.length)
})

describe('messages', () => {
  test('accept exactly the values that the template names', () => {
    message('job.absent', { job: 1 })
    message('cli.upload.begun', { upload: 2, files: 1 })
    // @ts-expect-error a value is missing
    message('cli.upload.begun', { files: 1 })
    // @ts-expect-error a plural counts a number
    message('cli.upload.begun', { upload: 2, files: '1' })
    // @ts-expect-error no template has this code
    message('records.absent')
  })

  test('are rendered with the templates and number formats of another language', () => {
    const render = rendererOf('de', { 'job.absent': 'Auftrag {job} fehlt.', 'job.why': '{count, number} mal: {why}' })
    const why = { code: 'job.absent', values: { job: 99 } }
    expect(render({ code: 'job.why', values: { count: 1234, why } })).toBe('1.234 mal: Auftrag 99 fehlt.')
    expect(render({ code: 'job.new', values: { job: 1 } })).toBe('job.new 1')
  })

  test('are rendered with nested messages', () => {
    expect(textOf(message('job.absent', { job: 99 }))).toBe('There is no job 99.')
  })

  test('with an unknown code are rendered as code and values', () => {
    expect(textOf({ code: 'future.code', values: { one: 1, two: { code: 'later' } } })).toBe('future.code 1 later')
  })

  test('with values that do not fit are rendered as code and values', () => {
    expect(textOf({ code: 'job.absent', values: { number: 7 } })).toBe('job.absent 7')
  })

  test.each([
    ['a code alone', { code: 'a' }, true],
    ['values', { code: 'a', values: { n: 1, t: 'x', m: { code: 'b' } } }, true],
    ['no code', { values: {} }, false],
    ['a value of another kind', { code: 'a', values: { n: null } }, false],
    ['a text', 'a', false],
  ])('is recognized in stored JSON: %s', (_, value, isOne) => {
    expect(messageIn(JSON.parse(JSON.stringify(value)))).toEqual(isOne ? value : undefined)
  })

  test('are stored as text and read back', () => {
    const absent = message('job.absent', { job: 1 })
    expect(messageFrom(storedMessage(absent))).toEqual(absent)
  })

  test.each(['No space left.', '{"a":1}', '7', ''])('of a stored plain text is that text: %s', (text) => {
    expect(textOf(messageFrom(text))).toBe(text)
  })

  test('in data for readers without templates have their text next to them', () => {
    const absent = message('job.absent', { job: 1 })
    const row = { rows: [{ id: 1, message: absent, at: null }], error: { code: 'refused', message: 'No.' } }
    const read = { rows: [{ id: 1, message: { ...absent, text: 'There is no job 1.' }, at: null }], error: row.error }
    expect(withTexts(row)).toEqual(read)
  })
})
