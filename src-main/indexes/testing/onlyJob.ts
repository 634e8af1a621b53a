/** Rules that show the captures of one job. */
import type { CaptureRule } from '../../formats/cdx/captureRules.ts'

export function onlyJob(job: number): CaptureRule[] {
  const rule = { surtPrefix: '', place: 'share g' }
  return [
    { ...rule, job: null, isShown: false },
    { ...rule, job, isShown: true },
  ]
}
