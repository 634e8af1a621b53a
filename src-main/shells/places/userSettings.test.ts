import { expect, test } from 'vitest'
import { userSettingsIn } from './userSettings.ts'

test.each<[string, NodeJS.Platform, Record<string, string>, string]>([
  ['Linux', 'linux', {}, '/home/ann/.config/loupe/loupe.toml'],
  ['Linux with a folder', 'linux', { XDG_CONFIG_HOME: '/conf' }, '/conf/loupe/loupe.toml'],
  ['Linux with a relative folder', 'linux', { XDG_CONFIG_HOME: 'conf' }, '/home/ann/.config/loupe/loupe.toml'],
  ['macOS', 'darwin', {}, '/home/ann/Library/Application Support/loupe/loupe.toml'],
])('%s', (_name, platform, env, expected) => {
  expect(userSettingsIn({ platform, env, home: '/home/ann' })).toBe(expected)
})
