/** Settings of this floor, under `authorities` and `accounts` in loupe.toml. A change takes effect at once. */
import { numberSetting, type SettingDeclaration } from '../../contract/services/settings.ts'

/** Values of the settings of the authority service. */
export interface AccessSettings {
  /** Authorities that are asked at once, over all requests. */
  workers: number
  /** Mappings that are asked at once, over all requests. */
  mappingWorkers: number
}

/** ManifoldCF's number of Auth Check Threads (ManifoldCF in Action, 12.7.2). */
const workersUsual = 10

/** The declarations. */
export const accessSettings: readonly SettingDeclaration[] = [
  numberSetting('authorities.workers', { min: 2, max: 1_000, default: workersUsual, example: 20 }),
  numberSetting('authorities.mappingWorkers', { min: 2, max: 1_000, default: workersUsual, example: 20 }),
  numberSetting('accounts.idleMinutesMax', { unit: 'minutes', min: 1, max: 1_440, default: 60, example: 30 }),
  numberSetting('accounts.sessionHoursMax', { unit: 'hours', min: 1, max: 720, default: 12, example: 8 }),
]
