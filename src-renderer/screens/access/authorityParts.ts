/** What the connections of the authority service are made of. */
import type {
  AuthorityConnectionRow,
  AuthorityConnectorRow,
  DescribedRow,
} from '../../../src-main/contract/services/authorities.ts'

/** All that the forms of connections offer. */
export interface AuthorityParts {
  connections: AuthorityConnectionRow[]
  groups: DescribedRow[]
  domains: DescribedRow[]
  connectors: AuthorityConnectorRow[]
}
