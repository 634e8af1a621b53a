/** Runs a program of the project or of its packages in the project's top folder; its output goes to the output of this process. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

const top = join(import.meta.dirname, '..')
/** The compile cache of Node.js, as in `cli.ts`: hundreds of processes and threads load the same modules. */
const compiled = join(top, 'node_modules/.cache/loupe')

/** Returns the exit code; 1 when a signal ended the program or it could not be started, which is reported on standard error. */
export function execute([program = '', ...words]: string[], environment: Record<string, string> = {}): Promise<number> {
  const path = `${join(top, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  return new Promise((resolve) => {
    // On Windows npm's programs are .cmd files, which only a shell can start.
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
