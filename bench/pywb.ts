/** Runs pywb as a proxy for some WARC files, as its manual describes (`pip install pywb`): without rewriting and without a banner. */
import { execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { answers, ended, freePort, programOfSystem } from './realSite.ts'

const execute = promisify(execFile)
const configuration = `
proxy:
  coll: all
  enable_banner: false
  enable_content_rewrite: false
  enable_wombat: false
`

/** A running pywb. */
export interface Pywb {
  name: string
  port: number
  pid: number | undefined
  stop(): Promise<void>
}

/** Starts pywb; undefined when it is not installed. */
export async function startPywb(folder: string, files: readonly string[]): Promise<Pywb | undefined> {
  const [manager, wayback] = [await programOfSystem('wb-manager'), await programOfSystem('wayback')]
  if (manager === undefined || wayback === undefined) return undefined
  const cwd = join(folder, 'pywb')
  await mkdir(cwd)
  await writeFile(join(cwd, 'config.yaml'), configuration)
  await execute(manager, ['init', 'all'], { cwd })
  await execute(manager, ['add', 'all', ...files], { cwd })
  const port = await freePort()
  const child = spawn(wayback, ['--bind', '127.0.0.1', '--port', String(port), '--threads', '8'], {
    cwd,
    stdio: 'ignore',
  })
  await answers(port, child)
  return { name: 'pywb', port, pid: child.pid, stop: () => ended(child) }
}
