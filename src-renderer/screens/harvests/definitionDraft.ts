/** A harvest definition as it is typed. */
import { z } from 'zod'
import type { FieldValues } from '../../../src-main/contract/services/domains.ts'
import {
  harvestInput,
  type ConfigurationName,
  type HarvestInput,
  type HarvestKind,
} from '../../../src-main/contract/services/harvestDefinitions.ts'
import { textsIn } from '../harvest/typedLines.ts'

export interface HarvestDefinitionDraft {
  name: string
  kind: HarvestKind
  comments: string
  audience: string
  schedule: string | null
  objectsMax: number | null
  bytesMax: number | null
  secondsMax: number | null
  previous: string | null
  channel: string
  priority: number | string
  fields: FieldValues
  /** Domains with their configurations, one per line: `example.org` or `example.org/weekly`. */
  configurations: string
  /** Whether the text that it was read from is not that of a harvest. */
  isUnreadable: boolean
}

export const emptyDraft: HarvestDefinitionDraft = {
  ...{ name: '', kind: 'selective', comments: '', audience: '', schedule: null, objectsMax: null, bytesMax: null },
  ...{
    secondsMax: null,
    previous: null,
    channel: '',
    priority: 5,
    fields: {},
    configurations: '',
    isUnreadable: false,
  },
}

export function draftOf(input: HarvestInput): HarvestDefinitionDraft {
  const { channel, configurations, ...rest } = input
  return {
    ...{ ...rest, channel: channel ?? '', isUnreadable: false },
    configurations: configurations.map(lineOf).join('\n'),
  }
}

/** Reads a harvest as `loupe harvests export` writes it. */
export function draftFrom(text: string): HarvestDefinitionDraft {
  const read = z
    .string()
    .transform((json, context) => {
      try {
        return JSON.parse(json) as unknown
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
        context.addIssue({ code: 'custom' })
        return z.NEVER
      }
    })
    .pipe(harvestInput)
    .safeParse(text)
  return read.success ? draftOf(read.data) : { ...emptyDraft, isUnreadable: true }
}

export function inputFrom(draft: HarvestDefinitionDraft): HarvestInput {
  const { name, kind, channel, priority, fields, configurations, schedule, previous } = draft
  const { comments, audience, objectsMax, bytesMax, secondsMax } = draft
  const isSelective = kind === 'selective'
  const given = Object.entries(fields).filter(([, value]) => value !== '')
  return {
    ...{ name: name.trim(), kind, comments, audience, objectsMax, bytesMax, secondsMax },
    ...{ fields: Object.fromEntries(given), priority: Number(priority) },
    channel: channel.trim() === '' ? null : channel.trim(),
    schedule: isSelective ? schedule : null,
    previous: kind === 'snapshot' ? previous : null,
    configurations: kind === 'snapshot' ? [] : textsIn(configurations).map(configurationOf),
  }
}

function lineOf({ domain, configuration }: ConfigurationName): string {
  return configuration === 'default' ? domain : `${domain}/${configuration}`
}

function configurationOf(line: string): ConfigurationName {
  const [, domain = line, configuration = 'default'] = /^([^/]+)\/(.+)$/.exec(line) ?? []
  return { domain, configuration }
}
