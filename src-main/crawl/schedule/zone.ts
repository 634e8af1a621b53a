/** Time zones: conversion between instants and the wall-clock time of a zone. Wall-clock time is counted in minutes as if the
 *  zone were UTC, so that days and hours are plain sums; instants are whole minutes too.
 *
 *  When a clock is put forward, times are skipped; when it is put back, times are shown twice. One function handles both: the
 *  first instant at which the clock shows a time or a later one, which is the end of the gap, or the first of the two. */

/** Minutes since 1970 UTC. */
export type Minute = number
/** Minutes since 1970 on the clock of a zone. */
export type WallMinute = number

/** A time zone. */
export interface Zone {
  wallAt(instant: Minute): WallMinute
  /** Returns the first instant at which the clock shows `wall` or later. */
  firstAt(wall: WallMinute): Minute
}

const dayMinutes = 24 * 60
const minuteMs = 60_000

/** Most zones to cache: more than all zones that a machine knows, under all of their names. */
const zonesMax = 1_000
const zones = new Map<string, Zone>()

/** Returns the zone of a name; null is UTC. */
export function zoneOf(name: string | null): Zone {
  if (name === null || name === 'UTC') return utc
  const known = zones.get(name)
  if (known) return known
  if (zones.size >= zonesMax) zones.clear()
  const made = zoneBy(offsetsOf(name))
  zones.set(name, made)
  return made
}

const utc: Zone = { wallAt: (instant) => instant, firstAt: (wall) => wall }

function zoneBy(offsetAt: (instant: Minute) => number): Zone {
  return {
    wallAt: (instant) => instant + offsetAt(instant),
    firstAt(wall) {
      // No zone is farther from UTC than 14 hours, and none changed its clock twice within two days.
      const before = offsetAt(wall - dayMinutes)
      const after = offsetAt(wall + dayMinutes)
      if (before === after) return wall - before
      const changed = changeBetween(offsetAt, wall - dayMinutes, wall + dayMinutes)
      // Either the time is shown before the change of the offset, or it is skipped or shown only after it.
      return wall - before < changed ? wall - before : Math.max(changed, wall - after)
    },
  }
}

/** Returns the first instant in (low, high] that has the offset of `high`. */
function changeBetween(offsetAt: (instant: Minute) => number, low: Minute, high: Minute): Minute {
  const after = offsetAt(high)
  let unchanged = low
  let changed = high
  while (changed - unchanged > 1) {
    const middle = Math.floor((unchanged + changed) / 2)
    if (offsetAt(middle) === after) changed = middle
    else unchanged = middle
  }
  return changed
}

function offsetsOf(timeZone: string): (instant: Minute) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  return (instant) => {
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
    for (const { type, value } of format.formatToParts(instant * minuteMs)) shown[type] = Number(value)
    const { year = 0, month = 1, day = 0, hour = 0, minute = 0 } = shown
    return Date.UTC(year, month - 1, day, hour, minute) / minuteMs - instant
  }
}
