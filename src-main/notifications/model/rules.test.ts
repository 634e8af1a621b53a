import { expect, test } from 'vitest'
import { textOf } from '../../contract/words/render.ts'
import { destinationsOf, readRule, type Rule } from './rules.ts'

function rule(text: string): Rule {
  const read = readRule(text)
  if ('problem' in read) throw new Error(textOf(read.problem))
  return read
}

const anna = 'email:anna@library.example'
const rows: [string, string[], Parameters<typeof destinationsOf>[1], string[]][] = [
  ['all kinds', ['all -> log'], { kind: 'test', harvest: null }, ['log:']],
  ['errors only', ['errors -> desktop'], { kind: 'abnormalRun', harvest: 'News' }, []],
  ['warnings include errors', ['warnings -> desktop'], { kind: 'jobFailed', harvest: null }, ['desktop:']],
  ['named kinds', [`abnormalRun, jobFailed -> ${anna}`], { kind: 'jobFailed', harvest: null }, [anna]],
  ['a harvest', [`all in news* -> ${anna}`], { kind: 'abnormalRun', harvest: 'News, daily' }, [anna]],
  ['another harvest', [`all in news* -> ${anna}`], { kind: 'abnormalRun', harvest: 'Elections' }, []],
  ['no harvest', [`all in * -> ${anna}`], { kind: 'problem', harvest: null }, []],
  ['parts of a name', ['all in a*b*c -> log'], { kind: 'test', harvest: 'a1b2c' }, ['log:']],
  ['overlapping parts', ['all in ab*bc -> log'], { kind: 'test', harvest: 'abc' }, []],
  [
    'each destination once',
    ['all -> log', 'errors -> log, desktop'],
    { kind: 'problem', harvest: null },
    ['log:', 'desktop:'],
  ],
]
test.each(rows)('%s', (_name, rules, about, expected) => {
  const found = destinationsOf(rules.map(rule), about)
  expect(found.map(({ channel, recipient }) => `${channel}:${recipient}`)).toEqual(expected)
})

test.each<[string, RegExp]>([
  ['errors', /must have the form/],
  ['error -> log', /no known kind: "error"/],
  ['all -> pager', /no known channel: "pager"/],
  ['all -> email', /no known channel: "email"/],
  ['all -> webhook:http://x', /no known channel/],
])('%j is refused', (text, problem) => {
  const read = readRule(text)
  expect('problem' in read ? textOf(read.problem) : 'accepted').toMatch(problem)
})
