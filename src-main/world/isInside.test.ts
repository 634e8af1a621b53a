import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isInside } from './isInside.ts'

const folder = resolve('/archive')
test.each([
  ['a.mjs', true],
  ['deep/er/a.mjs', true],
  ['..hidden/a.mjs', true],
  ['...', true],
  ['.', false],
  ['..', false],
  ['../a.mjs', false],
  ['../archive-2/a.mjs', false],
])('%s: %s', (way, expected) => expect(isInside(folder, join(folder, way))).toBe(expected))
