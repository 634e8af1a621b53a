/** The assessment loop: makes jobs wait while a connector is missing, and resumes them when it is back. It runs before the
 *  loops that hand out documents. */
import { message } from '../../contract/words/message.ts'
import { assessmentOf } from '../capture/connectors/assessment.ts'
import { openConnectors } from '../capture/connectors/installed.ts'
import type { Engine, Loop } from './engine.ts'

export function assessmentLoop(engine: Engine): Loop {
  const assess = assessmentOf(engine.store)
  const connectors = openConnectors(engine.store)
  return {
    name: 'assessment',
    pass() {
      for (const { job } of assess()) {
        const lack = connectors.lackOf(job, engine.definitionOf(job))
        if (lack !== undefined) engine.log(job, 'warning', lack)
        else engine.log(job, 'info', message('jobLog.connectors.back'))
      }
    },
  }
}
