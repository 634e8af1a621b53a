/** Provides a Chromium for the specs: an installed one, else Playwright's, else Debian's. Each attempt is limited in time and
 *  reported; when all fail, the result names the command to type. The product itself never installs anything. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium, type Found } from '../src-main/shells/server/chromium.ts'

/** Time limit of one attempt. A browser is about 200 MB; where the download takes longer, the user has to start it. */
const installMsMax = 10 * 60_000

const ways = [
  { words: ['npx', 'playwright', 'install', 'chromium'], possible: () => true },
  { words: ['apt-get', 'update'], possible: isDebianRoot },
  { words: ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'], possible: isDebianRoot },
]

/** Returns the path of a Chromium, after installing one if necessary; without a path when every attempt failed. */
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
