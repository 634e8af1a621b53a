/** Checks values that were made from options, and names the option whose value is refused. */
import { Fault } from '../../../contract/calls/faults.ts'
import { problemOf, valueAt } from '../../../contract/calls/refusedValue.ts'

type Issue = Parameters<typeof problemOf>[0]
type Parsed<Value> = { success: true; data: Value } | { success: false; error: { issues: Issue[] } }

/** Returns a value that fits its shape. Throws `Fault` badInput about the option that sets the field with the first problem. With the
 *  checked value as `given`, a field that it lacks is called missing. */
export function checkedInput<Value>(
  result: Parsed<Value>,
  optionAt: (path: readonly PropertyKey[]) => string,
  given?: object,
): Value {
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (!issue) throw new Error('The input was refused without an issue.')
  const isAbsent = given !== undefined && valueAt(given, issue.path) === undefined
  throw new Fault('badInput', problemOf(issue, optionAt(issue.path), isAbsent))
}
