/** Conditions of an area that Loupe cannot check: the institution declares which of them are met. */
import { Checkbox, Stack, Text } from '@mantine/core'
import { useId } from 'react'
import { useStore } from 'zustand'
import { useMay } from '../../parts/useMay.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import type { Condition } from './conditionPlaces.ts'
import styles from './report.module.css'

export function Declarations({ conditions }: { conditions: readonly Condition[] }) {
  const t = useWords()
  const hintId = useId()
  return (
    <fieldset className={styles.declarations} aria-describedby={hintId}>
      <legend>{t('report.declare')}</legend>
      <Text size="sm" c="dimmed" id={hintId}>
        {t('report.declare.hint')}
      </Text>
      <Stack gap={6} mt={6}>
        {conditions.map((condition) => (
          <Declaration key={condition.id} condition={condition} />
        ))}
      </Stack>
    </fieldset>
  )
}

function Declaration({ condition: { id, level, requirement, state } }: { condition: Condition }) {
  const t = useWords()
  const { saving, faults, declare } = useStore(useSession().declarations)
  const refusal = useMay().why('settings.set')
  const next = saving[id]
  const fault = faults[id]
  return (
    <Checkbox
      size="sm"
      disabled={refusal !== null}
      title={refusal ?? undefined}
      label={t(requirement)}
      description={t(next === undefined ? 'report.declare.level' : 'report.declare.saving', { level })}
      checked={next ?? state === 'declared'}
      onChange={({ currentTarget }) => void declare(id, currentTarget.checked)}
      error={
        fault && (
          <span role="alert" className={styles.offPaper}>
            {t('report.declare.refused', { problem: faultText(fault) })}
          </span>
        )
      }
    />
  )
}
