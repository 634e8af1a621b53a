import { expect, test } from 'vitest'
import { pageCommandIn, suggestedNameIn } from './ipc.ts'

const bounds = { x: 0, y: 48, width: 800, height: 600 }

test.each<[unknown, boolean]>([
  [{ kind: 'show', bounds }, true],
  [{ kind: 'open', url: 'http://example.com/' }, true],
  [{ kind: 'hide' }, true],
  [{ kind: 'reload' }, true],
  [{ kind: 'show' }, false],
  [{ kind: 'show', bounds: { ...bounds, x: Number.NaN } }, false],
  [{ kind: 'open', url: 7 }, false],
  [{ kind: 'destroy' }, false],
  ['hide', false],
  [null, false],
])('%j is a command: %s', (message, expected) => {
  expect(pageCommandIn(message)).toEqual(expected ? message : undefined)
})

test.each<[unknown, string]>([
  ['job-3.wacz', 'job-3.wacz'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['C:\\Windows\\x', 'C__Windows_x'],
  [7, ''],
  [{}, ''],
  ['x'.repeat(500), 'x'.repeat(200)],
])('%j is suggested as %j, never as a path', (message, expected) => expect(suggestedNameIn(message)).toBe(expected))
