/** The logins of a configuration as they are typed, and what the contract makes of them. */
import { loginShape, type Login } from '../../../src-main/contract/services/login.ts'
import { isPathPart } from '../../../src-main/contract/calls/faults.ts'
import type { Problem } from '../harvest/harvestDraft.ts'
import { loginDraftOf, loginInput, type LoginAreaDraft } from '../harvest/loginDraft.ts'

export function areaDraftsOf(areas: Login['areas'] | null): LoginAreaDraft[] {
  return areas === null ? [] : loginDraftOf({ areas, recorded: 'withoutSecrets' }).areas
}

/** Returns the logins, null for none, or the first problem, with its path in a definition. */
export function areasFrom(drafts: LoginAreaDraft[]): { areas: Login['areas'] | null } | { problem: Problem } {
  const input = loginInput({ areas: drafts, recorded: 'withoutSecrets' })
  if (input === undefined) return { areas: null }
  const checked = loginShape.safeParse(input)
  if (checked.success) return { areas: checked.data.areas }
  const [issue] = checked.error.issues
  if (!issue) throw new Error('the logins were refused without an issue')
  return { problem: { path: ['login', ...issue.path.filter(isPathPart)], issue, line: null } }
}
