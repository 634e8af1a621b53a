/** Set-up file of vitest's test processes: the programs that a test process starts end with it. */
import { ownChildren } from './ownedProcesses.ts'

ownChildren()
