/** Every setting of an archive: its path in loupe.toml, what it means, its unit, its default. Nothing else may stand in that
 *  file. A setting is here only when somebody would turn it. */
import { z } from 'zod'
import { sharedWithChoices } from '../../contract/shapes/choices.ts'
import { userAgentShape } from '../../contract/contract.ts'
import { defaultArchiveLimits } from '../../archive/files/limits.ts'
import { declarable } from '../../archive/report/ndsa.ts'
import { defaultCrawlSettings, memoryBytesMin } from '../../crawl/crawl.ts'
import type { AccessEffect } from '../../viewer/viewer.ts'
import { payloadDigestKinds, warcVersions } from '../../formats/records/warcWriter.ts'

export interface SettingRow {
  path: string
  kind: 'text' | 'number' | 'choice' | 'list' | 'map'
  /** Of a choice: what may be chosen. */
  choices?: readonly string[]
  unit?: string
  default: unknown
  meaning: string
  shape: z.ZodType
  /** Read when the engine starts; a change waits for the next start. */
  atStart: boolean
}

const replicaFolders = z.record(
  z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'a name is made of letters, digits, _ and -'),
  z.string().min(1),
)

const whole = (min: number) => z.int('it must be a whole number').min(min, `it must be at least ${min}`)

function harvestNumber(
  name: keyof typeof defaultCrawlSettings,
  unit: string | undefined,
  min: number,
  meaning: string,
): SettingRow {
  return {
    path: `harvest.${name}`,
    kind: 'number',
    ...(unit === undefined ? {} : { unit }),
    default: defaultCrawlSettings[name],
    meaning,
    shape: whole(min),
    atStart: true,
  }
}

function preservationNumber(
  name: string,
  given: { unit?: string; min: number; default: number; meaning: string; atStart?: true },
): SettingRow {
  const { unit, min, default: usual, meaning, atStart = false } = given
  const path = `preservation.${name}`
  return { path, kind: 'number', ...(unit && { unit }), default: usual, meaning, shape: whole(min), atStart }
}

function backupNumber(
  name: string,
  given: { unit: string; min: number; default: number; meaning: string },
): SettingRow {
  const { unit, min, default: usual, meaning } = given
  return { path: `backup.${name}`, kind: 'number', unit, default: usual, meaning, shape: whole(min), atStart: false }
}

/** As SURTs of the field: `com,example)/private`, or `com,example` for a host with all below it. */
function viewerPrefixes(effect: AccessEffect, meaning: string): SettingRow {
  const prefix = z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[^\s/:(]+(\)\S*)?$/, 'it is no SURT prefix: `com,example)/private` is one')
  const text = `${meaning} SURT prefixes; the longest that fits decides.`
  return { path: `viewer.${effect}`, kind: 'list', default: [], meaning: text, shape: z.array(prefix), atStart: false }
}

