/** The NDSA Levels of Digital Preservation (version 2.0, 2019) for storage, integrity and metadata, as a table with a row for each
 *  condition and how Loupe evaluates it. Conditions that Loupe cannot check count as not met until the institution declares them in
 *  the settings: the locations of replicas (`places`) and other conditions (`preservation.declared`), which reports mark as declared.
 *  A level is reached when all its conditions and those of the lower levels are met. Each requirement paraphrases one entry of the
 *  matrix. The areas control and content are omitted, since they concern people and formats. */

import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'

/** Functional areas of the matrix that are evaluated. */
export const areas = ['storage', 'integrity', 'metadata'] as const
export type Area = (typeof areas)[number]

/** The data by which the conditions are evaluated. */
export interface Facts {
  /** Replicas that hold the bytes of every stored file, by the last checks: no copy is missing, damaged or not stored. */
  complete: readonly { replica: string; place: string | undefined }[]
  /** All replicas, including those of checksums. */
  replicas: readonly { replica: string; place: string | undefined }[]
  files: number
  overdue: number
  /** Number of copies that are missing or damaged. */
  bad: number
  /** Whether the schedule checks every checksum before copies become overdue. */
  isScheduled: boolean
  /** Whether the audit log is intact and agrees with its witness file. */
  isAuditLogWhole: boolean
  hasChecks: boolean
  /** Whether in each replica all checksums were checked at or after the time of its last finding. */
  isCheckedSinceTrouble: boolean
  /** Number of jobs that have content files but no metadata file. */
  jobsWithoutMetadata: number
  /** Number of content files that belong to no job: uploads, and files restored from the attic. They have no metadata file. */
  filesWithoutJob: number
  hasMetadata: boolean
  /** Whether there is a verified backup of the database, with its catalogue and checksums, that covers everything stored until now and
   *  is on another file system than the archive and its replicas. False where Loupe cannot determine that. */
  isBackedUpApart: boolean
}

/** One condition of a level. */
export interface Condition {
  id: string
  area: Area
  level: 1 | 2 | 3 | 4
  /** Requirement of the level. */
  requirement: Message
  /** Evaluates the condition; undefined when Loupe cannot check it. */
  isMet: ((facts: Facts) => boolean) | undefined
  /** The condition may be met by means outside of Loupe, so the institution may declare it when Loupe finds it not met. */
  isDeclarable?: true
  /** Advice for a condition that is not met. */
  need: Message
}

/** A condition that Loupe cannot check. */
function unknown(id: string, area: Area, level: Condition['level'], requirement: Message): Condition {
  return { id, area, level, requirement, isMet: undefined, need: message('ndsa.declare', { id }) }
}

