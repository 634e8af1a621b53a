/** Adds a result to the missing URLs of its job, so that a patch job captures it again. Then it leads there. */
import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { showNotice } from '../../parts/notice.ts'
import { useSending } from '../../parts/useSending.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

interface AddToMissingProps {
  job: number
  url: string
  /** Of the result, for screen readers. */
  name: string
}

export function AddToMissing({ job, url, name }: AddToMissingProps) {
  const t = useWords()
  const { services } = useSession()
  const { isSending, send } = useSending()
  const [isAdded, setAdded] = useState(false)
  if (isAdded)
    return (
      <a href={hrefOf({ place: 'missing', jobs: [job] })} aria-label={t('search.missing.open', { name, job })}>
        {t('search.missing.added')}
      </a>
    )
  const add = async () => {
    const fault = await send(() => services.misses.add({ job, urls: [url] }))
    if (fault) showNotice({ message: fault.message, isError: true })
    else setAdded(true)
  }
  return (
    <Anchor
      {...{ component: 'button', type: 'button', inherit: true, disabled: isSending }}
      aria-label={t('search.missing.add.of', { name })}
      onClick={() => void add()}
    >
      {t('search.missing.add')}
    </Anchor>
  )
}
