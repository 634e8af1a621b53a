import { expect, test } from 'vitest'
import { textOf } from '../words/render.ts'
import { patternProblem } from './pattern.ts'

function problemText(written: string): string | null {
  const problem = patternProblem(written)
  return problem && textOf(problem)
}

test.each<[written: string, text: RegExp]>([
  [
    `(${'a'.repeat(100)}`,
    /^"\(a{39}…": This parenthesis is never closed\. Close it, or write \\\( to match a parenthesis\.$/,
  ],
  ['(?:abcdefgh){1000}', /^The pattern is too large\. /],
  ['(.)\\1', /^"\\1": Backreferences .* \(\?:\/calendar\)\{2\} for a path that contains \/calendar\/calendar\.$/],
  ['a{1001}', /^"a\{1001\}": A repetition of more than 1,000 times, /],
  ['a{', /such as \{2\}, \{2,\} or \{2,5\}\. Write \\\{ or \\\} to match a brace\.$/],
  ['a\\', /Write \\\\ to match a backslash\.$/],
])('the problem about %s names the part, and what to write', (written, text) => {
  expect(problemText(written)).toMatch(text)
})

test('a valid pattern has no problem', () => {
  expect(problemText('/calendar/\\d{4}/')).toBeNull()
})
