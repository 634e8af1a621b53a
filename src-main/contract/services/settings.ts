/** Calls about settings, and the shape of a setting. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { nothing } from '../shapes/shapes.ts'

/** Shape of a setting with its value. */
export const setting = z.object({
  path: z.string(),
  kind: z.enum(['text', 'number', 'choice', 'list', 'map']),
  choices: z.array(z.string()).optional(),
  unit: z.string().optional(),
  value: z.unknown(),
  default: z.unknown(),
  source: z.enum(['default', 'loupe.toml']),
  meaning: z.string(),
  /** Whether a change takes effect only at the next start. */
  atStart: z.boolean(),
  /** Whether the setting was changed since Loupe was started, which continues with the former value. */
  needsRestart: z.boolean(),
})
export type Setting = z.output<typeof setting>

export const settingsCalls = {
  list: call(nothing, z.array(setting)),
  set: call(z.strictObject({ path: z.string(), value: z.unknown() }), setting),
}
