/** Deduplication in the whole archive: what it saved, which files the content is in, and captures that have none. */
import { SegmentedControl, Stack } from '@mantine/core'
import { useCallback, useState } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { deduplicationGroups } from '../../../src-main/contract/shapes/choices.ts'
import { Await } from '../../parts/Await.tsx'
import { BarTable } from '../../parts/BarTable.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { ToneNote } from '../../parts/ToneNote.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { References } from './References.tsx'
import { UnresolvedCaptures } from './UnresolvedCaptures.tsx'

type Group = (typeof deduplicationGroups)[number]
type Answer<Call extends keyof Loupe['deduplication']> = Awaited<ReturnType<Loupe['deduplication'][Call]>>

export function DeduplicationTab() {
  const t = useWords()
  const { services } = useSession()
  const ask = useCallback(() => services.deduplication.verify({}), [services])
  const [verified, reload] = useLoaded(ask)
  return (
    <>
      <p className="dimmed lead">{t('dedup.text')}</p>
      <Await of={verified} onRetry={reload}>
        {(found) => (
          <>
            <FilesMissing files={found.filesMissing} />
            <Found verified={found} />
          </>
        )}
      </Await>
    </>
  )
}

function FilesMissing({ files }: { files: Answer<'verify'>['filesMissing'] }) {
  const t = useWords()
  if (files.length === 0) return null
  return (
    <ToneNote tone="attention" title={t('dedup.filesMissing')}>
      {files.map(({ name, reason }) => (
        <p key={name} className="wrap">
          {name}: {t(reason)}
        </p>
      ))}
    </ToneNote>
  )
}

function Found({ verified }: { verified: Answer<'verify'> }) {
  const t = useWords()
  const { resolved, unresolved, filesMissing } = verified
  if (resolved + unresolved.total === 0)
    // Files that cannot be read may have captures without content of their own.
    return filesMissing.length > 0 ? null : <EmptyState title={t('dedup.none')} text={t('dedup.none.text')} />
  return (
    <>
      <Overview verified={verified} />
      {resolved > 0 && (
        <>
          <Saved />
          <References />
        </>
      )}
    </>
  )
}

function Overview({ verified: { resolved, unresolved, filesMissing } }: { verified: Answer<'verify'> }) {
  const t = useWords()
  const { count } = useFormats()
  return (
    <>
      <div className="card">
        <Facts
          facts={[
            { name: t('dedup.saved.captures'), value: count(resolved + unresolved.total) },
            {
              name: t('dedup.resolves'),
              value: <Resolves unresolved={unresolved.total} isWhole={filesMissing.length === 0} />,
            },
          ]}
        />
      </div>
      {unresolved.total > 0 && <UnresolvedCaptures rows={unresolved.rows} total={unresolved.total} />}
    </>
  )
}

function Resolves({ unresolved, isWhole }: { unresolved: number; isWhole: boolean }) {
  const t = useWords()
  if (unresolved > 0) return <ToneBadge tone="failed" text={t('dedup.resolves.some', { count: unresolved })} />
  if (!isWhole) return <ToneBadge tone="attention" text={t('dedup.resolves.read')} />
  return <ToneBadge tone="done" text={t('dedup.resolves.all')} />
}

/** Bars that fit on a screen. */
const barsMax = 20

function Saved() {
  const t = useWords()
  const [by, setBy] = useState<Group>('job')
  return (
    <Section title={t('dedup.saved')}>
      <Stack gap="sm" align="stretch">
        <SegmentedControl
          w="fit-content"
          aria-label={t('dedup.by')}
          value={by}
          onChange={(chosen) => setBy(deduplicationGroups.find((group) => group === chosen) ?? by)}
          data={deduplicationGroups.map((group) => ({ value: group, label: t(`dedup.by.${group}`) }))}
        />
        {/* A part of its own for each choice: rows of another one are never shown below its heading. */}
        <SavedBy key={by} by={by} />
      </Stack>
    </Section>
  )
}

function SavedBy({ by }: { by: Group }) {
  const { services } = useSession()
  const ask = useCallback(() => services.deduplication.report({ by }), [services, by])
  const [report, reload] = useLoaded(ask)
  return (
    <Await of={report} onRetry={reload}>
      {(found) => <SavedBars by={by} report={found} />}
    </Await>
  )
}

function SavedBars({ by, report }: { by: Group; report: Answer<'report'> }) {
  const t = useWords()
  const { bytes } = useFormats()
  const nameOf = (name: string | number | null) =>
    name === null ? t('dedup.noJob') : by === 'job' ? t('dedup.jobName', { job: name }) : String(name)
  return (
    <BarTable
      title={`${t('dedup.saved.bytes')}: ${bytes(report.bytes)}`}
      nameHead={t(`dedup.by.${by}`)}
      amountHead={t('dedup.amount')}
      bars={report.rows.slice(0, barsMax).map((row) => ({
        ...{ name: nameOf(row.name), amount: row.bytes },
        text: t('dedup.row', { bytes: bytes(row.bytes), count: row.captures }),
      }))}
      empty={t('dedup.none')}
    />
  )
}
