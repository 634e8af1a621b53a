/** Calls about settings, the shape of a setting, and how floors declare theirs. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { nothing } from '../shapes/shapes.ts'
import type { Message } from '../words/message.ts'

const settingKinds = ['text', 'number', 'choice', 'list', 'map'] as const

/**
 * A setting as the floor that uses it declares it. `app/settings/settingTable.ts` joins the declarations of all floors;
 * `contract/words/settingWords.ts` has the meaning of each.
 */
export interface SettingDeclaration {
  /** Path in the file: `harvest.workers` is the key `workers` in the section `[harvest]`. */
  path: string
  kind: (typeof settingKinds)[number]
  /** Allowed values of a choice, or of a list. */
  choices?: readonly string[]
  /** What a choice means, where its name does not say it. */
  choiceMeanings?: Readonly<Record<string, Message>>
  /** Displayed unit of a number; absent for a count of things that the setting names. */
  unit?: string
  /** Value where no file has one. */
  default: unknown
  /** A value as someone may write it. */
  example: unknown
  /** Checks a value, and converts it to the form in which it is used. */
  shape: z.ZodType
  /** Whether the setting is read only when the engine starts, so that a change takes effect at the next start. */
  atStart: boolean
  /** Whether it describes one archive, such as its replicas, so that the file of a user for all archives cannot have it. */
  isOfArchive?: true
}

/** Declares a number. `min`: the least value. */
export function numberSetting(
  path: string,
  given: { unit?: string; min: number; max?: number; default: number; example: number; atStart?: true },
): SettingDeclaration {
  const { unit, min, max = Number.MAX_SAFE_INTEGER, default: usual, example, atStart = false } = given
  const shape = z.int().min(min).max(max)
  return { path, kind: 'number', ...(unit !== undefined && { unit }), default: usual, example, shape, atStart }
}

/** Declares a choice. */
export function choiceSetting(
  path: string,
  given: { choices: readonly [string, ...string[]]; default: string; example: string; atStart?: true },
): SettingDeclaration {
  const { choices, default: usual, example, atStart = false } = given
  return { path, kind: 'choice', choices, default: usual, example, shape: z.enum(choices), atStart }
}

/** Where settings are kept: in the archive's file, or in that of a user for all archives. */
export const settingLevels = ['archive', 'user'] as const
export type SettingLevel = (typeof settingLevels)[number]

/** Shape of a setting with its value. */
export const setting = z.object({
  path: z.string(),
  kind: z.enum(settingKinds),
  choices: z.array(z.string()).optional(),
  choiceMeanings: z.record(z.string(), z.string()).optional(),
  unit: z.string().optional(),
  value: z.unknown(),
  default: z.unknown(),
  example: z.unknown(),
  /** The file that the value comes from: the archive's comes before the user's. */
  source: z.enum(['default', ...settingLevels]),
  meaning: z.string(),
  /** Whether only the archive's file can have it. */
  isOfArchive: z.boolean(),
  /** Whether a change takes effect only at the next start. */
  atStart: z.boolean(),
  /** Whether the setting was changed since Loupe was started, which continues with the former value. */
  needsRestart: z.boolean(),
})
export type Setting = z.output<typeof setting>

export const settingsCalls = {
  list: call(nothing, z.array(setting)),
  set: call(
    z.strictObject({ path: z.string(), value: z.unknown(), level: z.enum(settingLevels).default('archive') }),
    setting,
  ),
}
