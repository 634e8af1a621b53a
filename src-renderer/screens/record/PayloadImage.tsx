/** An archived image, loaded through the viewer proxy, in a frame without any permission. A browser that does not use the proxy gets an
 *  explanation, because the host name of the image exists only there. */
import { Alert, Loader } from '@mantine/core'
import { Info } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RecordWhole } from '../../../src-main/contract/services/records.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { askProxy, type ProxyUse } from '../viewer/askProxy.ts'
import styles from './record.module.css'

export function PayloadImage({ record: { file, offset, url } }: { record: RecordWhole }) {
  const t = useWords()
  const { services } = useSession()
  const [use, setUse] = useState<ProxyUse | null>(null)
  useEffect(() => {
    let isWanted = true
    void askProxy(services).then((found) => {
      if (isWanted) setUse(found)
    })
    return () => {
      isWanted = false
    }
  }, [services])
  if (use === null)
    return (
      <div className={styles.payloadWait} role="status">
        <Loader size="sm" aria-hidden /> {t('proxy.asking')}
      </div>
    )
  if (use.is === 'refused') return <FaultNote fault={use.fault} />
  if (use.is === 'unused')
    return (
      <Alert role="note" color="gray" icon={<Info aria-hidden />} title={t('proxy.title')} mt="sm">
        {t('payload.image.unused', { archive: use.about.archive })}
      </Alert>
    )
  const query = new URLSearchParams({ file, offset: String(offset) })
  return (
    <iframe
      className={styles.payloadImage}
      title={t('payload.image.of', { url: url ?? file })}
      src={`http://${use.about.commandHost}/getPayload?${query.toString()}`}
      sandbox=""
      referrerPolicy="no-referrer"
    />
  )
}
