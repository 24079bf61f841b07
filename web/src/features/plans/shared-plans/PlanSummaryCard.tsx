import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { ActionIcon, Badge, Group, Stack, Text, Title, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { lazy, type ReactNode } from 'react'
import { categoryLabel, slashCycle, toCategory } from '#domain/catalogue.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { describePlaces } from '#domain/slots.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { useBrowserEvent } from '#lib/events.ts'
import { onceOnline } from '#lib/online.ts'
import { InstantBadge } from '#ui/InstantBadge.tsx'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { Money } from '#ui/Money.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { CapacityBar } from './CapacityBar.tsx'
import { Fact, Facts } from './Facts.tsx'
import { OwnPlanNote } from './OwnPlanNote.tsx'
import { ReviewBadge } from './ReviewBadge.tsx'

const EditSlotsDialog = lazy(async () => ({
  default: (await onceOnline(() => import('./EditSlotsDialog.tsx'))).EditSlotsDialog,
}))

interface PlanSummaryCardProps {
  plan: Plan
  userId: string
  /** The members' pictures, shown beside the number of members. */
  people: ReactNode
}

/** A summary of a plan for its owner: price, renewal date and places, with a button to edit the slots. */
export function PlanSummaryCard({ plan, userId, people }: PlanSummaryCardProps) {
  const [editing, { open, close }] = useDisclosure()
  useBrowserEvent('openEditSubscriptionDialog', (about) => {
    if ((about?.subscriptionId ?? plan.id) === plan.id) open()
  })

  return (
    <ProviderCard component="section" provider={plan.provider} aria-labelledby="summary-title">
      <Stack gap="lg">
        <div>
          <Group wrap="nowrap" gap="md">
            <ProviderLogo provider={plan.provider} />
            <Stack gap={2} flex={1} miw={0}>
              <Group gap="xs">
                <Text size="sm" c="dimmed">
                  {plan.provider}
                </Text>
                <Badge variant="light" color="gray" tt="none">
                  {categoryLabel(toCategory(plan.category))}
                </Badge>
                <ReviewBadge status={plan.status} />
                <InstantBadge from={plan.instantFrom} />
              </Group>
              <Title order={2} size="h3" id="summary-title">
                <Trans>{planName(plan.name)} Subscription</Trans>
              </Title>
            </Stack>
          </Group>
          <Facts>
            <Fact name={t`Total price`}>
              <Money amount={plan.totalPrice} currency={plan.currency} per={slashCycle(plan.cycle)} />
            </Fact>
            <Fact name={t`${plan.provider} renews`}>
              {plan.nextPayment ? <RelativeDate date={plan.nextPayment} /> : t`Not scheduled`}
            </Fact>
          </Facts>
          <OwnPlanNote plan={plan} />
        </div>
        <div>
          <Group justify="space-between" gap="xs">
            <Text>
              <Text span c="dimmed">
                {t`Members`}{' '}
              </Text>
              <Text span fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
                {describePlaces(plan)}
              </Text>
            </Text>
            <Group gap="xs" wrap="nowrap">
              {people}
              <Tooltip label={t`Edit slots`}>
                <ActionIcon aria-label={t`Edit member slots`} onClick={open}>
                  <IconPencil size={20} />
                </ActionIcon>
              </Tooltip>
            </Group>
          </Group>
          <CapacityBar places={plan} size="md" mt={4} name={{ 'aria-label': t`Places taken` }} />
          {plan.waiting > 0 && (
            <Text size="sm" c="dimmed" mt={6}>
              <Trans>
                <Plural value={plan.waiting} one="# person is" other="# people are" /> waiting for a place.
              </Trans>
            </Text>
          )}
        </div>
      </Stack>
      <LazyDialog opened={editing}>
        {(opened) => <EditSlotsDialog plan={plan} userId={userId} opened={opened} onClose={close} />}
      </LazyDialog>
    </ProviderCard>
  )
}
