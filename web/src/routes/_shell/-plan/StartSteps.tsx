import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import type { StartStep } from '#domain/start-steps.ts'
import { SharePlan } from '#features/plans/shared-plans/SharePlan.tsx'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { StepList } from '#ui/StepList.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

const StoreAccessDialog = lazyPart(
  async () => (await import('#features/trust/access/StoreAccessDialog.tsx')).StoreAccessDialog,
)

const WishDialog = lazyPart(async () => (await import('#features/money/payments/WishDialog.tsx')).WishDialog)

interface StartStepsProps {
  plan: Plan
  steps: readonly StartStep[]
}

/** The owner's steps to prepare a new plan for members, each ticked once done. */
export function StartSteps({ plan, steps }: StartStepsProps) {
  const [storing, { open, close }] = useDisclosure()
  const [wishing, wish] = useDisclosure()
  const action = ({ kind }: StartStep, isNext: boolean) => {
    const variant = isNext ? 'filled' : 'default'
    switch (kind) {
      case 'share':
        return (
          plan.status === 'active' && (
            <SharePlan planId={plan.id} title={`${plan.provider} ${planName(plan.name)}`} variant={variant} />
          )
        )
      case 'access':
        return (
          <Button variant={variant} onClick={open}>
            {t`Add access`}
          </Button>
        )
      case 'pay':
        return (
          <Button variant={variant} onClick={wish.open}>
            {t`Add payment details`}
          </Button>
        )
    }
  }
  return (
    <SurfaceCard component="section" aria-labelledby="start-title">
      <Title order={2} size="h3" id="start-title" mb="md" style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          First steps for {plan.provider} {planName(plan.name)}
        </Trans>
      </Title>
      <StepList steps={steps.map((step) => ({ ...step, ...words(step, plan) }))} action={action} />
      <LazyDialog opened={storing}>
        {(opened) => <StoreAccessDialog planId={plan.id} version={0} opened={opened} onClose={close} />}
      </LazyDialog>
      <LazyDialog opened={wishing}>
        {(opened) => <WishDialog userId={plan.ownerId} opened={opened} onClose={wish.close} />}
      </LazyDialog>
    </SurfaceCard>
  )
}

function words(
  { kind, done }: StartStep,
  { status, settlement, isPrivate }: Plan,
): { title: string; text: string } {
  switch (kind) {
    case 'share':
      return {
        title: t`Share the link`,
        text: done
          ? t`People are finding your plan.`
          : status === 'active'
            ? isPrivate && settlement === 'direct'
              ? t`Anyone with the link can ask for a place. Or add people by name, below; they need no account.`
              : t`Anyone with the link can ask for a place.`
            : t`You can share it once we’ve reviewed your plan.`,
      }
    case 'access':
      return {
        title: t`Add access`,
        text: done
          ? t`Members can see it once they have a place.`
          : t`A password, invitation link or note. It’s encrypted, and only members can open it.`,
      }
    case 'pay':
      return {
        title: t`How members pay`,
        text: !done
          ? t`Your IBAN or a payment link. Only your members see it.`
          : settlement === 'potluck'
            ? t`Through Potluck. You earn coins each month.`
            : t`Directly, as you set it up.`,
      }
  }
}
