import { expect, test } from 'vitest'
import { contract } from '../../contract/contract.ts'
import type { Call, Event } from '../../contract/calls/service.ts'
import { menus } from './menu.ts'

const platforms = ['darwin', 'linux', 'win32'] as const
const itemsOn = (platform: NodeJS.Platform) => menus(platform).flatMap(({ items }) => items)

test.each(platforms)('on %s every call is in the contract and has a valid input', (platform) => {
  const calls = itemsOn(platform).flatMap(({ does }) => (does.kind === 'call' ? [does] : []))
  expect(calls.length).toBeGreaterThan(0)
  for (const { name, input } of calls) {
    const [service = '', member = ''] = name.split('.')
    const found = (contract as Record<string, Record<string, Call | Event>>)[service]?.[member]
    expect(found?.kind === 'call' && found.input.safeParse(input).success, name).toBe(true)
  }
})

test.each(platforms)('on %s no shortcut is used twice, and every item has a label', (platform) => {
  const items = itemsOn(platform)
  const keys = items.flatMap(({ accelerator }) => (accelerator ? [accelerator] : []))
  expect(new Set(keys).size).toBe(keys.length)
  for (const { label, does } of items)
    expect(label !== '' || does.kind === 'role' || does.kind === 'separator').toBe(true)
})

/** Shortcuts that Electron assigns to these roles in addition to ours. `close`, usually W, has a different shortcut here. */
const keysOfRoles = [
  ...['X', 'C', 'V', 'A', 'Z', 'Y', 'Q', 'M', 'H', '0', 'Plus', '-', '='].map((key) => `commandorcontrol+${key}`),
  ...['I', 'Z', 'V', '=', 'Plus'].map((key) => `commandorcontrol+shift+${key}`),
  ...['alt+commandorcontrol+I', 'alt+commandorcontrol+H', 'control+commandorcontrol+F', 'F11'],
].map((key) => key.toLowerCase())

test.each(platforms)('on %s no key is one that the system or Electron has for something else', (platform) => {
  const keys = itemsOn(platform).flatMap(({ accelerator }) => accelerator?.toLowerCase() ?? [])
  expect(keys.filter((key) => keysOfRoles.includes(key))).toEqual([])
})

test.each(platforms)('on %s every check and every screen is reached, and one can leave', (platform) => {
  const items = itemsOn(platform)
  const labels = items.map(({ label }) => label)
  for (const label of [
    'New harvest…',
    'Import…',
    'Export…',
    'Quick open…',
    'Open in viewer',
    'Keyboard shortcuts…',
    'Check for missing files',
    'Check all checksums',
    'Spot check…',
    'Repair…',
    'Attic',
    'Preservation report',
    'Audit log',
    'Jobs',
    'Viewer',
    'Archive',
    'Settings…',
    'New tab',
    'Close tab',
    'Next tab',
    'Previous tab',
    'Reload',
    'Find in page…',
  ])
    expect(labels).toContain(label)
  expect(items.some(({ does }) => does.kind === 'role' && does.role === 'quit')).toBe(true)
})
