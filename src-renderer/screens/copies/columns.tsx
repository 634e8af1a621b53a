/** Columns that several tables of archived files share, so that they look, sort and link in the same way. */
import type { PreservationFinding } from '../../../src-main/contract/services/checks.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import type { Translate } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'

/** The file name, as a link to the page of the file. */
export function fileColumn<Row extends { name: string }>(t: Translate): Column<Row> {
  return {
    id: 'name',
    head: t('files.name'),
    value: ({ name }) => name,
    cell: ({ name }) => <FileName name={name} />,
  }
}

/** Like `fileColumn`, for rows with files that may not be in the catalogue and then have no page. */
export function foundColumn<Row extends Pick<PreservationFinding, 'name' | 'finding'>>(t: Translate): Column<Row> {
  return {
    ...fileColumn<Row>(t),
    cell: ({ name, finding }) => (finding === 'surplus' ? <bdi title={name}>{name}</bdi> : <FileName name={name} />),
  }
}

function FileName({ name }: { name: string }) {
  return (
    <a href={hrefOf({ place: 'file', file: name })} title={name}>
      {name}
    </a>
  )
}

export function replicaColumn<Row extends { replica: string }>(t: Translate): Column<Row> {
  return { id: 'replica', head: t('finding.replica'), value: ({ replica }) => replica, width: 110 }
}

export function jobColumn<Row extends { job: number | null }>(t: Translate): Column<Row> {
  return {
    id: 'job',
    head: t('finding.job'),
    value: ({ job }) => job,
    cell: ({ job }) => (job === null ? '–' : <a href={hrefOf({ place: 'job', job })}>{job}</a>),
    numeric: true,
    width: 58,
  }
}

/** A file that is not in the catalogue is no damage. */
export function findingColumn<Row extends Pick<PreservationFinding, 'finding'>>(t: Translate): Column<Row> {
  return {
    id: 'finding',
    head: t('finding.what'),
    value: ({ finding }) => t(`finding.${finding}`),
    cell: ({ finding }) => (
      <ToneBadge tone={finding === 'surplus' ? 'attention' : 'failed'} text={t(`finding.${finding}`)} />
    ),
    width: 186,
  }
}
