import { expect, test } from 'vitest'
import { isOurs, type Sender } from './senderCheck.ts'

const frame = { url: 'loupe://interface/#/jobs', top: true }

test.each<[string, Sender, boolean]>([
  ['our page', { frame, webContents: 1 }, true],
  ['another window', { frame, webContents: 2 }, false],
  ['a frame in our page', { frame: { ...frame, top: false }, webContents: 1 }, false],
  ['a destroyed frame', { frame: undefined, webContents: 1 }, false],
  ['an archived page in our window', { frame: { url: 'http://example.com/', top: true }, webContents: 1 }, false],
  ['a host that begins like ours', { frame: { url: 'loupe://interface.example/', top: true }, webContents: 1 }, false],
  ['another host of our scheme', { frame: { url: 'loupe://other/', top: true }, webContents: 1 }, false],
  ['a file', { frame: { url: 'file:///loupe://interface/', top: true }, webContents: 1 }, false],
])('%s', (_what, sender, expected) => {
  expect(isOurs(sender, 1)).toBe(expected)
})
