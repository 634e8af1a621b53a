import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { patternInstructionsMax } from './limits.ts'
import { classifierOf, matcherOf, readPattern, type Pattern } from './pattern.ts'
import type { PatternProblemCode } from './problems.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 500)

function read(written: string, ignoresCase = false): Pattern {
  const reading = readPattern(written, { ignoresCase })
  if ('problem' in reading) throw new Error(`${written}: ${reading.problem.code}`)
  return reading.pattern
}

function matches(written: string, text: string, ignoresCase = false): boolean {
  return matcherOf([read(written, ignoresCase)]).first(text) !== undefined
}

describe('matches as JavaScript does', () => {
  const texts = [
    '', 'a', 'A', 'ab', 'aab', 'abc', 'a\nb', 'a\rb', 'a\u2028b', 'a\u00a0b', 'a\vb', '-', ']', '\\', '/', '_', 'é', 'É', 'ſ', '\u212a', 'K',
    'https://example.org/calendar/2026/11/?a=b&c=%20d', '12:34', '\ud83d', '\u{1f600}', 'Ω', 'ω', '\b', '\0', 'caf\u00e9.html',
  ] // prettier-ignore
  test.each([
    'a', '^a', 'b$', '^$', '', '()', 'a|b', 'a||b', '(?:a|)b', '.', '^.$', 'a.b', '\\s', '\\S', '[\\s]', '[\\S]', '[^\\s]', '[^\\S]', '\\d+', '\\D',
    '\\w', '\\W', '[\\w-]', '[\\d\\-_]', '\\bcalendar\\b', '\\Ba', '[]', '[^]', '[^a]', '[a-c]', '[-a]', '[a-]', '[[]', '[\\]]', '[.]', '\\.', '\\/',
    '/calendar/\\d{4}/', '\\d{2}:\\d{2}', '\\?(?:a|b)=', 'a{2}', 'a{0,1}b', 'a{1,}b', '(?:ab?)+?c', 'a*?b', '(?<year>\\d{4})', '\\x61', '\\u0061',
    '\\u{61}', '\\u{1F600}', '\\ud83d\\ude00', '\\ud83d', '[\\ud83d\\ude00]', '[\\u{1f600}-\\u{1f64f}]', '\\cH', '\\0', '[\\b]', '\\t|\\v|\\f|\\r|\\n', 'é',
    '[é]', 'Ω', '\\p{L}', '\\P{L}', '\\p{Lu}', '[\\p{Lu}\\d]', '[^\\p{L}]', '\\p{Script=Greek}', '\\p{sc=Latin}', '\\p{gc=Nd}', '\\p{Any}', '(?s:a.b)',
    '(?i:A)b', 'k', 's', '\\$|\\^|\\*', '^https?:\\/\\/(?:www\\.)?example\\.org\\/', '[?&]c=%20', 'x{0}', '(?:a{1,3}){2}', '%[0-9a-f]{2}',
  ])('%s', (written) => {
    for (const flags of ['u', 'iu']) {
      // Rejected with a reason, because JavaScript gives it another meaning.
      if (flags === 'iu' && written.includes('\\P')) continue
      const expression = new RegExp(written, flags)
      for (const text of texts)
        expect([text, flags, matches(written, text, flags === 'iu')]).toEqual([text, flags, expression.test(text)])
    }
  }) // prettier-ignore
})

describe("additions to JavaScript's syntax", () => {
  test.each<[written: string, text: string, isMatch: boolean]>([
    ['(?i)CALENDAR', '/Calendar/', true],
    ['a(?i)b', 'aB', true],
    ['a(?i)b', 'AB', false],
    ['(?:(?i)a)b', 'AB', false],
    ['(?i)a(?-i)b', 'Ab', true],
    ['(?i)a(?-i)b', 'AB', false],
    ['(?s)a.b', 'a\nb', true],
    ['(?is:A.B)', 'a\nb', true],
    ['(?P<name>a)', 'a', true],
    ['\\&\\=\\-\\_\\%', '&=-_%', true],
    ['\\p{Greek}', 'Ω', true],
  ])('%s on %j', (written, text, isMatch) => expect(matches(written, text)).toBe(isMatch))
})

