/** The NDSA levels reached, the state of each condition, and what is needed for the next level. */
import { Text, Title } from '@mantine/core'
import { useId } from 'react'
import type { PreservationReport } from '../../../src-main/contract/services/archiveStatus.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { waysTo, type Condition } from './conditionPlaces.ts'
import { Declarations } from './Declarations.tsx'
import { ReportTable } from './ReportTable.tsx'
import styles from './report.module.css'

type Area = PreservationReport['levels'][number]

const levelMax = 4
const levels = [1, 2, 3, 4]
const tones: Record<Condition['state'], Tone> = { met: 'done', declared: 'running', notMet: 'idle' }

export function Levels({ report }: { report: PreservationReport }) {
  const t = useWords()
  return (
    <Section title={t('report.levels')}>
      <Text size="sm" c="dimmed" mb="sm" maw="75ch">
        {t('report.levels.text')}
      </Text>
      <div className={styles.areas}>
        {report.levels.map((area) => (
          <AreaCard key={area.area} area={area} />
        ))}
      </div>
    </Section>
  )
}

function AreaCard({ area: { area, level, conditions } }: { area: Area }) {
  const t = useWords()
  const headingId = useId()
  const name = t(`report.area.${area}`)
  const lacking = conditions.filter((row) => row.state === 'notMet' && row.level === level + 1 && row.isChecked)
  // Declared conditions stay in the list, so that they can be withdrawn and no checkbox moves when it is selected.
  const declarable = conditions.filter((row) => row.isDeclarable && row.state !== 'met' && row.level <= level + 1)
  return (
    <article className={`card ${styles.area}`} aria-labelledby={headingId}>
      <Title order={3} size="h4" id={headingId}>
        {name}
      </Title>
      <p className={styles.areaLevel}>
        <span className={styles.steps} aria-hidden>
          {levels.map((step) => (
            <span key={step} className={styles.step} data-reached={step <= level} />
          ))}
        </span>
        <strong>{level === 0 ? t('report.level.none') : t('report.level', { level })}</strong>
      </p>
      {level === levelMax ? (
        <Text size="sm">{t('report.level.highest')}</Text>
      ) : (
        <>
          <Title order={4} size="sm">
            {t('report.level.next', { level: level + 1 })}
          </Title>
          <Needs conditions={lacking} />
        </>
      )}
      {declarable.length > 0 && <Declarations conditions={declarable} />}
    </article>
  )
}

/** What is missing for the next level, apart from declarations. */
function Needs({ conditions }: { conditions: readonly Condition[] }) {
  const t = useWords()
  if (conditions.length === 0) return <Text size="sm">{t('report.level.declare')}</Text>
  return (
    <ul className={styles.needs}>
      {conditions.map((condition) => (
        <li key={condition.id}>
          <strong>{t(condition.requirement)}</strong>
          {t(condition.need)}
          <Ways condition={condition} />
        </li>
      ))}
    </ul>
  )
}

/** All conditions of all levels, to show how a level was judged. */
export function Conditions({ report }: { report: PreservationReport }) {
  const t = useWords()
  return (
    <Section title={t('report.conditions.title')}>
      {report.levels.map(({ area, conditions }) => {
        const name = t(`report.area.${area}`)
        return (
          <div key={area} className="conditions">
            <Title order={3} size="sm">
              {name}
            </Title>
            <ReportTable
              label={t('report.conditions', { area: name })}
              heads={[
                t('report.condition.level'),
                t('report.condition'),
                t('report.condition.state'),
                t('report.condition.need'),
              ]}
              rows={conditions.map((condition) => ({
                key: condition.id,
                cells: [
                  condition.level,
                  t(condition.requirement),
                  <ToneBadge
                    key="state"
                    tone={tones[condition.state]}
                    text={t(`report.condition.${condition.state}`)}
                  />,
                  condition.state === 'met' ? '–' : t(condition.need),
                ],
              }))}
            />
          </div>
        )
      })}
    </Section>
  )
}

function Ways({ condition }: { condition: Condition }) {
  const t = useWords()
  return (
    <span className={`${styles.ways} ${styles.offPaper}`}>
      {waysTo(condition).map(({ to, name }) => (
        <a key={name} href={hrefOf(to)}>
          {t(name)}
        </a>
      ))}
    </span>
  )
}
