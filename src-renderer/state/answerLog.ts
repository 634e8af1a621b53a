/**
 * Responses of the viewer to requests of open pages. They are reported one by one as events, and listed on request. A response is settled
 * when it is known which page asked for it; until then it is kept here.
 */
import type { Answer } from '../../src-main/contract/services/viewer.ts'
import type { ViewServices } from './viewState.ts'

export interface AnswerLog {
  /** Leaves out everything before the window was opened. Later calls do nothing. */
  begin(): Promise<void>
  /** All responses since the last settled one, from the engine: events may still be on their way. */
  unsettled(): Promise<Answer[]>
  /** These responses, and everything before the last of them, belong to known pages. */
  settle(answers: readonly Answer[]): void
  /** Keeps a reported response. False: it is settled. */
  report(answer: Answer): boolean
  /** The responses that were reported since the last call and are not settled. */
  takeReported(): Answer[]
}

export function answerLog(viewer: Pick<ViewServices['viewer'], 'answers'>): AnswerLog {
  let settledTo = 0
  let reported: Answer[] = []
  return {
    begin: async () => {
      if (settledTo === 0) settledTo = lastId(await viewer.answers({ after: 0 })) ?? 0
    },
    unsettled: async () => (await viewer.answers({ after: settledTo })).filter(isOfInterface),
    settle: (answers) => {
      settledTo = lastId(answers) ?? settledTo
      reported = reported.filter(({ id }) => id > settledTo)
    },
    report: (answer) => {
      if (answer.id <= settledTo) return false
      reported.push(answer)
      return true
    },
    takeReported: () => {
      const taken = reported
      reported = []
      return taken
    },
  }
}

/** Another browser may show the same view in a viewing of its own. */
export function isOfInterface({ viewing }: Answer): boolean {
  return viewing === ''
}

function lastId(answers: readonly Answer[]): number | undefined {
  return answers.reduce<number | undefined>((last, { id }) => Math.max(last ?? 0, id), undefined)
}
