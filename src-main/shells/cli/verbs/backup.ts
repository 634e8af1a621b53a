/** The verbs `loupe backup list|make|verify|restore`. */
import {
  listClosedBackups,
  restoreClosedBackup,
  verifyClosedBackups,
  type BackupFolder,
  type Candidate,
  type Restored,
} from '../../../app/folders/closedBackups.ts'
import type { BackupMade, BackupProgress } from '../../../contract/services/backups.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { bytesText, momentText, table } from '../output/output.ts'
import { withAnswers } from '../input/secretInput.ts'
import { percentMessage } from '../../../contract/text/quantities.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export async function listBackups(command: Command): Promise<ExitCode> {
  const found = await listClosedBackups(command.archiveFolder)
  command.output.result(found, () => foundText(found))
  return isSomethingWrong(found) ? 1 : 0
}

function foundText({ folder, backups }: BackupFolder): string {
  if (backups.length === 0) return textFor('cli.backup.none', { folder })
  const unknown = textFor('cell.unknown')
  const rows = backups.map((row) => [
    row.name,
    momentText(row.manifest?.made ?? null, unknown),
    momentText(row.manifest?.confirmed ?? null, unknown),
    momentText(row.manifest?.verified ?? null, unknown),
    row.manifest ? bytesText(row.manifest.bytes) : unknown,
    row.manifest?.jobs ?? '',
    row.manifest?.files ?? '',
    textFor(`cli.backup.state.${row.state}`),
  ])
  const problems = backups.flatMap(({ name, problem }) =>
    problem === null ? [] : [textFor('figure.named', { name, text: problem })],
  )
  return [
    textFor('cli.backup.count', { backups: backups.length, folder }),
    table(['backup', 'made', 'unchangedUntil', 'lastVerified', '>size', '>jobs', '>files', 'state'], rows),
    ...problems,
  ].join('\n')
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

function shareText(action: Message, share: number): string {
  return textFor('figure.share', { action, percent: percentMessage(Math.floor(share * 100) / 100) })
}

function progressText({ phase, share }: BackupProgress): string {
  return shareText(message(`cli.backup.phase.${phase}`), share)
}

function madeText({ outcome, backup, removed }: BackupMade): string {
  const { path, manifest } = backup
  const what =
    outcome === 'made'
      ? textOf(message('cli.backup.made', { path, size: bytesText(manifest?.bytes ?? 0) }))
      : textOf(
          message('cli.backup.same', { made: momentText(manifest?.made ?? null, textFor('cli.backup.lastOne')), path }),
        )
  return [what, ...removed.map((name) => textFor('cli.backup.removed', { name }))].join('\n')
}

export async function verifyBackups(command: Command, given: string | undefined): Promise<ExitCode> {
  const { archiveFolder, signal, output } = command
  const onProgress = (share: number) => output.progress(shareText(message('cli.backup.verifying'), share))
  const found = await unlessStopped(signal, verifyClosedBackups({ archiveFolder, given, signal, onProgress }))
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
  const restored = await restoreClosedBackup({
    ...{ archiveFolder, signal, given: options.given, ofAnyArchive: options.ofAnyArchive },
    onProgress: (what, share) => output.progress(shareText(message(`cli.backup.restoring.${what}`), share)),
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
  const made = manifest
    ? message('cli.backup.fromTime', { made: momentText(manifest.made, '') })
    : message('cli.backup.noManifest')
  output.note(
    [
      textOf(
        message('cli.backup.candidate', {
          ...{ path, made, jobs: content.jobs },
          files: content.files,
        }),
      ),
      textOf(message(isReplacing ? 'cli.backup.replaces' : 'cli.backup.noDatabase', { archive: archiveFolder })),
      textFor('cli.backup.since'),
    ].join('\n'),
  )
  const print = (text: string) => void process.stderr.write(text)
  const answer = await withAnswers({ input: process.stdin, print }, (ask) =>
    ask({ prompt: textFor('cli.backup.typeRestore'), isShown: true }),
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
  return [
    output.paint(
      'green',
      textOf(
        message('cli.backup.restored', { path, archive: archiveFolder, jobs: content.jobs, files: content.files }),
      ),
    ),
    ...(movedTo === null ? [] : [textFor('cli.backup.moved', { path: movedTo })]),
    ...(isSettingsRestored ? [textFor('cli.backup.settings')] : []),
    manifest ? textFor('cli.backup.nextSince', { made: momentText(manifest.made, '') }) : textFor('cli.backup.next'),
  ].join('\n')
}
