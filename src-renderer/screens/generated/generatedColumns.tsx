/** Columns of the list of generated jobs. */
import { useMemo } from 'react'
import type { GeneratedJobRow } from '../../../src-main/contract/services/generatedJobs.ts'
import { generatedLabel } from '../../../src-main/contract/states/generatedStatuses.ts'
import { timeUtc, useFormats, type Formats } from '../../parts/formats.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useWords, type Translate } from '../../words/words.tsx'
import { GeneratedStatusBadge } from './GeneratedStatusBadge.tsx'

type Columns = Column<GeneratedJobRow>[]

export function useGeneratedColumns(): Columns {
  const t = useWords()
  const formats = useFormats()
  return useMemo(() => [...nameColumns(t), ...sizeColumns(t, formats), ...timeColumns(t)], [t, formats])
}

function nameColumns(t: Translate): Columns {
  return [
    {
      ...{ id: 'job', head: t('statistics.job'), numeric: true, width: 72 },
      value: ({ job }) => job,
      cell: ({ job }) => <a href={hrefOf({ place: 'job', job })}>{job}</a>,
    },
    {
      ...{ id: 'status', head: t('generated.status'), width: 160 },
      value: ({ status }) => t(generatedLabel(status)),
      cell: ({ status }) => <GeneratedStatusBadge status={status} />,
    },
    {
      id: 'harvest',
      head: t('statistics.harvest'),
      value: ({ harvestName }) => harvestName,
      cell: ({ harvest, harvestName }) => <a href={hrefOf({ place: 'harvest', harvest })}>{harvestName}</a>,
    },
    { id: 'run', head: t('statistics.run'), value: ({ run }) => run, numeric: true, width: 64 },
    {
      ...{ id: 'template', head: t('generated.template'), width: 170 },
      value: ({ template, templateVersion: version }) => t('generated.template.version', { template, version }),
      cell: ({ template, templateVersion: version }) => (
        <a href={hrefOf({ place: 'template', template })}>{t('generated.template.version', { template, version })}</a>
      ),
    },
  ]
}

function sizeColumns(t: Translate, { count, bytes }: Formats): Columns {
  const counted = (id: 'configurations' | 'objectsExpected' | 'objects', head: string, width: number): Columns[0] => ({
    ...{ id, head, width, numeric: true },
    value: (row) => row[id],
    cell: (row) => count(row[id]),
  })
  return [
    counted('configurations', t('generated.configurations'), 134),
    counted('objectsExpected', t('generated.expected'), 158),
    counted('objects', t('statistics.objects'), 90),
    {
      ...{ id: 'bytes', head: t('statistics.bytes'), numeric: true, width: 92 },
      value: (row) => row.bytes,
      cell: (row) => bytes(row.bytes),
    },
    { id: 'error', head: t('generated.error'), value: (row) => errorText(t, row), widthMin: 200 },
  ]
}

/** Errors of the crawl and of the upload, apart, in one line. */
function errorText(t: Translate, { harvestError, uploadError }: GeneratedJobRow): string {
  return [
    ...(harvestError ? [t('generated.error.harvest', { problem: t(harvestError) })] : []),
    ...(uploadError ? [t('generated.error.upload', { problem: t(uploadError) })] : []),
  ].join(' ')
}

function timeColumns(t: Translate): Columns {
  return [
    {
      ...{ id: 'created', head: t('generated.created'), width: 172 },
      value: ({ created }) => created,
      cell: ({ created }) => timeUtc(created),
    },
    {
      ...{ id: 'ended', head: t('statistics.ended'), width: 172 },
      value: ({ ended }) => ended,
      cell: ({ ended }) => (ended === null ? '–' : timeUtc(ended)),
    },
    {
      ...{ id: 'resubmittedAs', head: t('generated.resubmitted'), numeric: true, width: 120 },
      value: ({ resubmittedAs }) => resubmittedAs,
      cell: ({ resubmittedAs: job }) => job !== null && <a href={hrefOf({ place: 'job', job })}>{job}</a>,
    },
  ]
}
