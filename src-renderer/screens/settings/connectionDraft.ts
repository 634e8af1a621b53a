/** A connection as it is typed, and what the contract makes of it. */
import {
  connectionChange,
  connectionInput,
  connectionsMaxUsual,
  type ConnectionChange,
  type ConnectionInput,
  type ConnectionRow,
} from '../../../src-main/contract/services/connections.ts'
import type { ConnectorName, OutputName } from '../../../src-main/contract/services/connectors.ts'
import { isPathPart, type FieldPath } from '../../../src-main/contract/calls/faults.ts'
import { outputNames } from '../../../src-main/contract/shapes/choices.ts'
import { settingsInput, usualConnector, withSettings, type ConnectorDraft } from '../harvest/connectorDraft.ts'
import { controlOf } from '../harvest/harvestControls.ts'
import type { Problem } from '../harvest/harvestDraft.ts'
import { ruleDraftOf, ruleInput, type ThrottleRuleDraft } from '../harvest/throttleDraft.ts'

export interface ConnectionDraft {
  name: string
  description: string
  connector: ConnectorName
  /** Settings of the connector of a source. */
  settings: ConnectorDraft
  connectionsMax: number | string
  rules: ThrottleRuleDraft[]
}

export const newConnection: ConnectionDraft = {
  name: '',
  description: '',
  connector: 'web',
  settings: usualConnector,
  connectionsMax: connectionsMaxUsual,
  rules: [],
}

/** The form for a connection. */
export function connectionDraftOf(row: ConnectionRow): ConnectionDraft {
  const { name, description, connectionsMax } = row
  const draft = { ...newConnection, name, description, connectionsMax, connector: row.settings.connector }
  if (row.kind === 'output') return draft
  return { ...draft, settings: withSettings(usualConnector, row.settings), rules: row.throttles.map(ruleDraftOf) }
}

/** Tells whether a connector is the output of harvests. */
export function isOutput(connector: ConnectorName): connector is OutputName {
  return outputNames.some((name) => name === connector)
}

/** The draft with another connector. */
export function withConnector(draft: ConnectionDraft, connector: ConnectorName): ConnectionDraft {
  return {
    ...draft,
    connector,
    settings: isOutput(connector) ? draft.settings : { ...draft.settings, repository: connector },
  }
}

/** What an input makes, or everything that is wrong with it. */
export type Result<Value> = { value: Value } | { problems: Problem[] }

/** Returns a new connection, or everything that is wrong with it. */
export function addedConnection(draft: ConnectionDraft): Result<ConnectionInput> {
  const { name, connector } = draft
  return checked(
    connectionInput.safeParse({ name, kind: isOutput(connector) ? 'output' : 'repository', ...changeIn(draft) }),
  )
}

/** Returns what of a connection is changed, or everything that is wrong with it. */
export function changedConnection(draft: ConnectionDraft): Result<ConnectionChange> {
  return checked(connectionChange.safeParse(changeIn(draft)))
}

function changeIn({ description, connector, settings, connectionsMax, rules }: ConnectionDraft): object {
  const common = { description: description.trim(), connectionsMax }
  if (isOutput(connector)) return { ...common, settings: { connector } }
  return { ...common, settings: settingsInput(settings), throttles: rules.map(ruleInput) }
}

type Parsed<Value> = { success: true; data: Value } | { success: false; error: { issues: Issue[] } }
type Issue = Exclude<Problem['issue'], { code: 'engine' }>

function checked<Value>(result: Parsed<Value>): Result<Value> {
  if (result.success) return { value: result.data }
  return { problems: result.error.issues.map((issue) => ({ path: issue.path.filter(isPathPart), issue, line: null })) }
}

/** Name of the control of a field of a connection. */
export function connectionControlOf([field, ...rest]: FieldPath): string {
  switch (field) {
    case 'settings':
      return controlOf(['connectors', 'repository', ...rest])
    case 'throttles':
      return controlOf(['throttle', 'rules', ...rest])
    default:
      return `connection.${field ?? 'name'}`
  }
}