describe('rejects invalid patterns and names the part at fault', () => {
  test.each<[written: string, code: PatternProblemCode, part: string]>([
    ['/calendar/(?!2026)', 'lookahead', '(?!'],
    ['(?=a)b', 'lookahead', '(?='],
    ['(?<=a)b', 'lookbehind', '(?<='],
    ['(?<!a)b', 'lookbehind', '(?<!'],
    ['/([^/]+)/\\1/', 'backreference', '\\1'],
    ['(?<x>a)\\k<x>', 'backreference', '\\k'],
    ['(?P<x>a)(?P=x)', 'backreference', '(?P='],
    ['(?>a+)b', 'atomicGroup', '(?>'],
    ['a++b', 'possessive', 'a++'],
    ['a{2}{3}', 'possessive', 'a{2}{3}'],
    ['a**', 'possessive', 'a**'],
    ['a(?#note)', 'comment', '(?#'],
    ['(?m)^a', 'flag', '(?m)'],
    ['(?x: a)', 'flag', '(?x:'],
    ['(?|a)', 'group', '(?|'],
    ['[[:alpha:]]', 'posixClass', '[:alpha:]'],
    ['\\p{Letter}', 'property', '\\p{Letter}'],
    ['\\pL', 'property', '\\p'],
    ['(?i)\\P{Lu}', 'negatedProperty', '\\P{Lu}'],
    ['\\Aa', 'escape', '\\A'],
    ['\\Qa.b\\E', 'escape', '\\Q'],
    ['\\é', 'escape', '\\é'],
    ['[\\1]', 'escape', '\\1'],
    ['\\x1', 'incompleteEscape', '\\x'],
    ['\\u{110000}', 'incompleteEscape', '\\u{110000}'],
    ['a\\', 'trailingBackslash', '\\'],
    ['(a', 'unclosedGroup', '(a'],
    ['a)', 'unopenedGroup', ')'],
    ['[a', 'unclosedClass', '[a'],
    ['[a-', 'unclosedClass', '[a-'],
    ['a]', 'unopenedClass', ']'],
    ['[]a]', 'unopenedClass', ']'],
    ['a{b}', 'brace', '{'],
    ['a{,3}', 'brace', '{'],
    ['a}', 'brace', '}'],
    ['*.html', 'nothingToRepeat', '*'],
    ['(?:+a)', 'nothingToRepeat', '+'],
    ['{2}', 'nothingToRepeat', '{2}'],
    ['^*', 'nothingToRepeat', '*'],
    ['\\b+', 'nothingToRepeat', '+'],
    ['(?<1>a)', 'groupName', '(?<'],
    ['[b-a]', 'rangeOrder', 'b-a'],
    ['[\\d-x]', 'rangeEnd', '\\d-x'],
    ['a{3,2}', 'quantifierOrder', '{3,2}'],
    ['a{1001}', 'tooManyRepeats', 'a{1001}'],
    ['(?:a{100}){11}', 'tooManyRepeats', '(?:a{100}){11}'],
    ['(?:abcdefgh){1000}', 'tooLarge', ''],
  ])('%s', (written, code, part) => {
    expect(readPattern(written)).toEqual({ problem: { code, part } })
  })

  test('rejects patterns that are too long or too deep', () => {
    expect(readPattern('a'.repeat(patternInstructionsMax + 1))).toEqual({ problem: { code: 'tooLarge', part: '' } })
    expect(readPattern('('.repeat(101) + ')'.repeat(101))).toEqual({ problem: { code: 'tooDeep', part: '' } })
  })
})

const signs = ['', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}', '*?', '+?', '??']

/** Generates patterns from parts that are valid in most combinations. Flags inside of patterns (`(?i:a)`) are left out, because V8
 *  applies them to a `\\w` that follows the group as well. `ofGroups`: quantifiers of groups; with nested ones the search of
 *  JavaScript takes exponential time. */
