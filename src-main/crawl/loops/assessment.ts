/** The assessment loop: jobs whose connector has gone wait, and go on when it is back. It stands before the loops that hand
 *  documents out. */
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
        const lack = connectors.lackOf(engine.definitionOf(job))
        if (lack.length > 0) engine.log(job, 'warning', lack.join(' '))
        else engine.log(job, 'info', 'The missing connectors are installed again. The job resumes.')
      }
    },
  }
}
