/** `loupe backup list|make|verify|restore`. */
import {
  closedList,
  closedRestore,
  closedVerify,
  type BackupFolder,
  type Candidate,
  type Restored,
} from '../../../app/folders/closedBackups.ts'
import type { BackupMade, BackupProgress, BackupRow } from '../../../contract/services/backups.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { bytesText, countText, momentText, table } from '../output/output.ts'
import { withAnswers } from '../input/secretInput.ts'

export async function listBackups(command: Command): Promise<ExitCode> {
  const found = await closedList(command.archiveFolder)
  command.output.result(found, () => foundText(found))
  return isSomethingWrong(found) ? 1 : 0
}

function foundText({ folder, backups }: BackupFolder): string {
  if (backups.length === 0)
    return `There is no backup in ${folder}. Loupe makes one while it runs; "loupe backup make" makes one now.`
  const rows = backups.map((row) => [
    row.name,
    row.manifest?.made ? momentText(row.manifest.made, '') : 'unknown',
    row.manifest?.confirmed ? momentText(row.manifest.confirmed, '') : 'unknown',
    row.manifest?.verified ? momentText(row.manifest.verified, '') : 'unknown',
    row.manifest ? bytesText(row.manifest.bytes) : 'unknown',
    row.manifest?.jobs ?? '',
    row.manifest?.files ?? '',
    stateWords[row.state],
  ])
  const header = ['backup', 'made', 'unchanged until', 'last verified', '>size', '>jobs', '>files', 'state']
  const problems = backups.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]))
  return [`${countText(backups.length, 'backup')} in ${folder}`, table(header, rows), ...problems].join('\n')
}

const stateWords: Record<BackupRow['state'], string> = {
  good: 'good',
  damaged: 'damaged',
  missing: 'missing',
  unreadable: 'no readable manifest',
  otherArchive: 'of another archive',
}

function isSomethingWrong({ backups }: BackupFolder): boolean {
  return backups.some(({ state }) => state !== 'good' && state !== 'otherArchive')
}

export async function makeBackup(command: Command, { emptied }: { emptied: boolean }): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const end = services.backups.changed(({ running }) => {
      if (running) command.output.progress(progressText(running))
    })
    try {
      const made = await unlessStopped(command.signal, services.backups.make({ emptied }))
      command.output.result(made, () => madeText(made))
      return 0
    } finally {
      end()
    }
  })
}

const phaseWords: Record<BackupProgress['phase'], string> = {
  copying: 'Copying the database',
  checking: 'Checking the database',
  writing: 'Writing the backup',
  verifying: 'Verifying the backup',
}

function progressText({ phase, share }: BackupProgress): string {
  return `${phaseWords[phase]}: ${Math.floor(share * 100)} %`
}

function madeText({ outcome, backup, removed }: BackupMade): string {
  const { path, manifest } = backup
  const what =
    outcome === 'made'
      ? `Made ${path} (${bytesText(manifest?.bytes ?? 0)}), and verified it.`
      : `Nothing has changed since ${momentText(manifest?.made ?? null, 'the last backup')}: ${path} was verified, and no further one was written.`
  return [what, ...removed.map((name) => `Removed ${name}, which is outdated.`)].join('\n')
}

export async function verifyBackups(command: Command, given: string | undefined): Promise<ExitCode> {
  const { archiveFolder, signal, output } = command
  const onProgress = (share: number) => output.progress(`Verifying: ${Math.floor(share * 100)} %`)
  const found = await unlessStopped(signal, closedVerify({ archiveFolder, given, signal, onProgress }))
  output.result(found, () => foundText(found))
  return isSomethingWrong(found) ? 1 : 0
}

export interface RestoreOptions {
  given: string
  isConfirmed: boolean
  ofAnyArchive: boolean
}

export async function restoreBackup(command: Command, options: RestoreOptions): Promise<ExitCode> {
  const { archiveFolder, output, signal } = command
  const doing = { copying: 'Copying the backup', checking: 'Checking the backup' }
  const restored = await closedRestore({
    ...{ archiveFolder, signal, given: options.given, ofAnyArchive: options.ofAnyArchive },
    onProgress: (what, share) => output.progress(`${doing[what]}: ${Math.floor(share * 100)} %`),
    confirm: (candidate) => (options.isConfirmed ? Promise.resolve(true) : asked(command, candidate)),
  }).catch((error: unknown) => {
    throw signal.aborted ? new Fault('stopped', 'Stopped; nothing was changed.') : error
  })
  if (!restored) throw new Fault('refused', 'Nothing was changed.')
  output.result(resultOf(restored), () => restoredText(command, restored))
  return 0
}

async function asked({ archiveFolder, output }: Command, candidate: Candidate): Promise<boolean> {
  const { path, manifest, content, isReplacing } = candidate
  const made = manifest ? `from ${momentText(manifest.made, '')}` : 'without a manifest'
  output.note(
    [
      `${path}, ${made}: ${countText(content.jobs, 'job')}, ${countText(content.files, 'archived file')}. It is whole.`,
      isReplacing
        ? `The present database of ${archiveFolder} is kept under another name, and this one takes its place.`
        : `${archiveFolder} has no database now.`,
      'What was harvested, stored or changed since the backup was made is not in it.',
    ].join('\n'),
  )
  const print = (text: string) => void process.stderr.write(text)
  const answer = await withAnswers({ input: process.stdin, print }, (ask) =>
    ask({ prompt: 'Type "restore" to go on', isShown: true }),
  ).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'badInput')
      throw new Fault(
        'refused',
        'Nothing was changed, because nothing was typed: add --yes to confirm without a terminal.',
      )
    throw error
  })
  return answer.trim().toLowerCase() === 'restore'
}

function resultOf({ path, manifest, content, movedTo, isSettingsRestored }: Restored) {
  return {
    restored: path,
    made: manifest?.made ?? null,
    movedTo,
    settingsRestored: isSettingsRestored,
    ...{ jobs: content.jobs, files: content.files },
  }
}

function restoredText(
  { archiveFolder, output }: Command,
  { path, manifest, content, movedTo, isSettingsRestored }: Restored,
): string {
  const since = manifest ? ` since ${momentText(manifest.made, '')}` : ''
  const known = `${countText(content.jobs, 'job')} and ${countText(content.files, 'archived file')}`
  return [
    output.paint('green', `Restored ${path}: the database of ${archiveFolder} knows ${known}.`),
    ...(movedTo === null ? [] : [`The database that was there is now ${movedTo}; Loupe never removes it.`]),
    ...(isSettingsRestored
      ? ['loupe.toml was not there and came from the backup: see whether its folders are right.']
      : []),
    `Next: "loupe recover" brings back what was stored${since} from the replicas; then "loupe preserve missing" checks that every file is there.`,
  ].join('\n')
}
