/** Runs programs of this machine through node:child_process: without a shell, with a bound on time and on their output. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { ProgramFault, type Program, type ProgramEnd } from './world.ts'

/** Bytes kept of a program's output: the expected answers have a few hundred characters. */
const printedBytesMax = 1_000_000

/** Implements `Programs.run`. */
export function runProgram({ name, words, input, runMsMax }: Program): Promise<ProgramEnd> {
  return new Promise<ProgramEnd>((resolve, reject) => {
    const child = started(name, words)
    const fail = (fault: ProgramFault) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(fault)
    }
    const timer = setTimeout(() => {
      fail(new ProgramFault('timeout', name))
    }, runMsMax)
    const output = printedBy(child.stdout)
    const errors = printedBy(child.stderr)
    child.on('error', (error) => fail(startFault(name, error)))
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer)
      if (exitCode === null) reject(new ProgramFault('killed', name, { detail: String(signal) }))
      else resolve({ exitCode, output: output(), errors: errors() })
    })
    // A program that ends without reading its input reports that through its exit code.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

/** Starts the program. Node throws some faults of the start (such as E2BIG) and reports others as an event. */
function started(name: string, words: readonly string[]): ChildProcessWithoutNullStreams {
  try {
    return spawn(name, words, { stdio: 'pipe', windowsHide: true })
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw startFault(name, error)
    throw error
  }
}

function startFault(name: string, error: Error & { code?: unknown }): ProgramFault {
  if (error.code === 'ENOENT') return new ProgramFault('absent', name, { cause: error })
  return new ProgramFault('failed', name, { detail: error.message, cause: error })
}

/** Collects what a program prints. The returned function gives the text so far. */
function printedBy(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    if (bytes < printedBytesMax) chunks.push(chunk)
    bytes += chunk.length
  })
  return () => Buffer.concat(chunks).subarray(0, printedBytesMax).toString('utf8')
}
