import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuthorityAnswer } from '../../contract/services/authorities.ts'
import { message } from '../../contract/words/message.ts'
import { assembled, checkedAnswer, unreachable } from './answer.ts'
import { tokenLevels } from '../../contract/shapes/choices.ts'
import { sightOf } from './security.ts'
import { deadAuthorityToken, formEncoded, qualified, type LevelTokens } from './tokens.ts'

/** What secures a document. */
interface DocumentTokens {
  group: string
  levels: Partial<Record<(typeof tokenLevels)[number], LevelTokens>>
}

/** Whether a user with these tokens may see a document. */
function maySee(tokens: ReadonlySet<string>, secures: DocumentTokens | undefined): boolean {
  const rules = tokenLevels.flatMap((each, index) => {
    const given = secures?.levels[each]
    if (!secures || !given) return []
    const { group: of } = secures
    return [
      {
        rule: index + 1,
        job: null,
        surtPrefix: '',
        level: each,
        group: of,
        allow: [...given.allow],
        deny: [...given.deny],
      },
    ]
  })
  return sightOf(rules, tokens).capture({ job: 1, url: 'http://a.test/' })
}

const tokensOf = (...tokens: string[]) => new Set(tokens.map((token) => qualified('g', token)))
const secured = (levels: DocumentTokens['levels']): DocumentTokens => ({ group: 'g', levels })
const level = (allow: string[], deny: string[] = []) => ({ allow, deny })

const rows: [string, ReadonlySet<string>, DocumentTokens | undefined, boolean][] = [
  ['nothing secures it', tokensOf(), undefined, true],
  ['it has no tokens', tokensOf(), secured({}), true],
  ['its levels are empty', tokensOf(), secured({ document: level([]), share: level([]) }), true],
  ['an allow token is held', tokensOf('a'), secured({ document: level(['b', 'a']) }), true],
  ['no allow token is held', tokensOf('c'), secured({ document: level(['b', 'a']) }), false],
  ['a deny token is held too', tokensOf('a', 'd'), secured({ document: level(['a'], ['d']) }), false],
  ['one token allows and denies', tokensOf('a'), secured({ document: level(['a'], ['a']) }), false],
  ['a level only denies', tokensOf('a'), secured({ document: level([], ['d']) }), false],
  ['every level agrees', tokensOf('a', 'b'), secured({ document: level(['a']), parent: level(['b']) }), true],
  ['the share does not agree', tokensOf('a'), secured({ document: level(['a']), share: level(['b']) }), false],
  ['the parent denies', tokensOf('a', 'b'), secured({ document: level(['a']), parent: level(['b'], ['a']) }), false],
  ['a token of another group', new Set([qualified('h', 'a')]), secured({ document: level(['a']) }), false],
  ['the authority is dead', tokensOf('a', deadAuthorityToken), secured({ document: level(['a']) }), false],
  [
    'the authority of another group is dead',
    new Set([...tokensOf('a'), qualified('h', deadAuthorityToken)]),
    secured({ document: level(['a']) }),
    true,
  ],
  ['a dead authority secures nothing of it', tokensOf(deadAuthorityToken), secured({}), true],
]
test.each(rows)('%s', (_, held, document, isVisible) => {
  expect(maySee(held, document)).toBe(isVisible)
})

test('texts are encoded as Java encodes forms', () => {
  expect(formEncoded("a b+c:d/é~!'()*-._%")).toBe('a+b%2Bc%3Ad%2F%C3%A9%7E%21%27%28%29*-._%25')
  expect(formEncoded('\u{D800}')).toBe('%EF%BF%BD')
})

const pair = fc.tuple(fc.string(), fc.string())
test('two pairs of group and token are equal only where both parts are', () => {
  fc.assert(
    fc.property(pair, pair, ([group, token], [otherGroup, otherToken]) => {
      const isSame =
        group.toWellFormed() === otherGroup.toWellFormed() && token.toWellFormed() === otherToken.toWellFormed()
      expect(qualified(group, token) === qualified(otherGroup, otherToken)).toBe(isSame)
    }),
  )
  expect(qualified('a:b', 'c')).not.toBe(qualified('a', 'b:c'))
})

