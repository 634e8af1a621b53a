/** Modules are installed and deinstalled in real threads. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { textOf } from '../contract/words/render.ts'
import { realWorld } from '../world/real.ts'
import { callInstallation, type InstallationCall } from './installation.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-installation-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = realWorld()
const open = 'export default () => ({})'

/** Calls a module with this text; null: one that does not exist. */
async function called(text: string | null, given: Partial<InstallationCall> = {}, signal?: AbortSignal) {
  const module = join(folder, 'module.mjs')
  rmSync(module, { force: true })
  if (text !== null) writeFileSync(module, text)
  const call = { ...({ module, function: 'install', isVersioned: false } as const), ...given }
  const result = await callInstallation({ world, archiveFolders: [join(folder, 'archive')] }, call, signal)
  return 'problem' in result ? textOf(result.problem) : result.version
}

const deinstall = { function: 'deinstall' } as const
const isVersioned = true

const rows: [string, string | null, Partial<InstallationCall>, RegExp | string | null][] = [
  ['without functions', open, {}, null],
  ['with a version', `${open}; export const version = 7`, { isVersioned }, '7'],
  ['without the version that it must have', open, { isVersioned }, /cannot be used: it must export a version/],
  ['without a default export', 'export const install = () => undefined', {}, /no default export/],
  ['without a default export, when it is deinstalled', 'export const a = 1', deinstall, null],
  ['that does not exist', null, {}, /There is no file/],
  ['that does not exist any more', null, deinstall, null],
  ['whose function rejects', `${open}; export const deinstall = async () => { throw new Error('busy') }`, deinstall, /deinstall\(\) failed: busy\.$/],
  ['that ends its thread', `${open}; export const install = () => process.exit(1)`, {}, /cannot be used/],
] // prettier-ignore
test.each(rows)('a module %s', async (_, text, call, expected) => {
  const result = await called(text, call)
  if (expected instanceof RegExp) expect(result).toMatch(expected)
  else expect(result).toBe(expected)
})

test('a module that never ends is ended', async () => {
  const [stop, begun] = [new AbortController(), join(folder, 'begun')]
  const text = `import { mkdirSync } from 'node:fs'
    ${open}; export const install = () => { mkdirSync(${JSON.stringify(begun)}); for (;;); }`
  const calling = called(text, {}, stop.signal)
  await expect.poll(() => existsSync(begun), { timeout: 30_000 }).toBe(true)
  stop.abort(new Error('the engine is closing'))
  await expect(calling).rejects.toThrow('the engine is closing')
})
