/** The NDSA Levels of Digital Preservation (version 2.0, 2019) for storage, integrity and metadata, as a table with a row for each
 *  condition and how Loupe evaluates it. Conditions that Loupe cannot check count as not met until the institution declares them in
 *  the settings: the locations of replicas (`places`) and other conditions (`preservation.declared`), which reports mark as declared.
 *  A level is reached when all its conditions and those of the lower levels are met. Each sentence paraphrases one entry of the
 *  matrix. The areas control and content are omitted, since they concern people and formats. */

/** Functional areas of the matrix that are evaluated. */
export const areas = ['storage', 'integrity', 'metadata'] as const
export type Area = (typeof areas)[number]

/** The data by which the conditions are evaluated. */
export interface Facts {
  /** Replicas that hold the bytes of every stored file, as far as is known: no copy is missing, damaged or not stored. */
  complete: readonly { replica: string; place: string | undefined }[]
  /** All replicas, including those of checksums. */
  replicas: readonly { replica: string; place: string | undefined }[]
  files: number
  overdue: number
  /** Number of copies that are missing or damaged. */
  bad: number
  /** Whether the schedule checks every checksum before copies become overdue. */
  isScheduled: boolean
  /** Whether the audit trail is intact and agrees with its witness file. */
  isTrailWhole: boolean
  hasChecks: boolean
  /** Whether in each replica all checksums were checked at or after the time of its last finding. */
  isCheckedSinceTrouble: boolean
  /** Number of jobs that have content files but no metadata file. */
  jobsWithoutMetadata: number
  /** Number of content files that belong to no job: uploads, and files restored from the attic. They have no metadata file. */
  filesWithoutJob: number
  hasMetadata: boolean
  /** Whether there is a verified backup of the database, with its catalogue and checksums, that covers everything stored until now and
   *  is on another file system than the archive and its replicas, as far as Loupe can determine. */
  isBackedUpApart: boolean
}

/** One condition of a level. */
export interface Condition {
  id: string
  area: Area
  level: 1 | 2 | 3 | 4
  /** Requirement of the level. */
  sentence: string
  /** Evaluates the condition; undefined when Loupe cannot check it. */
  isMet: ((facts: Facts) => boolean) | undefined
  /** The condition may be met by means outside of Loupe, so the institution may declare it when Loupe finds it not met. */
  isDeclarable?: true
  /** Advice for a condition that is not met. */
  need: string
}

const declare = (id: string) =>
  `Loupe cannot check this. If it is met, declare it on the Report page or in the setting preservation.declared ("${id}").`

const backUpApart =
  'Set backup.folder to a drive that holds neither the archive nor a replica, and keep that drive connected.'

const declareOther = (id: string) =>
  `If it is backed up in another way, declare it on the Report page or in the setting preservation.declared ("${id}").`

const unknown = (id: string, area: Area, level: Condition['level'], sentence: string): Condition => {
  return { id, area, level, sentence, isMet: undefined, need: declare(id) }
}

