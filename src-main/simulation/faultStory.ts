/** One seed is one drive of a fault through a deed of the archive, at every position there is: which fault, which deed and
 *  which replicas the seed draws. The suite drives a chosen few of them (`archive/faults.test.ts`), here are all the others. */
import {
  diskFaults,
  diskFaultsAt,
  everyDeed,
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

export interface FaultStory extends Driven {
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

export async function tellFault(seed: number): Promise<FaultStory> {
  const chance = seededChance(seed)
  const setting = pick(chance, everySetting)
  const replicas = settings[setting]('/').map(({ name }) => name)
  const drive: Drive = { setting, deed: pick(chance, everyDeed), target: pick(chance, replicas), seed }
  // From a replica of checksums there is nothing to be put beside.
  if (drive.deed === 'restoring from the attic') drive.target = pick(chance, ['one', 'two'])
  const victim = pick(chance, replicas)
  const about = `${drive.deed} in ${drive.target} with ${setting}`
  const kind = pick(chance, ['power', 'power', 'replica', 'disk'] as const)
  if (kind === 'power') return { title: `${about}, power cuts`, ...(await powerCuts(drive)) }
  if (kind === 'replica') {
    const fault = pick(chance, ofReplicas)
    return { title: `${about}, ${victim} ${JSON.stringify(fault)}`, ...(await replicaFaults(drive, victim, fault)) }
  }
  const fault = pick(chance, ofDisks)
  return { title: `${about}, ${victim}: ${fault}`, ...(await diskFaultsAt(drive, victim, fault)) }
}
