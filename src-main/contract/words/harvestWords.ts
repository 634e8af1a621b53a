/** Harvest definitions, their schedules and generated jobs. */
export const harvestWords = {
  'harvestSchedule.absent': 'There is no schedule named {name}. Known: {names}.',
  'harvestSchedule.exists': 'There is already a schedule named {name}.',
  'harvestSchedule.used':
    'Schedule {name} cannot be removed: {count, plural, one {the harvest {names} uses it} other {# harvests use it, for example {names}}}.',
  'harvestSchedule.builtIn':
    'Schedule {name} is built in and cannot be removed or changed. Add a schedule of your own instead.',
  'timing.anyTime': 'every {interval}',
  'timing.exact': 'every {interval} {at}',
  'timing.every.minute': '{every, plural, one {minute} other {# minutes}}',
  'timing.every.hour': '{every, plural, one {hour} other {# hours}}',
  'timing.every.day': '{every, plural, one {day} other {# days}}',
  'timing.every.week': '{every, plural, one {week} other {# weeks}}',
  'timing.every.month': '{every, plural, one {month} other {# months}}',
  'timing.at.hour': 'at minute {minute}',
  'timing.at.day': 'at {time}',
  'timing.at.week': 'on {weekday} at {time}',
  'timing.at.month': 'on day {day} at {time}',
  'timing.inZone': '{text} ({zone})',
  'timing.from': '{text}, from {time}',
  'timing.until': '{text}, until {time}',
  'timing.runs': '{text}, {runs, plural, one {# time} other {# times}}',
} as const
