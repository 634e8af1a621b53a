/** A minimal test process for `specs/leftRunning.browser.spec.ts`: starts an engine and a browser, prints their process ids and waits
 *  until it is killed. */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../src-main/shells/server/chromium.ts'
import { initArchive, startLoupe } from './loupeProcess.ts'
import { ownChildren } from './ownedProcesses.ts'

ownChildren()
const folder = mkdtempSync(join(tmpdir(), 'left-running-'))
const archive = await initArchive(join(folder, 'archive'))
const engine = startLoupe(['--archive', archive, '--json', 'serve'])
await engine.line(/"url"/)
const { path = '' } = findChromium()
const flags = ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${join(folder, 'profile')}`]
const browser = spawn(path, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
for await (const text of browser.stderr.setEncoding('utf8')) {
  // By now all processes of the browser have been started.
  if (String(text).includes('DevTools listening')) console.log(JSON.stringify([engine.child.pid, browser.pid]))
}
