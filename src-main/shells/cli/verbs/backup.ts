/** The verbs `loupe backup list|make|verify|restore`. */
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
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

export async function listBackups(command: Command): Promise<ExitCode> {
  const found = await closedList(command.archiveFolder)
  command.output.result(found, () => foundText(found))
  return isSomethingWrong(found) ? 1 : 0
}

function foundText({ folder, backups }: BackupFolder): string {
  if (backups.length === 0) return textOf(message('cli.backup.none', { folder }))
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
  const problems = backups.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${textOf(problem)}`]))
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
      ? textOf(message('cli.backup.made', { path, size: bytesText(manifest?.bytes ?? 0) }))
      : textOf(message('cli.backup.same', { made: momentText(manifest?.made ?? null, 'the last backup'), path }))
  return [what, ...removed.map((name) => textOf(message('cli.backup.removed', { name })))].join('\n')
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
    throw signal.aborted ? new Fault('stopped', message('cli.stopped.unchanged')) : error
  })
  if (!restored) throw new Fault('refused', message('cli.unchanged'))
  output.result(resultOf(restored), () => restoredText(command, restored))
  return 0
}

async function asked({ archiveFolder, output }: Command, candidate: Candidate): Promise<boolean> {
  const { path, manifest, content, isReplacing } = candidate
  const made = manifest ? `from ${momentText(manifest.made, '')}` : 'without a manifest'
  output.note(
    [
      textOf(
        message('cli.backup.candidate', {
          ...{ path, made, jobs: content.jobs },
          files: content.files,
        }),
      ),
      textOf(message(isReplacing ? 'cli.backup.replaces' : 'cli.backup.noDatabase', { archive: archiveFolder })),
      textOf(message('cli.backup.since')),
    ].join('\n'),
  )
  const print = (text: string) => void process.stderr.write(text)
  const answer = await withAnswers({ input: process.stdin, print }, (ask) =>
    ask({ prompt: 'Type "restore" to go on', isShown: true }),
  ).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'badInput')
      throw new Fault('refused', message('cli.backup.unconfirmed'))
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
  return [
    output.paint(
      'green',
      textOf(
        message('cli.backup.restored', { path, archive: archiveFolder, jobs: content.jobs, files: content.files }),
      ),
    ),
    ...(movedTo === null ? [] : [textOf(message('cli.backup.moved', { path: movedTo }))]),
    ...(isSettingsRestored ? [textOf(message('cli.backup.settings'))] : []),
    textOf(message('cli.backup.next', { since })),
  ].join('\n')
}
