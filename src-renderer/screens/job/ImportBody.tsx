/** Files and findings of an import. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { Await } from '../../parts/Await.tsx'
import { makeImported } from '../../state/imported.ts'
import type { JobStore } from '../../state/job.ts'
import { useSession } from '../../state/session.tsx'
import { ImportFindings } from './ImportFindings.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { JobFiles } from './JobFiles.tsx'
import { JobLog } from './JobLog.tsx'

export function ImportBody({ job, store }: { job: JobWhole; store: JobStore }) {
  const { services } = useSession()
  const imported = useMemo(() => makeImported(services, job.job), [services, job.job])
  const { files, samples, load } = useStore(imported)
  const [file, setFile] = useState<string | null>(null)
  const findings = useRef<HTMLDivElement>(null)
  const running = job.ended === null
  useEffect(() => {
    imported.open()
    return () => imported.close()
  }, [imported])
  // The last files settle with the job; the event of its end may come before theirs.
  useEffect(() => {
    if (!running) void imported.getState().load()
  }, [imported, running])
  const show = useCallback((wanted: string | null) => {
    setFile(wanted)
    findings.current?.scrollIntoView({ block: 'start' })
    findings.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <Await of={files} onRetry={() => void load()}>
        {(list) => (
          <>
            <ImportProgress files={list} samples={samples} running={running} onFindings={show} />
            <div ref={findings} tabIndex={-1} className="jump-target">
              <ImportFindings
                job={job.job}
                store={imported}
                files={list}
                running={running}
                file={file}
                onFile={setFile}
              />
            </div>
          </>
        )}
      </Await>
      <JobFiles job={job} />
      <JobLog store={store} />
    </>
  )
}
