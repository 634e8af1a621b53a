/** A security rule in words. */
import type { SecurityRule } from '../../../src-main/contract/services/security.ts'
import type { Translate } from '../../words/words.tsx'

/** What a rule is about: `Job 3, com,example`. */
export function rulePlace(t: Translate, rule: Pick<SecurityRule, 'job' | 'surtPrefix'>): string {
  return `${ruleJob(t, rule)}, ${rulePrefix(t, rule)}`
}

export function ruleJob(t: Translate, { job }: Pick<SecurityRule, 'job'>): string {
  return job === null ? t('rules.job.every') : `${t('rules.job')} ${job}`
}

export function rulePrefix(t: Translate, { surtPrefix }: Pick<SecurityRule, 'surtPrefix'>): string {
  return surtPrefix === '' ? t('rules.prefix.every') : surtPrefix
}
