import { expect, test } from 'vitest'
import { chooseShell, hasDisplay, type Facts } from './chooseShell.ts'

const all: Facts = { windowWanted: true, display: true, electron: { path: '/e' }, chromium: { path: '/c' } }
const noElectron = { path: undefined, why: "Electron's binary cannot be fetched (fetch failed)" } as const
const noChromium = { path: undefined, why: 'No Chromium was found.', command: 'sudo apt-get install chromium' } as const

test.each<[string, Facts, string, RegExp]>([
  ['everything is there', all, 'electron', /^Opening in Electron \(\/e\)\.$/],
  [
    'no Electron',
    { ...all, electron: noElectron },
    'chromium',
    /window of \/c, because Electron's binary cannot be fetched \(fetch failed\)\.$/,
  ],
  [
    'neither',
    { ...all, electron: noElectron, chromium: noChromium },
    'address',
    /because .* No Chromium was found\. To fix this: sudo apt-get/,
  ],
  ['no display', { ...all, display: false }, 'address', /no display/],
  ['no window wanted', { ...all, windowWanted: false, display: false }, 'address', /because of --no-window/],
])('%s', (_what, facts, kind, why) => {
  const choice = chooseShell(facts)
  expect(choice.kind).toBe(kind)
  expect(choice.why).toMatch(why)
  expect(choice.why).not.toContain('\n')
})

test.each<[NodeJS.Platform, Record<string, string>, boolean]>([
  ['linux', {}, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['darwin', {}, true],
  ['win32', {}, true],
])('a display on %s with %o: %s', (platform, environment, expected) => {
  expect(hasDisplay(platform, environment)).toBe(expected)
})
