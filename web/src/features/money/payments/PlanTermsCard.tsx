import { t } from '@lingui/core/macro'
import { Button, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy } from 'react'
import { isOwnPlan, type Plan } from '#domain/plan.ts'
import { onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { termsText } from './terms-text.ts'

const ProposeTermsDialog = lazy(async () => ({
  default: (await onceOnline(() => import('./ProposeTermsDialog.tsx'))).ProposeTermsDialog,
}))
const ProposeSharesDialog = lazy(async () => ({
  default: (await onceOnline(() => import('./ProposeSharesDialog.tsx'))).ProposeSharesDialog,
}))

/** A plan's terms (price and way of paying), with a button to propose others. For the owner. */
export function PlanTermsCard({ plan }: { plan: Plan }) {
  const [proposing, { open, close }] = useDisclosure()
  const ProposeDialog = isOwnPlan(plan) ? ProposeSharesDialog : ProposeTermsDialog
  return (
    <SurfaceCard component="section" aria-labelledby="terms-title">
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} size="h3" id="terms-title">
          {t`Terms`}
        </Title>
        <Button variant="default" size="sm" onClick={open}>
          {isOwnPlan(plan) ? t`Divide the price` : t`Propose new terms`}
        </Button>
      </Group>
      <Text>
        {isOwnPlan(plan) && plan.shareRule !== 'equal'
          ? t`The shares are not equal.`
          : t`A place costs ${{ terms: termsText(plan, plan) }}.`}
      </Text>
      <LazyDialog opened={proposing}>
        {(opened) => <ProposeDialog plan={plan} opened={opened} onClose={close} />}
      </LazyDialog>
    </SurfaceCard>
  )
}
