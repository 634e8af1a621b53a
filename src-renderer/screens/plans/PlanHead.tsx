/** The head of the screen of a plan: its state, the actions on it, and the version that is shown. */
import { Select } from '@mantine/core'
import { Pencil, Play, Repeat, Square } from 'lucide-react'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { hrefOf } from '../../routes/routes.ts'
import type { PlanState, PlanView } from '../../state/plan.ts'
import { useWords } from '../../words/words.tsx'
import { planLook } from './planLook.ts'
import { useStop } from './useStop.ts'

interface PlanHeadProps {
  view: PlanView
  state: Pick<PlanState, 'run' | 'isStarting' | 'choose'>
}

export function PlanHead({ view: { details }, state }: PlanHeadProps) {
  const t = useWords()
  const stop = useStop()
  const { name, version, versions } = details
  const busy = state.isStarting ? t('plan.busy.why') : null
  return (
    <PageHead
      title={name}
      aside={<ToneBadge {...planLook(t, details)} />}
      actions={
        <>
          <Select
            aria-label={t('plan.chooseVersion')}
            w={320}
            data={versions.map(({ version: each, created }) => ({
              value: String(each),
              label: t('plan.version.saved', { version: each, time: timeUtc(created) }),
            }))}
            value={String(version)}
            allowDeselect={false}
            onChange={(value) => void state.choose(Number(value))}
          />
          <LinkButton
            needs="deliveries.save"
            href={hrefOf({ place: 'planEditor', plan: name })}
            variant="default"
            leftSection={<Pencil size={16} aria-hidden />}
          >
            {t('plan.edit')}
          </LinkButton>
          {details.run === 'stopped' ? (
            <>
              <ActionButton
                needs="deliveries.run"
                variant="default"
                leftSection={<Play size={16} aria-hidden />}
                why={busy}
                onClick={() => void state.run(true)}
              >
                {t('plans.startOnce')}
              </ActionButton>
              <ActionButton
                needs="deliveries.run"
                leftSection={<Repeat size={16} aria-hidden />}
                why={busy}
                onClick={() => void state.run(false)}
              >
                {t('plans.start')}
              </ActionButton>
            </>
          ) : (
            <ActionButton
              needs="deliveries.stop"
              variant="default"
              leftSection={<Square size={16} aria-hidden />}
              onClick={() => void stop(name)}
            >
              {t('plans.stop')}
            </ActionButton>
          )}
        </>
      }
    />
  )
}
