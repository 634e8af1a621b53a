/** The replicas and whether their files are still what was stored. */
import { FileSearch, ShieldCheck } from 'lucide-react'
import { useStore } from 'zustand'
import type { CheckSummary, ReplicaSummary } from '../../../src-main/contract/contract.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { ArchiveFiles } from './ArchiveFiles.tsx'
import { Checks } from './Checks.tsx'
import { whyNoCheck } from './checkWords.ts'
import { ReplicaCard } from './ReplicaCard.tsx'

export function ArchiveScreen() {
  const say = useWords()
  const { archive: store } = useSession()
  const { replicas, checks, load, check, refusal } = useStore(store)
  const known = valueOf(replicas) ?? []
  const begun = valueOf(checks) ?? []
  return (
    <>
      <PageHead
        title={say('archive.title')}
        actions={
          <CheckButtons
            name={say('archive.all')}
            why={known.length === 0 ? say('archive.none') : whyNoCheck(say, known, begun)}
            onCheck={(kind) => void check({ kind })}
          />
        }
      />
      {refusal && <FaultNote fault={refusal} />}
      <Await of={replicas} onRetry={() => void load()}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={say('archive.none')} text={say('archive.none.text')} />
          ) : (
            <div className="cards">
              {list.map((replica) => (
                <ReplicaCard key={replica.replica} replica={replica}>
                  <ReplicaChecks
                    replica={replica}
                    checks={begun}
                    onCheck={(kind) => void check({ kind, replica: replica.replica })}
                  />
                </ReplicaCard>
              ))}
            </div>
          )
        }
      </Await>
      <Checks />
      <ArchiveFiles />
    </>
  )
}

interface ReplicaChecksProps {
  replica: ReplicaSummary
  checks: readonly CheckSummary[]
  onCheck: (kind: CheckSummary['kind']) => void
}

function ReplicaChecks({ replica, checks, onCheck }: ReplicaChecksProps) {
  const say = useWords()
  return <CheckButtons name={replica.replica} why={whyNoCheck(say, [replica], checks)} onCheck={onCheck} small />
}

interface CheckButtonsProps {
  /** Of which replica, for the buttons' accessible names: there is a pair of them on every card. */
  name: string
  why: string | null
  onCheck: (kind: CheckSummary['kind']) => void
  small?: boolean
}

function CheckButtons({ name, why, onCheck, small = false }: CheckButtonsProps) {
  const say = useWords()
  const size = small ? 'xs' : 'sm'
  return (
    <>
      <ActionButton
        size={size}
        variant="default"
        why={why}
        leftSection={<FileSearch size={16} aria-hidden />}
        aria-label={say('archive.checkMissing.of', { name })}
        onClick={() => onCheck('missing')}
      >
        {say('archive.checkMissing')}
      </ActionButton>
      <ActionButton
        size={size}
        variant={small ? 'default' : 'filled'}
        why={why}
        leftSection={<ShieldCheck size={16} aria-hidden />}
        aria-label={say('archive.checkChecksums.of', { name })}
        onClick={() => onCheck('checksums')}
      >
        {say('archive.checkChecksums')}
      </ActionButton>
    </>
  )
}
