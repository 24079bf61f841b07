import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { coinsInWords } from '#domain/coins.ts'
import type { OwnerStep } from '#domain/next-step.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { SharePlan } from '#features/plans/shared-plans/SharePlan.tsx'
import { vaultEntryQuery } from '#features/trust/access/vault.queries.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { NextStep, StepCard } from './NextStep.tsx'
import { OwnerNotices } from './OwnerNotices.tsx'
import { StartSteps } from './StartSteps.tsx'

const StoreAccessDialog = lazyPart(
  async () => (await import('#features/trust/access/StoreAccessDialog.tsx')).StoreAccessDialog,
)
const BankAccountDialog = lazyPart(
  async () => (await import('#features/money/wallet/BankAccountDialog.tsx')).BankAccountDialog,
)

interface OwnerNextStepProps {
  plan: Plan
  step: OwnerStep | null | undefined
}

/** The plan's notices, and the owner's next step, unless the page already has a card for it. */
export function OwnerNextStep({ plan, step }: OwnerNextStepProps) {
  const card = step && stepCard(step, plan)
  return (
    <>
      <OwnerNotices plan={plan} />
      {card && <NextStep>{card}</NextStep>}
    </>
  )
}

function stepCard(step: OwnerStep, plan: Plan) {
  switch (step.kind) {
    case 'password':
      return (
        <StepCard title={t`Change the password`} action={<SavePassword planId={plan.id} />}>
          <Trans>Someone who knew it has left. Change it at {plan.provider}, then save it here.</Trans>
        </StepCard>
      )
    case 'start':
      return <StartSteps plan={plan} steps={step.steps} />
    case 'paid-out':
      return (
        <StepCard
          title={t`${coinsInWords(step.coins)} ready to withdraw`}
          action={<AddBankAccount userId={plan.ownerId} />}
        >
          {t`Add your bank account to be paid out.`}
        </StepCard>
      )
    case 'share':
      return (
        <StepCard
          title={t`${plural(step.places, { one: '# place is', other: '# places are' })} free`}
          action={<SharePlan planId={plan.id} title={`${plan.provider} ${planName(plan.name)}`} />}
        >
          {t`Share the link. Anyone who has it can ask for a place.`}
        </StepCard>
      )
    default:
      return null
  }
}

function SavePassword({ planId }: { planId: string }) {
  const { data: entry } = useQuery(vaultEntryQuery(planId))
  const [storing, { open, close }] = useDisclosure()
  return (
    <>
      <Button onClick={open}>{t`Save new password`}</Button>
      <LazyDialog opened={storing}>
        {(opened) => (
          <StoreAccessDialog planId={planId} version={entry?.version ?? 0} opened={opened} onClose={close} />
        )}
      </LazyDialog>
    </>
  )
}

function AddBankAccount({ userId }: { userId: string }) {
  const [asking, { open, close }] = useDisclosure()
  return (
    <>
      <Button onClick={open}>{t`Add a bank account`}</Button>
      {asking && <BankAccountDialog userId={userId} onClose={close} />}
    </>
  )
}
