import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { slashCycle } from '#domain/catalogue.ts'
import { memberPays } from '#domain/fees.ts'
import { planName } from '#domain/plan-name.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { ExpiryBadge } from '#ui/ExpiryBadge.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import type { AwaitingRequest } from './join-requests.queries.ts'

interface AwaitingRequestCardProps {
  request: AwaitingRequest
  hours: number
  onCancel: () => void
}

/** The signed-in person's join request while it waits for the owner's answer. */
export function AwaitingRequestCard({ request, hours, onCancel }: AwaitingRequestCardProps) {
  const { plan, requestedAt } = request
  const [asking, { open, close }] = useDisclosure()
  return (
    <ProviderCard
      component="article"
      aria-label={`${plan.provider} ${planName(plan.name)}`}
      provider={plan.provider}
    >
      <Group wrap="nowrap" gap="sm" align="flex-start">
        <ProviderLogo provider={plan.provider} />
        <Stack gap={0} flex={1} miw={0}>
          <Title order={3} size="h4" lineClamp={2}>
            {plan.provider} {planName(plan.name)}
          </Title>
          <Text size="sm" c="dimmed" truncate>
            <Trans>
              Shared by <PersonLink userId={plan.ownerId} name={plan.ownerName} />
            </Trans>
          </Text>
        </Stack>
      </Group>
      <Group justify="space-between" align="flex-end" mt="md" gap="xs">
        <Stack gap={0}>
          <Text size="sm" c="dimmed">
            {t`You would pay`}
          </Text>
          <Money
            amount={memberPays(plan)}
            currency={plan.currency}
            per={slashCycle(plan.cycle)}
            fz={22}
            fw={700}
            lh={1.2}
          />
        </Stack>
        <Text size="sm" c="dimmed">
          <Trans>
            Asked <RelativeDate date={requestedAt} />
          </Trans>
        </Text>
      </Group>
      <Group justify="space-between" mt="md" gap="xs">
        <ExpiryBadge hours={hours} reader="requester" />
        <Button
          variant="subtle"
          color="beet"
          px="sm"
          aria-label={t`Cancel request to join ${plan.provider} ${planName(plan.name)}`}
          onClick={open}
        >
          {t({ message: 'Cancel', context: 'a request of mine' })}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        title={t`Cancel Join Request`}
        confirmLabel={t`Cancel request`}
        cancelLabel={t`Keep waiting`}
        onConfirm={() => {
          close()
          onCancel()
        }}
        onClose={close}
      >
        <Trans>
          {plan.ownerName} will no longer see your request to join {plan.provider} {planName(plan.name)}. You
          can ask again later.
        </Trans>
      </ConfirmDialog>
    </ProviderCard>
  )
}
