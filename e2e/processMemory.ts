/** Memory of processes on Linux, from /proc (proc_pid_status(5), proc_pid_smaps(5)). */
import { readdir, readFile } from 'node:fs/promises'

/** The peak of the resident memory of a process since its start, in bytes; 0 for one that has ended. */
export async function peakBytesOf(pid: number): Promise<number> {
  return kilobytes(await fileOf(pid, 'status'), 'VmHWM') * 1_024
}

/** Resident memory of all processes that a process has started, directly or not, in bytes. What they share counts once. */
export async function descendantBytesOf(pid: number): Promise<number> {
  const found = (await descendantsOf(pid)).map(async (one) => kilobytes(await fileOf(one, 'smaps_rollup'), 'Pss'))
  return (await Promise.all(found)).reduce((sum, each) => sum + each, 0) * 1_024
}

async function descendantsOf(pid: number): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(
    all.map(async (one) => [one, Number(/^PPid:\s+(\d+)$/m.exec(await fileOf(one, 'status'))?.[1])] as const),
  )
  const childrenOf = (parent: number): number[] =>
    parents.flatMap(([one, its]) => (its === parent ? [one, ...childrenOf(one)] : []))
  return childrenOf(pid)
}

/** Empty for a process that has ended meanwhile. */
async function fileOf(pid: number, name: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return ''
    throw error
  }
}

function kilobytes(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0)
}
