/** The question what a user may see, as it is typed. */
import type { Translate } from '../../words/words.tsx'
import { jobTyped } from './jobTyped.ts'

export interface UserQuestion {
  users: readonly { user: string; domain: string }[]
  /** '': no capture is asked about. */
  url: string
  /** '': no job. */
  job: number | string
}

export const emptyQuestion: UserQuestion = { users: [{ user: '', domain: '' }], url: '', job: '' }

/** The error of each control, under the engine's name of its field, in the order of the form. */
export function questionProblems(t: Translate, { users, url, job }: UserQuestion): Record<string, string | null> {
  return {
    ...Object.fromEntries(
      users.flatMap(({ user, domain }, index) => [
        [userField(index), user.trim() === '' ? t('access.needed') : null],
        [
          domainField(index),
          users.slice(0, index).some((before) => before.domain === domain) ? t('userAccess.twice') : null,
        ],
      ]),
    ),
    url: url.trim() === '' && job !== '' ? t('userAccess.url.needed') : null,
    job: jobTyped(job) === undefined ? t('rules.job.wrong') : null,
  }
}

export const userField = (index: number) => `user ${index}`
export const domainField = (index: number) => `domain ${index}`
