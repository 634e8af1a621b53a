/** Checks a harvest definition that was made from options, and names the option whose value is refused. */
import { problemOf } from '../../../contract/calls/refusedValue.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { harvestDefinition, type HarvestDefinition } from '../../../contract/services/definition.ts'
import { optionName } from '../input/optionName.ts'
import { recheckOption } from './recheck.ts'

/** Returns the definition with its defaults. Throws `Fault` badInput. */
export function checkedDefinition(asked: unknown): HarvestDefinition {
  const result = harvestDefinition.safeParse(asked)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (!issue) throw new Error('The definition was refused without an issue.')
  throw new Fault('badInput', problemOf(issue, optionAt(issue.path)))
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
    default:
      return optionName(String(field))
  }
}