function outOfParts(itemsMax: number, ofGroups: readonly string[]) {
  return fc.letrec<{ choice: string; sequence: string; item: string }>((tie) => ({
    choice: fc.array(tie('sequence'), { minLength: 1, maxLength: itemsMax }).map((parts) => parts.join('|')),
    sequence: fc.array(tie('item'), { maxLength: itemsMax }).map((parts) => parts.join('')),
    item: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.tuple(leaf, fc.constantFrom(...signs)).map((parts) => parts.join('')),
      fc.tuple(tie('choice'), fc.constantFrom('(', '(?:', '(?:^'), fc.constantFrom(')', ')', '$)'), fc.constantFrom(...ofGroups))
        .map(([inner, opening, closing, sign]) => `${opening}${inner}${closing}${sign}`),
    ),
  })).choice // prettier-ignore
}

const leaf = fc.constantFrom(
  'a', 'b', 'A', '/', '\\.', '.', '\\d', '\\w', '\\s', '\\W', '\\S', 'é', '\\u{1f600}', '1', 'k', '-', ' ', '[ab]', '[^a]', '[a-c1]',
  '[^\\s]', '[\\w.]', '[\\W]', '[\\s1]', '[^]', '[A-Z]', '[é-ü]', '[^\\W]', '\\p{Lu}',
) // prettier-ignore
const written = outOfParts(3, ['', '?', '{2}'])
const nested = outOfParts(2, signs)

/** Anything that the keyboard gives. */
const soup = fc
  .array(fc.constantFrom(...'()[]{}*+?|\\^$.,-:<>=!/aAbBdDsSwWpPukx01259LéſK \n'.split(''), '(?', '(?:', '\\p{', '[^', '\u{1f600}'), { maxLength: 12 })
  .map((parts) => parts.join('')) // prettier-ignore

/** Short: JavaScript goes back and forth over them. */
const textOf = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...'abcABk/.1- éÉüſ\u212aK\n\r\v\u2028'.split(''), '\u{1f600}', '\ud83d'), { maxLength })
    .map((parts) => parts.join(''))
const text = textOf(10)

/** Undefined where it is invalid. */
function inJavaScript(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return undefined
  }
}

describe('accepts or rejects any input without throwing', () => {
  /** Patterns that JavaScript accepts and that cannot be matched in linear time or are refused on purpose. */
  const refused: PatternProblemCode[] = [
    'lookahead', 'lookbehind', 'backreference', 'property', 'negatedProperty', 'posixClass', 'flag', 'tooManyRepeats',
  ] // prettier-ignore

  test.each([
    ['parts', written, text],
    ['nested repetitions', nested, textOf(4)],
    ['soup', soup, text],
  ])('of %s, patterns valid in JavaScript mean the same or are rejected with the reason', (_, patterns, given) => {
    fc.assert(
      fc.property(patterns, fc.array(given, { minLength: 1, maxLength: 5 }), fc.boolean(), (pattern, texts, ignoresCase) => {
        const reading = readPattern(pattern, { ignoresCase })
        const expression = inJavaScript(pattern, ignoresCase ? 'iu' : 'u')
        if ('problem' in reading) {
          // Classes that are wide are large where case is ignored.
          if (expression) expect(ignoresCase ? [...refused, 'tooLarge'] : refused).toContain(reading.problem.code)
          return
        }
        const matcher = matcherOf([reading.pattern])
        for (const each of texts) {
          const found = matcher.first(each)
          if (expression) expect([each, found !== undefined]).toEqual([each, expression.test(each)])
        }
      }),
      { numRuns: numRuns * 4 },
    )
  }) // prettier-ignore

  test('finds the first of several patterns that matches, in their order', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 8 }), fc.array(text, { maxLength: 3 }), (patterns, texts) => {
        const first = patterns.find((pattern) => texts.some((each) => new RegExp(pattern, 'u').test(each)))
        expect(matcherOf(patterns.map((pattern) => read(pattern))).first(...texts)?.written).toBe(first)
      }),
      { numRuns },
    )
  })

  test('compiles to about the predicted number of instructions', () => {
    fc.assert(
      fc.property(written, (pattern) => {
        const { source, size } = read(pattern)
        expect(size * 2 + 10).toBeGreaterThanOrEqual(instructionsOf(source))
      }),
      { numRuns },
    )
  })
})