const token = fc.constantFrom('a', 'b', 'c', 'd')
const group = fc.constantFrom('g', 'h')
const levelTokens = fc.record({ allow: fc.array(token, { maxLength: 3 }), deny: fc.array(token, { maxLength: 2 }) })
const document = fc.record({
  group,
  levels: fc.record({ document: levelTokens, parent: levelTokens, share: levelTokens }, { requiredKeys: [] }),
})
const answer: fc.Arbitrary<AuthorityAnswer> = fc
  .record({ group, authority: fc.string(), tokens: fc.array(token, { maxLength: 4 }) })
  .map((given) => ({
    ...{ ...given, description: '', domain: '', user: 'u', status: 'OK', milliseconds: 0, problem: null },
  }))
const answers = fc.array(answer, { minLength: 1, maxLength: 6 })
const at = fc.nat()
const held = (given: readonly AuthorityAnswer[]) => new Set(assembled(given).tokens)

describe('answers of several connections', () => {
  test('give the union of their tokens, in whatever order they come', () => {
    fc.assert(
      fc.property(
        answers.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const union = new Set(all.flatMap((each) => each.tokens.map((one) => qualified(each.group, one))))
          expect(held(all)).toEqual(union)
          expect(assembled(shuffled).tokens).toEqual(assembled(all).tokens)
        },
      ),
    )
  })

  test('show no document because one of them failed', () => {
    fc.assert(
      fc.property(answers, at, document, (all, index, about) => {
        const failing = index % all.length
        const failed = all.map((each, place) =>
          place === failing ? { ...each, ...unreachable(message('connection.working')), problem: null } : each,
        )
        const after = held(failed.map((each) => ({ ...each, tokens: [...each.tokens] })))
        if (maySee(after, about)) expect(maySee(held(all), about)).toBe(true)
      }),
    )
  })

  test('give no further token because one of them was removed', () => {
    fc.assert(
      fc.property(answers, at, document, (all, index, about) => {
        const fewer = all.toSpliced(index % all.length, 1)
        expect([...held(all)]).toEqual(expect.arrayContaining([...held(fewer)]))
        // What a connection denied, it denies no longer when it is removed: only documents without deny tokens stay hidden for certain.
        const allowing = { ...about, levels: withoutDeny(about.levels) }
        if (maySee(held(fewer), allowing)) expect(maySee(held(all), allowing)).toBe(true)
      }),
    )
  })

  test('open a secured document to nobody who has no token of its group', () => {
    fc.assert(
      fc.property(answers, document, (all, about) => {
        const isSecured = Object.values(about.levels).some(({ allow, deny }) => allow.length + deny.length > 0)
        const others = all.filter((each) => each.group !== about.group)
        expect(maySee(held(others), about)).toBe(!isSecured)
      }),
    )
  })
})

function withoutDeny(levels: DocumentTokens['levels']): DocumentTokens['levels'] {
  return Object.fromEntries(Object.entries(levels).map(([name, { allow }]) => [name, { allow, deny: [] }]))
}

test('an answer with too many or too long tokens counts as unreachable, and is not shortened', () => {
  const tooMany = { status: 'OK', tokens: Array.from({ length: 10_001 }, (_, index) => `${index}`) } as const
  expect(checkedAnswer(tooMany)).toMatchObject({ status: 'UNREACHABLE', tokens: [deadAuthorityToken] })
  expect(checkedAnswer({ status: 'OK', tokens: ['x'.repeat(1_001)] })).toMatchObject({ status: 'UNREACHABLE' })
  expect(checkedAnswer({ status: 'OK', tokens: ['x'.repeat(1_000)] })).toMatchObject({ status: 'OK' })
})

test('an authority that says that it is unreachable hides, whatever tokens it gives', () => {
  const tokens = [deadAuthorityToken]
  expect(checkedAnswer({ status: 'UNREACHABLE', tokens: [] })).toEqual({ status: 'UNREACHABLE', tokens })
  const problem = message('connection.working')
  expect(checkedAnswer({ status: 'UNREACHABLE', tokens: ['a'], problem })).toEqual({ ...unreachable(problem), tokens })
})
