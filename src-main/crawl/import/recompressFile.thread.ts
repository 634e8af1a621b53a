/** Worker thread that rewrites an archive file whose records cannot be opened one by one: each record gets its own gzip member
 *  and stays unchanged, byte for byte (`formats/rewrite/recompress.ts`). */
import { FindingTally } from '../../formats/rules/findingTally.ts'
import { finding } from '../../formats/rules/finding.ts'
import { Account } from '../../formats/rewrite/account.ts'
import { recompress } from '../../formats/rewrite/recompress.ts'
import { spoolFile } from '../../files/disk/spoolFile.ts'
import { watchedFile } from '../../files/disk/watchedFile.ts'
import type { Task } from '../../world/world.ts'
import type { Findings } from './findings.ts'
import { removeIfThere } from './removeIfThere.ts'
import { writeNew } from './writeNew.ts'

/** The file to rewrite, and the path of the new one. */
export interface RecompressInput {
  path: string
  target: string
}

/** Result, with findings on what was recompressed and what was left out. */
export interface Recompressed {
  kind: 'recompressed'
  findings: Findings
}

/** Rewrites the file. */
export const task: Task<RecompressInput, Recompressed> = async ({ world, signal }, { path, target }) => {
  const spoolPath = `${target}.spool`
  await removeIfThere(world, spoolPath)
  const opened = await world.disk.openRead(path)
  const spool = spoolFile(world.disk, spoolPath)
  const account = new Account()
  try {
    const file = watchedFile(opened, { signal, onBytes: () => undefined })
    await writeNew(world, target, recompress(file, { spool, account }))
  } finally {
    await spool.close()
    await opened.close()
  }
  const tally = new FindingTally()
  tally.add(finding('importRecompressed', { count: account.records }), path)
  for (const { from, to, message: problem } of account.leftOut.items) {
    const found =
      to === null ? finding('importLeftOut.toEnd', { problem }, from) : finding('importLeftOut', { to, problem }, from)
    tally.add(found, path)
  }
  return { kind: 'recompressed', findings: tally.rules() }
}
