/** Texts for a batch run: its files, its state, and what to do. */
import type { BatchRequest, BatchRunSummary } from '../../../src-main/contract/services/batch.ts'
import type { Formats } from '../../parts/formats.ts'
import type { Translate } from '../../words/words.tsx'

export function isRunning({ ended }: Pick<BatchRunSummary, 'ended'>): boolean {
  return ended === null
}

export function choiceWords(t: Translate, { files, jobs = [], kind, replica }: BatchRequest): string {
  const parts = [
    ...jobs.map((job) => t('batch.choice.job', { job })),
    ...(kind === 'both' ? [] : [t(`batch.choice.${kind}`)]),
    ...(files === undefined ? [] : [t('batch.choice.files', { files })]),
    ...(replica === undefined ? [] : [t('batch.choice.replica', { replica })]),
  ]
  return parts.length === 0 ? t('batch.choice.all') : parts.join(', ')
}

/** The state of a run in sentences, including the engine's message. */
export function outcomeWords(t: Translate, { count }: Pick<Formats, 'count'>, run: BatchRunSummary): string[] {
  const { findings: failed, problem, code } = run
  const far = { processed: count(run.filesDone), files: count(run.filesTotal) }
  if (isRunning(run)) return failed === 0 ? [] : [t('batch.running.failed', { failed })]
  switch (run.state) {
    case 'DONE':
      return [t('batch.done', { files: run.filesTotal })]
    case 'DONE_WITH_FINDINGS':
      return [t('batch.done.failed', { files: run.filesTotal, failed })]
    case 'STOPPED':
      return [t('batch.stopped', far)]
    case 'INTERRUPTED':
      return [t('batch.stopped.cut', far)]
    default:
      return [
        ...(problem === null ? [] : [t(problem)]),
        t('batch.failed', far),
        t(code === 'noSpace' ? 'batch.failed.full' : 'batch.failed.todo'),
      ]
  }
}
