/** Runs a program of the project or of its packages, in its top folder, with what it prints on our own output. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

const top = join(import.meta.dirname, '..')
/** Hundreds of processes and threads load the same modules: each is turned into something that runs once. As in `cli.ts`. */
const compiled = join(top, 'node_modules/.cache/loupe')

/** How it ended; 1 when it could not be started, which is said. */
export function execute([program = '', ...words]: string[], environment: Record<string, string> = {}): Promise<number> {
  const path = `${join(top, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  return new Promise((resolve) => {
    // npm's programs on Windows are .cmd files, which only its shell can start.
    const child = spawn(program, words, {
      cwd: top,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...environment, PATH: path },
    })
    child.on('error', (error) => {
      console.error(`${program} cannot be started: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
