import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTimestamp, timestamp, timestamp14 } from './timestamp.ts'

test('parses timestamps', () => {
  const check = (text: string, iso: string | undefined) => {
    const timeMs = parseTimestamp(text)
    expect(timeMs === undefined ? undefined : new Date(timeMs).toISOString(), text).toBe(iso)
  }
  check('2016-01-11T23:24:25Z', '2016-01-11T23:24:25.000Z')
  check('2016-01-11T23:24:25.412030Z', '2016-01-11T23:24:25.412Z')
  check('2016-01-11T23:24:25.4Z', '2016-01-11T23:24:25.400Z')
  check('2016-01-11T23:24Z', '2016-01-11T23:24:00.000Z')
  check('2016-01', '2016-01-01T00:00:00.000Z')
  check('2016', '2016-01-01T00:00:00.000Z')
  check('2016-01-11T23:24:25+02:00', '2016-01-11T21:24:25.000Z')
  check('2016-01-11T23:24:25+24:00', undefined)
  check('2016-01-11T23:24:25+02:60', undefined)
  // Leap seconds are inserted at the end of a day of UTC.
  check('2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z')
  check('2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00.000Z')
  check('20161231235960', '2017-01-01T00:00:00.000Z')
  check('2016-12-31T23:59:61Z', undefined)
  check('20160111232425', '2016-01-11T23:24:25.000Z')
  check('20160111232425412', '2016-01-11T23:24:25.412Z')
  check('201601', '2016-01-01T00:00:00.000Z')
  check('2016-02-30T00:00:00Z', undefined)
  // ClueWeb09 counts the day within the year.
  check('2008-10-294T05:21:46-0700', '2008-10-20T12:21:46.000Z')
  check('2007-10-294T05:21:46Z', '2007-10-21T05:21:46.000Z')
  check('2008-12-366T00:00:00Z', '2008-12-31T00:00:00.000Z')
  check('2007-12-366T00:00:00Z', undefined)
  check('2008-11-294T05:21:46-0700', undefined)
  check('2008-01-000T05:21:46-0700', undefined)
  check('2008-10-294T25:21:46-0700', undefined)
  check('yesterday', undefined)
  // bad.arc of warcio: what follows the seconds is not a fraction.
  check('201404010000000000', '2014-04-01T00:00:00.000Z')
  check('20140401', '2014-04-01T00:00:00.000Z')
  check('2016-01-31T23:59:59Z', '2016-01-31T23:59:59.000Z')
  check('2016-01-11T24:00:00Z', undefined)
  check('2016-0a-11T23:24:25Z', undefined)
  check('2016-02-29T00:00:00Z', '2016-02-29T00:00:00.000Z')
  check('2015-02-29T00:00:00Z', undefined)
  check('2016-04-31T00:00:00.123Z', undefined)
  check('2016-04-30T00:00:00.12aZ', undefined)
  check('2016-04-30T00:00:00,123Z', '2016-04-30T00:00:00.123Z')
  check('2016013123595912x', undefined)
  // Date.UTC takes the year 50 for 1950.
  check('0050-01-01T00:00:00Z', undefined)
  check('00500101000000', undefined)
  expect(timestamp14(Date.UTC(2016, 0, 11, 23, 24, 25, 999))).toBe('20160111232425')
})

test('round trip, and the fast path equals the general one', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31) }), (timeMs) => {
      expect(parseTimestamp(timestamp(timeMs))).toBe(timeMs)
      expect(timestamp(timeMs)).toBe(new Date(timeMs).toISOString().replace(/\D/g, '').replace(/000$/, ''))
      expect(parseTimestamp(new Date(timeMs).toISOString())).toBe(timeMs)
      const secondMs = Math.floor(timeMs / 1000) * 1000
      const iso = `${new Date(secondMs).toISOString().slice(0, 19)}Z`
      expect(parseTimestamp(iso)).toBe(secondMs)
    }),
  )
})

test('invalid text gives no time', () => {
  const date = fc.stringMatching(/^\d{4}-[01]\d-[0-3]\d[T ][0-2]\d:[0-6]\d:[0-6]\dZ$/)
  const digits = fc.stringMatching(/^\d{4}[01]\d[0-3]\d[0-2]\d[0-6]\d[0-6]\d$/)
  fc.assert(
    fc.property(fc.oneof(date, digits, fc.string()), (text) => {
      const timeMs = parseTimestamp(text)
      expect(timeMs === undefined || Number.isSafeInteger(timeMs)).toBe(true)
      // A trailing blank forces the regular expressions, which must agree with the fast path.
      if (text.length === 20) expect(parseTimestamp(`${text} `)).toBe(timeMs)
      // So does an extra digit.
      if (/^\d{14}$/.test(text)) expect(parseTimestamp(`${text}0`)).toBe(timeMs)
    }),
  )
})
