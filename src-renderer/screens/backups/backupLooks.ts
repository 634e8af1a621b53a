/** Badges and texts for states and locations of backups. Pure. */
import type { BackupRow, BackupStatus } from '../../../src-main/contract/services/backups.ts'
import { shellWord } from '../../../src-main/contract/text/shellWord.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'

export const stateTones: Record<BackupRow['state'], Tone> = {
  good: 'done',
  damaged: 'failed',
  missing: 'failed',
  unreadable: 'attention',
  otherArchive: 'idle',
}

export interface PlaceLook {
  is: 'apart' | 'same' | 'away' | 'new'
  tone: Tone
}

export function placeLook({ reachable, apart }: Pick<BackupStatus, 'reachable' | 'apart'>): PlaceLook {
  if (reachable === null) return { is: 'new', tone: 'idle' }
  if (!reachable || apart === null) return { is: 'away', tone: 'attention' }
  return apart ? { is: 'apart', tone: 'done' } : { is: 'same', tone: 'attention' }
}

/** Quotes the folder for a POSIX shell. */
export function restoreCommand(archiveFolder: string, name: string): string {
  return `loupe --archive ${shellWord(archiveFolder)} backup restore ${name}`
}
