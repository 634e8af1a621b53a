/** Answers of the replicas to a spot check, file by file, with the next step. The CSV contains salts and answers, so that anyone can
 *  recompute an answer from the bytes. */
import { useMemo } from 'react'
import type { SpotFinding } from '../../../src-main/contract/services/votes.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { checksumStart } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { fileColumn } from '../copies/columns.tsx'
import styles from './archive.module.css'

const tones: Record<SpotFinding['verdict'], Tone> = {
  agree: 'done',
  differ: 'failed',
  failed: 'failed',
  single: 'attention',
  none: 'attention',
}

/** Verdicts that need action, the most urgent first. */
const wanting = ['differ', 'failed', 'none', 'single'] as const satisfies SpotFinding['verdict'][]
const urgency: readonly SpotFinding['verdict'][] = [...wanting, 'agree']

export function SpotFindings({ label, spots }: { label: string; spots: readonly SpotFinding[] }) {
  const t = useWords()
  const columns = useMemo(() => columnsOf(t, spots), [t, spots])
  const rows = useMemo(
    () => spots.toSorted((one, other) => urgency.indexOf(one.verdict) - urgency.indexOf(other.verdict)),
    [spots],
  )
  const met = wanting.filter((verdict) => spots.some((spot) => spot.verdict === verdict))
  return (
    <>
      {met.length > 0 && (
        <dl className={styles.spotNext} aria-label={t('spot.next')}>
          {met.map((verdict) => (
            <div key={verdict}>
              <dt>
                <ToneBadge tone={tones[verdict]} text={t(`spot.verdict.${verdict}`)} />
              </dt>
              <dd>{t(`spot.next.${verdict}`)}</dd>
            </div>
          ))}
        </dl>
      )}
      <Table
        label={label}
        rows={rows}
        columns={columns}
        rowKey={({ name, salt }) => `${name} ${salt}`}
        heightMax={320}
      />
    </>
  )
}

function columnsOf(t: Translate, spots: readonly SpotFinding[]): Column<SpotFinding>[] {
  const replicas = [...new Set(spots.flatMap(({ answers }) => answers.map(({ replica }) => replica)))]
  return [
    {
      id: 'verdict',
      head: t('spot.verdict'),
      value: ({ verdict }) => t(`spot.verdict.${verdict}`),
      cell: ({ verdict }) => <ToneBadge tone={tones[verdict]} text={t(`spot.verdict.${verdict}`)} />,
      width: 134,
    },
    fileColumn(t),
    ...replicas.map<Column<SpotFinding>>((replica) => ({
      id: `replica ${replica}`,
      head: replica,
      value: (spot) => {
        const answer = answerOf(spot, replica)
        return answer ? (answer.hmac ?? `${t(`spot.answer.${answer.kind}`)}: ${answer.why ? t(answer.why) : ''}`) : null
      },
      cell: (spot) => <Answer answer={answerOf(spot, replica)} />,
      width: 108,
    })),
    {
      id: 'salt',
      head: t('spot.salt'),
      value: ({ salt }) => salt,
      cell: ({ salt }) => (
        <span className="mono" title={salt}>
          {checksumStart(salt)}
        </span>
      ),
      width: 108,
    },
  ]
}

type SpotAnswer = SpotFinding['answers'][number]

function answerOf({ answers }: SpotFinding, replica: string): SpotAnswer | undefined {
  return answers.find((answer) => answer.replica === replica)
}

/** The beginning of the answer, enough to see which replicas agree. */
function Answer({ answer }: { answer: SpotAnswer | undefined }) {
  const t = useWords()
  if (!answer) return '–'
  return answer.hmac === null ? (
    <span title={answer.why ? t(answer.why) : undefined}>{t(`spot.answer.${answer.kind}`)}</span>
  ) : (
    <span className="mono" title={answer.hmac}>
      {checksumStart(answer.hmac)}
    </span>
  )
}
