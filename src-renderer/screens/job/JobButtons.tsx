/** The buttons of a job. A button that cannot be used says why. */
import { Button } from '@mantine/core'
import { Eye, FileOutput, RotateCw, ScanSearch, SearchX, Square, SquarePen, Trash2 } from 'lucide-react'
import { useStore } from 'zustand'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { hrefOf } from '../../routes/routes.ts'
import type { JobAction, JobStore } from '../../state/job.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { whyNot, whyNotEdited } from '../jobs/jobWords.ts'
import { PauseButton } from '../jobs/PauseButton.tsx'
import { isDryRun } from './isDryRun.ts'
import { useJobActions, type JobActions, type RunAction } from './useJobActions.ts'

interface JobButtonsProps {
  job: JobWhole
  store: JobStore
  onEdit: () => void
}

/** What each group of buttons needs. */
interface GroupProps {
  job: JobWhole
  actions: JobActions
  /** The reason why a button is disabled; null where it is enabled. */
  why: (action: JobAction) => string | null
}

export function JobButtons({ job, store, onEdit }: JobButtonsProps) {
  const t = useWords()
  const { act, asked } = useStore(store)
  const actions = useJobActions(job, act)
  const why = (action: JobAction) => (asked ? t('job.asked') : whyNot(t, job, action))
  return (
    <>
      <Button.Group>
        <PauseButton job={job} why={asked ? t('job.asked') : null} onAct={(action) => void act(action)} />
        <ActionButton
          needs="jobs.abort"
          variant="default"
          leftSection={<Square size={16} aria-hidden />}
          why={why('abort')}
          onClick={() => void actions.stop()}
        >
          {t('job.stop')}
        </ActionButton>
      </Button.Group>
      {job.kind === 'event' && <RunButtons job={job} actions={actions} why={why} />}
      {job.kind === 'event' && (
        <ActionButton
          needs="harvests.edit"
          variant="default"
          leftSection={<SquarePen size={16} aria-hidden />}
          why={whyNotEdited(t, job)}
          onClick={onEdit}
        >
          {t('job.edit')}
        </ActionButton>
      )}
      <ActionButton
        needs="jobs.delete"
        variant="default"
        leftSection={<Trash2 size={16} aria-hidden />}
        why={why('delete')}
        onClick={() => void actions.remove()}
      >
        {t('job.delete')}
      </ActionButton>
      <CaptureButtons job={job} />
    </>
  )
}

/** Starts a full or an incremental run. During a run they restart it, because the next run can only follow when this one has ended. */
function RunButtons({ job, actions, why }: GroupProps) {
  const t = useWords()
  const canRestart = whyNot(t, job, 'restart') === null
  const runs: RunAction[] = canRestart ? ['restart', 'restartMinimal'] : ['start', 'startMinimal']
  return (
    <Button.Group aria-label={t('job.further')}>
      {runs.map((action, index) => (
        <ActionButton
          needs={action === 'start' || action === 'startMinimal' ? 'jobs.start' : 'jobs.restart'}
          key={action}
          variant="default"
          leftSection={index === 0 ? <RotateCw size={16} aria-hidden /> : undefined}
          why={why(action)}
          onClick={() => void actions.run(action)}
        >
          {t(action === 'start' && job.started === null ? 'job.start.first' : `job.${action}`)}
        </ActionButton>
      ))}
    </Button.Group>
  )
}

/** Actions on the captures of an ended job. */
function CaptureButtons({ job }: { job: JobWhole }) {
  const t = useWords()
  const { dialogs } = useSession()
  const whyDry = isDryRun(job) ? t('job.dry.why') : null
  return (
    <>
      <ActionButton
        needs="exports.start"
        variant="default"
        leftSection={<FileOutput size={16} aria-hidden />}
        why={whyDry ?? (job.ended === null ? t('job.export.why') : null)}
        onClick={() => dialogs.getState().show('export', { jobs: [job.job] })}
      >
        {t('job.export')}
      </ActionButton>
      {job.kind === 'import' && (
        <>
          <LinkButton
            variant="default"
            leftSection={<SearchX size={16} aria-hidden />}
            href={hrefOf({ place: 'missing', jobs: [job.job] })}
          >
            {t('job.missing')}
          </LinkButton>
          <LinkButton
            variant="default"
            leftSection={<ScanSearch size={16} aria-hidden />}
            href={hrefOf({ place: 'pageAudits', job: job.job })}
          >
            {t('job.pageAudits')}
          </LinkButton>
        </>
      )}
      <LinkButton
        leftSection={<Eye size={16} aria-hidden />}
        why={whyDry ?? (job.ended === null ? t('job.view.why') : null)}
        href={hrefOf({ place: 'viewer', jobs: [job.job] })}
      >
        {t('job.view')}
      </LinkButton>
    </>
  )
}
