/** A number of a setting in the unit in which people think, such as "537 MB" for bytes. */
import type { Formats } from '../../parts/formats.ts'

/** Undefined where the number is as easy to read as it is. */
export function humanAmount(formats: Formats, unit: string | undefined, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  switch (unit) {
    case 'bytes':
      return value < 1_000 ? undefined : formats.bytes(value)
    case 'bytes/s':
      return value < 1_000 ? undefined : formats.bytesPerSecond(value)
    case 'ms':
      return value < 1_000 ? undefined : formats.duration(value / 1_000)
    case 's':
      return value < 60 ? undefined : formats.duration(value)
    case 'min':
      return value < 60 ? undefined : formats.duration(value * 60)
    default:
      return undefined
  }
}
