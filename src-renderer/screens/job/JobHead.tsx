/** A job's name, state and buttons. A button that cannot be used says why; stopping asks first. */
import { Button } from '@mantine/core'
import { Eye, FileOutput, Pause, Play, RotateCw, Square, SquarePen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import type { JobAction, JobStore } from '../../state/job.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { HarvestDrawer } from '../harvest/HarvestDrawer.tsx'
import { endsAtOnce, jobLook, whyNot, whyNotEdited } from '../jobs/jobWords.ts'
import { useExportAtHand } from '../jobs/useExportAtHand.ts'
import { goTo, hrefOf } from '../../routes/routes.ts'
import styles from './job.module.css'

export function JobHead({ job, store }: { job: JobWhole; store: JobStore }) {
  const t = useWords()
  const confirm = useConfirm()
  const { dialogs } = useSession()
  const [isEditing, setEditing] = useState(false)
  const { act, asked } = useStore(store)
  const why = (action: JobAction) => (asked ? t('job.asked') : whyNot(t, job, action))

  async function stop(): Promise<void> {
    const agreed = await confirm({
      title: t('job.stop.title', { name: job.harvest }),
      text: endsAtOnce(job) ? t('job.stop.storing') : t('job.stop.text', { queued: job.queued }),
      verb: t('job.stop.verb'),
    })
    if (agreed) await act('abort')
  }

  async function again(action: 'start' | 'startMinimal' | 'restart' | 'restartMinimal'): Promise<void> {
    if (action === 'start' || action === 'startMinimal') return void (await act(action))
    const agreed = await confirm({
      title: t('job.restart.title', { name: job.harvest }),
      text: t(`job.${action}.text`),
      verb: t('job.restart.verb'),
    })
    if (agreed) await act(action)
  }

  useExportAtHand(job.definition.connectors?.output === 'null' ? [] : [job])
  const nothingThere = job.definition.connectors?.output === 'null' ? t('job.dry.why') : null

  // A run that is under way can only be followed by the next one when it is ended first.
  const runs = whyNot(t, job, 'restart') === null ? (['restart', 'restartMinimal'] as const) : (['start', 'startMinimal'] as const) // prettier-ignore

  async function remove(): Promise<void> {
    const agreed = await confirm({
      title: t('job.delete.title', { name: job.harvest }),
      text: t('job.delete.text', { job: String(job.job) }),
      verb: t('job.delete.verb'),
    })
    if (agreed && (await act('delete'))) goTo({ place: 'jobs' })
  }

  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'jobs' })}>
        {t('job.all')}
      </a>
      <PageHead
        title={t('job.title', { job: job.job, name: job.harvest })}
        aside={<ToneBadge {...jobLook(t, job)} />}
        actions={
          <>
            <Button.Group>
              {/* Never both at once: what is paused is resumed, everything else is paused or says why it cannot be. */}
              {whyNot(t, job, 'resume') === null ? (
                <ActionButton
                  variant="default"
                  leftSection={<Play size={16} aria-hidden />}
                  why={why('resume')}
                  onClick={() => void act('resume')}
                >
                  {t('job.resume')}
                </ActionButton>
              ) : (
                <ActionButton
                  variant="default"
                  leftSection={<Pause size={16} aria-hidden />}
                  why={why('pause')}
                  onClick={() => void act('pause')}
                >
                  {t('job.pause')}
                </ActionButton>
              )}
              <ActionButton
                variant="default"
                leftSection={<Square size={16} aria-hidden />}
                why={why('abort')}
                onClick={() => void stop()}
              >
                {t('job.stop')}
              </ActionButton>
            </Button.Group>
            <Button.Group aria-label={t('job.further')}>
              {job.kind === 'event' &&
                runs.map((action, index) => (
                  <ActionButton
                    key={action}
                    variant="default"
                    leftSection={index === 0 ? <RotateCw size={16} aria-hidden /> : undefined}
                    why={why(action)}
                    onClick={() => void again(action)}
                  >
                    {t(action === 'start' && job.started === null ? 'job.start.first' : `job.${action}`)}
                  </ActionButton>
                ))}
            </Button.Group>
            {job.kind === 'event' && (
              <ActionButton
                variant="default"
                leftSection={<SquarePen size={16} aria-hidden />}
                why={whyNotEdited(t, job)}
                onClick={() => setEditing(true)}
              >
                {t('job.edit')}
              </ActionButton>
            )}
            <ActionButton
              variant="default"
              leftSection={<Trash2 size={16} aria-hidden />}
              why={why('delete')}
              onClick={() => void remove()}
            >
              {t('job.delete')}
            </ActionButton>
            <ActionButton
              variant="default"
              leftSection={<FileOutput size={16} aria-hidden />}
              why={nothingThere ?? (job.ended === null ? t('job.export.why') : null)}
              onClick={() => dialogs.getState().show('export', { jobs: [job.job] })}
            >
              {t('job.export')}
            </ActionButton>
            <LinkButton
              leftSection={<Eye size={16} aria-hidden />}
              why={nothingThere ?? (job.ended === null ? t('job.view.why') : null)}
              href={hrefOf({ place: 'viewer', jobs: [job.job] })}
            >
              {t('job.view')}
            </LinkButton>
          </>
        }
      />
      <HarvestDrawer opened={isEditing} onClose={() => setEditing(false)} edited={job} />
      {job.kind === 'event' && (
        <p className={`dimmed wrap ${styles.jobSeeds}`}>{t('job.seeds', { seeds: seedsWords(t, job.seeds) })}</p>
      )}
    </>
  )
}

/** A harvest may have thousands; all of them are under its definition. */
const seedsShownMax = 3

function seedsWords(t: Translate, seeds: readonly string[]): string {
  const shown = seeds.slice(0, seedsShownMax).join(', ')
  return seeds.length > seedsShownMax ? t('job.moreSeeds', { seeds: shown, more: seeds.length - seedsShownMax }) : shown
}
