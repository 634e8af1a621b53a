import { expect, test } from 'vitest'
import { pageCommandIn, pictureWantedIn, suggestedNameIn } from './ipc.ts'

const bounds = { x: 0, y: 48, width: 800, height: 600 }

test.each<[unknown, boolean]>([
  [{ kind: 'show', tab: 1, bounds }, true],
  [{ kind: 'open', tab: 1, url: 'http://example.com/' }, true],
  [{ kind: 'hide' }, true],
  [{ kind: 'reload', tab: 2 }, true],
  [{ kind: 'keep', tabs: [1, 2] }, true],
  [{ kind: 'keep', tabs: [] }, true],
  [{ kind: 'find', text: 'lamp', isForward: true }, true],
  [{ kind: 'show', tab: 1 }, false],
  [{ kind: 'show', bounds }, false],
  [{ kind: 'show', tab: 1, bounds: { ...bounds, x: Number.NaN } }, false],
  [{ kind: 'open', tab: 1, url: 7 }, false],
  [{ kind: 'open', tab: 'one', url: 'http://example.com/' }, false],
  [{ kind: 'reload' }, false],
  [{ kind: 'keep', tabs: [1, '2'] }, false],
  [{ kind: 'keep', tabs: 1 }, false],
  [{ kind: 'find', text: 'lamp' }, false],
  [{ kind: 'destroy' }, false],
  ['hide', false],
  [null, false],
])('%j is a command: %s', (message, expected) => {
  expect(pageCommandIn(message)).toEqual(expected ? message : undefined)
})

const wanted = { form: 'png', path: '/home/a/b.png', captured: '2011-05-03T12:00:00Z' }

test.each<[unknown, boolean]>([
  [wanted, true],
  [{ ...wanted, form: 'pdf' }, true],
  [{ ...wanted, form: 'gif' }, false],
  [{ ...wanted, path: 7 }, false],
  [{ ...wanted, captured: 'lately' }, false],
  [undefined, false],
])('%j is a picture: %s', (message, expected) => {
  expect(pictureWantedIn(message)).toEqual(expected ? message : undefined)
})

test.each<[unknown, string]>([
  ['job-3.wacz', 'job-3.wacz'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['C:\\Windows\\x', 'C__Windows_x'],
  [7, ''],
  [{}, ''],
  ['x'.repeat(500), 'x'.repeat(200)],
])('%j is suggested as %j, never as a path', (message, expected) => expect(suggestedNameIn(message)).toBe(expected))
