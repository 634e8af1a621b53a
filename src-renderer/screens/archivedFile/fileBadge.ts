/** State of a file, which is the worst state of its copies. */
import type { FileHistory } from '../../../src-main/contract/services/archivedFiles.ts'
import { isBadCopy, isStoredCopy } from '../../../src-main/contract/states/copyStates.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { isHarmed } from '../../state/archivedFile.ts'
import type { Translate } from '../../words/words.tsx'

export interface FileBadge {
  tone: Tone
  text: string
  meaning: string
}

export type FileState = 'lost' | 'harmed' | 'incomplete' | 'unchecked' | 'sound'

const tones: Record<FileState, Tone> = {
  lost: 'failed',
  harmed: 'failed',
  incomplete: 'attention',
  unchecked: 'attention',
  sound: 'done',
}

/** `lists`: replicas that keep checksums only. A correct checksum there cannot restore any bytes. Copies that agree on another checksum
 *  than the registered one are not reported as lost, because either could be right. */
export function fileState(history: FileHistory, lists: readonly string[]): FileState {
  const { vote, file } = history
  const held = file.replicas.filter(isStoredCopy)
  const bytes = held.filter(({ replica }) => !lists.includes(replica))
  if (bytes.length > 0 && bytes.every(isBadCopy) && vote.registeredVerdict !== 'wrong') return 'lost'
  if (isHarmed(history) || vote.registeredVerdict === 'wrong') return 'harmed'
  if (vote.copies.some(({ replica }) => !held.some((copy) => copy.replica === replica))) return 'incomplete'
  return held.every(({ preservation }) => preservation === 'OK') ? 'sound' : 'unchecked'
}

export function fileBadge(t: Translate, history: FileHistory, lists: readonly string[]): FileBadge {
  const state = fileState(history, lists)
  return {
    tone: tones[state],
    text: t(`archivedFile.state.${state}`),
    meaning: t(`archivedFile.state.${state}.text`),
  }
}
