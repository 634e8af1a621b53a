/** The desktop shell in Electron. Skipped where Electron's binary is not installed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron as electron, expect, test } from '@playwright/test'
import '../../src-renderer/links/window.ts'
import { presentElectron } from '../../src-main/shells/launch/electronBinary.ts'

const binary = presentElectron()
test.skip(
  binary.path === undefined,
  binary.path === undefined ? `${binary.why}: the desktop shell is not driven here` : '',
)

test('the desktop application opens a new archive, and closes cleanly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-electron-'))
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const application = await electron.launch({
    executablePath: binary.path ?? '',
    args: [join(import.meta.dirname, '../..'), ...asRoot, '--archive', folder],
  })
  const page = await application.firstWindow()
  await expect(page.getByRole('navigation')).toBeVisible()
  const offered = ['askWhere', 'call', 'listen', 'onCommand', 'page', 'pathOf', 'showExported']
  expect(await page.evaluate(() => Object.keys(window.loupe ?? {}).sort())).toEqual(offered)
  expect(await page.evaluate(() => 'require' in globalThis || 'process' in globalThis)).toBe(false)
  const about = await page.evaluate(() => window.loupe?.call('system.about', {}))
  expect(about).toMatchObject({ value: { shell: 'electron', archive: folder } })
  await application.close()
  await rm(folder, { recursive: true })
})
