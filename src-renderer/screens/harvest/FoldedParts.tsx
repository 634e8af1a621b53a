/** The parts of the harvest form that are folded at first, because most harvests need none of them. */
import { useWords } from '../../words/words.tsx'
import { numberProps } from './fieldProps.ts'
import { DeduplicationPart } from './DeduplicationPart.tsx'
import { HopsPart } from './HopsPart.tsx'
import { LoginPart } from './LoginPart.tsx'
import { MorePart } from './MorePart.tsx'
import { OrderPart } from './OrderPart.tsx'
import { OutputsPart } from './OutputsPart.tsx'
import { PolitenessPart } from './PolitenessPart.tsx'
import { RecheckPart } from './RecheckPart.tsx'
import { ThrottlePart } from './ThrottlePart.tsx'
import type { HarvestFields } from './useHarvestForm.ts'

interface FoldedPartsProps {
  fields: HarvestFields
  /** Documents that come from no server need no politeness, logins or links. */
  isLocal: boolean
}

export function FoldedParts({ fields, isLocal }: FoldedPartsProps) {
  const t = useWords()
  const { draft, change, errorOf, fixedOf } = fields
  return (
    <>
      <RecheckPart
        draft={draft.recheck}
        errorOf={errorOf}
        fixed={fixedOf((each) => each.recheck.type, 'recheck', 'type')}
        onChange={(recheck) => change('recheck', recheck)}
      />
      {!isLocal && (
        <DeduplicationPart
          draft={draft.deduplication}
          errorOf={errorOf}
          onChange={(deduplication) => change('deduplication', deduplication)}
        />
      )}
      <OrderPart
        order={draft.order}
        errorOf={errorOf}
        fixed={fixedOf((each) => each.order, 'order')}
        onChange={(order) => change('order', order)}
      />
      <PolitenessPart
        robots={draft.robots}
        isLocal={isLocal}
        errorOf={errorOf}
        fixed={fixedOf((each) => each.robots, 'robots')}
        number={(field) => numberProps(t, fields, field)}
        onRobots={(robots) => change('robots', robots)}
      />
      {!isLocal && <WebParts {...fields} />}
      <OutputsPart drafts={draft.outputs} errorOf={errorOf} onChange={(outputs) => change('outputs', outputs)} />
      <MorePart fields={fields} isLocal={isLocal} />
    </>
  )
}

function WebParts({ draft, change, errorOf, fixedOf }: HarvestFields) {
  return (
    <>
      <ThrottlePart draft={draft.throttle} errorOf={errorOf} onChange={(throttle) => change('throttle', throttle)} />
      <LoginPart
        draft={draft.login}
        errorOf={errorOf}
        fixed={fixedOf((each) => each.login, 'login')}
        onChange={(login) => change('login', login)}
      />
      <HopsPart
        draft={draft.hops}
        errorOf={errorOf}
        fixed={fixedOf((each) => each.hops, 'hops')}
        onChange={(hops) => change('hops', hops)}
      />
    </>
  )
}
