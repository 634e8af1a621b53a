/** The authority service: its connections, groups and domains. */
import { Text } from '@mantine/core'
import { useCallback } from 'react'
import { Await } from '../../parts/Await.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { AuthorityConnections } from './AuthorityConnections.tsx'
import type { AuthorityParts } from './authorityParts.ts'
import { DescribedList } from './DescribedList.tsx'

export function AuthoritiesTab() {
  const t = useWords()
  const { services } = useSession()
  const { authorities } = services
  const ask = useCallback(async (): Promise<AuthorityParts> => {
    const [connections, groups, domains, connectors] = await Promise.all([
      authorities.list({}),
      authorities.groups({}),
      authorities.domains({}),
      authorities.connectors({}),
    ])
    return { connections, groups, domains, connectors }
  }, [authorities])
  const [parts, reload] = useLoaded(ask)
  useChanges(authorities.changed, reload)
  return (
    <>
      <Text maw="75ch" mb="md">
        {t('authorities.text')}
      </Text>
      <Await of={parts} onRetry={reload}>
        {(loaded) => (
          <>
            <AuthorityConnections kind="authority" parts={loaded} onChanged={reload} />
            <AuthorityConnections kind="mapping" parts={loaded} onChanged={reload} />
            <DescribedList of="groups" rows={loaded.groups} onChanged={reload} />
            <DescribedList of="domains" rows={loaded.domains} onChanged={reload} />
          </>
        )}
      </Await>
    </>
  )
}