/** Counted by what compiles it. */
function instructionsOf(source: string): number {
  return RE2JS.compile(source).programSize()
}

describe('counts character classes', () => {
  test.each<[written: string, text: string, name: string | null]>([
    ['^[a-z]+://([^/?#]+)', 'https://a.test:8080/b?c', 'a.test:8080'],
    ['\\.(\\w+)$', 'a.b.html', 'html'],
    ['\\d+', 'a12b3', '12'],
    ['(a)|b', 'b', ''],
    ['(?:a)(b)(c)', 'abc', 'b'],
    ['(?<name>b)', 'ab', 'b'],
    ['x', 'abc', null],
    ['', 'abc', ''],
  ])('%s on %s', (pattern, given, name) => expect(classifierOf(read(pattern))(given)).toBe(name))

  test("equals JavaScript's result where nothing empty is repeated", () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '.', '\\w', '[^/]', '/')
    const item = fc.tuple(atom, fc.constantFrom('', '', '+', '?', '*', '+?', '{1,2}')).map((parts) => parts.join(''))
    const sequence = fc.array(item, { maxLength: 4 }).map((parts) => parts.join(''))
    const pattern = fc.tuple(sequence, sequence, sequence).map(([before, inside, behind]) => `${before}(${inside})${behind}`)
    fc.assert(
      fc.property(pattern, text, (each, given) => {
        const found = new RegExp(each, 'u').exec(given)
        expect(classifierOf(read(each))(given)).toBe(found ? (found[1] ?? '') : null)
      }),
      { numRuns },
    )
  }) // prettier-ignore
})

describe('no pattern takes more than linear time', () => {
  /** Each pattern takes exponential time in JavaScript on one of the texts. */
  const catastrophic = [
    '^(a+)+$', '(x+x+)+y', '^(a|a)*$', '^(a|aa)+$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*a){20}', '^(\\w+\\s?)*$', '(?:a?){200}a{200}$',
    '^https?://([^/]+/?)+$!', '(.*)*=(.*)*!', '^(?:a|b|ab)*c$', '(?i)^(A+)+$', '[a-q][^u-z]{400}x',
  ] // prettier-ignore
  const texts = [40, 2_000, 100_000].flatMap((length) =>
    ['a', 'x', 'ab', 'a=', 'https://a/', 'aA '].map((part) => `${part.repeat(Math.ceil(length / part.length))}!`),
  )

  test.each(catastrophic)('%s', (pattern) => {
    const matcher = matcherOf([read(pattern)])
    const classify = classifierOf(read(pattern))
    for (const each of texts) {
      matcher.first(each)
      if (each.length < 10_000) classify(each)
    }
  })

  test('nested repetitions take linear time', () => {
    const atom = fc.constantFrom('a', 'x', '.', '\\w', '[^u-z]', '(?:a|aa)', '(?:x|xx|y)', 'a?')
    const sign = fc.constantFrom('*', '+', '?', '{1,3}', '{2,}', '*?')
    const nested = fc
      .tuple(fc.array(fc.tuple(atom, sign).map((parts) => parts.join('')), { minLength: 1, maxLength: 3 }), fc.array(sign, { minLength: 1, maxLength: 5 }))
      .map(([parts, signs]) => signs.reduce((inner, each) => `(${inner})${each}`, parts.join('')))
    const ends = fc.constantFrom('', '$', 'y', '!')
    fc.assert(
      fc.property(nested, ends, fc.constantFrom(...texts.filter((each) => each.length < 10_000)), (inner, end, each) => {
        const reading = readPattern(`^${inner}${end}`)
        if ('pattern' in reading) matcherOf([reading.pattern]).first(each)
      }),
      { numRuns: Math.ceil(numRuns / 5) },
    )
  }) // prettier-ignore
})
