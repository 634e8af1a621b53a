/** A yes-or-no question that is asked before something is removed. A script answers it in advance with an option. */
import { Fault } from '../../../contract/calls/faults.ts'
import { withAnswers, type Ends } from './secretInput.ts'
import { message } from '../../../contract/words/message.ts'

interface Confirmation extends Ends {
  question: string
  /** The option with which a script confirms. */
  option: string
}

/** Rejects with `Fault`: refused where standard input is not a terminal, stopped when the answer is not yes. */
export async function confirmed({ question, option, ...ends }: Confirmation): Promise<void> {
  if (ends.input.isTTY !== true) throw new Fault('refused', message('cli.confirm', { question, option }))
  const answer = await withAnswers(ends, (ask) => ask({ prompt: `${question} [y/N]`, isShown: true }))
  if (!/^y(es)?$/i.test(answer.trim())) throw new Fault('stopped', message('cli.unchanged'))
}
