/** Content that would be lost with the file: captures by domain, and how many payloads also exist in another file. Where not all files
 *  could be searched, the numbers are marked as minimums. */
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { AffectedFile, FileHistory } from '../../../src-main/contract/services/archivedFiles.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { ArchivedFileState } from '../../state/archivedFile.ts'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { ToneNote } from '../../parts/ToneNote.tsx'

interface AffectedCapturesProps {
  store: StoreApi<ArchivedFileState>
  history: FileHistory
}

export function AffectedCaptures({ store, history: { file } }: AffectedCapturesProps) {
  const t = useWords()
  const { affected, askAffected } = useStore(store)
  return (
    <Section title={t('affected.title')}>
      {file.kind === 'metadata' ? (
        <p>{t('affected.metadata')}</p>
      ) : affected === null ? (
        <>
          <p className="lead">{t('affected.ask.text')}</p>
          <ActionButton variant="default" onClick={() => void askAffected()}>
            {t('affected.ask')}
          </ActionButton>
        </>
      ) : (
        <>
          {affected.is === 'loading' && <p className="dimmed">{t('affected.loading')}</p>}
          <Await of={affected} onRetry={() => void askAffected()}>
            {(found) =>
              found.content ? (
                <Content of={found.content} job={found.job} referredBy={found.referredBy} />
              ) : (
                <p>{t('affected.noIndex')}</p>
              )
            }
          </Await>
        </>
      )}
    </Section>
  )
}

type Counted = NonNullable<AffectedFile['content']>

interface ContentProps extends Pick<AffectedFile, 'job' | 'referredBy'> {
  of: Counted
}

function Content({ of: found, job, referredBy }: ContentProps) {
  const t = useWords()
  const { count } = useFormats()
  const { captures, withPayload, elsewhere, domains, domainsTotal, othersRead, othersTotal, complete } = found
  if (captures === 0 && complete) return <p>{t('affected.none')}</p>
  const alone = withPayload - elsewhere
  return (
    <>
      {!complete && (
        <ToneNote tone="attention" title={t('affected.least')}>
          <p>{t('affected.least.text', { read: othersRead, total: othersTotal })}</p>
        </ToneNote>
      )}
      <p className="lead">
        {t(complete ? 'affected.sentence' : 'affected.sentence.least', { captures, domains: domainsTotal })}{' '}
        {t(alone === 0 ? 'affected.nothingAlone' : complete ? 'affected.alone' : 'affected.alone.most', { alone })}
      </p>
      <Facts
        facts={[
          {
            name: t('finding.job'),
            value: job === null ? '–' : <a href={hrefOf({ place: 'job', job })}>{t('archivedFile.job', { job })}</a>,
          },
          { name: t('affected.captures'), value: count(captures) },
          { name: t('affected.withPayload'), value: count(withPayload) },
          { name: t('affected.elsewhere'), value: count(elsewhere) },
          { name: t('affected.others'), value: t('affected.othersRead', { read: othersRead, total: othersTotal }) },
        ]}
      />
      <div className="below-card">
        <Table
          label={t('affected.domains')}
          rows={domains}
          columns={[
            { id: 'domain', head: t('affected.domain'), value: ({ domain }) => domain },
            {
              id: 'captures',
              head: t('affected.captures'),
              value: (row) => row.captures,
              cell: (row) => count(row.captures),
              numeric: true,
              width: 130,
            },
          ]}
          rowKey={({ domain }) => domain}
          empty={null}
          tools={domains.length > 10}
          sortedBy={{ id: 'captures', desc: true }}
          heightMax={300}
        />
        {domainsTotal > domains.length && (
          <p className="dimmed">{t('affected.moreDomains', { more: domainsTotal - domains.length })}</p>
        )}
      </div>
      <Referring rows={referredBy} />
    </>
  )
}

/** Captures of jobs, also of other ones, whose content is in this file. */
function Referring({ rows }: { rows: AffectedFile['referredBy'] }) {
  const t = useWords()
  const { count } = useFormats()
  if (rows === null) return <p className="dimmed">{t('affected.referred.unknown')}</p>
  if (rows.length === 0) return null
  return (
    <div className="below-card">
      <p>{t('affected.referred')}</p>
      <Table
        label={t('affected.referred')}
        rows={rows}
        columns={[
          {
            ...{ id: 'job', head: t('finding.job') },
            value: ({ job }) => job,
            cell: ({ job }) =>
              job === null ? '–' : <a href={hrefOf({ place: 'job', job })}>{t('archivedFile.job', { job })}</a>,
          },
          {
            ...{ id: 'captures', head: t('affected.captures'), numeric: true, width: 130 },
            value: ({ captures }) => captures,
            cell: ({ captures }) => count(captures),
          },
          {
            ...{ id: 'onlyHere', head: t('dedup.references.onlyHere'), numeric: true, width: 150 },
            value: ({ onlyHere }) => onlyHere,
            cell: ({ onlyHere }) => count(onlyHere),
          },
        ]}
        rowKey={({ job }) => job ?? 0}
        tools={false}
        heightMax={240}
      />
    </div>
  )
}