/** All conditions, by area and level. */
export const conditions: readonly Condition[] = [
  {
    id: 'twoCopies',
    area: 'storage',
    level: 1,
    sentence: 'Two complete copies in separate locations.',
    isMet: ({ complete, files }) => files > 0 && placesOf(complete).size >= 2,
    need: 'Keep every file in two replicas, and enter two different locations in the setting places.',
  },
  {
    id: 'mediaDocumented',
    area: 'storage',
    level: 1,
    sentence: 'The storage media of all content are documented.',
    isMet: ({ replicas }) => replicas.every(({ place }) => place !== undefined),
    need: 'Enter the location and medium of every replica in the setting places.',
  },
  unknown('stableStorage', 'storage', 1, 'All content is in stable storage.'),
  {
    id: 'threeCopies',
    area: 'storage',
    level: 2,
    sentence: 'Three complete copies, at least one in a separate geographic location.',
    isMet: ({ complete, files }) => files > 0 && complete.length >= 3 && placesOf(complete).size >= 2,
    need: 'Keep every file in three replicas, and enter a second location for one of them in the setting places.',
  },
  unknown('dependenciesDocumented', 'storage', 2, 'The dependencies of the storage systems and media are documented.'),
  unknown('otherThreat', 'storage', 3, 'At least one copy is in a location with a different disaster threat.'),
  unknown('otherMedia', 'storage', 3, 'At least one copy is on a different type of storage medium.'),
  unknown('obsolescenceTracked', 'storage', 3, 'The obsolescence of storage and media is tracked.'),
  {
    id: 'threePlaces',
    area: 'storage',
    level: 4,
    sentence: 'Three complete copies in three geographic locations.',
    isMet: ({ complete, files }) => files > 0 && placesOf(complete).size >= 3,
    need: 'Keep every file in three replicas, and enter three different locations in the setting places.',
  },
  // Three different places may still be exposed to the same disaster.
  unknown('threatsDiffer', 'storage', 4, 'Each of these locations has a different disaster threat.'),
  unknown('noSingleFailure', 'storage', 4, 'Storage is diverse enough to avoid single points of failure.'),
  unknown(
    'obsolescencePlan',
    'storage',
    4,
    'A plan for the obsolescence of hardware, software and media exists and is carried out.',
  ),

  {
    id: 'givenIntegrityVerified',
    area: 'integrity',
    level: 1,
    sentence: 'Checksums that came with the content were verified.',
    isMet: () => true,
    need: 'Nothing to do: an import verifies the digests of every record and reports mismatches.',
  },
  {
    id: 'integrityGenerated',
    area: 'integrity',
    level: 1,
    sentence: 'Checksums were generated where the content came without.',
    isMet: () => true,
    need: 'Nothing to do: the SHA-256 of every file is computed before it is stored.',
  },
  unknown('virusChecked', 'integrity', 1, 'All content is scanned for viruses, and isolated where needed.'),
  {
    id: 'movesVerified',
    area: 'integrity',
    level: 2,
    sentence: 'Checksums are verified whenever content is moved or copied.',
    isMet: () => true,
    need: 'Nothing to do: every copy is read back and verified before it counts.',
  },
  unknown('writeBlockers', 'integrity', 2, 'A write blocker is used with original media.'),
  {
    id: 'integrityElsewhere',
    area: 'integrity',
    level: 2,
    sentence: 'The checksums are backed up in a location separate from the content.',
    isMet: ({ isBackedUpApart }) => isBackedUpApart,
    isDeclarable: true,
    need: `${backUpApart} ${declareOther('integrityElsewhere')}`,
  },
  {
    id: 'fixedIntervals',
    area: 'integrity',
    level: 3,
    sentence: 'Checksums are verified at fixed intervals.',
    isMet: ({ isScheduled, overdue, files }) => isScheduled && files > 0 && overdue === 0,
    need: 'Set preservation.checksumsEveryDays to at most preservation.overdueDays, without a sample, and verify the copies that are overdue.',
  },
  {
    id: 'checksDocumented',
    area: 'integrity',
    level: 3,
    sentence: 'The verification of checksums and its results are documented.',
    isMet: ({ hasChecks, isTrailWhole }) => hasChecks && isTrailWhole,
    need: 'Run a check, and verify the audit log ("loupe preserve audit --verify").',
  },
  {
    id: 'auditOnDemand',
    area: 'integrity',
    level: 3,
    sentence: 'Checksums can be audited on demand.',
    isMet: () => true,
    need: 'Nothing to do: use "loupe preserve checksums" or "loupe preserve spot".',
  },
  {
    id: 'afterEvents',
    area: 'integrity',
    level: 4,
    sentence: 'Checksums are verified in response to events.',
    isMet: ({ isCheckedSinceTrouble }) => isCheckedSinceTrouble,
    need: 'Run a checksum check of every replica that had findings since its last one.',
  },
  {
    id: 'damageRepaired',
    area: 'integrity',
    level: 4,
    sentence: 'Damaged content is replaced or repaired.',
    isMet: ({ bad }) => bad === 0,
    need: 'Repair the copies that are missing or damaged.',
  },

  {
    id: 'inventory',
    area: 'metadata',
    level: 1,
    sentence: 'An inventory of the content and its storage locations exists.',
    isMet: () => true,
    need: 'Nothing to do: the catalogue is this inventory.',
  },
  {
    id: 'inventoryElsewhere',
    area: 'metadata',
    level: 1,
    sentence: 'The inventory is backed up, with at least one copy separate from the content.',
    isMet: ({ isBackedUpApart }) => isBackedUpApart,
    isDeclarable: true,
    need: `${backUpApart} ${declareOther('inventoryElsewhere')}`,
  },
  {
    id: 'contentKnown',
    area: 'metadata',
    level: 2,
    sentence: 'Enough metadata is stored to know what the content is.',
    isMet: ({ hasMetadata, jobsWithoutMetadata, filesWithoutJob }) =>
      hasMetadata && jobsWithoutMetadata + filesWithoutJob === 0,
    need: 'Some jobs have content files without a metadata file, or some files belong to no job.',
  },
  unknown('standardsChosen', 'metadata', 3, 'The metadata standards to apply have been chosen.'),
  unknown('gapsFilled', 'metadata', 3, 'Gaps in the metadata are identified and filled to meet those standards.'),
  {
    id: 'actionsRecorded',
    area: 'metadata',
    level: 4,
    sentence: 'Preservation actions are recorded with their time.',
    isMet: ({ isTrailWhole }) => isTrailWhole,
    need: 'Verify the audit log ("loupe preserve audit --verify").',
  },
  unknown('standardsUsed', 'metadata', 4, 'The chosen metadata standards are applied.'),
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
    sentence: string
    state: ConditionState
    isChecked: boolean
    isDeclarable: boolean
    need: string
  }[]
  /** Unmet conditions of the next level; empty at the highest level. */
  next: string[]
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
        const { id, level, sentence, need, isMet } = condition
        const isChecked = isMet !== undefined
        return {
          id,
          level,
          sentence,
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
      .map(({ sentence, need }) => `${sentence} ${need}`)
    return { area, level, conditions: judged, next }
  })
}

const levels = [1, 2, 3, 4] as const

/** Distinct places of the replicas, by the names in the settings. */
function placesOf(replicas: Facts['complete']): Set<string> {
  return new Set(replicas.flatMap(({ place }) => (place === undefined ? [] : [place.trim().toLowerCase()])))
}

/** Ids of the conditions that may be declared. */
export const declarable: readonly string[] = conditions.filter(isDeclarable).map(({ id }) => id)

function isDeclarable({ isMet, isDeclarable: is }: Condition): boolean {
  return !isMet || is === true
}
