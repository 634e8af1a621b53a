/** Settings of this floor, under `authorities` and `accounts` in loupe.toml. A change takes effect at once. */
import { choiceSetting, numberSetting, type SettingDeclaration } from '../../contract/services/settings.ts'

/** How many questions are asked at once. */
export interface WorkerSettings {
  /** Authorities that are asked at once, over all requests. */
  workers: number
  /** Mappings that are asked at once, over all requests. */
  mappingWorkers: number
}

/** Values of all settings of the floor. */
export interface AccessSettings extends WorkerSettings {
  /** How the viewer answers for a capture that the user may not see. */
  hiddenCaptures: HiddenCaptures
}

/** `absent`: as if it had not been captured. `restricted`: it says so. */
const hiddenCaptures = ['absent', 'restricted'] as const
export type HiddenCaptures = (typeof hiddenCaptures)[number]

/** ManifoldCF's number of Auth Check Threads (ManifoldCF in Action, 12.7.2). */
const workersUsual = 10

/** The declarations. */
export const accessSettings: readonly SettingDeclaration[] = [
  numberSetting('authorities.workers', { min: 2, max: 1_000, default: workersUsual, example: 20 }),
  numberSetting('authorities.mappingWorkers', { min: 2, max: 1_000, default: workersUsual, example: 20 }),
  choiceSetting('authorities.hiddenCaptures', { choices: hiddenCaptures, default: 'absent', example: 'restricted' }),
  numberSetting('accounts.idleMinutesMax', { unit: 'minutes', min: 1, max: 1_440, default: 60, example: 30 }),
  numberSetting('accounts.sessionHoursMax', { unit: 'hours', min: 1, max: 720, default: 12, example: 8 }),
  numberSetting('accounts.confirmedMinutesMax', { unit: 'minutes', min: 1, max: 60, default: 5, example: 10 }),
]