export const settingTable: readonly SettingRow[] = [
  {
    path: 'replicas',
    kind: 'map',
    default: { ONE: 'replicas/ONE', TWO: 'replicas/TWO' },
    meaning:
      'The replicas of this archive: name and folder, relative to the archive or anywhere else. Every file is stored in each.',
    shape: replicaFolders.refine((replicas) => Object.keys(replicas).length > 0, 'at least one replica is needed'),
    atStart: true,
  },
  {
    path: 'checksumReplicas',
    kind: 'map',
    default: {},
    meaning:
      'Replicas that hold only the checksum of every file, in one small text file each: name and folder. They say which of two copies that differ is the right one.',
    shape: replicaFolders,
    atStart: true,
  },
  harvestNumber('workers', undefined, 1, 'How many documents are fetched at the same time, over all hosts.'),
  harvestNumber('delayMs', 'ms', 0, 'Pause between two requests to one host.'),
  harvestNumber(
    'delayFactor',
    'times',
    0,
    'A host rests for this many times what its last answer took, where that is more.',
  ),
  harvestNumber('delayMsMax', 'ms', 0, 'Longest rest that the factor comes to.'),
  harvestNumber('connectionsPerHost', undefined, 1, 'How many requests one host gets at the same time.'),
  {
    path: 'harvest.userAgent',
    kind: 'text',
    default: defaultCrawlSettings.userAgent,
    meaning:
      'How the harvester presents itself to servers; its product name is what robots.txt rules are looked up by.',
    shape: userAgentShape,
    atStart: true,
  },
  harvestNumber('connectMsMax', 'ms', 1, 'How long a connection may take to open.'),
  harvestNumber('silenceMsMax', 'ms', 1, 'How long a server may stay silent before its answer counts as timed out.'),
  harvestNumber(
    'responseMsMax',
    'ms',
    1,
    'How long one answer may take as a whole; what came until then is kept and marked as truncated.',
  ),
  harvestNumber(
    'responseBytesMax',
    'bytes',
    1,
    'How large one answer may be; what came until then is kept and marked as truncated.',
  ),
  harvestNumber('attemptsMax', undefined, 1, 'How often a document is tried before it counts as failed.'),
  harvestNumber('retryDelayMs', 'ms', 0, 'Wait before the second try; doubled for each further one.'),
  harvestNumber('fileBytesMax', 'bytes', 1_000, 'A WARC file is closed when it has this size.'),
  {
    path: 'harvest.warcVersion',
    kind: 'choice',
    choices: warcVersions,
    default: defaultCrawlSettings.warcVersion,
    meaning: 'The version of WARC that harvests are written in; 1.0 is for tools that cannot read 1.1.',
    shape: z.enum(warcVersions),
    atStart: true,
  },
  {
    path: 'harvest.payloadDigest',
    kind: 'choice',
    choices: payloadDigestKinds,
    default: defaultCrawlSettings.payloadDigest,
    meaning:
      'Which bytes of a chunked response WARC-Payload-Digest is of: "standard" leaves the chunk framing out, as WARC 1.1 defines the payload; "asStored" is of the body with its chunk framing, which is what Python\'s "warcio check" compares.',
    shape: z.enum(payloadDigestKinds),
    atStart: true,
  },
  harvestNumber('freeBytesMin', 'bytes', 0, 'Harvesting pauses when less than this is free where the archive lies.'),
  harvestNumber(
    'memoryBytesMax',
    'bytes',
    memoryBytesMin,
    'How much memory Loupe takes at the most while it harvests, however long its queue and however many jobs run; with more it asks the disk less often. At the end of a run, while its account is written and its files are stored, it takes some 100 MB more.',
  ),
  harvestNumber('historyDays', 'days', 1, 'How long what the harvester did is kept for reports.'),
  harvestNumber('historyRowsMax', 'rows', 1_000, 'Of how many activities, the newest, at the most.'),
  {
    path: 'places',
    kind: 'map',
    default: {},
    meaning:
      'Where each replica is: its name and a place, as in "Aarhus, server room". Two with the same place are in one place. Loupe cannot know it, so reports count what is not said as not met.',
    shape: z.record(z.string(), z.string().trim().min(1, 'say where it is')),
    atStart: false,
  },
  // Twice the rhythm of the schedule: one turn may fall out, because a machine was off, before anybody is alarmed.
  preservationNumber('overdueDays', {
    unit: 'days',
    min: 1,
    default: 180,
    meaning: 'A copy whose checksum was not compared for so long is overdue, and needs a person.',
  }),
  preservationNumber('missingEveryDays', {
    unit: 'days',
    min: 0,
    default: 7,
    meaning: 'How often the schedule looks whether every file is there; 0: never.',
  }),
  preservationNumber('checksumsEveryDays', {
    unit: 'days',
    min: 0,
    default: 90,
    meaning: 'How often the schedule compares checksums; 0: never.',
  }),
  preservationNumber('checksumsSample', {
    unit: 'files',
    min: 0,
    default: 0,
    meaning: 'How many files, chosen by chance, the schedule then reads; 0: all.',
  }),
  preservationNumber('spotsEveryDays', {
    unit: 'days',
    min: 0,
    default: 30,
    meaning: 'How often the schedule has the replicas prove with a salt that they hold the bytes; 0: never.',
  }),
  preservationNumber('spotFiles', {
    unit: 'files',
    min: 1,
    default: 10,
    meaning: 'Of how many files, chosen by chance, they then prove it.',
  }),
  preservationNumber('bytesPerSecondMax', {
    unit: 'bytes/s',
    min: 0,
    default: defaultArchiveLimits.checkBytesPerSecondMax,
    meaning: 'How fast a check that a person began may read; 0: as fast as the disks give.',
    atStart: true,
  }),
  preservationNumber('quietBytesPerSecondMax', {
    unit: 'bytes/s',
    min: 0,
    default: defaultArchiveLimits.quietBytesPerSecondMax,
    meaning: 'How fast the schedule may read, so that a person can work beside it; 0: as fast as the disks give.',
    atStart: true,
  }),
  {
    path: 'preservation.declared',
    kind: 'list',
    default: [],
    meaning:
      'Conditions of the NDSA levels which Loupe cannot know and which the institution says are met, by the names that a report gives them. Reports say that they are declared.',
    shape: z.array(z.enum(declarable, `it is none of ${declarable.join(', ')}`)),
    atStart: false,
  },
  {
    path: 'backup.folder',
    kind: 'text',
    default: 'backups',
    meaning:
      'Where backups of the database are kept: a folder relative to the archive or anywhere else. Best on another drive than the archive and its replicas: a report counts it as apart only then.',
    shape: z.string().trim().min(1, 'name a folder'),
    atStart: false,
  },
  backupNumber('everyHours', {
    unit: 'hours',
    min: 0,
    default: 24,
    meaning:
      'How often the schedule makes a backup of the database; 0: never. When nothing has changed since the last one, no further one is written.',
  }),
  backupNumber('keepCount', {
    unit: 'backups',
    min: 1,
    default: 7,
    meaning: 'This many of the newest good backups are always kept, however old they are.',
  }),
  backupNumber('keepDays', {
    unit: 'days',
    min: 0,
    default: 30,
    meaning:
      'Backups are also kept while they are younger than this. What is older, and not among the newest, is removed after the next backup; 0: only the number counts.',
  }),
  {
    path: 'viewer.port',
    kind: 'number',
    default: 0,
    meaning: 'The port of the viewer proxy on this machine; 0 takes any free one.',
    shape: whole(0).max(65_535, 'a port is at most 65535'),
    atStart: true,
  },
  {
    path: 'viewer.indexBytesMax',
    kind: 'number',
    unit: 'bytes',
    default: 20_000_000_000,
    meaning:
      'Capture indexes that are kept, and as much again of indexes of crawl logs. Beyond it the one that was not used for longest is removed, those of named choices last; it is made again when it is wanted.',
    shape: whole(0),
    atStart: false,
  },
  {
    path: 'viewer.captureDistanceHoursMax',
    kind: 'number',
    unit: 'hours',
    default: 24,
    meaning:
      'The viewer warns of parts of a page that were captured more than this before or after the page itself. A harvest of a site takes hours, and what it captured meanwhile belongs together.',
    shape: whole(0),
    atStart: false,
  },
  viewerPrefixes('block', 'Addresses that are not shown, with the answer that they are blocked (451).'),
  viewerPrefixes('exclude', 'Addresses that are not shown, as if they had never been captured (404).'),
  viewerPrefixes('allow', 'Addresses that are shown although a shorter prefix blocks or excludes them.'),
  {
    path: 'archive.sharedWith',
    kind: 'choice',
    choices: sharedWithChoices,
    default: 'nobody',
    meaning:
      'Which other accounts of this machine may read and change the archive: none, or those in the group of its folder. Passwords that Loupe keeps are never shared.',
    shape: z.enum(sharedWithChoices, `it is none of ${sharedWithChoices.join(', ')}`),
    atStart: true,
  },
  {
    path: 'server.port',
    kind: 'number',
    default: 0,
    meaning: 'The port of the interface when Loupe runs as a server; 0 takes any free one.',
    shape: whole(0).max(65_535, 'a port is at most 65535'),
    atStart: true,
  },
]
