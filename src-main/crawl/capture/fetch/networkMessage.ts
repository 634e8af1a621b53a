/** Texts for faults of the network. */
import { message, type Message } from '../../../contract/words/message.ts'
import type { NetworkFault } from '../../../world/world.ts'

/** Describes the fault to users, as the cause that follows the reason of a failed capture. */
export function networkMessage({ code, where }: NetworkFault): Message {
  const problem = message(`network.${code}`)
  return where === undefined ? problem : message('network.at', { problem, where })
}
