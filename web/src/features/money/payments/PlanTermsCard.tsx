import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy } from 'react'
import type { Plan } from '#domain/plan.ts'
import { onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { termsText } from './terms-text.ts'

const ProposeTermsDialog = lazy(async () => ({
  default: (await onceOnline(() => import('./ProposeTermsDialog.tsx'))).ProposeTermsDialog,
}))

/** A plan's terms (price and way of paying), with a button to propose others. For the owner. */
export function PlanTermsCard({ plan }: { plan: Plan }) {
  const [proposing, { open, close }] = useDisclosure()
  return (
    <SurfaceCard component="section" aria-labelledby="terms-title">
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} size="h3" id="terms-title">
          {t`Terms`}
        </Title>
        <Button variant="default" size="sm" onClick={open}>
          {t`Propose new terms`}
        </Button>
      </Group>
      <Text>
        <Trans>A place costs {termsText(plan, plan)}.</Trans>
      </Text>
      <LazyDialog opened={proposing}>
        {(opened) => <ProposeTermsDialog plan={plan} opened={opened} onClose={close} />}
      </LazyDialog>
    </SurfaceCard>
  )
}
