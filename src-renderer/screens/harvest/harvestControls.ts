/** Controls of the harvest form by path in the definition. Schema and engine report paths; a control has its name in `data-field`. */
import type { FieldPath } from '../../../src-main/contract/calls/faults.ts'
import { answerRules } from './loginDraft.ts'

export function controlOf([field, ...rest]: FieldPath): string {
  switch (field) {
    case 'throttle':
      return throttleControl(rest)
    case 'login':
      return loginControl(rest)
    case 'hops':
      return hopsControl(rest)
    case 'recheck':
      return `recheck.${rest[0] ?? 'type'}`
    case 'deduplication':
      return `deduplication.${rest[0] ?? 'match'}`
    case 'schedule':
      return scheduleControl(rest)
    case 'outputs':
      return typeof rest[0] === 'number' && rest[1] !== 'output'
        ? `outputs.${rest[0]}.${rest[1] ?? 'mediaTypes'}`
        : 'outputs'
    case 'connectors':
      return connectorControl(rest)
    default:
      return String(field)
  }
}

/** A rule that limits nothing lacks any of its limits: the first. */
function throttleControl([part, row, field = 'fetchesPerMinute']: FieldPath): string {
  if (part !== 'rules') return `throttle.${part ?? 'rules'}`
  if (row === undefined) return 'throttle.rules'
  return `throttle.${row}.${field === 'bytesPerSecond' ? 'kilobytesPerSecond' : field}`
}

function loginControl([part, row, field = 'kind', answer]: FieldPath): string {
  if (part !== 'areas' || row === undefined) return part === 'recorded' ? 'login.recorded' : 'login.areas'
  const isAnswerRule = answerRules.some((rule) => rule === field)
  return isAnswerRule ? `login.${row}.${field}.${answer ?? 'text'}` : `login.${row}.${field}`
}

function hopsControl([part, type]: FieldPath): string {
  return part === 'mode' ? 'hops.mode' : `hops.${type ?? 'link'}`
}

function scheduleControl([part, row, field]: FieldPath): string {
  if (part !== 'records' || row === undefined) return 'schedule.startMethod'
  return `schedule.${row}.${field === 'durationMinutes' ? 'duration' : (field ?? 'years')}`
}

function connectorControl([part, setting]: FieldPath): string {
  if (part === 'output') return 'output'
  if (part === 'repositoryConnection') return 'connector.connection'
  if (part === 'outputConnection') return 'output.connection'
  return setting === undefined || setting === 'connector' ? 'connector' : `connector.${setting}`
}
