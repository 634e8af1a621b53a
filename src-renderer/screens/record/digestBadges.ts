/** The verdict on a digest, with tone, label and explanation. */
import type { RecordWhole } from '../../../src-main/contract/services/records.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import type { WordId } from '../../words/words.tsx'

type Verdict = RecordWhole['digests'][number]['verdict']

export const digestBadges: Record<Verdict, { tone: Tone; word: WordId; meaning: WordId }> = {
  right: { tone: 'done', word: 'digest.right', meaning: 'digest.right.meaning' },
  rightWithChunks: { tone: 'done', word: 'digest.rightWithChunks', meaning: 'digest.rightWithChunks.meaning' },
  rightOfBlock: { tone: 'attention', word: 'digest.rightOfBlock', meaning: 'digest.rightOfBlock.meaning' },
  wrong: { tone: 'failed', word: 'digest.wrong', meaning: 'digest.wrong.meaning' },
  unknown: { tone: 'idle', word: 'digest.unknown', meaning: 'digest.unknown.meaning' },
}
