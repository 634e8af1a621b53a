/** Captures and their size over time, of the archive, of jobs or of a domain: as a picture, and as a table that can be saved as CSV. */
import { useDebouncedValue } from '@mantine/hooks'
import { useCallback, useMemo, useState } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { StackedBars } from '../../parts/StackedBars.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneNote } from '../../parts/ToneNote.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { askedOf, draftOf, type GrowthAsked, type GrowthDraft } from './growthDraft.ts'
import { GrowthFilters } from './GrowthFilters.tsx'
import { withPeriodsBetween } from './periodsBetween.ts'

type Growth = Awaited<ReturnType<Loupe['growth']['overTime']>>

export function GrowthTab({ filter = '' }: { filter?: string }) {
  return <GrowthBegunWith key={filter} filter={filter} />
}

/** Mounted again for each filter in the URL (by its key). */
function GrowthBegunWith({ filter }: { filter: string }) {
  const t = useWords()
  const [draft, setDraft] = useState(() => draftOf(filter))
  const { measure, ...counted } = draft
  const key = JSON.stringify(counted)
  const [settled] = useDebouncedValue(key, typingPauseMs)
  const asked = useMemo(() => askedOf(JSON.parse(settled) as GrowthDraft), [settled])
  return (
    <>
      <p className="dimmed lead">{t('growth.text')}</p>
      <GrowthFilters draft={draft} onChange={setDraft} />
      {asked && <Counted key={settled} asked={asked} measure={measure} />}
    </>
  )
}

interface Shown {
  asked: GrowthAsked
  measure: GrowthDraft['measure']
}

function Counted({ asked, measure }: Shown) {
  const { services } = useSession()
  const [growth, reload] = useLoaded(useCallback(() => services.growth.overTime(asked), [services, asked]))
  return (
    <Await of={growth} onRetry={reload}>
      {(found) => (
        <>
          <FilesMissing files={found.filesMissing} />
          <Found growth={found} asked={asked} measure={measure} />
        </>
      )}
    </Await>
  )
}

function FilesMissing({ files }: { files: Growth['filesMissing'] }) {
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

function Found({ growth, asked, measure }: Shown & { growth: Growth }) {
  const t = useWords()
  const { count, bytes } = useFormats()
  const { groups, rows } = growth
  const isCumulative = asked.isCumulative ?? false
  const drawn = useMemo(() => withPeriodsBetween(rows, isCumulative), [rows, isCumulative])
  const periods = useMemo(() => drawn.map(({ period }) => period), [drawn])
  const series = useMemo(
    () =>
      groups.map(({ name }, at) => ({
        name: groupText(t, name, groups.length),
        amounts: drawn.map(({ amounts }) => amounts[at]?.[measure] ?? 0),
      })),
    [t, groups, drawn, measure],
  )
  if (growth.captures === 0)
    return growth.filesMissing.length > 0 ? null : <EmptyState title={t('growth.none')} text={t('growth.none.text')} />
  return (
    <>
      <StackedBars
        label={t('growth.picture', { measure: t(`growth.${measure}`), isCumulative: String(isCumulative) })}
        periods={periods}
        series={series}
        format={measure === 'captures' ? count : bytes}
      />
      <p className="dimmed">{t('growth.total', { count: growth.captures, bytes: bytes(growth.bytes) })}</p>
      <Section title={t('growth.table')}>
        <GrowthTable growth={growth} />
      </Section>
    </>
  )
}

interface Line {
  period: string
  group: string
  captures: number
  bytes: number
}

function GrowthTable({ growth: { groups, rows } }: { growth: Growth }) {
  const t = useWords()
  const { count, bytes } = useFormats()
  const lines = useMemo(
    () =>
      rows.flatMap(({ period, amounts }) =>
        amounts
          .map((amount, at): Line => ({
            period,
            group: groupText(t, groups[at]?.name ?? null, groups.length),
            ...amount,
          }))
          .filter(({ captures }) => captures > 0),
      ),
    [t, groups, rows],
  )
  const columns = useMemo(
    (): Column<Line>[] => [
      { id: 'period', head: t('growth.period'), width: 130, value: ({ period }) => period },
      { id: 'group', head: t('growth.group'), value: ({ group }) => group },
      {
        ...{ id: 'captures', head: t('growth.captures'), numeric: true, width: 130 },
        value: ({ captures }) => captures,
        cell: ({ captures }) => count(captures),
      },
      {
        ...{ id: 'bytes', head: t('growth.bytes'), numeric: true, width: 130 },
        value: (line) => line.bytes,
        cell: (line) => bytes(line.bytes),
      },
    ],
    [t, count, bytes],
  )
  return (
    <Table
      label={t('growth.table')}
      rows={lines}
      columns={columns}
      rowKey={({ period, group }) => `${period} ${group}`}
      heightMax={420}
    />
  )
}

function groupText(t: Translate, name: string | null, groups: number): string {
  if (name === null) return t(groups === 1 ? 'growth.all' : 'growth.others')
  return name === '' ? t('growth.unknown') : name
}
