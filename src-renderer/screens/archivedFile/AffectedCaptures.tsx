/** What would be lost with the file: how many captures of which domains, and how many of them have the same payload in another
 *  file too. Where not everything could be looked into it says so: then the numbers are the least. */
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { AffectedFile, FileHistory } from '../../../src-main/contract/services/archive.ts'
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
  const say = useWords()
  const { affected, askAffected } = useStore(store)
  return (
    <Section title={say('affected.title')}>
      {file.kind === 'metadata' ? (
        <p>{say('affected.metadata')}</p>
      ) : affected === null ? (
        <>
          <p className="lead">{say('affected.ask.text')}</p>
          <ActionButton variant="default" onClick={() => void askAffected()}>
            {say('affected.ask')}
          </ActionButton>
        </>
      ) : (
        <>
          {affected.is === 'loading' && <p className="dimmed">{say('affected.loading')}</p>}
          <Await of={affected} onRetry={() => void askAffected()}>
            {(found) =>
              found.content ? <Content of={found.content} job={found.job} /> : <p>{say('affected.noIndex')}</p>
            }
          </Await>
        </>
      )}
    </Section>
  )
}

type Counted = NonNullable<AffectedFile['content']>

function Content({ of: found, job }: { of: Counted; job: number | null }) {
  const say = useWords()
  const { count } = useFormats()
  const { captures, withPayload, elsewhere, domains, domainsTotal, othersRead, othersTotal, complete } = found
  if (captures === 0 && complete) return <p>{say('affected.none')}</p>
  const alone = withPayload - elsewhere
  return (
    <>
      {!complete && (
        <ToneNote tone="attention" title={say('affected.least')}>
          <p>{say('affected.least.text', { read: othersRead, total: othersTotal })}</p>
        </ToneNote>
      )}
      <p className="lead">
        {say(complete ? 'affected.sentence' : 'affected.sentence.least', { captures, domains: domainsTotal })}{' '}
        {say(alone === 0 ? 'affected.nothingAlone' : complete ? 'affected.alone' : 'affected.alone.most', { alone })}
      </p>
      <Facts
        facts={[
          {
            name: say('finding.job'),
            value: job === null ? '–' : <a href={hrefOf({ place: 'job', job })}>{say('archivedFile.job', { job })}</a>,
          },
          { name: say('affected.captures'), value: count(captures) },
          { name: say('affected.withPayload'), value: count(withPayload) },
          { name: say('affected.elsewhere'), value: count(elsewhere) },
          { name: say('affected.others'), value: say('affected.othersRead', { read: othersRead, total: othersTotal }) },
        ]}
      />
      <div className="below-card">
        <Table
          label={say('affected.domains')}
          rows={domains}
          columns={[
            { id: 'domain', head: say('affected.domain'), value: ({ domain }) => domain },
            {
              id: 'captures',
              head: say('affected.captures'),
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
          <p className="dimmed">{say('affected.moreDomains', { more: domainsTotal - domains.length })}</p>
        )}
      </div>
    </>
  )
}
