/** State of a copy as one badge. A copy that was never stored has nothing to preserve, so its upload state is shown. */
import type { ArchivedFile } from '../../../src-main/contract/services/archivedFiles.ts'
import { isStoredCopy } from '../../../src-main/contract/states/copyStates.ts'
import { preservationStates, uploadStates } from '../../../src-main/contract/states/states.ts'
import { StateBadge, ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'

export type Copy = ArchivedFile['replicas'][number]

/** Undefined when the replica never had a copy. */
export function CopyBadge({ copy }: { copy: Copy | undefined }) {
  const t = useWords()
  if (!copy) return <ToneBadge tone="failed" text={t('archivedFile.never')} meaning={t('archivedFile.never.text')} />
  return (
    <span title={copy.problem ? t(copy.problem) : undefined}>
      {isStoredCopy(copy) ? (
        <StateBadge table={preservationStates} state={copy.preservation} />
      ) : (
        <StateBadge table={uploadStates} state={copy.upload} />
      )}
    </span>
  )
}
