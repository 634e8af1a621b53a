/** Whether this browser uses the replay proxy. */
import type { Loupe } from '../../../src-main/contract/contract.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { faultFrom } from '../../state/loaded.ts'

export type About = Awaited<ReturnType<Loupe['system']['about']>>
export type ProxyUse = { is: 'used' | 'unused'; about: About } | { is: 'refused'; fault: Fault }

/** The proxy is on this machine, so a browser without an answer by then does not use it. */
const answerWaitMsMax = 5_000

/** `.invalid` never resolves (RFC 6761, 6.4): only the proxy can answer for this name. */
export async function askProxy(services: Pick<Loupe, 'system'>): Promise<ProxyUse> {
  try {
    const about = await services.system.about({})
    return { is: (await answers(`http://${about.commandHost}/getStatus`)) ? 'used' : 'unused', about }
  } catch (error) {
    return { is: 'refused', fault: faultFrom(error) }
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(answerWaitMsMax) })
    return response.ok
  } catch (error) {
    // A browser does not say why a request failed, and the failure alone is the answer.
    console.info('Loupe: the viewer proxy did not answer this browser', error)
    return false
  }
}
