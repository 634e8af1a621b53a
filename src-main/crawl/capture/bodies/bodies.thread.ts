/** Runs a batch of tasks on bodies, in order. */
import type { Task } from '../../../world/world.ts'
import { bodyLinks, type BodyLinksInput } from '../fetch/bodyLinks.ts'
import { recordMembers, type MembersInput, type RecordMembers } from '../records/recordMembers.ts'
import { packedLinks, type PackedLinks } from './packedLinks.ts'

/** One task on the body of an answer. */
export type BodyTask = { kind: 'links'; input: BodyLinksInput } | { kind: 'members'; input: MembersInput }
/** Results in the order of the tasks. */
export type BodyResult = { kind: 'links'; output: PackedLinks } | { kind: 'members'; output: RecordMembers }

/** Runs the tasks. */
export const task: Task<BodyTask[], BodyResult[]> = async (_context, tasks) =>
  tasks.map((each) =>
    each.kind === 'links'
      ? { kind: 'links', output: packedLinks(bodyLinks(each.input)) }
      : { kind: 'members', output: recordMembers(each.input) },
  )
