import type { ComponentProps } from 'react'
import { Joining } from '#features/plans/browse/Joining.tsx'
import { AskingCost } from './-AskingCost.tsx'
import { brandOf } from './-brand.tsx'
import { Level } from './-Level.tsx'

type AskingProps = Pick<ComponentProps<typeof Joining>, 'userId' | 'interrupted' | 'children'>

/** Lets a signed-in person request a place, with its cost and the owner's standing. */
export const Asking = (asking: AskingProps) => (
  <Joining
    brandOf={brandOf}
    levelOf={({ ownerId, ownerName }) => <Level userId={ownerId} name={ownerName} />}
    costOf={(plan, draft, change, atOnce) => (
      <AskingCost userId={asking.userId} plan={plan} draft={draft} change={change} atOnce={atOnce} />
    )}
    {...asking}
  />
)
