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

const declare = (id: string) => `If it is so, add "${id}" to the setting preservation.declared: Loupe cannot know.`

const backUpApart =
  'Have Loupe keep backups of the database on another drive than the archive and its replicas (the setting backup.folder), and connect that drive.'

const declareOther = (id: string) =>
  `If it is backed up in another way, add "${id}" to the setting preservation.declared: Loupe cannot know of that.`

const unknown = (id: string, area: Area, level: Condition['level'], sentence: string): Condition => {
  return { id, area, level, sentence, isMet: undefined, need: declare(id) }
}

export const conditions: readonly Condition[] = [
  {
    id: 'twoCopies',
    area: 'storage',
    level: 1,
    sentence: 'There are two complete copies in separate places.',
    isMet: ({ complete, files }) => files > 0 && placesOf(complete).size >= 2,
    need: 'Two replicas must hold every file, and the setting places must say that they are in two places.',
  },
  {
    id: 'mediaDocumented',
    area: 'storage',
    level: 1,
    sentence: 'It is written down on which media everything is stored.',
    isMet: ({ replicas }) => replicas.every(({ place }) => place !== undefined),
    need: 'Say in the setting places of every replica where and on what it is.',
  },
  unknown('stableStorage', 'storage', 1, 'Everything was put into stable storage.'),
  {
    id: 'threeCopies',
    area: 'storage',
    level: 2,
    sentence: 'There are three complete copies, one at least in another geographic location.',
    isMet: ({ complete, files }) => files > 0 && complete.length >= 3 && placesOf(complete).size >= 2,
    need: 'Three replicas must hold every file, and the setting places must name a second place for one of them.',
  },
  unknown('dependenciesDocumented', 'storage', 2, 'It is written down what the storage and its media need to work.'),
  unknown('otherThreat', 'storage', 3, 'One copy at least is where another disaster threatens than at the others.'),
  unknown('otherMedia', 'storage', 3, 'One copy at least is on another type of medium.'),
  unknown('obsolescenceTracked', 'storage', 3, 'The ageing of storage and media is watched.'),
  {
    id: 'threePlaces',
    area: 'storage',
    level: 4,
    sentence: 'There are three complete copies in three geographic locations.',
    isMet: ({ complete, files }) => files > 0 && placesOf(complete).size >= 3,
    need: 'Three replicas in three different places must hold every file: the setting places says where they are.',
  },
  // The names of three places do not say that one flood does not reach them all.
  unknown('threatsDiffer', 'storage', 4, 'At each of these locations another disaster threatens.'),
  unknown('noSingleFailure', 'storage', 4, 'Storage is so diverse that no single failure can take everything.'),
  unknown(
    'obsolescencePlan',
    'storage',
    4,
    'There is a plan against the ageing of hardware, software and media, and it is carried out.',
  ),

  {
    id: 'givenIntegrityVerified',
    area: 'integrity',
    level: 1,
    sentence: 'Checksums that came with the content were compared.',
    isMet: () => true,
    need: 'Nothing: an import compares the digests of every record, and says which do not agree.',
  },
  {
    id: 'integrityGenerated',
    area: 'integrity',
    level: 1,
    sentence: 'Where the content brought no checksums they were made.',
    isMet: () => true,
    need: 'Nothing: every file gets its SHA-256 before it is stored.',
  },
  unknown('virusChecked', 'integrity', 1, 'All content is checked for viruses, and set apart where needed.'),
  {
    id: 'movesVerified',
    area: 'integrity',
    level: 2,
    sentence: 'Checksums are compared whenever content is moved or copied.',
    isMet: () => true,
    need: 'Nothing: a copy counts only when it was read again and agreed.',
  },
  unknown('writeBlockers', 'integrity', 2, 'Original media are only used behind a write blocker.'),
  {
    id: 'integrityElsewhere',
    area: 'integrity',
    level: 2,
    sentence: 'The checksums are backed up in another place than the content.',
    isMet: ({ isBackedUpApart }) => isBackedUpApart,
    isDeclarable: true,
    need: `${backUpApart} ${declareOther('integrityElsewhere')}`,
  },
  {
    id: 'fixedIntervals',
    area: 'integrity',
    level: 3,
    sentence: 'Checksums are compared at fixed intervals.',
    isMet: ({ isScheduled, overdue, files }) => isScheduled && files > 0 && overdue === 0,
    need: 'No copy may be overdue, and preservation.checksumsEveryDays must be on, for all files, and at most preservation.overdueDays.',
  },
  {
    id: 'checksDocumented',
    area: 'integrity',
    level: 3,
    sentence: 'How checksums are compared, and with what outcome, is written down.',
    isMet: ({ hasChecks, isTrailWhole }) => hasChecks && isTrailWhole,
    need: 'Run a check; and the audit trail must be whole ("loupe preserve audit --verify").',
  },
  {
    id: 'auditOnDemand',
    area: 'integrity',
    level: 3,
    sentence: 'An audit of the checksums can be made on demand.',
    isMet: () => true,
    need: 'Nothing: "loupe preserve checksums" and "loupe preserve spot" are that.',
  },
  {
    id: 'afterEvents',
    area: 'integrity',
    level: 4,
    sentence: 'Checksums are compared after events that give reason to.',
    isMet: ({ isCheckedSinceTrouble }) => isCheckedSinceTrouble,
    need: 'Since the last finding in a replica no check of all its checksums has been through: run one.',
  },
  {
    id: 'damageRepaired',
    area: 'integrity',
    level: 4,
    sentence: 'Damaged content is replaced or repaired.',
    isMet: ({ bad }) => bad === 0,
    need: 'Copies are missing or damaged: repair them.',
  },

  {
    id: 'inventory',
    area: 'metadata',
    level: 1,
    sentence: 'There is an inventory of the content, with where it is stored.',
    isMet: () => true,
    need: 'Nothing: the catalogue is that.',
  },
  {
    id: 'inventoryElsewhere',
    area: 'metadata',
    level: 1,
    sentence: 'The inventory is backed up, with one copy at least apart from the content.',
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
    need: 'Some jobs have content files and no metadata file, or files were stored that belong to no job.',
  },
  unknown('standardsChosen', 'metadata', 3, 'It is decided which metadata standards apply.'),
  unknown('gapsFilled', 'metadata', 3, 'Gaps in the metadata are looked for, and filled to meet those standards.'),
  {
    id: 'actionsRecorded',
    area: 'metadata',
    level: 4,
    sentence: 'What was done for preservation, and when, is recorded.',
    isMet: ({ isTrailWhole }) => isTrailWhole,
    need: 'The audit trail must be whole ("loupe preserve audit --verify").',
  },
  unknown('standardsUsed', 'metadata', 4, 'The chosen metadata standards are used.'),
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
