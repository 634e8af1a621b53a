/** The two files of a run, in one folder: the output of the module, and the errors by file. */
import { join } from 'node:path'
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import { DiskFault, type Disk, type WritableFile } from '../../world/world.ts'
import { chunksOf } from '../files/readThrough.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { accountsMax } from './limits.ts'
import type { Written } from './stepOutput.ts'

export interface RunFiles {
  written(written: Written, target: string): Promise<void>
  /** Discards output that is not needed. */
  dropped(written: Written, target: string): Promise<void>
  failed(name: string, text: string, remarks: readonly string[]): Promise<void>
  remarked(name: string, remarks: readonly string[]): Promise<void>
  /** Syncs and closes both files. */
  close(): Promise<void>
  readonly outputBytes: number
  readonly errorBytes: number
}

interface RunPaths {
  output: string
  errors: string
}

/** Creates the files of a run. Rejects with `DiskFault` exists when a run has these names already. */
async function openRunFiles(disk: Disk, { output, errors }: RunPaths): Promise<RunFiles> {
  const out = await disk.openWrite(output, 'create')
  const err = await disk.openWrite(errors, 'create').catch(async (error: unknown) => {
    await out.close()
    await disk.remove(output)
    throw error
  })
  let accounts = 0
  const say = async (file: WritableFile, text: string) => file.append([Buffer.from(text)])

  async function account(name: string, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return
    accounts += 1
    if (accounts <= accountsMax) await say(err, lines.map((line) => `${name}: ${indented(line)}\n`).join(''))
    else if (accounts === accountsMax + 1) await say(err, `${textOf(message('batch.moreFiles'))}\n`)
  }

  return {
    async written(written, target) {
      if (written.spilled) await appendFile(disk, target, out)
      else if (written.text !== '') await say(out, written.text)
    },
    async dropped(written, target) {
      if (written.spilled) await disk.remove(target)
    },
    failed: (name, text, remarks) => account(name, [`FAILED ${text}`, ...remarks]),
    remarked: account,
    async close() {
      // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for it
      for (const file of [out, err]) await file.sync().finally(() => file.close())
    },
    get outputBytes() {
      return out.position
    },
    get errorBytes() {
      return err.position
    },
  }
}

/** Creates the files of a run, named after the module and the time. If these names are taken, those of the next millisecond are used. */
export async function createRunFiles(
  disk: Disk,
  { folder, name, atMs }: { folder: string; name: string; atMs: number },
): Promise<RunPaths & { files: RunFiles }> {
  await disk.makeFolder(folder)
  for (let stampMs = atMs; ; stampMs += 1) {
    const base = join(folder, `${name}-${new Date(stampMs).toISOString().replaceAll(/\D/g, '')}`)
    const paths = { output: `${base}.out`, errors: `${base}.err` }
    try {
      return { files: await openRunFiles(disk, paths), ...paths }
    } catch (error) {
      if (!(error instanceof DiskFault) || error.code !== 'exists') throw error
    }
  }
}

/** Indents further lines, so that stack frames stay with their file. */
function indented(text: string): string {
  return text.trimEnd().replaceAll('\n', '\n  ')
}

async function appendFile(disk: Disk, from: string, to: WritableFile): Promise<void> {
  const file = await disk.openRead(from)
  try {
    for await (const chunk of chunksOf(file)) await to.append([chunk])
  } finally {
    await file.close()
  }
  await disk.remove(from)
}

/** Removes temporary output left by interrupted runs. */
export async function removeParts(disk: Disk, folder: string): Promise<void> {
  if (!(await disk.stat(folder))) return
  for (const { name, kind } of await disk.list(folder)) {
    if (kind !== 'file' || !/^\.\d+-\d+\.part$/.test(name)) continue
    // A file that cannot be removed does no harm.
    await disk.remove(join(folder, name)).catch(undefinedOnFault)
  }
}
