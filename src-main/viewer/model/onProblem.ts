/** Failures of the viewer that no request waits for. */
import type { Message } from '../../contract/words/message.ts'

/** Receives errors for which no caller waits. `failure` says what failed, given the text of the error. */
export type OnProblem = (error: unknown, failure: (problem: Message) => Message) => void
