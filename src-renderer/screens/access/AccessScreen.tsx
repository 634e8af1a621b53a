/** Who may see what: accounts with their sessions, authorities, security rules, and what a user may see. For administrators. */
import type { ComponentType } from 'react'
import { PageHead } from '../../parts/PageHead.tsx'
import { accessTabs, hrefOf, type AccessTab } from '../../routes/routes.ts'
import { useWords } from '../../words/words.tsx'
import { AccountList } from './AccountList.tsx'
import { AuthoritiesTab } from './AuthoritiesTab.tsx'
import { RuleList } from './RuleList.tsx'
import { SessionList } from './SessionList.tsx'
import { UserAccessTab } from './UserAccessTab.tsx'

const parts: Record<AccessTab, ComponentType> = {
  accounts: AccountList,
  sessions: SessionList,
  authorities: AuthoritiesTab,
  rules: RuleList,
  user: UserAccessTab,
}

export function AccessScreen({ tab }: { tab: AccessTab }) {
  const t = useWords()
  const Part = parts[tab]
  return (
    <>
      <PageHead title={t('access.title')} />
      <nav className="tabs" aria-label={t('access.tabs')}>
        {accessTabs.map((each) => (
          <a key={each} href={hrefOf({ place: 'access', tab: each })} aria-current={each === tab ? 'page' : undefined}>
            {t(`access.tab.${each}`)}
          </a>
        ))}
      </nav>
      <Part />
    </>
  )
}
