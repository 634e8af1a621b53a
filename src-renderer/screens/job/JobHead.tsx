/** A job's name, state and buttons. A button that cannot be used says why; stopping asks first. */
import { Button } from '@mantine/core'
import { Eye, FileOutput, Pause, Play, RotateCw, Square, SquarePen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { JobWhole } from '../../../src-main/contract/contract.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import type { JobAction, JobStore } from '../../state/job.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Say } from '../../words/words.tsx'
import { HarvestDrawer } from '../harvest/HarvestDrawer.tsx'
import { endsAtOnce, jobLook, whyNot, whyNotEdited } from '../jobs/jobWords.ts'
import { useExportAtHand } from '../jobs/useExportAtHand.ts'
import { goTo, hrefOf } from '../../routes/routes.ts'
import styles from './job.module.css'

export function JobHead({ job, store }: { job: JobWhole; store: JobStore }) {
  const say = useWords()
  const confirm = useConfirm()
  const { dialogs } = useSession()
  const [isEditing, setEditing] = useState(false)
  const { act, asked } = useStore(store)
  const why = (action: JobAction) => (asked ? say('job.asked') : whyNot(say, job, action))

  async function stop(): Promise<void> {
    const agreed = await confirm({
      title: say('job.stop.title', { name: job.harvest }),
      text: endsAtOnce(job) ? say('job.stop.storing') : say('job.stop.text', { queued: job.queued }),
      verb: say('job.stop.verb'),
    })
    if (agreed) await act('abort')
  }

  async function again(action: 'start' | 'startMinimal' | 'restart' | 'restartMinimal'): Promise<void> {
    if (action === 'start' || action === 'startMinimal') return void (await act(action))
    const agreed = await confirm({
      title: say('job.restart.title', { name: job.harvest }),
      text: say(`job.${action}.text`),
      verb: say('job.restart.verb'),
    })
    if (agreed) await act(action)
  }

  useExportAtHand(job.definition.connectors?.output === 'null' ? [] : [job])
  const nothingThere = job.definition.connectors?.output === 'null' ? say('job.dry.why') : null

  // A run that is under way can only be followed by the next one when it is ended first.
  const runs = whyNot(say, job, 'restart') === null ? (['restart', 'restartMinimal'] as const) : (['start', 'startMinimal'] as const) // prettier-ignore

  async function remove(): Promise<void> {
    const agreed = await confirm({
      title: say('job.delete.title', { name: job.harvest }),
      text: say('job.delete.text', { job: String(job.job) }),
      verb: say('job.delete.verb'),
    })
    if (agreed && (await act('delete'))) goTo({ place: 'jobs' })
  }

  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'jobs' })}>
        {say('job.all')}
      </a>
      <PageHead
        title={say('job.title', { job: job.job, name: job.harvest })}
        beside={<ToneBadge {...jobLook(job)} />}
        actions={
          <>
            <Button.Group>
              {/* Never both at once: what is paused is resumed, everything else is paused or says why it cannot be. */}
              {whyNot(say, job, 'resume') === null ? (
                <ActionButton
                  variant="default"
                  leftSection={<Play size={16} aria-hidden />}
                  why={why('resume')}
                  onClick={() => void act('resume')}
                >
                  {say('job.resume')}
                </ActionButton>
              ) : (
                <ActionButton
                  variant="default"
                  leftSection={<Pause size={16} aria-hidden />}
                  why={why('pause')}
                  onClick={() => void act('pause')}
                >
                  {say('job.pause')}
                </ActionButton>
              )}
              <ActionButton
                variant="default"
                leftSection={<Square size={16} aria-hidden />}
                why={why('abort')}
                onClick={() => void stop()}
              >
                {say('job.stop')}
              </ActionButton>
            </Button.Group>
            <Button.Group aria-label={say('job.further')}>
              {job.kind === 'event' &&
                runs.map((action, index) => (
                  <ActionButton
                    key={action}
                    variant="default"
                    leftSection={index === 0 ? <RotateCw size={16} aria-hidden /> : undefined}
                    why={why(action)}
                    onClick={() => void again(action)}
                  >
                    {say(action === 'start' && job.started === null ? 'job.start.first' : `job.${action}`)}
                  </ActionButton>
                ))}
            </Button.Group>
            {job.kind === 'event' && (
              <ActionButton
                variant="default"
                leftSection={<SquarePen size={16} aria-hidden />}
                why={whyNotEdited(say, job)}
                onClick={() => setEditing(true)}
              >
                {say('job.edit')}
              </ActionButton>
            )}
            <ActionButton
              variant="default"
              leftSection={<Trash2 size={16} aria-hidden />}
              why={why('delete')}
              onClick={() => void remove()}
            >
              {say('job.delete')}
            </ActionButton>
            <ActionButton
              variant="default"
              leftSection={<FileOutput size={16} aria-hidden />}
              why={nothingThere ?? (job.ended === null ? say('job.export.why') : null)}
              onClick={() => dialogs.getState().show('export', { jobs: [job.job] })}
            >
              {say('job.export')}
            </ActionButton>
            <LinkButton
              leftSection={<Eye size={16} aria-hidden />}
              why={nothingThere ?? (job.ended === null ? say('job.view.why') : null)}
              href={hrefOf({ place: 'viewer', jobs: [job.job] })}
            >
              {say('job.view')}
            </LinkButton>
          </>
        }
      />
      <HarvestDrawer opened={isEditing} onClose={() => setEditing(false)} edited={job} />
      {job.kind === 'event' && (
        <p className={`dimmed wrap ${styles.jobSeeds}`}>{say('job.seeds', { seeds: seedsWords(say, job.seeds) })}</p>
      )}
    </>
  )
}

/** A harvest may have thousands; all of them are under its definition. */
const seedsShownMax = 3

function seedsWords(say: Say, seeds: readonly string[]): string {
  const shown = seeds.slice(0, seedsShownMax).join(', ')
  return seeds.length > seedsShownMax
    ? say('job.moreSeeds', { seeds: shown, more: seeds.length - seedsShownMax })
    : shown
}
