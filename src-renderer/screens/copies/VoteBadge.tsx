/** Verdict of a vote on a copy of a file, or on the checksum in the catalogue. */
import type { FileVote } from '../../../src-main/contract/services/votes.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'

type Vote = FileVote['copies'][number]['verdict'] | FileVote['registeredVerdict']

const tones: Record<Vote, Tone> = {
  right: 'done',
  wrong: 'failed',
  corrupt: 'failed',
  missing: 'failed',
  unknown: 'idle',
}

export function VoteBadge({ verdict }: { verdict: Vote }) {
  const t = useWords()
  return <ToneBadge tone={tones[verdict]} text={t(`vote.${verdict}`)} />
}
