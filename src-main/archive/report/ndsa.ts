/** The Levels of Digital Preservation of the NDSA (version 2.0, 2019) for storage, integrity and metadata, as a table: a row
 *  for each condition, with what Loupe knows about it. What Loupe cannot know counts as not met until the institution says
 *  so in the settings: where a replica is (`places`), and whatever else (`preservation.declared`), which a report names as
 *  declared. A level is reached when all its conditions and all those of the levels below are. The wording is ours, each
 *  after one entry of the matrix. Not here: its areas control and content, which are about people and formats. */

export const areas = ['storage', 'integrity', 'metadata'] as const
export type Area = (typeof areas)[number]

/** What the conditions are judged by. */
export interface Facts {
  /** Replicas that hold the bytes of every stored file as far as anyone knows, nothing missing, bad or not stored. */
  complete: readonly { replica: string; place: string | undefined }[]
  /** All replicas, those of checksums too. */
  replicas: readonly { replica: string; place: string | undefined }[]
  files: number
  overdue: number
  /** Copies that are missing or damaged. */
  bad: number
  /** The schedule checks every checksum within the days after which a copy is overdue. */
  isScheduled: boolean
  /** The audit trail is whole, as far as its file says too. */
  isTrailWhole: boolean
  hasChecks: boolean
  /** In each replica every checksum was compared after its last finding was made, or when it was. */
  isCheckedSinceTrouble: boolean
  /** Files of harvests and imports without a metadata file of their job. */
  jobsWithoutMetadata: number
  /** Content that no job brought: an upload, bytes of the attic. No metadata file belongs to it. */
  filesWithoutJob: number
  hasMetadata: boolean
  /** A verified backup of the database, with its catalogue and checksums, which holds what was stored until now and lies on another
   *  file system than the archive and its replicas, as far as Loupe can tell. */
  isBackedUpApart: boolean
}

export interface Condition {
  id: string
  area: Area
  level: 1 | 2 | 3 | 4
  /** What the level wants. */
  sentence: string
  /** Undefined: Loupe cannot know. */
  isMet: ((facts: Facts) => boolean) | undefined
  /** It may be met by what Loupe knows nothing of, so where Loupe does not find it met the institution may say that it is. */
  isDeclarable?: true
  /** What to do where it is not. */
  need: string
}

const declare = (id: string) =>
  `Loupe cannot check this. If it is the case, add "${id}" to the setting preservation.declared.`

const backUpApart =
  'Set backup.folder to a drive that holds neither the archive nor a replica, and keep that drive connected.'

const declareOther = (id: string) =>
  `If it is backed up in another way, add "${id}" to the setting preservation.declared.`

const unknown = (id: string, area: Area, level: Condition['level'], sentence: string): Condition => {
  return { id, area, level, sentence, isMet: undefined, need: declare(id) }
}

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
  // The names of three places do not say that one flood does not reach them all.
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

export interface Judged {
  area: Area
  /** 0: not even the first. */
  level: 0 | 1 | 2 | 3 | 4
  conditions: { id: string; level: number; sentence: string; state: ConditionState; need: string }[]
  /** What is lacking for the next level; empty at the highest. */
  next: string[]
}

/** `declared`: what the institution says of itself. It cannot outvote what Loupe knows. */
export function levelsOf(facts: Facts, declared: readonly string[]): Judged[] {
  const stateOf = (condition: Condition): ConditionState => {
    if (condition.isMet?.(facts)) return 'met'
    return isDeclarable(condition) && declared.includes(condition.id) ? 'declared' : 'notMet'
  }
  return areas.map((area) => {
    const judged = conditions
      .filter((condition) => condition.area === area)
      .map((condition) => {
        const { id, level, sentence, need } = condition
        return { id, level, sentence, need, state: stateOf(condition) }
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

/** Two replicas with one place are in one place, however far apart their folders' names are. */
function placesOf(replicas: Facts['complete']): Set<string> {
  return new Set(replicas.flatMap(({ place }) => (place === undefined ? [] : [place.trim().toLowerCase()])))
}

/** What may be declared. */
export const declarable: readonly string[] = conditions.filter(isDeclarable).map(({ id }) => id)

function isDeclarable({ isMet, isDeclarable: is }: Condition): boolean {
  return !isMet || is === true
}
