/** `loupe preserve status|missing|checksums`: bit preservation. */
import type { CheckSummary, Loupe } from '../../../contract/contract.ts'
import type { Command, ExitCode } from '../command.ts'
import { bytesText, table } from '../output.ts'

const lookMs = 500

export async function preserveStatus(command: Command, replica: string | undefined): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const all = await services.archive.replicas({})
    const replicas = replica === undefined ? all : all.filter((row) => row.replica === replica)
    command.output.result({ replicas }, () =>
      table(
        ['replica', 'files', 'bytes', 'missing', 'wrong', 'never checked', 'not stored', 'last missing-file check', 'last checksum check', 'folder'],
        replicas.map((row) => [
          row.replica,
          row.files,
          bytesText(row.bytes),
          row.missing,
          row.corrupt,
          row.neverChecked,
          row.notStored,
          row.lastMissingCheck ?? 'never',
          row.lastChecksumCheck ?? 'never',
          row.reachable ? row.folder : `${row.folder} (cannot be reached)`,
        ]),
      ),
    )
    return replicas.every((row) => row.reachable && row.missing + row.corrupt + row.notStored === 0) ? 0 : 1
  })
}

export interface CheckOptions {
  replica?: string
  files?: string
  sample?: number
}

export async function check(command: Command, kind: 'missing' | 'checksums', options: CheckOptions): Promise<ExitCode> {
  return command.withSession(false, async ({ services }) => {
    const begun = (await stopped(services, kind, options)) ?? (await services.archive.check({ kind, ...options }))
    const ended = await follow(command, services, begun)
    if (command.signal.aborted) return 130
    const findings = await services.archive.findings({ check: ended.check })
    command.output.result({ ...ended, findings }, () =>
      [
        `${kind === 'missing' ? 'Missing-file' : 'Checksum'} check ${ended.check} of ${ended.replicas.join(', ')}: ${ended.filesDone} of ${ended.filesTotal} files, ${bytesText(ended.bytesDone)} read, ${findings.length} findings`,
        ...findings.map((row) => `  ${row.replica}  ${row.name}  ${row.finding}${row.expected === null ? '' : `  expected ${row.expected}`}${row.found === null ? '' : `  found ${row.found}`}`),
        ...(ended.problem === null ? [] : [ended.problem]),
      ].join('\n'),
    )
    return ended.state === 'DONE' && findings.length === 0 ? 0 : 1
  })
}

/** Running the verb again after Ctrl-C goes on at the file where it stopped. */
async function stopped(services: Loupe, kind: 'missing' | 'checksums', options: CheckOptions): Promise<CheckSummary | undefined> {
  if (options.files !== undefined || options.sample !== undefined) return undefined
  const [last] = (await services.archive.checks({})).filter((row) => row.kind === kind)
  const isSame = last?.state === 'STOPPED' && (options.replica === undefined || last.replicas.join() === options.replica)
  return isSame ? services.archive.resumeCheck({ check: last.check }) : undefined
}

async function follow({ output, signal }: Command, services: Loupe, begun: CheckSummary): Promise<CheckSummary> {
  let current = begun
  const beganMs = Date.now()
  while (current.state === 'RUNNING') {
    if (signal.aborted) {
      output.note(`Stopped after ${current.filesDone} of ${current.filesTotal} files; the same command again goes on from there.`)
      return services.archive.stopCheck({ check: begun.check })
    }
    const seconds = (Date.now() - beganMs) / 1000
    output.progress(`${current.filesDone} of ${current.filesTotal} files, ${bytesText(current.bytesDone)}, ${bytesText(current.bytesDone / Math.max(seconds, 0.1))}/s, ${current.findings} findings`)
    await new Promise<void>((resolve) => {
      const unsubscribe = services.archive.checkChanged((changed) => {
        if (changed.check === begun.check) end()
      })
      const timer = setTimeout(() => end(), lookMs)
      signal.addEventListener('abort', () => end(), { once: true })
      function end(): void {
        clearTimeout(timer)
        unsubscribe()
        resolve()
      }
    })
    current = (await services.archive.checks({})).find(({ check }) => check === begun.check) ?? current
  }
  return current
}
