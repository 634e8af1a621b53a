/** Frequent harvests: what the form has when one of them is chosen. */
import { draftOf as scheduleDraftOf, repeating } from '../schedule/scheduleDraft.ts'
import { emptyDraft, type HarvestDraft } from './harvestDraft.ts'
import { emptyArea, noLogin } from './loginDraft.ts'

export const harvestPresets = ['page', 'site', 'news', 'login'] as const
export type HarvestPreset = (typeof harvestPresets)[number]

/** The fields that presets set. Any other keeps what was typed. */
type PresetFields = Pick<HarvestDraft, 'scope' | 'maxHops' | 'schedule' | 'login'>

/** Returns the fields of a preset, so that one that is chosen after another leaves nothing of it. `timeZone`: that of the user. */
export function presetFields(preset: HarvestPreset, timeZone: string): PresetFields {
  const { scope, maxHops } = emptyDraft
  const usual: PresetFields = { scope, maxHops, schedule: null, login: noLogin }
  switch (preset) {
    // Page requisites are fetched whatever the limit is.
    case 'page':
      return { ...usual, maxHops: 0 }
    case 'site':
      return usual
    // The page and the articles that it links to, and every hour only what is new.
    case 'news':
      return { ...usual, maxHops: 1, schedule: hourly(timeZone) }
    case 'login':
      return { ...usual, login: { ...noLogin, areas: [emptyArea(0)] } }
  }
}

function hourly(timeZone: string): HarvestDraft['schedule'] {
  const schedule = scheduleDraftOf(null, timeZone)
  const records = schedule.records.map((record) => ({
    ...repeating(record, 'hourly'),
    ...{ duration: 50, durationUnit: 'minutes' as const, minimal: true },
  }))
  return { ...schedule, records }
}

/** The preset whose fields the form has; null: none. */
export function presetOf(draft: HarvestDraft, timeZone: string): HarvestPreset | null {
  const isOf = (preset: HarvestPreset) =>
    Object.entries(presetFields(preset, timeZone)).every(
      ([field, value]) => JSON.stringify(draft[field as keyof PresetFields]) === JSON.stringify(value),
    )
  return harvestPresets.find(isOf) ?? null
}
