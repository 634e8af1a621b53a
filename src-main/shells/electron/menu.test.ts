import { expect, test } from 'vitest'
import { contract } from '../../contract/contract.ts'
import type { Call, Event } from '../../contract/calls/service.ts'
import { menus } from './menu.ts'

const platforms = ['darwin', 'linux', 'win32'] as const
const itemsOn = (platform: NodeJS.Platform) => menus(platform).flatMap(({ items }) => items)

test.each(platforms)('on %s every call is one of the contract, with an input of its shape', (platform) => {
  const calls = itemsOn(platform).flatMap(({ does }) => (does.kind === 'call' ? [does] : []))
  expect(calls.length).toBeGreaterThan(0)
  for (const { name, input } of calls) {
    const [service = '', member = ''] = name.split('.')
    const found = (contract as Record<string, Record<string, Call | Event>>)[service]?.[member]
    expect(found?.kind === 'call' && found.input.safeParse(input).success, name).toBe(true)
  }
})

test.each(platforms)('on %s no key is given twice, and every item has a name', (platform) => {
  const items = itemsOn(platform)
  const keys = items.flatMap(({ accelerator }) => (accelerator ? [accelerator] : []))
  expect(new Set(keys).size).toBe(keys.length)
  for (const { label, does } of items)
    expect(label !== '' || does.kind === 'role' || does.kind === 'separator').toBe(true)
})

/** What Electron gives these roles by itself, in addition to what is given here. `close`, of W, has another key. */
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
