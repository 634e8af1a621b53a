import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { vote, type Ballot, type Answer } from './vote.ts'

/** A letter is a checksum; '-' missing, '!' known to differ, '?' unknown. The first is the registered one. */
function ballotOf(text: string): Ballot {
  const [registered = 'a', ...copies] = text.split(' ')
  return {
    registered,
    copies: copies.map((answer, index) => ({ replica: `R${index + 1}`, answer: answerOf(answer) })),
  }
}

function answerOf(text: string): Answer {
  if (text === '-') return { kind: 'missing' }
  if (text === '!') return { kind: 'differs' }
  if (text === '?') return { kind: 'unknown' }
  return { kind: 'checksum', checksum: text }
}

const letters = { right: '+', corrupt: 'x', missing: '-', unknown: '?' }
function shown(text: string): string {
  const { winner, registered, copies } = vote(ballotOf(text))
  return `${winner ?? 'none'} ${registered} ${copies.map(({ verdict }) => letters[verdict]).join('')}`
}

/** The rule of the database based implementation, as semantics 7.2 tells it: what Loupe does not do. */
function plurality(text: string): string {
  const { copies } = ballotOf(text)
  const present = copies.flatMap(({ answer }) => (answer.kind === 'checksum' ? [answer.checksum] : []))
  const counts = [...Map.groupBy(present, (checksum) => checksum)].map(([checksum, all]) => ({ checksum, count: all.length })) // prettier-ignore
  const most = Math.max(...counts.map(({ count }) => count))
  const first = counts.filter(({ count }) => count === most)
  return first.length === 1 ? (first[0]?.checksum ?? 'none') : 'none'
}

describe('verdicts', () => {
  const rows: [what: string, ballot: string, outcome: string][] = [
    ['two replicas, all agree', 'a a a', 'a right ++'],
    ['two replicas disagree: the register decides', 'a a b', 'a right +x'],
    ['two replicas agree against the register', 'a b b', 'b wrong ++'],
    ['two replicas, three opinions: a tie', 'a b c', 'none unknown ??'],
    ['two replicas, one gone: register and copy', 'a a -', 'a right +-'],
    ['two replicas, one missing, the other bad: unknown', 'a b -', 'none unknown ?-'],
    ['two replicas, both gone: the registered checksum alone is not a majority', 'a - -', 'none unknown --'],
    ['two replicas, one of another length', 'a a !', 'a right +x'],
    ['two replicas, one never read', 'a a ?', 'a right +?'],
    ['two replicas, neither read', 'a ? ?', 'none unknown ??'],
    ['three replicas, all agree', 'a a a a', 'a right +++'],
    ['three replicas, one bad', 'a a a b', 'a right ++x'],
    ['three replicas, two against the register: two against two', 'a a b b', 'none unknown ???'],
    ['three replicas, all against the register', 'a b b b', 'b wrong +++'],
    ['three replicas, all differ', 'a b c d', 'none unknown ???'],
    ['three replicas, register and one against two others', 'a a b c', 'none unknown ???'],
    ['three replicas, two gone: two of four are not a majority', 'a a - -', 'none unknown ?--'],
    ['three replicas against the register, one of another length', 'a b b b', 'b wrong +++'],
    ['four replicas: the copies agree against the register, one differs from it', 'a b b b !', 'b wrong +++?'],
    ['one replica agrees', 'a a', 'a right +'],
    ['one replica disagrees: a tie', 'a b', 'none unknown ?'],
  ]
  test.each(rows)('%s', (_, ballot, outcome) => expect(shown(ballot)).toBe(outcome))
})

describe('where the two rules of NetarchiveSuite differ', () => {
  const rows: [what: string, ballot: string, fileBased: string | null, databaseBased: string][] = [
    ['two replicas disagree: decided by the register, a tie without it', 'a a b', 'a', 'none'],
    ['a single holder: not by itself, and by itself', 'a b -', null, 'b'],
    ['two of three: not a majority of four, and the most frequent', 'a b b c', null, 'b'],
    ['they agree where all do', 'a a a', 'a', 'a'],
  ]
  test.each(rows)('%s', (_, ballot, fileBased, databaseBased) => {
    expect(vote(ballotOf(ballot)).winner).toBe(fileBased)
    expect(plurality(ballot)).toBe(databaseBased)
  })
})

describe('for any votes', () => {
  const opinion = fc.constantFrom('a', 'b', 'c', '-', '!', '?')
  const ballots = fc
    .tuple(fc.constantFrom('a', 'b'), fc.array(opinion, { minLength: 1, maxLength: 7 }))
    .map(([registered, copies]) => [registered, ...copies].join(' '))

  test('the order of the replicas changes nothing (10.3, 13)', () => {
    fc.assert(
      fc.property(
        ballots.chain((text) => {
          const { registered, copies } = ballotOf(text)
          return fc.record({
            ballot: fc.constant({ registered, copies }),
            other: fc.shuffledSubarray([...copies], { minLength: copies.length }),
          })
        }),
        ({ ballot, other }) => {
          const byName = (all: ReturnType<typeof vote>['copies']) => all.toSorted((a, b) => a.replica.localeCompare(b.replica)) // prettier-ignore
          const [first, second] = [vote(ballot), vote({ ...ballot, copies: other })]
          expect({ ...first, copies: byName(first.copies) }).toEqual({ ...second, copies: byName(second.copies) })
        },
      ),
    )
  })
  test('there is a winner exactly when more than half of R + 1 votes are for it (10.3, 14)', () => {
    fc.assert(
      fc.property(ballots, (text) => {
        const [...said] = text.split(' ')
        const { winner, votes, needed } = vote(ballotOf(text))
        const most = ['a', 'b', 'c'].find((letter) => said.filter((one) => one === letter).length * 2 > said.length)
        expect(winner).toBe(most ?? null)
        expect(votes >= needed).toBe(winner !== null)
      }),
    )
  })
  test('without a winner no copy is right or corrupt; with one, the copies that have it are right', () => {
    fc.assert(
      fc.property(ballots, (text) => {
        const { winner, copies } = vote(ballotOf(text))
        for (const { verdict, checksum } of copies) {
          if (winner === null) expect(['missing', 'unknown']).toContain(verdict)
          else expect(verdict === 'right').toBe(checksum === winner)
        }
      }),
    )
  })
})
