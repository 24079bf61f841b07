import { Alert, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { feeNote, paysMonthly } from '#domain/fees.ts'
import type { Plan } from '#domain/plan.ts'
import { Money } from '#ui/Money.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { type Brand, SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './AccountLogin.module.css'
import { Fact, Facts } from './Facts.tsx'
import { priceWarning } from './plans.messages.ts'
import { accountLoginQuery } from './plans.queries.ts'

interface SubscribedPlanCardProps {
  plan: Plan
  brand: Brand
}

/** What a member pays and how they get in. */
export function SubscribedPlanCard({ plan, brand }: SubscribedPlanCardProps) {
  const warning = priceWarning(plan.memberPrice)
  return (
    <SurfaceCard component="section" look="provider" brand={brand} aria-label="Your Subscribed Plan">
      <Group wrap="nowrap" gap="md">
        {brand.logo}
        <Stack gap={2} flex={1} miw={0}>
          <Title order={2} size="h3">
            {plan.provider} {plan.name}
          </Title>
          <Text size="sm" c="dimmed">
            {plan.description}
          </Text>
        </Stack>
      </Group>
      {warning && (
        <Alert color="honey" mt="md" icon={<IconAlertTriangle aria-hidden />}>
          {warning}
        </Alert>
      )}
      <Stack gap={0} mt="lg">
        <Text size="sm" c="dimmed">
          Monthly cost
        </Text>
        <Money amount={paysMonthly(plan)} currency={plan.currency} fz={34} fw={700} lh={1.15} />
        <Text size="sm" c="dimmed">
          {feeNote(plan.settlement)}
          {plan.cycle === 'yearly' && ', paid once a year'}
        </Text>
      </Stack>
      <Facts>
        <Fact name="Next payment">
          {plan.nextPayment ? <RelativeDate date={plan.nextPayment} /> : 'Not scheduled'}
        </Fact>
        <Fact name="Total subscription price">
          <Money
            amount={plan.totalPrice}
            currency={plan.currency}
            per={plan.cycle === 'yearly' ? '/ year' : '/ month'}
          />
        </Fact>
      </Facts>
      <AccountLogin planId={plan.id} />
    </SurfaceCard>
  )
}

function AccountLogin({ planId }: { planId: string }) {
  const { data: login } = useQuery(accountLoginQuery(planId))
  return (
    <Stack gap={4} className={classes.login}>
      <Text size="sm" c="dimmed">
        Account email / username
      </Text>
      <Text fw={600} className={classes.name}>
        {login ?? 'Not shared yet'}
      </Text>
      <Group gap={6} c="dimmed" wrap="nowrap">
        <IconKey size={18} style={{ flex: 'none' }} aria-hidden />
        <Text size="sm">Contact the plan owner for the password.</Text>
      </Group>
    </Stack>
  )
}
