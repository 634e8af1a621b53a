/** Settings of this floor, under `authorities` in loupe.toml. A change takes effect at once. */
import { numberSetting, type SettingDeclaration } from '../../contract/services/settings.ts'

/** Values of all settings of the floor. */
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
]
