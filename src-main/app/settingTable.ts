/** Every setting of an archive: its path in loupe.toml, what it means, its unit, its default. Nothing else may stand in that
 *  file. A setting is here only when somebody would turn it. */
import { z } from 'zod'
import { userAgentShape } from '../contract/contract.ts'
import { defaultCrawlSettings } from '../crawl/crawl.ts'
import { warcVersions } from '../formats/records/warcWriter.ts'

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

export const settingTable: readonly SettingRow[] = [
  {
    path: 'replicas',
    kind: 'map',
    default: { ONE: 'replicas/ONE', TWO: 'replicas/TWO' },
    meaning:
      'The replicas of this archive: name and folder, relative to the archive or anywhere else. Every file is stored in each.',
    shape: z
      .record(
        z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'a name is made of letters, digits, _ and -'),
        z.string().min(1),
      )
      .refine((replicas) => Object.keys(replicas).length > 0, 'at least one replica is needed'),
    atStart: true,
  },
  harvestNumber('workers', undefined, 1, 'How many documents are fetched at the same time, over all hosts.'),
  harvestNumber('delayMs', 'ms', 0, 'Pause between two requests to one host.'),
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
  harvestNumber('freeBytesMin', 'bytes', 0, 'Harvesting pauses when less than this is free where the archive lies.'),
  {
    path: 'viewer.port',
    kind: 'number',
    default: 0,
    meaning: 'The port of the viewer proxy on this machine; 0 takes any free one.',
    shape: whole(0).max(65_535, 'a port is at most 65535'),
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
