/** Sizes, durations, rates and shares (`text/quantities.ts`). Numbers in them are written as the language of the reader does. */
export const quantityWords = {
  'quantity.number': '{value, number, ::@##}',
  'quantity.percent': '{share, number, percent}',
  'quantity.perSecond': '{amount}/s',
  'quantity.perMinute': '{amount}/min',

  'bytes.B': '{value, number, ::@##} B',
  'bytes.kB': '{value, number, ::@##} kB',
  'bytes.MB': '{value, number, ::@##} MB',
  'bytes.GB': '{value, number, ::@##} GB',
  'bytes.TB': '{value, number, ::@##} TB',
  'bytes.PB': '{value, number, ::@##} PB',

  'duration.milliseconds': '{count, number, ::@#} ms',
  'duration.seconds': '{count, number, ::.#} s',
  'duration.minutes': '{count} min',
  'duration.hours': '{count} h',
  'duration.days': '{count} d',
  'duration.two': '{longer} {shorter}',
} as const
