/** Checks a harvest definition that was made from options, and names the option whose value is refused. */
import { harvestDefinition, type HarvestDefinition } from '../../../contract/services/definition.ts'
import { checkedInput } from '../input/checkedInput.ts'
import { optionName } from '../input/optionName.ts'
import { deduplicationOption } from './deduplication.ts'
import { recheckOption } from './recheck.ts'

/** Returns the definition with its defaults. Throws `Fault` badInput. */
export function checkedDefinition(asked: unknown): HarvestDefinition {
  return checkedInput(harvestDefinition.safeParse(asked), optionAt)
}

/** Returns the option that sets the field at this path; seeds are arguments. Parts of some fields have options of their own. */
function optionAt([field, ...path]: readonly PropertyKey[]): string {
  switch (field) {
    case 'seeds':
      return 'URL'
    case 'connectors':
      return optionName(path.at(-1) === 'repositoryConnection' ? 'connection' : String(path.at(-1)))
    case 'hops':
      return optionName(path[0] === 'mode' ? 'hopMode' : 'hopLimit')
    case 'recheck':
      return optionName(recheckOption(String(path[0])))
    case 'deduplication':
      return optionName(deduplicationOption(String(path[0])))
    default:
      return optionName(String(field))
  }
}
