/** A Chromium for the specs: one that is here, else Playwright's own, else Debian's. Each try is bounded, and says what it
 *  does; a machine without any is told what to type. The product itself never installs anything. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium, type Found } from '../src-main/shells/server/chromium.ts'

/** A browser is about 200 MB; on a line that needs longer, a person decides. */
const installMsMax = 10 * 60_000

const ways = [
  { words: ['npx', 'playwright', 'install', 'chromium'], possible: () => true },
  { words: ['apt-get', 'update'], possible: isDebianRoot },
  { words: ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'], possible: isDebianRoot },
]

export async function obtainChromium(say: (line: string) => void): Promise<Found> {
  for (const { words, possible } of ways) {
    const found = findChromium()
    if (found.path !== undefined) return found
    if (!possible()) continue
    say(`${found.why} Trying: ${words.join(' ')}`)
    const failed = await attempt(words)
    if (failed !== undefined) say(`That failed: ${failed}`)
  }
  return findChromium()
}

function isDebianRoot(): boolean {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0
}

function attempt([program = '', ...words]: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: installMsMax,
      shell: process.platform === 'win32',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)))
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code) =>
      resolve(code === 0 ? undefined : (said.trim().split('\n')[0] ?? '') || `it ended with code ${code}`),
    )
  })
}