/** All conditions, by area and level. */
export const conditions: readonly Condition[] = [
  {
    id: 'twoCopies',
    area: 'storage',
    level: 1,
    requirement: message('ndsa.twoCopies'),
    isMet: ({ complete, files }) => files > 0 && placesOf(complete).size >= 2,
    need: message('ndsa.twoCopies.need'),
  },
  {
    id: 'mediaDocumented',
    area: 'storage',
    level: 1,
    requirement: message('ndsa.mediaDocumented'),
    isMet: ({ replicas }) => replicas.every(({ place }) => place !== undefined),
    need: message('ndsa.mediaDocumented.need'),
  },
  unknown('stableStorage', 'storage', 1, message('ndsa.stableStorage')),
  {
    id: 'threeCopies',
    area: 'storage',
    level: 2,
    requirement: message('ndsa.threeCopies'),
    isMet: ({ complete, files }) => files > 0 && complete.length >= 3 && placesOf(complete).size >= 2,
    need: message('ndsa.threeCopies.need'),
  },
  unknown('dependenciesDocumented', 'storage', 2, message('ndsa.dependenciesDocumented')),
  unknown('otherThreat', 'storage', 3, message('ndsa.otherThreat')),
  unknown('otherMedia', 'storage', 3, message('ndsa.otherMedia')),
  unknown('obsolescenceTracked', 'storage', 3, message('ndsa.obsolescenceTracked')),
  {
    id: 'threePlaces',
    area: 'storage',
    level: 4,
    requirement: message('ndsa.threePlaces'),
    isMet: ({ complete, files }) => files > 0 && placesOf(complete).size >= 3,
    need: message('ndsa.threePlaces.need'),
  },
  // Three different places may still be exposed to the same disaster.
  unknown('threatsDiffer', 'storage', 4, message('ndsa.threatsDiffer')),
  unknown('noSingleFailure', 'storage', 4, message('ndsa.noSingleFailure')),
  unknown('obsolescencePlan', 'storage', 4, message('ndsa.obsolescencePlan')),

  {
    id: 'givenIntegrityVerified',
    area: 'integrity',
    level: 1,
    requirement: message('ndsa.givenIntegrityVerified'),
    isMet: () => true,
    need: message('ndsa.givenIntegrityVerified.need'),
  },
  {
    id: 'integrityGenerated',
    area: 'integrity',
    level: 1,
    requirement: message('ndsa.integrityGenerated'),
    isMet: () => true,
    need: message('ndsa.integrityGenerated.need'),
  },
  unknown('virusChecked', 'integrity', 1, message('ndsa.virusChecked')),
  {
    id: 'movesVerified',
    area: 'integrity',
    level: 2,
    requirement: message('ndsa.movesVerified'),
    isMet: () => true,
    need: message('ndsa.movesVerified.need'),
  },
  unknown('writeBlockers', 'integrity', 2, message('ndsa.writeBlockers')),
  {
    id: 'integrityElsewhere',
    area: 'integrity',
    level: 2,
    requirement: message('ndsa.integrityElsewhere'),
    isMet: ({ isBackedUpApart }) => isBackedUpApart,
    isDeclarable: true,
    need: message('ndsa.backUpApart', { id: 'integrityElsewhere' }),
  },
  {
    id: 'fixedIntervals',
    area: 'integrity',
    level: 3,
    requirement: message('ndsa.fixedIntervals'),
    isMet: ({ isScheduled, overdue, files }) => isScheduled && files > 0 && overdue === 0,
    need: message('ndsa.fixedIntervals.need'),
  },
  {
    id: 'checksDocumented',
    area: 'integrity',
    level: 3,
    requirement: message('ndsa.checksDocumented'),
    isMet: ({ hasChecks, isAuditLogWhole }) => hasChecks && isAuditLogWhole,
    need: message('ndsa.checksDocumented.need'),
  },
  {
    id: 'auditOnDemand',
    area: 'integrity',
    level: 3,
    requirement: message('ndsa.auditOnDemand'),
    isMet: () => true,
    need: message('ndsa.auditOnDemand.need'),
  },
  {
    id: 'afterEvents',
    area: 'integrity',
    level: 4,
    requirement: message('ndsa.afterEvents'),
    isMet: ({ isCheckedSinceTrouble }) => isCheckedSinceTrouble,
    need: message('ndsa.afterEvents.need'),
  },
  {
    id: 'damageRepaired',
    area: 'integrity',
    level: 4,
    requirement: message('ndsa.damageRepaired'),
    isMet: ({ bad }) => bad === 0,
    need: message('ndsa.damageRepaired.need'),
  },

  {
    id: 'inventory',
    area: 'metadata',
    level: 1,
    requirement: message('ndsa.inventory'),
    isMet: () => true,
    need: message('ndsa.inventory.need'),
  },
  {
    id: 'inventoryElsewhere',
    area: 'metadata',
    level: 1,
    requirement: message('ndsa.inventoryElsewhere'),
    isMet: ({ isBackedUpApart }) => isBackedUpApart,
    isDeclarable: true,
    need: message('ndsa.backUpApart', { id: 'inventoryElsewhere' }),
  },
  {
    id: 'contentKnown',
    area: 'metadata',
    level: 2,
    requirement: message('ndsa.contentKnown'),
    isMet: ({ hasMetadata, jobsWithoutMetadata, filesWithoutJob }) =>
      hasMetadata && jobsWithoutMetadata + filesWithoutJob === 0,
    need: message('ndsa.contentKnown.need'),
  },
  unknown('standardsChosen', 'metadata', 3, message('ndsa.standardsChosen')),
  unknown('gapsFilled', 'metadata', 3, message('ndsa.gapsFilled')),
  {
    id: 'actionsRecorded',
    area: 'metadata',
    level: 4,
    requirement: message('ndsa.actionsRecorded'),
    isMet: ({ isAuditLogWhole }) => isAuditLogWhole,
    need: message('ndsa.actionsRecorded.need'),
  },
  unknown('standardsUsed', 'metadata', 4, message('ndsa.standardsUsed')),
]

export type ConditionState = 'met' | 'declared' | 'notMet'

/** Result for one area. */
export interface Judged {
  area: Area
  /** Level reached; 0 when not even the first is. */
  level: 0 | 1 | 2 | 3 | 4
  conditions: {
    id: string
    level: number
    requirement: Message
    state: ConditionState
    isChecked: boolean
    isDeclarable: boolean
    need: Message
  }[]
  /** Unmet conditions of the next level; empty at the highest level. */
  next: Message[]
}

/** Evaluates all conditions and levels. `declared`: ids of the conditions that the institution declares as met; where Loupe can check
 *  a condition, a declaration counts only if the condition is marked `isDeclarable`. */
export function levelsOf(facts: Facts, declared: readonly string[]): Judged[] {
  const stateOf = (condition: Condition): ConditionState => {
    if (condition.isMet?.(facts)) return 'met'
    return isDeclarable(condition) && declared.includes(condition.id) ? 'declared' : 'notMet'
  }
  return areas.map((area) => {
    const judged = conditions
      .filter((condition) => condition.area === area)
      .map((condition) => {
        const { id, level, requirement, need, isMet } = condition
        const isChecked = isMet !== undefined
        return {
          id,
          level,
          requirement,
          need,
          state: stateOf(condition),
          isChecked,
          isDeclarable: isDeclarable(condition),
        }
      })
    const lacking = judged.filter(({ state }) => state === 'notMet')
    const level = levels.findLast((each) => lacking.every((condition) => condition.level > each)) ?? 0
    const next = lacking
      .filter((condition) => condition.level === level + 1)
      .map(({ requirement, need }) => joined([requirement, need]))
    return { area, level, conditions: judged, next }
  })
}

const levels = [1, 2, 3, 4] as const

/** Distinct places of the replicas, by the names in the settings. */
function placesOf(replicas: Facts['complete']): Set<string> {
  return new Set(replicas.flatMap(({ place }) => (place === undefined ? [] : [place.trim().toLowerCase()])))
}

/** What the conditions that may be declared require, by id. */
export const declarableRequirements: Readonly<Record<string, Message>> = Object.fromEntries(
  conditions.filter(isDeclarable).map(({ id, requirement }) => [id, requirement]),
)
/** Ids of the conditions that may be declared. */
export const declarable: readonly string[] = Object.keys(declarableRequirements)

function isDeclarable({ isMet, isDeclarable: is }: Condition): boolean {
  return !isMet || is === true
}
