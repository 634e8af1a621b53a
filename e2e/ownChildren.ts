/** For each process of vitest that runs tests: what it starts ends with it. */
import { ownChildren } from './ownedProcesses.ts'

ownChildren()
