/** Current problems, whichever check found them: copies with their verdict and the link to the repair, and spot checks that are not
 *  resolved. */
import { useMemo } from 'react'
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import type { PreservationFinding } from '../../../src-main/contract/services/checks.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { findingColumn, foundColumn, replicaColumn } from '../copies/columns.tsx'
import { ListCut } from '../copies/ListCut.tsx'
import { SpotFindings } from './SpotFindings.tsx'

export function CurrentProblems({ status }: { status: ArchiveStatus }) {
  const t = useWords()
  const columns = useProblemColumns(status)
  return (
    <Section title={t('wrong.title')}>
      {status.findings.length > 0 && (
        <Table
          label={t('wrong.title')}
          rows={status.findings}
          columns={columns}
          rowKey={({ replica, name, finding }) => `${replica}/${name}/${finding}`}
          heightMax={360}
        />
      )}
      <ListCut of="findings" count={status.findings.length} />
      {status.spots.length > 0 && <SpotFindings label={t('wrong.spots')} spots={status.spots} />}
    </Section>
  )
}

function useProblemColumns({ votes }: ArchiveStatus): Column<PreservationFinding>[] {
  const t = useWords()
  return useMemo(() => {
    const sentences = new Map(votes.map((vote) => [vote.name, t(vote.message)]))
    return [
      findingColumn(t),
      replicaColumn(t),
      foundColumn(t),
      {
        id: 'vote',
        head: t('wrong.vote'),
        value: ({ name, finding }) => (finding === 'surplus' ? t('wrong.surplus.todo') : (sentences.get(name) ?? null)),
        cell: ({ name, finding }) => {
          const text = finding === 'surplus' ? t('wrong.surplus.todo') : (sentences.get(name) ?? '–')
          return <span title={text}>{text}</span>
        },
      },
      {
        id: 'todo',
        head: t('wrong.todo'),
        value: () => null,
        cell: ({ name, replica, finding }) =>
          finding === 'surplus' ? (
            '–'
          ) : (
            <a
              href={hrefOf({ place: 'repair', file: name, replica })}
              aria-label={t('wrong.repair.of', { name, replica })}
            >
              {t('wrong.repair')}
            </a>
          ),
        width: 100,
      },
    ]
  }, [t, votes])
}
