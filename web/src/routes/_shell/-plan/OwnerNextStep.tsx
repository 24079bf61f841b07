import { coinsInWords } from '#domain/coins.ts'
import type { OwnerStep } from '#domain/next-step.ts'
import type { Plan } from '#domain/plan.ts'
import { counted } from '#domain/plural.ts'
import { SharePlan } from '#features/plans/shared-plans/SharePlan.tsx'
import { LinkButton } from '#ui/links.tsx'
import { HereButton, NextStep, StepCard } from './NextStep.tsx'
import { StartSteps } from './StartSteps.tsx'

interface OwnerNextStepProps {
  plan: Plan
  step: OwnerStep
}

/** An owner's next step, unless it already has a card of its own on the page. */
export function OwnerNextStep({ plan, step }: OwnerNextStepProps) {
  const card = stepCard(step, plan)
  return card && <NextStep>{card}</NextStep>
}

function stepCard(step: OwnerStep, plan: Plan) {
  switch (step.kind) {
    case 'password':
      return (
        <StepCard
          title="A password is to be changed"
          action={<HereButton hash="access-title">Go to access</HereButton>}
        >
          Somebody who knows it has left the plan.
        </StepCard>
      )
    case 'start':
      return <StartSteps plan={plan} steps={step.steps} />
    case 'paid-out':
      return (
        <StepCard
          title={`${coinsInWords(step.coins)} for your bank account`}
          action={<LinkButton to="/account-settings">Store a bank account</LinkButton>}
        >
          You have earned enough to be paid out, and we do not know where to.
        </StepCard>
      )
    case 'share':
      return (
        <StepCard
          title={`${counted(step.places, 'place is', 'places are')} free`}
          action={<SharePlan planId={plan.id} title={`${plan.provider} ${plan.name}`} />}
        >
          Send the link to people you would share with. Whoever opens it can ask for a place.
        </StepCard>
      )
    default:
      return null
  }
}
