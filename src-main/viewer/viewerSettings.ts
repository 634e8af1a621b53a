/** Settings of this floor, under `viewer` in loupe.toml. */
import { z } from 'zod'
import { refusedAs } from '../contract/calls/refusedValue.ts'
import { numberSetting, type SettingDeclaration } from '../contract/services/settings.ts'
import { message } from '../contract/words/message.ts'
import type { AccessEffect } from './model/accessRules.ts'

/** SURT prefixes: `com,example)/private`, or `com,example` for a host and everything below it. */
function prefixes(effect: AccessEffect, example: string): SettingDeclaration {
  const prefix = z
    .string()
    .trim()
    .toLowerCase()
    .refine(
      (text) => /^[^\s/:(]+(\)\S*)?$/.test(text),
      refusedAs((field) => message('value.surt', { field, example: 'com,example)/private' })),
    )
  const path = `viewer.${effect}`
  return { path, kind: 'list', default: [], example: [example], shape: z.array(prefix), atStart: false }
}

/** The declarations. */
export const viewerSettings: readonly SettingDeclaration[] = [
  {
    ...numberSetting('viewer.port', { min: 0, max: 65_535, default: 0, example: 8090, atStart: true }),
    isOfArchive: true,
  },
  numberSetting('viewer.indexBytesMax', { unit: 'bytes', min: 0, default: 20_000_000_000, example: 5_000_000_000 }),
  numberSetting('viewer.recordCacheBytesMax', { unit: 'bytes', min: 0, default: 64_000_000, example: 256_000_000 }),
  numberSetting('viewer.captureDistanceHoursMax', { unit: 'hours', min: 0, default: 24, example: 72 }),
  prefixes('block', 'com,example)/private'),
  prefixes('exclude', 'com,example)/withdrawn'),
  prefixes('allow', 'com,example)/private/open'),
]
