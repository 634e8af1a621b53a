/** Runs one fault through one action of the archive, at every position; the seed chooses the fault, the action and the replicas. The
 *  unit test `faults.test.ts` of the archive runs a fixed selection. */
import {
  diskFaults,
  diskFaultsAt,
  everyAction,
  everySetting,
  powerCuts,
  replicaFaults,
  settings,
  type DiskFaultName,
  type Drive,
  type Driven,
} from '../archive/testing/faultDrives.ts'
import type { ReplicaFault } from '../archive/testing/faultyReplica.ts'
import { seededChance } from '../world/testing/seededChance.ts'
import { pick } from './pick.ts'

/** The result of one fault: `title` names action, setting and fault. */
export interface FaultScenario extends Driven {
  title: string
}

const ofReplicas: ReplicaFault[] = [
  { kind: 'fails' },
  { kind: 'stops' },
  { kind: 'fills' },
  { kind: 'leaves' },
  { kind: 'slows', ms: 60_000 },
  { kind: 'damages', how: 'flipped' },
  { kind: 'damages', how: 'truncated' },
  { kind: 'damages', how: 'lost' },
]
const ofDisks = Object.keys(diskFaults) as DiskFaultName[]

/** Runs the scenario of a seed. The same seed gives the same result. */
export async function runFaultScenario(seed: number): Promise<FaultScenario> {
  const chance = seededChance(seed)
  const setting = pick(chance, everySetting)
  const replicas = settings[setting]('/').map(({ name }) => name)
  const drive: Drive = { setting, action: pick(chance, everyAction), target: pick(chance, replicas), seed }
  // A replica of checksums has no bytes to copy from.
  if (drive.action === 'restoring from the attic') drive.target = pick(chance, ['one', 'two'])
  const victim = pick(chance, replicas)
  const about = `${drive.action} in ${drive.target} with ${setting}`
  const kind = pick(chance, ['power', 'power', 'replica', 'disk'] as const)
  if (kind === 'power') return { title: `${about}, power cuts`, ...(await powerCuts(drive)) }
  if (kind === 'replica') {
    const fault = pick(chance, ofReplicas)
    return { title: `${about}, ${victim} ${JSON.stringify(fault)}`, ...(await replicaFaults(drive, victim, fault)) }
  }
  const fault = pick(chance, ofDisks)
  return { title: `${about}, ${victim}: ${fault}`, ...(await diskFaultsAt(drive, victim, fault)) }
}
